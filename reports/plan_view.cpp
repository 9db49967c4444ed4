// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/plan_view.h"

#include <algorithm>
#include <cmath>

#include "reports/document.h"
#include "reports/number_format.h"

namespace trainwright::reports {
namespace {

const search::CandidateRequest* requestOf(const search::PlanRequest& request,
                                          const std::string& name, std::size_t expectedIndex) {
    if (expectedIndex < request.candidates.size() && request.candidates[expectedIndex].name == name)
        return &request.candidates[expectedIndex];
    for (const search::CandidateRequest& candidate : request.candidates)
        if (candidate.name == name) return &candidate;
    return nullptr;
}

Standing standingOf(const search::CandidateResult& result, bool runs) {
    if (!runs) return Standing::DoesNotFit;
    if (!result.run.money.total) return Standing::NoPrice;
    return result.meetsConstraints ? Standing::MeetsAll : Standing::MissesLimit;
}

CandidateView makeView(const search::CandidateRequest* request,
                       const search::CandidateResult& result) {
    CandidateView view;
    view.request = request;
    view.result = &result;
    view.standing = standingOf(result, view.runs());
    return view;
}

void addOnce(std::vector<Text>& all, const Text& one) {
    if (!one.empty() && std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
}

}  // namespace

bool CandidateView::runs() const {
    return result->feasible && std::isfinite(result->step.stepTime.value()) &&
           result->step.stepTime.value() > 0;
}

bool CandidateView::hasLayout() const {
    return result->feasible || result->step.memory.peak.total().value() > 0;
}

std::optional<units::UsDollars> CandidateView::cost() const {
    if (!runs()) return std::nullopt;
    return result->run.money.total;
}

Family CandidateView::family() const {
    return familyFromName(request->system.chip.family);
}

std::vector<CandidateView> candidateViews(const search::PlanRequest& request,
                                          const search::PlanResult& result) {
    std::vector<CandidateView> views;
    for (std::size_t index : result.ranking()) {
        if (index >= result.candidates.size()) continue;
        const search::CandidateResult& candidate = result.candidates[index];
        if (const auto* asked = requestOf(request, candidate.name, index))
            views.push_back(makeView(asked, candidate));
    }
    std::stable_sort(
        views.begin(), views.end(),
        [](const CandidateView& a, const CandidateView& b) { return a.standing < b.standing; });
    int place = 0;
    for (CandidateView& view : views) {
        switch (view.standing) {
            case Standing::MeetsAll:
                view.mark = std::to_string(++place);
                break;
            case Standing::MissesLimit:
                view.mark = "–";
                break;
            case Standing::NoPrice:
                view.mark = "?";
                break;
            case Standing::DoesNotFit:
                view.mark = "×";
                break;
        }
    }
    return views;
}

std::optional<CandidateView> candidateView(const search::PlanRequest& request,
                                           const search::CandidateResult& candidate) {
    const auto* asked = requestOf(request, candidate.name, request.candidates.size());
    if (asked == nullptr) return std::nullopt;
    return makeView(asked, candidate);
}

Text standingTitle(Standing standing) {
    switch (standing) {
        case Standing::MeetsAll:
            return text("meets every limit");
        case Standing::MissesLimit:
            return text("misses a limit");
        case Standing::NoPrice:
            return text("no price known");
        case Standing::DoesNotFit:
            return text("doesn't fit");
    }
    return {};
}

std::optional<LimitUse> tightestLimit(const search::PlanRequest& request,
                                      const CandidateView& view) {
    if (!view.runs()) return std::nullopt;
    const search::Constraints& limits = request.constraints;
    const run::RunResult& run = view.result->run;
    std::optional<LimitUse> tightest;
    auto consider = [&](const char* pattern, const char* brief, double used, double allowed,
                        const std::string& limit) {
        if (!(allowed > 0) || !std::isfinite(used)) return;
        double share = used / allowed;
        if (!tightest || share > tightest->share)
            tightest =
                LimitUse{text(pattern, percent(share), limit), text(brief, percent(share)), share};
    };
    if (const std::optional<double> allowed = search::daysAllowed(request))
        consider("The nearest limit is the date: {1} of the time until {2} is used.",
                 "Nearest limit: date, {1} of the time used", run.days, *allowed,
                 run::isoDate(*limits.finishBy));
    if (limits.carbonKilograms && run.energy.co2Kilograms)
        consider("The nearest limit is the carbon: {1} of {2} is used.",
                 "Nearest limit: carbon, {1} used", *run.energy.co2Kilograms,
                 *limits.carbonKilograms, tonnesCo2(*limits.carbonKilograms));
    if (limits.accelerators)
        consider("The nearest limit is the number of accelerators: {1} of {2} is used.",
                 "Nearest limit: accelerators, {1} used", static_cast<double>(view.request->chips),
                 static_cast<double>(*limits.accelerators),
                 count(static_cast<double>(*limits.accelerators)));
    if (limits.budget && run.money.total)
        consider("The nearest limit is the budget: {1} of {2} is used.",
                 "Nearest limit: budget, {1} used", run.money.total->value(),
                 limits.budget->value(), typedMoney(*limits.budget));
    if (limits.power && run.energy.peakPower)
        consider("The nearest limit is power: the peak draws {1} of {2}.",
                 "Nearest limit: power, {1} drawn", run.energy.peakPower->value(),
                 limits.power->value(), typedMegawatts(*limits.power));
    return tightest;
}

Text purchaseWords(const search::CandidateRequest& request) {
    Text all = run::planName(request.price.plan);
    std::vector<std::string> named{request.price.plan};
    for (const run::Portion& portion : request.portions) {
        const std::string& plan = portion.price.plan;
        if (std::find(named.begin(), named.end(), plan) != named.end()) continue;
        named.push_back(plan);
        all = text("{1} + {2}", all, run::planName(plan));
    }
    return all;
}

Text priceState(const run::Price& price) {
    if (price.isOwned() && price.state != run::PriceState::None)
        return text("owned, capital by {1}", price.source);
    const Text plan = run::planName(price.plan);
    switch (price.state) {
        case run::PriceState::Known:
            if (price.observedDate.empty()) return text("{1}, date not known", plan);
            return text("{1}, seen {2}", plan, price.observedDate);
        case run::PriceState::Yours:
            return text("your own rate");
        case run::PriceState::StandIn:
            return text("stand-in rate of another offer");
        case run::PriceState::None:
            return text("no public price");
    }
    return {};
}

Text timePartLabel(layout::TimePart part) {
    switch (part) {
        case layout::TimePart::Compute:
            return text("compute");
        case layout::TimePart::Memory:
            return text("memory traffic (HBM)");
        case layout::TimePart::Tensor:
            return text("tensor-parallel communication");
        case layout::TimePart::Context:
            return text("context-parallel communication");
        case layout::TimePart::Expert:
            return text("expert-parallel communication");
        case layout::TimePart::Bubble:
            return text("pipeline bubble");
        case layout::TimePart::Pipeline:
            return text("pipeline sends");
        case layout::TimePart::Data:
            return text("data-parallel communication");
        case layout::TimePart::Recompute:
            return text("recompute");
        case layout::TimePart::Optimizer:
            return text("optimizer");
        case layout::TimePart::Other:
            return text("other");
    }
    return {};
}

Text memoryKindLabel(layout::MemoryKind kind) {
    switch (kind) {
        case layout::MemoryKind::Weights:
            return text("weights");
        case layout::MemoryKind::Gradients:
            return text("gradients");
        case layout::MemoryKind::Optimizer:
            return text("optimizer state");
        case layout::MemoryKind::Activations:
            return text("activations");
        case layout::MemoryKind::Logits:
            return text("logits");
        case layout::MemoryKind::Buffers:
            return text("buffers");
        case layout::MemoryKind::Reserve:
            return text("runtime reserve");
    }
    return {};
}

Text gradeMeaning(search::Grade grade) {
    switch (grade) {
        case search::Grade::A:
            return text("A: this chip was measured under this software");
        case search::Grade::B:
            return text("B: the chip's family was measured, this chip was not");
        case search::Grade::C:
            return text("C: data sheets only, no measured run stands behind it");
    }
    return {};
}

Text axisLabel(layout::Axis axis) {
    switch (axis) {
        case layout::Axis::Tensor:
            return text("tensor");
        case layout::Axis::Context:
            return text("context");
        case layout::Axis::Expert:
            return text("expert");
        case layout::Axis::Data:
            return text("data");
        case layout::Axis::Pipeline:
            return text("pipeline");
    }
    return {};
}

Text algorithmLabel(const std::string& algorithm) {
    std::string spaced = algorithm;
    std::replace(spaced.begin(), spaced.end(), '_', ' ');
    return verbatim(spaced);
}

Text optimizerLabel(layout::Optimizer optimizer) {
    switch (optimizer) {
        case layout::Optimizer::AdamW:
            return text("AdamW");
        case layout::Optimizer::Sgd:
            return text("SGD");
        case layout::Optimizer::Adafactor:
            return text("Adafactor");
        case layout::Optimizer::Muon:
            return text("Muon");
    }
    return {};
}

Text recomputeLabel(layout::Recompute recompute) {
    switch (recompute) {
        case layout::Recompute::None:
            return text("no recompute");
        case layout::Recompute::Selective:
            return text("selective recompute");
        case layout::Recompute::Full:
            return text("full recompute");
    }
    return {};
}

Text phaseLabel(layout::Phase phase) {
    switch (phase) {
        case layout::Phase::Forward:
            return text("forward");
        case layout::Phase::BackwardInput:
            return text("grad input");
        case layout::Phase::BackwardWeight:
            return text("grad weight");
        case layout::Phase::Recompute:
            return text("recompute");
        case layout::Phase::Update:
            return text("update");
    }
    return {};
}

Text boundLabel(layout::Bound bound) {
    switch (bound) {
        case layout::Bound::Compute:
            return text("compute");
        case layout::Bound::Memory:
            return text("memory");
        case layout::Bound::Launch:
            return text("launch");
    }
    return {};
}

std::vector<Text> questionParts(const search::PlanRequest& request) {
    std::vector<Text> parts;
    const search::Constraints& limits = request.constraints;
    if (!request.architecture.id.empty()) parts.push_back(verbatim(request.architecture.id));
    if (request.training.tokens > 0)
        parts.push_back(text("{1} tokens", bigCount(request.training.tokens, 4)));
    if (request.start && limits.finishBy)
        parts.push_back(
            text("{1} to {2}", run::isoDate(*request.start), run::isoDate(*limits.finishBy)));
    else if (request.start)
        parts.push_back(text("from {1}", run::isoDate(*request.start)));
    else if (limits.finishBy)
        parts.push_back(text("by {1}", run::isoDate(*limits.finishBy)));
    if (limits.budget) parts.push_back(text("budget {1}", typedMoney(*limits.budget)));
    if (limits.carbonKilograms)
        parts.push_back(text("carbon {1}", tonnesCo2(*limits.carbonKilograms)));
    if (limits.accelerators)
        parts.push_back(
            text("at most {1} accelerators", count(static_cast<double>(*limits.accelerators))));
    if (limits.power) parts.push_back(text("power {1}", typedMegawatts(*limits.power)));
    return parts;
}

std::vector<Text> reasonsOf(const CandidateView& view) {
    std::vector<Text> reasons;
    for (const Text& reason : view.result->reasons) addOnce(reasons, reason);
    for (const search::Miss& miss : view.result->misses) addOnce(reasons, miss.text);
    if (view.runs() && !view.result->run.money.total) {
        // The engine may have said it among the reasons already, in the same words.
        addOnce(reasons, !view.request->price.reason.empty() ? view.request->price.reason
                                                             : view.result->run.money.reason);
    }
    return reasons;
}

Text nearestStep(const CandidateView& view) {
    const layout::StepResult& step = view.result->step;
    if (view.result->feasible || !(step.stepTime.value() > 0)) return {};
    return text("With the memory it lacks, a step of that layout would take {1}.",
                seconds(step.stepTime));
}

Text priceCondition(const CandidateView& view) {
    const run::Price& price = view.request->price;
    if (!view.cost()) return {};
    const Text& reason = price.reason;
    switch (price.state) {
        case run::PriceState::Yours:
            return reason.empty() ? text("cost at your own rate")
                                  : text("cost at your own rate: {1}", reason);
        case run::PriceState::StandIn:
            return reason.empty() ? text("cost at a stand-in rate") : price.reason;
        case run::PriceState::Known:
        case run::PriceState::None:
            break;
    }
    return {};
}

std::vector<Text> warningsOf(const CandidateView& view) {
    std::vector<Text> warnings;
    for (const Text& warning : view.result->warnings) addOnce(warnings, warning);
    for (const Finding& note : view.request->notes) addOnce(warnings, note.text);
    return warnings;
}

std::vector<SharedWarning> sharedWarnings(const std::vector<CandidateView>& views) {
    std::vector<SharedWarning> shared;
    for (const CandidateView& view : views)
        for (const Text& warning : warningsOf(view)) {
            auto same = [&](const SharedWarning& s) { return s.text == warning; };
            auto found = std::find_if(shared.begin(), shared.end(), same);
            if (found == shared.end())
                shared.push_back({view.request->name, warning});
            else
                found->names += ", " + view.request->name;
        }
    return shared;
}

}  // namespace trainwright::reports
