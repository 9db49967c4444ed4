// SPDX-License-Identifier: GPL-3.0-or-later
// Turns the catalog's figures of a software profile into the struct that the engine lays out and
// times with.
//
// Each field of SoftwareProfile has one key of the kind "profile" (rows/keys_profile.csv); all of
// them must have a row in use, except the states of a sharding mode that the profile doesn't offer.
// Other keys of a profile (its rules and FLOP conventions in words) are for readers and are passed
// over. Nothing is assumed for a figure that is missing: no profile comes of it, and the findings
// name every figure at fault.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/catalog/catalog.h"
#include "model/layout/software_profile.h"
#include "model/units/outcome.h"

namespace trainwright::catalog {

/// The profile `id` from its rows in any order; rows that are neither adopted nor estimated are not
/// looked at. The title is the id, since the entry's name is no figure: the caller sets it.
[[nodiscard]] Outcome<layout::SoftwareProfile> profileFromFigures(
    const std::string& id, const std::vector<Figure>& figures);

/// Bytes of a parameter written as "weights:2,gradients:4,master:4/d,optimizer:8/d": each of the
/// four once, in any order, "/d" where the data-parallel ranks share it.
[[nodiscard]] Outcome<layout::StateBytes> stateBytesFromText(std::string_view text);

/// The keys that profileFromFigures reads, in the order of keys_profile.csv.
[[nodiscard]] const std::vector<std::string>& profileKeys();

}  // namespace trainwright::catalog
