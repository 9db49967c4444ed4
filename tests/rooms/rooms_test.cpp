// SPDX-License-Identifier: GPL-3.0-or-later
// Who may include what, held by reading the sources; and what every source file carries.
//
// The link lines keep rooms from using each other's code, but a header alone needs no link line: this does.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

/// A folder of sources, and all that its files may include besides their own folder's headers and the
/// standard library. The longest matching folder decides.
struct Room {
    std::string_view folder;
    std::vector<std::string_view> folders;    ///< of the project
    std::vector<std::string_view> libraries;  ///< beginnings of names in angle brackets
};

const std::vector<Room>& rooms() {
    static const std::vector<Room> list = {
        {"model/units", {}, {}},
        {"model/workload", {"model/units"}, {}},
        {"model/machine", {"model/units", "model/workload"}, {"Eigen/"}},
        {"model/network", {"model/units", "model/machine"}, {"boost/"}},
        {"model/layout", {"model/units", "model/workload", "model/machine", "model/network"}, {"Eigen/"}},
        {"model/run", {"model/units", "model/workload", "model/machine", "model/network", "model/layout"}, {"Eigen/"}},
        {"model", {"model"}, {"boost/", "Eigen/"}},
        {"data/catalog", {"model"}, {"SQLiteCpp/", "sqlite3.h", "fmt/", "nlohmann/"}},
        {"data", {"model", "data"}, {"SQLiteCpp/", "sqlite3.h", "fmt/", "nlohmann/", "libfyaml.h"}},
        {"reports/charts", {"model", "reports"}, {"Q", "fmt/"}},
        {"reports", {"model", "reports"}, {"fmt/", "nlohmann/", "unistd.h", "xlsxwriter.h"}},
        {"ui", {"model", "data", "reports", "ui"}, {"Q", "fmt/", "malloc.h"}},
        {"app/charts_plugin", {"model", "reports", "app"}, {"Q", "dlfcn.h"}},
        {"app/desktop_plugin", {"ui", "app"}, {}},
        {"app/packaging", {}, {"Q"}},
        {"app", {"model", "data", "reports", "app", "ui/window"}, {"CLI/", "fmt/", "nlohmann/", "dlfcn.h", "fcntl.h", "langinfo.h", "locale.h",
                                                      "signal.h", "sys/", "unistd.h"}},
    };
    return list;
}

/// The engine takes values and gives values: no files, no streams, no C time, and no printf, whose digits
/// follow the locale.
constexpr std::array<std::string_view, 7> kClosedToTheEngine = {"fstream", "filesystem", "iostream", "ctime",
                                                                "time.h",  "cstdio",     "clocale"};

bool startsWith(std::string_view text, std::string_view beginning) {
    return text.substr(0, beginning.size()) == beginning;
}

bool isInFolder(std::string_view path, std::string_view folder) {
    return startsWith(path, folder) && path.size() > folder.size() && path[folder.size()] == '/';
}

const Room* roomOf(std::string_view file) {
    const Room* best = nullptr;
    for (const Room& room : rooms()) {
        if (isInFolder(file, room.folder) && (best == nullptr || room.folder.size() > best->folder.size())) {
            best = &room;
        }
    }
    return best;
}

/// C++ standard headers have neither a suffix nor an upper-case letter.
bool isStandardHeader(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(),
                                        [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

/// What is wrong with `file` including `name`; nothing if it may.
std::optional<std::string> problem(std::string_view file, std::string_view name, bool isQuoted) {
    const Room* room = roomOf(file);
    if (room == nullptr) {
        return "no room is known for this file";
    }
    if (isQuoted) {
        const bool mayUse = isInFolder(name, room->folder) ||
                            std::any_of(room->folders.begin(), room->folders.end(),
                                        [&](std::string_view folder) { return isInFolder(name, folder); });
        return mayUse ? std::nullopt : std::optional(fmt::format("{} may not include {}", room->folder, name));
    }
    if (startsWith(room->folder, "model") &&
        std::find(kClosedToTheEngine.begin(), kClosedToTheEngine.end(), name) != kClosedToTheEngine.end()) {
        return fmt::format("the engine needs no <{}>", name);
    }
    const bool isKnown = isStandardHeader(name) ||
                         std::any_of(room->libraries.begin(), room->libraries.end(),
                                     [&](std::string_view library) { return startsWith(name, library); });
    return isKnown ? std::nullopt : std::optional(fmt::format("{} may not include <{}>", room->folder, name));
}

struct Include {
    int line = 0;
    std::string name;
    bool isQuoted = false;
};

std::vector<Include> includesOf(const std::string& text) {
    std::vector<Include> found;
    std::istringstream in(text);
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        const std::size_t hash = line.find_first_not_of(" \t");
        if (hash == std::string::npos || line[hash] != '#') {
            continue;
        }
        const std::size_t word = line.find_first_not_of(" \t", hash + 1);
        if (word == std::string::npos || line.compare(word, 7, "include") != 0) {
            continue;
        }
        const std::size_t open = line.find_first_of("<\"", word);
        if (open == std::string::npos) {
            continue;
        }
        const std::size_t close = line.find(line[open] == '<' ? '>' : '"', open + 1);
        found.push_back({number, line.substr(open + 1, close - open - 1), line[open] == '"'});
    }
    return found;
}

std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

struct SourceFile {
    std::string path;  ///< from the root of the project
    std::string text;
};

/// Every file of the project's folders, with its text.
const std::vector<SourceFile>& projectFiles() {
    static const std::vector<SourceFile> files = [] {
        const fs::path root = TRAINWRIGHT_SOURCE_DIR;
        std::vector<SourceFile> found;
        const auto add = [&](const fs::path& path) { found.push_back({fs::relative(path, root).generic_string(), read(path)}); };
        for (const char* folder : {"app", "cmake", "data", "model", "reports", "tests", "ui", ".ci"}) {
            if (!fs::exists(root / folder)) {
                continue;
            }
            for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
                if (entry.is_regular_file()) {
                    add(entry.path());
                }
            }
        }
        for (const char* file : {"CMakeLists.txt", "CMakePresets.json", "README.md", "CHANGELOG.md", ".clang-tidy"}) {
            if (fs::exists(root / file)) {
                add(root / file);
            }
        }
        std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
        return found;
    }();
    return files;
}

bool hasSuffix(std::string_view path, std::initializer_list<std::string_view> suffixes) {
    return std::any_of(suffixes.begin(), suffixes.end(), [&](std::string_view suffix) {
        return path.size() > suffix.size() && path.substr(path.size() - suffix.size()) == suffix;
    });
}

bool isCpp(std::string_view path) { return hasSuffix(path, {".h", ".cpp"}); }

/// A data file, which a user may copy and change without a thought of licences, or prose.
bool needsNoLicenceLine(const SourceFile& file) {
    // Debian's tools know no comments there.
    if (startsWith(file.path, "app/packaging/debian/")) {
        return true;
    }
    const std::string name = fs::path(file.path).filename().string();
    return hasSuffix(name, {".csv", ".json", ".yaml", ".md", ".svg", ".png", ".html", ".golden", ".txt", ".ttf"}) && name != "CMakeLists.txt";
}

// --- the rules themselves, on made-up lines, so that they are seen to refuse something

struct Case {
    std::string_view file, include;
    bool isQuoted;
    bool isAllowed;
};

class RoomRule : public testing::TestWithParam<Case> {};

TEST_P(RoomRule, DecidesAnInclude) {
    const Case& c = GetParam();
    EXPECT_EQ(!problem(c.file, c.include, c.isQuoted).has_value(), c.isAllowed)
        << c.file << " includes " << c.include;
}

INSTANTIATE_TEST_SUITE_P(
    Rooms, RoomRule,
    testing::Values(Case{"model/units/a.h", "vector", false, true}, Case{"model/units/a.h", "fstream", false, false},
                    Case{"model/run/a.cpp", "cstdio", false, false}, Case{"model/run/a.cpp", "QString", false, false},
                    Case{"model/run/a.cpp", "sqlite3.h", false, false},
                    Case{"model/network/a.cpp", "boost/graph/adjacency_list.hpp", false, true},
                    Case{"model/units/a.h", "boost/graph/adjacency_list.hpp", false, false},
                    Case{"model/layout/a.cpp", "model/network/network.h", true, true},
                    Case{"model/network/a.cpp", "model/layout/layout.h", true, false},
                    Case{"model/search/a.cpp", "model/run/run.h", true, true},
                    Case{"model/search/a.cpp", "data/catalog/catalog.h", true, false},
                    Case{"data/catalog/a.cpp", "data/scenario/scenario.h", true, false},
                    Case{"data/scenario/a.cpp", "data/catalog/catalog.h", true, true},
                    Case{"data/scenario/a.cpp", "QFile", false, false},
                    Case{"data/scenario/a.cpp", "reports/report.h", true, false},
                    Case{"reports/a.cpp", "QChart", false, false}, Case{"reports/charts/a.cpp", "QChart", false, true},
                    Case{"reports/charts/a.cpp", "QtCharts/QChart", false, true},
                    Case{"reports/a.cpp", "data/catalog/catalog.h", true, false},
                    Case{"reports/a.cpp", "ui/window.h", true, false}, Case{"app/a.cpp", "QApplication", false, false},
                    Case{"app/a.cpp", "a.h", true, false}, Case{"elsewhere/a.cpp", "vector", false, false}));

TEST(IncludeReader, FindsEveryFormAndItsLine) {
    const auto found = includesOf("// text\n#include <vector>\n  #  include \"model/units/outcome.h\"  // why\n#define X\n");
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].line, 2);
    EXPECT_EQ(found[0].name, "vector");
    EXPECT_FALSE(found[0].isQuoted);
    EXPECT_EQ(found[1].line, 3);
    EXPECT_EQ(found[1].name, "model/units/outcome.h");
    EXPECT_TRUE(found[1].isQuoted);
}

// --- the project

TEST(Rooms, IncludeOnlyWhatTheyMay) {
    std::vector<std::string> problems;
    int read = 0;
    for (const SourceFile& file : projectFiles()) {
        if (!isCpp(file.path) || startsWith(file.path, "tests/")) {
            continue;
        }
        ++read;
        for (const Include& include : includesOf(file.text)) {
            if (const auto wrong = problem(file.path, include.name, include.isQuoted)) {
                problems.push_back(fmt::format("{}:{}: {}", file.path, include.line, *wrong));
            }
        }
    }
    EXPECT_GT(read, 30) << "the sources were not found";
    EXPECT_THAT(problems, IsEmpty());
}

TEST(Rooms, EngineReadsNoClockAndNoEnvironment) {
    std::vector<std::string> problems;
    for (const SourceFile& file : projectFiles()) {
        if (!isCpp(file.path) || !startsWith(file.path, "model/")) {
            continue;
        }
        for (const char* call : {"_clock", "std::time(", "getenv(", "fopen(", "printf(", "random_device", "setlocale("}) {
            if (file.text.find(call) != std::string::npos) {
                problems.push_back(fmt::format("{} uses {}", file.path, call));
            }
        }
    }
    EXPECT_THAT(problems, IsEmpty());
}

TEST(SourceFiles, CarryTheLicenceLine) {
    std::vector<std::string> problems;
    for (const SourceFile& file : projectFiles()) {
        if (needsNoLicenceLine(file)) {
            continue;
        }
        // The second line where the first says which program runs the file.
        const std::size_t firstEnd = file.text.find('\n');
        const std::size_t from = startsWith(file.text, "#!") && firstEnd != std::string::npos ? firstEnd + 1 : 0;
        const std::string line = file.text.substr(from, file.text.find('\n', from) - from);
        if (line.find("SPDX-License-Identifier: GPL-3.0-or-later") == std::string::npos) {
            problems.push_back(file.path);
        }
    }
    EXPECT_THAT(problems, IsEmpty());
}

TEST(SourceFiles, BeginHeadersWithPragmaOnce) {
    std::vector<std::string> problems;
    for (const SourceFile& file : projectFiles()) {
        if (hasSuffix(file.path, {".h"}) && file.text.find("\n#pragma once\n") == std::string::npos) {
            problems.push_back(file.path);
        }
    }
    EXPECT_THAT(problems, IsEmpty());
}

TEST(SourceFiles, NameNoFolderOfOneMachine) {
    // Written in two parts so that this file doesn't hold what it looks for.
    const std::array<std::string, 5> folders = {std::string("/wo") + "rk/", std::string("/tmp/b") + "uild",
                                                std::string("/ho") + "me/", std::string("/ro") + "ot/",
                                                std::string("shared/") + "reference"};
    std::vector<std::string> problems;
    for (const SourceFile& file : projectFiles()) {
        for (const std::string& folder : folders) {
            if (file.text.find(folder) != std::string::npos) {
                problems.push_back(fmt::format("{} names {}", file.path, folder));
            }
        }
    }
    EXPECT_THAT(problems, IsEmpty());
}

}  // namespace
