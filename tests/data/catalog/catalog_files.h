// SPDX-License-Identifier: GPL-3.0-or-later
// Files for the catalog's tests: the shipped database, and folders that a test writes rows into.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "data/catalog/catalog.h"

namespace trainwright::catalog::testing_files {

inline const Catalog& shipped() {
    static const Outcome<Catalog> catalog = Catalog::open(TRAINWRIGHT_CATALOG_FILE);
    if (!catalog) {
        throw std::runtime_error(catalog.findings().front().english());
    }
    return *catalog;
}

inline std::string schemaPath() {
    return TRAINWRIGHT_CATALOG_FOLDER "/schema.sql";
}
inline std::string rowsFolder() {
    return TRAINWRIGHT_CATALOG_FOLDER "/rows";
}

inline std::string contentOf(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

/// A folder of its own for each test, removed at the end.
class Folder {
public:
    Folder() {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        std::string name = std::string("trainwright-") + test->test_suite_name() + "-" +
                           test->name() + "-" + std::to_string(::getpid());
        std::replace(name.begin(), name.end(), '/', '-');
        path_ = std::filesystem::temp_directory_path() / name;
        std::filesystem::create_directories(path_);
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    [[nodiscard]] std::string file(const std::string& name) const {
        return (path_ / name).string();
    }
    [[nodiscard]] std::string path() const { return path_.string(); }
    void write(const std::string& name, const std::string& content) const {
        std::ofstream(path_ / name, std::ios::binary) << content;
    }

private:
    std::filesystem::path path_;
};

}  // namespace trainwright::catalog::testing_files
