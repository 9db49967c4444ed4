// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "app/version.h"

namespace trainwright::app {
namespace {

using Json = nlohmann::ordered_json;

Json wordsOrNull(const std::string& words) {
    return words.empty() ? Json(nullptr) : Json(words);
}

std::string asJson(const catalog::Catalog& catalog) {
    Json calibration = nullptr;
    if (catalog.calibration() != nullptr) {
        calibration =
            Json{{"id", catalog.calibration()->id}, {"hash", catalog.calibration()->hash}};
    }
    return Json{{"schema", "trainwright/version/1"},
                {"version", kProgramVersion},
                {"build",
                 {{"type", wordsOrNull(kBuildType)},
                  {"compiler", kBuildCompiler},
                  {"qt", kBuildQt}}},
                {"catalog",
                 {{"version", catalog.version()},
                  {"hash", catalog.hash()},
                  {"newest_price", wordsOrNull(catalog.newestPriceDate())}}},
                {"calibration", calibration}}
               .dump(2) +
           "\n";
}

}  // namespace

ExitCode version(const VersionOptions& options) {
    std::string out = fmt::format("trainwright {} ({}{}{}, Qt {})\n", kProgramVersion, kBuildType,
                                  *kBuildType == '\0' ? "" : ", ", kBuildCompiler, kBuildQt);
    const Outcome<catalog::Catalog> catalog = openCatalog(options.catalog);
    if (!catalog) {
        say(catalog.findings());
        // What is known of the program is told all the same, where nobody parses it.
        return options.json ? ExitCode::BadInput : print(out, ExitCode::BadInput);
    }
    if (options.json) return print(asJson(*catalog));
    const std::string prices = catalog->newestPriceDate();
    out += fmt::format("catalog {} ({}){}\n", catalog->version(), catalog->hash(),
                       prices.empty() ? "" : ", newest price " + prices);
    if (const auto& calibration = catalog->calibration()) {
        out += fmt::format("calibration {} ({})\n", calibration->id, calibration->hash);
    }
    return print(out);
}

}  // namespace trainwright::app
