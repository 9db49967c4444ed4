// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/site_report.h"

#include <algorithm>
#include <cmath>

#include "model/units/joined.h"
#include "reports/bands_view.h"
#include "reports/number_format.h"
#include "reports/step_view.h"

namespace trainwright::reports {
namespace {

constexpr const char* kStates[] = {"planned", "none_runs", "broken"};
constexpr const char* kStandings[] = {"meets_all", "misses_limit", "no_price", "does_not_fit"};

template <std::size_t N>
std::size_t placeOf(const char* const (&names)[N], const std::string& name) {
    const auto* at = std::find(std::begin(names), std::end(names), name);
    if (at == std::end(names)) throw Json::other_error::create(501, name, nullptr);
    return static_cast<std::size_t>(at - std::begin(names));
}

Json textJson(const Text& text) {
    Json arguments = Json::array();
    for (const Argument& argument : text.arguments)
        arguments.push_back(argument.text() != nullptr ? textJson(*argument.text())
                                                       : Json(argument.english()));
    return Json{{"pattern", text.pattern}, {"arguments", std::move(arguments)}};
}

Text textFrom(const Json& json) {
    Text text;
    text.pattern = json.at("pattern").get<std::string>();
    for (const Json& argument : json.at("arguments"))
        text.arguments.push_back(argument.is_string() ? Argument(argument.get<std::string>())
                                                      : Argument(textFrom(argument)));
    return text;
}

Json textsJson(const std::vector<Text>& texts) {
    Json out = Json::array();
    for (const Text& one : texts) out.push_back(textJson(one));
    return out;
}

std::vector<Text> textsFrom(const Json& json) {
    std::vector<Text> out;
    for (const Json& one : json) out.push_back(textFrom(one));
    return out;
}

Json figureJson(const SiteFigure& figure) {
    return Json{{"value", figure.value ? Json(*figure.value) : Json(nullptr)},
                {"shown", textJson(figure.shown)}};
}

SiteFigure figureFrom(const Json& json) {
    SiteFigure figure;
    if (!json.at("value").is_null()) figure.value = json.at("value").get<double>();
    figure.shown = textFrom(json.at("shown"));
    return figure;
}

SiteFigure figureOf(double value, const std::string& shown, const Argument& range) {
    if (!std::isfinite(value)) return {};
    return {value, verbatim(withRange(shown, range))};
}

Cell cellOf(const SiteScenario& scenario, const SiteFigure& figure, const char* unit) {
    if (scenario.state != SiteState::Planned) return doesNotApply();
    return figure.value ? number(*figure.value, unit, figure.shown) : notKnownCell();
}

Cell limitsCell(const SiteScenario& scenario) {
    switch (scenario.state) {
        case SiteState::Broken:
            return words(text("not readable"), Tone::Error);
        case SiteState::NoneRuns:
            return words(text("can't be run"), Tone::Error);
        case SiteState::Planned:
            break;
    }
    switch (scenario.standing) {
        case Standing::MeetsAll:
            return scenario.hasLimits ? words(text("kept"), Tone::Good)
                                      : words(text("none set"), Tone::Quiet);
        case Standing::MissesLimit:
            return words(text("missed"), Tone::Warning);
        case Standing::NoPrice:
        case Standing::DoesNotFit:
            break;
    }
    return words(standingTitle(scenario.standing), Tone::Warning);
}

std::string fileName(const std::string& file) {
    return file.substr(file.rfind('/') + 1);
}

/// Without the folder that the page is about.
std::string within(const SiteContext& context, const std::string& file) {
    return file.starts_with(context.folder) ? file.substr(context.folder.size()) : file;
}

Row rowOf(const SiteScenario& scenario) {
    Cell title = name(scenario.title.empty() ? fileName(scenario.file) : scenario.title);
    title.url = scenario.page;
    Row row;
    row.cells = {std::move(title),
                 limitsCell(scenario),
                 scenario.best.empty() ? doesNotApply() : name(scenario.best),
                 cellOf(scenario, scenario.days, "d"),
                 cellOf(scenario, scenario.costUsd, "USD"),
                 cellOf(scenario, scenario.energyKwh, "kWh"),
                 scenario.grade.empty() ? doesNotApply() : name(scenario.grade)};
    std::vector<Text> about;
    if (!scenario.title.empty()) about.push_back(verbatim(fileName(scenario.file)));
    if (!scenario.model.empty()) about.push_back(verbatim(scenario.model));
    if (!about.empty()) row.notes.push_back(joined(about));
    for (const Text& reason : scenario.reasons) row.notes.push_back(reason);
    return row;
}

Section scenarioSection(const std::vector<SiteScenario>& scenarios, const SiteContext& context) {
    Table table;
    table.id = "scenario-table";
    table.caption = text("Scenarios, each with its best candidate");
    table.columns = {{text("scenario"), false, true}, {text("limits"), false},
                     {text("best candidate"), false}, {text("days"), true},
                     {text("M USD"), true},           {text("MWh"), true},
                     {text("grade"), false}};
    std::optional<std::string> folder;
    for (const SiteScenario& scenario : scenarios) {
        std::string inner = within(context, scenario.file);
        inner.resize(inner.rfind('/') == std::string::npos ? 0 : inner.rfind('/') + 1);
        if (folder != inner) table.groups.push_back({verbatim(inner), {}});
        folder = std::move(inner);
        table.groups.back().rows.push_back(rowOf(scenario));
    }
    table.footnotes = {text("In parentheses: P10–P90, between which 80 of 100 cases lie."),
                       text("Grade: A this chip was measured, B its family, C data sheets only.")};
    Section section;
    section.id = "scenarios";
    section.title = text("Scenarios");
    section.blocks.emplace_back(std::move(table));
    return section;
}

Section comparisonSection(const std::vector<SiteComparison>& comparisons,
                          const SiteContext& context) {
    Table table;
    table.id = "comparison-table";
    table.caption = text("Scenarios of the same model, each beside the next");
    table.columns = {{text("comparison"), false, true}};
    table.sortable = false;
    RowGroup group;
    for (const SiteComparison& comparison : comparisons) {
        Cell title =
            name(within(context, comparison.before) + " → " + within(context, comparison.after));
        title.url = comparison.page;
        Row row;
        row.cells = {std::move(title)};
        row.notes = comparison.verdict;
        group.rows.push_back(std::move(row));
    }
    table.groups.push_back(std::move(group));
    Section section;
    section.id = "comparisons";
    section.title = text("Comparisons");
    section.blocks.emplace_back(std::move(table));
    return section;
}

Section reproduceSection(const SiteContext& context) {
    Section section;
    section.id = "reproduce";
    section.title = text("Reproduce");
    section.blocks.emplace_back(Preformatted{context.command});
    Facts facts;
    facts.items = {{text("program"), words(text("trainwright {1}", context.programVersion))},
                   {text("catalog of"), name(context.catalogVersion)},
                   {text("catalog fingerprint"), name(context.catalogHash)},
                   {text("calibration"),
                    context.calibration.empty() ? words(text("none")) : name(context.calibration)}};
    section.blocks.emplace_back(std::move(facts));
    return section;
}

/// The titles of those that `holds` is true of, in a sentence; nothing without any.
template <typename Holds>
void addNames(std::vector<Paragraph>& out, const std::vector<SiteScenario>& scenarios,
              const SiteContext& context, const char* pattern, Tone tone, Holds holds) {
    std::vector<Text> names;
    for (const SiteScenario& scenario : scenarios)
        if (holds(scenario)) names.push_back(verbatim(within(context, scenario.file)));
    if (!names.empty()) out.push_back({text(pattern, joined(names)), tone, {}});
}

std::vector<Paragraph> answerOf(const std::vector<SiteScenario>& scenarios,
                                const SiteContext& context) {
    const auto planned = [](const SiteScenario& scenario, Standing standing) {
        return scenario.state == SiteState::Planned && scenario.standing == standing;
    };
    std::size_t good = 0;
    for (const SiteScenario& scenario : scenarios) good += planned(scenario, Standing::MeetsAll);
    std::vector<Paragraph> out;
    out.push_back({scenarios.size() == 1
                       ? text("One scenario.")
                       : text("{1} scenarios; in {2} of them the best candidate keeps every limit.",
                              std::to_string(scenarios.size()), std::to_string(good)),
                   Tone::Plain,
                   {}});
    addNames(out, scenarios, context, "Every candidate misses a limit: {1}.", Tone::Warning,
             [&](const auto& s) { return planned(s, Standing::MissesLimit); });
    addNames(out, scenarios, context, "No price is known: {1}.", Tone::Warning,
             [&](const auto& s) { return planned(s, Standing::NoPrice); });
    addNames(out, scenarios, context, "No candidate can be run: {1}.", Tone::Error,
             [](const auto& s) { return s.state == SiteState::NoneRuns; });
    addNames(out, scenarios, context, "The file isn't right: {1}.", Tone::Error,
             [](const auto& s) { return s.state == SiteState::Broken; });
    return out;
}

}  // namespace

SiteScenario siteScenario(const search::PlanRequest& request, const search::PlanResult& result) {
    SiteScenario out;
    out.title = request.title;
    out.model = request.architecture.id;
    const search::Constraints& limits = request.constraints;
    out.hasLimits = limits.finishBy || limits.budget || limits.power || limits.carbonKilograms ||
                    limits.accelerators;
    const std::vector<CandidateView> views = candidateViews(request, result);
    if (views.empty() || !views.front().runs()) {
        out.state = SiteState::NoneRuns;
        if (!views.empty())
            for (const CandidateView& view : views)
                for (const Text& reason : reasonsOf(view))
                    out.reasons.push_back(text("{1}: {2}", view.request->name, reason));
        return out;
    }
    const CandidateView& best = views.front();
    const run::RunResult& run = best.result->run;
    out.state = SiteState::Planned;
    out.best = best.request->name;
    out.standing = best.standing;
    out.grade = belief::name(best.result->grade);
    out.days = figureOf(run.days, days(run.days), daysRange(best));
    if (run.money.total)
        out.costUsd =
            figureOf(run.money.total->value(), millions(*run.money.total), costRange(best));
    if (run.energy.energy) {
        constexpr double kJoulesPerKilowattHour = 3.6e6;
        const double kilowattHours = run.energy.energy->value() / kJoulesPerKilowattHour;
        out.energyKwh = figureOf(kilowattHours, estimate(kilowattHours / 1e3), "");
    }
    if (best.standing != Standing::MeetsAll) out.reasons = reasonsOf(best);
    return out;
}

Json toJson(const SiteScenario& s) {
    return Json{{"file", s.file},
                {"page", s.page},
                {"state", kStates[static_cast<std::size_t>(s.state)]},
                {"title", s.title},
                {"model", s.model},
                {"best", s.best},
                {"standing", kStandings[static_cast<std::size_t>(s.standing)]},
                {"has_limits", s.hasLimits},
                {"days", figureJson(s.days)},
                {"cost_usd", figureJson(s.costUsd)},
                {"energy_kwh", figureJson(s.energyKwh)},
                {"grade", s.grade},
                {"reasons", textsJson(s.reasons)}};
}

Json toJson(const SiteComparison& c) {
    return Json{{"before", c.before},
                {"after", c.after},
                {"page", c.page},
                {"verdict", textsJson(c.verdict)}};
}

std::optional<SiteScenario> siteScenarioFrom(const Json& json) try {
    SiteScenario s;
    const auto word = [&](const char* key) { return json.at(key).get<std::string>(); };
    s.file = word("file");
    s.page = word("page");
    s.state = static_cast<SiteState>(placeOf(kStates, word("state")));
    s.title = word("title");
    s.model = word("model");
    s.best = word("best");
    s.standing = static_cast<Standing>(placeOf(kStandings, word("standing")));
    s.hasLimits = json.at("has_limits").get<bool>();
    s.days = figureFrom(json.at("days"));
    s.costUsd = figureFrom(json.at("cost_usd"));
    s.energyKwh = figureFrom(json.at("energy_kwh"));
    s.grade = word("grade");
    s.reasons = textsFrom(json.at("reasons"));
    return s;
} catch (const Json::exception&) {
    return std::nullopt;
}

std::optional<SiteComparison> siteComparisonFrom(const Json& json) try {
    return SiteComparison{json.at("before").get<std::string>(), json.at("after").get<std::string>(),
                          json.at("page").get<std::string>(), textsFrom(json.at("verdict"))};
} catch (const Json::exception&) {
    return std::nullopt;
}

Document siteDocument(const std::vector<SiteScenario>& scenarios,
                      const std::vector<SiteComparison>& comparisons, const SiteContext& context) {
    Document document;
    document.title = verbatim(context.title);
    document.kind = text("Trainwright scenarios");
    document.generator = text("Trainwright {1}", context.programVersion);
    document.answer = answerOf(scenarios, context);
    document.sections.push_back(scenarioSection(scenarios, context));
    if (!comparisons.empty()) document.sections.push_back(comparisonSection(comparisons, context));
    document.sections.push_back(reproduceSection(context));
    return document;
}

Json siteScenarioJson(const SiteScenario& s) {
    const auto orNull = [](const std::string& words) {
        return words.empty() ? Json(nullptr) : Json(words);
    };
    const auto numberOrNull = [](const SiteFigure& figure) {
        return figure.value ? Json(*figure.value) : Json(nullptr);
    };
    const bool isPlanned = s.state == SiteState::Planned;
    Json reasons = Json::array();
    for (const Text& reason : s.reasons) reasons.push_back(reason.english());
    return Json{{"file", s.file},
                {"page", orNull(s.page)},
                {"state", kStates[static_cast<std::size_t>(s.state)]},
                {"title", orNull(s.title)},
                {"model", orNull(s.model)},
                {"best", orNull(s.best)},
                {"standing", isPlanned ? Json(kStandings[static_cast<std::size_t>(s.standing)])
                                       : Json(nullptr)},
                {"days", numberOrNull(s.days)},
                {"cost_usd", numberOrNull(s.costUsd)},
                {"energy_kwh", numberOrNull(s.energyKwh)},
                {"grade", orNull(s.grade)},
                {"reasons", std::move(reasons)}};
}

}  // namespace trainwright::reports
