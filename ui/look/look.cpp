// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/look/look.h"

#include <QString>

namespace trainwright::ui {

using reports::Role;

bool isDark(const QPalette& palette) {
    return palette.color(QPalette::WindowText).lightness() >
           palette.color(QPalette::Window).lightness();
}

QColor colour(Role role, bool dark) {
    const reports::Colour& c = reports::colour(role);
    const std::string_view hex = dark ? c.dark : c.light;
    return QColor(QLatin1StringView(hex.data(), static_cast<qsizetype>(hex.size())));
}

QColor colour(Role role, const QPalette& palette) {
    return colour(role, isDark(palette));
}

QPalette palette(bool dark) {
    const auto c = [dark](Role role) { return colour(role, dark); };
    QPalette out;
    out.setColor(QPalette::Window, c(Role::Panel));
    out.setColor(QPalette::WindowText, c(Role::Text));
    out.setColor(QPalette::Base, c(Role::Window));
    out.setColor(QPalette::AlternateBase, c(Role::Panel));
    out.setColor(QPalette::Text, c(Role::Text));
    out.setColor(QPalette::PlaceholderText, c(Role::SecondText));
    out.setColor(QPalette::Button, c(Role::Panel));
    out.setColor(QPalette::ButtonText, c(Role::Text));
    out.setColor(QPalette::BrightText, c(Role::Error));
    out.setColor(QPalette::ToolTipBase, c(Role::Window));
    out.setColor(QPalette::ToolTipText, c(Role::Text));
    out.setColor(QPalette::Highlight, c(Role::Focus));
    out.setColor(QPalette::HighlightedText, dark ? c(Role::ComputeInk) : c(Role::Window));
    out.setColor(QPalette::Link, c(Role::Focus));
    out.setColor(QPalette::LinkVisited, c(Role::Override));
    out.setColor(QPalette::Light, c(Role::Window));
    out.setColor(QPalette::Midlight, c(Role::Grid));
    out.setColor(QPalette::Mid, c(Role::Grid));
    out.setColor(QPalette::Dark, c(Role::Axis));
    out.setColor(QPalette::Shadow, c(Role::Axis));
    for (QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        out.setColor(QPalette::Disabled, role, c(Role::Axis));
    return out;
}

}  // namespace trainwright::ui
