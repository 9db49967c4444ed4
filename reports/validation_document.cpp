// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "reports/document_parts.h"
#include "reports/number_format.h"
#include "reports/validation_report.h"
#include "reports/validation_view.h"

namespace trainwright::reports {
namespace {

using belief::ErrorSummary;
using belief::RunError;
using belief::RunErrors;

Cell errorCell(double share) {
    return number(100 * share, "%", errorText(share));
}

Cell signedCell(double share) {
    return number(100 * share, "%", signedErrorText(share));
}

constexpr std::size_t kNotes = 10;

/// The families of `families` with their names, in the order of the enumeration.
std::vector<std::pair<Family, Text>> legendOf(const std::set<Family>& families) {
    std::vector<std::pair<Family, Text>> legend;
    for (Family family : families) {
        switch (family) {
            case Family::Trainium:
                legend.emplace_back(family, text("Trainium"));
                break;
            case Family::Gpu:
                legend.emplace_back(family, text("GPU"));
                break;
            case Family::Other:
                legend.emplace_back(family, text("other"));
                break;
        }
    }
    return legend;
}

/// "trn1-a +97.2%, …": for whoever can't see the plot.
std::string worstWords(const std::vector<const RunError*>& worst) {
    std::string all;
    for (std::size_t i = 0; i < std::min<std::size_t>(worst.size(), 3); ++i)
        all += (i > 0 ? ", " : "") + worst[i]->id + " " + signedErrorText(worst[i]->error());
    return all;
}

Figure parityFigure(const std::vector<const RunErrors*>& sets, const std::string& id) {
    ParityChart chart;
    chart.horizontalAxis = text("measured step time, s");
    chart.verticalAxis = text("predicted step time, s");
    std::set<Family> families;
    std::vector<const RunError*> compared;
    std::size_t inside = 0;
    for (const RunErrors* errors : sets) {
        for (const RunError& r : errors->rows) {
            if (!r.isCompared()) continue;
            const Family family = familyFromName(r.family);
            families.insert(family);
            chart.points.push_back({text("{1}: measured {2} s, predicted {3} s, {4}", r.id,
                                         estimate(r.measuredSeconds), estimate(r.predictedSeconds),
                                         signedErrorText(r.error())),
                                    r.measuredSeconds, r.predictedSeconds, family});
            compared.push_back(&r);
            if (std::abs(r.error()) <= chart.band) ++inside;
        }
    }
    chart.legend = legendOf(families);
    const std::vector<const RunError*> worst = farthest(compared, kNotes);
    chart.notesTitle = text("Farthest off");
    for (const RunError* r : worst) {
        const auto at = std::find(compared.begin(), compared.end(), r);
        chart.notes.push_back({static_cast<std::size_t>(at - compared.begin()), verbatim(r->id),
                               verbatim(signedErrorText(r->error()))});
    }
    ChartSpec spec;
    spec.id = id;
    spec.question = text("How near are predictions to measurements?");
    const std::string all = count(static_cast<double>(chart.points.size()));
    const std::string near = count(static_cast<double>(inside));
    spec.answer =
        text("{1} of {2} runs lie between the dashed lines, 20% to either side.", near, all);
    spec.description = worst.empty()
                           ? text("No run is compared.")
                           : text(
                                 "Predicted against measured step times of {1} runs on logarithmic "
                                 "axes; {2} lie within 20% of the diagonal. Farthest off: {3}.",
                                 all, near, worstWords(worst));
    spec.chart = std::move(chart);
    return {std::move(spec)};
}

double medianOf(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// How errors scatter on each accelerator; `errorOf` gives a row's, if it has one.
template <typename ErrorOf>
std::optional<Figure> stripFigure(const std::vector<const RunErrors*>& sets, const std::string& id,
                                  Text question, ErrorOf errorOf) {
    std::map<std::string, StripRow> rows;
    for (const RunErrors* errors : sets) {
        for (const RunError& r : errors->rows) {
            const std::optional<double> error = r.isCompared() ? errorOf(r) : std::nullopt;
            if (!error) continue;
            StripRow& row = rows[r.accelerator];
            row.label = verbatim(r.accelerator);
            row.family = familyFromName(r.family);
            row.ratios.push_back(1 + *error);
        }
    }
    if (rows.empty()) return std::nullopt;
    StripChart chart;
    chart.axis = text("predicted over measured step time, less one");
    chart.middleLabel = text("median");
    const StripRow* least = nullptr;
    const StripRow* most = nullptr;
    for (auto& [accelerator, row] : rows) {
        row.middle = medianOf(row.ratios);
        const std::string middle = signedErrorText(row.middle - 1);
        row.value =
            row.ratios.size() == 1
                ? text("1 run, {1}", middle)
                : text("{1} runs, {2}", count(static_cast<double>(row.ratios.size())), middle);
        if (least == nullptr || row.middle < least->middle) least = &row;
        if (most == nullptr || row.middle > most->middle) most = &row;
    }
    ChartSpec spec;
    spec.id = id;
    spec.question = std::move(question);
    spec.answer = rows.size() == 1 ? text("Median {1}.", signedErrorText(least->middle - 1))
                                   : text("Medians from {1} on {2} to {3} on {4}.",
                                          signedErrorText(least->middle - 1), least->label,
                                          signedErrorText(most->middle - 1), most->label);
    spec.description =
        text("Errors of the step time by accelerator, a point a run. {1}", spec.answer);
    for (auto& [accelerator, row] : rows) chart.rows.push_back(std::move(row));
    spec.chart = std::move(chart);
    return Figure{std::move(spec)};
}

Table summaryTable(const std::string& id, Text caption, Text first,
                   const std::map<std::string, ErrorSummary>& groups, const ErrorSummary& all) {
    Table table;
    table.id = id;
    table.caption = std::move(caption);
    table.columns = {{std::move(first), false, true},
                     {text("runs"), true},
                     {text("skipped"), true, false, 1},
                     {text("median"), true},
                     {text("mean"), true},
                     {text("P90"), true},
                     {text("signed mean"), true, false, 2}};
    RowGroup group;
    const auto add = [&](const Argument& key, const ErrorSummary& s, bool isTotal) {
        Row row;
        row.isTotal = isTotal;
        row.cells = {name(key), number(s.rows, "", count(s.rows)),
                     number(s.skipped, "", count(s.skipped))};
        if (s.rows > 0) {
            row.cells.insert(row.cells.end(),
                             {errorCell(s.medianAbsolute), errorCell(s.meanAbsolute),
                              errorCell(s.p90Absolute), signedCell(s.meanError)});
        } else {
            row.cells.insert(row.cells.end(), 4, doesNotApply());
        }
        group.rows.push_back(std::move(row));
    };
    for (const auto& [key, s] : groups) add(key, s, false);
    table.groups = {std::move(group)};
    if (groups.size() > 1) {
        group = {};
        add(text("all runs"), all, true);
        table.groups.push_back(std::move(group));
    }
    return table;
}

Table skippedTable(const RunErrors& errors) {
    Table table;
    table.id = "skipped";
    table.caption = text("Runs that are not compared");
    table.columns = {{text("because"), false, true}, {text("runs"), true}};
    RowGroup group;
    for (const auto& [reason, runs] : skippedBy(errors)) {
        Row row;
        row.cells = {words(reason), number(runs, "", count(runs))};
        group.rows.push_back(std::move(row));
    }
    table.groups = {std::move(group)};
    return table;
}

Cell tripleCell(const ErrorSummary& s) {
    return s.rows > 0 ? number(100 * s.medianAbsolute, "%", tripleText(s)) : doesNotApply();
}

Table fitTable(const std::vector<RunErrors>& errors, Grouping grouping) {
    const bool bySource = grouping == Grouping::Source;
    Table table;
    table.id = bySource ? "by-source" : "by-accelerator";
    table.caption = bySource ? text("By source") : text("By accelerator");
    table.columns = {{bySource ? text("source") : text("accelerator"), false, true},
                     {text("runs"), true},
                     {text("published"), true, false, 1},
                     {text("fitted"), true},
                     {text("group out"), true},
                     {text("source out"), true, false, 2}};
    const auto rowsOf = [&](Grouping which, bool isTotal) {
        RowGroup group;
        for (const FitErrors& e : fitErrors(errors, which)) {
            Row row;
            row.isTotal = isTotal;
            row.cells = {name(e.name),
                         number(e.rows, "", count(e.rows)),
                         tripleCell(e.uncalibrated),
                         tripleCell(e.fitted),
                         tripleCell(e.groupLeftOut),
                         tripleCell(e.sourceLeftOut)};
            group.rows.push_back(std::move(row));
        }
        return group;
    };
    table.groups = {rowsOf(grouping, false)};
    if (table.groups.front().rows.size() > 1) table.groups.push_back(rowsOf(Grouping::All, true));
    return table;
}

Table residualTable(const belief::Calibration& c) {
    Table table;
    table.id = "residual";
    table.caption = text("What is left after the fit, by grade");
    table.columns = {{text("grade"), false, true},
                     {text("of chips and software"), false},
                     {text("standard deviation"), true}};
    table.sortable = false;
    const std::array<Text, 3> meanings{text("measured together"),
                                       text("the chip's family was measured"),
                                       text("nothing was measured")};
    RowGroup group;
    for (std::size_t i = 0; i < meanings.size(); ++i) {
        Row row;
        row.cells = {name(belief::name(static_cast<belief::Grade>(i))), words(meanings[i]),
                     errorCell(c.residual[i])};
        group.rows.push_back(std::move(row));
    }
    table.groups = {std::move(group)};
    return table;
}

Table rowTable(const std::string& id, const RunErrors& errors) {
    Table table;
    table.id = id;
    table.caption = text("Every run");
    table.columns = {{text("run"), false, true},
                     {text("error"), true},
                     {text("measured, s"), true},
                     {text("predicted, s"), true},
                     {text("grade"), false},
                     {text("accelerator"), false, false, 2},
                     {text("layout"), false, false, 1},
                     {text("software"), false, false, 3}};
    RowGroup group;
    for (const RunError& r : errors.rows) {
        Row row;
        if (r.isCompared()) {
            row.cells = {name(r.id),
                         signedCell(r.error()),
                         number(r.measuredSeconds, "s", estimate(r.measuredSeconds, 4)),
                         number(r.predictedSeconds, "s", estimate(r.predictedSeconds, 4)),
                         name(belief::name(r.grade)),
                         name(r.accelerator),
                         name(r.layout),
                         name(r.software)};
            if (r.overMemory)
                row.notes.push_back(text(
                    "The memory model says that this layout doesn't fit; it ran all the same."));
            if (const auto memory = r.memoryError())
                row.notes.push_back(text("Peak memory {1} measured, {2} predicted: {3}.",
                                         gibibytes(units::Bytes(*r.measuredMemoryBytes)),
                                         gibibytes(units::Bytes(*r.predictedMemoryBytes)),
                                         signedErrorText(*memory)));
        } else {
            row.cells = {name(r.id)};
            row.cells.insert(row.cells.end(), 4, doesNotApply());
            row.cells.push_back(name(r.accelerator));
            row.cells.insert(row.cells.end(), 2, doesNotApply());
            row.notes.push_back(r.skipped);
            row.tone = Tone::Quiet;
        }
        group.rows.push_back(std::move(row));
    }
    table.groups = {std::move(group)};
    return table;
}

Document documentOf(Text kind, Text title, const ValidationContext& context) {
    Document document;
    document.kind = std::move(kind);
    document.title = title;
    document.generator = context.programVersion.empty()
                             ? text("Trainwright")
                             : text("Trainwright {1}", context.programVersion);
    return document;
}

Section reproduction(const ValidationContext& context) {
    ReportContext report;
    report.programVersion = context.programVersion;
    report.catalogHash = context.catalogHash;
    report.command = context.command;
    return reproduce(report);
}

Section section(const char* id, Text title, Text answer = {}) {
    Section s;
    s.id = id;
    s.title = std::move(title);
    s.answer = std::move(answer);
    return s;
}

}  // namespace

Document validationDocument(const RunErrors& errors, const ValidationContext& context) {
    Document document = documentOf(text("Trainwright validation"),
                                   text("Predicted against measured step times"), context);
    document.answer = {paragraph(sentenceOf(errors))};
    if (errors.memory.rows > 0) document.answer.push_back(paragraph(memorySentenceOf(errors)));
    if (!errors.choice.jobs.empty()) document.answer.push_back(paragraph(choiceSentenceOf(errors)));
    Section parity = section("parity-section", text("Predicted against measured"),
                             text("Runs: {1}. Calibration: {2}.", text(context.runsTitle),
                                  text(context.calibrationTitle)));
    parity.blocks.emplace_back(parityFigure({&errors}, "parity"));
    document.sections.push_back(std::move(parity));
    Section groups = section("groups", text("Errors by accelerator and source"),
                             text("Of the absolute error: median, mean and 90th percentile; the "
                                  "signed mean shows a lean."));
    if (auto strip =
            stripFigure({&errors}, "strip", text("How do errors scatter on each accelerator?"),
                        [](const RunError& r) { return std::optional<double>(r.error()); }))
        groups.blocks.emplace_back(std::move(*strip));
    groups.blocks.emplace_back(summaryTable("by-accelerator", text("By accelerator"),
                                            text("accelerator"), errors.byAccelerator,
                                            errors.summary));
    groups.blocks.emplace_back(summaryTable("by-source", text("By source"), text("source"),
                                            errors.bySource, errors.summary));
    document.sections.push_back(std::move(groups));
    if (errors.summary.skipped > 0) {
        Section skipped = section("skipped-section", text("Not compared"));
        skipped.blocks.emplace_back(skippedTable(errors));
        document.sections.push_back(std::move(skipped));
    }
    Section rows = section("rows-section", text("Every run"),
                           text("Errors are those of the step time: predicted over measured, less "
                                "one."));
    rows.blocks.emplace_back(rowTable("rows", errors));
    document.sections.push_back(std::move(rows));
    document.sections.push_back(reproduction(context));
    return document;
}

Document calibrationDocument(const belief::Calibration& c, const std::vector<RunErrors>& errors,
                             double coverage, const ValidationContext& context) {
    Document document =
        documentOf(text("Trainwright calibration"),
                   text("Factors of the catalog's figures, fitted to measured runs"), context);
    document.answer = {paragraph(text("Calibration: {1}.", context.calibrationTitle)),
                       paragraph(coverageSentence(coverage)), paragraph(residualSentence(c))};
    Section parity = section("parity-section", text("Fitted against measured"));
    std::vector<const RunErrors*> sets;
    for (const RunErrors& e : errors) sets.push_back(&e);
    parity.blocks.emplace_back(parityFigure(sets, "parity"));
    document.sections.push_back(std::move(parity));

    Section made = section("errors", text("Errors"), fitErrorsNote());
    if (auto strip = stripFigure(sets, "strip",
                                 text("How do errors scatter on runs that the fit hasn't seen?"),
                                 [](const RunError& r) { return r.errorGroupLeftOut; }))
        made.blocks.emplace_back(std::move(*strip));
    made.blocks.emplace_back(fitTable(errors, Grouping::Accelerator));
    made.blocks.emplace_back(fitTable(errors, Grouping::Source));
    made.blocks.emplace_back(residualTable(c));
    document.sections.push_back(std::move(made));

    Section fitted = section("factors-section", text("Factors"),
                             text("Each multiplies a figure of the catalog; those that the runs "
                                  "say nothing of are left out."));
    Table table;
    table.id = "factors";
    table.caption = text("Factors and their standard errors");
    table.columns = {{text("figure"), false, true},
                     {text("of"), false},
                     {text("factor"), true},
                     {text("standard error"), true},
                     {text("runs"), true}};
    RowGroup group;
    for (const belief::Factor& f : c.factors) {
        Row row;
        row.cells = {name(figureName(f.physics)), name(f.subject),
                     number(std::exp(f.logFactor), "", factorText(f)), errorCell(f.standardError),
                     number(f.rows, "", count(f.rows))};
        group.rows.push_back(std::move(row));
    }
    table.groups = {std::move(group)};
    fitted.blocks.emplace_back(std::move(table));
    Table runSets;
    runSets.id = "run-sets";
    runSets.caption = text("Runs that it was made from");
    runSets.columns = {
        {text("runs"), false, true}, {text("compared"), true}, {text("hash"), false}};
    RowGroup ofSets;
    for (const belief::RunSet& s : c.runSets) {
        Row row;
        row.cells = {name(s.title), number(s.rows, "", count(s.rows)), name(s.hash)};
        ofSets.rows.push_back(std::move(row));
    }
    runSets.groups = {std::move(ofSets)};
    fitted.blocks.emplace_back(std::move(runSets));
    document.sections.push_back(std::move(fitted));
    document.sections.push_back(reproduction(context));
    return document;
}

}  // namespace trainwright::reports
