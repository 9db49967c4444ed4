// SPDX-License-Identifier: GPL-3.0-or-later
// Makes catalog.sqlite from schema.sql and rows/*.csv.
//
// The same schema and rows give the same bytes: rows are sorted, nothing depends on time or
// machine. The database is written beside the target and renamed over it, so that a failed build
// leaves the old one. Row formats are described in data/catalog/README.md.
#pragma once

#include <string>
#include <vector>

#include "model/units/outcome.h"

namespace trainwright::catalog {

/// What a build took in, for the message that the builder prints.
struct BuildSummary {
    long sources = 0, entries = 0, figures = 0, prices = 0;
    std::string version;  ///< newest date of any row
    std::string hash;     ///< 64-bit FNV-1a of the schema and the row files, in hexadecimal
};

/// Builds `outputPath`. Every row that a constraint refuses is a Finding with its file and line.
[[nodiscard]] Outcome<BuildSummary> buildCatalog(const std::string& schemaPath,
                                                 const std::string& rowsFolder,
                                                 const std::string& outputPath);

}  // namespace trainwright::catalog
