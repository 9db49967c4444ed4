// SPDX-License-Identifier: GPL-3.0-or-later
// Every colour of reports and charts, for light and for dark, by what it means.
//
// The values are checked by a test: contrast of each mark against window and panel, of ink on its
// fill, and the distance between categories for normal and colour-deficient sight. No other file
// holds a colour.
#pragma once

#include <span>
#include <string_view>

namespace trainwright::reports {

enum class Role {
    Window,
    Panel,
    Text,
    SecondText,
    Axis,
    Grid,
    Focus,
    Compute,
    ComputeInk,
    Memory,
    MemoryInk,
    Tensor,
    TensorInk,
    Bubble,
    BubbleInk,
    Expert,
    ExpertInk,
    Data,
    DataInk,
    Recompute,
    RecomputeInk,
    Other,
    OtherInk,
    Trainium,
    Gpu,
    OtherFamily,
    Slate1,
    Slate2,
    Slate3,
    Slate4,
    Slate5,
    Slate1Ink,
    Slate2Ink,
    Slate3Ink,
    Slate4Ink,
    Slate5Ink,
    Load1,
    Load2,
    Load3,
    Load4,
    Load5,
    Error,
    Warning,
    Good,
    Override
};

struct Colour {
    Role role;
    std::string_view name;   ///< as in CSS: "--compute"
    std::string_view light;  ///< "#1B42A6"
    std::string_view dark;
};

/// Every role once, in the order of the enumeration.
[[nodiscard]] std::span<const Colour> palette();
[[nodiscard]] const Colour& colour(Role role);

}  // namespace trainwright::reports
