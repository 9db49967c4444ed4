// SPDX-License-Identifier: GPL-3.0-or-later
// The table of words against the sources: every pattern has its Spanish, and no Spanish is left of
// a pattern that is gone.
#include "reports/words/words.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include <gmock/gmock.h>

#include "claims_fixture.h"
#include "model/belief/calibration.h"
#include "plan_fixture.h"
#include "reports/claims_report.h"
#include "reports/language.h"
#include "reports/report.h"
#include "reports/sources.h"
#include "reports/words/po.h"

namespace trainwright::reports {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;
using namespace fixture;

const fs::path kSource = TRAINWRIGHT_SOURCE_DIR;

std::string contentOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

struct Literal {
    std::string text;
    bool isPattern = false;  ///< in the first argument of what makes a Text or a tr() string
};

/// Goes through C++ and gathers its string literals, those that stand side by side as one.
class LiteralScanner {
public:
    /// `makers`: what makes a pattern of its first argument.
    LiteralScanner(const std::string& source, const std::set<std::string>& makers)
        : s_(source), makers_(makers) {}

    std::vector<Literal> run() {
        while (at_ < s_.size()) {
            if (startsWith("//")) {
                at_ = std::min(s_.find('\n', at_), s_.size());
            } else if (startsWith("/*")) {
                const std::size_t end = s_.find("*/", at_);
                at_ = end == std::string::npos ? s_.size() : end + 2;
            } else if (startsWith("#include")) {
                at_ = std::min(s_.find('\n', at_), s_.size());
            } else if (startsWith("R\"")) {
                rawString();
            } else if (s_[at_] == '"') {
                literal();
            } else if (s_[at_] == '\'' && (at_ == 0 || !isWord(s_[at_ - 1]))) {
                at_ += s_[at_ + 1] == '\\' ? 2 : 1;
                at_ = std::min(s_.find('\'', at_ + 1), s_.size() - 1) + 1;
            } else {
                bracket(s_[at_]);
                if (s_[at_] != ' ' && s_[at_] != '\n') isJoined_ = false;
                ++at_;
            }
        }
        return std::move(found_);
    }

private:
    static bool isWord(char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    }
    [[nodiscard]] bool startsWith(const char* what) const {
        return s_.compare(at_, std::char_traits<char>::length(what), what) == 0;
    }

    void bracket(char c) {
        if (c == '(' || c == '{' || c == '[') {
            std::size_t end = at_;
            while (end > 0 && s_[end - 1] == ' ') --end;
            std::size_t begin = end;
            while (begin > 0 && isWord(s_[begin - 1])) --begin;
            const std::string name = s_.substr(begin, end - begin);
            const bool makes = c != '[' && makers_.contains(name);
            // A bracket within a first argument is part of it.
            const bool inside = !open_.empty() && open_.back().holds && c != '{';
            // What Qt marks for later has its context first.
            open_.push_back({makes || inside, name == "QT_TRANSLATE_NOOP"});
        } else if ((c == ')' || c == '}' || c == ']') && !open_.empty()) {
            open_.pop_back();
        } else if (c == ',' && !open_.empty()) {
            open_.back() = {open_.back().nextHolds, false};
        }
    }

    void rawString() {
        const std::size_t open = s_.find('(', at_);
        const std::string end = ")" + s_.substr(at_ + 2, open - at_ - 2) + "\"";
        at_ = s_.find(end, open) + end.size();
        isJoined_ = false;
    }

    void literal() {
        std::string text;
        for (++at_; s_[at_] != '"'; ++at_) {
            if (s_[at_] != '\\') {
                text += s_[at_];
                continue;
            }
            ++at_;
            text += s_[at_] == 'n' ? '\n' : s_[at_] == 't' ? '\t' : s_[at_];
        }
        ++at_;
        if (isJoined_)
            found_.back().text += text;
        else
            found_.push_back({text, !open_.empty() && open_.back().holds});
        isJoined_ = true;
    }

    const std::string& s_;
    const std::set<std::string>& makers_;
    std::size_t at_ = 0;
    struct Open {
        bool holds = false;      ///< the argument that a maker's pattern stands in
        bool nextHolds = false;  ///< the argument after this one does
    };
    std::vector<Open> open_;
    bool isJoined_ = false;
    std::vector<Literal> found_;
};

/// Anything to translate beside placeholders: units read alike in both languages.
bool hasWords(const std::string& pattern) {
    static const std::set<std::string> kUnits{"MWh", "TFLOP/s", "ms", "GiB", "tCO2e", "TB/s"};
    if (kUnits.contains(pattern)) return false;
    std::string rest;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '{') {
            const std::size_t end = pattern.find('}', i);
            if (end != std::string::npos && end - i <= 3) {
                i = end;
                continue;
            }
        }
        if (pattern[i] == '%' && i + 1 < pattern.size()) {
            ++i;
            continue;
        }
        rest += pattern[i];
    }
    std::size_t run = 0;
    for (const char c : rest) {
        run = std::isalpha(static_cast<unsigned char>(c)) != 0 ? run + 1 : 0;
        if (run >= 2) return true;
    }
    return false;
}

/// Placeholders, sorted.
std::multiset<std::string> placeholders(const std::string& text, bool once) {
    std::multiset<std::string> found;
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        const std::size_t end = text.find('}', i);
        std::string one;
        if (text[i] == '{' && std::isdigit(static_cast<unsigned char>(text[i + 1])) != 0 &&
            end != std::string::npos && end - i <= 3)
            one = text.substr(i, end - i + 1);
        else if (text[i] == '%' &&
                 (text[i + 1] == 'n' || std::isdigit(static_cast<unsigned char>(text[i + 1]))))
            one = text.substr(i, 2);
        if (!one.empty() && !(once && found.contains(one))) found.insert(one);
    }
    return found;
}

/// What only those meet who build the catalog or write in it, and the table's own reader.
bool isForBuilders(const std::string& file) {
    static const std::set<std::string> kFiles{"data/catalog/build_catalog_main.cpp",
                                              "data/catalog/catalog_builder.cpp",
                                              "data/catalog/catalog_check.cpp",
                                              "data/catalog/profile_reader.cpp",
                                              "data/catalog/spec_reader.cpp",
                                              "data/catalog/catalog_text.cpp",
                                              "reports/words/po.cpp",
                                              "reports/words/po_table.cpp"};
    return kFiles.contains(file) || file.starts_with("data/import/");
}

struct Sources {
    std::map<std::string, std::string> patterns;  ///< with the file where each was seen first
    std::set<std::string> literals;
};

const Sources& sources() {
    static const Sources all = [] {
        Sources out;
        for (const std::string folder : {"model", "data", "reports", "app", "ui"}) {
            // text() of other rooms reads a column.
            const std::set<std::string> makers = folder == "reports" || folder == "ui"
                                                     ? std::set<std::string>{"text", "Text", "tr", "HELP"}
                                                     : std::set<std::string>{"Text"};
            for (const auto& entry : fs::recursive_directory_iterator(kSource / folder)) {
                const fs::path& path = entry.path();
                if (path.extension() != ".cpp" && path.extension() != ".h") continue;
                const std::string file = fs::relative(path, kSource).generic_string();
                const std::string source = contentOf(path);
                for (const Literal& literal : LiteralScanner(source, makers).run()) {
                    out.literals.insert(literal.text);
                    const bool isAsked =
                        literal.isPattern && folder != "app" && !isForBuilders(file);
                    if (isAsked && hasWords(literal.text)) out.patterns.emplace(literal.text, file);
                }
            }
        }
        return out;
    }();
    return all;
}

/// Sentences of the catalog's rows that reports show as words of their own.
std::string rowsOfClaims() {
    std::string all;
    for (const char* file : {"claims.csv", "claim_checks.csv"})
        all += contentOf(kSource / "data/catalog/rows" / file);
    return all;
}

std::vector<words::PoEntry> entries() {
    const auto read = words::readPo(contentOf(kSource / "reports/words/es.po"), "es.po");
    for (const Finding& finding : read.findings()) ADD_FAILURE() << finding.english();
    return read.ok() ? *read : std::vector<words::PoEntry>();
}

TEST(Words, EveryPatternOfTheSourcesHasItsSpanish) {
    ASSERT_GT(sources().patterns.size(), 500U);
    for (const auto& [pattern, file] : sources().patterns)
        EXPECT_NE(words::findSpanish(pattern), nullptr) << file << ": " << pattern;
}

TEST(Words, NoSpanishIsLeftOfWhatIsGone) {
    std::set<std::string> known = sources().literals;
    // Words made of keys: "usd_per_hour", "matrix_rate".
    for (const std::string& literal : sources().literals)
        known.insert(figureLabel(literal).english());
    for (int i = 0; i < belief::kPhysicsCount; ++i) {
        std::string name = belief::name(static_cast<belief::Physics>(i));
        std::replace(name.begin(), name.end(), '_', ' ');
        known.insert(name);
    }
    for (const auto& entry : fs::directory_iterator(kSource / "data/catalog/rows")) {
        if (!entry.path().filename().string().starts_with("keys_")) continue;
        std::istringstream in(contentOf(entry.path()));
        for (std::string line; std::getline(in, line);)
            known.insert(figureLabel(line.substr(0, line.find(','))).english());
    }
    const std::string rows = rowsOfClaims();
    for (const words::PoEntry& entry : entries())
        EXPECT_TRUE(known.contains(entry.id) || rows.find(entry.id) != std::string::npos)
            << "es.po:" << entry.line << ": " << entry.id;
}

TEST(Words, PlaceholdersStandInBothLanguages) {
    for (const words::PoEntry& entry : entries()) {
        EXPECT_FALSE(entry.isFuzzy) << "es.po:" << entry.line;
        for (const std::string& string : entry.strings) {
            EXPECT_FALSE(string.empty()) << "es.po:" << entry.line << ": " << entry.id;
            EXPECT_EQ(placeholders(entry.id, true), placeholders(string, true))
                << "es.po:" << entry.line << ": " << entry.id;
        }
    }
}

TEST(Words, TheTableHoldsTheFile) {
    const std::vector<words::PoEntry> file = entries();
    ASSERT_EQ(words::spanish().size(), file.size());
    for (const words::PoEntry& entry : file) {
        const words::Entry* found = words::findSpanish(entry.id, entry.context);
        ASSERT_NE(found, nullptr) << entry.id;
        EXPECT_EQ(found->singular, entry.strings.front());
        EXPECT_EQ(found->plural != nullptr, entry.strings.size() > 1);
    }
}

TEST(Po, SaysWhatIsWrongAndWhere) {
    const auto wrong =
        words::readPo("msgid \"a\"\nmsgstr \"b\"\n\nmsgid \"a\"\nmsgstr \"c\"\n", "f");
    ASSERT_FALSE(wrong.ok());
    EXPECT_EQ(wrong.findings().front().english(), "f:4: \"a\" stands twice.");
    EXPECT_FALSE(words::readPo("msgid a\n", "f").ok());
    EXPECT_FALSE(words::readPo("msgwhat \"a\"\n", "f").ok());
    EXPECT_FALSE(words::readPo("msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"c\"\n", "f").ok());
}

TEST(Po, ReadsContextsPluralsAndTextOverLines) {
    const auto read = words::readPo(
        "# note\nmsgid \"\"\nmsgstr \"header\"\n\n#: f.cpp\nmsgctxt \"menu\"\nmsgid \"\"\n\"a \"\n"
        "\"\\\"b\\\"\\n\"\nmsgid_plural \"as\"\nmsgstr[0] \"x\"\nmsgstr[1] \"xs\"\n\n"
        "#~ msgid \"old\"\n#~ msgstr \"viejo\"\n",
        "f");
    ASSERT_TRUE(read.ok());
    ASSERT_EQ(read->size(), 1U);
    const words::PoEntry& entry = read->front();
    EXPECT_EQ(entry.context, "menu");
    EXPECT_EQ(entry.id, "a \"b\"\n");
    EXPECT_EQ(entry.idPlural, "as");
    EXPECT_THAT(entry.strings, testing::ElementsAre("x", "xs"));
}

/// Notes what it is asked and hasn't.
class Recorder : public Translator {
public:
    [[nodiscard]] std::string pattern(const std::string& english) const override {
        if (hasWords(english) && words::findSpanish(english) == nullptr) missing.insert(english);
        return english;
    }
    [[nodiscard]] std::string plain(const std::string& argument) const override { return argument; }

    mutable std::set<std::string> missing;
};

TEST(Words, EverySentenceOfADocumentIsInTheTable) {
    Recorder recorder;
    const auto read = [&](const Document& document) {
        static_cast<void>(translated(document, recorder));
    };
    const search::PlanRequest request = planRequest();
    const search::PlanResult result = planResult();
    read(planDocument(request, result, context()));
    read(planDocument(bareRequest(), bareResult(), context()));
    for (const search::CandidateResult& candidate : result.candidates)
        read(explainDocument(request, candidate, views(request, candidate), context()));
    read(claimsDocument(checkedClaims(), claimsContext()));

    // What the fixtures themselves say is nobody's to translate.
    for (const char* file : {"plan_fixture.cpp", "claims_fixture.cpp"})
        for (const Literal& literal :
             LiteralScanner(contentOf(kSource / "tests/reports" / file), {}).run()) {
            recorder.missing.erase(literal.text);
            recorder.missing.erase(figureLabel(literal.text).english());
        }
    EXPECT_THAT(recorder.missing, IsEmpty());
}

}  // namespace
}  // namespace trainwright::reports
