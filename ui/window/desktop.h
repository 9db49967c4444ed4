// SPDX-License-Identifier: GPL-3.0-or-later
// The desktop's door: what the program hands it, and the function that runs it. Without Qt, so that
// the program need not know it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "data/catalog/catalog.h"
#include "data/scenario/scenario.h"
#include "reports/report.h"

namespace trainwright::ui {

/// Opens the catalog, on each thread that needs one.
using CatalogOpener = std::function<Outcome<catalog::Catalog>()>;

/// What reports say of a scenario read from `text` and shown as `shown`.
using ContextMaker = std::function<reports::ReportContext(
    const scenario::Scenario& scenario, const std::string& text, const std::string& shown,
    const catalog::Catalog& catalog)>;

/// The text of `file` at a revision of git.
using RevisionReader =
    std::function<Outcome<std::string>(const std::string& revision, const std::string& file)>;

/// Writes a report of a plan, in the format that the suffix of `file` names; what kept it from
/// being written.
using ReportWriter = std::function<std::vector<Finding>(
    const search::PlanRequest& request, const search::PlanResult& result,
    const reports::ReportContext& context, const std::string& language, const std::string& file)>;

struct DesktopOptions {
    CatalogOpener openCatalog;
    ContextMaker contextOf;
    RevisionReader readRevision;
    ReportWriter writeReport;
    std::string catalog;   ///< the shipped catalog's file
    std::string overlay;   ///< the user's own catalog rows; "" when none is in use
    std::string examples;  ///< folder of example scenarios
    std::string programVersion;
    std::string language;            ///< "en", "es"; "" for the system's
    std::vector<std::string> files;  ///< to open
};

/// Lets the pictures of windows and charts be made in memory that was used before, 48 MiB of it
/// from the start. glibc gives large pieces back at once, and every page of a new one costs a visit
/// to the kernel: half of the time of a repaint while a window's edge is dragged. Before the first
/// window.
void keepLargeMemory();

/// Runs the desktop until its last window is closed; the exit code. `argc` and `argv` are Qt's to
/// read and must live as long.
[[nodiscard]] int runDesktop(int& argc, char** argv, const DesktopOptions& options);

}  // namespace trainwright::ui
