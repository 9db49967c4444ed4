// SPDX-License-Identifier: GPL-3.0-or-later
// Prices into the user's overlay, what they move, and out of it again.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "app/output_file.h"
#include "app/terminal.h"
#include "data/catalog/overlay.h"
#include "data/catalog/price_moves.h"
#include "data/catalog/text_layout.h"
#include "data/import/price_import.h"
#include "data/import/price_report.h"

namespace trainwright::app {
namespace {

using Json = nlohmann::ordered_json;

/// "2026-12-02T09:15:00Z"
std::string nowUtc() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900,
                       parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

Finding noOverlay() {
    return Finding{
        Severity::Error,
        Text{"no overlay is in use (--overlay none), so there is nothing to write to", {}},
        {}};
}

ExitCode refuse(const std::vector<Finding>& findings) {
    say(findings);
    return ExitCode::BadInput;
}

bool isDay(const std::string& text) {
    constexpr const char* kShape = "dddd-dd-dd";
    return text.size() == std::string(kShape).size() &&
           std::equal(text.begin(), text.end(), kShape, [](char c, char shape) {
               return shape == 'd' ? c >= '0' && c <= '9' : c == shape;
           });
}

/// A catalog with its overlay, or an overlay's or a catalog's rows alone, as `catalog diff` takes
/// them.
Outcome<std::vector<catalog::PriceRow>> pricesIn(const std::string& file) {
    if (catalog::isOverlay(file)) {
        const Outcome<catalog::Overlay> overlay = catalog::Overlay::read(file);
        if (!overlay) return overlay.findings();
        std::vector<catalog::PriceRow> rows;
        for (const std::string& unit : overlay->units()) {
            const auto& ofUnit = overlay->prices(unit);
            rows.insert(rows.end(), ofUnit.begin(), ofUnit.end());
        }
        return rows;
    }
    const Outcome<catalog::Catalog> catalog = catalog::Catalog::open(file);
    if (!catalog) return catalog.findings();
    return catalog->allPrices();
}

ExitCode printMoves(const CatalogDiffOptions& options, const catalog::PriceMoves& moves,
                    const std::vector<catalog::FigureMove>& figures) {
    constexpr std::size_t kMost = 40;
    return print(options.json ? catalog::movesJson(moves, figures)
                              : catalog::movesText(moves, figures, options.all ? 0 : kMost));
}

}  // namespace

ExitCode catalogImportPrices(const ImportPricesOptions& options) {
    const std::string path = overlayPath();
    if (path.empty() && !options.dryRun) return refuse({noOverlay()});
    if (!options.observed.empty() && !isDay(options.observed)) {
        return refuse({Finding{
            Severity::Error,
            Text{"`{1}` is not a day; --observed takes one as 2026-12-01", {options.observed}},
            {}}});
    }
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (!options.dryRun && (folder.empty() || std::filesystem::exists(folder))) {
        if (const std::optional<Finding> problem = checkWritable(path)) return refuse({*problem});
    }
    const Outcome<catalog::Catalog> catalog =
        catalog::Catalog::open(catalogPath(options.catalog), path);
    if (!catalog) return refuse(catalog.findings());

    const std::string time = nowUtc();
    import::PriceImportSettings settings;
    settings.today = options.observed.empty() ? time.substr(0, 10) : options.observed;
    ProgressLine progress("reading prices");
    settings.progress = [&](std::int64_t read, std::int64_t all) {
        progress.show(static_cast<double>(read) / static_cast<double>(all));
    };
    Outcome<import::PriceImport> read = import::readPriceFiles(options.files, *catalog, settings);
    if (!read) return refuse(read.findings());

    const std::vector<catalog::PriceRow> before = catalog->allPrices();
    std::vector<catalog::PriceRow> after = before;
    for (catalog::PriceRow& row : catalog::rowsOf(read->batch, catalog->overlay(), time)) {
        after.push_back(std::move(row));
    }
    import::PriceImportOutcome outcome;
    outcome.moves = catalog::priceMoves(before, after);
    outcome.overlay = path.empty() ? "none" : path;
    outcome.isDryRun = options.dryRun;
    if (options.all) outcome.most = 0;
    if (!options.dryRun && !import::isKnown(*read, catalog->overlay())) {
        Outcome<catalog::OverlayWriter> writer = catalog::OverlayWriter::open(path);
        if (!writer) return refuse(writer.findings());
        Outcome<catalog::ImportResult> written = writer.value().add(read->batch, time);
        if (!written) return refuse(written.findings());
        outcome.written = std::move(written).value();
    }
    return print(options.json ? import::priceReportJson(*read, catalog->overlay(), outcome)
                              : import::priceReportText(*read, catalog->overlay(), outcome));
}

ExitCode catalogDiff(const CatalogDiffOptions& options) {
    if (!options.after.empty()) {
        const Outcome<std::vector<catalog::PriceRow>> before = pricesIn(options.before);
        if (!before) return refuse(before.findings());
        const Outcome<std::vector<catalog::PriceRow>> after = pricesIn(options.after);
        if (!after) return refuse(after.findings());
        // An overlay says what it says over the catalog that it is compared with.
        std::vector<catalog::PriceRow> rows = *after;
        const bool beforeIsOverlay = catalog::isOverlay(options.before);
        const bool afterIsOverlay = catalog::isOverlay(options.after);
        if (afterIsOverlay && !beforeIsOverlay) {
            rows.insert(rows.end(), before->begin(), before->end());
        }
        std::vector<catalog::FigureMove> figures;
        if (!beforeIsOverlay) {
            const Outcome<catalog::Catalog> a = catalog::Catalog::open(options.before);
            const Outcome<catalog::Catalog> b =
                afterIsOverlay ? catalog::Catalog::open(options.before, options.after)
                               : catalog::Catalog::open(options.after);
            if (!a) return refuse(a.findings());
            if (!b) return refuse(b.findings());
            figures = catalog::figureMoves(*a, *b);
        }
        return printMoves(options, catalog::priceMoves(*before, rows), figures);
    }
    const std::string shipped = catalogPath(options.catalog);
    const std::string overlay = options.before.empty() ? overlayPath() : options.before;
    const bool isCatalog = !options.before.empty() && !catalog::isOverlay(options.before);
    const Outcome<catalog::Catalog> a = catalog::Catalog::open(shipped);
    if (!a) return refuse(a.findings());
    const Outcome<catalog::Catalog> b = isCatalog ? catalog::Catalog::open(options.before)
                                                  : catalog::Catalog::open(shipped, overlay);
    if (!b) return refuse(b.findings());
    return printMoves(options, catalog::priceMoves(a->allPrices(), b->allPrices()),
                      catalog::figureMoves(*a, *b));
}

ExitCode catalogExport(const CatalogExportOptions& options) {
    const Outcome<catalog::Catalog> catalog = openCatalog(options.catalog);
    if (!catalog) return refuse(catalog.findings());
    std::vector<catalog::PriceRow> rows = catalog->allPrices();
    if (options.imported) {
        rows.erase(
            std::remove_if(rows.begin(), rows.end(),
                           [](const catalog::PriceRow& row) { return row.imported.empty(); }),
            rows.end());
    }
    const std::string csv = catalog::pricesCsv(rows);
    if (options.output.empty()) return print(csv);
    if (const std::optional<Finding> problem = writeFile(options.output, csv)) {
        return refuse({*problem});
    }
    return ExitCode::Done;
}

ExitCode catalogImports(const CatalogOptions& options) {
    const std::string path = overlayPath();
    const Outcome<catalog::Overlay> overlay = catalog::Overlay::read(path);
    if (!overlay) return refuse(overlay.findings());
    if (options.json) {
        Json j{{"schema", "trainwright/catalog-imports/1"},
               {"overlay", path},
               {"imports", Json::array()}};
        for (const catalog::ImportRecord& record : overlay->imports()) {
            Json r{
                {"id", record.id},       {"time", record.time},           {"prices", record.prices},
                {"facts", record.facts}, {"offerings", record.offerings}, {"files", Json::array()}};
            for (const catalog::ImportedFile& file : record.files) {
                r["files"].push_back({{"name", file.name},
                                      {"title", file.title},
                                      {"hash", file.hash},
                                      {"bytes", file.bytes},
                                      {"published", file.published}});
            }
            j["imports"].push_back(std::move(r));
        }
        return print(j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    }
    if (overlay->imports().empty()) {
        return print(path.empty() ? "No overlay is in use.\n"
                                  : fmt::format("Nothing was imported into {}.\n", path));
    }
    std::vector<std::vector<std::string>> rows{
        {"  import", "time (UTC)", "prices", "file", "what"}};
    for (const catalog::ImportRecord& record : overlay->imports()) {
        bool isFirst = true;
        for (const catalog::ImportedFile& file : record.files) {
            rows.push_back({isFirst ? fmt::format("  {}", record.id) : std::string("  "),
                            isFirst ? record.time : std::string(),
                            isFirst ? fmt::format("{}", record.prices) : std::string(), file.name,
                            file.title});
            isFirst = false;
        }
    }
    return print(
        fmt::format("{}\n\n{}", path, catalog::table(rows, {false, false, true, false, false})));
}

ExitCode catalogForget(const CatalogForgetOptions& options) {
    const std::string path = overlayPath();
    if (path.empty()) return refuse({noOverlay()});
    // Opening makes the file; there is nothing to forget in one that isn't there.
    if (!std::filesystem::exists(path)) {
        return refuse({Finding{
            Severity::Error,
            Text{"there is no import {1}; nothing was imported yet", {std::to_string(options.id)}},
            Place{path, 0, 0, {}}}});
    }
    Outcome<catalog::OverlayWriter> writer = catalog::OverlayWriter::open(path);
    if (!writer) return refuse(writer.findings());
    const Outcome<catalog::ImportRecord> record = writer.value().forget(options.id);
    if (!record) return refuse(record.findings());
    return print(fmt::format("Import {} of {} is forgotten: {} {} taken out of {}.\n", record->id,
                             record->time, record->prices,
                             record->prices == 1 ? "price is" : "prices are", path));
}

}  // namespace trainwright::app
