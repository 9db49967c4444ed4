// SPDX-License-Identifier: GPL-3.0-or-later
// The readers of price files, a format each, and how their content tells them apart.
//
// A reader takes a file from its first byte to its last, gives what it finds to the collector, and
// returns the finding when the file isn't whole or isn't sound: the collector's content is then
// nothing. Each states its format's own rules at its head; those of all are the collector's.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "data/import/price_collector.h"
#include "data/import/price_input.h"

namespace trainwright::import::prices {

enum class Format {
    AwsOfferJson,
    AwsOfferCsv,
    GetProducts,
    SavingsPlanOffer,
    SpotHistory,
    CapacityBlockOfferings,
    CapacityBlockPage,
    InstanceTypes,
    InstanceOfferings,
    SkyPilot,
    Vantage,
    Focus,
    PlainCsv,
};

/// What the file is, by its beginning and, where that isn't enough, more of it. A finding names
/// what is known when it is nothing of that, or says what is wrong before that shows.
[[nodiscard]] Outcome<Format> formatOf(FileSource& source, const std::string& file);

using Trouble = std::optional<Finding>;

[[nodiscard]] Trouble readAwsOfferJson(FileSource&, const std::string& file, PriceCollector&);
[[nodiscard]] Trouble readAwsOfferCsv(FileSource&, const std::string& file, PriceCollector&);
[[nodiscard]] Trouble readGetProducts(FileSource&, const std::string& file, PriceCollector&);
[[nodiscard]] Trouble readSpotHistory(FileSource&, const std::string& file, PriceCollector&);
[[nodiscard]] Trouble readCapacityBlockOfferings(FileSource&, const std::string& file,
                                                 PriceCollector&);
[[nodiscard]] Trouble readCapacityBlockPage(FileSource&, const std::string& file, PriceCollector&);
[[nodiscard]] Trouble readInstanceTypes(FileSource&, const std::string& file, PriceCollector&);
[[nodiscard]] Trouble readInstanceOfferings(FileSource&, const std::string& file, PriceCollector&);
[[nodiscard]] Trouble readSkyPilot(FileSource&, const std::string& file, PriceCollector&);
[[nodiscard]] Trouble readVantage(FileSource&, const std::string& file, PriceCollector&);
[[nodiscard]] Trouble readFocus(FileSource&, const std::string& file, PriceCollector&);
[[nodiscard]] Trouble readPlainCsv(FileSource&, const std::string& file, PriceCollector&);

/// SKUs of on-demand Linux hours, by SKU.
using SkuTable = std::unordered_map<std::string, catalog::ImportedSku>;
/// `skus` are those of the EC2 offer files read before.
[[nodiscard]] Trouble readSavingsPlanOffer(FileSource&, const std::string& file, PriceCollector&,
                                           const SkuTable& skus);

}  // namespace trainwright::import::prices
