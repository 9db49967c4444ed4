// SPDX-License-Identifier: GPL-3.0-or-later
// Which files of a folder `trainwright report` has written there, and from what.
//
// Only a file that the manifest names is ever replaced or removed. It is written before the first
// page as well as after the last, so that a run that is stopped in between leaves no page behind
// that no one owns. A page's name is plain, as are those of the folders within it that it lies in:
// it can't lead out of the folder.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "model/units/outcome.h"
#include "reports/json_text.h"

namespace trainwright::app {

inline constexpr const char* kManifestFile = "trainwright-site.json";
inline constexpr const char* kIndexFile = "index.html";

struct SitePage {
    std::string inputs;   ///< fingerprint of all it was made from; empty: it is being made
    std::string content;  ///< fingerprint of its bytes; empty: it is being made
    reports::Json row;    ///< what the first page says of it
};

/// By file name, with the folders within the site's that it lies in.
using SitePages = std::map<std::string, SitePage>;

/// The pages of the manifest in `folder`; none where there is no manifest. One that isn't as this
/// program writes it is a Finding.
[[nodiscard]] Outcome<SitePages> readManifest(const std::string& folder);
[[nodiscard]] std::string manifestText(const SitePages& pages);

/// The bytes of a file; nothing where it can't be read.
[[nodiscard]] std::optional<std::string> bytesOf(const std::string& file);

/// "plan-70b.yaml" for "plan 70b.yaml": letters, digits, points, hyphens and underscores.
[[nodiscard]] std::string plainName(const std::string& name);

}  // namespace trainwright::app
