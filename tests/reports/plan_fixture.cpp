// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reports/plan_fixture.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace trainwright::reports::fixture {
namespace {

using layout::MemoryKind;
using layout::TimePart;
using units::Bytes;
using units::BytesPerSecond;
using units::Flop;
using units::FlopPerSecond;
using units::Seconds;
using units::Watts;

machine::SystemSpec system(const char* id, const char* name, const char* chipId,
                           const char* chipName, const char* family, double headlineTeraflops,
                           double engineTeraflops, double hbmGibibytes, double terabytesPerSecond,
                           int computeUnits, int chipsPerUnit) {
    machine::SystemSpec s;
    s.id = id;
    s.name = name;
    s.provider = "aws";
    s.chip.id = chipId;
    s.chip.name = chipName;
    s.chip.family = family;
    auto bf16 = static_cast<std::size_t>(machine::Dtype::Bf16);
    s.chip.headlinePeak[bf16] = FlopPerSecond(headlineTeraflops * 1e12);
    s.chip.enginePeak[bf16] = FlopPerSecond(engineTeraflops * 1e12);
    s.chip.hbmCapacity = units::gibibytes(hbmGibibytes);
    s.chip.hbmBandwidth = BytesPerSecond(terabytesPerSecond * 1e12);
    s.chip.computeUnits = computeUnits;
    s.chip.compute.gemmCeiling[bf16] = 0.8;
    s.chip.compute.memoryCeiling = 0.9;
    s.chip.thermalDesignPower = Watts(500);
    s.chip.idlePower = Watts(100);
    s.chipsPerUnit = s.chipsPerHost = s.chipsPerDomain = chipsPerUnit;
    return s;
}

run::Price price(const char* plan, double usdPerHour, const char* date) {
    run::Price p;
    p.state = run::PriceState::Known;
    p.perUnit = units::usDollarsPerHour(usdPerHour);
    p.plan = plan;
    p.observedDate = date;
    p.source = "AWS price list";
    p.confidence = "high";
    return p;
}

search::FigureUse figure(const char* kind, const char* id, const char* key, const char* value,
                         const char* unit, const char* source, const char* url,
                         const char* observed, const char* status = "adopted",
                         const char* note = "") {
    return {kind, id, key, value, unit, source, url, observed, status, note};
}

search::CandidateRequest candidate(const char* name, machine::SystemSpec s, long chips,
                                   run::Price p) {
    search::CandidateRequest c;
    c.name = name;
    c.system = std::move(s);
    c.chips = chips;
    c.price = std::move(p);
    if (c.system.chip.family == "trainium") {
        c.profile.id = "nxd";
        c.profile.title = "NeuronX Distributed";
        c.profile.rankUnit = layout::RankUnit::LogicalNeuronCore;
        c.profile.physicalCoresPerRank = 2;
    } else {
        c.profile.id = "megatron";
        c.profile.title = "Megatron-Core";
    }
    c.region =
        run::Region{"us-east-2", "Ohio", 1.15, true, 412.0, "location-based, annual average 2023"};
    c.operations.interruptionsPerChipHour = 1.97e-5;
    c.operations.interruptionSource = "Llama 3: 419 interruptions in 54 days on 16,384 GPUs";
    c.operations.restartTime = Seconds(600);
    c.operations.checkpointBandwidth = BytesPerSecond(200e9);
    const std::string chip = c.system.chip.id;
    c.figures = {
        figure("chip", chip.c_str(), "hbm_bytes", "103079215104", "bytes", "Neuron documentation",
               "https://example.org/neuron/trainium2", "2026-11-02"),
        figure("chip", chip.c_str(), "thermal_design_power_w", "500", "watts", "Analyst estimate",
               "https://example.org/power", "2026-07", "estimated",
               "no vendor figure is published"),
        figure("system", c.system.id.c_str(), "link_bandwidth_bytes_per_s_0", "128000000000",
               "bytes_per_second", "Neuron documentation", "https://example.org/neuron/links",
               "2026-11-02"),
        figure("region", "us-east-2", "grid_g_co2_per_kwh", "412", "grams_per_kilowatt_hour",
               "Grid statistics", "https://example.org/grid", "2026-05"),
    };
    if (c.price.perUnit)
        c.figures.push_back(figure("price", c.system.id.c_str(), "usd_per_hour", "35.7608",
                                   "usd_per_hour", "AWS price list", "https://example.org/prices",
                                   "2026-10-09"));
    return c;
}

layout::Layout layoutOf(int t, int p, int v, int d, long m, layout::Recompute recompute) {
    layout::Layout l;
    l.tensor = t;
    l.sequenceParallel = t > 1;
    l.pipeline = p;
    l.virtualStages = v;
    l.data = d;
    l.microBatches = m;
    l.recompute = recompute;
    if (v > 1) l.schedule = layout::Schedule::Interleaved;
    return l;
}

layout::OperatorCost operation(const char* name, layout::OperatorKind kind, layout::Phase phase,
                               layout::Bound bound, double calls, double m, double n, double k,
                               double flop, double bytes, double seconds) {
    layout::OperatorCost op;
    op.name = name;
    op.kind = kind;
    op.phase = phase;
    op.bound = bound;
    op.calls = calls;
    op.m = m;
    op.n = n;
    op.k = k;
    op.flopPerCall = Flop(flop);
    op.bytesPerCall = Bytes(bytes);
    op.secondsPerCall = Seconds(seconds);
    return op;
}

layout::CollectiveUse collective(const char* name, const char* kind, layout::Axis axis, int ranks,
                                 int stride, const char* algorithm, const char* link, double calls,
                                 double bytes, double seconds, double exposed, double hidden) {
    layout::CollectiveUse use;
    use.name = name;
    use.kind = kind;
    use.axis = axis;
    use.ranks = ranks;
    use.stride = stride;
    use.algorithm = algorithm;
    use.busiestLink = link;
    use.calls = calls;
    use.bytesPerCall = Bytes(bytes);
    use.secondsPerCall = Seconds(seconds);
    use.exposed = Seconds(exposed);
    use.hidden = Seconds(hidden);
    return use;
}

layout::StageMemory stageMemory(int stage, std::initializer_list<double> gibibytes) {
    layout::StageMemory memory;
    memory.stage = stage;
    std::size_t kind = 0;
    for (double g : gibibytes) memory.byKind[kind++] = units::gibibytes(g);
    memory.microBatchesInFlight = 2;
    return memory;
}

/// A step of `seconds`, its parts in the order of TimePart given as shares that add up to one.
layout::StepResult step(double seconds, std::initializer_list<double> shares, double hidden,
                        double mfu, std::vector<layout::StageMemory> stages,
                        double capacityGibibytes) {
    layout::StepResult s;
    s.stepTime = Seconds(seconds);
    std::size_t part = 0;
    for (double share : shares) s.parts[part++] = Seconds(seconds * share);
    s.hiddenCommunication = Seconds(hidden);
    s.mfuModel = mfu;
    s.mfuPalm = mfu * 1.03;
    s.hfu = mfu * 1.08;
    s.modelFlop = Flop(7.6e18);
    s.palmFlop = Flop(7.8e18);
    s.hardwareFlop = Flop(8.2e18);
    s.tokensPerSecond = 2048.0 * 8192.0 / seconds;
    s.memory.capacity = units::gibibytes(capacityGibibytes);
    s.memory.usable = units::gibibytes(capacityGibibytes * 0.95);
    for (const layout::StageMemory& stage : stages)
        if (stage.total() > s.memory.peak.total()) s.memory.peak = stage;
    s.memory.stages = std::move(stages);
    return s;
}

/// Operators of a rank that do `rankTeraflops` in matrix products, a little less where they are
/// small.
std::vector<layout::OperatorCost> operators(double gemmSeconds, double rankTeraflops) {
    using enum layout::OperatorKind;
    using enum layout::Phase;
    using enum layout::Bound;
    const double calls = 320;
    auto gemm = [&](const char* name, layout::Phase phase, double share, double m, double n,
                    double k) {
        double each = gemmSeconds * share / calls;
        double flop = each * rankTeraflops * 1e12 * (1 - 400 / std::min({m, n, k}));
        // As many bytes as the extents ask for at that work.
        double bytes = flop * (1 / m + 1 / n + 1 / k);
        return operation(name, Gemm, phase, Compute, calls, m, n, k, flop, bytes, each);
    };
    auto attention = [&](layout::Phase phase, double share, double rate) {
        double each = gemmSeconds * share / calls;
        double flop = each * rankTeraflops * 1e12 * rate;
        return operation("attention core", Attention, phase, Compute, calls, 0, 0, 0, flop,
                         flop / 450, each);
    };
    auto vectorOperator = [&](const char* name, layout::Bound bound, double share, double count,
                              double flopPerByte) {
        double each = gemmSeconds * share / count;
        double bytes = each * rankTeraflops * 1e12 / 260;
        return operation(name, Vector, Forward, bound, count, 0, 0, 0, bytes * flopPerByte, bytes,
                         each);
    };
    return {
        gemm("query, key, value", Forward, 0.08, 8192, 2560, 8192),
        gemm("attention output", Forward, 0.06, 8192, 8192, 2048),
        gemm("mlp gate and up", Forward, 0.24, 8192, 14336, 8192),
        gemm("mlp down", Forward, 0.12, 8192, 8192, 7168),
        gemm("mlp gate and up", BackwardInput, 0.25, 8192, 8192, 14336),
        gemm("mlp gate and up", BackwardWeight, 0.25, 14336, 8192, 8192),
        attention(Forward, 0.05, 0.6),
        attention(BackwardInput, 0.14, 0.45),
        vectorOperator("norm and residual", Memory, 0.04, 2 * calls, 1.4),
        vectorOperator("gated activation", Memory, 0.015, calls, 2.5),
        vectorOperator("softmax and loss", Launch, 0.004, 4, 0.9),
    };
}

/// What an H100 server costs to have.
run::Ownership ownedServer() {
    run::Ownership own;
    own.capitalPerUnit = units::UsDollars(344e3);
    own.lifeYears = 5;
    own.costOfCapital = 0.09;
    own.operationShare = 0.029;
    own.usdPerKilowattHour = 0.0892;
    own.state = run::PriceState::Known;
    own.source = "a cost sheet of August 2024";
    return own;
}

run::RunResult runOf(double days, double goodput, const run::Price& price, long units,
                     double megawatts, run::Date finish) {
    run::RunResult r;
    r.steps = 894070;
    r.modelFlop = units::Flop(6.6e24);
    r.days = days;
    r.usefulDays = days * goodput;
    r.finish = finish;
    r.interruptions = 41;
    r.spareChips = 16;
    r.goodput.share = goodput;
    r.goodput.checkpointShare = (1 - goodput) * 0.25;
    r.goodput.reworkShare = (1 - goodput) * 0.35;
    r.goodput.restartShare = (1 - goodput) * 0.4;
    r.goodput.checkpointInterval = Seconds(1800);
    r.goodput.checkpointStall = Seconds(5);
    r.goodput.meanTimeBetweenInterruptions = units::hours(12.4);
    r.goodput.restart = Seconds(600);
    r.energy.averagePower = Watts(megawatts * 1e6);
    r.energy.peakPower = Watts(megawatts * 1.12e6);
    r.energy.itAveragePower = Watts(megawatts * 1e6 / 1.15);
    r.energy.energy = *r.energy.averagePower * units::days(days);
    r.energy.itEnergy = *r.energy.itAveragePower * units::days(days);
    r.energy.co2Kilograms = units::inKilowattHours(*r.energy.energy) * 0.412;
    if (price.perUnit) {
        r.money.billedDays = std::ceil(days);
        auto rate = *price.perUnit * (static_cast<double>(units) * (1 - price.discount));
        r.money.usefulPart = rate * units::days(days * goodput);
        r.money.lostPart = rate * units::days(days * (1 - goodput));
        r.money.roundingPart = rate * units::days(r.money.billedDays - days);
        r.money.compute = *r.money.usefulPart + *r.money.lostPart + *r.money.roundingPart;
        r.money.storage = units::UsDollars(2790);
        r.money.total = *r.money.compute + *r.money.storage;
        r.money.upfront = price.wholeDays ? *r.money.compute : units::UsDollars(0);
        r.money.monthly =
            price.wholeDays ? units::UsDollars(0) : rate * units::days(run::kDaysPerMonth);
        r.money.owed = r.money.compute;
    } else {
        r.money.reason = price.reason;
        r.money.billedDays = std::ceil(days);
    }
    r.money.unitTime = units::days(r.money.billedDays) * static_cast<double>(units);
    return r;
}

/// Bands of a run whose days and bill both lie from 10% below to 13% above with the model's error.
belief::Bands bandsOf(const run::RunResult& run, const char* kind, const char* grade,
                      double errorLow, double errorHigh) {
    const auto answer = [&](double time, double draw) {
        belief::Answer a;
        a.days = run.days * time;
        if (run.money.total) a.cost = *run.money.compute * time + *run.money.storage;
        if (run.energy.energy) a.energy = *run.energy.energy * (time * draw);
        return a;
    };
    const belief::Answer low = answer(errorLow * 0.99, 1), middle = answer(1.004, 1),
                         high = answer(errorHigh * 1.01, 1);
    belief::Bands b;
    b.sampling = {4096, 1};
    b.stepTime = {Seconds(7.1), Seconds(7.8), Seconds(8.7)};
    b.days = {low.days, middle.days, high.days};
    if (low.cost) b.cost = {*low.cost, *middle.cost, *high.cost};
    if (low.energy) b.energy = {*low.energy, *middle.energy, *high.energy};
    b.chances = {0.82, 0.84, 1.0, 0.79};
    if (!low.cost) b.chances.budget.reset();
    using enum belief::InputUnit;
    const Text matrix{"matrix rate of {1}", {kind}}, memory{"memory rate of {1}", {kind}};
    b.tornado = {{"model_error",
                  {"model error, grade {1}", {grade}},
                  Factor,
                  errorLow,
                  errorHigh,
                  answer(errorLow, 1),
                  answer(errorHigh, 1),
                  {}},
                 {"matrix_rate", matrix, Factor, 0.94, 1.06, answer(1.035, 1), answer(0.97, 1), {}},
                 {"calibration",
                  {"step by figures fitted together: {1}", {kind}},
                  Factor,
                  0.98,
                  1.03,
                  answer(0.98, 1),
                  answer(1.03, 1),
                  {matrix, memory}},
                 {"interruption_rate",
                  {"failure rate", {}},
                  PerChipHour,
                  1.2e-5,
                  3.4e-5,
                  answer(0.985, 1),
                  answer(1.02, 1),
                  {}},
                 {"restart_time",
                  {"restart time", {}},
                  belief::InputUnit::Seconds,
                  120,
                  1200,
                  answer(0.995, 1),
                  answer(1.01, 1),
                  {}},
                 {"accelerator_power",
                  {"power of the accelerators", {}},
                  Factor,
                  0.77,
                  1.3,
                  answer(1, 0.85),
                  answer(1, 1.2),
                  {}}};
    return b;
}

}  // namespace

search::PlanRequest planRequest() {
    search::PlanRequest request;
    request.title = "Llama 3.1 70B by March";
    request.architecture.id = "llama3.1-70b";
    request.architecture.layers = 80;
    request.architecture.hidden = 8192;
    request.architecture.heads = 64;
    request.architecture.keyValueHeads = 8;
    request.architecture.headSize = 128;
    request.architecture.ffn = 28672;
    request.architecture.vocabulary = 128256;
    request.architecture.gatedMlp = true;
    request.architecture.publishedParameters = 70.6e9;
    request.training.tokens = 15e12;
    request.training.sequenceLength = 8192;
    request.training.globalBatchSequences = 2048;
    request.start = run::Date{2026, 12, 15};
    request.constraints.finishBy = run::Date{2027, 3, 15};
    request.constraints.budget = units::UsDollars(20e6);
    request.constraints.power = Watts(5e6);

    run::Price none;
    none.plan = "capacity_block";
    none.reason = Text{
        "no public price: import a price file, or write price_usd_per_hour in the scenario", {}};
    auto trn2 = candidate("trn2-block",
                          system("trn2.48xlarge", "Trn2", "trainium2", "Trainium2", "trainium", 667,
                                 629, 96, 2.9, 8, 16),
                          4096, price("capacity_block", 35.7608, "2026-10-09"));
    trn2.price.wholeDays = true;
    auto h100 = candidate(
        "h100-od",
        system("p5.48xlarge", "P5", "h100", "H100 SXM", "gpu", 989, 989, 80, 3.35, 132, 8), 3072,
        price("on_demand", 55.04, "2026-11-09"));
    h100.own = ownedServer();
    auto h200 = candidate(
        "h200-block",
        system("p5en.48xlarge", "P5en", "h200", "H200 SXM", "gpu", 989, 989, 141, 4.8, 132, 8),
        2048, price("capacity_block", 36.9, "2026-10-09"));
    auto trn3 = candidate("trn3-g2",
                          system("trn3-gen2-ultraserver", "Trn3 UltraServer", "trainium3",
                                 "Trainium3", "trainium", 1260, 1260, 144, 4.9, 8, 144),
                          4032, none);
    auto a100 = candidate(
        "a100",
        system("p4d.24xlarge", "P4d", "a100-40", "A100 40 GB", "gpu", 312, 312, 40, 1.555, 108, 8),
        64, price("on_demand", 21.9576, "2026-11-09"));
    a100.notes.push_back({Severity::Warning, Text{"this price is {1} days old", {"22"}}, {}});
    request.candidates = {h100, trn2, trn3, a100, h200};
    request.figures = {figure("model", "llama3.1-70b", "layers", "80", "", "Llama 3.1 model card",
                              "https://example.org/llama", "2026-11-02")};
    return request;
}

search::PlanResult planResult() {
    const search::PlanRequest request = planRequest();
    search::PlanResult result;
    result.verdict =
        Text{"{1} is cheapest: {2}, done {3}.", {"trn2-block", "18.5 M USD", "2027-03-08"}};

    auto base = [&](std::size_t index) {
        search::CandidateResult c;
        c.name = request.candidates[index].name;
        c.feasible = true;
        c.search = {214310, 2143, 131000, Seconds(0.25), 2};
        c.units = request.candidates[index].chips / request.candidates[index].system.chipsPerUnit;
        return c;
    };
    auto alternatives = [](double seconds, double gibibytes) {
        return std::vector<search::Alternative>{
            {layoutOf(16, 2, 4, 512, 4, layout::Recompute::None), Seconds(seconds * 0.95),
             units::gibibytes(gibibytes * 1.32), false},
            {layoutOf(16, 4, 2, 256, 8, layout::Recompute::None), Seconds(seconds * 1.035),
             units::gibibytes(gibibytes * 0.9), true},
            {layoutOf(64, 1, 1, 256, 8, layout::Recompute::None), Seconds(seconds * 1.042),
             units::gibibytes(gibibytes * 0.8), true}};
    };

    search::CandidateResult h100 = base(0);
    h100.layout = layoutOf(8, 4, 5, 96, 21, layout::Recompute::None);
    h100.step = step(6.0, {0.62, 0.10, 0.14, 0, 0, 0.05, 0.01, 0.03, 0, 0.02, 0.03}, 0.7, 0.42,
                     {stageMemory(0, {11.1, 22.2, 6.4, 18.7, 0, 2.1, 4.3}),
                      stageMemory(1, {10.9, 21.8, 6.2, 15.1, 0, 2.1, 4.3}),
                      stageMemory(2, {10.9, 21.8, 6.2, 12.5, 0, 2.1, 4.3}),
                      stageMemory(3, {11.2, 22.4, 6.5, 9.8, 3.1, 2.1, 4.3})},
                     80);
    h100.step.operators = operators(3.72, 700);
    h100.step.collectives = {
        collective("all-gather of activations", "all_gather", layout::Axis::Tensor, 8, 1, "ring",
                   "NVLink, 450 GB/s one way", 1280, 1.34e8, 0.0006, 0.84, 0.3)};
    h100.run = runOf(65.2, 0.957, request.candidates[0].price, h100.units, 4.4, {2027, 2, 18});
    const double owned = static_cast<double>(h100.units);
    run::OwnershipResult& own = h100.run.ownership;
    own.capital = units::UsDollars(344e3 * owned);
    own.capitalPerYear = units::UsDollars(88.4e3 * owned);
    own.electricityPerYear = units::UsDollars(3.4e6);
    own.operationPerYear = *own.capital * 0.029;
    own.ofRun = units::UsDollars(7.45e6);
    own.rentPerMonth = units::UsDollars(55.04 * 730 * owned);
    own.breakEvenMonths = 9.84;
    h100.reasons = {Text{"over the budget by {1}", {"13.5 M USD"}}};
    h100.misses = {{"budget", Text{"over the budget by {1}", {"13.5 M USD"}}}};
    h100.bands = bandsOf(h100.run, "gpu hopper", "A", 0.92, 1.09);
    h100.grade = search::Grade::A;
    h100.bottleneck = Text{"{1} of each step waits for {2}; {3} would help most.",
                           {"14%", "tensor-parallel all-gathers over NVLink", "more overlap"}};
    h100.alternatives = alternatives(6.0, 64.8);

    search::CandidateResult trn2 = base(1);
    trn2.rank = 1;
    trn2.meetsConstraints = true;
    trn2.layout = layoutOf(32, 2, 4, 256, 8, layout::Recompute::Selective);
    trn2.step = step(7.78, {0.54, 0.11, 0.18, 0, 0, 0.03, 0.01, 0.05, 0.03, 0.02, 0.03}, 1.1, 0.36,
                     {stageMemory(0, {4.1, 4.1, 0.2, 7.9, 0, 1.4, 1.6}),
                      stageMemory(1, {4.2, 4.2, 0.2, 6.2, 0.9, 1.4, 1.6})},
                     24);
    trn2.step.operators = operators(4.2, 118);
    trn2.step.collectives = {
        collective("all-gather of activations", "all_gather", layout::Axis::Tensor, 32, 1,
                   "torus_by_dimension", "NeuronLink x, 128 GB/s one way", 1280, 1.34e8, 0.001, 0.9,
                   0.38),
        collective("reduce-scatter of activations", "reduce_scatter", layout::Axis::Tensor, 32, 1,
                   "torus_by_dimension", "NeuronLink x, 128 GB/s one way", 1280, 1.34e8, 0.00066,
                   0.5004, 0.34),
        collective("activations to the next stage", "point_to_point", layout::Axis::Pipeline, 2,
                   8192, "send_receive", "EFA, 25 GB/s one way", 64, 4.2e6, 0.0012, 0.0778, 0),
        collective("reduce-scatter of gradients", "reduce_scatter", layout::Axis::Data, 256, 32,
                   "hierarchical", "EFA, 25 GB/s one way", 1, 4.4e9, 0.42, 0.25, 0.17),
        collective("all-gather of weights", "all_gather", layout::Axis::Data, 256, 32,
                   "hierarchical", "EFA, 25 GB/s one way", 1, 2.2e9, 0.35, 0.139, 0.211)};
    trn2.step.stageTimes = {{0, 40, Seconds(0.21), Seconds(0.44), {}},
                            {1, 40, Seconds(0.22), Seconds(0.45), {}}};
    trn2.run = runOf(83.1, 0.962, request.candidates[1].price, trn2.units, 3.21, {2027, 3, 8});
    trn2.bands = bandsOf(trn2.run, "trainium 2", "B", 0.91, 1.12);
    trn2.grade = search::Grade::B;
    trn2.bottleneck =
        Text{"{1} of each step waits for {2}; t = {3} with selective recompute would help most.",
             {"18%", "tensor-parallel all-gathers on the torus", "16"}};
    trn2.alternatives = alternatives(7.78, 19.3);
    trn2.front = {{trn2.layout, trn2.step.stepTime, units::gibibytes(19.3), true}};
    for (int i = 1; i < 15; ++i)
        trn2.front.push_back({layoutOf(32, 2, 4, 256, 8 + i, layout::Recompute::Full),
                              Seconds(7.78 + 0.1 * i), units::gibibytes(19.3 - i), true});
    trn2.warnings = {Text{"price of {1} is revised in {2}", {"2026-10-09", "January"}}};

    search::CandidateResult trn3 = base(2);
    trn3.layout = layoutOf(16, 2, 2, 252, 4, layout::Recompute::None);
    trn3.step = step(7.9, {0.50, 0.14, 0.16, 0, 0, 0.05, 0.01, 0.06, 0, 0.03, 0.05}, 0.9, 0.36,
                     {stageMemory(0, {8.2, 8.2, 0.4, 11.0, 0, 1.4, 1.6})}, 36);
    trn3.step.operators = operators(3.95, 240);
    trn3.run = runOf(84.3, 0.955, request.candidates[2].price, trn3.units, 4.9, {2027, 3, 9});
    trn3.run.energy.isEstimate = true;
    trn3.meetsConstraints = true;
    trn3.bands = bandsOf(trn3.run, "trainium 3", "C", 0.79, 1.27);
    trn3.grade = search::Grade::C;
    trn3.bottleneck = Text{"{1} of each step is {2}.", {"14%", "memory traffic"}};

    search::CandidateResult a100 = base(3);
    a100.feasible = false;
    a100.layout = layoutOf(8, 8, 1, 1, 2048, layout::Recompute::Full);
    a100.step.memory.capacity = units::gibibytes(40);
    a100.step.memory.usable = units::gibibytes(38);
    a100.step.memory.peak = stageMemory(0, {17.6, 35.3, 0.6, 3.3, 0, 1.0, 2.0});
    a100.reasons = {Text{"stage {1} needs {2} a rank and has {3}; largest: gradients, {4}",
                         {"0", "59.8 GiB", "38.0 GiB", "35.3 GiB"}}};
    a100.bottleneck = {};

    search::CandidateResult h200 = base(4);
    h200.rank = 2;
    h200.meetsConstraints = true;
    h200.layout = layoutOf(4, 4, 5, 128, 16, layout::Recompute::None);
    h200.step = step(7.95, {0.66, 0.10, 0.08, 0, 0, 0.06, 0.01, 0.03, 0, 0.02, 0.04}, 0.6, 0.44,
                     {stageMemory(0, {22.1, 44.0, 9.1, 37.0, 0, 2.1, 4.3})}, 141);
    h200.step.operators = operators(5.2, 720);
    h200.run = runOf(86.4, 0.96, request.candidates[4].price, h200.units, 2.9, {2027, 3, 12});
    h200.bands = bandsOf(h200.run, "gpu hopper", "B", 0.91, 1.11);
    h200.grade = search::Grade::B;
    h200.bottleneck =
        Text{"{1} of each step is {2}.", {"66%", "arithmetic at the sustained clock"}};
    result.candidates = {h100, trn2, trn3, a100, h200};
    return result;
}

ReportContext context() {
    ReportContext c;
    c.scenarioFile = "70b-by-march.yaml";
    c.scenarioJson =
        R"({"version":1,"title":"Llama 3.1 70B by March","training":{"tokens":15000000000000,"lr":0.1}})";
    c.scenarioText = "version: 1\ntitle: Llama 3.1 70B by March\n";
    c.programVersion = "0.1.0";
    c.catalogVersion = "2026-12-01";
    c.catalogHash = "9f2c41d0";
    c.command = "trainwright plan 70b-by-march.yaml --report plan.html";
    c.scenarioHash = "3fa9c1";
    return c;
}

ExplainedViews views(const search::PlanRequest& request, const search::CandidateResult& candidate) {
    ExplainedViews all;
    all.memory = true;
    search::ModelStudy model;
    model.total = model.active = 70'553'706'496;
    model.embedding = model.head = 1'050'673'152;
    model.withoutEmbedding = model.total - model.embedding;
    model.matrices = model.sixN = Flop(6 * model.withoutEmbedding);
    model.attentionFull = Flop(1.6e10);
    model.attentionCausal = Flop(0.8e10);
    model.palm = Flop(4.4e11);
    model.vocabulary = 128'256;
    model.paddedVocabulary = 131'072;
    model.logits = Bytes(67'108'864);
    model.logitsFp32 = Bytes(134'217'728);
    model.keyValueCache = Bytes(2'684'354'560);
    model.keyValueCopies = 4;
    model.ranksPerChip = 4;
    model.ranksPerUnit = 4;
    model.coresPerRank = 2;
    model.bubbleOverhead = 0.031;
    model.bubbleShare = 0.03;
    model.perMillionTokens = units::UsDollars(1.23);
    model.perTrillionTokens = units::UsDollars(1.23e6);
    all.model = model;
    for (const search::CandidateRequest& asked : request.candidates)
        if (asked.name == candidate.name) all.roofline = search::ceilingsOf(asked);
    search::PipelineStudy pipeline;
    pipeline.problem.microBatches = 8;
    pipeline.problem.forwardSeconds = {0.21, 0.22};
    pipeline.problem.backwardSeconds = {0.44, 0.45};
    pipeline.timeline = layout::simulate(pipeline.problem);
    pipeline.closedForm = Seconds(pipeline.timeline->seconds * 1.005);
    pipeline.stages = {{0, Seconds(0), Seconds(pipeline.timeline->seconds), Seconds(5.2)},
                       {1, Seconds(0.21), Seconds(5.57), Seconds(5.36)}};
    all.schedule = std::move(pipeline);
    search::NetworkStudy network;
    for (const layout::CollectiveUse& use : candidate.step.collectives)
        network.algorithms.push_back(
            {{use.algorithm, use.busiestLink, Seconds(25e-6), use.secondsPerCall, true},
             {"ring", use.busiestLink, Seconds(1e-4), use.secondsPerCall * 1.4, false}});
    network.links = {{{"{1}, dimension {2}", {"NeuronLink", "x"}},
                      {"a link", {}},
                      units::BytesPerSecond(128e9),
                      Seconds(1.5e-6),
                      Seconds(5e-6),
                      0.75,
                      Bytes(8e6),
                      1,
                      {"link_bandwidth_bytes_per_s_0"}},
                     {{"{1} tier, up to {2} hosts", {"spine", "512"}},
                      {"a host", {}},
                      units::BytesPerSecond(200e9),
                      Seconds(1e-6),
                      {},
                      {},
                      {},
                      2,
                      {"tiers"}}};
    all.network = std::move(network);
    return all;
}

search::PlanRequest bareRequest() {
    search::PlanRequest request;
    search::CandidateRequest candidate;
    candidate.name = "bare";
    request.candidates = {candidate, candidate};
    request.candidates[1].name = "never";
    return request;
}

search::PlanResult bareResult() {
    search::PlanResult result;
    search::CandidateResult bare;
    bare.name = "bare";
    bare.feasible = true;
    bare.step.stepTime = Seconds(1.0);
    search::CandidateResult never;
    never.name = "never";
    never.feasible = true;
    never.step.stepTime = Seconds(2.0);
    never.run.days = std::numeric_limits<double>::infinity();
    never.run.goodput.share = 0;
    never.run.money.total = units::UsDollars(std::numeric_limits<double>::quiet_NaN());
    search::CandidateResult stranger;
    stranger.name = "in no request";
    result.candidates = {bare, never, stranger};
    return result;
}

std::string hostileText() {
    return "</script><script>alert(1)</script>\"'&<img src=x onerror=alert(2)>\x1b[31m\n\xff {1} "
           "漢字";
}

search::PlanRequest hostileRequest() {
    search::PlanRequest request = planRequest();
    request.title = hostileText();
    request.architecture.id = hostileText();
    for (search::CandidateRequest& c : request.candidates) {
        c.name += hostileText();
        c.system.id = c.system.name = c.system.chip.name = c.profile.title = hostileText();
        c.price.plan = c.price.source = c.price.observedDate = hostileText();
        if (c.region) c.region->name = c.region->id = hostileText();
        for (search::FigureUse& f : c.figures) {
            f.value = f.source = f.note = f.key = hostileText();
            f.url = "javascript:alert(3)";
        }
    }
    return request;
}

search::PlanResult hostileResult() {
    search::PlanResult result = planResult();
    result.verdict = Text{hostileText(), {hostileText()}};
    for (search::CandidateResult& c : result.candidates) {
        c.name += hostileText();
        c.bottleneck = Text{hostileText(), {hostileText()}};
        c.warnings.push_back(Text{hostileText(), {}});
        for (layout::CollectiveUse& use : c.step.collectives)
            use.name = use.busiestLink = use.algorithm = hostileText();
        for (layout::OperatorCost& op : c.step.operators) op.name = hostileText();
        if (!c.bands) continue;
        for (belief::Swing& swing : c.bands->tornado) {
            swing.input = Text{hostileText(), {hostileText()}};
            swing.members = {swing.input};
        }
    }
    return result;
}

}  // namespace trainwright::reports::fixture
