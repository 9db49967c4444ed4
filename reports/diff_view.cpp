// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/diff_view.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/units/joined.h"
#include "reports/language.h"
#include "reports/number_format.h"
#include "reports/sources.h"

namespace trainwright::reports {
namespace {

using search::CandidateComparison;
using search::CandidateState;
using search::Change;
using search::ChangedValue;
using search::ChangeKind;
using search::Comparison;
using search::Move;
using search::Orders;
using search::Quantity;

constexpr double kNoise = 1e-9;   // relative; what floating point alone moves
constexpr double kOfNote = 0.01;  // relative
constexpr const char* kArrow = " → ";

double scaleOf(Quantity quantity) {
    switch (quantity) {
        case Quantity::Days:
            return 1;
        case Quantity::Cost:
        case Quantity::AveragePower:
        case Quantity::PeakPower:
            return 1e-6;
        case Quantity::Energy:
            return 1e-3;
        case Quantity::Mfu:
            return 100;
    }
    return 1;
}

const Move& moveOf(const CandidateComparison& c, Quantity quantity) {
    return c.moves[static_cast<std::size_t>(quantity)];
}

/// The part of a path behind "candidates[…]."; the whole where it begins otherwise.
std::string withoutCandidate(const std::string& path) {
    if (!path.starts_with("candidates[")) return path;
    const std::size_t end = path.rfind("].");
    return end == std::string::npos ? path : path.substr(end + 2);
}

struct Offer {
    std::string unit, region, plan;
};
Offer offerOf(const Change& change) {
    const std::string id = change.path.substr(change.path.find('/') + 1);
    const std::size_t first = id.find('/');
    const std::size_t last = id.rfind('/');
    if (first == std::string::npos || first == last) return {id, {}, {}};
    return {id.substr(0, first), id.substr(first + 1, last - first - 1), id.substr(last + 1)};
}

/// Behind the last "/" of a path.
std::string lastPart(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

std::string idOfEntry(const std::string& path) {
    return path.substr(path.find('/') + 1);
}

Text figuresTitle(const Change& change) {
    if (change.values.size() == 1)
        return text("{1}, {2}", idOfEntry(change.path),
                    figureLabel(lastPart(change.values.front().path)));
    return text("{1} ({2} figures)", idOfEntry(change.path),
                count(static_cast<double>(change.values.size())));
}

Text title(const Change& change, bool isWithin) {
    switch (change.kind) {
        case ChangeKind::Input:
            return verbatim(isWithin ? withoutCandidate(change.path) : change.path);
        case ChangeKind::Price: {
            const Offer offer = offerOf(change);
            if (isWithin) return text("price in {1}, {2}", offer.region, run::planName(offer.plan));
            return text("price of {1} in {2}, {3}", offer.unit, offer.region,
                        run::planName(offer.plan));
        }
        case ChangeKind::Figures:
            return figuresTitle(change);
        case ChangeKind::Calibration:
            return change.values.size() == 1
                       ? text("calibration (1 factor)")
                       : text("calibration ({1} factors)",
                              count(static_cast<double>(change.values.size())));
    }
    return {};
}

std::string brief(std::string words) {
    constexpr std::size_t kLongest = 60;
    if (words.size() <= kLongest) return words;
    std::size_t cut = kLongest;
    while (cut > 0 && (static_cast<unsigned char>(words[cut]) & 0xC0U) == 0x80U) --cut;
    return words.substr(0, cut) + "…";
}

const CandidateState* firstOf(const Comparison& comparison, bool after) {
    const CandidateState* best = nullptr;
    for (const CandidateComparison& c : comparison.candidates) {
        const auto& state = after ? c.after : c.before;
        if (!state || !state->runs()) continue;
        if (state->mark == "1") return &*state;
        if (after && best == nullptr) best = &*state;
        // Without one that meets every limit: the cheapest.
        if (!after) {
            const auto cost = [](const CandidateState& s) {
                return s.quantities[static_cast<std::size_t>(Quantity::Cost)].value_or(
                    std::numeric_limits<double>::infinity());
            };
            if (best == nullptr || cost(*state) < cost(*best)) best = &*state;
        }
    }
    return best;
}

const CandidateComparison* comparisonOf(const Comparison& comparison, const CandidateState* state,
                                        bool after) {
    for (const CandidateComparison& c : comparison.candidates) {
        const auto& own = after ? c.after : c.before;
        if (own && &*own == state) return &c;
    }
    return nullptr;
}

/// "18.5 M USD (−3.0), 83 days (−9.0)", as one value of a sentence.
Text figuresOfNote(const CandidateComparison& c) {
    const auto one = [&](Quantity quantity, const char* pattern, const char* moved) {
        const Move& move = moveOf(c, quantity);
        const std::string value = quantityText(quantity, c.after ? move.after : move.before);
        const std::string difference = differenceText(quantity, move);
        return difference.empty() ? text(pattern, value) : text(moved, value, difference);
    };
    const Text time = one(Quantity::Days, "{1} days", "{1} days ({2})");
    if (moveOf(c, Quantity::Cost).after || moveOf(c, Quantity::Cost).before)
        return text("{1}, {2}", one(Quantity::Cost, "{1} M USD", "{1} M USD ({2})"), time);
    return time;
}

/// What moved a candidate most: of its cost, or of its days where there is no price.
std::optional<Text> mostOf(const Comparison& comparison, const CandidateComparison& c) {
    const Reasons reasons = reasonsOf(c);
    for (Quantity quantity : {Quantity::Cost, Quantity::Days}) {
        const Move& move = moveOf(c, quantity);
        if (!hasMoved(move) || !move.attribution.hasShares()) continue;
        const auto& shown = shownQuantities();
        const auto q = static_cast<std::size_t>(std::find(shown.begin(), shown.end(), quantity) -
                                                shown.begin());
        const ReasonRow* most = nullptr;
        for (const ReasonRow& row : reasons.rows)
            if (row.shares[q] && *row.shares[q] != 0 &&
                (most == nullptr || std::abs(*row.shares[q]) > std::abs(*most->shares[q])))
                most = &row;
        if (most == nullptr) continue;
        const std::string share = shareText(*most->shares[q], reasons.decimals[q]);
        const char* pattern = quantity == Quantity::Cost ? "{1}: most by {2}, {3} M USD."
                                                         : "{1}: most by {2}, {3} days.";
        if (most->isRest)
            return text(pattern, c.name(), text("the program or what a result doesn't hold"),
                        share);
        const Change& change = comparison.changes[most->change];
        return text(pattern, c.name(), text("{1} ({2})", changeTitle(change), valuesText(change)),
                    share);
    }
    return std::nullopt;
}

/// Where a candidate stands, as a sentence.
Text standingText(const CandidateState& state) {
    if (state.standing == "meets_all") return text("It meets every limit.");
    if (state.standing == "no_price") return text("It has no price.");
    if (state.standing == "does_not_fit")
        return state.reasons.empty() ? text("It doesn't fit.") : recalled(state.reasons.front());
    std::vector<Text> all;
    for (const auto& [limit, sentence] : state.misses) all.push_back(recalled(sentence));
    return all.empty() ? text("It misses a limit.") : joined(all, " ");
}

Text standingBefore(const CandidateState& state) {
    if (state.standing == "meets_all") return text("Met every limit before.");
    if (state.standing == "no_price") return text("Had no price before.");
    if (state.standing == "does_not_fit") return text("Didn't fit before.");
    return text("Missed a limit before.");
}

/// Those that were behind `c` among the ranked, or not ranked, and are ahead of it now.
std::vector<Argument> passedBy(const Comparison& comparison, const CandidateComparison& c) {
    const auto rankOf = [](const std::optional<CandidateState>& state) {
        return state && state->standing == "meets_all" ? std::stoi(state->mark)
                                                       : std::numeric_limits<int>::max();
    };
    std::vector<Argument> names;
    if (c.before->standing != "meets_all" || c.after->standing != "meets_all") return names;
    for (const CandidateComparison& other : comparison.candidates)
        if (rankOf(other.before) > rankOf(c.before) && rankOf(other.after) < rankOf(c.after))
            names.push_back(other.name());
    return names;
}

/// How the shares of days and cost were come by, where not by all orders.
std::optional<Text> ordersNote(const CandidateComparison& c) {
    const search::Attribution* shown = nullptr;
    for (Quantity quantity : {Quantity::Days, Quantity::Cost}) {
        const Move& move = moveOf(c, quantity);
        if (!hasMoved(move) || !move.difference()) continue;
        if (shown == nullptr || move.attribution.counted < shown->counted)
            shown = &move.attribution;
    }
    if (shown == nullptr || c.changes.empty()) return std::nullopt;
    const Text gap = c.gap.empty() ? text("one has no price.") : c.gap;
    switch (shown->orders) {
        case Orders::All:
            return std::nullopt;
        case Orders::Possible:
            return text(
                "Over {1} of {2} orders; the others pass through a plan that can't be made: {3}",
                count(shown->counted), count(shown->possible), gap);
        case Orders::Drawn:
            return text("Over a sample of {1} orders, always the same.", count(shown->counted));
        case Orders::None:
            return text("No shares: every order passes through a plan that can't be made: {1}",
                        gap);
    }
    return std::nullopt;
}

}  // namespace

const std::vector<Quantity>& shownQuantities() {
    static const std::vector<Quantity> list{Quantity::Days, Quantity::Cost, Quantity::Energy,
                                            Quantity::AveragePower, Quantity::Mfu};
    return list;
}

Text quantityTitle(Quantity quantity) {
    switch (quantity) {
        case Quantity::Days:
            return text("days");
        case Quantity::Cost:
            return text("M USD");
        case Quantity::Energy:
            return text("MWh");
        case Quantity::AveragePower:
            return text("MW");
        case Quantity::PeakPower:
            return text("peak MW");
        case Quantity::Mfu:
            return text("MFU %");
    }
    return {};
}

std::string quantityText(Quantity quantity, std::optional<double> value) {
    if (!value) return notKnown();
    const double scaled = *value * scaleOf(quantity);
    if (quantity == Quantity::Days) return days(scaled);
    if (quantity == Quantity::Mfu) return fixed(scaled, scaled < 9.95 ? 1 : 0);
    return estimate(scaled);
}

std::string movedText(Quantity quantity, const CandidateComparison& c) {
    const Move& move = moveOf(c, quantity);
    if (!move.before && !move.after) return "–";
    const std::string before = quantityText(quantity, move.before);
    const std::string after = quantityText(quantity, move.after);
    if (!c.before) return after;
    if (!c.after) return before;
    return before == after ? after : before + kArrow + after;
}

int shareDecimals(Quantity quantity, double amount, double value) {
    constexpr double kAlmost = 1 + 1e-9;  // 0.0999… is 0.1
    const auto exponent = [&](double x) {
        const double scaled = std::abs(x) * scaleOf(quantity) * kAlmost;
        return scaled > 0 && std::isfinite(scaled)
                   ? std::optional(static_cast<int>(std::floor(std::log10(scaled))))
                   : std::nullopt;
    };
    const auto ofAmount = exponent(amount), ofValue = exponent(value);
    if (!ofAmount) return 0;
    const int most = ofValue ? std::max(0, 3 - *ofValue) : 6;
    return std::clamp(1 - *ofAmount, 0, most);
}

std::string shareText(double share, int decimals) {
    const std::string digits = fixed(std::abs(share), decimals);
    const bool isZero = digits.find_first_of("123456789") == std::string::npos;
    return isZero ? "0" : (share < 0 ? "−" : "+") + digits;
}

std::string differenceText(Quantity quantity, const Move& move) {
    const auto difference = move.difference();
    if (!difference || !hasMoved(move)) return {};
    return shareText(*difference * scaleOf(quantity),
                     shareDecimals(quantity, *difference, *move.after));
}

bool hasMoved(const Move& move) {
    if (move.before.has_value() != move.after.has_value()) return true;
    const auto difference = move.difference();
    return difference &&
           std::abs(*difference) > kNoise * std::max(std::abs(*move.before), std::abs(*move.after));
}

bool hasMoved(const CandidateComparison& c) {
    if (!c.before || !c.after) return true;
    return c.before->mark != c.after->mark || c.before->standing != c.after->standing ||
           c.before->layout != c.after->layout || c.isRenamed() ||
           std::any_of(c.moves.begin(), c.moves.end(), [](const Move& m) { return hasMoved(m); });
}

bool isOfNote(const CandidateComparison& c) {
    if (!c.before || !c.after || c.before->mark != c.after->mark || c.isRenamed()) return true;
    return std::any_of(c.moves.begin(), c.moves.begin() + 2, [](const Move& m) {
        if (m.before.has_value() != m.after.has_value()) return true;
        const auto difference = m.difference();
        return difference && std::abs(*difference) >= kOfNote * std::abs(*m.before);
    });
}

std::string markText(const CandidateComparison& c) {
    if (!c.before) return "new" + std::string(kArrow) + c.after->mark;
    if (!c.after) return c.before->mark + kArrow + "gone";
    return c.before->mark == c.after->mark ? c.after->mark
                                           : c.before->mark + kArrow + c.after->mark;
}

Text changeTitle(const Change& change) {
    return title(change, false);
}

Text changeTitleWithin(const Change& change) {
    return title(change, true);
}

std::string valueText(const Change& change, const ChangedValue& value, bool after) {
    const auto& own = after ? value.after : value.before;
    if (!own) return "–";
    if (change.kind == ChangeKind::Input) return brief(own->empty() ? "(empty)" : *own);
    if (change.kind == ChangeKind::Price) return *own;
    if (change.kind == ChangeKind::Calibration) return "×" + *own;
    return brief(figureText(*own, value.unit));
}

std::string valuesText(const Change& change) {
    constexpr std::size_t kMost = 3;
    if (change.kind == ChangeKind::Calibration) {
        if (change.values.size() > 1) return "factors";
    } else if (change.values.size() > kMost) {
        return count(static_cast<double>(change.values.size())) + " values";
    }
    std::string out;
    for (const ChangedValue& value : change.values) {
        std::string moved =
            valueText(change, value, false) + kArrow + valueText(change, value, true);
        if (change.values.size() > 1) {
            std::string own = value.path;
            if (own.starts_with(change.path) && own.size() > change.path.size())
                own = own.substr(change.path.size() + 1);
            moved = own + " " + moved;
        }
        out += (out.empty() ? "" : ", ") + moved;
    }
    return out;
}

Reasons reasonsOf(const CandidateComparison& c) {
    Reasons reasons;
    const auto& quantities = shownQuantities();
    const std::size_t count = c.changes.size();
    reasons.rows.resize(count + 1);
    for (std::size_t i = 0; i < count; ++i) reasons.rows[i].change = c.changes[i];
    reasons.rows[count].isRest = true;
    for (ReasonRow& row : reasons.rows) {
        row.shares.resize(quantities.size());
        row.alone.resize(quantities.size());
    }
    for (std::size_t q = 0; q < quantities.size(); ++q) {
        const Move& move = moveOf(c, quantities[q]);
        const double scale = scaleOf(quantities[q]);
        const auto difference = move.difference();
        double largest = difference.value_or(0);
        const bool has = move.attribution.hasShares() && difference;
        if (has)
            for (const search::Contribution& s : move.attribution.contributions)
                if (std::abs(s.share) > std::abs(largest)) largest = s.share;
        const int decimals = hasMoved(move) && difference && *difference != 0
                                 ? shareDecimals(quantities[q], *difference, *move.after)
                                 : shareDecimals(quantities[q], largest, move.after.value_or(0));
        reasons.decimals.push_back(decimals);
        if (!difference) continue;
        std::vector<double> parts;
        if (has)
            for (const search::Contribution& s : move.attribution.contributions)
                parts.push_back(s.share * scale);
        parts.resize(count, 0);
        parts.push_back(move.rest * scale);
        const std::vector<double> rounded = search::roundedShares(parts, decimals);
        for (std::size_t i = 0; i < count; ++i) {
            if (!has) continue;
            reasons.rows[i].shares[q] = rounded[i];
            if (const auto alone = move.attribution.contributions[i].alone)
                reasons.rows[i].alone[q] = *alone * scale;
        }
        reasons.rows[count].shares[q] = rounded[count];
    }
    const auto isEmpty = [](const ReasonRow& row) {
        return std::all_of(row.shares.begin(), row.shares.end(),
                           [](const auto& s) { return !s || *s == 0; });
    };
    reasons.without = static_cast<std::size_t>(
        std::count_if(reasons.rows.begin(), reasons.rows.end() - 1, isEmpty));
    std::erase_if(reasons.rows, isEmpty);
    // By cost, then by days; what is left over stays last.
    const auto weight = [&](const ReasonRow& row, std::size_t q) {
        return row.shares[q] ? std::abs(*row.shares[q]) : 0;
    };
    std::stable_sort(reasons.rows.begin(), reasons.rows.end(),
                     [&](const ReasonRow& a, const ReasonRow& b) {
                         if (a.isRest != b.isRest) return b.isRest;
                         if (weight(a, 1) != weight(b, 1)) return weight(a, 1) > weight(b, 1);
                         return weight(a, 0) > weight(b, 0);
                     });

    if (const auto note = ordersNote(c)) reasons.notes.push_back(*note);
    for (Quantity quantity : {Quantity::Days, Quantity::Cost}) {
        const search::Attribution& a = moveOf(c, quantity).attribution;
        if (!hasMoved(moveOf(c, quantity)) || !moveOf(c, quantity).difference()) continue;
        const Text what = quantityTitle(quantity);
        if (const auto together = a.interaction();
            together && a.hasShares() && count > 1 &&
            std::abs(*together) >=
                kOfNote * std::abs(moveOf(c, quantity).difference().value_or(0)) &&
            *together != 0)
            reasons.notes.push_back(text(
                "{1}: together the changes move {2} beyond the sum of each alone; it is shared "
                "among them.",
                what,
                shareText(*together * scaleOf(quantity),
                          shareDecimals(quantity, *together, *moveOf(c, quantity).after))));
    }
    return reasons;
}

bool anyMoved(const Comparison& comparison) {
    return std::any_of(comparison.candidates.begin(), comparison.candidates.end(),
                       [](const CandidateComparison& c) { return hasMoved(c); });
}

std::vector<Text> diffVerdict(const Comparison& comparison) {
    std::vector<Text> out;
    if (!anyMoved(comparison)) {
        out.push_back(comparison.changes.empty()
                          ? text("No result moves: nothing that a result rests on differs.")
                          : text("No result moves. {1}", changesSummary(comparison)));
        return out;
    }
    const CandidateState* before = firstOf(comparison, false);
    const CandidateState* after = firstOf(comparison, true);
    if (after == nullptr) {
        out.push_back(before == nullptr
                          ? text("No candidate can be run, before or after.")
                          : text("No candidate can be run any more; {1} could.", before->name));
        return out;
    }
    const CandidateComparison& now = *comparisonOf(comparison, after, true);
    const Text figures = figuresOfNote(now);
    const bool meets = after->mark == "1";
    const bool met = before != nullptr && before->mark == "1";
    const CandidateComparison* old = comparisonOf(comparison, before, false);
    const bool isSame = old == &now;
    if (!meets) {
        out.push_back(met ? text("Nothing meets every limit any more, as {1} did; first is {2}: "
                                 "{3}.",
                                 before->name, after->name, figures)
                          : text("Nothing meets every limit, as before; first is {1}: {2}.",
                                 after->name, figures));
    } else if (before == nullptr || !met) {
        out.push_back(
            text("{1} meets every limit, as nothing did before: {2}.", after->name, figures));
    } else if (isSame) {
        out.push_back(text("{1} still leads: {2}.", after->name, figures));
    } else if (old->after) {
        out.push_back(
            text("{1} now leads instead of {2}: {3}.", after->name, old->name(), figures));
        out.push_back(old->after->standing == "meets_all"
                          ? text("{1}: {2}.", old->name(), figuresOfNote(*old))
                          : text("{1}: {2}. {3}", old->name(), figuresOfNote(*old),
                                 standingText(*old->after)));
    } else {
        out.push_back(text("{1} now leads: {2}; {3}, which led, is gone.", after->name, figures,
                           before->name));
    }
    if (const auto most = mostOf(comparison, now)) out.push_back(*most);
    if (old != nullptr && !isSame && old->after)
        if (const auto most = mostOf(comparison, *old)) out.push_back(*most);
    return out;
}

std::vector<Text> candidateNotes(const Comparison& comparison, const CandidateComparison& c) {
    std::vector<Text> notes;
    if (!c.before) {
        notes.push_back(text("New: {1}, {2} accelerators. {3}", c.after->system,
                             count(static_cast<double>(c.after->accelerators)),
                             standingText(*c.after)));
        return notes;
    }
    if (!c.after) {
        notes.push_back(text("No longer a candidate."));
        return notes;
    }
    if (c.isRenamed()) notes.push_back(text("Called {1} before.", c.before->name));
    if (c.before->standing != c.after->standing) {
        notes.push_back(text("{1} {2}", standingBefore(*c.before), standingText(*c.after)));
        if (!c.decisive.empty()) {
            std::vector<Text> names;
            for (std::size_t i : c.decisive)
                names.push_back(changeTitleWithin(comparison.changes[i]));
            notes.push_back(text("It turns on {1}.", joined(names)));
        }
    } else if (c.after->standing == "misses_limit" && c.before->misses != c.after->misses) {
        notes.push_back(standingText(*c.after));
    }
    if (std::vector<Argument> names = passedBy(comparison, c); !names.empty())
        notes.push_back(text("Passed by {1}.", joined(std::move(names))));
    if (c.before->layout != c.after->layout && !c.before->layout.empty() &&
        !c.after->layout.empty())
        notes.push_back(text("Layout {1} → {2}.", c.before->layout, c.after->layout));
    return notes;
}

Text changesSummary(const Comparison& comparison) {
    std::size_t inputs = 0, wordsOnly = 0, prices = 0, figures = 0;
    bool calibration = false;
    for (const Change& change : comparison.changes) {
        switch (change.kind) {
            case ChangeKind::Input:
                (change.isWords ? wordsOnly : inputs) += change.values.size();
                break;
            case ChangeKind::Price:
                ++prices;
                break;
            case ChangeKind::Figures:
                figures += change.values.size();
                break;
            case ChangeKind::Calibration:
                calibration = true;
                break;
        }
    }
    std::vector<Text> parts;
    const auto add = [&](std::size_t n, const char* one, const char* many) {
        if (n > 0) parts.push_back(n == 1 ? text(one) : text(many, count(static_cast<double>(n))));
    };
    add(inputs, "1 input", "{1} inputs");
    add(prices, "1 price", "{1} prices");
    add(figures, "1 figure", "{1} figures");
    if (calibration) parts.push_back(text("the calibration"));
    add(wordsOnly, "1 remark", "{1} remarks");
    return parts.empty() ? text("Nothing changed.") : text("Changed: {1}.", joined(parts));
}

}  // namespace trainwright::reports
