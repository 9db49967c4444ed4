// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of scenario texts: each changes the lines of its value and no other byte.
#include "data/scenario/edit.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "data/scenario/registry.h"
#include "tests/data/scenario/scenario_files.h"

namespace trainwright::scenario {

/// Tests are named by what they are about.
struct EditCase {
    const char* name;
    std::string before;
    std::string path;
    std::string value;
    std::string after;
};

static void PrintTo(const EditCase& c, std::ostream* out) {
    *out << c.name;
}

namespace {

using namespace testing_files;
using ::testing::HasSubstr;

std::string nameOf(const ::testing::TestParamInfo<EditCase>& info) {
    return info.param.name;
}

std::string got(const Outcome<std::string>& outcome) {
    return outcome ? *outcome : "refused: " + outcome.findings().front().english();
}

// ---- One value ----

class SetValue : public ::testing::TestWithParam<EditCase> {};

TEST_P(SetValue, ChangesItsLinesAlone) {
    const EditCase& c = GetParam();
    EXPECT_EQ(got(setValue(c.before, c.path, c.value)), c.after);
}

INSTANTIATE_TEST_SUITE_P(
    Table, SetValue,
    ::testing::Values(
        EditCase{"Plain", "a: 1\nb: 2\n", "b", "3", "a: 1\nb: 3\n"},
        EditCase{"SameValue", "a:   1 # one\n", "a", "1", "a:   1 # one\n"},
        EditCase{"DoubleQuotesStay", "title: \"A test\"\n", "title", "Another",
                 "title: \"Another\"\n"},
        EditCase{"SingleQuotesStay", "title: 'A test'\n", "title", "It's", "title: 'It''s'\n"},
        EditCase{"EscapesInDoubleQuotes", "title: \"x\"\n", "title", "a \"b\" \\ c",
                 "title: \"a \\\"b\\\" \\\\ c\"\n"},
        EditCase{"QuotesWhereNeeded", "title: x\n", "title", "stand-in: four",
                 "title: \"stand-in: four\"\n"},
        EditCase{"HashNeedsQuotes", "title: x\n", "title", "run #3 # now",
                 "title: \"run #3 # now\"\n"},
        EditCase{"HashInAWordDoesnt", "title: x\n", "title", "run#3", "title: run#3\n"},
        EditCase{"EmptyIsQuoted", "title: x\n", "title", "", "title: \"\"\n"},
        EditCase{"NullIsQuoted", "title: x\n", "title", "null", "title: \"null\"\n"},
        EditCase{"SpaceAtTheEnd", "title: x\n", "title", "x ", "title: \"x \"\n"},
        EditCase{"DashIsQuoted", "title: x\n", "title", "- x", "title: \"- x\"\n"},
        EditCase{"LineEndIsEscaped", "title: x\n", "title", "a\nb", "title: \"a\\nb\"\n"},
        EditCase{"OtherScripts", "title: x # ñ\n", "title", "año 训练", "title: año 训练 # ñ\n"},
        EditCase{"CommentStaysInColumn", "a: 1      # one\nbb: 22    # two\n", "a", "1000",
                 "a: 1000   # one\nbb: 22    # two\n"},
        EditCase{"CommentGivesWay", "a: 1  # one\n", "a", "123456", "a: 123456  # one\n"},
        EditCase{"CommentBack", "a: 123456  # one\n", "a", "1", "a: 1       # one\n"},
        EditCase{"OneSpaceStaysOne", "a: 1 # one\n", "a", "1234", "a: 1234 # one\n"},
        EditCase{"CarriageReturns", "a: 1\r\nb: 2 # two\r\nc: 3\r\n", "b", "9",
                 "a: 1\r\nb: 9 # two\r\nc: 3\r\n"},
        EditCase{"NoLastLineEnd", "a: 1\nb: 2", "b", "33", "a: 1\nb: 33"},
        EditCase{"InFlowMap", "t: {a: 1, b: 2} # both\n", "t.b", "3", "t: {a: 1, b: 3} # both\n"},
        EditCase{"FlowNeedsQuotes", "t: {a: 1, b: 2}\n", "t.a", "x, y", "t: {a: \"x, y\", b: 2}\n"},
        EditCase{"FlowOverLines", "t: {\n  a: 1, # one\n  b: 2  # two\n  }\n", "t.a", "5",
                 "t: {\n  a: 5, # one\n  b: 2  # two\n  }\n"},
        EditCase{"ListItem", "t: [1, 2, 3]\n", "t[1]", "9", "t: [1, 9, 3]\n"},
        EditCase{"ItemOneFurther", "t: [1, 2]\n", "t[2]", "3", "t: [1, 2, 3]\n"},
        EditCase{"BlockItemOneFurther", "t:\n- 1\n- 2\nu: 0\n", "t[2]", "3",
                 "t:\n- 1\n- 2\n- 3\nu: 0\n"},
        EditCase{"NullIsFilled", "a:\nb: 2\n", "a", "1", "a: 1\nb: 2\n"},
        EditCase{"NullWithComment", "a:   # nothing yet\nb: 2\n", "a", "1",
                 "a: 1  # nothing yet\nb: 2\n"},
        EditCase{"TildeIsReplaced", "a: ~\n", "a", "1", "a: 1\n"},
        EditCase{"AnchorStays", "a: &x 1\nb: *x\n", "a", "2", "a: &x 2\nb: *x\n"},
        EditCase{"AliasAlone", "a: &x 1\nb: *x\nc: *x\n", "b", "2", "a: &x 1\nb: 2\nc: *x\n"},
        EditCase{"InAnAlias", "a: &x {p: 1, q: 2}\nb: *x\n", "b.q", "3",
                 "a: &x {p: 1, q: 2}\nb: {p: 1, q: 3}\n"},
        EditCase{"QuotedKey", "\"a\": 1\n'b': 2\n", "b", "3", "\"a\": 1\n'b': 3\n"},
        EditCase{"PlainOverTwoLines", "title: one\n  two\nmodel: m\n", "title", "x",
                 "title: x\nmodel: m\n"},
        EditCase{"NewInOrder", "title: t\nmodel: m\n", "version", "1",
                 "version: 1\ntitle: t\nmodel: m\n"},
        EditCase{"NewBehindItsElder",
                 "training:\n  tokens: 1T # t\n\n  # batch\n  global_batch: 8 sequences\n",
                 "training.sequence_length", "4096",
                 "training:\n  tokens: 1T # t\n  sequence_length: 4096\n\n  # batch\n"
                 "  global_batch: 8 sequences\n"},
        EditCase{"NewMap", "version: 1\ntraining:\n    tokens: 1T\n", "constraints.budget",
                 "20 M USD",
                 "version: 1\ntraining:\n    tokens: 1T\n"
                 "constraints:\n    budget: 20 M USD\n"},
        EditCase{"NewMapWithoutLastLineEnd", "version: 1", "training.tokens", "1T",
                 "version: 1\ntraining:\n  tokens: 1T"},
        EditCase{"NewWithCarriageReturns", "training:\r\n  tokens: 1T\r\n",
                 "training.sequence_length", "4096",
                 "training:\r\n  tokens: 1T\r\n  sequence_length: 4096\r\n"},
        EditCase{"NewInFlow", "training: {tokens: 1T, global_batch: 8 sequences}\n",
                 "training.sequence_length", "4096",
                 "training: {tokens: 1T, sequence_length: 4096, global_batch: 8 sequences}\n"},
        EditCase{"FirstKeyOfAnItem", "candidates:\n  - system: s\n    region: r\n",
                 "candidates[0].name", "n",
                 "candidates:\n  - name: n\n    system: s\n    region: r\n"},
        EditCase{"EmptyFlowMap", "training: {}\n", "training.tokens", "1T",
                 "training: {tokens: 1T}\n"},
        EditCase{"EmptyText", "", "version", "1", "version: 1\n"},
        EditCase{"CommentsOnly", "# what for\n", "version", "1", "# what for\nversion: 1\n"},
        EditCase{"MapBecomesWord",
                 "candidates:\n  - name: n\n    parallelism: # as tried\n      tensor: 8\n"
                 "      pipeline: 2 # two\n    region: r\n",
                 "candidates[0].parallelism", "auto",
                 "candidates:\n  - name: n\n    parallelism: auto # as tried\n    region: r\n"},
        EditCase{"FlowMapBecomesWord", "candidates:\n  - parallelism: {tensor: 8} # as tried\n",
                 "candidates[0].parallelism", "auto",
                 "candidates:\n  - parallelism: auto # as tried\n"},
        EditCase{"WordBecomesMap", "candidates:\n  - name: n\n    parallelism: auto # free\n",
                 "candidates[0].parallelism.tensor", "8",
                 "candidates:\n  - name: n\n    parallelism: {tensor: 8} # free\n"},
        EditCase{"PlanBecomesMap", "candidates:\n  - name: n\n    purchase: on_demand\n",
                 "candidates[0].purchase.discount", "10%",
                 "candidates:\n  - name: n\n    purchase: {plan: on_demand, discount: 10%}\n"},
        EditCase{"ListAtTheColumnOfItsKey",
                 "candidates:\n- name: a\n  system: s\n- name: b\n  system: s\n",
                 "candidates[1].system", "t",
                 "candidates:\n- name: a\n  system: s\n- name: b\n  system: t\n"},
        EditCase{"ByteOrderMark", "\xef\xbb\xbfversion: 1\ntitle: t\n", "title", "u",
                 "\xef\xbb\xbfversion: 1\ntitle: u\n"}),
    nameOf);

TEST(SetYaml, WritesMapsAndListsOnOneLine) {
    EXPECT_EQ(got(setYaml("a: auto # x\n", "a", "{tensor: 8, pipeline: 2}")),
              "a: {tensor: 8, pipeline: 2} # x\n");
    EXPECT_EQ(got(setYaml("a:\n  b: 1\nc: 2\n", "a", "[x, y]")), "a: [x, y]\nc: 2\n");
    EXPECT_EQ(got(setYaml("a: [x]\n", "a", "'y'")), "a: y\n");
    EXPECT_THAT(got(setYaml("a: 1\n", "a", "{b: 1")), HasSubstr("refused"));
    EXPECT_THAT(got(setYaml("a: 1\n", "a", "b: 1")), HasSubstr("refused"));
    EXPECT_THAT(got(setYaml("a: 1\n", "a", "1\n2")), HasSubstr("refused"));
}

TEST(SetValue, RefusesWhatIsNoPlace) {
    for (const char* path : {"", ".", "a..b", "a[", "a[x]", "a[]", "[0", "a.b]"}) {
        const Outcome<std::string> outcome = setValue("a: 1\n", path, "2");
        EXPECT_TRUE(!outcome || valueAt(*outcome, path) == "2") << path;
    }
    EXPECT_FALSE(setValue("candidates: [{name: a}]\n", "candidates.name", "x"));
    EXPECT_FALSE(setValue("candidates: [{name: a}]\n", "candidates[3].name", "x"));
    EXPECT_FALSE(setValue("a: {b: 1\n", "a.b", "2"));
    EXPECT_FALSE(setValue("training: {tokens: 1T}\n", "training[0]", "x"));
}

// ---- Removing ----

class RemoveKey : public ::testing::TestWithParam<EditCase> {};

TEST_P(RemoveKey, TakesItsLinesAlone) {
    const EditCase& c = GetParam();
    EXPECT_EQ(got(removeKey(c.before, c.path)), c.after);
}

INSTANTIATE_TEST_SUITE_P(
    Table, RemoveKey,
    ::testing::Values(
        EditCase{"ALine", "a: 1\nb: 2 # two\nc: 3\n", "b", {}, "a: 1\nc: 3\n"},
        EditCase{"NothingThere", "a: 1\n", "b.c", {}, "a: 1\n"},
        EditCase{"Blanks", "a: 1\n\n# next\nb: 2\n", "a", {}, "\n# next\nb: 2\n"},
        EditCase{"ABlock", "a: 1\nb:\n  c: 2\n  d: 3\ne: 4\n", "b", {}, "a: 1\ne: 4\n"},
        EditCase{"LastKeyTakesItsMap", "a: 1\nb:\n  c: 2\ne: 4\n", "b.c", {}, "a: 1\ne: 4\n"},
        EditCase{"InFlow", "t: {a: 1, b: 2, c: 3}\n", "t.b", {}, "t: {a: 1, c: 3}\n"},
        EditCase{"FirstInFlow", "t: {a: 1, b: 2}\n", "t.a", {}, "t: {b: 2}\n"},
        EditCase{"LastInFlow", "t: {a: 1, b: 2}\n", "t.b", {}, "t: {a: 1}\n"},
        EditCase{"FirstOfAnItem", "l:\n  - a: 1\n    b: 2\n", "l[0].a", {}, "l:\n  - b: 2\n"},
        EditCase{"LastLineWithoutEnd", "a: 1\nb: 2", "b", {}, "a: 1"},
        EditCase{"CarriageReturns", "a: 1\r\nb: 2\r\nc: 3\r\n", "b", {}, "a: 1\r\nc: 3\r\n"},
        EditCase{"AnItem", "l:\n  - a\n  - b\n  - c\n", "l[1]", {}, "l:\n  - a\n  - c\n"}),
    nameOf);

// ---- Items ----

const char* const kTwo =
    "candidates:\n"
    "  # the cheap one\n"
    "  - name: a\n"
    "    system: s # small\n"
    "\n"
    "  # the fast one\n"
    "  - name: b-2\n"
    "    system: t\n"
    "overrides: []\n";

TEST(Items, AreAdded) {
    EXPECT_EQ(got(addItem(kTwo, "candidates", {{"name", "c"}, {"purchase.plan", "spot"}})),
              "candidates:\n"
              "  # the cheap one\n"
              "  - name: a\n"
              "    system: s # small\n"
              "\n"
              "  # the fast one\n"
              "  - name: b-2\n"
              "    system: t\n"
              "  - name: c\n"
              "    purchase:\n"
              "      plan: spot\n"
              "overrides: []\n");
    EXPECT_EQ(got(addItem("l: [{a: 1}]\n", "l", {{"a", "2"}})), "l: [{a: 1}, {a: 2}]\n");
    EXPECT_EQ(got(addItem("version: 1\n", "candidates", {{"name", "x"}, {"system", "y"}})),
              "version: 1\ncandidates:\n  - name: x\n    system: y\n");
}

TEST(Items, AreDuplicatedUnderAFreshName) {
    const std::string once = got(duplicateItem(kTwo, "candidates", 0));
    EXPECT_THAT(once, HasSubstr("  - name: a\n    system: s # small\n"));
    EXPECT_EQ(valueAt(once, "candidates[1].name"), "a-2");
    EXPECT_EQ(valueAt(once, "candidates[1].system"), "s");
    EXPECT_EQ(valueAt(once, "candidates[2].name"), "b-2");
    EXPECT_EQ(freshName(kTwo, "candidates", "b-2"), "b-3");
    EXPECT_EQ(freshName(kTwo, "candidates", "new"), "new");
    EXPECT_FALSE(duplicateItem(kTwo, "candidates", 2));
}

TEST(Items, MoveWithTheirComments) {
    EXPECT_EQ(got(moveItem(kTwo, "candidates", 0, 1)),
              "candidates:\n"
              "  # the fast one\n"
              "  - name: b-2\n"
              "    system: t\n"
              "\n"
              "  # the cheap one\n"
              "  - name: a\n"
              "    system: s # small\n"
              "overrides: []\n");
    EXPECT_EQ(got(moveItem("l: [a, b, c]\n", "l", 2, 0)), "l: [c, a, b]\n");
    EXPECT_EQ(got(moveItem("l:\n- a\n- b\n- c", "l", 0, 2)), "l:\n- b\n- c\n- a");
    EXPECT_FALSE(moveItem(kTwo, "candidates", 0, 2));
}

TEST(Items, TheLastCandidateStays) {
    EXPECT_FALSE(removeItem("candidates:\n  - name: a\n", "candidates", 0));
    EXPECT_FALSE(removeItem(kTwo, "candidates", 2));
    EXPECT_TRUE(removeItem(kTwo, "candidates", 1));
}

// ---- Overrides and layouts ----

TEST(Overrides, AreWrittenAndTakenBack) {
    const std::string before = "version: 1 # first\ncandidates:\n  - name: a\n";
    const std::string with =
        got(setOverride(before, "chip/trainium2/hbm_bytes", "90 GiB", "driver: reserves some"));
    EXPECT_EQ(with, before +
                        "overrides:\n"
                        "  - figure: chip/trainium2/hbm_bytes\n"
                        "    value: 90 GiB\n"
                        "    because: \"driver: reserves some\"\n");
    const std::string changed =
        got(setOverride(with, "chip/trainium2/hbm_bytes", "88 GiB", "measured"));
    EXPECT_EQ(valueAt(changed, "overrides[0].value"), "88 GiB");
    EXPECT_EQ(valueAt(changed, "overrides[0].because"), "measured");
    EXPECT_EQ(valueAt(changed, "overrides[1].figure"), "");
    EXPECT_EQ(got(removeOverride(with, "chip/trainium2/hbm_bytes")), before);
    EXPECT_EQ(got(removeOverride(with, "chip/other/x")), with);
}

TEST(PinLayout, KeepsWhatIsSaidBesideEachPart) {
    layout::LayoutChoice choice;
    choice.tensor = 16;
    choice.pipeline = 4;
    choice.sequenceParallel = true;
    const std::string word = "candidates:\n  - name: a\n    parallelism: auto # free\n";
    EXPECT_EQ(got(pinLayout(word, "a", choice)),
              "candidates:\n  - name: a\n    parallelism: {tensor: 16, pipeline: 4, "
              "sequence_parallel: true} # free\n");
    const std::string map =
        "candidates:\n"
        "  - name: a\n"
        "    parallelism:\n"
        "      tensor: 8   # one host\n"
        "      expert: 2   # old\n"
        "      pipeline: 1 # none\n"
        "      sequence_parallel: true\n";
    EXPECT_EQ(got(pinLayout(map, "a", choice)),
              "candidates:\n"
              "  - name: a\n"
              "    parallelism:\n"
              "      tensor: 16  # one host\n"
              "      pipeline: 4 # none\n"
              "      sequence_parallel: true\n");
    EXPECT_EQ(got(pinLayout(map, "a", {})), "candidates:\n  - name: a\n    parallelism: auto\n");
    EXPECT_FALSE(pinLayout(map, "b", choice));
}

TEST(MinimalEdit, CutsNoCharacter) {
    EXPECT_TRUE(minimalEdit("abc", "abc").empty());
    EXPECT_EQ(minimalEdit("a1c", "a23c"), (TextChange{1, "1", "23"}));
    EXPECT_EQ(minimalEdit("aa", "aaa"), (TextChange{2, "", "a"}));
    // é and è share their first byte; the last byte of ã is that of £.
    EXPECT_EQ(minimalEdit("xéy", "xèy"), (TextChange{1, "é", "è"}));
    EXPECT_EQ(minimalEdit("ã", "£"), (TextChange{0, "ã", "£"}));
}

// ---- Any key of any example ----

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> out;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
        out.push_back(text.substr(at, end + 1 - at));
        at = end + 1;
    }
    return out;
}

using Values = std::map<std::string, std::string>;

void flatten(const yaml::Node& n, const std::string& path, Values& out) {
    if (n.isScalar()) {
        out[path] = n.isNull() ? "~" : "=" + n.text;
        return;
    }
    for (std::size_t i = 0; i < n.values.size(); ++i) {
        flatten(n.values[i],
                n.isList()     ? path + "[" + std::to_string(i) + "]"
                : path.empty() ? n.keys[i].text
                               : path + "." + n.keys[i].text,
                out);
    }
}

Values valuesOf(const std::string& text) {
    const Outcome<yaml::Node> root = yaml::parse(text, {});
    Values out;
    if (root) flatten(*root, {}, out);
    return out;
}

bool within(const std::string& path, const std::string& outer) {
    return path == outer || path.starts_with(outer + ".") || path.starts_with(outer + "[");
}

/// The lines, counted from 0, on which an edit at `path` may change something, and whether a whole
/// block goes.
std::set<std::size_t> linesAt(const std::string& text, const std::string& path, bool& block) {
    const Outcome<yaml::Node> root = yaml::parse(text, {});
    std::set<std::size_t> out;
    const auto add = [&](const yaml::Node& from, const yaml::Node& to) {
        std::size_t last = static_cast<std::size_t>(to.end.line) - 1;
        for (std::size_t l = static_cast<std::size_t>(from.start.line) - 1; l <= last; ++l)
            out.insert(l);
    };
    std::string outer = path;
    const yaml::Node* key = nullptr;
    const yaml::Node* value = nullptr;
    while (value == nullptr) {
        const std::size_t cut = outer.rfind('.');
        const std::string parent = cut == std::string::npos ? "" : outer.substr(0, cut);
        const std::string name = cut == std::string::npos ? outer : outer.substr(cut + 1);
        const yaml::Node* map = parent.empty() ? &*root : nodeAt(*root, parent);
        if (map != nullptr && map->isMap()) {
            for (std::size_t i = 0; i < map->keys.size(); ++i) {
                if (map->keys[i].text != name) continue;
                key = &map->keys[i];
                value = &map->values[i];
            }
            if (value == nullptr) {
                // A new key: lines stay as they are, if the map isn't written in braces.
                if (map->style == yaml::Style::Flow) add(*map, *map);
                return out;
            }
        }
        if (value == nullptr) {
            if (parent.empty()) return out;
            outer = parent;
        }
    }
    const bool whole = outer == path;
    block = whole && value->style == yaml::Style::Block && !value->isScalar();
    if (whole || value->isNull() || value->style == yaml::Style::Flow) add(*key, *value);
    return out;
}

/// Whether a value may be put at `path` without turning a word into a map.
bool hasPlace(const std::string& text, const std::string& path) {
    const Outcome<yaml::Node> root = yaml::parse(text, {});
    std::string outer = path;
    while (true) {
        const std::size_t cut = outer.rfind('.');
        if (cut == std::string::npos) return true;
        outer.resize(cut);
        const yaml::Node* n = nodeAt(*root, outer);
        if (n == nullptr) continue;
        return n->isMap() || n->isNull();
    }
}

class Mutator {
public:
    explicit Mutator(std::mt19937& random) : random_(random) {}

    /// The same values written otherwise; what can't be done to this text is left.
    std::string operator()(const std::string& original) {
        std::string text = original;
        for (std::size_t i = 0, n = random_() % 12; i < n; ++i) {
            std::string next = once(text);
            const Outcome<yaml::Node> read = yaml::parse(next, {});
            if (read && valuesOf(next) == valuesOf(text)) text = std::move(next);
        }
        if (random_() % 4 == 0) {
            std::string out;
            for (const char c : text) {
                if (c == '\n') out += '\r';
                out += c;
            }
            text = std::move(out);
        }
        if (random_() % 6 == 0 && text.ends_with('\n')) {
            text.pop_back();
            if (text.ends_with('\r')) text.pop_back();
        }
        return text;
    }

private:
    std::string once(const std::string& text) {
        std::vector<std::string> lines = linesOf(text);
        const std::size_t l = random_() % lines.size();
        const std::string tag = "# note " + std::to_string(++notes_) + ": it's {so}\n";
        switch (random_() % 6) {
            case 0:
                lines.insert(lines.begin() + static_cast<long>(l), "\n");
                break;
            case 1:
                lines.insert(lines.begin() + static_cast<long>(l),
                             std::string(random_() % 7, ' ') + tag);
                break;
            case 2:
                if (lines[l].find('#') != std::string::npos || lines[l].size() < 2) break;
                lines[l].pop_back();
                lines[l] += std::string(1 + random_() % 5, ' ') + tag;
                break;
            case 3: {
                const std::size_t colon = lines[l].find(": ");
                if (colon != std::string::npos)
                    lines[l].insert(colon + 1, std::string(random_() % 4, ' '));
                break;
            }
            case 4:
                return quoted(text);
            default:
                return braced(text);
        }
        std::string out;
        for (const std::string& line : lines) out += line;
        return out;
    }

    /// One of the plain values in quotes.
    std::string quoted(const std::string& text) {
        const Outcome<yaml::Node> root = yaml::parse(text, {});
        const Values values = valuesOf(text);
        auto one = values.begin();
        std::advance(one, static_cast<long>(random_() % values.size()));
        const yaml::Node* n = nodeAt(*root, one->first);
        if (n == nullptr || n->style != yaml::Style::Plain || n->fromAlias || n->isNull())
            return text;
        const char quote = random_() % 2 == 0 ? '"' : '\'';
        std::string out = text;
        return out.replace(n->start.offset, n->end.offset - n->start.offset,
                           quote + n->text + quote);
    }

    /// One of the block maps in braces, if its key and itself hold no comment.
    std::string braced(const std::string& text) {
        const Outcome<yaml::Node> root = yaml::parse(text, {});
        const Values values = valuesOf(text);
        auto one = values.begin();
        std::advance(one, static_cast<long>(random_() % values.size()));
        const std::size_t cut = one->first.rfind('.');
        if (cut == std::string::npos) return text;
        const yaml::Node* n = nodeAt(*root, one->first.substr(0, cut));
        if (n == nullptr || !n->isMap() || n->style != yaml::Style::Block) return text;
        const std::size_t begin = n->start.offset;
        std::size_t code = begin;
        while (code > 0 && (text[code - 1] == ' ' || text[code - 1] == '\n')) --code;
        const std::string inside = text.substr(code, n->end.offset - code);
        if (inside.find('#') != std::string::npos) return text;
        return text.substr(0, code) + " " + inlineYaml(*n) + text.substr(n->end.offset);
    }

    std::mt19937& random_;
    int notes_ = 0;
};

/// Keys that take one value, with a place in `text`.
std::string pathFor(const Parameter& p, const std::string& text, std::mt19937& random) {
    std::string path = p.key;
    for (std::size_t at = path.find("[]"); at != std::string::npos; at = path.find("[]")) {
        const Outcome<yaml::Node> root = yaml::parse(text, {});
        const yaml::Node* list = nodeAt(*root, path.substr(0, at));
        if (list == nullptr || !list->isList() || list->values.empty()) return {};
        path.replace(at, 2, "[" + std::to_string(random() % list->values.size()) + "]");
    }
    return hasPlace(text, path) ? path : std::string{};
}

TEST(AnyKey, ChangesItsLinesAndReadsBack) {
    // TRAINWRIGHT_SEED takes another path, TRAINWRIGHT_ROUNDS makes it longer.
    const char* given = std::getenv("TRAINWRIGHT_SEED");
    const char* rounds = std::getenv("TRAINWRIGHT_ROUNDS");
    const unsigned seed =
        given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : 1;
    const int count = rounds != nullptr ? std::atoi(rounds) : 400;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    Mutator mutate(random);
    std::vector<std::string> examples;
    for (const auto& path : filesIn(TRAINWRIGHT_EXAMPLES)) examples.push_back(contentOf(path));
    std::vector<const Parameter*> scalars;
    for (const Parameter& p : parameters()) {
        const bool several = p.kind == ValueKind::Map || p.kind == ValueKind::List;
        if (!several && !p.key.ends_with("[]")) scalars.push_back(&p);
    }
    int done = 0;
    int refused = 0;
    for (int round = 0; round < count; ++round) {
        const std::string& example = examples[static_cast<std::size_t>(round) % examples.size()];
        const std::string before =
            round < static_cast<int>(examples.size()) ? example : mutate(example);
        std::string text = before;
        for (std::size_t k = 0, n = 1 + random() % 4; k < n; ++k) {
            const Parameter& p = *scalars[random() % scalars.size()];
            const std::string path = pathFor(p, text, random);
            if (path.empty()) continue;
            const bool removes = random() % 4 == 0;
            const std::string value = !p.example.empty()       ? p.example
                                      : !p.defaultText.empty() ? p.defaultText
                                      : !p.words.empty()       ? p.words.front()
                                                               : "true";
            bool block = false;
            const std::set<std::size_t> own = linesAt(text, path, block);
            const Outcome<std::string> edited =
                removes ? removeKey(text, path) : setValue(text, path, value);
            const std::string what = (removes ? "removing " : "setting ") + path + " to " + value +
                                     " in\n" + text + "\n----\n" + got(edited);
            if (!edited) {
                // Only the last of something that is needed may be refused here.
                ++refused;
                EXPECT_TRUE(removes) << what;
                continue;
            }
            ++done;
            // What the file says otherwise is as before.
            Values was = valuesOf(text);
            Values is = valuesOf(*edited);
            if (removes) {
                std::erase_if(was, [&](const auto& v) { return within(v.first, path); });
                ASSERT_EQ(is, was) << what;
            } else {
                ASSERT_EQ(valueAt(*edited, path), value) << what;
                const auto apart = [&](const auto& v) {
                    return within(v.first, path) || (within(path, v.first) && v.second == "~");
                };
                std::erase_if(was, apart);
                std::erase_if(is, apart);
                ASSERT_EQ(is, was) << what;
            }
            // A blank line that now ends a file without line end can't be told from a line end.
            if (removes && !text.ends_with('\n') && edited->ends_with('\n')) {
                text = *edited;
                continue;
            }
            // Lines of other values stand as they stood, in their order.
            const std::vector<std::string> old = linesOf(text);
            const std::vector<std::string> now = linesOf(*edited);
            std::size_t at = 0;
            std::size_t kept = 0;
            // A map that is left empty goes, and so do the words of its key.
            std::set<std::size_t> mine = own;
            if (removes) {
                std::string outer = path;
                for (std::size_t cut = outer.rfind('.'); cut != std::string::npos;
                     cut = outer.rfind('.')) {
                    outer.resize(cut);
                    const Outcome<yaml::Node> root = yaml::parse(*edited, {});
                    if (nodeAt(*root, outer) != nullptr) break;
                    bool ignored = false;
                    mine.merge(linesAt(text, outer, ignored));
                    block = true;
                }
                // The first key of an item leaves its dash to the next, empty lines between go.
                const Outcome<yaml::Node> root = yaml::parse(text, {});
                const yaml::Node* parent = nodeAt(*root, path.substr(0, path.rfind('.')));
                if (parent != nullptr && parent->isMap() && parent->keys.size() > 1 &&
                    parent->keys[0].text == p.name()) {
                    const auto line = [](const yaml::Mark& m) {
                        return static_cast<std::size_t>(m.line) - 1;
                    };
                    for (std::size_t l = line(parent->keys[0].start);
                         l <= line(parent->keys[1].start); ++l) {
                        const std::size_t code = old[l].find_first_not_of(' ');
                        if (code == std::string::npos || old[l][code] != '#') mine.insert(l);
                    }
                }
            } else if (path.find(']') != std::string::npos) {
                // A new first key takes the dash from the one behind it.
                const Outcome<yaml::Node> root = yaml::parse(text, {});
                const yaml::Node* parent = nodeAt(*root, path.substr(0, path.rfind('.')));
                if (own.empty() && parent != nullptr && parent->isMap())
                    mine.insert(static_cast<std::size_t>(parent->keys[0].start.line) - 1);
            }
            for (std::size_t l = 0; l < old.size(); ++l) {
                if (mine.contains(l)) continue;
                // Where the file has no last line end, a line added behind gives its own to it.
                const auto same = [&](const std::string& line) {
                    if (line == old[l]) return true;
                    const bool last = l + 1 == old.size() || &line == &now.back();
                    const auto bare = [](std::string s) {
                        while (s.ends_with('\n') || s.ends_with('\r')) s.pop_back();
                        return s;
                    };
                    return last && bare(line) == bare(old[l]);
                };
                while (at < now.size() && !same(now[at])) ++at;
                ASSERT_LT(at, now.size()) << "line " << l + 1 << " is gone: " << old[l] << what;
                ++at;
                ++kept;
            }
            const std::size_t depth =
                static_cast<std::size_t>(std::count(path.begin(), path.end(), '.')) + 1;
            ASSERT_LE(now.size() - kept, mine.size() + depth) << what;
            ASSERT_EQ(text.find('\r') == std::string::npos, edited->find('\r') == std::string::npos)
                << what;
            if (text.find('\r') != std::string::npos) {
                for (std::size_t i = 0; i + 1 < now.size(); ++i)
                    ASSERT_TRUE(now[i].ends_with("\r\n")) << what;
            }
            ASSERT_EQ(text.ends_with('\n'), edited->ends_with('\n')) << what;
            // Notes beside a value that is set stay.
            if (!removes && !block) {
                const auto notes = [](const std::string& s) {
                    return std::count(s.begin(), s.end(), '#');
                };
                ASSERT_EQ(notes(text), notes(*edited)) << what;
            }
            text = *edited;
        }
        if (::testing::Test::HasFailure()) return;
    }
    EXPECT_GT(done, count / 2);
    EXPECT_LT(refused, std::max(done / 20, 5));
}

}  // namespace
}  // namespace trainwright::scenario
