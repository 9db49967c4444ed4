// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal.h"

#include <fmt/format.h>
#include <langinfo.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace trainwright::app {
namespace {

constexpr int kDefaultWidth = 100;
constexpr int kNarrowest = 40;
constexpr int kWidest = 400;

std::string_view environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
}

int detectWidth(bool isTerminal) {
    const std::string_view columns = environment("COLUMNS");
    int width = 0;
    std::from_chars(columns.data(), columns.data() + columns.size(), width);
    if (width <= 0 && isTerminal) {
        winsize size{};
        if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
            width = size.ws_col;
        }
    }
    return width > 0 ? std::clamp(width, kNarrowest, kWidest) : kDefaultWidth;
}

/// Asks the user's locale without making it the program's, whose numbers stay the same everywhere.
bool localeIsUtf8() {
    const locale_t locale = ::newlocale(LC_CTYPE_MASK, "", nullptr);
    if (locale == nullptr) {
        return false;
    }
    const bool utf8 = std::string_view(::nl_langinfo_l(CODESET, locale)) == "UTF-8";
    ::freelocale(locale);
    return utf8;
}

long long nowNanoseconds() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

}  // namespace

bool outputIsTerminal() {
    return ::isatty(STDOUT_FILENO) == 1;
}

reports::TerminalStyle outputStyle(const DisplayOptions& display) {
    const bool isTerminal = outputIsTerminal();
    reports::TerminalStyle style;
    style.width = display.width > 0 ? display.width : detectWidth(isTerminal);
    style.language = display.language;
    style.utf8 = !isTerminal || localeIsUtf8();
    style.colour = isTerminal && !display.noColour && environment("NO_COLOR").empty() &&
                   environment("TERM") != "dumb";
    return style;
}

ProgressLine::ProgressLine(const char* doing)
    : doing_(doing),
      isTerminal_(::isatty(STDERR_FILENO) == 1),
      begunNanoseconds_(nowNanoseconds()) {}

ProgressLine::~ProgressLine() {
    if (isShown_) {
        fmt::print(stderr, "\r\033[K");
    }
}

void ProgressLine::show(double share) {
    constexpr long long kQuietNanoseconds = 500'000'000;
    if (!isTerminal_ || nowNanoseconds() - begunNanoseconds_ < kQuietNanoseconds) {
        return;
    }
    const int percent = static_cast<int>(100.0 * std::clamp(share, 0.0, 1.0));
    if (percent != percentShown_) {
        fmt::print(stderr, "\r{}: {}%\033[K", doing_, percent);
        percentShown_ = percent;
        isShown_ = true;
    }
}

}  // namespace trainwright::app
