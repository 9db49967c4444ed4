// SPDX-License-Identifier: GPL-3.0-or-later
// `trainwright explain`, run as a user runs it: the views, that their parts add up, and Ctrl-C.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/app/program.h"

namespace trainwright::tests {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using Words = std::vector<std::string>;

const std::string kExamples = TRAINWRIGHT_SOURCE_DIR "/data/scenarios/";

struct Case {
    const char* scenario;
    const char* candidate;
};

/// Dense and sparse models, torus and switch, one stage and many.
constexpr Case kCases[] = {{"llama3.1-405b.yaml", "trn2-ultra"},
                           {"llama3.1-405b.yaml", "p5"},
                           {"llama3.1-8b.yaml", nullptr},
                           {"mixtral-8x22b.yaml", nullptr},
                           {"deepseek-v3.yaml", nullptr}};

json explained(const Case& which, const Words& views) {
    Words arguments{"explain", kExamples + which.scenario, "--json"};
    if (which.candidate != nullptr) {
        arguments.insert(arguments.end(), {"--candidate", which.candidate});
    }
    arguments.insert(arguments.end(), views.begin(), views.end());
    const Execution done = run(arguments);
    EXPECT_EQ(done.exitCode, 0) << done.errors;
    return json::parse(done.output);
}

double number(const json& value) {
    return value.is_number() ? value.get<double>() : 0;
}

TEST(ExplainModel, ReckonsWhatPeopleReckonByHand) {
    const json model = explained({"mixtral-8x22b.yaml", nullptr}, {"--model"}).at("model");
    EXPECT_EQ(number(model.at("parameters")), 140'630'071'296);
    EXPECT_LT(number(model.at("active_parameters")), number(model.at("parameters")) / 3);
    EXPECT_EQ(number(model.at("six_n_flop_per_token")), 6 * number(model.at("parameters_of_6n")));
    EXPECT_NEAR(number(model.at("attention_causal_flop_per_token")),
                number(model.at("attention_full_flop_per_token")) / 2,
                1e-3 * number(model.at("attention_full_flop_per_token")));
    EXPECT_EQ(number(model.at("logits_fp32_bytes")), 2 * number(model.at("logits_bytes")));
    const Execution words = run({"explain", kExamples + "mixtral-8x22b.yaml", "--model"});
    EXPECT_THAT(words.output, HasSubstr("140,630,071,296"));
}

TEST(ExplainRoofline, HasEveryOperatorUnderItsRoofAndAddsUpToTheStep) {
    for (const Case& which : kCases) {
        const json all = explained(which, {"--roofline"});
        const json& roofline = all.at("roofline");
        EXPECT_FALSE(roofline.at("ceilings").empty());
        for (const json& c : roofline.at("ceilings")) {
            EXPECT_NEAR(
                number(c.at("ridge_flop_per_byte")),
                number(c.at("matrix_flop_per_s")) / number(roofline.at("memory_bytes_per_s")),
                1e-6);
            EXPECT_LE(number(c.at("matrix_flop_per_s")), number(c.at("engine_flop_per_s")));
        }
        double total = 0;
        for (const json& op : roofline.at("operators")) {
            total += number(op.at("total_s"));
            const double memory = number(roofline.at("memory_bytes_per_s"));
            EXPECT_LE(number(op.at("chip_bytes_per_s")), memory * 1.0001)
                << which.scenario << " " << op;
            if (op.at("kind") != "vector") {
                EXPECT_LE(number(op.at("chip_flop_per_s")),
                          number(op.at("roof_flop_per_s")) * 1.0001)
                    << which.scenario << " " << op;
            }
        }
        EXPECT_NEAR(total, number(roofline.at("operators_s")), 1e-9 * total);
        EXPECT_NEAR(number(roofline.at("operators_s")) + number(roofline.at("other_s")),
                    number(all.at("candidate").at("step_time_s")), 1e-9);
    }
}

TEST(ExplainMemory, HasEveryStageByKind) {
    for (const Case& which : kCases) {
        const json all = explained(which, {"--memory"});
        const json& memory = all.at("memory");
        EXPECT_EQ(memory.at("stages").size(),
                  all.at("candidate").at("layout").at("pipeline_parallel").get<std::size_t>());
        double fullest = 0;
        for (const json& stage : memory.at("stages")) {
            double total = 0;
            double largest = 0;
            for (const auto& [kind, bytes] : stage.at("by_kind_bytes").items()) {
                total += number(bytes);
                largest = std::max(largest, number(bytes));
            }
            EXPECT_NEAR(total, number(stage.at("memory_bytes")), 1e-9 * total);
            EXPECT_EQ(number(stage.at("by_kind_bytes").at(stage.at("largest").get<std::string>())),
                      largest);
            fullest = std::max(fullest, total);
        }
        EXPECT_NEAR(fullest, number(memory.at("peak_bytes")), 1e-9 * fullest);
        EXPECT_LE(number(memory.at("peak_bytes")), number(memory.at("usable_bytes")));
    }
}

TEST(ExplainSchedule, SimulatesWhatTheStepTimeHolds) {
    for (const Case& which : kCases) {
        const json all = explained(which, {"--schedule"});
        const json& schedule = all.at("schedule");
        const double simulated = number(schedule.at("simulated_s"));
        const double closed = number(schedule.at("closed_form_s"));
        EXPECT_NEAR(closed, simulated, 0.01 * simulated) << which.scenario;
        EXPECT_NEAR(closed + number(schedule.at("after_pipeline_s")),
                    number(all.at("candidate").at("step_time_s")), 1e-9);
        EXPECT_EQ(schedule.at("stages").size(), schedule.at("stage_count"));
        std::vector<double> busy(schedule.at("stages").size(), 0.0);
        double last = 0;
        for (const json& task : schedule.at("tasks")) {
            EXPECT_LE(number(task.at("start_s")), number(task.at("end_s")));
            last = std::max(last, number(task.at("end_s")));
        }
        EXPECT_NEAR(last, simulated, 1e-12 * simulated);
        for (const json& stage : schedule.at("stages")) {
            EXPECT_NEAR(number(stage.at("busy_s")) + number(stage.at("idle_s")), simulated, 1e-9);
            EXPECT_GE(number(stage.at("idle_s")), -1e-9);
            EXPECT_LE(number(stage.at("last_s")), simulated * (1 + 1e-12));
        }
    }
}

TEST(ExplainNetwork, AddsUpToTheCommunicationOfTheStep) {
    for (const Case& which : kCases) {
        const json all = explained(which, {"--network"});
        const json& network = all.at("network");
        double parts = 0;
        for (const char* part : {"tensor", "context", "expert", "pipeline", "data"}) {
            parts += number(all.at("candidate").at("time_breakdown_s").at(part));
        }
        double exposed = 0;
        for (const json& use : network.at("collectives")) {
            exposed += number(use.at("exposed_s"));
            EXPECT_NEAR(number(use.at("exposed_s")) + number(use.at("hidden_s")),
                        number(use.at("total_s")), 1e-9 * (1 + number(use.at("total_s"))));
            const json& algorithms = use.at("algorithms");
            ASSERT_FALSE(algorithms.empty()) << use;
            EXPECT_TRUE(algorithms.front().at("in_use").get<bool>())
                << "the fastest comes first: " << use;
            EXPECT_EQ(algorithms.front().at("algorithm"), use.at("algorithm"));
            EXPECT_NEAR(number(algorithms.front().at("seconds")),
                        number(use.at("seconds_per_call")),
                        1e-12 + 1e-9 * number(use.at("seconds_per_call")));
            EXPECT_EQ(std::count_if(algorithms.begin(), algorithms.end(),
                                    [](const json& a) { return a.at("in_use").get<bool>(); }),
                      1);
        }
        EXPECT_NEAR(exposed, parts, 1e-9 * (1 + parts)) << which.scenario;
        EXPECT_NEAR(number(network.at("exposed_s")), exposed, 1e-9);
        ASSERT_FALSE(network.at("links").empty());
        for (const json& link : network.at("links")) {
            EXPECT_GT(number(link.at("bytes_per_s")), 0) << link;
            for (const json& figure : link.at("figures")) {
                EXPECT_TRUE(figure.at("source").is_string()) << figure;
            }
        }
    }
}

TEST(ExplainFront, HoldsLayoutsThatNoOtherBeats) {
    const json all = explained(kCases[0], {});
    const json& front = all.at("candidate").at("front");
    ASSERT_GE(front.size(), 2U);
    EXPECT_EQ(front.front().at("layout"), all.at("candidate").at("layout"));
    for (std::size_t i = 1; i < front.size(); ++i) {
        EXPECT_GE(number(front[i].at("step_time_s")), number(front[i - 1].at("step_time_s")));
        EXPECT_LT(number(front[i].at("peak_bytes")), number(front[i - 1].at("peak_bytes")));
    }
    const json plan = json::parse(run({"plan", kExamples + kCases[0].scenario, "--json"}).output);
    const auto same =
        std::find_if(plan.at("candidates").begin(), plan.at("candidates").end(),
                     [](const json& c) { return c.at("name") == kCases[0].candidate; });
    EXPECT_EQ(same->at("front"), front);
}

TEST(Explain, ShowsOnlyTheViewsThatAreAskedFor) {
    const Execution overview = run({"explain", "-"}, {.input = smallScenario()});
    EXPECT_THAT(overview.output, HasSubstr("By operator"));
    EXPECT_THAT(overview.output, Not(HasSubstr("Ceilings of one chip")));
    const Execution chosen =
        run({"explain", "-", "--memory", "--network"}, {.input = smallScenario()});
    EXPECT_EQ(chosen.exitCode, 0) << chosen.errors;
    EXPECT_THAT(chosen.output, HasSubstr("GiB of one rank, stage by stage"));
    EXPECT_THAT(chosen.output, HasSubstr("Links of"));
    for (const char* other : {"By operator", "Ceilings of one chip", "simulated"}) {
        EXPECT_THAT(chosen.output, Not(HasSubstr(other)));
    }
}

TEST(Explain, WritesReportsThatAreTheSameEveryTime) {
    const TemporaryFolder folder;
    folder.write("scenario.yaml", smallScenario());
    std::vector<std::string> first;
    for (const char* threads : {"1", "3"}) {
        const Execution done =
            run({"explain", "scenario.yaml", "--candidate", "h100", "--report", "a.html",
                 "--report", "a.json", "--report", "a.txt", "--threads", threads},
                {.folder = folder.path()});
        ASSERT_EQ(done.exitCode, 0) << done.errors;
        const std::vector<std::string> now{readFile(folder.file("a.html")),
                                           readFile(folder.file("a.json")),
                                           readFile(folder.file("a.txt"))};
        if (first.empty()) {
            first = now;
        }
        EXPECT_TRUE(now == first) << threads;
    }
    EXPECT_THAT(first[0], StartsWith("<!DOCTYPE html>"));
    for (const char* words :
         {"<svg", "Ceilings of one chip", "From the pipeline to the step", "Links of p5.48xlarge",
          "trainwright explain scenario.yaml --candidate h100 --report a.html"}) {
        EXPECT_NE(first[0].find(words), std::string::npos) << words;
    }
    EXPECT_EQ(json::parse(first[1]).at("schema"), "trainwright/explain/1");
    EXPECT_THAT(first[2], HasSubstr("h100: 64 "));
    const Execution wrong =
        run({"explain", "scenario.yaml", "--report", "a.doc"}, {.folder = folder.path()});
    EXPECT_EQ(wrong.exitCode, 2);
    EXPECT_THAT(wrong.errors, HasSubstr("a.doc"));
}

/// A search of some seconds: many layouts, one thread, nothing left out.
Words longSearch(const char* command) {
    return {command, kExamples + "deepseek-v3.yaml", "--exhaustive", "--threads", "1"};
}

TEST(CtrlC, StopsASearchAtOnceAndWritesNothing) {
    for (const char* command : {"plan", "explain"}) {
        const TemporaryFolder folder;
        Words arguments = longSearch(command);
        arguments.insert(arguments.end(), {"--report", folder.file("report.html")});
        Execution done;
        // Until the program has come so far that it watches for Ctrl-C.
        for (int milliseconds = 150; milliseconds < 10'000; milliseconds *= 2) {
            done = run(arguments, {.interruptAfterMilliseconds = milliseconds});
            if (done.signal != SIGINT) {
                break;
            }
        }
        EXPECT_EQ(done.signal, 0);
        EXPECT_EQ(done.exitCode, 130) << command << ": the search was over before Ctrl-C\n"
                                      << done.errors;
        EXPECT_THAT(done.output, IsEmpty());
        EXPECT_THAT(done.errors, HasSubstr("Interrupted"));
        EXPECT_THAT(folder.names(), IsEmpty());
        // 50 ms is the aim; a machine with other work to do gets more.
        EXPECT_LT(done.secondsAfterInterrupt, 1.0) << command;
    }
}

}  // namespace
}  // namespace trainwright::tests
