// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

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

Family familyOf(const RunError& r) {
    const auto has = [&](const char* part) {
        return r.accelerator.find(part) != std::string::npos;
    };
    if (has("Trainium") || has("Inferentia")) return Family::Trainium;
    return has("TPU") || has("Gaudi") ? Family::Other : Family::Gpu;
}

Figure parityFigure(const std::vector<const RunErrors*>& sets, const std::string& id) {
    ParityChart chart;
    chart.horizontalAxis = text("measured step time, s");
    chart.verticalAxis = text("predicted step time, s");
    chart.legend = {{Family::Trainium, text("Trainium")}, {Family::Gpu, text("GPU")}};
    std::size_t inside = 0;
    for (const RunErrors* errors : sets) {
        for (const RunError& r : errors->rows) {
            if (!r.isCompared()) continue;
            chart.points.push_back(
                {verbatim(r.id), r.measuredSeconds, r.predictedSeconds, familyOf(r)});
            const double ratio = r.predictedSeconds / r.measuredSeconds;
            if (ratio <= 1 + chart.band && ratio >= 1 / (1 + chart.band)) ++inside;
        }
    }
    ChartSpec spec;
    spec.id = id;
    spec.question = text("How near are predictions to measurements?");
    const std::string all = count(static_cast<double>(chart.points.size()));
    spec.answer = text("{1} of {2} runs lie between the dashed lines, 20% to either side.",
                       count(static_cast<double>(inside)), all);
    spec.description = text(
        "Predicted against measured step times of {1} runs on logarithmic axes; {2} lie "
        "within 20% of the diagonal.",
        all, count(static_cast<double>(inside)));
    spec.chart = std::move(chart);
    return {std::move(spec)};
}

Table summaryTable(const std::string& id, Text caption, Text first,
                   const std::map<std::string, ErrorSummary>& groups) {
    Table table;
    table.id = id;
    table.caption = std::move(caption);
    table.columns = {{std::move(first), false, true},     {text("runs"), true},
                     {text("skipped"), true, false, 1},   {text("median |error|"), true},
                     {text("mean |error|"), true},        {text("P90 |error|"), true},
                     {text("mean error"), true, false, 2}};
    RowGroup group;
    for (const auto& [key, s] : groups) {
        Row row;
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
    }
    table.groups = {std::move(group)};
    return table;
}

Table rowTable(const std::string& id, const RunErrors& errors) {
    Table table;
    table.id = id;
    table.caption = text("Every run");
    table.columns = {{text("run"), false, true},
                     {text("accelerator"), false, false, 2},
                     {text("software"), false, false, 3},
                     {text("layout"), false, false, 1},
                     {text("measured, s"), true},
                     {text("predicted, s"), true},
                     {text("error"), true},
                     {text("grade"), false}};
    RowGroup group;
    for (const RunError& r : errors.rows) {
        Row row;
        if (r.isCompared()) {
            row.cells = {name(r.id),
                         name(r.accelerator),
                         name(r.software),
                         name(r.layout),
                         number(r.measuredSeconds, "s", trimmed(r.measuredSeconds)),
                         number(r.predictedSeconds, "s", trimmed(r.predictedSeconds)),
                         signedCell(r.error()),
                         name(belief::name(r.grade))};
            if (const auto memory = r.memoryError())
                row.notes.push_back(text("Peak memory {1} measured, {2} predicted: {3}.",
                                         gibibytes(units::Bytes(*r.measuredMemoryBytes)),
                                         gibibytes(units::Bytes(*r.predictedMemoryBytes)),
                                         signedErrorText(*memory)));
        } else {
            row.cells = {name(r.id), name(r.accelerator)};
            row.cells.insert(row.cells.end(), 6, doesNotApply());
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
    document.title = title.english();
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
    Section parity =
        section("parity-section", text("Predicted against measured"),
                text("Runs: {1}. Calibration: {2}.", context.runsTitle, context.calibrationTitle));
    parity.blocks.emplace_back(parityFigure({&errors}, "parity"));
    document.sections.push_back(std::move(parity));
    Section groups = section("groups", text("Errors by accelerator and source"));
    groups.blocks.emplace_back(summaryTable("by-accelerator", text("By accelerator"),
                                            text("accelerator"), errors.byAccelerator));
    groups.blocks.emplace_back(
        summaryTable("by-source", text("By source"), text("source"), errors.bySource));
    document.sections.push_back(std::move(groups));
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
    document.answer = {paragraph(verbatim(context.calibrationTitle)),
                       paragraph(coverageSentence(coverage)), paragraph(residualSentence(c))};
    Section parity = section("parity-section", text("Fitted against measured"));
    std::vector<const RunErrors*> sets;
    for (const RunErrors& e : errors) sets.push_back(&e);
    parity.blocks.emplace_back(parityFigure(sets, "parity"));
    document.sections.push_back(std::move(parity));

    Section made = section("errors", text("Errors"),
                           text("Medians of the absolute error of the step time: with the "
                                "catalog's figures as they are, fitted, and with the group of "
                                "model and system, or the whole source, left out of the fit."));
    for (const bool bySource : {false, true}) {
        Table table;
        table.id = bySource ? "by-source" : "by-accelerator";
        table.caption = bySource ? text("By source") : text("By accelerator");
        table.columns = {{bySource ? text("source") : text("accelerator"), false, true},
                         {text("runs"), true},
                         {text("as published"), true, false, 2},
                         {text("fitted"), true},
                         {text("group left out"), true},
                         {text("its P90"), true, false, 1},
                         {text("source left out"), true, false, 3}};
        RowGroup group;
        for (const FitErrors& e : fitErrors(errors, bySource)) {
            Row row;
            row.cells = {name(e.name),
                         number(e.fitted.rows, "", count(e.fitted.rows)),
                         errorCell(e.uncalibrated.medianAbsolute),
                         errorCell(e.fitted.medianAbsolute),
                         errorCell(e.groupLeftOut.medianAbsolute),
                         errorCell(e.groupLeftOut.p90Absolute),
                         errorCell(e.sourceLeftOut.medianAbsolute)};
            group.rows.push_back(std::move(row));
        }
        table.groups = {std::move(group)};
        made.blocks.emplace_back(std::move(table));
    }
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
