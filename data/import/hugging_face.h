// SPDX-License-Identifier: GPL-3.0-or-later
// Architectures out of a Hugging Face `config.json`.
//
// Each family of models names its sizes in its own way; `model_type` says which. What is read is
// the shape of the text model alone: towers for images and sound, quantisation and everything that
// concerns inference are left out, and left-out parts of the model are said as notes. Nothing is
// guessed: a size that is missing is an error unless the family itself has a value for it, which is
// said too. The file is not trusted: its size, its nesting and every number are bounded.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/units/outcome.h"
#include "model/workload/architecture.h"

namespace trainwright::import {

inline constexpr std::size_t kMaxConfigBytes = std::size_t{4} << 20U;
inline constexpr int kMaxConfigDepth = 64;

/// The values of `model_type` that are known, in alphabetical order.
[[nodiscard]] std::vector<std::string> knownModelTypes();

/// The architecture that `json` describes. Its id comes from the name of `file` (of its folder for
/// a plain config.json), its family is the model_type. Findings: notes of what isn't modelled and
/// of values taken from the family; as errors, what keeps it from being read, each with its place.
[[nodiscard]] Outcome<workload::Architecture> architectureFromConfig(const std::string& json,
                                                                     const std::string& file);

/// Reads the file first: a missing, unreadable or oversized one is a finding.
[[nodiscard]] Outcome<workload::Architecture> architectureFromConfigFile(const std::string& path);

}  // namespace trainwright::import
