// SPDX-License-Identifier: GPL-3.0-or-later
// `aws ec2 describe-instance-types` and `describe-instance-type-offerings`: what machines have and
// where they are offered. The catalog's figures stand: a figure that contradicts them is kept
// beside them and said, and becomes the one in use only where the catalog has none.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "data/catalog/catalog_text.h"
#include "data/import/price_records.h"
#include "model/units/text_quantity.h"

namespace trainwright::import::prices {
namespace {

constexpr double kMebi = 1024.0 * 1024.0;
constexpr double kGiga = 1e9;
constexpr double kBitsPerByte = 8.0;

/// "3200 Gigabit"; nothing of "Up to 12.5 Gigabit", which is a burst.
std::optional<double> bytesPerSecond(const std::string& text) {
    const std::string_view unit = " Gigabit";
    if (text.size() <= unit.size() ||
        text.compare(text.size() - unit.size(), unit.size(), unit) != 0) {
        return std::nullopt;
    }
    const Amount amount = readAmount(std::string_view(text).substr(0, text.size() - unit.size()));
    if (amount.kind != AmountKind::Amount) return std::nullopt;
    return amount.value * kGiga / kBitsPerByte;
}

struct Accelerators {
    double count = 0;
    double bytesEach = 0;
    std::string name;
};

/// The devices of a list under `key`; sizes as its first device has them.
std::optional<Accelerators> devicesOf(const Record& info, const char* key) {
    const Record& devices = memberOf(info, key);
    if (!devices.is_array() || devices.empty()) return std::nullopt;
    Accelerators all;
    for (const Record& device : devices) {
        all.count += numberOf(device, "Count").value_or(0);
        if (all.name.empty()) {
            all.name = textOf(device, "Name");
            all.bytesEach =
                numberOf(memberOf(device, "MemoryInfo"), "SizeInMiB").value_or(0) * kMebi;
        }
    }
    return all;
}

class TypeReader {
public:
    explicit TypeReader(PriceCollector& collector) : collector_(collector) {}

    void read(const Record& r) {
        type_ = textOf(r, "InstanceType");
        if (collector_.catalog().kindOf(type_) != "instance") {
            collector_.leaveUnknown(type_);
            return;
        }
        ++types_;
        figures_ = collector_.catalog().figures("instance", type_);
        compare("vcpus_per_unit", numberOf(memberOf(r, "VCpuInfo"), "DefaultVCpus"), 0);
        compare("host_memory_bytes",
                scaled(numberOf(memberOf(r, "MemoryInfo"), "SizeInMiB"), kMebi), 0.02);
        compare("nvme_bytes",
                scaled(numberOf(memberOf(r, "InstanceStorageInfo"), "TotalSizeInGB"), kGiga), 0.02);
        compare("network_bandwidth_bytes_per_s",
                bytesPerSecond(textOf(memberOf(r, "NetworkInfo"), "NetworkPerformance")), 0.01);
        // Inferentia's older description stands beside the newer one: it is never added to it.
        std::optional<Accelerators> devices = devicesOf(memberOf(r, "NeuronInfo"), "NeuronDevices");
        if (!devices) devices = devicesOf(memberOf(r, "GpuInfo"), "Gpus");
        if (!devices) {
            devices = devicesOf(memberOf(r, "InferenceAcceleratorInfo"), "Accelerators");
        }
        if (devices) compareAccelerators(*devices);
    }

    [[nodiscard]] long agreed() const { return agreed_; }
    [[nodiscard]] long types() const { return types_; }

private:
    static std::optional<double> scaled(std::optional<double> value, double factor) {
        return value ? std::optional(*value * factor) : std::nullopt;
    }

    [[nodiscard]] const catalog::Figure* inUse(const std::string& key) const {
        for (const catalog::Figure& f : figures_) {
            if (f.key == key && f.number &&
                (f.status == catalog::Status::Adopted || f.status == catalog::Status::Estimated)) {
                return &f;
            }
        }
        return nullptr;
    }

    void keep(const std::string& key, double value, catalog::Status status, std::string note) {
        catalog::ImportedFact fact;
        fact.unitId = type_;
        fact.key = key;
        fact.value = units::plainNumber(value);
        fact.status = status;
        fact.note = std::move(note);
        collector_.take(std::move(fact));
    }

    void compare(const std::string& key, std::optional<double> value, double tolerance) {
        if (!value || !(*value > 0)) return;
        const catalog::Figure* known = inUse(key);
        if (known == nullptr) {
            keep(key, *value, catalog::Status::Adopted, {});
            return;
        }
        if (std::abs(*value - *known->number) <= tolerance * *known->number) {
            ++agreed_;
            return;
        }
        keep(key, *value, catalog::Status::Conflicting,
             "AWS's description of the type differs from the catalog, whose figure stands");
        catalog::Figure own = *known;
        own.number = *value;
        own.value = units::plainNumber(*value);
        collector_.note(
            Text{"{1}: {2} is {3} in this file and {4} in the catalog, which stands.",
                 {type_, key, catalog::displayValue(own), catalog::displayValue(*known)}});
    }

    void compareAccelerators(const Accelerators& devices) {
        const catalog::Figure* count = inUse("chips_per_unit");
        if (count != nullptr && devices.count != *count->number) {
            collector_.leave("a number of accelerators that isn't the catalog's, which stands",
                             type_);
            collector_.note(Text{
                "{1}: {2} accelerators in this file, {3} in the catalog, which stand.",
                {type_, units::plainNumber(devices.count), units::plainNumber(*count->number)}});
        } else if (count != nullptr) {
            ++agreed_;
        }
        if (devices.name == "NVIDIA" || devices.name.empty()) {
            collector_.note(
                Text{"{1}: the accelerator's name is missing in this file; the "
                     "catalog's stands.",
                     {type_}});
        }
        std::string chip;
        for (const catalog::PricedUnit& unit : collector_.catalog().pricedUnits()) {
            if (unit.id == type_) chip = unit.chip;
        }
        if (chip.empty() || !(devices.bytesEach > 0)) return;
        for (const catalog::Figure& f : collector_.catalog().figures("chip", chip)) {
            const bool isInUse =
                f.status == catalog::Status::Adopted || f.status == catalog::Status::Estimated;
            if (f.key != "hbm_bytes" || !f.number || !isInUse) continue;
            // Listings mix GB and GiB and leave out what the driver keeps.
            constexpr double kTolerance = 0.12;
            if (std::abs(devices.bytesEach - *f.number) <= kTolerance * *f.number) {
                ++agreed_;
                return;
            }
            collector_.leave(
                "a memory of the accelerator that contradicts the catalog's, which "
                "stands",
                type_);
            const std::string own =
                units::displayQuantity(units::QuantityKind::DataSize, devices.bytesEach);
            const std::string catalogs =
                units::displayQuantity(units::QuantityKind::DataSize, *f.number);
            collector_.note(
                Text{"{1}: {2} a chip in this file is refused against the catalog's "
                     "{3} of {4}.",
                     {type_, own, catalogs, chip}});
            if (count != nullptr) {
                keep("accelerator_memory_bytes", devices.bytesEach * *count->number,
                     catalog::Status::Rejected,
                     own + " a chip against " + catalogs + " of " + chip +
                         ": the catalog's figure stands");
            }
        }
    }

    PriceCollector& collector_;
    std::string type_;
    std::vector<catalog::Figure> figures_;
    long agreed_ = 0;
    long types_ = 0;
};

}  // namespace

Trouble readInstanceTypes(FileSource& source, const std::string& file, PriceCollector& collector) {
    TypeReader reader(collector);
    const Trouble trouble =
        readRecords(source, file, "InstanceTypes", [&](const Record& r) -> std::optional<Text> {
            reader.read(r);
            return std::nullopt;
        });
    if (trouble) return trouble;
    collector.setFormat("AWS instance types");
    collector.note(Text{"{1} figures of {2} instance types agree with the catalog.",
                        {std::to_string(reader.agreed()), std::to_string(reader.types())}});
    return std::nullopt;
}

Trouble readInstanceOfferings(FileSource& source, const std::string& file,
                              PriceCollector& collector) {
    const Trouble trouble = readRecords(
        source, file, "InstanceTypeOfferings", [&](const Record& r) -> std::optional<Text> {
            const std::string type = textOf(r, "InstanceType");
            if (!collector.knows(type)) {
                collector.leaveUnknown(type);
                return std::nullopt;
            }
            const std::string location = textOf(r, "Location");
            std::optional<PricePlace> place = collector.places().ofZone(location);
            if (!place && Places::isRegion(location)) place = PricePlace{location, {}};
            if (!place) {
                collector.leave("in a place whose region can't be told", type + " " + location);
                return std::nullopt;
            }
            collector.take(catalog::ImportedOffering{0, type, place->region, place->zone, {}});
            return std::nullopt;
        });
    if (trouble) return trouble;
    collector.setFormat("AWS instance type offerings");
    collector.note(
        Text{"An instance type that is offered in a place need not be on sale there on "
             "demand.",
             {}});
    return std::nullopt;
}

}  // namespace trainwright::import::prices
