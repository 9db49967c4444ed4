// SPDX-License-Identifier: GPL-3.0-or-later
// Files are written whole or not at all, and keep what belongs to them.
#include "app/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/app/program.h"

namespace trainwright::app {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using tests::TemporaryFolder;

mode_t modeOf(const std::string& file) {
    struct stat status {};
    EXPECT_EQ(::stat(file.c_str(), &status), 0);
    return status.st_mode & 07777U;
}

TEST(WriteFile, MakesANewFileWithTheUsersMask) {
    const TemporaryFolder folder;
    const mode_t before = ::umask(027);
    const auto failure = writeFile(folder.file("plan.html"), "text");
    ::umask(before);
    ASSERT_FALSE(failure) << failure->english();
    EXPECT_EQ(tests::readFile(folder.file("plan.html")), "text");
    EXPECT_EQ(modeOf(folder.file("plan.html")), 0640U);
    EXPECT_THAT(folder.names(), ElementsAre("plan.html"));
}

TEST(WriteFile, ReplacesAFileAndKeepsItsPermissions) {
    const TemporaryFolder folder;
    const std::string file = folder.write("plan.html", "a longer text than the new one");
    ::chmod(file.c_str(), 0604);
    ASSERT_FALSE(writeFile(file, "new"));
    EXPECT_EQ(tests::readFile(file), "new");
    EXPECT_EQ(modeOf(file), 0604U);
}

TEST(WriteFile, FollowsASymbolicLinkAndKeepsIt) {
    const TemporaryFolder folder;
    fs::create_directory(folder.path() / "inner");
    const std::string file = folder.write("inner/plan.html", "old");
    fs::create_symlink("inner/plan.html", folder.path() / "link.html");
    ASSERT_FALSE(writeFile(folder.file("link.html"), "new"));
    EXPECT_TRUE(fs::is_symlink(folder.path() / "link.html"));
    EXPECT_EQ(tests::readFile(file), "new");
}

TEST(WriteFile, WritesThroughALinkThatLeadsToNothingYet) {
    const TemporaryFolder folder;
    fs::create_symlink("later.html", folder.path() / "link.html");
    ASSERT_FALSE(writeFile(folder.file("link.html"), "new"));
    EXPECT_EQ(tests::readFile(folder.file("later.html")), "new");
}

TEST(WriteFile, WorksWithoutAFolderInTheName) {
    const TemporaryFolder folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    const auto checked = checkWritable("plan.html");
    const auto failure = writeFile("plan.html", "text");
    fs::current_path(before);
    EXPECT_FALSE(checked);
    EXPECT_FALSE(failure);
    EXPECT_EQ(tests::readFile(folder.file("plan.html")), "text");
}

TEST(WriteFile, SaysWhatADeviceRefuses) {
    const auto failure = writeFile("/dev/full", "text");
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->english(), "/dev/full: This can't be written: No space left on device.");
    EXPECT_FALSE(writeFile("/dev/null", "text"));
    EXPECT_TRUE(fs::is_character_file("/dev/null")) << "a device must not be replaced";
}

TEST(WriteFile, NamesTheMissingFolderAndLeavesNothingBehind) {
    const TemporaryFolder folder;
    const auto failure = writeFile(folder.file("none/plan.html"), "text");
    ASSERT_TRUE(failure);
    EXPECT_THAT(failure->english(), HasSubstr("No such file or directory"));
    EXPECT_THAT(folder.names(), ElementsAre());
}

TEST(CheckWritable, AcceptsWhatCanBeWrittenAndWritesNothing) {
    const TemporaryFolder folder;
    EXPECT_FALSE(checkWritable(folder.file("plan.html")));
    EXPECT_FALSE(checkWritable("/dev/null"));
    EXPECT_THAT(folder.names(), ElementsAre());
}

TEST(CheckWritable, SaysWhyNot) {
    const TemporaryFolder folder;
    folder.write("file", "");
    const auto folderItself = checkWritable(folder.path().string());
    ASSERT_TRUE(folderItself);
    EXPECT_THAT(folderItself->english(), HasSubstr("This is a folder"));
    const auto missing = checkWritable(folder.file("none/plan.html"));
    ASSERT_TRUE(missing);
    EXPECT_THAT(missing->english(), HasSubstr(folder.file("none") + " can't be used: No such file or directory"));
    const auto inFile = checkWritable(folder.file("file/plan.html"));
    ASSERT_TRUE(inFile);
    EXPECT_THAT(inFile->english(), HasSubstr("is a file; a folder is expected there"));
}

}  // namespace
}  // namespace trainwright::app
