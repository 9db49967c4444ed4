// SPDX-License-Identifier: GPL-3.0-or-later
// Steps that tests work with: an 8-GPU node and a Trainium server, and a profile of each kind.
#pragma once

#include "model/layout/layout.h"
#include "tests/model/machine/chips.h"
#include "tests/model/workload/models.h"

namespace trainwright::layout::testing {

inline machine::SystemSpec a100Node() {
    machine::SystemSpec s;
    s.id = s.name = "a100x8";
    s.provider = "test";
    s.chip = machine::testing::a100();
    s.chipsPerUnit = s.chipsPerHost = s.chipsPerDomain = 8;
    s.fabric.kind = machine::FabricKind::Switched;
    s.fabric.dims = {8};
    s.fabric.linkBandwidth = {units::BytesPerSecond(300e9)};
    s.fabric.hopLatency = units::Seconds(1e-6);
    s.fabric.collectiveLatency = units::Seconds(15e-6);
    s.fabric.protocolEfficiency = 0.78;
    s.fabric.nicsPerHost = 8;
    s.fabric.nicBandwidth = units::BytesPerSecond(25e9);
    s.fabric.scaleOutEfficiency = 0.85;
    s.fabric.scaleOutLatency = units::Seconds(10e-6);
    s.fabric.scaleOutCollectiveLatency = units::Seconds(40e-6);
    return s;
}

inline machine::SystemSpec trn2Server() {
    machine::SystemSpec s;
    s.id = s.name = "trn2x16";
    s.provider = "test";
    s.chip = machine::testing::trainium2();
    s.chipsPerUnit = s.chipsPerHost = s.chipsPerDomain = 16;
    s.fabric.kind = machine::FabricKind::Torus;
    s.fabric.dims = {4, 4};
    s.fabric.linkBandwidth = {units::BytesPerSecond(128e9), units::BytesPerSecond(128e9)};
    s.fabric.intraChipBandwidth = units::BytesPerSecond(500e9);
    s.fabric.hopLatency = units::Seconds(1.5e-6);
    s.fabric.collectiveLatency = units::Seconds(10e-6);
    s.fabric.protocolEfficiency = 0.8;
    s.fabric.nicsPerHost = 16;
    s.fabric.nicBandwidth = units::BytesPerSecond(25e9);
    s.fabric.scaleOutEfficiency = 0.8;
    s.fabric.scaleOutLatency = units::Seconds(15e-6);
    s.fabric.scaleOutCollectiveLatency = units::Seconds(50e-6);
    return s;
}

// Megatron-like: distributed optimizer, fp32 gradients kept whole.
inline SoftwareProfile gpuProfile() {
    SoftwareProfile p;
    p.id = p.title = "gpu profile";
    p.computeDtypes = {machine::Dtype::Bf16, machine::Dtype::Fp16};
    p.shardings = {Sharding::None, Sharding::Zero1, Sharding::Zero3};
    p.statesNone = {2, 4, 4, 8, false, false, false, false};
    p.statesZero1 = {2, 4, 4, 8, false, false, true, true};
    p.statesZero3 = {4, 4, 0, 8, true, true, true, true};
    p.unevenLayers = UnevenLayers::EmbeddingAndLossTakeSlots;
    p.fragmentation = 0;
    return p;
}

inline SoftwareProfile neuronProfile() {
    SoftwareProfile p = gpuProfile();
    p.id = p.title = "neuron profile";
    p.rankUnit = RankUnit::LogicalNeuronCore;
    p.physicalCoresPerRank = 2;
    p.shardings = {Sharding::None, Sharding::Zero1};
    p.tensorDegrees = {1, 4, 16, 32, 64};
    p.unevenLayers = UnevenLayers::RemainderLast;
    p.keyValueReplicasStored = true;
    p.contextAllowed = p.expertAllowed = false;
    return p;
}

inline StepProblem problem(workload::Architecture a, long chips, int sequence, long batch) {
    StepProblem p;
    p.architecture = std::move(a);
    p.training.sequenceLength = sequence;
    p.training.globalBatchSequences = batch;
    p.training.precision = machine::Dtype::Bf16;
    p.cluster = {a100Node(), chips};
    p.profile = gpuProfile();
    return p;
}

inline Layout layoutOf(int tensor, int pipeline, int data, int microBatch, long microBatches) {
    Layout l;
    l.tensor = tensor;
    l.sequenceParallel = tensor > 1;
    l.pipeline = pipeline;
    l.data = data;
    l.microBatch = microBatch;
    l.microBatches = microBatches;
    return l;
}

}  // namespace trainwright::layout::testing
