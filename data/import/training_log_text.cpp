// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/import/training_log_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

namespace trainwright::import::logtext {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

namespace {

bool isWord(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace

bool contains(std::string_view s, std::string_view part) {
    return s.find(part) != std::string_view::npos;
}

std::size_t skip(std::string_view s, std::size_t at, std::string_view what) {
    while (at < s.size() && what.find(s[at]) != std::string_view::npos) ++at;
    return at;
}

std::optional<double> numberAt(std::string_view s, std::size_t& at, bool grouped) {
    std::array<char, 64> digits{};
    std::size_t n = 0;
    std::size_t i = at;
    for (; i < s.size() && n < digits.size(); ++i) {
        const char c = s[i];
        if (c == ',') {
            const bool three = i + 3 < s.size() && isDigit(s[i + 1]) && isDigit(s[i + 2]) &&
                               isDigit(s[i + 3]) && (i + 4 >= s.size() || !isDigit(s[i + 4]));
            if (!grouped || n == 0 || !three) break;
            continue;
        }
        const bool sign = (c == '+' || c == '-') && n > 0 && (s[i - 1] == 'e' || s[i - 1] == 'E');
        if (!isDigit(c) && c != '.' && c != 'e' && c != 'E' && !sign) break;
        digits[n++] = c;
    }
    if (n == 0 || !(isDigit(digits[0]) || digits[0] == '.')) return std::nullopt;
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + n, value);
    if (error != std::errc() || !std::isfinite(value) || value <= 0 || value > 1e15)
        return std::nullopt;
    at = i;
    return value;
}

std::optional<double> valueOf(std::string_view s, std::string_view key, bool grouped) {
    for (std::size_t p = s.find(key); p != std::string_view::npos; p = s.find(key, p + 1)) {
        if (p > 0 && isWord(s[p - 1])) continue;
        std::size_t at = skip(s, skip(s, p + key.size(), "\"'"), " ");
        if (at >= s.size() || (s[at] != ':' && s[at] != '=')) continue;
        at = skip(s, skip(s, at + 1, " "), "\"'");
        if (const auto v = numberAt(s, at, grouped)) return v;
    }
    return std::nullopt;
}

std::optional<double> settingOf(std::string_view s, std::string_view key) {
    for (std::size_t p = s.find(key); p != std::string_view::npos; p = s.find(key, p + 1)) {
        if (p > 0 && isWord(s[p - 1])) continue;
        std::size_t at = p + key.size();
        const std::size_t from = skip(s, at, " .:='\"");
        if (from == at) continue;
        at = from;
        const auto v = numberAt(s, at, true);
        if (v && *v >= 1 && *v < 1e9 && *v == std::floor(*v)) return v;
    }
    return std::nullopt;
}

double clockIn(std::string_view s) {
    constexpr std::string_view kForm = "0000-00-00 00:00:00,000";
    double found = 0;
    for (std::size_t i = 0; i + kForm.size() <= s.size(); ++i) {
        if (!isDigit(s[i])) continue;
        bool same = true;
        for (std::size_t k = 0; k < kForm.size() && same; ++k) {
            const char c = s[i + k];
            if (kForm[k] == '0') same = isDigit(c);
            if (kForm[k] == '-') same = c == '-';
            if (kForm[k] == ' ') same = c == ' ' || c == 'T';
            if (kForm[k] == ':') same = c == ':';
            if (kForm[k] == ',') same = c == ',' || c == '.';
        }
        if (!same) continue;
        const auto number = [&](std::size_t at, std::size_t length) {
            int v = 0;
            for (std::size_t k = 0; k < length; ++k) v = 10 * v + (s[i + at + k] - '0');
            return v;
        };
        const std::chrono::year_month_day day{
            std::chrono::year{number(0, 4)},
            std::chrono::month{static_cast<unsigned>(number(5, 2))},
            std::chrono::day{static_cast<unsigned>(number(8, 2))}};
        if (!day.ok()) continue;
        const auto days = std::chrono::sys_days(day).time_since_epoch().count();
        found = 86400.0 * static_cast<double>(days) + 3600.0 * number(11, 2) +
                60.0 * number(14, 2) + number(17, 2) + number(20, 3) / 1000.0;
    }
    return found;
}

// std::string_view::find_first_of is several times slower than this on a long text.
std::size_t endOfLine(std::string_view s) {
    std::size_t i = 0;
    while (i < s.size() && s[i] != '\n' && s[i] != '\r') ++i;
    return i;
}

bool mayHaveEscapes(std::string_view line) {
    return std::any_of(line.begin(), line.end(),
                       [](char c) { return c == '\x1b' || c == '^' || c == '\\' || c == '#'; });
}

void withoutEscapes(std::string_view line, std::string& out) {
    constexpr std::array<std::string_view, 5> kWritten = {"^[[", "\\x1b[", "\\u001b[", "\\033[",
                                                          "#033["};
    out.clear();
    for (std::size_t i = 0; i < line.size();) {
        if (line[i] == '\x1b') {
            std::size_t end = i + 1;
            if (end < line.size() && line[end] == '[') {
                ++end;
                while (end < line.size() && (line[end] < '@' || line[end] > '~')) ++end;
            }
            i = std::min(end + 1, line.size());
            continue;
        }
        bool written = false;
        if (line[i] == '^' || line[i] == '\\' || line[i] == '#') {
            for (const std::string_view start : kWritten) {
                if (line.substr(i, start.size()) != start) continue;
                const std::size_t end = skip(line, i + start.size(), "0123456789;");
                if (end >= line.size() || line[end] != 'm') continue;
                i = end + 1;
                written = true;
                break;
            }
        }
        if (!written) out += line[i++];
    }
}

namespace {

// Where a step begins inside `s`, and its number: "iteration 12/ 500", "step: 12", "Epoch 0:".
std::size_t nextMark(std::string_view s, std::size_t from, std::optional<double>& step) {
    for (std::size_t p = from; p < s.size(); ++p) {
        if (s[p] != 'i' && s[p] != 's' && s[p] != 'E') continue;
        if (p > 0 && isWord(s[p - 1])) continue;
        for (const std::string_view word : {"iteration", "step:", "Epoch "}) {
            if (s.substr(p, word.size()) != word) continue;
            std::size_t at = skip(s, p + word.size(), " ");
            const std::size_t digits = skip(s, at, "0123456789");
            if (digits == at || digits - at > 15) continue;
            if (word == "Epoch ") {
                if (digits < s.size() && s[digits] == ':') {
                    step.reset();
                    return p;
                }
                continue;
            }
            if (word == "iteration" && (digits >= s.size() || s[digits] != '/')) continue;
            double v = 0;
            for (; at < digits; ++at) v = 10 * v + (s[at] - '0');
            step = v;
            return p;
        }
    }
    return std::string_view::npos;
}

}  // namespace

std::vector<Record> recordsOf(std::string_view line) {
    std::vector<Record> records;
    std::optional<double> step;
    std::size_t mark = nextMark(line, 0, step);
    if (mark == std::string_view::npos) return {{line, line, std::nullopt, false}};
    std::size_t last = 0;
    while (mark != std::string_view::npos) {
        std::optional<double> following;
        const std::size_t next = nextMark(line, mark + 1, following);
        Record r;
        r.before = line.substr(last, mark - last);
        const std::size_t from = records.empty() ? 0 : mark;
        r.text = line.substr(from, next == std::string_view::npos ? next : next - from);
        r.step = step;
        r.completed =
            r.before.size() >= 10 && r.before.substr(r.before.size() - 10) == "completed ";
        records.push_back(r);
        last = mark;
        mark = next;
        step = following;
    }
    return records;
}

namespace {

// The name before "12%|": none, or one of training.
bool namesTraining(std::string_view label) {
    const std::size_t percent = label.rfind('%');
    if (percent == std::string_view::npos) return true;
    std::size_t end = percent;
    while (end > 0 && (isDigit(label[end - 1]) || label[end - 1] == ' ')) --end;
    if (end == 0 || label[end - 1] != ':') return true;
    for (const std::string_view word : {"Epoch", "epoch", "Train", "train", "Step", "step"}) {
        if (contains(label.substr(0, end), word)) return true;
    }
    return false;
}

// "06:01<" or "1:06:01<" at `at`, which moves to the "<"; seconds.
std::optional<double> elapsedAt(std::string_view s, std::size_t& at) {
    double elapsed = 0;
    for (int part = 0; part < 3; ++part) {
        const std::size_t end = skip(s, at, "0123456789");
        if (end == at || end - at > 6 || end >= s.size()) return std::nullopt;
        double v = 0;
        for (; at < end; ++at) v = 10 * v + (s[at] - '0');
        elapsed = 60 * elapsed + v;
        if (s[at] == '<' && part > 0) return elapsed;
        if (s[at] != ':') return std::nullopt;
        ++at;
    }
    return std::nullopt;
}

// The bar whose times begin behind the bracket at `open`.
std::optional<BarMark> barAt(std::string_view line, std::size_t open) {
    // A bar is as short as this; so is the search, whatever else the line holds.
    constexpr std::size_t kBehind = 4096;
    constexpr std::size_t kBefore = 256;
    const std::string_view behind = line.substr(open + 1, kBehind);
    BarMark mark;
    std::size_t at = 0;
    const auto elapsed = elapsedAt(behind, at);
    if (!elapsed) return std::nullopt;
    mark.elapsed = *elapsed;
    const std::size_t comma = behind.substr(0, at + 32).find(',', at);
    if (comma == std::string_view::npos) return std::nullopt;
    at = skip(behind, comma + 1, " ");
    const auto rate = numberAt(behind, at);
    if (!rate) return std::nullopt;
    if (behind.substr(at, 4) == "s/it") mark.seconds = *rate;
    if (behind.substr(at, 4) == "it/s") mark.seconds = 1 / *rate;
    if (mark.seconds == 0) return std::nullopt;

    std::string_view before = line.substr(0, open);
    if (before.size() > kBefore) before.remove_prefix(before.size() - kBefore);
    while (!before.empty() && before.back() == ' ') before.remove_suffix(1);
    const std::size_t slash = before.rfind('/');
    if (slash == std::string_view::npos) return std::nullopt;
    std::size_t from = slash;
    while (from > 0 && isDigit(before[from - 1])) --from;
    std::size_t nAt = from;
    std::size_t totalAt = slash + 1;
    const auto n = numberAt(before, nAt);
    const auto total = numberAt(before, totalAt);
    if (!n || !total || nAt != slash || totalAt != before.size()) return std::nullopt;
    mark.n = *n;
    mark.total = *total;
    std::string_view label = before.substr(0, from);
    if (const std::size_t last = label.rfind(']'); last != std::string_view::npos)
        label.remove_prefix(last + 1);
    if (!namesTraining(label)) return std::nullopt;
    const std::string_view shown = behind.substr(0, behind.find(']'));
    mark.training = contains(shown, "loss=") || contains(shown, "global_step=");
    return mark;
}

}  // namespace

std::vector<BarMark> barsOf(std::string_view line) {
    std::vector<BarMark> bars;
    for (std::size_t open = line.find('['); open != std::string_view::npos;
         open = line.find('[', open + 1)) {
        if (const auto bar = barAt(line, open)) bars.push_back(*bar);
    }
    return bars;
}

}  // namespace trainwright::import::logtext
