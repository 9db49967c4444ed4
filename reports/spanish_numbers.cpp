// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/spanish_numbers.h"

#include <algorithm>
#include <array>
#include <utility>

#include "reports/number_format.h"

namespace trainwright::reports {
namespace {

constexpr std::string_view kNoBreakSpace = "\u00a0";
constexpr std::size_t kGroupedFrom = 5;  // digits

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kMonths{
    {{"January", "enero"},
     {"February", "febrero"},
     {"March", "marzo"},
     {"April", "abril"},
     {"May", "mayo"},
     {"June", "junio"},
     {"July", "julio"},
     {"August", "agosto"},
     {"September", "septiembre"},
     {"October", "octubre"},
     {"November", "noviembre"},
     {"December", "diciembre"}}};

/// What may stand right after a number, with a space before it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kUnitWords{
    {{"days", "días"},
     {"day", "día"},
     {"years", "años"},
     {"hours", "horas"},
     {"months", "meses"},
     {"or more", "o más"},
     {"instances", "instancias"},
     {"instance", "instancia"},

     {"seconds", "segundos"}}};

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Three words of letters: a sentence that somebody wrote.
bool isProse(std::string_view text) {
    constexpr std::size_t kWords = 3;
    std::size_t count = 0;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = std::min(text.find(' ', i), text.size());
        std::string_view word = text.substr(i, end - i);
        while (!word.empty() && !isLetter(word.back())) word.remove_suffix(1);
        const bool isWord = word.size() >= 2 && std::all_of(word.begin(), word.end(), isLetter);
        if (isWord && word != "or" && word != "more" && word != "USD" && ++count >= kWords)
            return true;
        i = end + 1;
    }
    return false;
}

/// What a number may follow: nothing, a space, or a sign of its own.
constexpr std::array<std::string_view, 15> kOpening{
    {"(", "[", "+", "±", "–", "−", "~", "<", ">", "≤", "≥", "×", "/", "=", "≈"}};
/// What may follow it.
constexpr std::array<std::string_view, 10> kClosing{
    {")", "]", "–", "×", "%", "/", "+", ";", "…", "="}};
constexpr std::array<std::string_view, 5> kMultiples{{"T", "B", "M", "G", "k"}};

class Scanner {
public:
    explicit Scanner(std::string_view text) : text_(text) {}

    std::string run() {
        while (at_ < text_.size()) {
            if (text_[at_] == '`') {
                const std::size_t end = text_.find('`', at_ + 1);
                take(end == std::string_view::npos ? text_.size() : end + 1);
            } else if (isDigit(text_[at_]) && opens()) {
                number();
            } else {
                take(at_ + 1);
            }
        }
        return std::move(out_);
    }

private:
    void take(std::size_t end) {
        out_ += text_.substr(at_, end - at_);
        at_ = end;
    }

    [[nodiscard]] bool opens() const {
        const std::string_view before = text_.substr(0, at_);
        if (before.empty()) return true;
        if (before.back() == ' ') {
            // "Llama 3.1", "Neuron 2.21": what follows a word is part of a name.
            return before.size() < 2 || !isLetter(before[before.size() - 2]) || followsUnit(before);
        }
        if (before.back() == '-') return before.size() == 1 || before[before.size() - 2] == ' ';
        for (const std::string_view sign : kOpening)
            if (before.ends_with(sign)) return true;
        return false;
    }

    /// "12 h 3.5 min": the word before is the unit of a number.
    [[nodiscard]] static bool followsUnit(std::string_view before) {
        std::size_t word = before.size() - 1;
        while (word > 0 && isLetter(before[word - 1])) --word;
        return word >= 2 && before[word - 1] == ' ' && isDigit(before[word - 2]);
    }

    /// Digits of a number from at_, or nothing if what stands there is none.
    void number() {
        std::size_t end = at_;
        std::string whole;
        const auto digits = [&] {
            while (end < text_.size() && isDigit(text_[end])) whole += text_[end++];
        };
        digits();
        const std::size_t first = end - at_;
        while (first <= 3 && end + 3 < text_.size() && text_[end] == ',' &&
               isDigit(text_[end + 1]) && isDigit(text_[end + 2]) && isDigit(text_[end + 3]) &&
               (end + 4 == text_.size() || !isDigit(text_[end + 4]))) {
            whole += text_.substr(end + 1, 3);
            end += 4;
        }
        std::string fraction;
        if (end + 1 < text_.size() && text_[end] == '.' && isDigit(text_[end + 1])) {
            ++end;
            while (end < text_.size() && isDigit(text_[end])) fraction += text_[end++];
        }
        if (!closes(end)) {
            while (end < text_.size() && text_[end] != ' ' && text_[end] != ')') ++end;
            return take(end);
        }
        for (std::size_t i = 0; i < whole.size(); ++i) {
            if (i > 0 && whole.size() >= kGroupedFrom && (whole.size() - i) % 3 == 0) out_ += '.';
            out_ += whole[i];
        }
        if (!fraction.empty()) out_ += "," + fraction;
        at_ = end;
        if (at_ < text_.size() && text_[at_] == '%') out_ += kNoBreakSpace;
        unitWord();
    }

    [[nodiscard]] bool closes(std::size_t end) const {
        std::string_view rest = text_.substr(end);
        for (const std::string_view multiple : kMultiples) {
            if (rest.starts_with(multiple)) {
                rest.remove_prefix(1);
                break;
            }
        }
        if (rest.empty() || rest.front() == ' ') return true;
        if (rest.front() == '.' || rest.front() == ',' || rest.front() == ':')
            return rest.size() == 1 || rest[1] == ' ';
        for (const std::string_view sign : kClosing)
            if (rest.starts_with(sign)) return true;
        // Powers: "10²⁴".
        return rest.starts_with("\u00b2") || rest.starts_with("\u00b3") ||
               rest.starts_with("\u00b9") || rest.starts_with("\xe2\x81");
    }

    void unitWord() {
        if (at_ >= text_.size() || text_[at_] != ' ') return;
        const std::string_view rest = text_.substr(at_ + 1);
        const auto startsWithWord = [&](std::string_view word) {
            return rest.starts_with(word) &&
                   (rest.size() == word.size() || !isLetter(rest[word.size()]));
        };
        for (const auto& [english, spanish] : kUnitWords) {
            if (startsWithWord(english)) {
                out_ += ' ';
                out_ += spanish;
                at_ += 1 + english.size();
                return;
            }
        }
        for (const auto& [english, spanish] : kMonths) {
            const bool isYear = rest.size() >= english.size() + 5 && startsWithWord(english) &&
                                rest[english.size()] == ' ' && isDigit(rest[english.size() + 1]);
            if (isYear) {
                out_ += " de ";
                out_ += spanish;
                out_ += " de ";
                at_ += english.size() + 2;
                take(at_ + 4);
                return;
            }
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string out_;
};

}  // namespace

std::string spanishNumbers(std::string_view plain) {
    if (plain == notKnown()) return "no se sabe";
    if (isProse(plain)) return std::string(plain);
    return Scanner(plain).run();
}

}  // namespace trainwright::reports
