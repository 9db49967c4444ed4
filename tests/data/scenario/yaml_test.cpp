// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/scenario/yaml.h"

#include <gmock/gmock.h>

#include <chrono>

namespace trainwright::scenario::yaml {
namespace {

std::string slice(const std::string& text, const Node& n) {
    return text.substr(n.start.offset, n.end.offset - n.start.offset);
}

TEST(Yaml, MarksCoverEachValueAndItsQuotes) {
    const std::string text =
        "# ä\n"
        "plain: one two   # c\n"
        "single: 'it''s'\n"
        "double: \"a: b\"\n"
        "flow: {a: 1, b: [x, \"y\"]}\n"
        "nothing:\n"
        "list:\n"
        "  - ünïcode # c\n"
        "  - &here b\n"
        "  - *here\n"
        "  -\n"
        "map:\n"
        "  inner: !!str 5\n";
    const Outcome<Node> tree = parse(text, "s");
    ASSERT_TRUE(tree.ok()) << tree.findings().front().english();
    EXPECT_EQ(slice(text, *tree->find("plain")), "one two");
    EXPECT_EQ(slice(text, *tree->find("single")), "'it''s'");
    EXPECT_EQ(tree->find("single")->text, "it's");
    EXPECT_EQ(slice(text, *tree->find("double")), "\"a: b\"");
    EXPECT_EQ(slice(text, *tree->find("flow")), "{a: 1, b: [x, \"y\"]}");
    EXPECT_EQ(slice(text, *tree->find("flow")->find("b")), "[x, \"y\"]");
    EXPECT_TRUE(tree->find("nothing")->isNull());
    EXPECT_EQ(tree->find("nothing")->start, (Mark{text.find("nothing:") + 8, 6, 9}));
    const Node& list = *tree->find("list");
    ASSERT_EQ(list.values.size(), 4U);
    EXPECT_EQ(slice(text, list.values[0]), "ünïcode");
    EXPECT_EQ(list.values[0].start.column, 5);
    EXPECT_EQ(list.values[0].end.column, 12) << "columns count characters";
    EXPECT_EQ(slice(text, list.values[1]), "b");
    EXPECT_EQ(list.values[1].anchor, "here");
    EXPECT_EQ(slice(text, list.values[2]), "*here");
    EXPECT_EQ(list.values[2].text, "b");
    EXPECT_TRUE(list.values[2].fromAlias);
    EXPECT_EQ(list.values[3].start.line, 11);
    EXPECT_EQ(list.values[3].start.column, 4);
    EXPECT_EQ(slice(text, *tree->find("map")), "inner: !!str 5");
    EXPECT_EQ(tree->keys[0].start, (Mark{5, 2, 1}));
}

TEST(Yaml, StopsAliasesThatMultiply) {
    std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i) {
        const std::string before = "*a" + std::to_string(i - 1);
        text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
        for (int k = 0; k < 9; ++k) text += ", " + before;
        text += "]\n";
    }
    const auto begin = std::chrono::steady_clock::now();
    const Outcome<Node> tree = parse(text, "s");
    ASSERT_FALSE(tree.ok());
    EXPECT_THAT(tree.findings().front().english(),
                testing::EndsWith("The file holds more than 100,000 values, aliases counted; a "
                                  "scenario has some hundreds."));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(Yaml, StopsDeepNesting) {
    for (const std::string& text : {std::string(5000, '['), std::string(5000, '{'),
                                    [] {
                                        std::string s;
                                        for (int i = 0; i < 500; ++i) s += "- ";
                                        return s;
                                    }(),
                                    [] {
                                        std::string s;
                                        for (int i = 0; i < 200; ++i)
                                            s += std::string(static_cast<std::size_t>(i), ' ') +
                                                 "a:\n";
                                        return s;
                                    }()}) {
        const Outcome<Node> tree = parse(text, "s");
        ASSERT_FALSE(tree.ok());
        EXPECT_THAT(tree.findings().front().english(),
                    testing::HasSubstr(
                        "Values nest more than 32 deep here; a scenario has six levels at most."));
    }
}

TEST(Yaml, StopsAtALineWithoutEnd) {
    const Outcome<Node> tree = parse("a: 1\n" + std::string(3000000, '['), "s");
    ASSERT_FALSE(tree.ok());
    EXPECT_EQ(tree.findings().front().english(),
              "s:2:1: This line has more than 16 KiB; the lines of a scenario have some dozens of "
              "characters.");
}

TEST(Yaml, StopsDeepNestingThroughAliases) {
    std::string text = "a0: &a0 [[[[[[[[[[x]]]]]]]]]]\n";
    for (int i = 1; i < 5; ++i) {
        text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [[[[[[[[*a" +
                std::to_string(i - 1) + "]]]]]]]]\n";
    }
    EXPECT_FALSE(parse(text, "s").ok());
}

TEST(Yaml, AnAliasInsideItsOwnAnchorIsUnknown) {
    const Outcome<Node> tree = parse("a: &a {b: *a}\n", "s");
    ASSERT_FALSE(tree.ok());
    EXPECT_EQ(tree.findings().front().english(),
              "s:1:11: The alias `*a` has no anchor `&a` before it.");
}

TEST(Yaml, TextBlocksAreRefused) {
    const Outcome<Node> tree = parse("a: 1\nb: |\n  text\nc:\n  - >-\n    text\n", "s");
    ASSERT_FALSE(tree.ok());
    ASSERT_EQ(tree.findings().size(), 2U);
    EXPECT_EQ(tree.findings()[0].english(),
              "s:2:4: A text block (`|` or `>`) begins here; a scenario's texts are of one line, "
              "in quotes where needed.");
    EXPECT_EQ(tree.findings()[1].place.line, 5);
}

TEST(Yaml, KeysAreWords) {
    const Outcome<Node> tree = parse("? [a]\n: 1\n", "s");
    ASSERT_FALSE(tree.ok());
    EXPECT_EQ(tree.findings().front().english(),
              "s:1:3: A key is a word; a list stands here as one.");
}

}  // namespace
}  // namespace trainwright::scenario::yaml
