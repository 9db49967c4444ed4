// SPDX-License-Identifier: GPL-3.0-or-later
// model/EQUATIONS.md is made of the comments that stand beside the code: of every part of a comment
// that begins "Equation:". With TRAINWRIGHT_BLESS=1 in the environment the file is written.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const fs::path kSource = TRAINWRIGHT_SOURCE_DIR;

std::string contentOf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

struct Equation {
    std::string title, words, file;
    std::vector<std::string> formulas;
};

/// The words of a line that is a comment, indented as they are behind its slashes; false: no
/// comment.
bool commentOf(const std::string& line, std::string& words) {
    std::size_t at = line.find_first_not_of(' ');
    if (at == std::string::npos || line.compare(at, 2, "//") != 0) return false;
    at = line.find_first_not_of('/', at);
    words = at == std::string::npos ? "" : line.substr(at);
    if (words.starts_with(' ')) words.erase(0, 1);
    return true;
}

std::vector<Equation> equationsOf(const fs::path& path) {
    std::vector<Equation> found;
    std::istringstream in(contentOf(path));
    constexpr std::string_view kMark = "Equation: ";
    bool isInside = false;
    for (std::string line, words; std::getline(in, line);) {
        const bool isComment = commentOf(line, words);
        if (isComment && words.starts_with(kMark)) {
            found.push_back({words.substr(kMark.size()), {}, fs::relative(path, kSource), {}});
            isInside = true;
        } else if (!isComment || words.empty()) {
            isInside = false;
        } else if (isInside && words.starts_with("    ")) {
            found.back().formulas.push_back(words.substr(4));
        } else if (isInside) {
            found.back().words += (found.back().words.empty() ? "" : " ") + words;
        }
    }
    return found;
}

std::vector<Equation> equations() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(kSource / "model"))
        if (entry.path().extension() == ".h") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<Equation> all;
    for (const fs::path& file : files)
        for (Equation& equation : equationsOf(file)) all.push_back(std::move(equation));
    return all;
}

TEST(Equations, EachHasAFormulaAndASource) {
    const std::vector<Equation> all = equations();
    EXPECT_GE(all.size(), 12U);
    for (const Equation& each : all) {
        EXPECT_FALSE(each.formulas.empty()) << each.title;
        EXPECT_THAT(each.words, HasSubstr("Source: ")) << each.title;
    }
}

TEST(Equations, TheirListIsMadeOfTheComments) {
    std::string text =
        "<!-- SPDX-License-Identifier: GPL-3.0-or-later -->\n# Equations\n\nWhat the engine "
        "computes "
        "with, as the comments beside the code have it. Rates, half-sizes and ceilings are figures "
        "of the catalog, each\nwith a source of its own: `trainwright catalog show`.\n";
    for (const Equation& each : equations()) {
        text += "\n## " + each.title + "\n\n";
        for (const std::string& formula : each.formulas) text += "    " + formula + "\n";
        text += "\n" + each.words + "\n\nIn `" + each.file + "`.\n";
    }
    const fs::path file = kSource / "model/EQUATIONS.md";
    if (std::getenv("TRAINWRIGHT_BLESS") != nullptr) {
        std::ofstream(file, std::ios::binary) << text;
        return;
    }
    EXPECT_EQ(contentOf(file), text) << "TRAINWRIGHT_BLESS=1 writes " << file;
}

}  // namespace
