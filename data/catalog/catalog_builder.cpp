// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/catalog/catalog_builder.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <tuple>

#include "data/catalog/csv_rows.h"
#include "data/catalog/run_columns.h"
#include "model/units/content_hash.h"

namespace trainwright::catalog {
namespace {

namespace fs = std::filesystem;

struct TextFile {
    std::string name;
    std::string content;
};

std::optional<std::string> readWhole(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        return std::nullopt;
    }
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

std::optional<double> parseNumber(const std::string& text) {
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (text.empty() || error != std::errc() || stop != end) {
        return std::nullopt;
    }
    return number;
}

bool startsWith(const std::string& text, std::string_view prefix) {
    return text.compare(0, prefix.size(), prefix) == 0;
}

using Fields = std::vector<std::string>;

/// A row with the place it came from.
struct PlacedRow {
    Fields fields;
    std::string file;
    int line = 0;
};

bool inUse(const std::string& status) {
    return status == "adopted" || status == "estimated";
}

class Builder {
public:
    Builder(std::vector<TextFile> files, SQLite::Database& database)
        : files_(std::move(files)), database_(database) {}

    Outcome<BuildSummary> build() {
        SQLite::Transaction transaction(database_);
        // Referenced tables come first, so that a trigger can look up what a later row names.
        insertSources();
        insertKeys();
        insertEntries();
        insertFigures();
        insertAliases();
        insertPrices();
        insertClaims();
        insertClaimChecks();
        insertTexts("run", "runs", runColumns());
        insertTexts("calibration", "calibration", calibrationColumns());
        refuseUnknownFiles();
        if (!findings_.empty()) {
            return findings_;
        }
        insertMeta();
        transaction.commit();
        return summary_;
    }

    void setHash(std::string hash) { summary_.hash = std::move(hash); }

private:
    static constexpr int kStatusField = 3;

    std::vector<PlacedRow> rowsOf(std::string_view prefix, const Fields& header) {
        std::vector<PlacedRow> rows;
        for (const TextFile& file : files_) {
            const bool isExact = file.name == std::string(prefix) + ".csv";
            const bool isPart = startsWith(file.name, std::string(prefix) + "_");
            if (!isExact && !isPart) {
                continue;
            }
            read_.push_back(file.name);
            Outcome<CsvTable> table = readCsv(file.content, file.name, header);
            if (!table) {
                findings_.insert(findings_.end(), table.findings().begin(), table.findings().end());
                continue;
            }
            for (CsvRow& row : table.value().rows) {
                rows.push_back(PlacedRow{std::move(row.fields), file.name, row.line});
            }
        }
        return rows;
    }

    void note(const PlacedRow& row, std::string pattern, std::vector<Argument> arguments) {
        findings_.push_back(Finding{Severity::Error, Text{std::move(pattern), std::move(arguments)},
                                    Place{row.file, row.line, 0, {}}});
    }

    template <typename Bind>
    void insert(SQLite::Statement& statement, const PlacedRow& row, const std::string& what,
                Bind bind) {
        try {
            statement.reset();
            statement.clearBindings();
            bind(statement);
            statement.exec();
        } catch (const SQLite::Exception& e) {
            note(row, "{1} is refused: {2}", {what, e.what()});
            statement.tryReset();
        }
    }

    void sawDate(const std::string& date) { summary_.version = std::max(summary_.version, date); }

    void insertSources() {
        std::vector<PlacedRow> rows =
            rowsOf("sources", {"id", "title", "url", "repository", "path", "note"});
        SQLite::Statement statement(database_, "INSERT INTO source VALUES (?,?,?,?,?,?)");
        for (const PlacedRow& row : rows) {
            insert(statement, row, fmt::format("source {}", row.fields[0]),
                   [&](SQLite::Statement& s) {
                       for (int i = 0; i < 6; ++i) {
                           s.bind(i + 1, row.fields[static_cast<std::size_t>(i)]);
                       }
                   });
            ++summary_.sources;
        }
    }

    /// The kind in "keys_chip.csv" or "figures_chip_gemm.csv": the longest known kind that the name
    /// starts with.
    std::string kindIn(const std::string& file, std::string_view prefix) {
        const std::string rest = file.substr(prefix.size() + 1, file.size() - prefix.size() - 5);
        std::string best;
        SQLite::Statement kinds(database_, "SELECT kind FROM kind");
        while (kinds.executeStep()) {
            const std::string kind = kinds.getColumn(0).getString();
            if ((rest == kind || startsWith(rest, kind + "_")) && kind.size() > best.size()) {
                best = kind;
            }
        }
        return best;
    }

    std::optional<std::string> kindOrNote(const PlacedRow& row, std::string_view prefix) {
        std::string kind = kindIn(row.file, prefix);
        if (kind.empty()) {
            note(row, "the file name holds no kind of entry that schema.sql knows", {});
            return std::nullopt;
        }
        return kind;
    }

    void insertKeys() {
        SQLite::Statement statement(database_,
                                    "INSERT INTO key_definition VALUES (?,?,?,?,?,?,?,?,?)");
        int position = 0;
        for (const PlacedRow& row :
             rowsOf("keys", {"key", "type", "unit", "minimum", "maximum", "meaning"})) {
            const std::optional<std::string> kind = kindOrNote(row, "keys");
            if (!kind) {
                continue;
            }
            constexpr std::string_view kReference = "reference:";
            const bool isReference = startsWith(row.fields[1], kReference);
            const std::optional<double> minimum = parseNumber(row.fields[3]);
            const std::optional<double> maximum = parseNumber(row.fields[4]);
            if ((!minimum && !row.fields[3].empty()) || (!maximum && !row.fields[4].empty())) {
                note(row, "a bound of key {1} is not a number", {row.fields[0]});
            }
            insert(statement, row, fmt::format("key {}", row.fields[0]), [&](SQLite::Statement& s) {
                s.bind(1, *kind);
                s.bind(2, row.fields[0]);
                s.bind(3, ++position);
                s.bind(4, isReference ? std::string("reference") : row.fields[1]);
                if (isReference) {
                    s.bind(5, row.fields[1].substr(kReference.size()));
                }
                s.bind(6, row.fields[2]);
                bindOptional(s, 7, minimum);
                bindOptional(s, 8, maximum);
                s.bind(9, row.fields[5]);
            });
        }
    }

    static void bindOptional(SQLite::Statement& statement, int index,
                             std::optional<double> number) {
        if (number) {
            statement.bind(index, *number);
        }
    }

    void insertEntries() {
        SQLite::Statement statement(database_, "INSERT INTO entry VALUES (?,?,?,?)");
        for (const PlacedRow& row : rowsOf("entries", {"id", "name", "note"})) {
            if (const std::optional<std::string> kind = kindOrNote(row, "entries")) {
                insert(statement, row, fmt::format("{} {}", *kind, row.fields[0]),
                       [&](SQLite::Statement& s) {
                           s.bind(1, *kind);
                           s.bind(2, row.fields[0]);
                           s.bind(3, row.fields[1]);
                           s.bind(4, row.fields[2]);
                       });
                ++summary_.entries;
            }
        }
    }

    void insertFigures() {
        std::vector<PlacedRow> rows = rowsOf("figures", {"id", "key", "value", "status", "source",
                                                         "observed", "confidence", "note"});
        // The row in use first within its key, the others as the files have them.
        std::stable_sort(rows.begin(), rows.end(), [](const PlacedRow& a, const PlacedRow& b) {
            return inUse(a.fields[kStatusField]) > inUse(b.fields[kStatusField]);
        });
        SQLite::Statement statement(database_, "INSERT INTO figure VALUES (?,?,?,?,?,?,?,?,?,?,?)");
        std::map<std::tuple<std::string, std::string, std::string>, int> count;
        for (const PlacedRow& row : rows) {
            const std::optional<std::string> kind = kindOrNote(row, "figures");
            if (!kind) {
                continue;
            }
            const Fields& f = row.fields;
            int& seen = count[{*kind, f[0], f[1]}];
            if (seen > 0 && inUse(f[kStatusField])) {
                note(row, "{1}, {2}: a second row in use; one of them is conflicting or superseded",
                     {f[0], f[1]});
                continue;
            }
            insert(statement, row, fmt::format("{}, {}", f[0], f[1]), [&](SQLite::Statement& s) {
                s.bind(1, *kind);
                s.bind(2, f[0]);
                s.bind(3, f[1]);
                s.bind(4, seen);
                s.bind(5, f[2]);
                bindOptional(s, 6, numberOf(*kind, f[1], f[2]));
                for (int i = 3; i < 8; ++i) {
                    s.bind(i + 4, f[static_cast<std::size_t>(i)]);
                }
            });
            ++seen;
            sawDate(f[5]);
            ++summary_.figures;
        }
    }

    /// The value as a number where the key asks for one; text that happens to look like a number
    /// stays text.
    std::optional<double> numberOf(const std::string& kind, const std::string& key,
                                   const std::string& value) {
        if (types_.empty()) {
            SQLite::Statement types(database_, "SELECT kind, key, type FROM key_definition");
            while (types.executeStep()) {
                types_[{types.getColumn(0).getString(), types.getColumn(1).getString()}] =
                    types.getColumn(2).getString();
            }
        }
        const auto type = types_.find({kind, key});
        const bool isNumeric =
            type != types_.end() && (type->second == "number" || type->second == "flag");
        return isNumeric ? parseNumber(value) : std::nullopt;
    }

    void insertAliases() {
        SQLite::Statement statement(database_, "INSERT INTO alias VALUES (?,?,?,?,?,?,?)");
        const Fields header{"price_id", "provider", "chip", "chips", "basis", "instance", "note"};
        for (const PlacedRow& row : rowsOf("aliases", header)) {
            const Fields& f = row.fields;
            insert(statement, row, fmt::format("alias {}", f[0]), [&](SQLite::Statement& s) {
                s.bind(1, f[0]);
                s.bind(2, f[1]);
                bindIfAny(s, 3, f[2]);
                s.bind(4, static_cast<std::int64_t>(parseNumber(f[3]).value_or(0)));
                s.bind(5, f[4]);
                bindIfAny(s, 6, f[5]);
                s.bind(7, f[6]);
            });
        }
    }

    static void bindIfAny(SQLite::Statement& statement, int index, const std::string& text) {
        if (!text.empty()) {
            statement.bind(index, text);
        }
    }

    void insertPrices() {
        const Fields header{"provider", "unit_id", "region",     "plan",   "usd_per_hour",
                            "observed", "source",  "confidence", "status", "note"};
        std::vector<PlacedRow> rows = rowsOf("prices", header);
        // Listed rows before the others, newest first, so that ordinal 0 is the row in use.
        std::stable_sort(rows.begin(), rows.end(), [](const PlacedRow& a, const PlacedRow& b) {
            const bool aListed = a.fields[8] == "listed";
            const bool bListed = b.fields[8] == "listed";
            return aListed != bListed ? aListed : a.fields[5] > b.fields[5];
        });
        SQLite::Statement statement(database_, "INSERT INTO price VALUES (?,?,?,?,?,?,?,?,?,?,?)");
        std::map<std::tuple<std::string, std::string, std::string, std::string>, int> count;
        for (const PlacedRow& row : rows) {
            const Fields& f = row.fields;
            const std::optional<double> price = parseNumber(f[4]);
            if (!price) {
                note(row, "price {1} is not a number", {f[4]});
                continue;
            }
            insert(statement, row, fmt::format("price of {}", f[1]), [&](SQLite::Statement& s) {
                for (int i = 0; i < 4; ++i) {
                    s.bind(i + 1, f[static_cast<std::size_t>(i)]);
                }
                s.bind(5, count[{f[0], f[1], f[2], f[3]}]++);
                s.bind(6, *price);
                for (int i = 5; i < 10; ++i) {
                    s.bind(i + 2, f[static_cast<std::size_t>(i)]);
                }
            });
            sawDate(f[5]);
            if (f[8] == "listed") {
                newestPrice_ = std::max(newestPrice_, f[5]);
            }
            ++summary_.prices;
        }
    }

    void insertClaims() {
        SQLite::Statement statement(database_, "INSERT INTO claim VALUES (?,?,?,?,?,?,?)");
        int position = 0;
        for (const PlacedRow& row :
             rowsOf("claims", {"id", "statement", "said_by", "source", "observed", "note"})) {
            const Fields& f = row.fields;
            insert(statement, row, fmt::format("claim {}", f[0]), [&](SQLite::Statement& s) {
                s.bind(1, f[0]);
                s.bind(2, ++position);
                for (int i = 1; i < 6; ++i) {
                    s.bind(i + 2, f[static_cast<std::size_t>(i)]);
                }
            });
            sawDate(f[4]);
        }
    }

    void insertClaimChecks() {
        SQLite::Statement statement(database_,
                                    "INSERT INTO claim_check VALUES (?,?,?,?,?,?,?,?,?,?,?,?)");
        const Fields header{"claim",   "role", "kind",      "subject", "parameters", "relation",
                            "claimed", "unit", "tolerance", "margin",  "remark"};
        std::map<std::string, int> count;
        for (const PlacedRow& row : rowsOf("claim_checks", header)) {
            const Fields& f = row.fields;
            const std::optional<double> tolerance = parseNumber(f[8].empty() ? "0" : f[8]);
            const std::optional<double> margin = f[9].empty() ? tolerance : parseNumber(f[9]);
            if (!tolerance || !margin) {
                note(row, "tolerance {1} or margin {2} is not a number", {f[8], f[9]});
                continue;
            }
            insert(statement, row, fmt::format("check of {}", f[0]), [&](SQLite::Statement& s) {
                s.bind(1, f[0]);
                s.bind(2, count[f[0]]++);
                for (int i = 1; i < 8; ++i) {
                    s.bind(i + 2, f[static_cast<std::size_t>(i)]);
                }
                s.bind(10, *tolerance);
                s.bind(11, *margin);
                s.bind(12, f[10]);
            });
        }
    }

    // Rows of texts in the columns of their file, with their place.
    void insertTexts(const char* table, const char* file, const Fields& header) {
        std::string places = "?";
        for (std::size_t i = 0; i < header.size(); ++i) places += ",?";
        SQLite::Statement statement(database_,
                                    fmt::format("INSERT INTO {} VALUES ({})", table, places));
        int position = 0;
        for (const PlacedRow& row : rowsOf(file, header)) {
            insert(statement, row, fmt::format("{} {}", table, row.fields[0]),
                   [&](SQLite::Statement& s) {
                       s.bind(1, ++position);
                       for (std::size_t i = 0; i < header.size(); ++i)
                           s.bind(static_cast<int>(i) + 2, row.fields[i]);
                   });
        }
    }

    void refuseUnknownFiles() {
        for (const TextFile& file : files_) {
            if (std::find(read_.begin(), read_.end(), file.name) == read_.end()) {
                findings_.push_back(
                    Finding{Severity::Error,
                            Text{"the name is none of sources, keys_…, entries_…, figures_…, "
                                 "aliases, prices, claims, claim_checks, runs, calibration; "
                                 "nothing would read this file",
                                 {}},
                            Place{file.name, 0, 0, {}}});
            }
        }
    }

    void insertMeta() {
        SQLite::Statement statement(database_, "INSERT INTO meta VALUES (?,?)");
        const std::map<std::string, std::string> rows{
            {"hash", summary_.hash}, {"newest_price", newestPrice_}, {"version", summary_.version}};
        for (const auto& [name, value] : rows) {
            statement.reset();
            statement.bind(1, name);
            statement.bind(2, value);
            statement.exec();
        }
    }

    std::vector<TextFile> files_;
    SQLite::Database& database_;
    std::vector<std::string> read_;
    std::vector<Finding> findings_;
    std::map<std::pair<std::string, std::string>, std::string> types_;
    std::string newestPrice_;
    BuildSummary summary_;
};

Finding fileError(const std::string& file, std::string pattern, std::vector<Argument> arguments = {}) {
    return Finding{Severity::Error, Text{std::move(pattern), std::move(arguments)},
                   Place{file, 0, 0, {}}};
}

}  // namespace

Outcome<BuildSummary> buildCatalog(const std::string& schemaPath, const std::string& rowsFolder,
                                   const std::string& outputPath) {
    const std::optional<std::string> schema = readWhole(schemaPath);
    if (!schema) {
        return fileError(schemaPath, "the file can't be read");
    }
    std::error_code error;
    std::vector<TextFile> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(rowsFolder, error)) {
        if (entry.path().extension() == ".csv") {
            std::optional<std::string> content = readWhole(entry.path());
            if (!content) {
                return fileError(entry.path().string(), "the file can't be read");
            }
            files.push_back(TextFile{entry.path().filename().string(), std::move(*content)});
        }
    }
    if (error) {
        return fileError(rowsFolder, "the folder can't be read: {1}", {error.message()});
    }
    std::sort(files.begin(), files.end(),
              [](const TextFile& a, const TextFile& b) { return a.name < b.name; });
    units::ContentHash hash;
    hash.add(*schema);
    for (const TextFile& file : files) {
        hash.add(file.name);
        hash.add(file.content);
    }

    const fs::path target(outputPath);
    if (target.has_parent_path()) {
        fs::create_directories(target.parent_path(), error);
    }
    const fs::path draft = target.string() + ".new";
    fs::remove(draft, error);
    Outcome<BuildSummary> result = [&]() -> Outcome<BuildSummary> {
        try {
            SQLite::Database database(draft.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
            database.exec(
                "PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
                "PRAGMA foreign_keys = ON; PRAGMA encoding = 'UTF-8';");
            database.exec(*schema);
            Builder builder(std::move(files), database);
            builder.setHash(hash.hex());
            Outcome<BuildSummary> built = builder.build();
            if (built) {
                database.exec("VACUUM");
            }
            return built;
        } catch (const SQLite::Exception& e) {
            return fileError(outputPath, "the database can't be written: {1}", {e.what()});
        }
    }();
    if (!result) {
        fs::remove(draft, error);
        return result;
    }
    fs::rename(draft, target, error);
    if (error) {
        return fileError(outputPath, "the file can't be replaced: {1}", {error.message()});
    }
    return result;
}

}  // namespace trainwright::catalog
