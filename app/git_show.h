// SPDX-License-Identifier: GPL-3.0-or-later
// A file as an earlier revision of git has it.
#pragma once

#include <cstddef>
#include <string>

#include "model/units/outcome.h"

namespace trainwright::app {

/// What `git show <object>` prints in `folder` ("" is the working folder), up to `limit` bytes.
/// A missing git, an unknown revision or path, and more than `limit`: a finding with git's words.
[[nodiscard]] Outcome<std::string> gitShow(const std::string& object, const std::string& folder,
                                           std::size_t limit);

/// The object that `revision` names of `file`: "main:plan.yaml" is one itself, and "main" with
/// "runs/plan.yaml" is "main:./plan.yaml", to be shown in "runs".
struct GitObject {
    std::string object, folder;
    std::string shown;  ///< what a reader is told
};
[[nodiscard]] GitObject gitObject(const std::string& revision, const std::string& file);

}  // namespace trainwright::app
