// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reports/claims_fixture.h"

namespace trainwright::reports::fixture {
namespace {

using claims::Case;
using claims::CheckedClaim;
using claims::measure;
using claims::Part;
using claims::Relation;
using claims::Role;
using claims::words;

Case found(claims::Measure what, std::vector<std::string> labels = {}) {
    Case c;
    c.labels = std::move(labels);
    c.found = std::move(what);
    return c;
}

CheckedClaim claim(std::string id, std::string statement, std::string by) {
    CheckedClaim c;
    c.id = std::move(id);
    c.statement = std::move(statement);
    c.saidBy = std::move(by);
    c.source = "An article";
    c.url = "https://example.org/article";
    c.observed = "2026-12-01";
    return c;
}

search::FigureUse figure(std::string id, std::string key, std::string value, std::string unit,
                         std::string status) {
    return {"chip",
            std::move(id),
            std::move(key),
            std::move(value),
            std::move(unit),
            "A data sheet",
            "https://example.org/sheet",
            "2026-11",
            std::move(status),
            ""};
}

CheckedClaim memory() {
    CheckedClaim c = claim("memory", "The chip has 32 GB & the box 16 of them.", "encyclopedia");
    Part chip;
    chip.kind = "figure";
    chip.subject = "HBM of the chip";
    chip.relation = Relation::Equals;
    chip.claimed = measure(34359738368, "bytes");
    chip.margin = chip.tolerance = 0.01;
    chip.cases = {found(measure(103079215104, "bytes"))};
    chip.figures = {figure("chip-2", "hbm_bytes", "103079215104", "bytes", "adopted"),
                    figure("chip-2", "hbm_bytes", "34359738368", "bytes", "rejected")};
    chip.sources = {{"A data sheet", "https://example.org/sheet"}};
    Part box;
    box.kind = "figure";
    box.subject = "chips";
    box.relation = Relation::Equals;
    box.claimed = measure(16, "chips");
    box.cases = {found(measure(16, "chips"))};
    c.parts = {chip, box};
    return c;
}

CheckedClaim date() {
    CheckedClaim c = claim("date", "The chip was released in 2025.", "encyclopedia");
    Part p;
    p.kind = "date";
    p.subject = "released";
    p.relation = Relation::Equals;
    p.claimed = words("2025");
    p.cases = {found(words("2025-12-02"))};
    p.sources = {{"A data sheet", "https://example.org/sheet"}};
    c.parts = {p};
    return c;
}

CheckedClaim saving() {
    CheckedClaim c = claim("saving", "It costs up to half.", "its maker");
    c.note = "Taken on as many accelerators.";
    Part p;
    p.kind = "compare";
    p.subject = "saving";
    p.dimensions = {"model", "system", "against", "plan", "region"};
    p.relation = Relation::Reaches;
    p.claimed = measure(0.5, "fraction");
    p.remark = "Reached in {3} of {4}, from {5} ({8}) to {7} ({9}; {11} to {12}).";
    double saved = -0.2;
    for (const char* model : {"small", "large"}) {
        for (const char* plan : {"on demand", "Capacity Block"}) {
            for (const char* region : {"here", "there", "far"}) {
                Case one =
                    found(measure(saved, "fraction"), {model, "trn-box", "gpu-box", plan, region});
                one.p10 = measure(saved - 0.1, "fraction");
                one.p90 = measure(saved + 0.1, "fraction");
                one.notes = {{"{1}: {2}; {3}: {4}.",
                              {words("trn-box"), measure(1.2e6, "usd"), words("gpu-box"),
                               measure(1.5e6, "usd")}}};
                one.scenario = "version: 1\nmodel: " + std::string(model) + "\n";
                p.cases.push_back(one);
                saved += 0.07;
            }
        }
    }
    Case lost;
    lost.labels = {"large", "trn-box", "gpu-box", "spot", "here"};
    lost.notes = {{"No price is known.", {}}};
    p.cases.push_back(lost);
    p.sources = {{"A price list", "prices/list, page 3"}};
    c.parts = {p};
    return c;
}

CheckedClaim benchmark() {
    CheckedClaim c = claim("benchmark", "A benchmark shows it.", "encyclopedia");
    Part p;
    p.kind = "benchmark";
    p.subject = "throughput over that of the best other";
    p.dimensions = {"model", "run", "against"};
    p.relation = Relation::AtLeast;
    p.claimed = measure(0.8, "ratio");
    p.lookedAt = "Benchmark v1, Benchmark v2";
    Case none;
    none.labels = {"", "", ""};
    none.notes = {{"None of the {1} rows is of {2}.", {measure(37, "count"), words("the chip")}}};
    p.cases = {none};
    Part types;
    types.role = Role::Context;
    types.kind = "present";
    types.subject = "types";
    types.dimensions = {"entry", "figure"};
    types.cases = {found(measure(667e12, "flop_per_second"), {"chip-2", "peak_bf16_flop_per_s"}),
                   found(words("none"), {"chip-2", "peak_fp4_flop_per_s"})};
    c.parts = {p, types};
    return c;
}

}  // namespace

std::vector<CheckedClaim> checkedClaims() {
    std::vector<CheckedClaim> all{memory(), date(), saving(), benchmark()};
    for (CheckedClaim& c : all) claims::judge(c);
    return all;
}

ReportContext claimsContext() {
    ReportContext context;
    context.programVersion = "0.1.0";
    context.catalogVersion = "2026-12-01";
    context.catalogHash = "00c0ffee00c0ffee";
    context.command = "trainwright claims --report claims.html";
    return context;
}

}  // namespace trainwright::reports::fixture
