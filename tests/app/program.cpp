// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace trainwright::tests {
namespace {

namespace fs = std::filesystem;

struct Pipe {
    Pipe() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
            throw std::runtime_error("no pipe to be had");
        }
        reading = ends[0];
        writing = ends[1];
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        closeReading();
        closeWriting();
    }
    void closeReading() { closeEnd(reading); }
    void closeWriting() { closeEnd(writing); }

    int reading = -1;
    int writing = -1;

private:
    static void closeEnd(int& end) {
        if (end >= 0) {
            ::close(end);
            end = -1;
        }
    }
};

[[noreturn]] void becomeProgram(const std::vector<std::string>& command, const Setting& setting,
                                const Pipe& input, const Pipe& output, const Pipe& errors) {
    ::dup2(input.reading, STDIN_FILENO);
    ::dup2(output.writing, STDOUT_FILENO);
    ::dup2(errors.writing, STDERR_FILENO);
    if (!setting.outputFile.empty()) {
        ::dup2(::open(setting.outputFile.c_str(), O_WRONLY), STDOUT_FILENO);
    }
    // What whoever runs the tests has imported isn't theirs.
    ::setenv("TRAINWRIGHT_OVERLAY", "none", 1);
    for (const auto& [name, value] : setting.environment) {
        ::setenv(name.c_str(), value.c_str(), 1);
    }
    if (!setting.folder.empty() && ::chdir(setting.folder.c_str()) != 0) {
        ::_exit(126);
    }
    if (setting.largestFile) {
        const rlimit limit{*setting.largestFile, *setting.largestFile};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    // Permissions hold for root, too, once the program starts; for others this does nothing.
    ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE);
    ::prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH);
    std::vector<char*> arguments;
    for (const std::string& argument : command) {
        arguments.push_back(const_cast<char*>(argument.c_str()));
    }
    arguments.push_back(nullptr);
    ::execv(arguments.front(), arguments.data());
    ::_exit(127);
}

using Clock = std::chrono::steady_clock;

/// Presses Ctrl-C when the setting says so.
class Interrupter {
public:
    Interrupter(const Setting& setting, pid_t child) : setting_(setting), child_(child) {}

    /// How long to wait at most before asking again, for poll.
    [[nodiscard]] int patience() const {
        return setting_.interruptAfterMilliseconds > 0 && !pressed_ ? 1 : -1;
    }
    void look(const Execution& execution) {
        const bool isTime =
            setting_.interruptAfterMilliseconds > 0 &&
            Clock::now() - begun_ >= std::chrono::milliseconds(setting_.interruptAfterMilliseconds);
        const bool isEnough = setting_.interruptAfterBytes > 0 &&
                              execution.output.size() >= setting_.interruptAfterBytes;
        if (!pressed_ && (isTime || isEnough)) {
            ::kill(child_, SIGINT);
            pressed_ = Clock::now();
        }
    }
    [[nodiscard]] double secondsSince() const {
        return pressed_ ? std::chrono::duration<double>(Clock::now() - *pressed_).count() : 0;
    }

private:
    const Setting& setting_;
    pid_t child_;
    Clock::time_point begun_ = Clock::now();
    std::optional<Clock::time_point> pressed_;
};

/// Feeds and drains all three at once, so that neither side waits for the other.
void converse(const Setting& setting, Pipe& input, Pipe& output, Pipe& errors,
              Interrupter& interrupter, Execution& execution) {
    std::string_view rest = setting.input;
    if (rest.empty()) {
        input.closeWriting();
    }
    if (setting.closeOutputEarly) {
        output.closeReading();
    }
    std::array<char, 65536> buffer{};
    const auto drain = [&](Pipe& pipe, std::string& into) {
        const ssize_t got = ::read(pipe.reading, buffer.data(), buffer.size());
        if (got <= 0) {
            pipe.closeReading();
        } else {
            into.append(buffer.data(), static_cast<std::size_t>(got));
        }
    };
    while (output.reading >= 0 || errors.reading >= 0) {
        std::array<pollfd, 3> ends{pollfd{input.writing, POLLOUT, 0},
                                   pollfd{output.reading, POLLIN, 0},
                                   pollfd{errors.reading, POLLIN, 0}};
        const int ready = ::poll(ends.data(), ends.size(), interrupter.patience());
        interrupter.look(execution);
        if (ready <= 0) {
            continue;
        }
        if (ends[0].fd >= 0 && ends[0].revents != 0) {
            const ssize_t sent =
                ::write(input.writing, rest.data(), std::min<std::size_t>(rest.size(), 65536));
            rest.remove_prefix(sent > 0 ? static_cast<std::size_t>(sent) : rest.size());
            if (rest.empty()) {
                input.closeWriting();
            }
        }
        if (ends[1].fd >= 0 && ends[1].revents != 0) {
            drain(output, execution.output);
        }
        if (ends[2].fd >= 0 && ends[2].revents != 0) {
            drain(errors, execution.errors);
        }
    }
}

}  // namespace

Execution runCommand(const std::vector<std::string>& command, const Setting& setting) {
    ::signal(SIGPIPE, SIG_IGN);
    Pipe input;
    Pipe output;
    Pipe errors;
    const pid_t child = ::fork();
    if (child < 0) {
        throw std::runtime_error("no process to be had");
    }
    if (child == 0) {
        ::signal(SIGPIPE, SIG_DFL);
        becomeProgram(command, setting, input, output, errors);
    }
    input.closeReading();
    output.closeWriting();
    errors.closeWriting();
    Execution execution;
    Interrupter interrupter(setting, child);
    converse(setting, input, output, errors, interrupter, execution);
    int status = 0;
    ::waitpid(child, &status, 0);
    execution.secondsAfterInterrupt = interrupter.secondsSince();
    if (WIFEXITED(status)) {
        execution.exitCode = WEXITSTATUS(status);
    } else if (WIFSIGNALED(status)) {
        execution.signal = WTERMSIG(status);
    }
    return execution;
}

Execution run(const std::vector<std::string>& arguments, const Setting& setting) {
    std::vector<std::string> command{TRAINWRIGHT_PROGRAM};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return runCommand(command, setting);
}

TemporaryFolder::TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "trainwright-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
        throw std::runtime_error("no folder for the test to be had");
    }
    path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return file(name);
}

std::vector<std::string> TemporaryFolder::names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(path_)) {
        found.push_back(entry.path().filename().string());
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::string readFile(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> found;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (!line.empty()) {
            found.push_back(line);
        }
    }
    return found;
}

std::string shippedCatalog() {
    return (fs::path(TRAINWRIGHT_PROGRAM).parent_path().parent_path() / "share" / "trainwright" /
            "catalog.sqlite")
        .string();
}

std::string smallScenario() {
    return "version: 1\n"
           "title: Llama 3.1 8B, a short run\n"
           "model: llama3.1-8b\n"
           "training:\n"
           "  start: 2027-01-04\n"
           "  tokens: 100B\n"
           "  sequence_length: 8192\n"
           "  global_batch: 512 sequences\n"
           "candidates:\n"
           "  - name: trn2\n"
           "    system: trn2.48xlarge\n"
           "    accelerators: 64\n"
           "    region: us-east-2\n"
           "  - name: h100\n"
           "    system: p5.48xlarge\n"
           "    accelerators: 64\n"
           "    region: us-east-1\n";
}

}  // namespace trainwright::tests
