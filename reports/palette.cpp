// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/palette.h"

#include <array>

namespace trainwright::reports {
namespace {

constexpr std::array<Colour, 45> kPalette{{
    {Role::Window, "window", "#FFFFFF", "#14171B"},
    {Role::Panel, "panel", "#F4F5F7", "#1D2126"},
    {Role::Text, "text", "#16191D", "#E8EAED"},
    {Role::SecondText, "second-text", "#4A525C", "#A9B2BD"},
    {Role::Axis, "axis", "#7A838E", "#828C98"},
    {Role::Grid, "grid", "#E1E4E8", "#2E343B"},
    {Role::Focus, "focus", "#1F5FBF", "#7FB2FF"},
    {Role::Compute, "compute", "#1B42A6", "#4A7DF2"},
    {Role::ComputeInk, "compute-ink", "#FFFFFF", "#0B0D10"},
    {Role::Memory, "memory", "#BF7109", "#EFA656"},
    {Role::MemoryInk, "memory-ink", "#0B0D10", "#0B0D10"},
    {Role::Tensor, "tensor", "#A72F65", "#D574A8"},
    {Role::TensorInk, "tensor-ink", "#FFFFFF", "#0B0D10"},
    {Role::Bubble, "bubble", "#8B8C8E", "#6F7174"},
    {Role::BubbleInk, "bubble-ink", "#0B0D10", "#FFFFFF"},
    {Role::Expert, "expert", "#125E2F", "#2FA97F"},
    {Role::ExpertInk, "expert-ink", "#FFFFFF", "#0B0D10"},
    {Role::Data, "data", "#8148F1", "#B397E8"},
    {Role::DataInk, "data-ink", "#FFFFFF", "#0B0D10"},
    {Role::Recompute, "recompute", "#3A98BB", "#9EE3FE"},
    {Role::RecomputeInk, "recompute-ink", "#0B0D10", "#0B0D10"},
    {Role::Other, "other", "#2C3033", "#C8CACC"},
    {Role::OtherInk, "other-ink", "#FFFFFF", "#0B0D10"},
    {Role::Trainium, "trainium", "#0B7A75", "#37BDB2"},
    {Role::Gpu, "gpu", "#B5461F", "#F08A5D"},
    {Role::OtherFamily, "other-family", "#6B5B95", "#B3A4DB"},
    {Role::Slate1, "slate-1", "#1F2A37", "#E3E8EE"},
    {Role::Slate2, "slate-2", "#46566A", "#B3BECB"},
    {Role::Slate3, "slate-3", "#75859A", "#8492A3"},
    {Role::Slate4, "slate-4", "#A9B5C4", "#5B6877"},
    {Role::Slate5, "slate-5", "#D5DCE4", "#3A4450"},
    {Role::Slate1Ink, "slate-1-ink", "#FFFFFF", "#0B0D10"},
    {Role::Slate2Ink, "slate-2-ink", "#FFFFFF", "#0B0D10"},
    {Role::Slate3Ink, "slate-3-ink", "#0B0D10", "#0B0D10"},
    {Role::Slate4Ink, "slate-4-ink", "#0B0D10", "#FFFFFF"},
    {Role::Slate5Ink, "slate-5-ink", "#0B0D10", "#FFFFFF"},
    {Role::Load1, "load-1", "#DCE6F2", "#2A3850"},
    {Role::Load2, "load-2", "#A9C4E4", "#3F5F91"},
    {Role::Load3, "load-3", "#6E9BD1", "#5B8BD0"},
    {Role::Load4, "load-4", "#2F6DB5", "#93B8EA"},
    {Role::Load5, "load-5", "#0B3C7D", "#DCE9FB"},
    {Role::Error, "error", "#B3261E", "#FF8A80"},
    {Role::Warning, "warning", "#8A5300", "#FFC55C"},
    {Role::Good, "good", "#1B6B3A", "#6FD39A"},
    {Role::Override, "override", "#5B3FA0", "#C4B0FF"},
}};

}  // namespace

std::span<const Colour> palette() {
    return kPalette;
}

const Colour& colour(Role role) {
    return kPalette[static_cast<std::size_t>(role)];
}

}  // namespace trainwright::reports
