// SPDX-License-Identifier: GPL-3.0-or-later
// What cmake --install and cpack make of this build: whole, found wherever it is put, and good to
// the tools that judge such files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/app/program.h"

namespace trainwright::tests {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::SizeIs;

const fs::path kPackaging = fs::path(TRAINWRIGHT_SOURCE_DIR) / "app" / "packaging";

/// Where a tool is, if this machine has it.
std::string tool(const std::string& name) {
    for (const char* folder : {"/usr/local/bin/", "/usr/bin/", "/bin/"}) {
        if (fs::exists(folder + name)) return folder + name;
    }
    return {};
}

std::string packaging(const char* name) {
    return (kPackaging / name).string();
}

#define NEEDS(name) \
    if (tool(name).empty()) GTEST_SKIP() << "no " name " here"

/// Of every file below a folder, with "/" before it.
std::vector<std::string> filesBelow(const fs::path& folder) {
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_directory()) {
            found.push_back("/" + fs::relative(entry.path(), folder).generic_string());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

TEST(DesktopEntry, IsValid) {
    NEEDS("desktop-file-validate");
    const Execution done =
        runCommand({tool("desktop-file-validate"), packaging("trainwright.desktop")});
    EXPECT_EQ(done.exitCode, 0);
    EXPECT_THAT(done.output + done.errors, IsEmpty());
}

TEST(AppStream, MetadataIsValid) {
    NEEDS("appstreamcli");
    const Execution done = runCommand(
        {tool("appstreamcli"), "validate", "--no-net", packaging("trainwright.metainfo.xml")});
    EXPECT_EQ(done.exitCode, 0) << done.output << done.errors;
}

TEST(PackagingXml, IsWellFormed) {
    NEEDS("xmllint");
    for (const char* name : {"trainwright.xml", "trainwright.metainfo.xml", "trainwright.svg"}) {
        const Execution done = runCommand({tool("xmllint"), "--noout", packaging(name)});
        EXPECT_EQ(done.exitCode, 0) << done.errors;
    }
}

TEST(FileType, IsKnownByTheNameOfAScenario) {
    NEEDS("update-mime-database");
    const TemporaryFolder folder;
    fs::create_directory(folder.path() / "packages");
    fs::copy_file(kPackaging / "trainwright.xml", folder.path() / "packages/trainwright.xml");
    const Execution done = runCommand({tool("update-mime-database"), "-V", folder.path().string()});
    EXPECT_EQ(done.exitCode, 0) << done.errors;
    EXPECT_THAT(lines(readFile(folder.path() / "globs2")),
                Contains("60:application/x-trainwright-scenario:*.trainwright.yaml"));
    // The desktop's entry says that it opens them.
    EXPECT_THAT(readFile(kPackaging / "trainwright.desktop"),
                HasSubstr("MimeType=application/x-trainwright-scenario;"));
}

/// One installation for all the tests that look at it.
class Installation : public testing::Test {
protected:
    static void SetUpTestSuite() {
        folder_ = new TemporaryFolder;
        prefix_ = folder_->path() / "some where";
        installed_ = runCommand(
            {TRAINWRIGHT_CMAKE, "--install", TRAINWRIGHT_BUILD_DIR, "--prefix", prefix_.string()});
    }
    static void TearDownTestSuite() {
        delete folder_;
        folder_ = nullptr;
    }
    void SetUp() override {
        ASSERT_EQ(installed_.exitCode, 0) << installed_.output << installed_.errors;
    }

    static Execution runInstalled(std::vector<std::string> arguments,
                                  const Setting& setting = {.folder = "/"}) {
        arguments.insert(arguments.begin(), (prefix_ / "bin/trainwright").string());
        return runCommand(arguments, setting);
    }

    inline static TemporaryFolder* folder_ = nullptr;
    inline static fs::path prefix_;
    inline static Execution installed_;
};

TEST_F(Installation, HasEveryPartInItsPlace) {
    const std::vector<std::string> files = filesBelow(prefix_);
    EXPECT_THAT(files, IsSupersetOf({"/bin/trainwright", "/lib/trainwright/charts.so",
                                     "/share/trainwright/catalog.sqlite",
                                     "/share/trainwright/scenarios/llama3.1-405b.yaml",
                                     "/share/man/man1/trainwright.1.gz",
                                     "/share/man/man1/trainwright-plan.1.gz",
                                     "/share/man/man1/trainwright-catalog-import-prices.1.gz",
                                     "/share/bash-completion/completions/trainwright",
                                     "/share/zsh/site-functions/_trainwright",
                                     "/share/fish/vendor_completions.d/trainwright.fish"}));
    if (fs::exists(prefix_ / "lib/trainwright/desktop.so")) {
        EXPECT_THAT(files,
                    IsSupersetOf({"/share/applications/trainwright.desktop",
                                  "/share/icons/hicolor/16x16/apps/trainwright.png",
                                  "/share/icons/hicolor/256x256/apps/trainwright.png",
                                  "/share/icons/hicolor/scalable/apps/trainwright.svg",
                                  "/share/mime/packages/trainwright.xml",
                                  "/share/metainfo/org.trainwright.Trainwright.metainfo.xml"}));
    }
}

TEST_F(Installation, PlansAndDrawsFromAnywhereWithoutTheBuild) {
    const Execution version = runInstalled({"--version", "--json"});
    ASSERT_EQ(version.exitCode, 0) << version.errors;
    EXPECT_EQ(json::parse(version.output).at("version"), TRAINWRIGHT_VERSION);

    const std::string report = folder_->file("plan.html");
    const Execution plan =
        runInstalled({"plan", folder_->write("small.yaml", smallScenario()), "--report", report});
    EXPECT_EQ(plan.exitCode, 0) << plan.errors;
    EXPECT_THAT(readFile(report), HasSubstr("<svg"));

    // With its own catalog away it finds no other.
    const fs::path catalog = prefix_ / "share/trainwright/catalog.sqlite";
    fs::rename(catalog, catalog.string() + ".away");
    const Execution without = runInstalled({"--version"});
    fs::rename(catalog.string() + ".away", catalog);
    EXPECT_EQ(without.exitCode, 2);
    EXPECT_THAT(without.errors, HasSubstr(catalog.string()));
    const fs::path charts = prefix_ / "lib/trainwright/charts.so";
    fs::rename(charts, charts.string() + ".away");
    const Execution plain = runInstalled({"plan", folder_->file("small.yaml"), "--report", report});
    fs::rename(charts.string() + ".away", charts);
    EXPECT_EQ(plain.exitCode, 0);
    EXPECT_THAT(plain.errors, HasSubstr(charts.string()));
    EXPECT_THAT(readFile(report), Not(HasSubstr("<svg")));
}

TEST_F(Installation, HasPagesThatManFinds) {
    NEEDS("man");
    const Execution where =
        runCommand({tool("man"), "-M", (prefix_ / "share/man").string(), "-w", "trainwright-plan"});
    EXPECT_EQ(where.output, (prefix_ / "share/man/man1/trainwright-plan.1.gz").string() + "\n")
        << where.errors;
}

/// The fields of a package, and the files in it.
struct Package {
    std::map<std::string, std::string> fields;
    std::vector<std::string> files;
};

class Packages : public testing::Test {
protected:
    static void SetUpTestSuite() {
        if (!hasTools()) return;
        folder_ = new TemporaryFolder;
        made_ = runCommand({TRAINWRIGHT_CPACK, "--config",
                            std::string(TRAINWRIGHT_BUILD_DIR) + "/CPackConfig.cmake", "-G", "DEB",
                            "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip", "-B",
                            folder_->path().string()});
        for (const auto& entry : fs::directory_iterator(folder_->path())) {
            if (entry.path().extension() != ".deb") continue;
            Package package;
            for (const char* field :
                 {"Package", "Version", "Depends", "Recommends", "Description", "Maintainer"}) {
                const auto said = lines(
                    runCommand({tool("dpkg-deb"), "-f", entry.path().string(), field}).output);
                package.fields[field] = said.empty() ? "" : said.front();
            }
            const fs::path into = folder_->path() / package.fields["Package"];
            static_cast<void>(
                runCommand({tool("dpkg-deb"), "-x", entry.path().string(), into.string()}));
            package.files = filesBelow(into);
            packages_[package.fields["Package"]] = package;
            archives_.push_back(entry.path().string());
        }
    }
    static void TearDownTestSuite() {
        delete folder_;
        folder_ = nullptr;
    }
    static bool hasTools() {
        return !tool("dpkg-deb").empty() && !tool("dpkg-shlibdeps").empty() &&
               !tool("file").empty();
    }
    void SetUp() override {
        if (!hasTools()) GTEST_SKIP() << "dpkg-dev and file are needed to make packages";
        ASSERT_EQ(made_.exitCode, 0) << made_.output << made_.errors;
    }

    inline static TemporaryFolder* folder_ = nullptr;
    inline static Execution made_;
    inline static std::map<std::string, Package> packages_;
    inline static std::vector<std::string> archives_;
};

TEST_F(Packages, DependOnWhatTheirFilesLoad) {
    ASSERT_TRUE(packages_.count("trainwright") == 1 && packages_.count("trainwright-charts") == 1);
    const std::string same = "trainwright (= " TRAINWRIGHT_VERSION "-1)";
    EXPECT_THAT(packages_["trainwright"].fields["Depends"],
                AllOf(HasSubstr("libsqlite3-0"), HasSubstr("libc6"), Not(HasSubstr("qt"))));
    EXPECT_THAT(packages_["trainwright-charts"].fields["Depends"],
                AllOf(HasSubstr("libqt6charts6"), HasSubstr(same)));
    for (const auto& [name, package] : packages_) {
        EXPECT_EQ(package.fields.at("Version"), TRAINWRIGHT_VERSION "-1") << name;
        EXPECT_THAT(package.files,
                    IsSupersetOf({"/usr/share/doc/" + name + "/copyright",
                                  "/usr/share/doc/" + name + "/changelog.Debian.gz"}));
    }
    if (packages_.count("trainwright-desktop") == 1) {
        EXPECT_THAT(packages_["trainwright-desktop"].fields["Depends"],
                    AllOf(HasSubstr("libqt6widgets6"), HasSubstr(same)));
    }
}

TEST_F(Packages, HoldEachFileOnce) {
    std::map<std::string, std::string> owners;
    for (const auto& [name, package] : packages_) {
        for (const std::string& file : package.files) {
            EXPECT_TRUE(owners.emplace(file, name).second)
                << file << " is in " << name << " and in " << owners[file];
        }
    }
    EXPECT_EQ(owners["/usr/bin/trainwright"], "trainwright");
    EXPECT_EQ(owners["/usr/share/trainwright/catalog.sqlite"], "trainwright");
    EXPECT_EQ(owners["/usr/share/zsh/vendor-completions/_trainwright"], "trainwright");
    EXPECT_EQ(owners["/usr/lib/trainwright/charts.so"], "trainwright-charts");
    EXPECT_EQ(owners["/usr/share/man/man1/trainwright.1.gz"], "trainwright");
}

TEST_F(Packages, LeaveLintianNothingToRefuse) {
    NEEDS("lintian");
    std::vector<std::string> command{tool("lintian"), "--allow-root", "--fail-on", "error"};
    command.insert(command.end(), archives_.begin(), archives_.end());
    const Execution done = runCommand(command);
    EXPECT_EQ(done.exitCode, 0) << done.output << done.errors;
}

}  // namespace
}  // namespace trainwright::tests
