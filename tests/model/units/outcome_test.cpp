// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/units/outcome.h"

#include <algorithm>

#include <gmock/gmock.h>

namespace trainwright {
namespace {

/// Speaks in capitals, and writes a decimal comma.
class Loud : public Translator {
public:
    [[nodiscard]] std::string pattern(const std::string& english) const override {
        if (english == "{1} of {2}") return "OF {2}, {1}";
        return english == "{1} chips" ? "{1} CHIPS" : english;
    }
    [[nodiscard]] std::string plain(const std::string& argument) const override {
        std::string out = argument;
        std::replace(out.begin(), out.end(), '.', ',');
        return out;
    }
};

TEST(Text, FillsPlaceholdersAndKeepsThoseWithoutArgument) {
    EXPECT_EQ((Text{"{1} and {2}", {"a", "b"}}.english()), "a and b");
    EXPECT_EQ((Text{"{2} and {1} and {2}", {"a", "b"}}.english()), "b and a and b");
    EXPECT_EQ((Text{"{1} and {3}", {"a", "b"}}.english()), "a and {3}");
    EXPECT_EQ((Text{"{} {x} {1", {"a"}}.english()), "{} {x} {1");
    EXPECT_EQ((Text{"{0} {999}", {"a"}}.english()), "{0} {999}");
    EXPECT_EQ((Text{"{10}{1}", {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}}.english()),
              "ja");
}

TEST(Text, WhatAnArgumentSaysIsNotAPattern) {
    EXPECT_EQ((Text{"{1} {2}", {"{2}", "b"}}.english()), "{2} b");
    EXPECT_EQ((Text{"{1}", {Text{"{1}", {"{1}"}}}}.english()), "{1}");
}

TEST(Text, NestedSentencesAreTranslatedWithTheirOwn) {
    const Text text{"{1} of {2}", {Text{"{1} chips", {"1.5"}}, "some 2.5"}};
    EXPECT_EQ(text.english(), "1.5 chips of some 2.5");
    EXPECT_EQ(text.in(Loud{}), "OF some 2,5, 1,5 CHIPS");
    ASSERT_NE(text.arguments.at(0).text(), nullptr);
    EXPECT_EQ(text.arguments.at(0).text()->pattern, "{1} chips");
    EXPECT_EQ(text.arguments.at(1).text(), nullptr);
}

TEST(Text, IsEqualWhereEveryLevelIs) {
    const Text one{"{1}", {Text{"{1} chips", {"1"}}}};
    EXPECT_EQ(one, (Text{"{1}", {Text{"{1} chips", {"1"}}}}));
    EXPECT_NE(one, (Text{"{1}", {Text{"{1} chips", {"2"}}}}));
    EXPECT_NE(one, (Text{"{1}", {"1 chips"}}));
}

TEST(Finding, SaysWhereAsFarAsIsKnown) {
    const Text what{"{1} is missing.", {"a"}};
    EXPECT_EQ((Finding{Severity::Error, what, {"f.yaml", 3, 5, {}}}.english()),
              "f.yaml:3:5: a is missing.");
    EXPECT_EQ((Finding{Severity::Warning, what, {"f.yaml", 3, 0, {}}}.english()),
              "f.yaml:3: warning: a is missing.");
    EXPECT_EQ((Finding{Severity::Note, what, {}}.english()), "note: a is missing.");
}

}  // namespace
}  // namespace trainwright
