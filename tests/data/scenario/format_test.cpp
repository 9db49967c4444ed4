// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include <random>

#include "data/scenario/yaml.h"
#include "tests/data/scenario/scenario_files.h"

namespace trainwright::scenario {
namespace {

using namespace testing_files;

struct Layout {
    const char* name;
    const char* before;
    const char* after;
};

class Format : public testing::TestWithParam<Layout> {};

TEST_P(Format, GivesTheCanonicalLayout) {
    const Outcome<std::string> once = format(GetParam().before, "s");
    ASSERT_TRUE(once.ok()) << sentences(once.findings());
    EXPECT_EQ(*once, GetParam().after);
    EXPECT_TRUE(once.findings().empty()) << sentences(once.findings());
    const Outcome<std::string> twice = format(*once, "s");
    ASSERT_TRUE(twice.ok());
    EXPECT_EQ(*twice, *once);
}

INSTANTIATE_TEST_SUITE_P(
    Table, Format,
    testing::Values(
        Layout{"spaces", "a:   1\nb :  two words  \nc:\n    d:   3\n",
               "a: 1\nb: two words\nc:\n  d: 3\n"},
        Layout{"lists", "a:\n- x\n-   y\nb:\n    -   c: 1\n        d: 2\n    - e\n",
               "a:\n  - x\n  - y\nb:\n  - c: 1\n    d: 2\n  - e\n"},
        Layout{"quotes", "a: 'it''s'\n\"b\":   \"x: y\"\n", "a: 'it''s'\n\"b\": \"x: y\"\n"},
        Layout{"order", "b: 1\na: 2\n", "b: 1\na: 2\n"},
        Layout{"comments",
               "# top\n\n\na: 1 # beside\n    # indented\nb:\n      # inside\n      c: 2\n# last\n",
               "# top\n\n\na: 1  # beside\n# indented\nb:\n  # inside\n  c: 2\n# last\n"},
        Layout{"commented_out", "a:\n    b: 1\n    # c: 2\nd:\n    # e: 3\n    # f: 4\ng: 5\n",
               "a:\n  b: 1\n  # c: 2\nd:\n  # e: 3\n  # f: 4\ng: 5\n"},
        Layout{"commented_item", "a:\n  - b: 1\n    # c: 2\n\n  # - b: 3\n  - b: 4\n",
               "a:\n  - b: 1\n    # c: 2\n\n  # - b: 3\n  - b: 4\n"},
        Layout{"columns_kept",
               "a: 1        # one\nbb: 2       # two\n            # and more\nccc: 3 # three\n",
               "a: 1        # one\nbb: 2       # two\n            # and more\nccc: 3  # three\n"},
        Layout{"columns_together", "a:      1 # one\nb:      22 # two\n",
               "a: 1      # one\nb: 22      # two\n"},
        Layout{"blank_lines", "\n\na: 1\n\nb: 2\n\n\nc:\n\n  - 1\n\n  - 2\n\n\n",
               "a: 1\n\nb: 2\n\n\nc:\n\n  - 1\n\n  - 2\n"},
        Layout{"flow", "a: { b:1 , c :  [ 1,2 , 3 ],d: {} , e: [ ] }\n",
               "a: {b:1, c: [1, 2, 3], d: {}, e: []}\n"},
        Layout{"flow_over_lines", "a: {\n    b: 1,\n    c: 2\n  }\n", "a: {b: 1, c: 2}\n"},
        Layout{"flow_with_comments", "a: {b: 1, # one\n   # two\n   c: 2}\n",
               "a: {b: 1,  # one\n  # two\n  c: 2}\n"},
        Layout{"long_flow",
               "a: {aaaaaaaaaaaaaaaaaaaaaaaa: 1, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb: 2, "
               "ccccccccccccccccccccc: 3, ddddddddddddddd: 4, e: 5}\n",
               "a: {aaaaaaaaaaaaaaaaaaaaaaaa: 1, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb: 2, "
               "ccccccccccccccccccccc: 3, ddddddddddddddd: 4,\n  e: 5}\n"},
        Layout{"folded", "a: one\n      two\nb: \"three\n\n  four\"\nc: 5\n",
               "a: one\n  two\nb: \"three\n\n  four\"\nc: 5\n"},
        Layout{"anchors", "a:   &x   {b: 1}\nc:   *x\nd: &y\n    e: 1\n",
               "a: &x {b: 1}\nc: *x\nd: &y\n  e: 1\n"},
        Layout{"empty_values", "a:\nb:   ~\nc:   # none\n", "a:\nb: ~\nc:   # none\n"},
        Layout{"document_mark", "---\na:  1\n", "---\na: 1\n"},
        Layout{"no_newline_at_the_end", "a: 1", "a: 1\n"},
        Layout{"comments_only", "\n#  a\n\n#b  \n", "#  a\n\n#b\n"},
        Layout{"windows", "a:   1\r\nb:\r\n    c: 2\r\n", "a: 1\r\nb:\r\n  c: 2\r\n"},
        Layout{"byte_order_mark",
               "\xef\xbb\xbf"
               "a:  1\n",
               "a: 1\n"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(FormatText, LeavesWhatItHasNoRuleForAndSaysSo) {
    for (const char* text : {"? a\n:   1\n", "%YAML 1.2\n---\na:   1\n", "a: # c\n  1\n"}) {
        const Outcome<std::string> out = format(text, "s");
        ASSERT_TRUE(out.ok()) << text;
        EXPECT_EQ(*out, text);
        ASSERT_EQ(out.findings().size(), 1U) << text;
        EXPECT_EQ(out.findings().front().severity, Severity::Note);
    }
}

TEST(FormatText, RefusesWhatDoesNotParse) {
    EXPECT_FALSE(format("a: [1\n", "s").ok());
}

/// White space and comments strewn over an example, where they don't change what it says.
TEST(FormatText, BringsAnyLayoutOfTheExamplesBack) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    for (const auto& path : filesIn(TRAINWRIGHT_EXAMPLES)) {
        const std::string text = contentOf(path);
        for (int i = 0; i < 40; ++i) {
            // Twice the indentation, wider gaps after colons, trailing blanks.
            std::string spread;
            std::stringstream lines(text);
            for (std::string line; std::getline(lines, line);) {
                const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
                std::string rest = line.substr(indent);
                const std::size_t colon = rest.find(": ");
                if (rest[0] != '#' && colon != std::string::npos &&
                    rest.find('#') == std::string::npos && random() % 3 == 0) {
                    rest.insert(colon + 1, std::string(random() % 4, ' '));
                }
                if (random() % 4 == 0 && rest.find('#') == std::string::npos)
                    rest += std::string(random() % 3, ' ');
                // A dash carries its item's first key, which has to stay in line with the others.
                if (rest.starts_with("- ")) rest = "-   " + rest.substr(2);
                spread += std::string(indent * 2, ' ') + rest + "\n";
            }
            const Outcome<std::string> out = format(spread, "s");
            ASSERT_TRUE(out.ok()) << sentences(out.findings()) << spread;
            // Columns of comments may have moved right with the wider text; everything else is as
            // it was.
            const auto squeezed = [](const std::string& s) {
                std::string result;
                for (std::size_t k = 0; k < s.size(); ++k) {
                    if (s[k] == ' ' && k + 1 < s.size() && (s[k + 1] == ' ' || s[k + 1] == '#'))
                        continue;
                    result += s[k];
                }
                return result;
            };
            ASSERT_EQ(squeezed(*out), squeezed(text)) << path;
        }
    }
}

TEST(FormatText, IsIdempotentAndKeepsEveryValueOfMutatedTexts) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const std::vector<std::string> pieces{"  ",     "\n",    " # c\n", "- ",  "a: 1\n", "{a: 1}",
                                          "[1, 2]", "# c\n", ": ",     ", ",  "&x ",    "\"",
                                          "'",      "|\n",   "\n\n",   "    "};
    std::vector<std::string> texts;
    for (const auto& path : filesIn(TRAINWRIGHT_EXAMPLES)) texts.push_back(contentOf(path));
    texts.emplace_back("a:\n  - b: 1   # x\n    c: {d: 1, e: [2]}\n  - - 1\n    - 2\nf: g\n  h\n");
    int laidOut = 0;
    for (int i = 0; i < 1500; ++i) {
        std::string text = texts[random() % texts.size()];
        for (unsigned k = 0, n = 1 + random() % 4; k < n; ++k) {
            const std::size_t at = random() % text.size();
            if (random() % 3 == 0) {
                text.erase(at, random() % 6);
            } else {
                text.insert(at, pieces[random() % pieces.size()]);
            }
        }
        const Outcome<std::string> once = format(text, "s");
        if (!once.ok()) continue;
        ++laidOut;
        const Outcome<std::string> twice = format(*once, "s");
        ASSERT_TRUE(twice.ok()) << text;
        ASSERT_EQ(*twice, *once) << text;
        ASSERT_TRUE(yaml::sameValues(*yaml::parse(text, "s"), *yaml::parse(*once, "s"))) << text;
        ASSERT_EQ(std::count(once->begin(), once->end(), '#'),
                  std::count(text.begin(), text.end(), '#'))
            << text;
    }
    EXPECT_GT(laidOut, 100);
}

}  // namespace
}  // namespace trainwright::scenario
