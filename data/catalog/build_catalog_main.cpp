// SPDX-License-Identifier: GPL-3.0-or-later
// Build-time tool: build_catalog SCHEMA ROWS_FOLDER OUTPUT.
#include <fmt/format.h>

#include "data/catalog/catalog_builder.h"

int main(int argc, char** argv) {
    if (argc != 4) {
        fmt::print(stderr,
                   "three arguments are expected: schema.sql, the folder of the rows, the database "
                   "to write\n");
        return 2;
    }
    const auto summary = trainwright::catalog::buildCatalog(argv[1], argv[2], argv[3]);
    for (const trainwright::Finding& finding : summary.findings()) {
        fmt::print(stderr, "{}\n", finding.english());
    }
    if (!summary) {
        return 1;
    }
    fmt::print("catalog {} ({}): {} sources, {} entries, {} figures, {} prices\n", summary->version,
               summary->hash, summary->sources, summary->entries, summary->figures,
               summary->prices);
    return 0;
}
