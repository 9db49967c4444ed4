// SPDX-License-Identifier: GPL-3.0-or-later
// The rows that data/catalog/README.md gives as examples of adding to the catalog: they build, are
// found again, can be planned on, and the keys that it calls needed are those that are.
#include <gmock/gmock.h>

#include <memory>
#include <set>
#include <utility>

#include "data/catalog/catalog_builder.h"
#include "data/catalog/profile_reader.h"
#include "data/catalog/spec_reader.h"
#include "data/scenario/scenario.h"
#include "tests/data/catalog/catalog_files.h"

namespace trainwright::catalog {
namespace {

using ::testing::IsEmpty;
using testing_files::contentOf;
using testing_files::Folder;
using testing_files::rowsFolder;
using testing_files::schemaPath;

struct Block {
    std::string language, file, text;
};

/// The fenced blocks whose info string names a file.
std::vector<Block> readmeBlocks() {
    std::istringstream in(contentOf(TRAINWRIGHT_CATALOG_FOLDER "/README.md"));
    const std::string fence = "```";
    std::vector<Block> blocks;
    bool inside = false;
    for (std::string line; std::getline(in, line);) {
        if (!line.starts_with(fence)) {
            if (inside) blocks.back().text += line + "\n";
            continue;
        }
        inside = !inside;
        if (inside) {
            std::istringstream info(line.substr(fence.size()));
            blocks.emplace_back();
            info >> blocks.back().language >> blocks.back().file;
        }
    }
    return blocks;
}

std::string sentences(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& finding : findings) text += finding.english() + "\n";
    return text;
}

/// The shipped rows with the blocks appended, built.
Outcome<BuildSummary> buildWithExamples(const Folder& folder) {
    for (const auto& file : std::filesystem::directory_iterator(rowsFolder())) {
        std::filesystem::copy_file(file.path(), folder.file(file.path().filename().string()));
    }
    for (const Block& block : readmeBlocks()) {
        if (block.language != "csv") continue;
        const std::string path = folder.file(block.file);
        EXPECT_TRUE(std::filesystem::exists(path)) << block.file;
        std::ofstream(path, std::ios::binary | std::ios::app) << block.text;
    }
    return buildCatalog(schemaPath(), folder.path(), folder.file("c.sqlite"));
}

/// The keys of a row file's first block (needed) or of its others, as `first` says.
std::set<std::string> keysOf(const std::string& file, bool first) {
    std::set<std::string> keys;
    bool seen = false;
    for (const Block& block : readmeBlocks()) {
        if (block.file != file) continue;
        if (seen != first) {
            std::istringstream in(block.text);
            for (std::string line; std::getline(in, line);) {
                const std::size_t from = line.find(',') + 1;
                keys.insert(line.substr(from, line.find(',', from) - from));
            }
        }
        seen = true;
    }
    return keys;
}

class ReadmeRows : public ::testing::Test {
protected:
    void SetUp() override {
        const auto summary = buildWithExamples(folder_);
        ASSERT_TRUE(summary) << sentences(summary.findings());
        ASSERT_THAT(summary.findings(), IsEmpty()) << sentences(summary.findings());
        auto opened = Catalog::open(folder_.file("c.sqlite"));
        ASSERT_TRUE(opened) << sentences(opened.findings());
        catalog_ = std::make_unique<Catalog>(std::move(opened.value()));
    }

    /// Keys without which `reads` fails, of those that the entry has.
    template <typename Reads>
    std::set<std::string> needed(const std::string& kind, const std::string& id,
                                 const Reads& reads) const {
        const std::vector<Figure> all = catalog_->figures(kind, id);
        EXPECT_TRUE(reads(all)) << id;
        std::set<std::string> keys;
        for (std::size_t i = 0; i < all.size(); ++i) {
            std::vector<Figure> others = all;
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
            if (!reads(others)) keys.insert(all[i].key);
        }
        return keys;
    }

    Folder folder_;
    std::unique_ptr<Catalog> catalog_;
};

TEST_F(ReadmeRows, AreThereOnceTheyAreBuilt) {
    for (const auto& [kind, id] :
         std::vector<std::pair<std::string, std::string>>{{"chip", "example-chip"},
                                                          {"instance", "example-8x"},
                                                          {"system", "example-cluster"},
                                                          {"region", "xx-example-1"},
                                                          {"model", "example-7b"},
                                                          {"profile", "example-trainer"}}) {
        EXPECT_TRUE(catalog_->has(kind, id)) << id;
        EXPECT_FALSE(testing_files::shipped().has(kind, id)) << id << " is an example, not a row";
    }
    for (const char* id : {"example-8x", "example-cluster"}) {
        const auto system = catalog_->system(id);
        ASSERT_TRUE(system) << sentences(system.findings());
        EXPECT_EQ(system->chip.id, "example-chip");
        EXPECT_EQ(catalog_->defaultProfile(*system), "example-trainer");
    }
    EXPECT_TRUE(catalog_->region("xx-example-1"));
    EXPECT_TRUE(catalog_->architecture("example-7b"));
    EXPECT_TRUE(catalog_->profile("example-trainer"));
    const std::vector<PriceRow> prices = catalog_->prices("example-8x", "xx-example-1");
    ASSERT_EQ(prices.size(), 1U);
    EXPECT_EQ(prices.front().usdPerHour, 40);
}

TEST_F(ReadmeRows, AddNothingThatTheChecksFind) {
    const std::vector<Finding> before = testing_files::shipped().check();
    for (const Finding& finding : catalog_->check()) {
        EXPECT_THAT(before, ::testing::Contains(finding)) << finding.english();
    }
}

TEST_F(ReadmeRows, NeedTheKeysOfTheFirstBlockAndNoOthers) {
    EXPECT_EQ(needed("chip", "example-chip",
                     [](const std::vector<Figure>& figures) {
                         return chipFromFigures({"chip", "example-chip", "Example"},
                                                FigureSet("example-chip", figures))
                             .ok();
                     }),
              keysOf("figures_chip.csv", true));
    const auto system = catalog_->system("example-8x");
    ASSERT_TRUE(system);
    std::set<std::string> ofInstance =
        needed("instance", "example-8x", [&](const std::vector<Figure>& figures) {
            return systemFromFigures({"instance", "example-8x", "Example"},
                                     FigureSet("example-8x", figures), system->chip)
                .ok();
        });
    ofInstance.insert("chip");  // looked up before the rest is read
    EXPECT_EQ(ofInstance, keysOf("figures_instance.csv", true));
    EXPECT_EQ(needed("model", "example-7b",
                     [](const std::vector<Figure>& figures) {
                         return architectureFromFigures({"model", "example-7b", "Example"},
                                                        FigureSet("example-7b", figures))
                             .ok();
                     }),
              keysOf("figures_model.csv", true));
}

TEST_F(ReadmeRows, StateAProfileInFull) {
    const std::set<std::string> needs =
        needed("profile", "example-trainer", [](const std::vector<Figure>& figures) {
            return profileFromFigures("example-trainer", figures).ok();
        });
    std::set<std::string> given = keysOf("figures_profile.csv", true);
    given.merge(keysOf("figures_profile.csv", false));
    EXPECT_EQ(needs, given);
    given.insert({"states_none", "states_zero1", "states_zero2"});
    EXPECT_EQ(given, std::set<std::string>(profileKeys().begin(), profileKeys().end()));
}

TEST_F(ReadmeRows, CanBePlannedOn) {
    std::string text;
    for (const Block& block : readmeBlocks()) {
        if (block.language == "yaml") text += block.text;
    }
    const auto loaded = scenario::load(text, "example.yaml", *catalog_);
    ASSERT_TRUE(loaded) << sentences(loaded.findings());
    const search::PlanResult result = search::plan(loaded->request);
    ASSERT_EQ(result.candidates.size(), 2U);
    for (const search::CandidateResult& candidate : result.candidates) {
        EXPECT_TRUE(candidate.feasible) << candidate.name;
        EXPECT_GT(candidate.step.stepTime.value(), 0) << candidate.name;
    }
}

}  // namespace
}  // namespace trainwright::catalog
