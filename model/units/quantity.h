// SPDX-License-Identifier: GPL-3.0-or-later
// Dimension-checked quantities: the only numbers with a unit that public headers of model/
// exchange.
//
// A Quantity is a double in SI base units (second, byte, FLOP, joule, US dollar) tagged with the
// exponents of its dimensions. Products and quotients change the tag, sums need equal tags, so that
// Bytes / BytesPerSecond is Seconds and Bytes + Seconds does not compile. A quantity whose
// exponents are all zero is a plain double. It says nothing of text: see units/text_quantity.h for
// reading and writing quantities as people write them.
#pragma once

#include <cmath>
#include <compare>

namespace trainwright::units {

template <int Time, int Data, int Work, int Energy, int Money>
class Quantity {
public:
    constexpr Quantity() = default;
    constexpr explicit Quantity(double valueInBaseUnits) : value_(valueInBaseUnits) {}

    /// The value in base units: seconds, bytes, FLOP, joules, US dollars and their quotients.
    [[nodiscard]] constexpr double value() const { return value_; }

    constexpr Quantity& operator+=(Quantity other) {
        value_ += other.value_;
        return *this;
    }
    constexpr Quantity& operator-=(Quantity other) {
        value_ -= other.value_;
        return *this;
    }
    constexpr Quantity& operator*=(double factor) {
        value_ *= factor;
        return *this;
    }

    friend constexpr Quantity operator+(Quantity a, Quantity b) {
        return Quantity(a.value_ + b.value_);
    }
    friend constexpr Quantity operator-(Quantity a, Quantity b) {
        return Quantity(a.value_ - b.value_);
    }
    friend constexpr Quantity operator*(Quantity a, double f) { return Quantity(a.value_ * f); }
    friend constexpr Quantity operator*(double f, Quantity a) { return Quantity(a.value_ * f); }
    friend constexpr Quantity operator/(Quantity a, double f) { return Quantity(a.value_ / f); }
    friend constexpr auto operator<=>(Quantity a, Quantity b) = default;

private:
    double value_ = 0.0;
};

namespace detail {
template <int T, int D, int W, int E, int M>
constexpr auto make(double v) {
    if constexpr (T == 0 && D == 0 && W == 0 && E == 0 && M == 0) {
        return v;
    } else {
        return Quantity<T, D, W, E, M>(v);
    }
}
}  // namespace detail

template <int T1, int D1, int W1, int E1, int M1, int T2, int D2, int W2, int E2, int M2>
constexpr auto operator*(Quantity<T1, D1, W1, E1, M1> a, Quantity<T2, D2, W2, E2, M2> b) {
    return detail::make<T1 + T2, D1 + D2, W1 + W2, E1 + E2, M1 + M2>(a.value() * b.value());
}

template <int T1, int D1, int W1, int E1, int M1, int T2, int D2, int W2, int E2, int M2>
constexpr auto operator/(Quantity<T1, D1, W1, E1, M1> a, Quantity<T2, D2, W2, E2, M2> b) {
    return detail::make<T1 - T2, D1 - D2, W1 - W2, E1 - E2, M1 - M2>(a.value() / b.value());
}

template <int T, int D, int W, int E, int M>
constexpr auto operator/(double a, Quantity<T, D, W, E, M> b) {
    return detail::make<-T, -D, -W, -E, -M>(a / b.value());
}

using Seconds = Quantity<1, 0, 0, 0, 0>;
using PerSecond = Quantity<-1, 0, 0, 0, 0>;
using Bytes = Quantity<0, 1, 0, 0, 0>;
using Flop = Quantity<0, 0, 1, 0, 0>;
using Joules = Quantity<0, 0, 0, 1, 0>;
using UsDollars = Quantity<0, 0, 0, 0, 1>;
using BytesPerSecond = Quantity<-1, 1, 0, 0, 0>;
using FlopPerSecond = Quantity<-1, 0, 1, 0, 0>;
using FlopPerByte = Quantity<0, -1, 1, 0, 0>;
using Watts = Quantity<-1, 0, 0, 1, 0>;
using UsDollarsPerSecond = Quantity<-1, 0, 0, 0, 1>;

inline constexpr double kKibi = 1024.0;
inline constexpr double kMebi = 1024.0 * 1024.0;
inline constexpr double kGibi = 1024.0 * 1024.0 * 1024.0;
inline constexpr double kSecondsPerHour = 3600.0;
inline constexpr double kSecondsPerDay = 86400.0;
inline constexpr double kSecondsPerYear = 365 * kSecondsPerDay;  ///< as terms and lives are counted
inline constexpr double kJoulesPerKilowattHour = 3.6e6;

constexpr Seconds hours(double h) {
    return Seconds(h * kSecondsPerHour);
}
constexpr Seconds days(double d) {
    return Seconds(d * kSecondsPerDay);
}
constexpr Bytes gibibytes(double g) {
    return Bytes(g * kGibi);
}
constexpr UsDollarsPerSecond usDollarsPerHour(double usd) {
    return UsDollarsPerSecond(usd / kSecondsPerHour);
}
constexpr double inDays(Seconds s) {
    return s.value() / kSecondsPerDay;
}
constexpr double inHours(Seconds s) {
    return s.value() / kSecondsPerHour;
}
constexpr double inKilowattHours(Joules j) {
    return j.value() / kJoulesPerKilowattHour;
}
constexpr double inUsDollarsPerHour(UsDollarsPerSecond p) {
    return p.value() * kSecondsPerHour;
}
constexpr double inGibibytes(Bytes b) {
    return b.value() / kGibi;
}

}  // namespace trainwright::units
