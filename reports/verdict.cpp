// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/verdict.h"

#include <algorithm>

#include "reports/bands_view.h"
#include "reports/document.h"
#include "reports/number_format.h"
#include "reports/step_view.h"

namespace trainwright::reports {
namespace {

/// Whether each one's cost lies in what the other may come to.
bool isTie(const CandidateView& best, const CandidateView& next) {
    if (best.standing != next.standing || !best.cost() || !next.cost()) return false;
    const std::optional<belief::Bands>& a = best.result->bands;
    const std::optional<belief::Bands>& b = next.result->bands;
    return a && b && a->cost && b->cost && *next.cost() <= a->cost->p90 &&
           *best.cost() >= b->cost->p10;
}

Text headline(VerdictKind kind, const CandidateView& best, const CandidateView* next) {
    const std::string& name = best.request->name;
    switch (kind) {
        case VerdictKind::Best:
            return best.standing == Standing::NoPrice ? text("Fastest without a price: {1}", name)
                                                      : text("Best: {1}", name);
        case VerdictKind::Tie:
            return text("{1} or {2}: too close to call", name, next->request->name);
        case VerdictKind::NoneMeets:
            return text("None meets every limit; cheapest: {1}", name);
        case VerdictKind::NoneRuns:
            break;
    }
    return text("None fits; nearest: {1}", name);
}

Text timePart(const CandidateView& view) {
    const run::RunResult& run = view.result->run;
    const Argument time = withRange(daysOrNever(run.days), daysRange(view));
    return run.finish ? text("{1} days, done {2}", time, run::isoDate(*run.finish))
                      : text("{1} days", time);
}

Text costPart(const CandidateView& view) {
    return view.cost() ? text("{1} M USD", withRange(millions(*view.cost()), costRange(view)))
                       : text("cost not known");
}

Text nextPart(const CandidateView& best, const CandidateView& next) {
    const std::string& name = next.request->name;
    if (!best.cost() || !next.cost() || !(best.cost()->value() > 0))
        return text("next: {1}, {2} days", name, daysOrNever(next.result->run.days));
    const double more = next.cost()->value() / best.cost()->value() - 1.0;
    return more >= 0 ? text("next: {1}, {2} more", name, percent(more))
                     : text("next: {1}, {2} less", name, percent(-more));
}

}  // namespace

Verdict verdict(const search::PlanRequest& request, const std::vector<CandidateView>& views) {
    Verdict out;
    if (views.empty()) {
        out.parts.push_back({VerdictTopic::Headline, text("No candidate yet")});
        return out;
    }
    const CandidateView& best = views.front();
    const CandidateView* next = nullptr;
    for (std::size_t i = 1; i < views.size() && next == nullptr; ++i)
        if (views[i].runs()) next = &views[i];
    out.family = best.family();
    if (!best.runs())
        out.kind = VerdictKind::NoneRuns;
    else if (best.standing == Standing::MissesLimit)
        out.kind = VerdictKind::NoneMeets;
    else
        out.kind = next != nullptr && isTie(best, *next) ? VerdictKind::Tie : VerdictKind::Best;

    out.parts.push_back({VerdictTopic::Headline, headline(out.kind, best, next)});
    if (!best.runs()) {
        const std::vector<Text> reasons = reasonsOf(best);
        if (!reasons.empty()) out.parts.push_back({VerdictTopic::Limit, reasons.front()});
        return out;
    }
    out.parts.push_back({VerdictTopic::Time, timePart(best)});
    out.parts.push_back({VerdictTopic::Cost, costPart(best)});
    out.parts.push_back(
        {VerdictTopic::Grade,
         text("Grade {1}",
              std::string(1, static_cast<char>('A' + static_cast<int>(best.result->grade))))});
    if (out.kind == VerdictKind::NoneMeets && !best.result->misses.empty())
        out.parts.push_back({VerdictTopic::Limit, best.result->misses.front().text});
    else if (const std::optional<LimitUse> limit = tightestLimit(request, best))
        out.parts.push_back({VerdictTopic::Limit, limit->brief});
    if (next != nullptr && out.kind != VerdictKind::Tie)
        out.parts.push_back({VerdictTopic::Next, nextPart(best, *next)});
    return out;
}

}  // namespace trainwright::reports
