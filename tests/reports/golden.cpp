// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reports/golden.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

namespace trainwright::reports {

::testing::AssertionResult matchesGolden(const std::string& text, const std::string& file) {
    const std::string path = std::string(TRAINWRIGHT_GOLDEN_DIR) + "/" + file;
    if (const char* bless = std::getenv("TRAINWRIGHT_BLESS");
        bless != nullptr && std::string(bless) == "1") {
        std::ofstream out(path, std::ios::binary);
        out << text;
        return out ? ::testing::AssertionSuccess()
                   : ::testing::AssertionFailure() << path << " can't be written";
    }
    std::ifstream in(path, std::ios::binary);
    const std::string expected((std::istreambuf_iterator<char>(in)), {});
    if (in && text == expected) return ::testing::AssertionSuccess();
    std::istringstream now(text), then(expected);
    std::string a, b;
    for (int line = 1;; ++line) {
        const bool moreNow = static_cast<bool>(std::getline(now, a));
        const bool moreThen = static_cast<bool>(std::getline(then, b));
        if (!moreNow && !moreThen)
            return ::testing::AssertionFailure() << file << " differs in its line ends";
        if (moreNow == moreThen && a == b) continue;
        return ::testing::AssertionFailure()
               << file << ":" << line << "\n  golden: " << (moreThen ? b : "(end)")
               << "\n  now:    " << (moreNow ? a : "(end)")
               << "\nTRAINWRIGHT_BLESS=1 writes the files anew.";
    }
}

}  // namespace trainwright::reports
