// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/catalog/profile_reader.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "data/catalog/csv_rows.h"

namespace trainwright::catalog {
namespace {

using layout::Recompute;
using layout::Schedule;
using layout::Sharding;
using layout::SoftwareProfile;
using layout::StateBytes;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

CsvTable rowsOf(const std::string& file) {
    std::ifstream in(std::string(TRAINWRIGHT_ROWS_FOLDER) + "/" + file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    Outcome<CsvTable> table = readCsv(text.str(), file);
    if (!table) {
        ADD_FAILURE() << table.findings().front().english();
        return {};
    }
    return std::move(table).value();
}

Status statusOf(const std::string& word) {
    static const std::map<std::string, Status> words{{"adopted", Status::Adopted},
                                                     {"estimated", Status::Estimated},
                                                     {"conflicting", Status::Conflicting},
                                                     {"superseded", Status::Superseded},
                                                     {"rejected", Status::Rejected}};
    return words.at(word);
}

/// The shipped rows of every profile, by id.
const std::map<std::string, std::vector<Figure>>& shippedFigures() {
    static const std::map<std::string, std::vector<Figure>> figures = [] {
        std::map<std::string, std::vector<Figure>> byId;
        for (const CsvRow& row : rowsOf("figures_profile.csv").rows) {
            Figure figure;
            figure.kind = "profile";
            figure.id = row.fields[0];
            figure.key = row.fields[1];
            figure.value = row.fields[2];
            figure.status = statusOf(row.fields[3]);
            figure.source.id = row.fields[4];
            figure.confidence = row.fields[6];
            figure.note = row.fields[7];
            byId[figure.id].push_back(std::move(figure));
        }
        return byId;
    }();
    return figures;
}

SoftwareProfile shipped(const std::string& id) {
    const Outcome<SoftwareProfile> profile = profileFromFigures(id, shippedFigures().at(id));
    if (!profile) {
        ADD_FAILURE() << profile.findings().front().english();
        return {};
    }
    return *profile;
}

/// The rows of `id` with the row in use of `key` set to `value`.
std::vector<Figure> changed(const std::string& id, const std::string& key,
                            const std::string& value) {
    std::vector<Figure> figures = shippedFigures().at(id);
    for (Figure& figure : figures) {
        if (figure.key == key && figure.status != Status::Conflicting) {
            figure.value = value;
        }
    }
    return figures;
}

/// Bytes of a parameter on each of `ranks` ranks that share what is shared.
double bytes(const StateBytes& s, double ranks) {
    const auto part = [ranks](double value, bool sharded) {
        return sharded ? value / ranks : value;
    };
    return part(s.weights, s.weightsSharded) + part(s.gradients, s.gradientsSharded) +
           part(s.master, s.masterSharded) + part(s.optimizer, s.optimizerSharded);
}

TEST(ShippedProfiles, EveryEntryReads) {
    std::vector<std::string> ids;
    for (const CsvRow& row : rowsOf("entries_profile.csv").rows) {
        ids.push_back(row.fields[0]);
    }
    EXPECT_THAT(ids, Contains("neuron_nxd_training"));
    EXPECT_THAT(ids, Contains("megatron_bridge"));
    for (const std::string& id : ids) {
        ASSERT_TRUE(shippedFigures().count(id)) << id << " has an entry but no figures";
        const Outcome<SoftwareProfile> profile = profileFromFigures(id, shippedFigures().at(id));
        for (const Finding& finding : profile.findings()) {
            ADD_FAILURE() << finding.english();
        }
        EXPECT_TRUE(profile.ok()) << id;
    }
    EXPECT_EQ(ids.size(), shippedFigures().size()) << "figures of a profile without an entry";
}

TEST(ShippedProfiles, EveryKeyThatIsReadIsDefinedAndHasAUnitOrIsText) {
    std::map<std::string, CsvRow> definitions;
    for (const CsvRow& row : rowsOf("keys_profile.csv").rows) {
        definitions[row.fields[0]] = row;
    }
    ASSERT_THAT(profileKeys(), Not(IsEmpty()));
    for (const std::string& key : profileKeys()) {
        ASSERT_TRUE(definitions.count(key)) << key << " has no row in keys_profile.csv";
    }
    for (const auto& [id, figures] : shippedFigures()) {
        for (const Figure& figure : figures) {
            EXPECT_TRUE(definitions.count(figure.key)) << id << ", " << figure.key;
        }
    }
}

TEST(ShippedProfiles, EstimatesSayWhy) {
    for (const auto& [id, figures] : shippedFigures()) {
        for (const Figure& figure : figures) {
            if (figure.status != Status::Adopted) {
                EXPECT_THAT(figure.note, Not(IsEmpty())) << id << ", " << figure.key;
            }
        }
    }
}

struct StateCase {
    const char* profile;
    Sharding sharding;
    double fixed;   ///< bytes that every rank holds
    double shared;  ///< bytes divided by the ranks that share
};

class ModelStates : public ::testing::TestWithParam<StateCase> {};

TEST_P(ModelStates, AddUpAsPublished) {
    const StateCase& c = GetParam();
    const SoftwareProfile profile = shipped(c.profile);
    const StateBytes& states = layout::states(profile, c.sharding);
    for (const double ranks : {1.0, 8.0, 64.0}) {
        EXPECT_DOUBLE_EQ(bytes(states, ranks), c.fixed + c.shared / ranks) << ranks << " ranks";
    }
}

INSTANTIATE_TEST_SUITE_P(
    Published, ModelStates,
    ::testing::Values(StateCase{"neuron_nxd_training", Sharding::Zero1, 6, 12},
                      StateCase{"neuron_nxd_training", Sharding::None, 8, 0},
                      StateCase{"neuron_nxd_training_lnc2", Sharding::Zero1, 6, 12},
                      StateCase{"neuron_nemo_megatron", Sharding::None, 8, 0},
                      StateCase{"optimum_neuron", Sharding::Zero1, 6, 12},
                      StateCase{"megatron_core", Sharding::None, 18, 0},
                      StateCase{"megatron_core", Sharding::Zero1, 6, 12},
                      StateCase{"megatron_bridge", Sharding::Zero1, 6, 12},
                      StateCase{"megatron_lm_2021", Sharding::None, 18, 0},
                      StateCase{"megatron_fsdp", Sharding::Zero3, 0, 16},
                      StateCase{"torchtitan_fsdp2", Sharding::Zero3, 0, 16},
                      StateCase{"maxtext", Sharding::Zero3, 0, 16},
                      StateCase{"llm_foundry_composer", Sharding::Zero3, 0, 16},
                      StateCase{"deepspeed_zero", Sharding::Zero1, 4, 16},
                      StateCase{"deepspeed_zero", Sharding::Zero2, 2, 18},
                      StateCase{"deepspeed_zero", Sharding::Zero3, 0, 18},
                      StateCase{"nanotron", Sharding::Zero1, 6, 12},
                      StateCase{"hai_llm", Sharding::Zero1, 6, 8}),
    [](const auto& tested) {
        return std::string(tested.param.profile) + "_" + layout::name(tested.param.sharding);
    });

TEST(ShippedProfiles, NeuronDoesNotHideTensorCollectives) {
    for (const char* id :
         {"neuron_nxd_training", "neuron_nxd_training_lnc2", "neuron_nemo_megatron"}) {
        const SoftwareProfile profile = shipped(id);
        EXPECT_EQ(profile.tensorOverlap, 0) << id;
        EXPECT_TRUE(profile.pipelineExchangeDoubled) << id;
        EXPECT_EQ(profile.hostLaunchPerKernel.value(), 0) << id;
        EXPECT_TRUE(profile.keyValueReplicasStored) << id;
        EXPECT_FALSE(profile.tiedEmbeddingsWithPipeline) << id;
        EXPECT_THAT(profile.computeDtypes, Not(Contains(machine::Dtype::Fp8))) << id;
    }
}

TEST(ShippedProfiles, RanksOfAChip) {
    machine::ChipSpec trainium1;
    trainium1.family = "trainium";
    trainium1.computeUnits = 2;
    machine::ChipSpec trainium2 = trainium1;
    trainium2.computeUnits = 8;
    machine::ChipSpec gpu;
    gpu.family = "gpu";
    gpu.computeUnits = 132;
    EXPECT_EQ(ranksPerChip(shipped("neuron_nxd_training"), trainium1), 2);
    EXPECT_EQ(ranksPerChip(shipped("neuron_nxd_training_lnc2"), trainium2), 4);
    EXPECT_EQ(ranksPerChip(shipped("neuron_nxd_training_lnc1"), trainium2), 8);
    EXPECT_EQ(ranksPerChip(shipped("megatron_bridge"), gpu), 1);
}

TEST(ShippedProfiles, DegreesOfTrainium2) {
    const SoftwareProfile lnc2 = shipped("neuron_nxd_training_lnc2");
    EXPECT_THAT(lnc2.tensorDegrees, ElementsAre(1, 4, 8, 16, 32, 64));
    EXPECT_THAT(lnc2.tensorDegreesWarned, ElementsAre(8));
    EXPECT_THAT(shipped("neuron_nxd_training_lnc1").tensorDegreesWarned, ElementsAre(16));
    EXPECT_THAT(shipped("megatron_core").tensorDegrees, IsEmpty());
}

TEST(ShippedProfiles, MegatronOf2021HasNeitherFlashNorSequenceParallelism) {
    const SoftwareProfile then = shipped("megatron_lm_2021");
    EXPECT_FALSE(then.flashAttention);
    EXPECT_FALSE(then.causalSkipping);
    EXPECT_TRUE(then.fusedSoftmax);
    EXPECT_FALSE(then.sequenceParallelDefault);
    EXPECT_EQ(then.dataOverlap, 0);
    EXPECT_EQ(then.recomputeDefault, Recompute::Full);
    EXPECT_THAT(then.schedules,
                ElementsAre(Schedule::OneForwardOneBackward, Schedule::Interleaved));
    const SoftwareProfile later = shipped("megatron_lm_2022");
    EXPECT_TRUE(later.sequenceParallelDefault);
    EXPECT_EQ(later.recomputeDefault, Recompute::Selective);
    EXPECT_FALSE(later.flashAttention);
}

TEST(ShippedProfiles, DeepSeeksTrainerIsAsItsReportHasIt) {
    const SoftwareProfile p = shipped("hai_llm");
    EXPECT_THAT(p.tensorDegrees, ElementsAre(1));
    EXPECT_EQ(p.schedules.front(), Schedule::DualPipe);
    EXPECT_TRUE(p.dualPipeKeepsTwoCopies);
    EXPECT_THAT(p.shardings, ElementsAre(Sharding::Zero1));
    EXPECT_EQ(p.expertTensor, layout::ExpertTensor::One);
    EXPECT_EQ(p.expertDispatch, layout::ExpertDispatch::OncePerHost);
    // FP8 with an fp32 scale for 128 elements out, bf16 back.
    EXPECT_DOUBLE_EQ(p.dispatchBytes, 1 + 4.0 / 128);
    EXPECT_EQ(p.combineBytes, 2);
    EXPECT_THAT(p.scalingRecipes, ElementsAre(layout::ScalingRecipe::Blockwise));
    EXPECT_THAT(p.selectiveGroups, ElementsAre("norm", "mlp_activation", "latent_up"));
    EXPECT_NEAR(p.overlapComputeTax, 20.0 / 132, 0.01);
}

TEST(ShippedProfiles, ExpertsSitWhereTheFrameworkPutsThem) {
    using layout::ExpertDispatch;
    using layout::ExpertPlace;
    using layout::ExpertTensor;
    const struct {
        const char* id;
        ExpertTensor tensor;
        ExpertPlace place;
        ExpertDispatch dispatch;
    } expected[] = {
        {"megatron_core", ExpertTensor::Free, ExpertPlace::OwnGrid, ExpertDispatch::AllGather},
        {"megatron_bridge", ExpertTensor::Free, ExpertPlace::OwnGrid, ExpertDispatch::OncePerHost},
        {"torchtitan_fsdp2", ExpertTensor::One, ExpertPlace::OwnGrid, ExpertDispatch::AllToAll},
        {"neuron_nxd_training_lnc2", ExpertTensor::SameAsTensor, ExpertPlace::OwnGrid,
         ExpertDispatch::AllToAll},
        {"deepspeed_zero", ExpertTensor::SameAsTensor, ExpertPlace::InsideData,
         ExpertDispatch::AllToAll},
        {"nanotron", ExpertTensor::SameAsTensor, ExpertPlace::Outermost, ExpertDispatch::AllToAll},
    };
    for (const auto& e : expected) {
        const SoftwareProfile p = shipped(e.id);
        EXPECT_EQ(p.expertTensor, e.tensor) << e.id;
        EXPECT_EQ(p.expertPlace, e.place) << e.id;
        EXPECT_EQ(p.expertDispatch, e.dispatch) << e.id;
    }
}

TEST(ShippedProfiles, ContextRanksExchangeAsTheFrameworkDoes) {
    using layout::ContextExchange;
    EXPECT_THAT(
        shipped("megatron_core").contextExchanges,
        ElementsAre(ContextExchange::Ring, ContextExchange::AllGather, ContextExchange::AllToAll));
    EXPECT_THAT(shipped("deepspeed_zero").contextExchanges, ElementsAre(ContextExchange::AllToAll));
    EXPECT_EQ(shipped("maxtext").contextExchanges.front(), ContextExchange::AllGather);
    EXPECT_TRUE(shipped("neuron_nxd_training").contextReducedApart);
    EXPECT_FALSE(shipped("megatron_core").contextReducedApart);
    EXPECT_THAT(shipped("neuron_nxd_training_lnc2").contextExchanges, IsEmpty());
}

TEST(ShippedProfiles, ChoicesOfARun) {
    using layout::Axis;
    using layout::ScalingRecipe;
    const SoftwareProfile megatron = shipped("megatron_core");
    EXPECT_THAT(megatron.otherRankOrders,
                ElementsAre(ElementsAre(Axis::Tensor, Axis::Context, Axis::Expert, Axis::Pipeline,
                                        Axis::Data)));
    EXPECT_THAT(megatron.recomputeEvery, ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(megatron.scalingRecipes.front(), ScalingRecipe::Delayed);
    EXPECT_EQ(shipped("megatron_bridge").scalingRecipes.front(), ScalingRecipe::Tensorwise);
    EXPECT_EQ(megatron.unevenLayers, layout::UnevenLayers::GivenEnds);
    EXPECT_TRUE(megatron.hybridSharding);
    EXPECT_THAT(shipped("neuron_nxd_training").scalingRecipes, IsEmpty());
    EXPECT_THAT(shipped("neuron_nxd_training").offloads, IsEmpty());
    EXPECT_THAT(megatron.offloads, ElementsAre(layout::Offload::Optimizer));
    EXPECT_THAT(shipped("deepspeed_zero").offloads,
                ElementsAre(layout::Offload::Optimizer, layout::Offload::Activations));
    const SoftwareProfile titan = shipped("torchtitan_fsdp2");
    EXPECT_THAT(titan.schedules, Contains(Schedule::ZeroBubble));
    EXPECT_THAT(titan.schedules, Contains(Schedule::DualPipe));
    EXPECT_FALSE(titan.dualPipeKeepsTwoCopies);
}

TEST(ShippedProfiles, EachChipHasAtMostOneDefault) {
    std::map<std::string, std::string> profileOf;
    for (const auto& [id, figures] : shippedFigures()) {
        for (const Figure& figure : figures) {
            if (figure.key != "default_for_chips") {
                continue;
            }
            std::istringstream chips(figure.value);
            for (std::string chip; std::getline(chips, chip, ';');) {
                EXPECT_TRUE(profileOf.emplace(chip, id).second)
                    << chip << " is claimed by " << profileOf[chip] << " and " << id;
            }
        }
    }
    EXPECT_EQ(profileOf["trainium1"], "neuron_nxd_training");
    EXPECT_EQ(profileOf["trainium2"], "neuron_nxd_training_lnc2");
    EXPECT_EQ(profileOf["every_other"], "megatron_bridge");
}

TEST(ProfileReader, OrderOfRowsAndRowsNotInUseDoNotMatter) {
    std::vector<Figure> figures = shippedFigures().at("megatron_core");
    Figure rejected = figures.front();
    rejected.status = Status::Rejected;
    rejected.value = "abacus";
    figures.insert(figures.begin(), rejected);
    std::reverse(figures.begin(), figures.end());
    const Outcome<SoftwareProfile> profile = profileFromFigures("megatron_core", figures);
    ASSERT_TRUE(profile.ok()) << profile.findings().front().english();
    EXPECT_EQ(profile->rankUnit, layout::RankUnit::Gpu);
    EXPECT_EQ(profile->bucketBytes, 160e6);
    EXPECT_DOUBLE_EQ(profile->hostLaunchPerKernel.value(), 3e-5);
}

TEST(ProfileReader, EveryMissingFigureIsNamed) {
    const Outcome<SoftwareProfile> profile = profileFromFigures("bare", {});
    ASSERT_FALSE(profile.ok());
    const auto& findings = profile.findings();
    // The states can't be asked for before the sharding modes are known.
    const auto asked =
        std::count_if(profileKeys().begin(), profileKeys().end(),
                      [](const std::string& key) { return key.rfind("states_", 0) != 0; });
    EXPECT_GE(static_cast<long>(findings.size()), asked);
    EXPECT_EQ(findings.front().text.english(),
              "profile.bare.rank_unit is missing; every profile needs it.");
    EXPECT_EQ(findings.front().place.key, "rank_unit");
}

TEST(ProfileReader, AFigureThatIsNotPublishedCountsAsMissing) {
    const Outcome<SoftwareProfile> profile =
        profileFromFigures("megatron_core", changed("megatron_core", "step_overhead_s", ""));
    ASSERT_FALSE(profile.ok());
    ASSERT_EQ(profile.findings().size(), 1U);
    EXPECT_EQ(profile.findings().front().place.key, "step_overhead_s");
}

struct MalformedCase {
    const char* key;
    const char* value;
    const char* says;
};

class MalformedFigure : public ::testing::TestWithParam<MalformedCase> {};

TEST_P(MalformedFigure, IsRefusedWithWhatWasExpected) {
    const MalformedCase& c = GetParam();
    const Outcome<SoftwareProfile> profile =
        profileFromFigures("megatron_core", changed("megatron_core", c.key, c.value));
    ASSERT_FALSE(profile.ok());
    ASSERT_EQ(profile.findings().size(), 1U);
    const Finding& finding = profile.findings().front();
    EXPECT_EQ(finding.severity, Severity::Error);
    EXPECT_EQ(finding.place.key, c.key);
    EXPECT_THAT(finding.text.english(), HasSubstr(std::string("profile.megatron_core.") + c.key));
    EXPECT_THAT(finding.text.english(), HasSubstr(c.says));
}

INSTANTIATE_TEST_SUITE_P(
    ByKind, MalformedFigure,
    ::testing::Values(
        MalformedCase{"flash_attention", "yes", "expected 0 or 1"},
        MalformedCase{"tensor_overlap_fraction", "1.5", "from 0 to 1"},
        MalformedCase{"tensor_overlap_fraction", "-0.1", "from 0 to 1"},
        MalformedCase{"fragmentation_fraction", "5%", "from 0 to 1"},
        MalformedCase{"bucket_bytes", "130 MB", "expected a number"},
        MalformedCase{"step_overhead_s", "inf", "expected a number"},
        MalformedCase{"vocabulary_pad_multiple", "128.5", "whole number from 0"},
        MalformedCase{"physical_cores_per_rank", "0", "whole number from 1"},
        MalformedCase{"rank_unit", "core", "gpu, neuron_core, logical_neuron_core"},
        MalformedCase{"rank_order", "tensor,data,pipeline",
                      "tensor, context, expert, data, pipeline"},
        MalformedCase{"rank_order", "tensor,tensor,expert,data,pipeline", "each once"},
        MalformedCase{"tensor_degrees", "8,4", "rising degrees"},
        MalformedCase{"uneven_layers", "last", "remainder_last"},
        MalformedCase{"uneven_layers", "ends", "given_ends"},
        MalformedCase{"schedules", "1f1b,zigzag",
                      "gpipe, 1f1b, interleaved, zero_bubble, dualpipe"},
        MalformedCase{"other_rank_orders", "tensor,data", "each of tensor, context, expert"},
        MalformedCase{"other_rank_orders", "tensor,context,expert,pipeline,data;", "or none"},
        MalformedCase{"other_selective_groups", "norm;mpl", "norm, core_attention"},
        MalformedCase{"other_selective_groups", "norm,norm", "separated by semicolons"},
        MalformedCase{"recompute_every", "none", "rising numbers"},
        MalformedCase{"recompute_every", "2,1", "rising numbers"},
        MalformedCase{"scaling_recipes", "mxfp8", "blockwise, microscaled"},
        MalformedCase{"scaling_recipes", "none", "profile.megatron_core.compute_dtypes"},
        MalformedCase{"offloads", "weights", "optimizer, activations"},
        MalformedCase{"offloads", "none,optimizer", "or none"},
        MalformedCase{"context_exchanges", "p2p", "ring, all_gather, all_to_all"},
        MalformedCase{"context_exchanges", "none", "profile.megatron_core.context_allowed is 1"},
        MalformedCase{"hybrid_sharding", "yes", "expected 0 or 1"},
        MalformedCase{"expert_tensor", "any", "same_as_tensor, one, free"},
        MalformedCase{"expert_place", "inside", "own_grid, inside_data, outermost"},
        MalformedCase{"expert_dispatch", "flex", "all_to_all, all_gather, once_per_host"},
        MalformedCase{"dispatch_bytes_per_element", "fp8", "expected a number"},
        MalformedCase{"expert_overlap_fraction", "2", "from 0 to 1"},
        MalformedCase{"expert_load_imbalance", "0.9", "from 1 up"},
        MalformedCase{"compute_dtypes", "bfloat16", "bf16"},
        MalformedCase{"sharding_default", "fsdp", "profile.megatron_core.shardings"},
        MalformedCase{"states_zero1", "weights:2,gradients:4,master:4/d", "has no optimizer"},
        MalformedCase{"states_zero1", "weights:2,grads:4,master:4/d,optimizer:8/d", "\"grads:4\""},
        MalformedCase{"states_zero1", "weights:2,gradients:4,master:4/n,optimizer:8/d",
                      "\"master:4/n\""},
        MalformedCase{"states_zero1", "weights:2,weights:2,master:4/d,optimizer:8/d", "twice"},
        MalformedCase{"states_zero1", "6 + 12/d", "weights:2,gradients:4,master:4/d,optimizer:8/d"},
        MalformedCase{"states_none", "weights:,gradients:4,master:4,optimizer:8", "\"weights:\""}));

TEST(StateBytesFromText, ReadsBytesAndSharing) {
    const Outcome<StateBytes> read =
        stateBytesFromText("optimizer:8/d,weights:1.5,master:0,gradients:4");
    ASSERT_TRUE(read.ok()) << read.findings().front().english();
    EXPECT_EQ(read->weights, 1.5);
    EXPECT_EQ(read->gradients, 4);
    EXPECT_EQ(read->master, 0);
    EXPECT_EQ(read->optimizer, 8);
    EXPECT_FALSE(read->weightsSharded);
    EXPECT_FALSE(read->gradientsSharded);
    EXPECT_FALSE(read->masterSharded);
    EXPECT_TRUE(read->optimizerSharded);
}

TEST(StateBytesFromText, VariantsKeptForReadersAreWellFormed) {
    for (const auto& [id, figures] : shippedFigures()) {
        for (const Figure& figure : figures) {
            if (figure.key.rfind("states_", 0) == 0 && figure.key != "states_total") {
                const Outcome<StateBytes> read = stateBytesFromText(figure.value);
                EXPECT_TRUE(read.ok()) << id << ", " << figure.key << ": " << figure.value;
            }
        }
    }
}

}  // namespace
}  // namespace trainwright::catalog
