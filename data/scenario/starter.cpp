// SPDX-License-Identifier: GPL-3.0-or-later
// The starter file: every key that a first scenario needs, with the registry's words beside it, and
// the rest commented out.
#include <algorithm>
#include <map>

#include "data/scenario/registry.h"
#include "data/scenario/scenario.h"

namespace trainwright::scenario {

namespace {

constexpr std::size_t kWidth = 100;

/// What the starter plans. Keys that are not here are shown commented out, with their examples.
const std::map<std::string, std::string>& firstValues() {
    static const std::map<std::string, std::string> values{
        {"version", std::to_string(kScenarioVersion)},
        {"title", "Llama 3.1 8B, 1T tokens"},
        {"model", "llama3.1-8b"},
        {"training.start", "2027-01-04"},
        {"training.tokens", "1T"},
        {"training.sequence_length", "8192"},
        {"training.global_batch", "512 sequences"},
        {"training.precision", "bf16"},
        {"training.optimizer", "adamw"},
        {"training.recompute", "auto"},
        {"candidates[].name", "trn2"},
        {"candidates[].system", "trn2.48xlarge"},
        {"candidates[].accelerators", "512"},
        {"candidates[].region", "us-east-2"},
        {"candidates[].purchase", "capacity_block"},
        {"candidates[].parallelism", "auto"},
        {"constraints.memory_headroom", "5%"},
    };
    return values;
}

/// A second candidate to compare with, its keys already explained by the first.
constexpr const char* kSecondCandidate =
    "  - name: h100\n"
    "    system: p5.48xlarge\n"
    "    accelerators: 512\n"
    "    region: us-east-1\n"
    "    purchase: on_demand\n";

class Starter {
public:
    std::string text() {
        out_ =
            "# A Trainwright scenario: a training job, the clusters that it is planned on, and its "
            "limits.\n"
            "# Quantities carry their unit: 15.6T, 2048 sequences, 30 MW, 200 GB/s, 10 min, 20%, "
            "120M USD.\n"
            "# GB is 10^9 bytes, GiB is 2^30. Lines behind a # are examples of what else may be "
            "said.\n";
        for (const Parameter* p : children("")) top(*p);
        return out_;
    }

private:
    void comment(const std::string& indent, const std::string& text) {
        std::string line = indent + "#";
        std::size_t at = 0;
        while (at < text.size()) {
            std::size_t end = std::min(text.find(' ', at), text.size());
            if (line.size() + 1 + (end - at) > kWidth && line.size() > indent.size() + 1) {
                out_ += line + "\n";
                line = indent + "#";
            }
            line += " " + text.substr(at, end - at);
            at = end + 1;
        }
        out_ += line + "\n";
    }

    static std::string explanation(const Parameter& p) {
        std::string text = p.meaning;
        if (p.kind == ValueKind::Word && !p.orMap)
            text += " One of " + expectation(p).english() + ".";
        if (!p.defaultSource.empty() && !firstValues().contains(p.key)) {
            const bool isWord =
                std::find(p.words.begin(), p.words.end(), p.defaultText) != p.words.end();
            const bool valueSays = !p.defaultText.empty() && !isWord;
            text += " Without it: " +
                    (valueSays ? p.defaultText + ", " + p.defaultSource : p.defaultSource) + ".";
        }
        return text;
    }

    static std::string exampleOf(const Parameter& p) {
        if (!p.example.empty()) return p.example;
        if (!p.defaultText.empty()) return p.defaultText;
        return p.words.empty() ? "true" : p.words.front();
    }

    /// One key with its explanation above it.
    void entry(const Parameter& p, const std::string& indent, const std::string& lead) {
        const auto value = firstValues().find(p.key);
        comment(indent, explanation(p));
        if (value != firstValues().end()) {
            out_ += lead + p.name() + ": " + value->second + "\n";
        } else {
            out_ += indent + "# " + p.name() + ": " + exampleOf(p) + "\n";
        }
    }

    void top(const Parameter& p) {
        out_ += "\n";
        if (p.kind == ValueKind::List) return list(p);
        if (p.kind != ValueKind::Map) {
            entry(p, "", "");
            if (p.key == "model") writtenOut();
            return;
        }
        comment("", p.meaning);
        out_ += p.name() + ":\n";
        for (const Parameter* child : children(p.key)) entry(*child, "  ", "  ");
    }

    void writtenOut() {
        comment("", "A model that the catalog doesn't have is written out instead:");
        out_ += "# model:\n";
        for (const Parameter* p : children("model")) {
            if (p->required || p->name() == "kv_heads" || p->name() == "name")
                out_ += "#   " + p->name() + ": " + exampleOf(*p) + "\n";
        }
    }

    void list(const Parameter& p) {
        comment("", p.meaning);
        const std::vector<const Parameter*> keys = children(p.key + "[]");
        const bool shown = std::any_of(keys.begin(), keys.end(), [](const Parameter* k) {
            return firstValues().contains(k->key);
        });
        if (!shown) {
            out_ += "# " + p.name() + ":\n";
            const char* lead = "#   - ";
            for (const Parameter* k : keys) {
                out_ += lead + k->name() + ": " + exampleOf(*k) + "\n";
                lead = "#     ";
            }
            return;
        }
        out_ += p.name() + ":\n";
        bool first = true;
        for (const Parameter* k : keys) {
            entry(*k, first ? "  " : "    ", first ? "  - " : "    ");
            first = false;
            if (k->name() == "purchase") ownPrice();
        }
        out_ += kSecondCandidate;
    }

    void ownPrice() {
        comment("    ", "A price of your own instead:");
        out_ += "    # purchase:\n";
        for (const Parameter* p : children("candidates[].purchase")) {
            if (p->name() == "price_usd_per_hour" || p->name() == "because")
                out_ += "    #   " + p->name() + ": " + exampleOf(*p) + "\n";
        }
    }

    std::string out_;
};

}  // namespace

std::string starter() {
    return Starter().text();
}

}  // namespace trainwright::scenario
