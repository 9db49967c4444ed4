// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/import/price_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "data/catalog/text_layout.h"
#include "model/units/text_quantity.h"

namespace trainwright::import {
namespace {

using Json = nlohmann::ordered_json;

std::string countOf(std::size_t count, const char* one, const char* many) {
    return units::groupedNumber(static_cast<double>(count)) + " " + (count == 1 ? one : many);
}

std::string takenLine(const PriceFileReport& file) {
    std::string line = countOf(file.prices, "price", "prices");
    if (file.facts > 0) line += ", " + countOf(file.facts, "figure", "figures");
    if (file.offerings > 0) line += ", " + countOf(file.offerings, "offering", "offerings");
    return line;
}

/// "  left     12  reason, as m5.large", wrapped under the reason.
std::string labelled(const std::string& label, const std::string& lead, const std::string& text) {
    constexpr std::size_t kLabel = 9;
    const std::string first = catalog::padded(label, kLabel) + lead;
    std::string out;
    for (const std::string& line :
         catalog::wrapped(text, catalog::kColumns - catalog::width(first))) {
        out += (out.empty() ? first : std::string(catalog::width(first), ' ')) + line + "\n";
    }
    return out.empty() ? first + "\n" : out;
}

std::string fileText(const PriceFileReport& report, const catalog::ImportRecord* earlier) {
    const catalog::ImportedFile& file = report.file;
    std::string out = fmt::format("{}: {}\n", file.name, file.title);
    if (earlier != nullptr) {
        return out +
               fmt::format("  imported before, as import {} at {}\n", earlier->id, earlier->time);
    }
    out += labelled("  taken", {}, takenLine(report));
    std::size_t columns = 1;
    for (const LeftRows& rows : report.left) {
        columns = std::max(columns, units::groupedNumber(static_cast<double>(rows.count)).size());
    }
    bool isFirst = true;
    for (const LeftRows& rows : report.left) {
        const std::string count =
            catalog::padded(units::groupedNumber(static_cast<double>(rows.count)), columns, true);
        std::string text = rows.reason.english();
        if (!rows.example.empty()) {
            text += rows.count == 1 ? " (" + rows.example + ")" : " (as " + rows.example + ")";
        }
        out += labelled(isFirst ? "  left" : "", count + "  ", text);
        isFirst = false;
    }
    isFirst = true;
    for (const Text& note : report.notes) {
        out += labelled(isFirst ? "  note" : "", {}, note.english());
        isFirst = false;
    }
    return out;
}

}  // namespace

bool isKnown(const PriceImport& read, const catalog::Overlay& overlay) {
    return std::all_of(read.files.begin(), read.files.end(), [&](const PriceFileReport& file) {
        return overlay.importOf(file.file.hash) != nullptr;
    });
}

std::string priceReportText(const PriceImport& read, const catalog::Overlay& overlay,
                            const PriceImportOutcome& outcome) {
    std::string out;
    for (const PriceFileReport& file : read.files) {
        out += fileText(file, overlay.importOf(file.file.hash)) + "\n";
    }
    if (isKnown(read, overlay)) {
        return out + (read.files.size() == 1
                          ? "The file was imported before: nothing changes.\n"
                          : "All files were imported before: nothing changes.\n");
    }
    out += catalog::movesText(outcome.moves, {}, outcome.most);
    if (outcome.isDryRun) {
        return out + fmt::format("\nNothing was written to {} (--dry-run).\n", outcome.overlay);
    }
    out += fmt::format("\nImport {}: {} written to {}", outcome.written.id,
                       countOf(outcome.written.added, "price", "prices"), outcome.overlay);
    if (outcome.written.known > 0) {
        out += fmt::format(", {} known with the same date before", outcome.written.known);
    }
    return out +
           fmt::format(".\n`trainwright catalog forget {}` takes it back.\n", outcome.written.id);
}

std::string priceReportJson(const PriceImport& read, const catalog::Overlay& overlay,
                            const PriceImportOutcome& outcome) {
    Json j;
    j["schema"] = "trainwright/catalog-import-prices/1";
    j["overlay"] = outcome.overlay;
    j["dry_run"] = outcome.isDryRun;
    j["changed"] = !outcome.isDryRun && outcome.written.id != 0;
    j["import"] = outcome.written.id == 0 ? Json(nullptr) : Json(outcome.written.id);
    j["written"] = outcome.written.added;
    j["known"] = outcome.written.known;
    j["files"] = Json::array();
    for (const PriceFileReport& report : read.files) {
        const catalog::ImportRecord* earlier = overlay.importOf(report.file.hash);
        Json file{{"name", report.file.name},
                  {"format", report.file.format},
                  {"title", report.file.title},
                  {"hash", report.file.hash},
                  {"bytes", report.file.bytes},
                  {"published", report.file.published},
                  {"observed", report.file.observed},
                  {"imported_before", earlier == nullptr ? Json(nullptr) : Json(earlier->id)},
                  {"prices", report.prices},
                  {"facts", report.facts},
                  {"offerings", report.offerings},
                  {"left", Json::array()},
                  {"notes", Json::array()}};
        for (const LeftRows& rows : report.left) {
            file["left"].push_back({{"reason", rows.reason.english()},
                                    {"count", rows.count},
                                    {"example", rows.example}});
        }
        for (const Text& note : report.notes) file["notes"].push_back(note.english());
        j["files"].push_back(std::move(file));
    }
    j["moves"] = Json::parse(catalog::movesJson(outcome.moves, {}));
    for (const char* key : {"schema", "figures"}) j["moves"].erase(key);
    return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace trainwright::import
