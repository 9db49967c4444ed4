// SPDX-License-Identifier: GPL-3.0-or-later
// Turns figures into the engine's structs: chips, systems, models.
//
// Every field comes from a figure in use. A figure that the engine can't do without and that the
// catalog lacks is a finding that names it; nothing is made up here. Wiring that is written as text
// ("4x4x4", "128x512:1.0,…") is read by the functions at the end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/catalog/figure_set.h"
#include "model/machine/machine.h"
#include "model/units/outcome.h"
#include "model/workload/architecture.h"

namespace trainwright::catalog {

[[nodiscard]] Outcome<machine::ChipSpec> chipFromFigures(const Entry& entry, FigureSet figures);

/// `figures` of an instance, or of a cluster over those of the machine it is made of.
[[nodiscard]] Outcome<machine::SystemSpec> systemFromFigures(const Entry& entry, FigureSet figures,
                                                             const machine::ChipSpec& chip);

[[nodiscard]] Outcome<workload::Architecture> architectureFromFigures(const Entry& entry,
                                                                      FigureSet figures);

/// "4x4x4"; std::nullopt if it is anything else.
[[nodiscard]] std::optional<std::vector<int>> dimensionsFromText(const std::string& text);
/// "128x512:1.00,128x128:0.53"
[[nodiscard]] std::optional<std::vector<machine::GemmTile>> tilesFromText(const std::string& text);
/// "rack:2:1.0:1e-6,spine:512:1.0:1e-6": name, hosts joined, oversubscription, seconds a hop.
[[nodiscard]] std::optional<std::vector<machine::ScaleOutTier>> tiersFromText(
    const std::string& text);
[[nodiscard]] std::optional<machine::FabricKind> fabricKindFromText(const std::string& text);

}  // namespace trainwright::catalog
