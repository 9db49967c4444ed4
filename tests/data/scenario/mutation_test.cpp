// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of the examples changed at random: always a value, or findings that can be printed; never a
// crash.
#include <gmock/gmock.h>

#include <cstdlib>
#include <random>

#include "data/scenario/yaml.h"
#include "tests/data/scenario/scenario_files.h"

namespace trainwright::scenario {
namespace {

using namespace testing_files;

TEST(MutatedBytes, GiveAValueOrFindings) {
    // TRAINWRIGHT_SEED repeats a run, TRAINWRIGHT_ROUNDS makes it longer.
    const char* given = std::getenv("TRAINWRIGHT_SEED");
    const char* rounds = std::getenv("TRAINWRIGHT_ROUNDS");
    const unsigned seed = given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10))
                                           : std::random_device{}();
    const int count = rounds != nullptr ? std::atoi(rounds) : 3000;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::vector<std::string> texts;
    for (const auto& path : filesIn(TRAINWRIGHT_EXAMPLES)) texts.push_back(contentOf(path));
    const std::vector<std::string> pieces{"{",        "}",       "[",
                                          "]",        ": ",      "- ",
                                          "\n",       "\t",      "#",
                                          "'",        "\"",      "|",
                                          ">2\n",     "&a ",     "*a",
                                          "<<: *a\n", "!",       "!!str ",
                                          "%",        "---\n",   "...\n",
                                          "? ",       "\r",      "\xef\xbb\xbf",
                                          "\xc3",     ",",       "\\",
                                          "@",        "`",       "~",
                                          "0",        "e99",     "-",
                                          "auto",     "catalog", "null",
                                          "T",        "%",       "99999999999999999999"};
    int resolved = 0;
    for (int i = 0; i < count; ++i) {
        std::string text = texts[random() % texts.size()];
        if (random() % 8 == 0) text.resize(random() % text.size());
        for (unsigned k = 0, n = 1 + random() % 4; k < n && !text.empty(); ++k) {
            const std::size_t at = random() % text.size();
            switch (random() % 4) {
                case 0:
                    text[at] = static_cast<char>(random() % 256);
                    break;
                case 1:
                    text.insert(at, pieces[random() % pieces.size()]);
                    break;
                case 2:
                    text.erase(at, random() % 8);
                    break;
                default:
                    text.insert(at, text.substr(random() % text.size(), random() % 60));
            }
        }
        const Outcome<Scenario> scenario = read(text, "s");
        const Outcome<std::string> formatted = format(text, "s");
        ASSERT_EQ(scenario.ok(), !hasErrors(scenario.findings())) << text;
        ASSERT_TRUE(scenario.ok() || !scenario.findings().empty()) << text;
        ASSERT_TRUE(formatted.ok() || !scenario.ok()) << text;
        std::vector<Finding> findings = scenario.findings();
        if (scenario.ok() && i % 4 == 0) {
            const Outcome<search::PlanRequest> request = resolve(*scenario, shippedCatalog());
            ASSERT_EQ(request.ok(), !hasErrors(request.findings())) << text;
            findings.insert(findings.end(), request.findings().begin(), request.findings().end());
            if (request.ok()) ++resolved;
            ASSERT_FALSE(toJson(*scenario).empty());
        }
        for (const Finding& f : findings) {
            const std::string line = f.english();
            ASSERT_EQ(line.find('\n'), std::string::npos) << line << "\nof\n" << text;
            ASSERT_LT(line.size(), 1500U) << line;
            for (std::size_t a = 1; a <= f.text.arguments.size(); ++a) {
                ASSERT_NE(f.text.pattern.find("{" + std::to_string(a) + "}"), std::string::npos)
                    << f.text.pattern;
            }
            const std::size_t end =
                static_cast<std::size_t>(std::count_if(
                    text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; })) +
                1;
            ASSERT_LE(static_cast<std::size_t>(f.place.line), end) << line;
        }
    }
    EXPECT_TRUE(resolved > 10 || count < 3000) << resolved;
}

}  // namespace
}  // namespace trainwright::scenario
