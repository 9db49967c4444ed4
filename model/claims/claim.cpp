// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/claims/claim.h"

#include <algorithm>
#include <cmath>

namespace trainwright::claims {
namespace {

// Of numbers that are the same but for how they were multiplied together.
constexpr double kNoise = 1e-9;

std::string joined(const std::vector<std::string>& labels) {
    std::string out;
    for (const std::string& label : labels) out += (out.empty() ? "" : ", ") + label;
    return out;
}

/// How far `found` misses `claimed`, relative to what was found; 0 where the relation is met.
double shortfall(Relation relation, double found, double claimed) {
    const double scale = found != 0 ? std::abs(found) : 1.0;
    switch (relation) {
        case Relation::Equals:
            return std::abs(claimed - found) / scale;
        case Relation::AtLeast:
        case Relation::Reaches:
            return std::max(0.0, (claimed - found) / scale);
        case Relation::AtMost:
            return std::max(0.0, (found - claimed) / scale);
        case Relation::Holds:
        case Relation::None:
            break;
    }
    return 0;
}

/// Dates, ISO: the claimed one may be coarser ("2024-12") than the one found.
bool isWithin(const std::string& found, const std::string& claimed) {
    return found.compare(0, claimed.size(), claimed) == 0;
}

void compare(const Part& part, Case& c) {
    if (part.relation == Relation::Holds) return;
    c.isMet = false;
    if (part.relation == Relation::None || c.found.empty()) return;
    if (!part.claimed.number) {
        c.isMet = isWithin(c.found.words, part.claimed.words);
        return;
    }
    // Words in place of a number say that it is out of reach.
    if (!c.found.number) return;
    const double miss = shortfall(part.relation, *c.found.number, *part.claimed.number);
    c.isMet = miss <= part.tolerance + kNoise;
    c.isRounded = !c.isMet && miss <= part.margin + kNoise;
}

struct Spread {
    Measure lowest, median, highest;
    std::string lowestCase, highestCase;
    Measure highestP10, highestP90;
};

Spread spreadOf(const Part& part) {
    std::vector<const Case*> numbers;
    for (const Case& c : part.cases)
        if (c.found.number) numbers.push_back(&c);
    if (numbers.empty()) return {};
    std::stable_sort(numbers.begin(), numbers.end(), [](const Case* a, const Case* b) {
        return *a->found.number < *b->found.number;
    });
    Spread spread;
    spread.lowest = numbers.front()->found;
    spread.highest = numbers.back()->found;
    spread.lowestCase = joined(numbers.front()->labels);
    spread.highestCase = joined(numbers.back()->labels);
    spread.highestP10 = numbers.back()->p10;
    spread.highestP90 = numbers.back()->p90;
    const std::size_t middle = numbers.size() / 2;
    spread.median = numbers[middle]->found;
    if (numbers.size() % 2 == 0) {
        spread.median.number =
            (*numbers[middle - 1]->found.number + *numbers[middle]->found.number) / 2;
    }
    return spread;
}

/// Cases that would be met if everything unsure about them turned out well.
int metAtBest(const Part& part) {
    int met = 0;
    for (Case c : part.cases) {
        if (!c.p90.empty()) c.found = c.p90;
        compare(part, c);
        met += c.isMet ? 1 : 0;
    }
    return met;
}

/// The one number that stands for several.
Measure foundOf(const Part& part, const Spread& spread) {
    switch (part.relation) {
        case Relation::Reaches:
        case Relation::AtMost:
            return spread.highest;
        case Relation::AtLeast:
            return spread.lowest;
        case Relation::Holds:
            // Of things that are there or not, their number says more than any of them.
            return {};
        case Relation::Equals:
        case Relation::None:
            break;
    }
    if (!part.claimed.number) return spread.median;
    const Case* nearest = nullptr;
    const auto distance = [&](const Case& c) {
        return std::abs(*c.found.number - *part.claimed.number);
    };
    for (const Case& c : part.cases)
        if (c.found.number && (nearest == nullptr || distance(c) < distance(*nearest)))
            nearest = &c;
    return nearest == nullptr ? Measure{} : nearest->found;
}

/// Names of the cases that are met; none where they are too many to name.
std::string namesOfMet(const Part& part) {
    constexpr int kMostNamed = 3;
    std::string met;
    if (part.met > kMostNamed) return met;
    for (const Case& c : part.cases)
        if (c.isMet) met += (met.empty() ? "" : "; ") + joined(c.labels);
    return met;
}

Measure count(int n) {
    return measure(n, "count");
}

Sentence inPart(const Part& part) {
    const std::string met = namesOfMet(part);
    if (met.empty())
        return {"{1}: {2} of {3}.", {words(part.subject), count(part.met), count(part.known)}};
    return {"{1}: {2} of {3} ({4}).",
            {words(part.subject), count(part.met), count(part.known), words(met)}};
}

Sentence usual(const Part& part) {
    const bool single = part.cases.size() == 1;
    if (part.verdict == Verdict::HoldsUnderConditions && part.met > 0 && !single)
        return inPart(part);
    if (part.relation == Relation::Holds)
        return {"{1}: none of {2}.", {words(part.subject), count(part.known)}};
    if (part.verdict == Verdict::HoldsUnderConditions)
        return {"{1}: {2} is a rounded figure; {3} was found.",
                {words(part.subject), part.claimed, part.found}};
    if (part.lowest.number && part.lowest != part.highest)
        return {"{1}: {2} to {3}, where {4} is claimed.",
                {words(part.subject), part.lowest, part.highest, part.claimed}};
    return {"{1}: {2}, where {3} is claimed.", {words(part.subject), part.found, part.claimed}};
}

Sentence missing(const Part& part) {
    for (const Case& c : part.cases)
        if (c.found.empty() && !c.notes.empty()) return c.notes.front();
    if (part.relation == Relation::None && part.known > 0)
        return {"{1}: no number is claimed that could be compared.", {words(part.subject)}};
    return {"{1}: nothing was found that could be compared.", {words(part.subject)}};
}

Verdict verdictOf(const Part& part) {
    if (part.known == 0) return Verdict::CannotBeChecked;
    if (part.relation == Relation::None)
        return part.role == Role::Decides ? Verdict::CannotBeChecked : Verdict::Holds;
    if (part.met == part.known) return Verdict::Holds;
    const auto rounded = std::count_if(part.cases.begin(), part.cases.end(),
                                       [](const Case& c) { return c.isRounded; });
    return part.met + rounded > 0 ? Verdict::HoldsUnderConditions : Verdict::Contradicted;
}

int gravity(Verdict v) {
    switch (v) {
        case Verdict::Contradicted:
            return 3;
        case Verdict::CannotBeChecked:
            return 2;
        case Verdict::HoldsUnderConditions:
            return 1;
        case Verdict::Holds:
            break;
    }
    return 0;
}

}  // namespace

const char* name(Verdict v) {
    switch (v) {
        case Verdict::Holds:
            return "holds";
        case Verdict::HoldsUnderConditions:
            return "holds under conditions";
        case Verdict::Contradicted:
            return "contradicted";
        case Verdict::CannotBeChecked:
            break;
    }
    return "cannot be checked";
}

Measure measure(double number, std::string unit) {
    return {number, std::move(unit), {}};
}

Measure words(std::string text) {
    return {std::nullopt, {}, std::move(text)};
}

void judge(Part& part) {
    part.known = part.met = 0;
    part.conditions.clear();
    for (Case& c : part.cases) {
        compare(part, c);
        if (c.found.empty()) continue;
        ++part.known;
        part.met += c.isMet ? 1 : 0;
    }
    const Spread spread = spreadOf(part);
    part.lowest = spread.lowest;
    part.highest = spread.highest;
    part.found = foundOf(part, spread);
    if (part.cases.size() == 1) part.found = part.cases.front().found;
    part.verdict = verdictOf(part);
    const bool says = part.role == Role::Context || part.verdict != Verdict::Holds;
    if (!part.remark.empty() && says && part.known > 0) {
        part.conditions.push_back(
            {part.remark,
             {part.found, part.claimed, count(part.met), count(part.known), spread.lowest,
              spread.median, spread.highest, words(spread.lowestCase), words(spread.highestCase),
              words(namesOfMet(part)), spread.highestP10, spread.highestP90,
              count(metAtBest(part))}});
    }
    if (part.role == Role::Context) return;
    if (part.known == 0 || (part.verdict == Verdict::CannotBeChecked && part.conditions.empty())) {
        part.conditions.push_back(missing(part));
    } else if (part.verdict != Verdict::Holds && part.conditions.empty()) {
        part.conditions.push_back(usual(part));
    }
    const int unknown = static_cast<int>(part.cases.size()) - part.known;
    if (part.known > 0 && unknown > 0) {
        part.conditions.push_back({"Cases that can't be computed: {1} of {2}.",
                                   {count(unknown), count(part.known + unknown)}});
        part.conditions.push_back(missing(part));
    }
}

void judge(CheckedClaim& claim) {
    claim.conditions.clear();
    claim.decisive = 0;
    claim.verdict = Verdict::CannotBeChecked;
    int worst = -1;
    int deciding = 0;
    int upright = 0;
    for (std::size_t i = 0; i < claim.parts.size(); ++i) {
        Part& part = claim.parts[i];
        judge(part);
        if (part.role != Role::Decides) continue;
        ++deciding;
        upright += part.verdict == Verdict::Holds ? 1 : 0;
        if (gravity(part.verdict) > worst) {
            worst = gravity(part.verdict);
            claim.decisive = i;
            claim.verdict = part.verdict;
        }
    }
    const auto say = [&](Role role) {
        for (const Part& part : claim.parts)
            if (part.role == role)
                claim.conditions.insert(claim.conditions.end(), part.conditions.begin(),
                                        part.conditions.end());
    };
    say(Role::Decides);
    if (claim.verdict == Verdict::Contradicted && upright > 0)
        claim.conditions.push_back(
            {"Parts that hold: {1} of {2}.", {count(upright), count(deciding)}});
    const bool conditionUnmet =
        std::any_of(claim.parts.begin(), claim.parts.end(), [](const Part& part) {
            return part.role == Role::Condition && part.verdict != Verdict::Holds;
        });
    if (claim.verdict == Verdict::Holds && conditionUnmet)
        claim.verdict = Verdict::HoldsUnderConditions;
    say(Role::Condition);
    say(Role::Context);
}

}  // namespace trainwright::claims
