// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/import/price_import.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "data/import/price_csv.h"
#include "data/import/price_formats.h"
#include "data/import/price_json.h"

namespace trainwright::import {

namespace prices {
namespace {

Finding unknownFormat(const std::string& file) {
    std::string known;
    for (const std::string& format : knownPriceFormats()) {
        known += (known.empty() ? "" : "; ") + format;
    }
    return Finding{Severity::Error,
                   Text{"this is none of the files that prices are read from: {1}", {known}},
                   Place{file, 0, 0, {}}};
}

/// By a key that one format alone has in its records or pages.
std::optional<Format> formatOfKey(std::string_view key) {
    static const std::map<std::string_view, Format> kKeys = {
        {"PriceList", Format::GetProducts},
        {"product", Format::GetProducts},
        {"SpotPriceHistory", Format::SpotHistory},
        {"SpotPrice", Format::SpotHistory},
        {"CapacityBlockOfferings", Format::CapacityBlockOfferings},
        {"CapacityBlockOfferingId", Format::CapacityBlockOfferings},
        {"instance_types", Format::CapacityBlockPage},
        {"InstanceTypes", Format::InstanceTypes},
        {"VCpuInfo", Format::InstanceTypes},
        {"InstanceTypeOfferings", Format::InstanceOfferings},
        {"LocationType", Format::InstanceOfferings},
        {"instance_type", Format::Vantage},
        {"pricing", Format::Vantage}};
    const auto found = kKeys.find(key);
    return found == kKeys.end() ? std::nullopt : std::optional(found->second);
}

/// Whether the terms that begin here are those of Savings Plans.
Format formatOfTerms(JsonReader& json) {
    Format format = Format::AwsOfferJson;
    json.object([&](std::string_view key) {
        if (key == "savingsPlan") format = Format::SavingsPlanOffer;
        json.skip();
    });
    return format;
}

/// Passes over the object that has begun until a key tells.
std::optional<Format> formatOfObject(JsonReader& json) {
    while (true) {
        if (json.next() != Token::Key) return std::nullopt;
        const std::string key(json.text());
        if (const auto format = formatOfKey(key)) return format;
        if (key == "products") {
            return json.next() == Token::ArrayBegin ? Format::SavingsPlanOffer
                                                    : Format::AwsOfferJson;
        }
        if (key == "terms") return formatOfTerms(json);
        json.skip();
    }
}

Outcome<Format> formatOfJson(FileSource& source, const std::string& file) {
    source.rewind();
    JsonReader json(source, file);
    std::optional<Format> format;
    Token token = json.next();
    if (token == Token::ArrayBegin) {
        token = json.next();
        if (token == Token::String) {
            // Texts of products, as `--query PriceList` leaves them.
            const std::string text(json.text());
            TextSource inner(text);
            JsonReader product(inner, file, json.place());
            if (product.next() == Token::ObjectBegin) format = formatOfObject(product);
            if (format != Format::GetProducts) format.reset();
        } else if (token == Token::ObjectBegin) {
            format = formatOfObject(json);
        } else if (token == Token::ArrayEnd) {
            return Finding{Severity::Error,
                           Text{"the file holds an empty array: there is nothing to import", {}},
                           Place{file, 0, 0, {}}};
        }
    } else if (token == Token::ObjectBegin) {
        format = formatOfObject(json);
    }
    if (json.failed()) return json.error();
    source.rewind();
    if (!format) return unknownFormat(file);
    return *format;
}

Outcome<Format> formatOfCsv(FileSource& source, const std::string& file) {
    TextSource beginning(source.beginning());
    CsvReader csv(beginning, file);
    if (!csv.next()) {
        return csv.failed() ? csv.error() : unknownFormat(file);
    }
    const std::string first(csv.field(0U));
    csv.useAsHeader();
    if (first == "FormatVersion" || first == "SKU") return Format::AwsOfferCsv;
    if (csv.column("usd_per_hour") || csv.column("unit_id")) return Format::PlainCsv;
    if (csv.column("ChargeCategory") && csv.column("EffectiveCost")) return Format::Focus;
    if (csv.column("InstanceType") && csv.column("Price") && csv.column("AcceleratorName")) {
        return Format::SkyPilot;
    }
    if (csv.column("lineItem/UsageType") || csv.column("line_item_usage_type")) {
        return Finding{Severity::Error,
                       Text{"this is a Cost and Usage Report in its older form; the same bill as a "
                            "FOCUS export can be read",
                            {}},
                       csv.place()};
    }
    return unknownFormat(file);
}

}  // namespace

Outcome<Format> formatOf(FileSource& source, const std::string& file) {
    std::string_view text = source.beginning();
    if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
    if (text.substr(0, 2) == "\xFF\xFE" || text.substr(0, 2) == "\xFE\xFF") {
        return Finding{Severity::Error,
                       Text{"the file is UTF-16; it can be read once it is UTF-8", {}},
                       Place{file, 0, 0, {}}};
    }
    const std::size_t at = text.find_first_not_of(" \t\r\n");
    if (at == std::string_view::npos) {
        return Finding{Severity::Error, Text{"the file is empty", {}}, Place{file, 0, 0, {}}};
    }
    return text[at] == '{' || text[at] == '[' ? formatOfJson(source, file)
                                              : formatOfCsv(source, file);
}

}  // namespace prices

namespace {

using namespace prices;

Trouble readOne(Format format, FileSource& source, const std::string& file,
                PriceCollector& collector, const SkuTable& skus) {
    switch (format) {
        case Format::AwsOfferJson:
            return readAwsOfferJson(source, file, collector);
        case Format::AwsOfferCsv:
            return readAwsOfferCsv(source, file, collector);
        case Format::GetProducts:
            return readGetProducts(source, file, collector);
        case Format::SavingsPlanOffer:
            return readSavingsPlanOffer(source, file, collector, skus);
        case Format::SpotHistory:
            return readSpotHistory(source, file, collector);
        case Format::CapacityBlockOfferings:
            return readCapacityBlockOfferings(source, file, collector);
        case Format::CapacityBlockPage:
            return readCapacityBlockPage(source, file, collector);
        case Format::InstanceTypes:
            return readInstanceTypes(source, file, collector);
        case Format::InstanceOfferings:
            return readInstanceOfferings(source, file, collector);
        case Format::SkyPilot:
            return readSkyPilot(source, file, collector);
        case Format::Vantage:
            return readVantage(source, file, collector);
        case Format::Focus:
            return readFocus(source, file, collector);
        case Format::PlainCsv:
            return readPlainCsv(source, file, collector);
    }
    return std::nullopt;
}

struct OpenFile {
    std::size_t position = 0;  ///< as given
    std::string path;
    std::unique_ptr<FileSource> source;
    Format format = Format::PlainCsv;
};

}  // namespace

Outcome<PriceImport> readPriceFiles(const std::vector<std::string>& files,
                                    const catalog::Catalog& catalog,
                                    const PriceImportSettings& settings) {
    // Everything is opened, and its format told, before anything long begins.
    std::vector<OpenFile> open;
    std::vector<Finding> findings;
    std::int64_t before = 0;
    std::int64_t all = 0;
    for (const std::string& path : files) {
        Outcome<std::unique_ptr<FileSource>> source =
            FileSource::open(path, [&settings, &before, &all](std::int64_t read) {
                if (settings.progress && all > 0) settings.progress(before + read, all);
            });
        if (!source) {
            findings.insert(findings.end(), source.findings().begin(), source.findings().end());
            continue;
        }
        const Outcome<Format> format = formatOf(**source, path);
        if (!format) {
            findings.insert(findings.end(), format.findings().begin(), format.findings().end());
            continue;
        }
        open.push_back(OpenFile{open.size(), path, std::move(source).value(), *format});
    }
    if (!findings.empty()) return findings;
    for (const OpenFile& file : open) all += file.source->size();

    // Savings Plans last: they refer to the SKUs of the others.
    std::vector<OpenFile*> order;
    for (OpenFile& file : open) order.push_back(&file);
    std::stable_partition(order.begin(), order.end(), [](const OpenFile* file) {
        return file->format != Format::SavingsPlanOffer;
    });

    PriceImport result;
    result.files.resize(open.size());
    const Places places(catalog);
    SkuTable skus;
    for (const catalog::ImportedSku& sku : catalog.overlay().skus()) skus[sku.sku] = sku;
    for (OpenFile* file : order) {
        PriceCollector collector(catalog, places, settings.today, result.batch.files.size());
        file->source->rewind();
        if (Trouble trouble = readOne(file->format, *file->source, file->path, collector, skus)) {
            return *std::move(trouble);
        }
        catalog::ImportedFile about;
        about.name = std::filesystem::path(file->path).filename().string();
        about.hash = file->source->hash();
        about.bytes = file->source->size();
        const std::size_t firstSku = result.batch.skus.size();
        result.files[file->position] = collector.finish(result.batch, std::move(about));
        for (std::size_t i = firstSku; i < result.batch.skus.size(); ++i) {
            skus[result.batch.skus[i].sku] = result.batch.skus[i];
        }
        before += file->source->size();
    }
    return result;
}

const std::vector<std::string>& knownPriceFormats() {
    static const std::vector<std::string> kFormats = {
        "AWS's EC2 offer file (JSON or CSV)",
        "AWS's Savings Plan offer file (JSON)",
        "aws pricing get-products",
        "aws ec2 describe-spot-price-history",
        "aws ec2 describe-capacity-block-offerings",
        "aws ec2 describe-instance-types",
        "aws ec2 describe-instance-type-offerings",
        "a scrape of the Capacity Block price page",
        "SkyPilot's vms.csv",
        "vantage's instances.json",
        "a FOCUS billing export (CSV)",
        "CSV with the columns provider, unit_id, region, plan, usd_per_hour and observed"};
    return kFormats;
}

}  // namespace trainwright::import
