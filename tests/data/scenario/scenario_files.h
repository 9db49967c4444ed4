// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of data/scenario share: the shipped catalog, the example files, a sound text to
// spoil.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "data/catalog/catalog.h"
#include "data/scenario/scenario.h"

namespace trainwright::scenario::testing_files {

inline const catalog::Catalog& shippedCatalog() {
    static const Outcome<catalog::Catalog> opened =
        catalog::Catalog::open(TRAINWRIGHT_CATALOG_FILE);
    if (!opened.ok()) throw std::runtime_error(opened.findings().front().english());
    return opened.value();
}

inline std::string contentOf(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream out;
    out << in.rdbuf();
    return out.str();
}

inline std::vector<std::filesystem::path> filesIn(const std::string& folder) {
    std::vector<std::filesystem::path> out;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".yaml") out.push_back(entry.path());
    }
    std::sort(out.begin(), out.end());
    return out;
}

inline std::string soundText() {
    return "version: 1\n"
           "title: A test\n"
           "model: llama3.1-8b\n"
           "training:\n"
           "  start: 2027-01-04\n"
           "  tokens: 1T\n"
           "  sequence_length: 8192\n"
           "  global_batch: 512 sequences\n"
           "candidates:\n"
           "  - name: trn2\n"
           "    system: trn2.48xlarge\n"
           "    accelerators: 512\n"
           "    region: us-east-2\n";
}

/// soundText() with `from` replaced by `to` where it stands first.
inline std::string soundWith(const std::string& from, const std::string& to) {
    std::string text = soundText();
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::logic_error("the sound text has no " + from);
    return text.replace(at, from.size(), to);
}

inline std::string sentences(const std::vector<Finding>& findings) {
    std::string out;
    for (const Finding& f : findings) out += f.english() + "\n";
    return out;
}

}  // namespace trainwright::scenario::testing_files
