// SPDX-License-Identifier: GPL-3.0-or-later
// A document as PDF: pages laid out with QPainter, text that can be selected, charts as vectors.
//
// The first page holds the answer and the document's first section. Tables wrap, then shrink, then
// leave columns out in the order that the document gives, and say so; their header stands on every
// page. Fonts are embedded. The creation date is fixed, so that the same document gives the same
// bytes. It writes no tags for screen readers: HTML is the format for these.
#pragma once

#include <string>

#include "reports/writers.h"

namespace trainwright::reports {

/// Needs an application (ChartApplication).
[[nodiscard]] Outcome<std::string> pdf(const Document& document, Paper paper);

}  // namespace trainwright::reports
