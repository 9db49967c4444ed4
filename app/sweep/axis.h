// SPDX-License-Identifier: GPL-3.0-or-later
// What a sweep runs over: a numeric key of a scenario and the values that it takes one after the
// other.
//
// "--over accelerators=1024..65536:x2" becomes an Axis. A key is named by its dotted path
// (training.sequence_length) or by any end of it that no other key shares (sequence_length); of a
// list, candidates.accelerators means every item and candidates[ultra].accelerators one. Values are
// written as a scenario writes them. Invariant: an axis has one value at least, each of them a
// value of its key by itself (what one value says of another is for the scenario reader). Ranges
// are kept as ranges, so that a million values take no more room than two.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/scenario/registry.h"
#include "model/units/outcome.h"

namespace trainwright::app {

/// One value of an axis.
struct AxisValue {
    std::string text;              ///< as a scenario takes it: "16384", "4k", "auto"
    std::optional<double> number;  ///< in base units; empty for a word
};

/// Values that follow each other evenly, or one value alone.
struct AxisPart {
    AxisValue first;
    long count = 1;
    double step = 0;    ///< added each time
    double factor = 1;  ///< by which it grows each time
};

class Axis {
public:
    /// `option` is what stands behind --over, which names the axis in findings.
    [[nodiscard]] static Outcome<Axis> parse(const std::string& option);

    [[nodiscard]] const scenario::Parameter& parameter() const { return *parameter_; }
    /// Which item of the key's list is meant ("ultra" of candidates[ultra].accelerators); empty:
    /// all.
    [[nodiscard]] const std::string& item() const { return item_; }
    [[nodiscard]] long size() const { return size_; }
    [[nodiscard]] AxisValue value(long index) const;
    /// The first and the last value of each part: those that can lie outside the key's bounds.
    [[nodiscard]] std::vector<AxisValue> extremes() const;
    /// What to call a column of these values: "restart_time_s", "ultra.accelerators".
    [[nodiscard]] std::string column() const;
    /// "--over accelerators=…", for findings; with the value where one is at fault.
    [[nodiscard]] Place place() const;
    [[nodiscard]] Place placeOf(const AxisValue& value) const;

private:
    [[nodiscard]] AxisValue generated(const AxisPart& part, long index) const;

    const scenario::Parameter* parameter_ = nullptr;
    std::string name_;  ///< of the key, as typed
    std::string item_;
    std::vector<AxisPart> parts_;
    long size_ = 0;
};

}  // namespace trainwright::app
