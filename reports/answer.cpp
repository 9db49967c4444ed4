// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/answer.h"

#include <cmath>

#include "reports/bands_view.h"
#include "reports/document.h"
#include "reports/number_format.h"
#include "reports/step_view.h"

namespace trainwright::reports {
namespace {

AnswerSentence bestSentence(const search::PlanRequest& request, const CandidateView& best) {
    const search::CandidateRequest& asked = *best.request;
    const run::RunResult& run = best.result->run;
    const std::string chips = count(static_cast<double>(asked.chips));
    const std::string chip =
        asked.system.chip.name.empty() ? asked.system.id : asked.system.chip.name;
    const std::string& model = request.architecture.id;
    const std::string tokens = bigCount(request.training.tokens, 4);
    const Argument time = daysOrNever(run.days);
    const bool meets = best.standing == Standing::MeetsAll;
    if (!run.money.total)
        return {
            text("No candidate has a price. {1} trains {2} on {3} tokens with {4} {5} in {6} days.",
                 asked.name, model, tokens, chips, chip, time),
            nullptr};
    const std::string cost = money(*run.money.total);
    if (run.finish) {
        const std::string finish = longDate(*run.finish);
        return {
            meets
                ? text(
                      "{1} trains {2} on {3} tokens with {4} {5} in {6} days: done by {7} for {8}.",
                      asked.name, model, tokens, chips, chip, time, finish, cost)
                : text("Nothing meets every limit. Cheapest is {1}: {2} on {3} tokens with {4} {5} "
                       "in {6} days, done "
                       "by {7} for {8}.",
                       asked.name, model, tokens, chips, chip, time, finish, cost),
            &asked};
    }
    return {meets ? text("{1} trains {2} on {3} tokens with {4} {5} in {6} days for {7}.",
                         asked.name, model, tokens, chips, chip, time, cost)
                  : text("Nothing meets every limit. Cheapest is {1}: {2} on {3} tokens with {4} "
                         "{5} in {6} days for {7}.",
                         asked.name, model, tokens, chips, chip, time, cost),
            &asked};
}

AnswerSentence nextSentence(const CandidateView& best, const CandidateView& next) {
    const run::RunResult& run = best.result->run;
    const run::RunResult& other = next.result->run;
    const std::string& name = next.request->name;
    const Argument time = daysOrNever(other.days);
    if (!run.money.total || !other.money.total || !(run.money.total->value() > 0))
        return {text("Next is {1}, in {2} days; its cost is not known.", name, time), nullptr};
    const std::string cost = money(*other.money.total);
    const double more = other.money.total->value() / run.money.total->value() - 1.0;
    if (next.standing == Standing::MissesLimit && best.standing == Standing::MeetsAll)
        return {more >= 0 ? text("Next is {1}, which misses a limit: {2}, {3} more, in {4} days.",
                                 name, cost, percent(more), time)
                          : text("Next is {1}, which misses a limit: {2}, {3} less, in {4} days.",
                                 name, cost, percent(-more), time),
                next.request};
    return {text("Next is {1}: {2}, {3} more, in {4} days.", name, cost,
                 percent(std::max(more, 0.0)), time),
            next.request};
}

}  // namespace

std::vector<AnswerSentence> answerSentences(const search::PlanRequest& request,
                                            const search::PlanResult& result,
                                            const std::vector<CandidateView>& views) {
    if (views.empty() || !views.front().runs())
        return {{result.verdict.empty() ? text("No candidate can run this job.") : result.verdict,
                 nullptr}};
    const CandidateView& best = views.front();
    std::vector<AnswerSentence> sentences{bestSentence(request, best)};
    for (Text sentence : {bandSentence(best), chanceSentence(best)})
        if (!sentence.empty()) sentences.push_back({std::move(sentence), nullptr});
    for (std::size_t i = 1; i < views.size(); ++i)
        if (views[i].runs()) {
            sentences.push_back(nextSentence(best, views[i]));
            if (Text overlap = overlapSentence(best, views[i]); !overlap.empty())
                sentences.push_back({std::move(overlap), nullptr});
            return sentences;
        }
    if (views.size() > 1)
        sentences.push_back({text("No other candidate can run this job."), nullptr});
    return sentences;
}

}  // namespace trainwright::reports
