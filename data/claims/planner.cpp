// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/claims/planner.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "data/scenario/scenario.h"
#include "model/run/run.h"
#include "model/units/text_quantity.h"

namespace trainwright::claims {
namespace {

constexpr const char* kFile = "claim.yaml";

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out + '"';
}

/// The system's name; numbered where two candidates share it.
std::string nameIn(std::set<std::string>& taken, const std::string& system) {
    std::string name = system;
    for (int n = 2; !taken.insert(name).second; ++n) name = system + "-" + std::to_string(n);
    return name;
}

/// An id behind the key, or what a flow map holds, an item a line.
std::string modelIn(const std::string& model) {
    if (model.empty() || model.front() != '{') return " " + model;
    std::string out;
    for (const std::string& item :
         splitOutsideBraces(std::string_view(model).substr(1, model.size() - 2), ','))
        out += "\n  " + item;
    return out;
}

std::string overridden(const catalog::Override& o) {
    return "  - figure: " + quoted(o.kind + "/" + o.id + "/" + o.key) +
           "\n    value: " + quoted(o.value) + "\n    because: " + quoted(o.because) + "\n";
}

std::vector<catalog::Override> supposed(const Parameters& parameters) {
    std::vector<catalog::Override> all;
    for (const std::string& item : parameters.list("suppose")) {
        const std::size_t colon = item.find(": ");
        const std::string figure = item.substr(0, colon);
        const std::size_t first = figure.find('/');
        const std::size_t last = figure.rfind('/');
        if (colon == std::string::npos || first == last) continue;
        all.push_back({figure.substr(0, first), figure.substr(first + 1, last - first - 1),
                       figure.substr(last + 1), item.substr(colon + 2), "supposed for this check"});
    }
    return all;
}

}  // namespace

std::vector<PlannedModel> PlannedModel::listed(const Parameters& parameters) {
    std::vector<std::string> precisions = parameters.list("precisions");
    if (precisions.empty()) precisions.emplace_back("bf16");
    std::vector<PlannedModel> all;
    for (const std::string& model : parameters.list("models")) {
        for (const std::string& precision : precisions) {
            PlannedModel m;
            m.model = model;
            m.precision = precision;
            m.tokens = parameters.text("tokens");
            m.tokensPerParameter = parameters.number("tokens_per_parameter").value_or(0);
            m.sequenceLength = parameters.textOr("sequence_length", "4096");
            m.globalBatch = parameters.text("global_batch");
            m.operations = parameters.text("operations");
            m.suppose = supposed(parameters);
            all.push_back(std::move(m));
        }
    }
    return all;
}

std::string PlannedModel::name() const {
    if (model.empty() || model.front() != '{') return model;
    constexpr std::string_view kKey = "name:";
    for (const std::string& item :
         splitOutsideBraces(std::string_view(model).substr(1, model.size() - 2), ',')) {
        if (item.starts_with(kKey)) return item.substr(item.find_first_not_of(' ', kKey.size()));
    }
    return "custom";
}

Sentence Planned::whyNot() const {
    // What is said of a scenario or of a layout is a whole sentence already.
    if (!findings.empty()) return {"{1}", {words(findings.front().text.english())}};
    if (!result.reasons.empty()) return {"{1}", {words(result.reasons.front().english())}};
    return {"The engine gave no reason.", {}};
}

Planner::Planner(const catalog::Catalog& catalog, const CheckOptions& options)
    : catalog_(catalog), options_(options) {}

void Planner::report(double share) {
    const std::scoped_lock lock(mutex_);
    share_ = share;
    if (options_.progress && !options_.progress(share)) stopped_ = true;
}

void Planner::keepAlive() {
    const std::scoped_lock lock(mutex_);
    if (options_.progress && !options_.progress(share_)) stopped_ = true;
}

std::string Planner::tokensOf(const PlannedModel& model) {
    if (model.tokensPerParameter <= 0) return model.tokens;
    auto known = parameters_.find(model.model);
    if (known == parameters_.end()) {
        // The number of parameters is the model's own; any run of it will do to ask for it.
        PlannedModel any = model;
        any.tokensPerParameter = 0;
        any.tokens = "1T";
        const PlannedCandidate anywhere{"any", 1, {}, {}, {}, {}};
        const Outcome<scenario::Scenario> read = scenario::read(written(any, {anywhere}), kFile);
        double parameters = 0;
        if (read.ok() && read->architecture) {
            parameters = workload::countParameters(*read->architecture).total;
        } else if (const auto architecture = catalog_.architecture(model.model)) {
            parameters = workload::countParameters(*architecture).total;
        }
        known = parameters_.emplace(model.model, parameters).first;
    }
    return units::formatQuantity(units::QuantityKind::Tokens,
                                 std::round(known->second * model.tokensPerParameter));
}

std::string Planner::written(const PlannedModel& model,
                             const std::vector<PlannedCandidate>& candidates) {
    std::string out = "version: 1\nmodel:" + modelIn(model.model) + "\ntraining:\n";
    const auto line = [&](const char* key, const std::string& value) {
        if (!value.empty()) out += std::string("  ") + key + ": " + value + "\n";
    };
    line("tokens", tokensOf(model));
    line("sequence_length", model.sequenceLength);
    line("global_batch", model.globalBatch);
    line("precision", model.precision);
    out += "candidates:\n";
    std::set<std::string> names;
    for (const PlannedCandidate& c : candidates) {
        out += "  - name: " + quoted(nameIn(names, c.system)) + "\n";
        const auto item = [&](const char* key, const std::string& value) {
            if (!value.empty()) out += std::string("    ") + key + ": " + value + "\n";
        };
        item("system", c.system);
        item("accelerators", std::to_string(c.accelerators));
        item("region", c.region);
        item("purchase", c.purchase);
        item("software", c.software);
        if (!c.offload.empty()) item("parallelism", "{offload: " + c.offload + "}");
    }
    if (!model.operations.empty()) out += "operations: " + model.operations + "\n";
    if (!model.suppose.empty()) out += "overrides:\n";
    for (const catalog::Override& o : model.suppose) out += overridden(o);
    return out;
}

std::string Planner::scenario(const PlannedModel& model,
                              const std::vector<PlannedCandidate>& candidates) {
    std::string out = written(model, candidates);
    if (model.suppose.empty() && !catalog_.overrides().empty()) out += "overrides:\n";
    for (const catalog::Override& o : catalog_.overrides()) out += overridden(o);
    return out;
}

const Planned& Planner::plan(const PlannedModel& model, const PlannedCandidate& candidate,
                             bool withBands) {
    const std::string text = written(model, {candidate});
    const std::string suffix = withBands ? "# with bands" : "";
    const auto known = planned_.find(text + suffix);
    if (known != planned_.end()) return *known->second;
    auto planned = std::make_unique<Planned>();
    Outcome<scenario::Loaded> loaded = scenario::load(text, kFile, catalog_);
    if (!loaded) {
        planned->findings = loaded.findings();
    } else {
        planned->request = std::move(loaded.value().request);
        const search::CandidateRequest& asked = planned->request.candidates.front();
        PlannedCandidate unpriced = candidate;
        unpriced.region.clear();
        unpriced.purchase.clear();
        const std::string key = written(model, {unpriced}) + suffix;
        const auto searched = searched_.find(key);
        if (searched == searched_.end()) {
            search::SearchOptions options;
            options.threads = options_.threads;
            options.advise = false;
            options.bands = withBands;
            options.cancelled = [this] {
                keepAlive();
                return stopped_.load();
            };
            planned->result = search::evaluateCandidate(planned->request, asked, options);
            if (!stopped_) searched_.emplace(key, planned->result);
        } else {
            planned->result = searched->second;
            // A layout is chosen by time and memory alone; price and region come after it.
            if (planned->result.feasible)
                planned->result.run = run::evaluateRun(
                    search::runProblemOf(planned->request, planned->request.candidates.front(),
                                         planned->result.step),
                    planned->result.step);
        }
    }
    return *planned_.emplace(text + suffix, std::move(planned)).first->second;
}

}  // namespace trainwright::claims
