// SPDX-License-Identifier: GPL-3.0-or-later
// The schemas of `schema --of` against what the commands write, and against documents that are
// almost that.
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "reports/result_schema.h"
#include "tests/app/program.h"

namespace trainwright::tests {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using valijson::adapters::NlohmannJsonAdapter;

class FormSchema {
public:
    explicit FormSchema(const std::string& form) {
        const Execution done = run({"schema", "--of", form});
        EXPECT_EQ(done.exitCode, 0) << done.errors;
        text_ = json::parse(done.output);
        valijson::SchemaParser().populateSchema(NlohmannJsonAdapter(text_), schema_);
    }

    /// What is wrong with a document; "" where nothing is.
    [[nodiscard]] std::string objection(const json& document) const {
        valijson::ValidationResults results;
        valijson::Validator validator;
        if (validator.validate(schema_, NlohmannJsonAdapter(document), &results)) return {};
        std::string said = "no reason";
        valijson::ValidationResults::Error error;
        while (results.popError(error)) {
            said.clear();
            for (const std::string& step : error.context) said += step;
            said += ": " + error.description;
        }
        return said;
    }

    [[nodiscard]] const json& text() const { return text_; }

private:
    json text_;
    valijson::Schema schema_;
};

/// Two of each list are as good as all.
json shortened(const json& value) {
    if (value.is_array()) {
        json out = json::array();
        for (std::size_t i = 0; i < value.size() && i < 2; ++i) out.push_back(shortened(value[i]));
        return out;
    }
    if (!value.is_object()) return value;
    json out = json::object();
    for (const auto& [key, member] : value.items()) out[key] = shortened(member);
    return out;
}

struct Place {
    json::json_pointer at;
    std::string parent;  ///< shape of the object that the key stands in
};

/// A place of each key, whichever element of a list it is in.
void gather(const json& value, const json::json_pointer& at, const std::string& shape,
            std::map<std::string, Place>& out) {
    if (value.is_array())
        for (std::size_t i = 0; i < value.size(); ++i) gather(value[i], at / i, shape + "/[]", out);
    if (!value.is_object()) return;
    for (const auto& [key, member] : value.items()) {
        out.emplace(shape + "/" + key, Place{at / key, shape});
        gather(member, at / key, shape + "/" + key, out);
    }
}

/// `document` passes; with any of its keys renamed or any number turned into words it doesn't.
/// `maps`: shapes of objects whose keys are data.
void expectStrict(const FormSchema& schema, const json& document,
                  const std::set<std::string>& maps = {}) {
    EXPECT_EQ(schema.objection(document), "");
    const json small = shortened(document);
    ASSERT_EQ(schema.objection(small), "");
    std::map<std::string, Place> places;
    gather(small, json::json_pointer(), "", places);
    EXPECT_GT(places.size(), 8U);
    for (const auto& [shape, found] : places) {
        if (maps.contains(found.parent)) continue;
        const json::json_pointer& place = found.at;
        json renamed = small;
        json& parent = renamed[place.parent_pointer()];
        parent[place.back() + "_x"] = parent[place.back()];
        parent.erase(place.back());
        EXPECT_NE(schema.objection(renamed), "") << shape << " renamed";
        if (!small[place].is_number()) continue;
        json wordy = small;
        wordy[place] = json::array();
        EXPECT_NE(schema.objection(wordy), "") << shape << " is a list";
    }
}

json resultOf(std::vector<std::string> command, int exitCode = 0) {
    const Execution done = run(command, {.environment = {{"TRAINWRIGHT_OVERLAY", "none"}},
                                         .folder = TRAINWRIGHT_SOURCE_DIR});
    EXPECT_EQ(done.exitCode, exitCode) << done.errors;
    return json::parse(done.output);
}

std::string example(const std::string& name) {
    return "data/scenarios/" + name + ".yaml";
}

std::string limited() {
    return smallScenario() + "constraints: {finish_by: 2027-01-20, budget: 10 USD}\n";
}

TEST(ResultSchema, OfPlan) {
    const FormSchema schema("plan");
    const TemporaryFolder folder;
    expectStrict(schema, resultOf({"plan", folder.write("s.yaml", limited()), "--json"}));
    // Several purchases, owning, an architecture written out, layouts given, experts.
    for (const char* name : {"llama3.1-70b-purchases", "project-rainier", "trn1-gpt3-23b",
                             "moe-1t-rainier", "llama3.1-405b", "mixtral-8x22b"})
        EXPECT_EQ(schema.objection(resultOf({"plan", example(name), "--json"})), "") << name;
}

TEST(ResultSchema, OfAPlanThatCantBeRun) {
    const FormSchema schema("plan");
    std::string text = smallScenario();
    text.replace(text.find("llama3.1-8b"), 11, "llama3.1-405b");
    for (std::size_t at = 0; (at = text.find("tors: 64")) != std::string::npos;)
        text.replace(at, 8, "tors: 16");
    const TemporaryFolder folder;
    expectStrict(schema, resultOf({"plan", folder.write("s.yaml", text), "--json"}, 1));
}

TEST(ResultSchema, OfAKeptPlan) {
    const TemporaryFolder folder;
    const std::string kept = folder.file("kept.json");
    ASSERT_EQ(run({"plan", folder.write("s.yaml", smallScenario()), "--report", kept}).exitCode, 0);
    EXPECT_EQ(FormSchema("plan").objection(json::parse(readFile(kept))), "");
}

TEST(ResultSchema, OfExplain) {
    const FormSchema schema("explain");
    const TemporaryFolder folder;
    const std::string file = folder.write("s.yaml", smallScenario());
    expectStrict(schema, resultOf({"explain", file, "--json"}));
    expectStrict(schema, resultOf({"explain", file, "--model", "--roofline", "--memory",
                                   "--schedule", "--network", "--json"}));
    EXPECT_EQ(schema.objection(resultOf({"explain", example("moe-1t-rainier"), "--schedule",
                                         "--network", "--roofline", "--json"})),
              "");
}

TEST(ResultSchema, OfDiff) {
    const FormSchema schema("diff");
    const TemporaryFolder folder;
    std::string other = limited();
    other.replace(other.find("100B"), 4, "130B");
    other.replace(other.find("name: h100"), 10, "name: p5");
    expectStrict(schema, resultOf({"diff", folder.write("a.yaml", smallScenario()),
                                   folder.write("b.yaml", other), "--json"}));
}

TEST(ResultSchema, OfFit) {
    const FormSchema schema("fit");
    const TemporaryFolder folder;
    const std::string file = folder.write("s.yaml", smallScenario());
    expectStrict(schema, resultOf({"fit", file, "--deadline", "2027-02-15", "--json"}));
    expectStrict(schema,
                 resultOf({"fit", file, "--deadline", "2027-01-05", "--budget", "9", "--json"}, 1));
}

TEST(ResultSchema, OfARowOfASweep) {
    const FormSchema schema("sweep");
    const TemporaryFolder folder;
    const Execution done = run({"sweep", folder.write("s.yaml", smallScenario()), "--over",
                                "accelerators=1,64", "--over", "tensor=auto,3", "--json"});
    std::vector<json> rows;
    for (const std::string& line : lines(done.output)) rows.push_back(json::parse(line));
    ASSERT_EQ(rows.size(), 8U) << done.errors;
    for (const json& row : rows) {
        EXPECT_EQ(schema.objection(row), "") << row;
        for (const auto& [key, value] : row.items()) {
            if (key == "tensor") continue;  // swept, so that its name is data
            json renamed = row;
            renamed.erase(key);
            renamed[key + "_x"] = value;
            EXPECT_NE(schema.objection(renamed), "") << key;
        }
    }
}

TEST(ResultSchema, OfClaims) {
    const FormSchema schema("claims");
    const json all = resultOf({"claims", "--json"});
    EXPECT_EQ(schema.objection(all), "");
    // Verdicts and labels of a case are data.
    expectStrict(schema, resultOf({"claims", "half-cost", "--json"}),
                 {"/summary", "/claims/[]/parts/[]/cases/[]"});
}

TEST(ResultSchema, OfValidate) {
    const FormSchema schema("validate");
    expectStrict(schema, resultOf({"validate", "--json"}),
                 {"/summary/by_accelerator", "/summary/by_source"});
}

/// A file of measured runs.
std::string ownRuns(const TemporaryFolder& folder) {
    return folder.write(
        "runs.csv",
        "run_id,source_title,workload,model,accelerator,n_accel,year,layers,hidden,heads,"
        "ffn,vocab,seq_len,global_batch_seqs,tp,pp,dtype,framework,step_time_s\n"
        "a,own,training,own,H100-SXM5-80GB,64,2025,32,4096,32,16384,51200,4096,512,2,1,"
        "bf16,Megatron-Bridge 25.11,4.6\n"
        "b,own,training,own,H100-SXM5-80GB,64,2025,32,4096,32,16384,51200,4096,512,4,1,"
        "bf16,Megatron-Bridge 25.11,4.9\n"
        "c,own,decode,own,H100-SXM5-80GB,64,2025,32,4096,32,16384,51200,4096,512,2,1,"
        "bf16,Megatron-Bridge 25.11,1\n");
}

TEST(ResultSchema, OfCalibrate) {
    const TemporaryFolder folder;
    expectStrict(FormSchema("calibrate"),
                 resultOf({"calibrate", "--runs", ownRuns(folder), "--json"}),
                 {"/errors/by_accelerator", "/errors/by_source", "/sets/[]/summary/by_accelerator",
                  "/sets/[]/summary/by_source"});
}

TEST(ResultSchema, OfReport) {
    const FormSchema schema("report");
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "runs");
    folder.write("runs/a.yaml", smallScenario());
    folder.write("runs/b.yaml", limited());
    folder.write("runs/c.yaml", "nothing: here\n");
    expectStrict(
        schema,
        resultOf({"report", folder.file("runs"), "--out", folder.file("site"), "--json"}, 2));
}

TEST(ResultSchema, OfCatalogList) {
    const FormSchema schema("catalog-list");
    const json kinds = resultOf({"catalog", "list", "--json"});
    expectStrict(schema, kinds);
    for (const json& one : kinds.at("kinds")) {
        const json entries = resultOf({"catalog", "list", one.at("kind"), "--json"});
        EXPECT_EQ(schema.objection(entries), "") << one;
    }
    // Columns of a kind are data.
    expectStrict(schema, resultOf({"catalog", "list", "chip", "--json"}), {"/entries/[]"});
}

TEST(ResultSchema, OfCatalogShow) {
    const FormSchema schema("catalog-show");
    const json machine = resultOf({"catalog", "show", "trn1.32xlarge", "--json"});
    EXPECT_EQ(schema.objection(machine), "");
    expectStrict(schema, machine);
    for (const char* id : {"trainium2", "llama3.1-70b", "us-east-2", "u-trn2x64", "groq_lpu_v1"})
        EXPECT_EQ(schema.objection(resultOf({"catalog", "show", id, "--json"})), "") << id;
}

TEST(ResultSchema, OfCatalogCheck) {
    expectStrict(FormSchema("catalog-check"), resultOf({"catalog", "check", "--json"}));
}

TEST(ResultSchema, OfCatalogImportModel) {
    const FormSchema schema("catalog-import-model");
    const TemporaryFolder folder;
    const std::string common =
        R"("hidden_size": 4096, "intermediate_size": 14336, "max_position_embeddings": 8192,
        "num_attention_heads": 32, "num_hidden_layers": 32, "vocab_size": 128256)";
    const auto imported = [&](const std::string& more) {
        return resultOf({"catalog", "import", "model",
                         folder.write("config.json", "{" + common + ", " + more + "}"), "--json"});
    };
    expectStrict(schema, imported(R"("model_type": "llama", "num_key_value_heads": 8)"));
    expectStrict(schema, imported(R"("model_type": "gemma2", "num_key_value_heads": 8,
        "head_dim": 128, "sliding_window": 4096)"));
    expectStrict(schema, imported(R"("model_type": "deepseek_v3", "num_key_value_heads": 32,
        "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
        "v_head_dim": 128, "n_routed_experts": 64, "n_shared_experts": 1,
        "num_experts_per_tok": 8, "moe_intermediate_size": 2048, "first_k_dense_replace": 3,
        "num_nextn_predict_layers": 1)"));
}

TEST(ResultSchema, OfPricesIntoTheOverlayAndOutOfIt) {
    const TemporaryFolder folder;
    const auto with = [&](std::vector<std::string> command) {
        command.insert(command.begin(), "catalog");
        const Execution done =
            run(command, {.environment = {{"TRAINWRIGHT_OVERLAY", folder.file("own.sqlite")}}});
        EXPECT_EQ(done.exitCode, 0) << done.errors;
        return done.output;
    };
    const auto sample = [](const char* name) {
        return std::string(TRAINWRIGHT_SOURCE_DIR) + "/tests/data/import/prices/" + name;
    };
    const std::vector<std::string> import{"import", "prices", sample("offer.json"),
                                          sample("spot-pages.json"), "--json"};
    const FormSchema ofImport("catalog-import-prices");
    std::vector<std::string> dry = import;
    dry.emplace_back("--dry-run");
    expectStrict(ofImport, json::parse(with(dry)));
    expectStrict(ofImport, json::parse(with(import)));
    expectStrict(ofImport, json::parse(with(import)));  // known by now
    const json diff = json::parse(with({"diff", "--json"}));
    EXPECT_FALSE(diff.at("moved").empty());
    expectStrict(FormSchema("catalog-diff"), diff);
    expectStrict(FormSchema("catalog-imports"), json::parse(with({"imports", "--json"})));
    EXPECT_EQ(FormSchema("catalog-show")
                  .objection(json::parse(with({"show", "trn1.32xlarge", "--json"}))),
              "");
}

TEST(ResultSchema, OfVersion) {
    expectStrict(FormSchema("version"), resultOf({"--version", "--json"}));
}

/// Of commands below `command` that have --json the names, joined by hyphens.
void gatherJson(const std::vector<std::string>& command, std::vector<std::string>& out) {
    std::vector<std::string> asked = command;
    asked.emplace_back("--help");
    bool inCommands = false;
    for (const std::string& line : lines(run(asked).output)) {
        if (!line.starts_with(" ")) inCommands = line == "commands:";
        if (line.starts_with("  --json") && !command.empty()) {
            std::string name;
            for (const std::string& word : command) name += (name.empty() ? "" : "-") + word;
            out.push_back(name);
        }
        if (!inCommands || !line.starts_with("  ") || line[2] == ' ') continue;
        std::vector<std::string> inner = command;
        inner.push_back(line.substr(2, line.find(' ', 2) - 2));
        gatherJson(inner, out);
    }
}

TEST(ResultSchema, EveryCommandWithJsonHasOne) {
    // "trainwright/plan/1" is the schema `plan`; what the writers name, there is a description of.
    const auto forms = reports::resultForms();
    std::vector<std::string> commands{"version", "csv"};
    gatherJson({}, commands);
    EXPECT_THAT(commands, testing::IsSupersetOf({"plan", "sweep", "catalog-import-prices"}));
    EXPECT_THAT(forms, testing::UnorderedElementsAreArray(commands));
    for (const std::string& form : forms) {
        const Execution text = run({"schema", "--of", form, "--text"});
        EXPECT_EQ(text.exitCode, 0);
        EXPECT_GT(lines(text.output).size(), 5U) << form;
    }
    EXPECT_THAT(run({"schema", "--of", "scenario"}).output, run({"schema"}).output);
    const Execution none = run({"schema", "--of", "plans"});
    EXPECT_EQ(none.exitCode, 2);
    EXPECT_THAT(none.errors, HasSubstr("plan, explain"));
}

TEST(ResultSchema, OfCsvNamesTheColumnsInTheirOrder) {
    const json all = json::parse(run({"schema", "--of", "csv"}).output);
    const auto names = [&](std::size_t table) {
        std::string header;
        for (const json& field : all.at("resources").at(table).at("schema").at("fields")) {
            EXPECT_TRUE(field.contains("description") || table == 1) << field;
            header += (header.empty() ? "" : ",") + field.at("name").get<std::string>();
        }
        return header;
    };
    const TemporaryFolder folder;
    const std::string file = folder.write("s.yaml", smallScenario());
    const std::string csv = folder.file("plan.csv");
    ASSERT_EQ(run({"plan", file, "--report", csv}).exitCode, 0);
    EXPECT_EQ(readFile(csv).substr(0, readFile(csv).find("\r\n")), names(0));

    const Execution swept = run({"sweep", file, "--over", "tokens=1B"});
    EXPECT_EQ(lines(swept.output).front(), "tokens," + names(1));

    // Zones and quantiles are there where a row has them.
    const std::string overlay = folder.file("own.sqlite");
    const auto exported = [&] {
        const Execution done =
            run({"catalog", "export"}, {.environment = {{"TRAINWRIGHT_OVERLAY", overlay}}});
        return lines(done.output).front();
    };
    EXPECT_EQ(exported() + ",zone,p10_usd_per_hour,p90_usd_per_hour", names(2));
    ASSERT_EQ(run({"catalog", "import", "prices",
                   TRAINWRIGHT_SOURCE_DIR "/tests/data/import/prices/spot-pages.json"},
                  {.environment = {{"TRAINWRIGHT_OVERLAY", overlay}}})
                  .exitCode,
              0);
    EXPECT_EQ(exported(), names(2));

    const std::string factors = folder.file("factors.csv");
    ASSERT_EQ(run({"calibrate", "--runs", ownRuns(folder), "--output", factors}).exitCode, 0);
    EXPECT_EQ(lines(readFile(factors)).front(), names(3));
}

}  // namespace
}  // namespace trainwright::tests
