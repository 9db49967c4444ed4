// SPDX-License-Identifier: GPL-3.0-or-later
// The palette of the reports as Qt has it: one colour for each meaning, in light and in dark.
//
// Widgets take every colour from here, by its meaning, so that a change of theme is a change of the
// application's QPalette and nothing else: what paints itself asks again in changeEvent().
#pragma once

#include <QColor>
#include <QPalette>

#include "reports/palette.h"

namespace trainwright::ui {

/// Whether text is lighter than what it stands on.
[[nodiscard]] bool isDark(const QPalette& palette);

[[nodiscard]] QColor colour(reports::Role role, bool dark);
/// As the palette of a widget is light or dark.
[[nodiscard]] QColor colour(reports::Role role, const QPalette& palette);

/// The application's palette for either.
[[nodiscard]] QPalette palette(bool dark);

}  // namespace trainwright::ui
