// SPDX-License-Identifier: GPL-3.0-or-later
// app/trainwright and tests/run, on a project of one C file that stands in for the real one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>
#include <string>

#include "tests/app/program.h"

namespace trainwright::tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr const char* kProgram =
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <unistd.h>\n"
    "int main(int count, char** words) {\n"
    "    char folder[4096];\n"
    "    char input[64] = \"\";\n"
    "    if (fgets(input, sizeof input, stdin) == NULL) { input[0] = 0; }\n"
    "    printf(\"%s|%s|%s\\n\", getcwd(folder, sizeof folder), input, count > 2 ? words[2] : \"\");\n"
    "    return count > 1 ? atoi(words[1]) : 0;\n"
    "}\n";

constexpr const char* kProject =
    "cmake_minimum_required(VERSION 3.25)\n"
    "project(standin LANGUAGES C)\n"
    "set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)\n"
    "add_executable(trainwright app/main.c)\n"
    "add_executable(only_for_tests model/part.c)\n"
    "file(WRITE ${CMAKE_BINARY_DIR}/share/trainwright/catalog.sqlite \"\")\n"
    "enable_testing()\n"
    "add_test(NAME good COMMAND only_for_tests)\n"
    "add_test(NAME other COMMAND only_for_tests)\n";

class Launcher : public testing::Test {
protected:
    void SetUp() override {
        for (const char* name : {"app", "tests", "cmake", "model", "data", "reports"}) {
            fs::create_directory(folder_.path() / name);
        }
        const fs::path source = TRAINWRIGHT_SOURCE_DIR;
        for (const char* file : {"app/trainwright", "app/prepare.sh", "tests/run", "CMakePresets.json"}) {
            fs::copy_file(source / file, folder_.path() / file);
        }
        folder_.write("app/packages.txt", "cmake\nninja-build\n");
        folder_.write("app/main.c", kProgram);
        folder_.write("model/part.c", "int main(void) { return 0; }\n");
        folder_.write("CMakeLists.txt", kProject);
    }

    /// Through a symbolic link in a folder of its own, which is also the working folder.
    Execution launch(const std::vector<std::string>& arguments, const std::string& input = "") {
        const fs::path elsewhere = folder_.path() / "elsewhere here";
        if (!fs::exists(elsewhere)) {
            fs::create_directory(elsewhere);
            fs::create_symlink(folder_.path() / "app/trainwright", elsewhere / "tw");
        }
        std::vector<std::string> command{(elsewhere / "tw").string()};
        command.insert(command.end(), arguments.begin(), arguments.end());
        return runCommand(command, {.input = input, .folder = elsewhere});
    }

    [[nodiscard]] bool exists(const std::string& name) const { return fs::exists(folder_.path() / name); }

    const TemporaryFolder folder_;
};

TEST_F(Launcher, BuildsOnceThenStartsAtOnce) {
    const std::string expected = (folder_.path() / "elsewhere here").string() + "|input|two words\n";

    const Execution first = launch({"1", "two words"}, "input");
    EXPECT_EQ(first.exitCode, 1) << first.errors;
    EXPECT_EQ(first.output, expected) << "building must not read the program's input, nor move its folder";
    EXPECT_THAT(first.errors, HasSubstr("building"));
    EXPECT_THAT(lines(first.errors), SizeIs(1)) << "what the build tools say belongs into the log";
    EXPECT_FALSE(exists("build/release/bin/only_for_tests")) << "the program needs no test to be built";

    std::chrono::duration<double> quickest{1e9};
    for (int i = 0; i < 5; ++i) {  // the best of a few, since the machine may be busy with other tests
        const auto began = std::chrono::steady_clock::now();
        const Execution again = launch({"1", "two words"}, "input");
        quickest = std::min<std::chrono::duration<double>>(quickest, std::chrono::steady_clock::now() - began);
        EXPECT_EQ(again.exitCode, 1);
        EXPECT_EQ(again.output, expected);
        EXPECT_THAT(again.errors, IsEmpty());
    }
    EXPECT_LT(quickest.count(), 0.3);

    folder_.write("app/main.c", "#include <stdio.h>\nint main(void) { puts(\"changed\"); return 2; }\n");
    const Execution changed = launch({});
    EXPECT_EQ(changed.output, "changed\n");
    EXPECT_EQ(changed.exitCode, 2);

    folder_.write("app/main.c", "int main(void) { return undeclared; }\n");
    const Execution broken = launch({});
    EXPECT_EQ(broken.exitCode, 3) << "neither infeasible nor bad input";
    EXPECT_THAT(broken.output, IsEmpty());
    EXPECT_THAT(broken.errors, HasSubstr("undeclared"));
    EXPECT_THAT(broken.errors, HasSubstr("build/release.log"));
    EXPECT_EQ(launch({}).exitCode, 3) << "a failed build is not taken for a finished one";

    folder_.write("app/main.c", kProgram);
    EXPECT_EQ(launch({"0"}).exitCode, 0);
}

TEST_F(Launcher, BuildsOnceForTwoThatStartTogether) {
    auto other = std::async(std::launch::async, [this] { return launch({"7"}); });
    const Execution one = runCommand({folder_.file("app/trainwright"), "5"});
    const Execution two = other.get();
    EXPECT_EQ(one.exitCode, 5) << one.errors;
    EXPECT_EQ(two.exitCode, 7) << two.errors;
    EXPECT_THAT(one.errors + two.errors, HasSubstr("waiting for a build"));
}

TEST_F(Launcher, SurvivesBeingMoved) {
    ASSERT_EQ(launch({"0"}).exitCode, 0);
    const fs::path moved = folder_.path() / "moved";
    fs::create_directory(moved);
    for (const char* name : {"app", "tests", "cmake", "model", "data", "reports", "build", "CMakeLists.txt", "CMakePresets.json"}) {
        fs::rename(folder_.path() / name, moved / name);
    }
    std::string source = kProgram;
    source.replace(source.find("atoi(words[1])"), 14, "9");
    folder_.write("moved/app/main.c", source);
    const Execution done = runCommand({(moved / "app/trainwright").string(), "0"});
    EXPECT_EQ(done.exitCode, 9) << done.errors;
}

TEST_F(Launcher, TestsAreBuiltAndRunByTheirOwnScript) {
    const Execution all = runCommand({folder_.file("tests/run")}, {.folder = "/"});
    EXPECT_EQ(all.exitCode, 0) << all.errors;
    EXPECT_THAT(all.output, HasSubstr("100% tests passed, 0 tests failed out of 2"));
    const Execution chosen = runCommand({folder_.file("tests/run"), "-R", "good"}, {.folder = "/"});
    EXPECT_THAT(chosen.output, HasSubstr("100% tests passed, 0 tests failed out of 1"));

    folder_.write("model/part.c", "int main(void) { return 1; }\n");
    const Execution failing = runCommand({folder_.file("tests/run")}, {.folder = "/"});
    EXPECT_NE(failing.exitCode, 0);
    EXPECT_THAT(failing.output, HasSubstr("0% tests passed, 2 tests failed out of 2"));
}

TEST_F(Launcher, SaysWhichPackagesAreMissingWhereItMayNotInstall) {
    // A `dpkg-query` that knows nothing and an `id` that is nobody, in front of the real ones.
    fs::create_directory(folder_.path() / "front");
    folder_.write("front/dpkg-query", "#!/bin/sh\nexit 1\n");
    folder_.write("front/id", "#!/bin/sh\necho 1000\n");
    for (const char* name : {"front/dpkg-query", "front/id"}) {
        fs::permissions(folder_.path() / name, fs::perms::owner_all);
    }
    const Execution done = runCommand({folder_.file("app/trainwright")},
                                      {.environment = {{"PATH", folder_.file("front") + ":/usr/bin:/bin"}}});
    EXPECT_EQ(done.exitCode, 3);
    EXPECT_THAT(lines(done.errors), SizeIs(1)) << done.errors;
    EXPECT_THAT(done.errors, HasSubstr("sudo apt-get install --no-install-recommends cmake ninja-build"));
    EXPECT_THAT(done.output, IsEmpty());
}

}  // namespace
}  // namespace trainwright::tests
