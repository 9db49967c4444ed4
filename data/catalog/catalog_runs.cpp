// SPDX-License-Identifier: GPL-3.0-or-later
// Published runs and the calibration: rows that the catalog keeps as their files have them.
#include "data/catalog/calibration_rows.h"
#include "data/catalog/catalog_implementation.h"
#include "data/catalog/run_columns.h"

namespace trainwright::catalog {

namespace {

CsvTable rowsOf(const SQLite::Database& database, const std::string& table,
                const std::vector<std::string>& columns) {
    CsvTable out;
    out.file = "catalog";
    out.header = columns;
    SQLite::Statement rows(database, "SELECT * FROM " + table + " ORDER BY position");
    while (rows.executeStep()) {
        CsvRow row;
        row.line = rows.getColumn(0).getInt();
        for (int i = 0; i < static_cast<int>(columns.size()); ++i)
            row.fields.push_back(rows.getColumn(i + 1).getString());
        out.rows.push_back(std::move(row));
    }
    return out;
}

}  // namespace

CsvTable Catalog::runs() const {
    return rowsOf(implementation_->database, "run", runColumns());
}

const std::shared_ptr<const belief::Calibration>& Catalog::calibration() const {
    return implementation_->calibration;
}

void Catalog::useCalibration(std::shared_ptr<const belief::Calibration> calibration) {
    implementation_->calibration = std::move(calibration);
}

Outcome<std::shared_ptr<const belief::Calibration>> shippedCalibration(
    const SQLite::Database& database) {
    const CsvTable rows = rowsOf(database, "calibration", calibrationColumns());
    if (rows.rows.empty()) return std::shared_ptr<const belief::Calibration>();
    Outcome<belief::Calibration> read = readCalibration(rows);
    if (!read) return read.findings();
    return std::make_shared<const belief::Calibration>(std::move(read).value());
}

}  // namespace trainwright::catalog
