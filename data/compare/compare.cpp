// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/compare/compare.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "data/compare/figure_changes.h"
#include "data/compare/scenario_changes.h"

namespace trainwright::compare {
namespace {

using search::CandidateComparison;
using search::CandidateState;
using search::Change;
using search::ChangeKind;
using search::Comparison;
using search::kQuantityCount;
using search::Quantities;
using search::Quantity;

/// Differences of a replayed number from the kept one that are rounding alone: prices are kept with
/// six decimals.
constexpr double kRounding = 1e-6;

/// A plan of one candidate with some of the changes made.
struct Replay {
    bool isPlanned = false;
    Quantities quantities;
    std::string standing;
};

std::optional<double> finite(double value) {
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

Replay replayOf(const search::CandidateResult& r) {
    Replay out;
    out.isPlanned = true;
    out.standing = !r.feasible          ? "does_not_fit"
                   : !r.run.money.total ? "no_price"
                   : r.meetsConstraints ? "meets_all"
                                        : "misses_limit";
    if (!r.feasible) return out;
    const auto set = [&](Quantity q, std::optional<double> value) {
        out.quantities[static_cast<std::size_t>(q)] = value;
    };
    const run::RunResult& run = r.run;
    set(Quantity::Days, finite(run.days));
    if (run.money.total) set(Quantity::Cost, finite(run.money.total->value()));
    if (run.energy.energy) set(Quantity::Energy, units::inKilowattHours(*run.energy.energy));
    if (run.energy.averagePower) set(Quantity::AveragePower, run.energy.averagePower->value());
    if (run.energy.peakPower) set(Quantity::PeakPower, run.energy.peakPower->value());
    if (r.step.mfuModel > 0) set(Quantity::Mfu, finite(r.step.mfuModel));
    return out;
}

/// Whether a change bears on which limits are kept and on nothing else.
bool isOfLimitsAlone(const Change& change) {
    return change.path == "constraints.finish_by" || change.path == "constraints.budget" ||
           change.path == "constraints.power" || change.path == "constraints.carbon" ||
           change.path == "constraints.accelerators";
}

/// Whether a change leaves the step of the training as it is, so that nothing is searched anew.
bool isOfTheRunAlone(const Change& change) {
    if (change.kind == ChangeKind::Price) return true;
    if (change.kind == ChangeKind::Figures)
        return change.path.starts_with("region/") || change.path.starts_with("operation/");
    if (change.kind != ChangeKind::Input) return false;
    const std::string& p = change.path;
    if (p.starts_with("candidates["))
        return p.ends_with("].purchase") || p.ends_with("].discount") || p.ends_with("].region");
    return p == "training.tokens" || p == "training.start" || p.starts_with("operations.") ||
           p.starts_with("storage.") || isOfLimitsAlone(change);
}

class Comparer {
public:
    Comparer(const Side& before, const Side& after, const catalog::Catalog& today,
             const Options& options)
        : a_(before), b_(after), today_(today), options_(options) {}

    Comparison compare() {
        out_.before = a_.result.plan;
        out_.after = b_.result.plan;
        if (out_.before.model != out_.after.model && !out_.before.model.empty() &&
            !out_.after.model.empty())
            out_.notes.push_back({"The two plans train different models, {1} and {2}.",
                                  {out_.before.model, out_.after.model}});
        if (!readScenarios()) {
            pairByName();
            return std::move(out_);
        }
        pairs_ = pairCandidates(*before_, *after_);
        out_.changes = changesBetween(*before_, *after_, pairs_);
        inputs_ = out_.changes.size();
        findFigures();
        findRests();
        line();
        for (std::size_t i = 0; i < out_.candidates.size(); ++i) {
            if (isCancelled()) break;
            attributeMoves(i);
            if (options_.advanced)
                options_.advanced(static_cast<double>(i + 1) /
                                  static_cast<double>(out_.candidates.size()));
        }
        out_.cancelled = isCancelled();
        return std::move(out_);
    }

private:
    [[nodiscard]] bool isCancelled() const { return options_.cancelled && options_.cancelled(); }

    bool readScenarios() {
        const auto read = [&](const Side& side) -> std::optional<ReadScenario> {
            const std::string& name = side.result.plan.name;
            if (!side.result.plan.hasSource) {
                out_.notes.push_back(
                    {"{1} holds neither its scenario nor its figures, as results of earlier "
                     "versions do: moves are shown without their reasons.",
                     {name}});
                return std::nullopt;
            }
            Outcome<ReadScenario> scenario = readScenario(side.result.scenarioText, name);
            if (scenario) return std::move(scenario).value();
            out_.notes.push_back(
                {"The scenario that {1} was made from can't be read any more, so "
                 "that moves are shown without their reasons: {2}",
                 {name, scenario.findings().front().text}});
            return std::nullopt;
        };
        before_ = read(a_);
        after_ = read(b_);
        return before_ && after_;
    }

    void addCandidate(const CandidateState* before, const CandidateState* after) {
        CandidateComparison c;
        if (before != nullptr) c.before = *before;
        if (after != nullptr) c.after = *after;
        for (std::size_t q = 0; q < kQuantityCount; ++q) {
            if (before != nullptr) c.moves[q].before = before->quantities[q];
            if (after != nullptr) c.moves[q].after = after->quantities[q];
            if (const auto difference = c.moves[q].difference()) c.moves[q].rest = *difference;
        }
        out_.candidates.push_back(std::move(c));
    }

    static const CandidateState* stateOf(const KeptResult& result, const std::string& name) {
        const auto found = std::find_if(result.candidates.begin(), result.candidates.end(),
                                        [&](const CandidateState& c) { return c.name == name; });
        return found == result.candidates.end() ? nullptr : &*found;
    }

    void pairByName() {
        for (const CandidateState& c : b_.result.candidates)
            addCandidate(stateOf(a_.result, c.name), &c);
        for (const CandidateState& c : a_.result.candidates)
            if (stateOf(b_.result, c.name) == nullptr) addCandidate(&c, nullptr);
    }

    /// Candidates by merit after, those that are gone last; pairs_ in the same order.
    void line() {
        std::vector<CandidatePair> ordered;
        const auto nameOf = [](const ReadScenario& s, std::size_t i) {
            return i == CandidatePair::npos ? std::string() : s.scenario.candidates[i].name;
        };
        for (const CandidateState& c : b_.result.candidates)
            for (const CandidatePair& pair : pairs_) {
                if (nameOf(*after_, pair.after) != c.name) continue;
                addCandidate(stateOf(a_.result, nameOf(*before_, pair.before)), &c);
                ordered.push_back(pair);
            }
        for (const CandidateState& c : a_.result.candidates)
            for (const CandidatePair& pair : pairs_) {
                if (pair.after != CandidatePair::npos || nameOf(*before_, pair.before) != c.name)
                    continue;
                addCandidate(&c, nullptr);
                ordered.push_back(pair);
            }
        pairs_ = std::move(ordered);
    }

    void addFigures(FigureTable& table, const catalog::Catalog& catalog) const {
        for (const ReadScenario* s : {&*before_, &*after_}) {
            const Outcome<search::PlanRequest> request = scenario::resolve(s->scenario, catalog);
            if (request) table.merge(figuresOf(*request));
        }
    }

    /// An offer that a kept result doesn't speak of is taken to be as the other has it, unless a
    /// candidate of it went without a price.
    static void fillOffers(FigureTable& table, const KeptResult& kept, const FigureTable& other) {
        const bool lacksPrices =
            std::any_of(kept.candidates.begin(), kept.candidates.end(),
                        [](const CandidateState& c) { return c.standing == "no_price"; });
        for (const auto& [key, figure] : other) {
            if (figure.kind != "price" || table.contains(key)) continue;
            const std::string unit = figure.id.substr(0, figure.id.find('/'));
            const bool isLacking =
                lacksPrices && std::any_of(kept.candidates.begin(), kept.candidates.end(),
                                           [&](const CandidateState& c) {
                                               return c.standing == "no_price" && c.system == unit;
                                           });
            if (!isLacking) table.emplace(key, figure);
        }
    }

    void findFigures() {
        FigureTable before = a_.result.figures, after = b_.result.figures, today;
        if (a_.catalog != nullptr) addFigures(before, *a_.catalog);
        if (b_.catalog != nullptr) addFigures(after, *b_.catalog);
        addFigures(today, today_);
        if (a_.catalog == nullptr) fillOffers(before, a_.result, after);
        if (b_.catalog == nullptr) fillOffers(after, b_.result, before);
        const auto calibrationOf = [&](const Side& side, const Side& other) {
            if (side.catalog != nullptr) return side.catalog->calibration();
            if (side.result.hasCalibration) return complete(side.result.calibration);
            return other.catalog != nullptr ? other.catalog->calibration() : today_.calibration();
        };
        figures_.emplace(before, after, today, calibrationOf(a_, b_), calibrationOf(b_, a_),
                         today_);
        for (const Change& change : figures_->changes()) out_.changes.push_back(change);
        if (figures_->withoutPlace() > 0)
            out_.notes.push_back(
                {"Of the changed figures today's catalog has no place for {1}: what "
                 "they moved is not explained.",
                 {std::to_string(figures_->withoutPlace())}});
    }

    /// A kept result has the factors alone; the rest of today's calibration stands in.
    [[nodiscard]] std::shared_ptr<const belief::Calibration> complete(
        const std::shared_ptr<const belief::Calibration>& kept) const {
        const auto& own = today_.calibration();
        if (!kept || !own) return kept;
        auto whole = std::make_shared<belief::Calibration>(*kept);
        whole->measured = own->measured;
        whole->residual = own->residual;
        return whole;
    }

    /// What of the catalog each candidate rests on, in either scenario.
    void findRests() {
        for (const ReadScenario* s : {&*before_, &*after_}) {
            auto& rests = s == &*before_ ? restsBefore_ : restsAfter_;
            for (const catalog::Catalog* catalog : {&today_, a_.catalog, b_.catalog}) {
                if (catalog == nullptr) continue;
                const auto request = scenario::resolve(s->scenario, *catalog);
                if (!request) continue;
                for (const search::CandidateRequest& c : request->candidates)
                    rests[c.name].merge(restsOf(*request, c));
            }
        }
    }

    struct MergedRests : Rests {
        void merge(Rests other) {
            entries.merge(other.entries);
            offers.merge(other.offers);
        }
    };

    [[nodiscard]] bool bearsOn(std::size_t change, const CandidateComparison& c) const {
        const Change& one = out_.changes[change];
        if (one.isWords) return false;
        if (change < inputs_) return one.candidate.empty() || one.candidate == c.after->name;
        const auto rests = [&](const auto& all, const std::string& name) {
            const auto found = all.find(name);
            return found != all.end() && figures_->bearsOn(change - inputs_, found->second);
        };
        return rests(restsBefore_, c.before->name) || rests(restsAfter_, c.after->name);
    }

    void attributeMoves(std::size_t index) {
        CandidateComparison& c = out_.candidates[index];
        if (!c.before || !c.after) return;
        for (std::size_t i = 0; i < out_.changes.size(); ++i)
            if (bearsOn(i, c)) c.changes.push_back(i);
        // More than a combination holds, or a plan takes time for: what is left goes as the rest.
        if (c.changes.size() > static_cast<std::size_t>(search::kMostChanges))
            c.changes.resize(static_cast<std::size_t>(search::kMostChanges));
        // Limits move no number: they come last, and orders are only those of the others.
        const auto limits =
            std::stable_partition(c.changes.begin(), c.changes.end(),
                                  [&](std::size_t i) { return !isOfLimitsAlone(out_.changes[i]); });
        const int count = static_cast<int>(limits - c.changes.begin());

        std::uint64_t searched = 0;  // changes that ask for another search
        for (std::size_t i = 0; i < c.changes.size(); ++i)
            if (!isOfTheRunAlone(out_.changes[c.changes[i]])) searched |= std::uint64_t{1} << i;
        std::unordered_map<std::uint64_t, Replay> replays;
        std::unordered_map<std::uint64_t, search::CandidateResult> steps;
        const auto replay = [&](std::uint64_t made) -> const Replay& {
            const auto kept = replays.find(made);
            if (kept != replays.end()) return kept->second;
            return replays.emplace(made, planned(c, pairs_[index], made, made & searched, steps))
                .first->second;
        };
        for (std::size_t q = 0; q < kQuantityCount; ++q) {
            search::Move& move = c.moves[q];
            move.attribution = search::attribute(
                count, [&](std::uint64_t made) { return replay(made).quantities[q]; });
            for (int i = count; i < static_cast<int>(c.changes.size()); ++i)
                move.attribution.contributions.push_back({0, 0, 0});
            settle(move);
        }
        findDecisive(c, replay);
    }

    /// What the replays leave over; rounding goes to the largest share.
    static void settle(search::Move& move) {
        const auto difference = move.difference();
        if (!difference || !move.attribution.hasShares()) return;
        auto& shares = move.attribution.contributions;
        double sum = 0;
        for (const search::Contribution& share : shares) sum += share.share;
        move.rest = *difference - sum;
        const double scale = std::max(std::abs(*move.before), std::abs(*move.after));
        if (std::abs(move.rest) > kRounding * scale) return;
        const auto largest = std::max_element(
            shares.begin(), shares.end(),
            [](const auto& x, const auto& y) { return std::abs(x.share) < std::abs(y.share); });
        if (largest != shares.end() && largest->share != 0) {
            largest->share += move.rest;
            move.rest = 0;
        } else if (std::abs(*difference) <= kRounding * scale) {
            move.rest = 0;
            move.after = move.before;
        }
    }

    template <typename F>
    void findDecisive(CandidateComparison& c, const F& replay) {
        if (c.before->standing == c.after->standing) return;
        const std::uint64_t all = (std::uint64_t{1} << c.changes.size()) - 1;
        const auto differing = [&](std::uint64_t base, bool without) {
            std::vector<std::size_t> found;
            const std::string standing = replay(base).standing;
            for (std::size_t i = 0; i < c.changes.size(); ++i) {
                const std::uint64_t bit = std::uint64_t{1} << i;
                const Replay& other = replay(without ? base & ~bit : base | bit);
                if (other.isPlanned && other.standing != standing) found.push_back(c.changes[i]);
            }
            return found;
        };
        c.decisive = differing(all, true);
        if (c.decisive.empty()) c.decisive = differing(0, false);
    }

    Replay planned(CandidateComparison& c, const CandidatePair& pair, std::uint64_t made,
                   std::uint64_t step,
                   std::unordered_map<std::uint64_t, search::CandidateResult>& steps) {
        std::vector<bool> isMade(out_.changes.size(), false);
        std::uint64_t ofCatalog = 0;
        for (std::size_t i = 0; i < c.changes.size(); ++i) {
            if (((made >> i) & 1U) == 0) continue;
            isMade[c.changes[i]] = true;
            if (c.changes[i] >= inputs_ && c.changes[i] - inputs_ < 64)
                ofCatalog |= std::uint64_t{1} << (c.changes[i] - inputs_);
        }
        const std::string text = between(*before_, *after_, pair, out_.changes,
                                         [&](std::size_t i) { return isMade[i]; });
        const Outcome<scenario::Loaded> loaded = scenario::load(
            text, out_.after.name, figures_->catalogAt(ofCatalog), scenario::FigureNotes::LeftOut);
        if (!loaded) {
            if (c.gap.empty()) c.gap = loaded.findings().front().text;
            return {};
        }
        const search::PlanRequest& request = loaded->request;
        const search::CandidateRequest& candidate = request.candidates.front();
        const auto known = steps.find(step);
        if (known != steps.end())
            return replayOf(search::withRunOf(request, candidate, known->second));
        search::SearchOptions options;
        options.threads = options_.threads;
        options.cancelled = options_.cancelled;
        options.bands = false;
        options.advise = false;
        search::CandidateResult found = search::evaluateCandidate(request, candidate, options);
        const Replay result = replayOf(found);
        if (!found.feasible && c.gap.empty() && !found.reasons.empty())
            c.gap = found.reasons.front();
        steps.emplace(step, std::move(found));
        return result;
    }

    const Side& a_;
    const Side& b_;
    const catalog::Catalog& today_;
    const Options& options_;
    Comparison out_;
    std::optional<ReadScenario> before_, after_;
    std::vector<CandidatePair> pairs_;
    std::size_t inputs_ = 0;  ///< of out_.changes, those of the scenario, which come first
    std::optional<FigureChanges> figures_;
    std::map<std::string, MergedRests> restsBefore_, restsAfter_;
};

}  // namespace

search::Comparison compare(const Side& before, const Side& after, const catalog::Catalog& today,
                           const Options& options) {
    return Comparer(before, after, today, options).compare();
}

}  // namespace trainwright::compare
