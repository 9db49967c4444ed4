// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/catalog/catalog.h"

#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "data/catalog/catalog_text.h"

namespace trainwright::app {
namespace {

catalog::TextFormat formatOf(const CatalogOptions& options) {
    return options.json ? catalog::TextFormat::Json : catalog::TextFormat::Text;
}

using View = Outcome<std::string> (*)(const catalog::Catalog&, const std::string&,
                                      catalog::TextFormat);

ExitCode printView(const CatalogOptions& options, View view) {
    const Outcome<catalog::Catalog> catalog = openCatalog(options.catalog);
    if (!catalog) {
        say(catalog.findings());
        return ExitCode::BadInput;
    }
    const Outcome<std::string> text = view(*catalog, options.subject, formatOf(options));
    say(text.findings());
    return text ? print(*text) : ExitCode::BadInput;
}

}  // namespace

ExitCode catalogList(const CatalogOptions& options) {
    return printView(options, catalog::list);
}

ExitCode catalogShow(const CatalogOptions& options) {
    return printView(options, catalog::show);
}

ExitCode catalogCheck(const CatalogOptions& options) {
    const Outcome<catalog::Catalog> catalog = openCatalog(options.catalog);
    if (!catalog) {
        say(catalog.findings());
        return ExitCode::BadInput;
    }
    const std::vector<Finding> findings = catalog->check();
    return print(catalog::checkReport(*catalog, findings, formatOf(options)),
                 hasErrors(findings) ? ExitCode::BadInput : ExitCode::Done);
}

}  // namespace trainwright::app
