// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/check.h"

#include <algorithm>
#include <cmath>

#include "model/units/text_quantity.h"
#include "reports/number_format.h"

namespace trainwright::app {
namespace {

using search::CandidateState;
using search::Quantity;

struct Watched {
    Quantity quantity;
    const char* rose;  ///< pattern: candidate, before, after, share, tolerance
    const char* appeared;
    const char* vanished;
    std::string (*shown)(double);
};

std::string shownDays(double days) {
    return reports::days(days);
}
std::string shownMoney(double usd) {
    return reports::money(units::UsDollars(usd));
}
std::string shownEnergy(double kilowattHours) {
    return reports::megawattHours(units::Joules(kilowattHours * 3.6e6));
}

const Watched kWatched[] = {
    {Quantity::Days, "{1}: {2} days are now {3} ({4}); {5} is allowed.",
     "{1}: it couldn't be run before and takes {2} days now.",
     "{1}: it took {2} days and can't be run now.", shownDays},
    {Quantity::Cost, "{1}: {2} are now {3} ({4}); {5} is allowed.",
     "{1}: its cost was not known before and is {2} now.",
     "{1}: its cost was {2} and is not known now.", shownMoney},
    {Quantity::Energy, "{1}: {2} are now {3} ({4}); {5} is allowed.",
     "{1}: its energy was not known before and is {2} now.",
     "{1}: its energy was {2} and is not known now.", shownEnergy},
};

const CandidateState* find(const compare::KeptResult& result, const std::string& name) {
    const auto found =
        std::find_if(result.candidates.begin(), result.candidates.end(),
                     [&](const CandidateState& candidate) { return candidate.name == name; });
    return found == result.candidates.end() ? nullptr : &*found;
}

std::string signedPercent(double share) {
    return (share < 0 ? "−" : "+") + reports::percent(std::abs(share));
}

void hold(const CandidateState& now, const CandidateState& before, double tolerance,
          std::vector<Text>& out) {
    for (const Watched& watched : kWatched) {
        const auto q = static_cast<std::size_t>(watched.quantity);
        const std::optional<double>& is = now.quantities[q];
        const std::optional<double>& was = before.quantities[q];
        if (is && was) {
            const double share = *was > 0 ? (*is - *was) / *was : (*is == *was ? 0.0 : 1.0);
            // What the file's digits cut off is no move.
            constexpr double kDigits = 1e-9;
            if (std::abs(share) > tolerance + kDigits)
                out.push_back({watched.rose,
                               {now.name, watched.shown(*was), watched.shown(*is),
                                signedPercent(share), reports::percent(tolerance)}});
        } else if (is) {
            out.push_back({watched.appeared, {now.name, watched.shown(*is)}});
        } else if (was) {
            out.push_back({watched.vanished, {now.name, watched.shown(*was)}});
        }
        if (is.has_value() != was.has_value() && watched.quantity == Quantity::Days) return;
    }
}

}  // namespace

Outcome<double> readTolerance(const std::string& text) {
    const auto share = units::readQuantity(units::QuantityKind::Share, text);
    if (!share) return share.findings();
    if (*share < 0)
        return Finding{Severity::Error, Text{"A tolerance is 0 or more, as in 5%.", {}}, {}};
    return *share;
}

std::vector<Text> objections(const compare::KeptResult& now, const compare::KeptResult* kept,
                             double tolerance, const std::string& name) {
    std::vector<Text> out;
    if (now.candidates.empty() || !now.plan.anyRuns) {
        out.push_back({"No candidate can be run.", {}});
        return out;
    }
    const CandidateState& best = now.candidates.front();
    for (const auto& [limit, sentence] : best.misses)
        out.push_back({"{1}, the best candidate, breaks a limit: {2}", {best.name, sentence}});
    if (kept == nullptr) return out;

    if (!kept->candidates.empty() && kept->candidates.front().name != best.name)
        out.push_back({"The best candidate is now {1}; in {2} it was {3}.",
                       {best.name, name, kept->candidates.front().name}});
    for (const CandidateState& candidate : now.candidates) {
        if (const CandidateState* before = find(*kept, candidate.name))
            hold(candidate, *before, tolerance, out);
        else
            out.push_back({"{1}: {2} doesn't have this candidate.", {candidate.name, name}});
    }
    for (const CandidateState& before : kept->candidates)
        if (find(now, before.name) == nullptr)
            out.push_back({"{1}: {2} has this candidate, the plan hasn't.", {before.name, name}});
    return out;
}

}  // namespace trainwright::app
