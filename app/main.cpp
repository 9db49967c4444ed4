// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where exceptions end: whatever is broken becomes a line on standard error and exit
// code 2.
#include <fmt/format.h>
#include <signal.h>

#include <exception>
#include <new>

#include "app/command_line.h"

int main(int argc, char** argv) {
    // A closed pipe and a size limit come back as errors of the write, which says them or cleans
    // up.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    constexpr int kBroken = 2;
    try {
        return trainwright::app::runCommandLine(argc, argv);
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "trainwright: the memory of this machine does not suffice\n");
    } catch (const std::exception& error) {
        fmt::print(stderr, "trainwright: {}\n", error.what());
    }
    return kBroken;
}
