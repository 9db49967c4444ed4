// SPDX-License-Identifier: GPL-3.0-or-later
// Colours can be told apart and read: WCAG contrast, CIEDE2000 distances for normal and deficient
// sight.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "reports/palette.h"

namespace trainwright::reports {
namespace {

using Rgb = std::array<double, 3>;

Rgb linear(std::string_view hex) {
    Rgb rgb{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double v = std::stoi(std::string(hex.substr(1 + 2 * i, 2)), nullptr, 16) / 255.0;
        rgb[i] = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    }
    return rgb;
}

double luminance(const Rgb& c) {
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

double contrast(std::string_view a, std::string_view b) {
    double x = luminance(linear(a)), y = luminance(linear(b));
    if (x < y) std::swap(x, y);
    return (x + 0.05) / (y + 0.05);
}

std::string_view shade(Role role, bool dark) {
    return dark ? colour(role).dark : colour(role).light;
}

/// Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
Rgb seen(const Rgb& c, int sight) {
    static constexpr std::array<std::array<double, 9>, 4> kMatrices{{
        {1, 0, 0, 0, 1, 0, 0, 0, 1},
        {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116,
         1.051998},
        {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940,
         0.968881},
        {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367,
         0.303900},
    }};
    const auto& m = kMatrices[static_cast<std::size_t>(sight)];
    Rgb out{};
    for (std::size_t r = 0; r < 3; ++r)
        out[r] = std::clamp(m[3 * r] * c[0] + m[3 * r + 1] * c[1] + m[3 * r + 2] * c[2], 0.0, 1.0);
    return out;
}

struct Lab {
    double l, a, b;
};

Lab lab(const Rgb& c) {
    const double x = (0.4124564 * c[0] + 0.3575761 * c[1] + 0.1804375 * c[2]) / 0.95047;
    const double y = 0.2126729 * c[0] + 0.7151522 * c[1] + 0.0721750 * c[2];
    const double z = (0.0193339 * c[0] + 0.1191920 * c[1] + 0.9503041 * c[2]) / 1.08883;
    auto f = [](double t) {
        return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    };
    return {116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))};
}

/// CIEDE2000 (Sharma, Wu, Dalal 2005).
double distance(const Lab& p, const Lab& q) {
    constexpr double kPi = std::numbers::pi;
    auto degrees = [](double x) { return x * 180 / kPi; };
    auto radians = [](double x) { return x * kPi / 180; };
    const double c1 = std::hypot(p.a, p.b), c2 = std::hypot(q.a, q.b);
    const double c7 = std::pow((c1 + c2) / 2, 7);
    const double g = 0.5 * (1 - std::sqrt(c7 / (c7 + std::pow(25.0, 7))));
    const double a1 = (1 + g) * p.a, a2 = (1 + g) * q.a;
    const double d1 = std::hypot(a1, p.b), d2 = std::hypot(a2, q.b);
    auto hue = [&](double a, double b) {
        if (a == 0 && b == 0) return 0.0;
        const double h = degrees(std::atan2(b, a));
        return h < 0 ? h + 360 : h;
    };
    const double h1 = hue(a1, p.b), h2 = hue(a2, q.b);
    double dh = h2 - h1;
    if (d1 * d2 == 0)
        dh = 0;
    else if (dh > 180)
        dh -= 360;
    else if (dh < -180)
        dh += 360;
    const double deltaL = q.l - p.l, deltaC = d2 - d1,
                 deltaH = 2 * std::sqrt(d1 * d2) * std::sin(radians(dh / 2));
    const double l = (p.l + q.l) / 2, c = (d1 + d2) / 2;
    double h = h1 + h2;
    if (d1 * d2 != 0)
        h = std::abs(h1 - h2) <= 180 ? h / 2 : (h < 360 ? (h + 360) / 2 : (h - 360) / 2);
    const double t = 1 - 0.17 * std::cos(radians(h - 30)) + 0.24 * std::cos(radians(2 * h)) +
                     0.32 * std::cos(radians(3 * h + 6)) - 0.20 * std::cos(radians(4 * h - 63));
    const double turn = 30 * std::exp(-std::pow((h - 275) / 25, 2));
    const double m7 = std::pow(c, 7);
    const double rotation =
        -2 * std::sqrt(m7 / (m7 + std::pow(25.0, 7))) * std::sin(radians(2 * turn));
    const double sl = 1 + 0.015 * std::pow(l - 50, 2) / std::sqrt(20 + std::pow(l - 50, 2));
    const double sc = 1 + 0.045 * c, sh = 1 + 0.015 * c * t;
    return std::sqrt(std::pow(deltaL / sl, 2) + std::pow(deltaC / sc, 2) +
                     std::pow(deltaH / sh, 2) + rotation * deltaC / sc * deltaH / sh);
}

constexpr std::array kParts{Role::Compute, Role::Memory, Role::Tensor,    Role::Bubble,
                            Role::Expert,  Role::Data,   Role::Recompute, Role::Other};
constexpr std::array kFamilies{Role::Trainium, Role::Gpu, Role::OtherFamily};

TEST(Palette, HoldsEveryRoleInOrder) {
    int index = 0;
    for (const Colour& c : palette()) {
        EXPECT_EQ(static_cast<int>(c.role), index++);
        EXPECT_EQ(c.light.size(), 7U) << c.name;
        EXPECT_EQ(c.dark.size(), 7U) << c.name;
    }
    EXPECT_EQ(index, static_cast<int>(Role::Override) + 1);
}

TEST(Palette, MarksStandOutFromWindowAndPanel) {
    for (bool dark : {false, true})
        for (Role ground : {Role::Window, Role::Panel}) {
            for (Role role : kParts)
                EXPECT_GE(contrast(shade(role, dark), shade(ground, dark)), 2.95)
                    << colour(role).name;
            for (Role role : kFamilies)
                EXPECT_GE(contrast(shade(role, dark), shade(ground, dark)), 3.0)
                    << colour(role).name;
            for (Role role : {Role::Text, Role::SecondText, Role::Focus, Role::Error, Role::Warning,
                              Role::Good, Role::Override})
                EXPECT_GE(contrast(shade(role, dark), shade(ground, dark)), 4.5)
                    << colour(role).name;
        }
}

TEST(Palette, InkCanBeReadOnItsFill) {
    for (bool dark : {false, true})
        for (auto [fill, ink] :
             {std::pair{Role::Compute, Role::ComputeInk}, std::pair{Role::Memory, Role::MemoryInk},
              std::pair{Role::Tensor, Role::TensorInk}, std::pair{Role::Bubble, Role::BubbleInk},
              std::pair{Role::Expert, Role::ExpertInk}, std::pair{Role::Data, Role::DataInk},
              std::pair{Role::Recompute, Role::RecomputeInk},
              std::pair{Role::Other, Role::OtherInk}, std::pair{Role::Slate1, Role::Slate1Ink},
              std::pair{Role::Slate2, Role::Slate2Ink}, std::pair{Role::Slate3, Role::Slate3Ink},
              std::pair{Role::Slate4, Role::Slate4Ink}, std::pair{Role::Slate5, Role::Slate5Ink}})
            EXPECT_GE(contrast(shade(fill, dark), shade(ink, dark)), 4.5)
                << colour(fill).name << (dark ? " dark" : " light");
}

TEST(Palette, PartsDifferForEverySight) {
    // Normal, protan, deutan, tritan.
    for (bool dark : {false, true})
        for (int sight = 0; sight < 4; ++sight) {
            for (std::size_t i = 0; i < kParts.size(); ++i)
                for (std::size_t j = i + 1; j < kParts.size(); ++j)
                    EXPECT_GE(distance(lab(seen(linear(shade(kParts[i], dark)), sight)),
                                       lab(seen(linear(shade(kParts[j], dark)), sight))),
                              10.0)
                        << colour(kParts[i]).name << " and " << colour(kParts[j]).name << ", sight "
                        << sight << (dark ? ", dark" : ", light");
            for (std::size_t i = 0; i < kFamilies.size(); ++i)
                for (std::size_t j = i + 1; j < kFamilies.size(); ++j)
                    EXPECT_GE(distance(lab(seen(linear(shade(kFamilies[i], dark)), sight)),
                                       lab(seen(linear(shade(kFamilies[j], dark)), sight))),
                              10.0)
                        << colour(kFamilies[i]).name << " and " << colour(kFamilies[j]).name
                        << ", sight " << sight;
        }
}

TEST(Palette, DistanceIsTheOneOfThePaper) {
    // Two pairs of the test data of Sharma, Wu and Dalal.
    EXPECT_NEAR(distance({50, 2.6772, -79.7751}, {50, 0, -82.7485}), 2.0425, 1e-4);
    EXPECT_NEAR(distance({60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}), 1.2644, 1e-4);
}

}  // namespace
}  // namespace trainwright::reports
