// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "app/version.h"

namespace trainwright::app {

ExitCode version(const std::string& catalogOption) {
    std::string out = fmt::format("trainwright {} ({})\n", kProgramVersion, kBuildDescription);
    const Outcome<catalog::Catalog> catalog = openCatalog(catalogOption);
    if (!catalog) {
        say(catalog.findings());
        return print(out, ExitCode::BadInput);
    }
    out += fmt::format("catalog {} ({})\n", catalog->version(), catalog->hash());
    return print(out);
}

}  // namespace trainwright::app
