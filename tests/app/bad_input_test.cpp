// SPDX-License-Identifier: GPL-3.0-or-later
// What goes wrong outside the program: each gives one clear line, the right exit code, nothing on standard
// output, and leaves earlier files as they were.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/app/program.h"

namespace trainwright::tests {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int kBadInput = 2;

using Arguments = std::vector<std::string>;

struct BadInput {
    std::string name;
    /// Lays out the folder (which holds scenario.yaml and an earlier plan.html) and returns the arguments.
    std::function<Arguments(const TemporaryFolder&)> prepare;
    /// What the one line on standard error holds.
    std::vector<std::string> said;
};

std::ostream& operator<<(std::ostream& out, const BadInput& input) { return out << input.name; }

BadInput scenarioText(std::string name, std::string text, std::vector<std::string> said) {
    return {std::move(name),
            [text = std::move(text)](const TemporaryFolder& folder) {
                return Arguments{"plan", folder.write("scenario.yaml", text), "--report", folder.file("plan.html")};
            },
            std::move(said)};
}

BadInput catalogBytes(std::string name, std::function<std::string()> bytes, std::vector<std::string> said) {
    return {std::move(name),
            [bytes = std::move(bytes)](const TemporaryFolder& folder) {
                return Arguments{"plan",     folder.file("scenario.yaml"), "--report",
                                 folder.file("plan.html"), "--catalog",  folder.write("other.sqlite", bytes())};
            },
            std::move(said)};
}

BadInput reportTo(std::string name, std::function<std::string(const TemporaryFolder&)> target,
                  std::vector<std::string> said) {
    return {std::move(name),
            [target = std::move(target)](const TemporaryFolder& folder) {
                return Arguments{"plan", folder.file("scenario.yaml"), "--report", target(folder)};
            },
            std::move(said)};
}

BadInput arguments(std::string name, Arguments arguments, std::vector<std::string> said) {
    return {std::move(name), [arguments = std::move(arguments)](const TemporaryFolder&) { return arguments; },
            std::move(said)};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string randomBytes(std::size_t count) {
    std::mt19937 generator(20270104);
    std::string bytes(count, '\0');
    for (char& byte : bytes) {
        byte = static_cast<char>(generator() & 0xffU);
    }
    return bytes;
}

/// The shipped catalog with the version that its header carries (bytes 60 to 63, big-endian) set to `version`.
std::string catalogOfVersion(unsigned char version) {
    std::string bytes = readFile(shippedCatalog());
    bytes[60] = bytes[61] = bytes[62] = '\0';
    bytes[63] = static_cast<char>(version);
    return bytes;
}

class BadInputs : public testing::TestWithParam<BadInput> {};

TEST_P(BadInputs, GiveOneLineAndTheRightCode) {
    const TemporaryFolder folder;
    folder.write("scenario.yaml", smallScenario());
    folder.write("plan.html", "the earlier report");
    const Arguments arguments = GetParam().prepare(folder);
    const std::vector<std::string> namesBefore = folder.names();

    const Execution done = run(arguments, {.folder = folder.path()});

    EXPECT_EQ(done.exitCode, kBadInput) << done.errors;
    EXPECT_EQ(done.signal, 0);
    EXPECT_THAT(done.output, IsEmpty());
    EXPECT_THAT(lines(done.errors), SizeIs(1)) << done.errors;
    for (const std::string& words : GetParam().said) {
        EXPECT_THAT(done.errors, HasSubstr(words));
    }
    EXPECT_EQ(readFile(folder.file("plan.html")), "the earlier report");
    EXPECT_EQ(folder.names(), namesBefore) << "nothing is left behind";
}

INSTANTIATE_TEST_SUITE_P(
    Scenario, BadInputs,
    testing::Values(
        arguments("Missing", {"plan", "nowhere.yaml"}, {"nowhere.yaml"}),
        BadInput{"Folder", [](const TemporaryFolder& f) { return Arguments{"plan", f.path().string()}; }, {"folder"}},
        BadInput{"Unreadable",
                 [](const TemporaryFolder& f) {
                     ::chmod(f.file("scenario.yaml").c_str(), 0);
                     return Arguments{"plan", f.file("scenario.yaml")};
                 },
                 {"scenario.yaml"}},
        scenarioText("Empty", "", {"scenario.yaml"}), scenarioText("OnlyComments", "# nothing\n", {"scenario.yaml"}),
        scenarioText("NotYaml", "version: 1\ntraining: [1, 2\nmodel: x\n", {"scenario.yaml:"}),
        scenarioText("Binary", randomBytes(4096), {"scenario.yaml"}),
        BadInput{"FiftyMegabytes",
                 [](const TemporaryFolder& f) {
                     std::string text = smallScenario();
                     text.reserve(50'000'000);
                     while (text.size() < 50'000'000) {
                         text += "# a comment of some length, again and again and again and again\n";
                     }
                     return Arguments{"plan", f.write("scenario.yaml", text)};
                 },
                 {"scenario.yaml"}},
        scenarioText("VersionFromTheFuture", replaced(smallScenario(), "version: 1", "version: 99"),
                     {"scenario.yaml:1:", "99"}),
        scenarioText("UnknownKey", replaced(smallScenario(), "  tokens:", "  tokns: 1B\n  tokens:"),
                     {"scenario.yaml:6:3", "tokns", "tokens"}),
        scenarioText("UnknownSystem", replaced(smallScenario(), "trn2.48xlarge", "trn2.48xlrage"),
                     {"scenario.yaml:11:", "trn2.48xlrage", "trn2.48xlarge"}),
        scenarioText("UnknownModel", replaced(smallScenario(), "llama3.1-8b", "lama3.1-8b"),
                     {"scenario.yaml:3:", "lama3.1-8b", "llama3.1-8b"}),
        scenarioText("WrongUnit", replaced(smallScenario(), "tokens: 100B", "tokens: 100 GB"), {"scenario.yaml:6:"})),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Catalog, BadInputs,
    testing::Values(
        arguments("Missing", {"plan", "scenario.yaml", "--catalog", "none.sqlite"}, {"none.sqlite"}),
        BadInput{"Folder",
                 [](const TemporaryFolder& f) {
                     return Arguments{"plan", f.file("scenario.yaml"), "--catalog", f.path().string()};
                 },
                 {"folder"}},
        catalogBytes("Empty", [] { return std::string(); }, {"other.sqlite"}),
        catalogBytes("Text", [] { return std::string("version: 1\n"); }, {"other.sqlite"}),
        catalogBytes("RandomBytes", [] { return randomBytes(100'000); }, {"other.sqlite"}),
        catalogBytes("CutToItsHeader", [] { return readFile(shippedCatalog()).substr(0, 100); }, {"other.sqlite"}),
        catalogBytes("CutInHalf",
                     [] {
                         const std::string whole = readFile(shippedCatalog());
                         return whole.substr(0, whole.size() / 2);
                     },
                     {"other.sqlite"}),
        catalogBytes("Overwritten",
                     [] {
                         std::string whole = readFile(shippedCatalog());
                         const std::string noise = randomBytes(whole.size() - 4096);
                         return whole.replace(4096, std::string::npos, noise);
                     },
                     {"other.sqlite"}),
        catalogBytes("Newer", [] { return catalogOfVersion(200); }, {"other.sqlite", "newer"}),
        arguments("List", {"catalog", "list", "--catalog", "none.sqlite"}, {"none.sqlite"}),
        arguments("Show", {"catalog", "show", "trn2.48xlarge", "--catalog", "none.sqlite"}, {"none.sqlite"}),
        arguments("Check", {"catalog", "check", "--catalog", "none.sqlite"}, {"none.sqlite"}),
        arguments("Explain", {"explain", "scenario.yaml", "--catalog", "none.sqlite"}, {"none.sqlite"}),
        arguments("UnknownId", {"catalog", "show", "trn2.48xlrage"}, {"trn2.48xlrage", "trn2.48xlarge"}),
        arguments("UnknownKind", {"catalog", "list", "chps"}, {"chps", "chip"})),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Report, BadInputs,
    testing::Values(
        reportTo("UnknownSuffix", [](const TemporaryFolder& f) { return f.file("plan.doc"); },
                 {"plan.doc", ".html, .pdf, .xlsx, .csv, .json, .md, .txt"}),
        reportTo("NoSuffix", [](const TemporaryFolder& f) { return f.file("plan"); }, {"plan", ".html, .pdf, .xlsx, .csv, .json, .md, .txt"}),
        reportTo("MissingFolder", [](const TemporaryFolder& f) { return f.file("none/plan.html"); },
                 {"none", "No such file or directory"}),
        reportTo("FolderIsAFile", [](const TemporaryFolder& f) { return f.file("plan.html/plan.html"); },
                 {"is a file"}),
        reportTo("IsAFolder",
                 [](const TemporaryFolder& f) {
                     fs::create_directory(f.path() / "folder.html");
                     return f.file("folder.html");
                 },
                 {"folder.html", "This is a folder"}),
        reportTo("ReadOnlyFolder",
                 [](const TemporaryFolder& f) {
                     fs::create_directory(f.path() / "closed");
                     ::chmod((f.path() / "closed").c_str(), 0555);
                     return f.file("closed/plan.html");
                 },
                 {"closed can't be written to", "Permission denied"}),
        BadInput{"OverTheScenario",
                 [](const TemporaryFolder& f) {
                     return Arguments{"plan", f.write("scenario.json", smallScenario()), "--report",
                                      f.file("scenario.json")};
                 },
                 {"the scenario itself"}},
        arguments("TwiceTheSameFile", {"plan", "scenario.yaml", "--report", "plan.html", "--report", "./plan.html"},
                  {"Two reports"}),
        arguments("OneForTwoScenarios", {"plan", "scenario.yaml", "scenario.yaml", "--report", "plan.html"}, {"{}"})),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    CommandLine, BadInputs,
    testing::Values(
        arguments("UnknownCommand", {"paln"}, {"paln", "plan"}),
        arguments("UnknownOption", {"plan", "scenario.yaml", "--reprot", "x.html"}, {"--reprot", "--report"}),
        arguments("UnknownOptionBeforeTheCommand", {"--jsn", "plan", "scenario.yaml"}, {"--jsn"}),
        arguments("NoScenario", {"plan"}, {"FILE is required", "plan --help"}),
        arguments("OptionWithoutValue", {"plan", "scenario.yaml", "--report"}, {"--report"}),
        arguments("ThreadsInWords", {"plan", "scenario.yaml", "--threads", "many"}, {"--threads"}),
        arguments("NegativeThreads", {"plan", "scenario.yaml", "--threads=-1"}, {"--threads"}),
        arguments("NarrowOutput", {"plan", "scenario.yaml", "--width", "3"}, {"--width"}),
        arguments("CatalogWithoutCommand", {"catalog"}, {"list, show, check"}),
        arguments("TooManyArguments", {"schema", "scenario.yaml"}, {"scenario.yaml"}),
        arguments("UnknownCandidate", {"explain", "scenario.yaml", "--candidate", "trn3"}, {"trn3", "trn2"}),
        arguments("NewOverAFile", {"new", "scenario.yaml"}, {"scenario.yaml", "exists"}),
        arguments("NewInAMissingFolder", {"new", "none/scenario.yaml"}, {"none"}),
        arguments("FormatOfAMissingFile", {"fmt", "nowhere.yaml"}, {"nowhere.yaml"}),
        BadInput{"FormatOfNoYaml",
                 [](const TemporaryFolder& f) {
                     return Arguments{"fmt", f.write("scenario.yaml", "version: [1\n")};
                 },
                 {"scenario.yaml:"}}),
    [](const auto& test) { return test.param.name; });

TEST(FullDisk, LeavesTheEarlierReportAndNothingElse) {
    const TemporaryFolder folder;
    folder.write("scenario.yaml", smallScenario());
    folder.write("plan.html", "the earlier report");
    const Execution done = run({"plan", "scenario.yaml", "--report", "plan.html"},
                               {.folder = folder.path(), .largestFile = 2000});
    EXPECT_EQ(done.exitCode, kBadInput);
    EXPECT_THAT(lines(done.errors), SizeIs(1)) << done.errors;
    EXPECT_THAT(done.errors, HasSubstr("plan.html: The file can't be written: File too large."));
    EXPECT_THAT(done.errors, HasSubstr("as it was"));
    EXPECT_EQ(readFile(folder.file("plan.html")), "the earlier report");
    EXPECT_THAT(folder.names(), ElementsAre("plan.html", "scenario.yaml"));
}

TEST(FullDisk, OfADeviceIsSaid) {
    const TemporaryFolder folder;
    folder.write("scenario.yaml", smallScenario());
    fs::create_symlink("/dev/full", folder.path() / "full.json");
    const Execution done = run({"plan", "scenario.yaml", "--report", "full.json"}, {.folder = folder.path()});
    EXPECT_EQ(done.exitCode, kBadInput);
    EXPECT_EQ(done.errors, "full.json: This can't be written: No space left on device.\n");
}

TEST(FullDisk, OnStandardOutputIsSaid) {
    for (const Arguments& arguments :
         {Arguments{"schema"}, Arguments{"--help"}, Arguments{"--version"}, Arguments{"catalog", "list"}}) {
        const Execution done = run(arguments, {.outputFile = "/dev/full"});
        EXPECT_EQ(done.exitCode, kBadInput) << arguments.front();
        EXPECT_EQ(done.errors, "Standard output can't be written: No space left on device.\n");
    }
}

TEST(FullDisk, LeavesAScenarioThatIsLaidOutAnew) {
    const TemporaryFolder folder;
    const std::string loose = replaced(smallScenario(), "model: ", "model:     ");
    folder.write("scenario.yaml", loose);
    const Execution done = run({"fmt", "scenario.yaml"}, {.folder = folder.path(), .largestFile = 100});
    EXPECT_EQ(done.exitCode, kBadInput) << done.errors;
    EXPECT_EQ(readFile(folder.file("scenario.yaml")), loose);
    EXPECT_THAT(folder.names(), ElementsAre("scenario.yaml"));
}

TEST(ReaderThatLeaves, IsNoError) {
    const Execution done = run({"schema"}, {.closeOutputEarly = true});
    EXPECT_EQ(done.exitCode, 0);
    EXPECT_EQ(done.signal, 0);
    EXPECT_THAT(done.errors, IsEmpty());
}

TEST(ReadOnlyCatalog, IsAsGoodAsAnother) {
    const TemporaryFolder folder;
    folder.write("scenario.yaml", smallScenario());
    fs::create_directory(folder.path() / "closed");
    const std::string catalog = folder.file("closed/catalog.sqlite");
    fs::copy_file(shippedCatalog(), catalog);
    ::chmod(catalog.c_str(), 0444);
    ::chmod(folder.file("closed").c_str(), 0555);
    const Execution done = run({"plan", "scenario.yaml", "--catalog", catalog}, {.folder = folder.path()});
    EXPECT_EQ(done.exitCode, 0) << done.errors;
    EXPECT_EQ(done.output, run({"plan", "scenario.yaml"}, {.folder = folder.path()}).output);
    EXPECT_EQ(readFile(catalog), readFile(shippedCatalog()));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path() / "closed"), {}), 1);
    ::chmod(folder.file("closed").c_str(), 0755);
}

TEST(ReadOnlyFolder, KeepsAScenarioAsItWas) {
    const TemporaryFolder folder;
    fs::create_directory(folder.path() / "closed");
    const std::string loose = replaced(smallScenario(), "model: ", "model:     ");
    const std::string file = folder.write("closed/scenario.yaml", loose);
    ::chmod(folder.file("closed").c_str(), 0555);
    const Execution done = run({"fmt", file});
    ::chmod(folder.file("closed").c_str(), 0755);
    EXPECT_EQ(done.exitCode, kBadInput);
    EXPECT_THAT(lines(done.errors), SizeIs(1)) << done.errors;
    EXPECT_THAT(done.errors, HasSubstr("Permission denied"));
    EXPECT_EQ(readFile(file), loose);
}

TEST(SeveralScenarios, AreAllCheckedBeforeAnyIsPlanned) {
    const TemporaryFolder folder;
    folder.write("good.yaml", smallScenario());
    folder.write("bad.yaml", replaced(smallScenario(), "llama3.1-8b", "lama3.1-8b"));
    const Execution done = run({"plan", "good.yaml", "bad.yaml", "none.yaml", "--report", "{}.json"},
                               {.folder = folder.path()});
    EXPECT_EQ(done.exitCode, kBadInput);
    EXPECT_THAT(done.output, IsEmpty());
    EXPECT_THAT(lines(done.errors), SizeIs(2)) << done.errors;
    EXPECT_THAT(folder.names(), ElementsAre("bad.yaml", "good.yaml"));
}

}  // namespace
}  // namespace trainwright::tests
