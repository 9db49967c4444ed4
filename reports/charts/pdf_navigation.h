// SPDX-License-Identifier: GPL-3.0-or-later
// What QPdfWriter leaves out: an outline, links within the document, a fixed date.
//
// Added as an incremental update: objects and a cross-reference section behind the file as it was
// written, of which nothing but the creation date changes. It understands the files of QPdfWriter,
// not any PDF.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace trainwright::reports::charts {

/// An entry of the outline: a heading and where it stands.
struct PdfHeading {
    std::string title;  ///< UTF-8
    int level = 0;      ///< 0: at the top; at most one more than that of the entry before
    int page = 0;       ///< from 0
    double top = 0;     ///< points from the page's lower edge
};

/// A box that leads somewhere, in points from the page's lower left corner.
struct PdfLink {
    int page = 0;
    double left = 0, bottom = 0, right = 0, top = 0;
    std::string url;     ///< an outside address, or empty
    int targetPage = 0;  ///< without one
    double targetTop = 0;
};

/// `file` with outline, links and language; std::nullopt where it isn't as QPdfWriter writes it.
[[nodiscard]] std::optional<std::string> withNavigation(std::string file,
                                                        const std::vector<PdfHeading>& outline,
                                                        const std::vector<PdfLink>& links,
                                                        const std::string& language);

}  // namespace trainwright::reports::charts
