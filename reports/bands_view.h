// SPDX-License-Identifier: GPL-3.0-or-later
// Bands and tornadoes as a reader sees them: ranges in the digits of the figure they stand beside,
// inputs with their ends, and the section that has all of a candidate's.
//
// A candidate without bands has empty ranges and no section. The figure that a range stands beside
// is the run's own, computed with every input at its middle; the band's P50 is a sample's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/document.h"
#include "reports/plan_view.h"

namespace trainwright::reports {

/// Whether any candidate has bands, so that columns for them are worth having.
[[nodiscard]] bool anyBands(const std::vector<CandidateView>& views);

/// Whether any of them is held against a limit, case by case.
[[nodiscard]] bool anyChances(const std::vector<CandidateView>& views);

[[nodiscard]] Text daysRange(const CandidateView& view);           ///< "76–93"; empty: none
[[nodiscard]] std::string costRange(const CandidateView& view);    ///< in M USD
[[nodiscard]] std::string energyRange(const CandidateView& view);  ///< in MWh
/// Share of cases that keep every limit: "82%"; empty: none is held against one.
[[nodiscard]] std::string chanceOfAll(const CandidateView& view);
/// "18.5 (16.9–21.5)", or the figure alone.
[[nodiscard]] Argument withRange(const Argument& figure, const Argument& range);

/// "In 80 of 100 cases trn2 takes 76–93 days and costs 16.9–21.5 M USD."; empty: no bands.
[[nodiscard]] Text bandSentence(const CandidateView& view);
/// "Of all cases it keeps the date in 82%."; empty: no limits, or no bands.
[[nodiscard]] Text chanceSentence(const CandidateView& view);
/// Whether the cost bands of two candidates overlap; empty: one of them has none.
[[nodiscard]] Text overlapSentence(const CandidateView& best, const CandidateView& next);
/// What moves the run most, and from where to where; empty: nothing does.
[[nodiscard]] Text widestSwing(const CandidateView& view);

/// An end of an input: "×0.94", "20 min", "12".
[[nodiscard]] std::string inputText(belief::InputUnit unit, double value);
/// The input with the unit of its ends where that isn't said by them.
[[nodiscard]] Text inputLabel(const belief::Swing& swing);

/// What an input of several factors is made of.
[[nodiscard]] Text membersNote(const belief::Swing& swing);

/// The candidates' bands and chances side by side.
[[nodiscard]] std::optional<Table> bandsTable(const std::vector<CandidateView>& views);
/// One candidate's step, days, cost and energy below one another.
[[nodiscard]] std::optional<Table> bandTable(const CandidateView& view);
/// An input and what it does, for where there is little room: results from the one end of the
/// input to the other, "68 → 85"; "–" where a result is not known.
struct SwingRow {
    Text input;
    std::string low, high;
    Argument days, cost, energy;
    Text note;
};
[[nodiscard]] std::vector<SwingRow> swingRows(const CandidateView& view);
/// Every input of one candidate; `id` is the table's.
[[nodiscard]] std::optional<Table> tornadoTable(const CandidateView& view, const std::string& id);
/// How the figures of both come about.
[[nodiscard]] Text tornadoNote();
[[nodiscard]] Text samplingNote(const belief::Bands& bands);

}  // namespace trainwright::reports
