// SPDX-License-Identifier: GPL-3.0-or-later
// Prices (and what comes with them) out of the files that people have.
//
// Known are AWS's offer files (EC2 as JSON and CSV, Savings Plans as JSON), `aws pricing
// get-products`, `aws ec2 describe-spot-price-history`, `describe-capacity-block-offerings`,
// `describe-instance-types` and `describe-instance-type-offerings`, scrapes of the Capacity Block
// price page, SkyPilot's vms.csv, vantage's instances.json, FOCUS billing exports, and plain CSV in
// the columns of the catalog's own prices. The content tells which it is; the name of the file
// doesn't matter. Files are read in pieces: memory doesn't grow with their length.
//
// Invariant: a price that is taken is that of one shared Linux machine that the catalog describes,
// by the hour, in US dollars, above zero, in the place where it holds (a Local Zone is none of its
// region). What isn't, is left and counted by reason. A file that isn't whole or isn't sound gives
// an error with its place and nothing at all: no file of the same call is taken then. It writes
// nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "data/catalog/catalog.h"
#include "data/catalog/overlay.h"
#include "model/units/outcome.h"

namespace trainwright::import {

struct PriceImportSettings {
    /// Of the prices in files that don't say when they were seen, ISO; also what "after today" is
    /// measured by.
    std::string today;
    /// Called now and then with the bytes read so far and those of all files.
    std::function<void(std::int64_t read, std::int64_t all)> progress;
};

/// Rows that were left for one reason.
struct LeftRows {
    Text reason;
    std::int64_t count = 0;
    std::string example;  ///< the first one: an instance type, a SKU, a line
};

struct PriceFileReport {
    catalog::ImportedFile file;
    std::size_t prices = 0, facts = 0, offerings = 0;  ///< taken
    std::vector<LeftRows> left;                        ///< most frequent first
    std::vector<Text> notes;                           ///< what else is worth knowing
};

struct PriceImport {
    catalog::ImportBatch batch;
    std::vector<PriceFileReport> files;  ///< in the order given
};

/// Reads all `files`. `catalog` says which instances there are, what they have, and which SKUs
/// earlier imports brought.
[[nodiscard]] Outcome<PriceImport> readPriceFiles(const std::vector<std::string>& files,
                                                  const catalog::Catalog& catalog,
                                                  const PriceImportSettings& settings);

/// The formats in words, for help and messages.
[[nodiscard]] const std::vector<std::string>& knownPriceFormats();

}  // namespace trainwright::import
