// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/claims_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "model/units/text_quantity.h"
#include "reports/number_format.h"
#include "reports/sources.h"

namespace trainwright::reports {
namespace {

using claims::Case;
using claims::Measure;
using claims::Part;
using claims::Relation;
using claims::Verdict;

constexpr double kTebi = units::kGibi * units::kKibi;
constexpr double kMegawattsFrom = 1e5;  // watts
constexpr std::size_t kGridFrom = 12;   // cases

std::string bytesText(double value) {
    if (value >= kTebi && std::fmod(value, kTebi / 16) == 0) return trimmed(value / kTebi) + " TiB";
    if (value >= units::kGibi && std::fmod(value, units::kGibi / 16) == 0)
        return trimmed(value / units::kGibi, 6) + " GiB";
    return traffic(units::Bytes(value));
}

std::string rateText(double value) {
    struct Scale {
        double factor;
        const char* name;
    };
    constexpr std::array<Scale, 3> kScales{
        {{1e18, "EFLOP/s"}, {1e15, "PFLOP/s"}, {1e12, "TFLOP/s"}}};
    for (const Scale& scale : kScales)
        if (value >= scale.factor) return trimmed(value / scale.factor) + " " + scale.name;
    return trimmed(value / 1e12) + " TFLOP/s";
}

/// Ratios that were worked out have two decimals, so that they compare at a glance.
std::string ratioText(double value) {
    constexpr double kPlainFrom = 10;
    const bool isWhole = value == std::round(value);
    return (isWhole || std::abs(value) >= kPlainFrom ? trimmed(value, 3) : fixed(value, 2)) + "×";
}

Argument numberText(double value, const std::string& unit) {
    if (unit == "bytes") return bytesText(value);
    if (unit == "flop_per_second") return rateText(value);
    if (unit == "fraction") return percent(value);
    if (unit == "ratio") return ratioText(value);
    if (unit == "count" || unit.empty())
        return value == std::round(value) ? count(value) : estimate(value);
    if (unit == "days") return text("{1} days", value < 1000 ? days(value) : estimate(value));
    if (unit == "seconds") return seconds(units::Seconds(value));
    if (unit == "joules") return megawattHours(units::Joules(value));
    if (unit == "usd") return money(units::UsDollars(value));
    if (unit == "watts" && std::abs(value) >= kMegawattsFrom) return megawatts(units::Watts(value));
    // Of things that a check counts, one is one of them.
    if (value == 1 && unit.size() > 1 && unit.back() == 's' && unit.find('_') == std::string::npos)
        return "1 " + unit.substr(0, unit.size() - 1);
    return figureText(units::plainNumber(value), unit);
}

bool isNumber(const Part& part) {
    return part.lowest.number.has_value();
}

/// "11.6 to 164 PFLOP/s": a unit that both have is said once.
Argument spanText(const Measure& least, const Measure& most) {
    const Argument whole = measureText(most);
    std::string from = measureText(least).english();
    const std::string to = whole.english();
    if (from == to) return whole;
    const std::size_t unit = to.find(' ');
    if (unit != std::string::npos && from.ends_with(to.substr(unit)))
        from.resize(from.size() - (to.size() - unit));
    return text("{1} to {2}", from, whole);
}

Cell foundCell(const Part& part, const Case& c) {
    if (c.found.empty()) return notKnownCell();
    Cell cell = c.found.number ? number(*c.found.number, c.found.unit, measureText(c.found))
                               : name(measureText(c.found));
    if (part.relation != Relation::None && c.isMet) cell.tone = Tone::Good;
    return cell;
}

std::optional<std::size_t> dimension(const Part& part, const std::string& wanted) {
    const auto found = std::find(part.dimensions.begin(), part.dimensions.end(), wanted);
    if (found == part.dimensions.end()) return std::nullopt;
    return static_cast<std::size_t>(found - part.dimensions.begin());
}

/// The labels of a case without those at `left` and at `right`.
std::vector<std::string> others(const Case& c, std::optional<std::size_t> left,
                                std::optional<std::size_t> right) {
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < c.labels.size(); ++i)
        if (i != left && i != right) labels.push_back(c.labels[i]);
    return labels;
}

/// From the least to the greatest of the cases that share a cell.
Cell spanCell(const Part& part, const std::vector<const Case*>& cases) {
    const Case* least = nullptr;
    const Case* most = nullptr;
    bool allMet = true;
    for (const Case* c : cases) {
        if (!c->found.number) continue;
        if (least == nullptr || *c->found.number < *least->found.number) least = c;
        if (most == nullptr || *c->found.number > *most->found.number) most = c;
        allMet = allMet && c->isMet;
    }
    if (least == nullptr) return notKnownCell();
    Cell cell = number(*most->found.number, most->found.unit, spanText(least->found, most->found));
    if (part.relation != Relation::None && allMet) cell.tone = Tone::Good;
    return cell;
}

/// Labels of a check that goes through keys of the catalog are those keys.
Argument labelText(const Part& part, std::size_t index, const std::string& label) {
    return part.kind == "present" && part.dimensions[index] == "figure"
               ? Argument(figureLabel(label))
               : Argument(label);
}

}  // namespace

Argument measureText(const Measure& measure) {
    if (measure.number) return numberText(*measure.number, measure.unit);
    return measure.words.empty() ? notKnown() : measure.words;
}

Text sentenceText(const claims::Sentence& sentence) {
    Text text{sentence.pattern, {}};
    for (const Measure& argument : sentence.arguments)
        text.arguments.push_back(argument.empty() ? Argument("") : measureText(argument));
    return text;
}

Argument claimedText(const Part& part) {
    if (part.relation == Relation::Holds && part.known > 0)
        return text("{1} of {1}", count(part.known));
    if (part.claimed.empty()) return "–";
    const Argument claimed = measureText(part.claimed);
    switch (part.relation) {
        case Relation::AtLeast:
            return text("≥ {1}", claimed);
        case Relation::AtMost:
            return text("≤ {1}", claimed);
        case Relation::Reaches:
            return text("reaches {1}", claimed);
        case Relation::Equals:
        case Relation::Holds:
        case Relation::None:
            break;
    }
    return claimed;
}

Argument foundText(const Part& part) {
    if (part.known == 0) return notKnown();
    if (part.cases.size() == 1 && !part.found.empty()) return measureText(part.found);
    if (part.relation == Relation::Holds || !isNumber(part))
        return part.relation == Relation::None
                   ? Argument("–")
                   : Argument(text("{1} of {2}", count(part.met), count(part.known)));
    if (part.relation == Relation::Reaches) return text("up to {1}", measureText(part.highest));
    return spanText(part.lowest, part.highest);
}

const char* glyph(Verdict verdict) {
    switch (verdict) {
        case Verdict::Holds:
            return "✓";
        case Verdict::HoldsUnderConditions:
            return "◐";
        case Verdict::Contradicted:
            return "✕";
        case Verdict::CannotBeChecked:
            break;
    }
    return "?";
}

Tone toneOf(Verdict verdict) {
    switch (verdict) {
        case Verdict::Holds:
            return Tone::Good;
        case Verdict::HoldsUnderConditions:
            return Tone::Warning;
        case Verdict::Contradicted:
            return Tone::Error;
        case Verdict::CannotBeChecked:
            break;
    }
    return Tone::NotKnown;
}

const Part* decisivePart(const claims::CheckedClaim& claim) {
    return claim.decisive < claim.parts.size() ? &claim.parts[claim.decisive] : nullptr;
}

Text tally(const std::vector<claims::CheckedClaim>& claims) {
    const auto of = [&](Verdict verdict) {
        return count(static_cast<double>(std::count_if(
            claims.begin(), claims.end(),
            [&](const claims::CheckedClaim& claim) { return claim.verdict == verdict; })));
    };
    return text(
        "{1} claims. Holding: {2}. Under conditions: {3}. Contradicted: {4}. Not to be "
        "checked: {5}.",
        count(static_cast<double>(claims.size())), of(Verdict::Holds),
        of(Verdict::HoldsUnderConditions), of(Verdict::Contradicted), of(Verdict::CannotBeChecked));
}

std::optional<Table> gridTable(const Part& part, const std::string& id) {
    const std::optional<std::size_t> model = dimension(part, "model");
    const std::optional<std::size_t> region = dimension(part, "region");
    if (!model || !dimension(part, "against") || part.cases.size() < kGridFrom) return std::nullopt;
    std::vector<std::string> models;
    for (const Case& c : part.cases)
        if (std::find(models.begin(), models.end(), c.labels[*model]) == models.end())
            models.push_back(c.labels[*model]);
    if (models.size() < 2) return std::nullopt;

    // A group for what is set against what, a row for each plan.
    std::vector<std::vector<std::string>> rows;
    for (const Case& c : part.cases) {
        std::vector<std::string> labels = others(c, model, region);
        if (std::find(rows.begin(), rows.end(), labels) == rows.end())
            rows.push_back(std::move(labels));
    }
    Table table;
    table.id = id;
    table.sortable = false;
    const bool hasPlans = dimension(part, "plan").has_value();
    table.caption = hasPlans ? text("By model; a span is that of the regions") : text("By model");
    table.columns = {{hasPlans ? text("plan / plan of the other") : text("against"), false, true}};
    for (const std::string& one : models) table.columns.push_back({verbatim(one), true});
    for (const std::vector<std::string>& labels : rows) {
        const Text title =
            hasPlans ? text("{1} against {2}", labels[0], labels[1]) : verbatim(labels[0]);
        if (table.groups.empty() || table.groups.back().title != title)
            table.groups.push_back({title, {}});
        Row row;
        row.cells = {name(labels.back())};
        for (const std::string& one : models) {
            std::vector<const Case*> here;
            for (const Case& c : part.cases)
                if (c.labels[*model] == one && others(c, model, region) == labels)
                    here.push_back(&c);
            row.cells.push_back(here.empty() ? doesNotApply() : spanCell(part, here));
        }
        table.groups.back().rows.push_back(std::move(row));
    }
    return table;
}

Table caseTable(const Part& part, const std::string& id) {
    Table table;
    table.id = id;
    table.caption = text("Case by case");
    for (const std::string& one : part.dimensions) table.columns.push_back({verbatim(one), false});
    table.columns.push_back({text("found"), isNumber(part)});
    const bool hasBands = std::any_of(part.cases.begin(), part.cases.end(),
                                      [](const Case& c) { return !c.p10.empty(); });
    if (hasBands) table.columns.push_back({text("P10–P90"), true});
    RowGroup group;
    for (const Case& c : part.cases) {
        Row row;
        for (std::size_t i = 0; i < part.dimensions.size(); ++i)
            row.cells.push_back(name(i < c.labels.size() ? labelText(part, i, c.labels[i]) : ""));
        row.cells.push_back(foundCell(part, c));
        if (hasBands)
            row.cells.push_back(c.p10.empty() ? doesNotApply() : name(spanText(c.p10, c.p90)));
        for (const claims::Sentence& note : c.notes) row.notes.push_back(sentenceText(note));
        group.rows.push_back(std::move(row));
    }
    table.groups = {std::move(group)};
    return table;
}

const std::string* scenarioOf(const Part& part) {
    const Case* best = nullptr;
    for (const Case& c : part.cases) {
        if (c.scenario.empty()) continue;
        const bool better =
            best == nullptr || (part.relation == Relation::Reaches && c.found.number &&
                                best->found.number && *c.found.number > *best->found.number);
        if (better) best = &c;
    }
    return best == nullptr ? nullptr : &best->scenario;
}

const std::string* scenarioOf(const claims::CheckedClaim& claim) {
    for (const bool decides : {true, false})
        for (const Part& part : claim.parts)
            if ((part.role == claims::Role::Decides) == decides)
                if (const std::string* scenario = scenarioOf(part)) return scenario;
    return nullptr;
}

}  // namespace trainwright::reports
