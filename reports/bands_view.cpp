// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/bands_view.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/units/joined.h"
#include "reports/keys.h"
#include "reports/number_format.h"
#include "reports/step_view.h"

namespace trainwright::reports {
namespace {

constexpr double kChipHours = 1e6;  // that interruptions are counted over

const belief::Bands* bandsOf(const CandidateView& view) {
    return view.runs() && view.result->bands ? &*view.result->bands : nullptr;
}

double inMillions(units::UsDollars amount) {
    return amount.value() / 1e6;
}
double inMegawattHours(units::Joules energy) {
    return units::inKilowattHours(energy) / 1e3;
}

/// The number whose digits a band's ends take: the run's figure, or where the run has no end the
/// band's own middle or beginning.
double likeOf(double figure, double middle, double low) {
    if (std::isfinite(figure)) return figure;
    return std::isfinite(middle) ? middle : low;
}

Cell daysCell(double value) {
    return std::isfinite(value) ? number(value, "d", days(value))
                                : words(verbatim(daysOrNever(value)), Tone::NotKnown);
}

Cell costCell(const std::optional<units::UsDollars>& amount) {
    return amount ? number(amount->value(), "USD", millions(*amount)) : notKnownCell();
}

Cell energyCell(const std::optional<units::Joules>& energy) {
    return energy ? number(inMegawattHours(*energy), "MWh", estimate(inMegawattHours(*energy)))
                  : notKnownCell();
}

Cell chanceCell(const std::optional<double>& share) {
    return share ? number(*share, "", chance(*share)) : doesNotApply();
}

/// Three cells of a band.
template <typename T, typename F>
void addBand(Row& row, const std::optional<belief::Band<T>>& band, F cell) {
    for (const auto end : {&belief::Band<T>::p10, &belief::Band<T>::p50, &belief::Band<T>::p90})
        row.cells.push_back(band ? cell((*band).*end) : notKnownCell());
}

/// How far apart in the logarithm; 0 where that can't be said.
double widthOf(double a, double b) {
    return a > 0 && b > 0 && std::isfinite(a) && std::isfinite(b) ? std::abs(std::log(b / a)) : 0;
}

}  // namespace

bool anyBands(const std::vector<CandidateView>& views) {
    return std::any_of(views.begin(), views.end(),
                       [](const CandidateView& view) { return bandsOf(view) != nullptr; });
}

bool anyChances(const std::vector<CandidateView>& views) {
    return std::any_of(views.begin(), views.end(),
                       [](const CandidateView& view) { return !chanceOfAll(view).empty(); });
}

Text daysRange(const CandidateView& view) {
    const belief::Bands* b = bandsOf(view);
    if (b == nullptr) return {};
    if (std::isinf(b->days.p10)) return verbatim(daysOrNever(b->days.p10));
    return verbatim(daysRange(likeOf(view.result->run.days, b->days.p50, b->days.p10), b->days.p10,
                              b->days.p90));
}

std::string costRange(const CandidateView& view) {
    const belief::Bands* b = bandsOf(view);
    if (b == nullptr || !b->cost) return {};
    const double low = inMillions(b->cost->p10);
    const auto& total = view.result->run.money.total;
    return estimateRange(likeOf(total ? inMillions(*total) : inMillions(b->cost->p50),
                                inMillions(b->cost->p50), low),
                         low, inMillions(b->cost->p90));
}

std::string energyRange(const CandidateView& view) {
    const belief::Bands* b = bandsOf(view);
    if (b == nullptr || !b->energy) return {};
    const double low = inMegawattHours(b->energy->p10);
    const auto& energy = view.result->run.energy.energy;
    return estimateRange(likeOf(energy ? inMegawattHours(*energy) : inMegawattHours(b->energy->p50),
                                inMegawattHours(b->energy->p50), low),
                         low, inMegawattHours(b->energy->p90));
}

std::string chanceOfAll(const CandidateView& view) {
    const belief::Bands* b = bandsOf(view);
    return b != nullptr && b->chances.all ? chance(*b->chances.all) : std::string();
}

Argument withRange(const Argument& figure, const Argument& range) {
    if (range.english().empty()) return figure;
    return text("{1} ({2})", figure, range);
}

Text bandSentence(const CandidateView& view) {
    const Text time = daysRange(view);
    const std::string cost = costRange(view);
    if (time.empty()) return {};
    return cost.empty() ? text("In 80 of 100 cases {1} takes {2} days.", view.request->name, time)
                        : text("In 80 of 100 cases {1} takes {2} days and costs {3} M USD.",
                               view.request->name, time, cost);
}

Text chanceSentence(const CandidateView& view) {
    const belief::Bands* b = bandsOf(view);
    if (b == nullptr) return {};
    const belief::Chances& c = b->chances;
    std::vector<Text> parts;
    if (c.date) parts.push_back(text("the date in {1}", chance(*c.date)));
    if (c.budget) parts.push_back(text("the budget in {1}", chance(*c.budget)));
    if (c.power) parts.push_back(text("the power limit in {1}", chance(*c.power)));
    if (parts.empty()) return {};
    const Text list = joined(parts);
    if (parts.size() == 1) return text("Of all cases it keeps {1}.", list);
    return text("Of all cases it keeps {1}; every limit in {2}.", list, chance(c.all.value_or(0)));
}

Text overlapSentence(const CandidateView& best, const CandidateView& next) {
    const belief::Bands* a = bandsOf(best);
    const belief::Bands* b = bandsOf(next);
    if (a == nullptr || b == nullptr || !a->cost || !b->cost) return {};
    const bool apart = a->cost->p90 < b->cost->p10 || b->cost->p90 < a->cost->p10;
    const std::string of = best.request->name, with = next.request->name;
    return apart ? text("The cost bands of {1} and {2} stay apart.", of, with)
                 : text("The cost bands of {1} and {2} overlap.", of, with);
}

Text widestSwing(const CandidateView& view) {
    const belief::Bands* b = bandsOf(view);
    if (b == nullptr || b->tornado.empty()) return {};
    const belief::Swing& s = b->tornado.front();
    const Text input = inputLabel(s);
    const std::string low = inputText(s.unit, s.low), high = inputText(s.unit, s.high);
    const double byDays = widthOf(s.atLow.days, s.atHigh.days);
    if (s.atLow.cost && s.atHigh.cost &&
        widthOf(s.atLow.cost->value(), s.atHigh.cost->value()) > byDays) {
        return text("Most depends on the {2}: {1} costs {4} M USD at {3} and {6} at {5}.",
                    view.request->name, input, low, millions(*s.atLow.cost), high,
                    millions(*s.atHigh.cost));
    }
    return text("Most depends on the {2}: {1} takes {4} days at {3} and {6} at {5}.",
                view.request->name, input, low, daysOrNever(s.atLow.days), high,
                daysOrNever(s.atHigh.days));
}

std::string inputText(belief::InputUnit unit, double value) {
    switch (unit) {
        case belief::InputUnit::Factor:
            return "×" + fixed(value, 2);
        case belief::InputUnit::PerChipHour:
            return estimate(value * kChipHours, 2);
        case belief::InputUnit::Seconds:
            return duration(units::Seconds(value));
        case belief::InputUnit::DollarsPerHour:
            return estimate(value);
    }
    return {};
}

Text inputLabel(const belief::Swing& swing) {
    switch (swing.unit) {
        case belief::InputUnit::PerChipHour:
            return text("{1}, per million accelerator-hours", swing.input);
        case belief::InputUnit::DollarsPerHour:
            return text("{1}, USD an hour", swing.input);
        case belief::InputUnit::Factor:
        case belief::InputUnit::Seconds:
            return swing.input;
    }
    return swing.input;
}

Text membersNote(const belief::Swing& swing) {
    return text("As one: {1}.", joined(swing.members));
}

std::optional<Table> bandsTable(const std::vector<CandidateView>& views) {
    if (!anyBands(views)) return std::nullopt;
    Table table;
    table.id = "bands-table";
    table.caption = text("Bands, and the share of cases that keep each limit");
    table.columns = {{text("candidate"), false, true}, {text("days P10"), true},
                     {text("days P50"), true},         {text("days P90"), true},
                     {text("M USD P10"), true},        {text("M USD P50"), true},
                     {text("M USD P90"), true},        {text("MWh P10"), true},
                     {text("MWh P50"), true},          {text("MWh P90"), true}};
    using Share = std::optional<double> belief::Chances::*;
    struct Limit {
        const char* title;
        Share share;
    };
    constexpr std::array<Limit, 4> kLimits{{{"the date", &belief::Chances::date},
                                            {"the budget", &belief::Chances::budget},
                                            {"the power", &belief::Chances::power},
                                            {"every limit", &belief::Chances::all}}};
    std::vector<Share> shares;
    for (const Limit& limit : kLimits) {
        if (std::none_of(views.begin(), views.end(), [&](const CandidateView& view) {
                const belief::Bands* b = bandsOf(view);
                return b != nullptr && b->chances.*limit.share;
            })) {
            continue;
        }
        table.columns.push_back({text(limit.title), true});
        shares.push_back(limit.share);
    }
    RowGroup group;
    const belief::Bands* any = nullptr;
    for (const CandidateView& view : views) {
        const belief::Bands* b = bandsOf(view);
        if (b == nullptr) continue;
        any = b;
        Row row;
        row.cells.push_back(name(view.request->name));
        addBand(row, std::optional(b->days), daysCell);
        addBand(row, b->cost, costCell);
        addBand(row, b->energy, energyCell);
        for (Share share : shares) row.cells.push_back(chanceCell(b->chances.*share));
        group.rows.push_back(std::move(row));
    }
    table.groups.push_back(std::move(group));
    table.footnotes = {samplingNote(*any)};
    return table;
}

std::optional<Table> bandTable(const CandidateView& view) {
    const belief::Bands* b = bandsOf(view);
    if (b == nullptr) return std::nullopt;
    Table table;
    table.id = "bands-table";
    table.caption = text("Bands of {1}", view.request->name);
    table.columns = {{text("figure"), false, true},
                     {text("P10"), true},
                     {text("P50"), true},
                     {text("P90"), true}};
    RowGroup group;
    const auto add = [&group](Text figure, const auto& band, auto cell) {
        if (!band) return;
        Row row;
        row.cells.push_back(words(std::move(figure)));
        addBand(row, band, cell);
        group.rows.push_back(std::move(row));
    };
    add(text("step"), std::optional(b->stepTime),
        [](units::Seconds time) { return number(time.value(), "s", seconds(time)); });
    add(text("days"), std::optional(b->days), daysCell);
    add(text("M USD"), b->cost, costCell);
    add(text("MWh"), b->energy, energyCell);
    table.groups.push_back(std::move(group));
    table.footnotes = {samplingNote(*b)};
    table.sortable = false;
    return table;
}

std::vector<SwingRow> swingRows(const CandidateView& view) {
    std::vector<SwingRow> rows;
    const belief::Bands* b = bandsOf(view);
    if (b == nullptr) return rows;
    const auto fromTo = [](const Cell& low, const Cell& high) {
        if (!low.number && !high.number) return Argument("–");
        return Argument(text("{1} → {2}", low.display, high.display));
    };
    for (const belief::Swing& s : b->tornado) {
        rows.push_back({inputLabel(s), inputText(s.unit, s.low), inputText(s.unit, s.high),
                        fromTo(daysCell(s.atLow.days), daysCell(s.atHigh.days)),
                        fromTo(costCell(s.atLow.cost), costCell(s.atHigh.cost)),
                        fromTo(energyCell(s.atLow.energy), energyCell(s.atHigh.energy)),
                        s.members.empty() ? Text{} : membersNote(s)});
    }
    return rows;
}

std::optional<Table> tornadoTable(const CandidateView& view, const std::string& id) {
    const belief::Bands* b = bandsOf(view);
    if (b == nullptr || b->tornado.empty()) return std::nullopt;
    Table table;
    table.id = id;
    table.caption = text("What {1} would be with one input at its P10 or P90", view.request->name);
    table.columns = {{text("input"), false, true},
                     {text("its P10"), true},
                     {text("its P90"), true},
                     {text("days at P10"), true},
                     {text("days at P90"), true},
                     {text("M USD at P10"), true},
                     {text("M USD at P90"), true},
                     {text("MWh at P10"), true, false, 1},
                     {text("MWh at P90"), true, false, 2}};
    RowGroup group;
    for (const belief::Swing& s : b->tornado) {
        Row row;
        row.cells = {words(inputLabel(s)),
                     number(s.low, belief::name(s.unit), inputText(s.unit, s.low)),
                     number(s.high, belief::name(s.unit), inputText(s.unit, s.high)),
                     daysCell(s.atLow.days),
                     daysCell(s.atHigh.days),
                     costCell(s.atLow.cost),
                     costCell(s.atHigh.cost),
                     energyCell(s.atLow.energy),
                     energyCell(s.atHigh.energy)};
        if (!s.members.empty()) row.notes.push_back(membersNote(s));
        row.key = text(Key{"input", {}, s.id});
        group.rows.push_back(std::move(row));
    }
    table.groups.push_back(std::move(group));
    table.footnotes = {tornadoNote()};
    table.sortable = false;
    return table;
}

Text tornadoNote() {
    return text(
        "One input at a time, the others at their middles; swings don't add up. ×: times the "
        "figure "
        "in use, or the step.");
}

Text samplingNote(const belief::Bands& bands) {
    return text(
        "80 of 100 cases lie between P10 and P90; {1} samples, seed {2}. Energy is that of "
        "the facility.",
        count(bands.sampling.samples), count(bands.sampling.seed));
}

}  // namespace trainwright::reports
