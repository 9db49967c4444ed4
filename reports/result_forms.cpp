// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/result_forms.h"

namespace trainwright::reports {

// A line: key, type and meaning, two or more spaces apart; what is inside stands further in.
//   key~ may be missing   key[] a list   key[]? a list or null   * any key   +part its keys, here
//   text number whole (a count) flag date any object   a|b: one of these words   =word: this one
//   :part  an object described as a part   x/y  either   x?  or null: not known, or doesn't apply
const char* const kResultForms = R"FORMS(
part program  The program that made it.
  name  =trainwright
  version  text?  As in 0.1.0.

part catalog  The catalog that figures were taken from.
  version  text?  Date of its newest row.
  hash  text?  Fingerprint of its rows, imported ones too.

part layout  How the model is laid out over the ranks. A rank is the framework's: one GPU, or one logical NeuronCore.
  tensor_parallel  whole  Ranks that share each layer's matrices.
  sequence_parallel  flag  Whether they also share what lies between the matrices.
  pipeline_parallel  whole  Stages.
  virtual_stages  whole  Pieces of a stage.
  context_parallel  whole  Ranks that share a sequence.
  expert_parallel  whole  Ranks that share the experts.
  expert_tensor_parallel  whole  Ranks that share each expert's matrices.
  data_parallel  whole  Copies of the model.
  shard_degree  whole?  Ranks that share the optimizer's state, where not all of the copies do.
  micro_batch  whole  Sequences of a micro-batch.
  micro_batches  whole  Micro-batches of a step, on one copy.
  sharding  text  What the copies share: none, zero1, zero2, zero3.
  recompute  text  What is computed again in the backward pass: none, selective, full.
  recompute_groups[]?  text  Of selective recompute: which operators.
  recompute_every  whole  Every how many layers.
  schedule  text  Order of the pipeline's tasks.
  first_stage_layers  whole?  Layers of the first stage, where they are given.
  last_stage_layers  whole?  Layers of the last stage, where they are given.
  context_exchange  text  How ranks of a context group exchange keys and values.
  rank_order[]  text  Axes from the innermost outwards.
  offload  text  What lies in the host's memory: none, optimizer, activations, both.

part memory_kinds  Bytes of one rank, by kind.
  weights  number  Bytes.
  gradients  number  Bytes.
  optimizer  number  Bytes.
  activations  number  Bytes.
  logits  number  Bytes.
  buffers  number  Bytes.
  reserve  number  Bytes that the runtime and the headroom keep.

part memory  Memory of a rank on the fullest stage.
  peak_bytes  number?  Most that is used.
  capacity_bytes  number?  What a rank has.
  usable_bytes  number?  What is left of it for the job.
  fullest_stage  whole?  From 0.
  by_kind_bytes  :memory_kinds?

part band  A spread: of 100 cases 10 lie below P10, 50 below P50, 90 below P90; null is a run that is never done.
  p10  number?
  p50  number?
  p90  number?

part price  A price of a machine by the hour, and where it comes from.
  state  known|yours|stand_in|none  Published, given by the scenario, standing in for one, or none.
  plan  text?  How it is bought: on_demand, capacity_block, spot, …
  usd_per_hour  number?  USD an hour, of one machine, before the discount.
  discount  number  Share, from 0 to 1.
  observed  text?  When it was seen.
  source  text?
  confidence  text?
  region  text?
  term_days  number?  Days that are committed to.
  upfront_share  number  Share of the term that is paid before it.
  commitment  dedicated|shared?  Whether somebody else uses the rest of the term.
  p10_usd_per_hour  number?  USD an hour, of a spot price.
  p90_usd_per_hour  number?  USD an hour, of a spot price.
  reclaims_per_unit_hour  number?  How often a machine is taken back, an hour.
  reason  text?  Why there is none, or what stands in.

part alternative  Another layout of the same candidate.
  layout  :layout
  step_time_s  number?  Seconds of a step.
  peak_bytes  number?  Bytes of a rank on the fullest stage.
  fits  flag

part miss  A limit of the scenario that isn't kept.
  constraint  text  finish_by, budget, power, carbon or accelerators.
  text  text  By how much, in words.

part candidate  A candidate, what it was planned as and what it comes to. What only a run has is null where it can't be run.
  name  text
  rank  whole?  From 1; null where it misses a limit, has no price or doesn't fit.
  standing  meets_all|misses_limit|no_price|does_not_fit
  system  text  Id in the catalog.
  chip  text?  Id in the catalog.
  accelerators  whole  Chips.
  instances  whole?  Machines that are rented.
  region  text?
  profile  text?  Software, by its id in the catalog.
  feasible  flag  Whether a layout exists that is legal and fits.
  meets_constraints  flag
  non_dominated  flag  Whether no other is as good in time, cost, energy and accelerators and better in one.
  reasons[]  text  Why it can't be run, misses a limit, or has no price.
  misses[]  :miss
  warnings[]  text
  layout  :layout?  The fastest that fits; the nearest where none does.
  step_time_s  number?  Seconds of a step.
  tokens_per_s  number?  Tokens a second, of all accelerators.
  mfu_model  number?  Model FLOP as executed over the data-sheet peak, from 0 to 1.
  mfu_palm  number?  The same with attention in full, as PaLM counts it.
  hfu  number?  The same with recomputation.
  memory  :memory
  time_breakdown_s  object?  Seconds of a step, by what takes them; they add up to step_time_s.
    compute  number  Seconds.
    memory  number  Seconds.
    tensor  number  Seconds.
    context  number  Seconds.
    expert  number  Seconds.
    bubble  number  Seconds.
    pipeline  number  Seconds.
    data  number  Seconds.
    recompute  number  Seconds.
    optimizer  number  Seconds.
    other  number  Seconds.
  hidden_communication_s  number?  Seconds of communication behind compute, not in step_time_s.
  steps  number?
  days  number?  Wall time with failures, checkpoints, restarts and start-up.
  finish  date?
  goodput  number?  Useful share of the wall time, from 0 to 1.
  goodput_detail  object?
    useful_share  number  Of the wall time.
    checkpoint_share  number  Of the wall time.
    rework_share  number  Of the wall time: done again after an interruption.
    restart_share  number  Of the wall time.
    planned_share  number  Of the wall time: announced pauses.
    checkpoint_interval_s  number?  Seconds.
    checkpoint_stall_s  number  Seconds that a checkpoint stops the job.
    memory_checkpoint_interval_s  number?  Seconds, of checkpoints into the memory of hosts.
    mean_time_between_interruptions_s  number?  Seconds.
    restart_s  number  Seconds.
  interruptions  number?  Of the whole run.
  spare_accelerators  number?  Idle ones that take over for those that fail.
  arrivals[]  object  Accelerators that are not there from the first day.
    from_days  number  Days after the start.
    accelerators  whole  From then on.
    step_time_s  number?  Seconds, from then on.
  spare_accelerators_held  whole  As the scenario asks for.
  cost_usd  object
    compute  number?  USD, of the machines.
    total  number?  USD.
    useful  number?  USD of useful hours.
    lost  number?  USD of hours lost to failures, checkpoints and pauses.
    rounding  number?  USD of hours that are billed and not used.
    storage  number?  USD.
    egress  number?  USD of transfer out of the cloud.
    electricity  number?  USD, of owned machines.
    operation  number?  USD, of owned machines.
  cash_usd  object  When it is paid.
    upfront  number?  USD before the start.
    monthly  number?  USD a month.
    owed  number?  USD that are owed still when the run is done.
  unit_hours  number?  Hours of machines.
  purchases[]?  object  Where it is bought in several ways: each.
    +price
    units  whole  Machines.
    billed_days  number?
    cost_usd  number?  USD, of this run.
  ownership  object?  What owning the machines would come to.
    capital_usd  number?  USD of all of them.
    life_years  number
    cost_of_capital_per_year  number  Share a year.
    residual_share  number  Share of the capital at the end of their life.
    use_share  number  Share of the time that they are used.
    operation_share_per_year  number  Share of the capital a year.
    electricity_usd_per_kwh  number?  USD a kWh.
    capital_usd_per_year  number?  USD a year.
    electricity_usd_per_year  number?  USD a year.
    operation_usd_per_year  number?  USD a year.
    run_usd  number?  USD of this run.
    rent_usd_per_month  number?  USD a month that renting them costs.
    break_even_months  number?  Months of use from which owning is cheaper.
    beyond_life  flag?  Whether that is after the end of their life.
    source  text?
    reason  text?  Why something isn't known.
  billed_days  number?
  price_usd_per_hour  number?  USD an hour, of one machine, before the discount.
  price  :price
  energy_kwh  number?  kWh of the facility.
  average_power_w  number?  Watts of the facility.
  peak_power_w  number?  Watts of the facility.
  it_energy_kwh  number?  kWh of the machines alone.
  it_average_power_w  number?  Watts of the machines alone.
  power_is_estimate  flag?  Whether it rests on estimated watts.
  co2_kg  number?  kg of CO2e, location-based.
  grade  A|B|C  A this chip was measured, B its family, C data sheets only.
  bands  object?
    samples  whole
    seed  number
    step_time_s  :band  Seconds.
    days  :band  Days.
    cost_usd  :band?  USD.
    energy_kwh  :band?  kWh.
    chances  object  Share of cases that keep a limit, from 0 to 1.
      finish_by  number?
      budget  number?
      power  number?
      all  number?
  tornado[]  object  What each uncertain input would change, the widest first.
    id  text
    input  text  In words.
    unit  text  Of low and high.
    low  number  The input at its P10.
    high  number  The input at its P90.
    days_at_low  number?
    days_at_high  number?
    cost_usd_at_low  number?
    cost_usd_at_high  number?
    energy_kwh_at_low  number?
    energy_kwh_at_high  number?
    members[]  text  Of an input of several factors: which.
  bottleneck  text?  What a step waits for most.
  advice  text?  What would change that, and at which price.
  alternatives[]  :alternative  The next best layouts.
  front[]  :alternative  Layouts that no other beats in both time and memory.
  nearest  :alternative?  Where none fits: the one that misses by least.
  without_offload  :alternative?  Where the layout needs the host's memory: the best that doesn't.
  search  object
    layouts_evaluated  whole
    layouts_feasible  whole
    layouts_pruned  whole
    wall_s  number?  Seconds that the search took; null in a file.
    threads  whole?  Null in a file.

form plan  A plan: `trainwright plan --json`, `plan --report x.json`. Several scenarios make a list of these.
  schema  =trainwright/plan/1
  program  :program
  catalog  :catalog
  scenario_file  text?  As it was typed.
  scenario  :scenario?
  answer[]  text  The answer in sentences.
  candidates[]  object  In order of merit.
    +candidate
    unit_costs  object?
      petaflop_days  number?  PFLOP-days of work.
      usd_per_trillion_tokens  number?  USD for 1T tokens.
      usd_per_petaflop_day  number?  USD for a PFLOP-day.
      kwh_per_trillion_tokens  number?  kWh for 1T tokens.
      kwh_per_petaflop_day  number?  kWh for a PFLOP-day.
    against[]  object  The same job on the other candidates.
      candidate  text
      gpu_baseline  flag
      cost_ratio  number?  The other's cost over this one's.
      time_ratio  number?  The other's time over this one's.
      energy_ratio  number?  The other's energy over this one's.
      equal_usd_per_unit_hour  number?  USD an hour of a machine at which both would cost the same.
  warnings[]  text
  scenario_text  text?  The file as it was written.
  calibration  object?
    id  text?
    date  text?
    hash  text?
    factors[]  object
      subject  text  What it is of.
      physics  text  Which figure it is put on.
      log_factor  number  Natural logarithm of the factor.
  figures[]  object  Every figure used.
    kind  text
    id  text
    key  text
    value  text  As its row has it.
    unit~  text
    observed~  text
    status~  =override  Where the scenario gave it.

part operator  One operator of a layer, on one rank.
  name  text
  kind  gemm|attention|vector
  phase  text  forward, backward_input, backward_weight, recompute or update.
  bound  text  What limits it: compute, memory or launch.
  dtype  text
  calls  number  A step.
  flop_per_call  number
  bytes_per_call  number
  seconds_per_call  number
  total_s  number  Seconds a step.
  extents~  object  Of a matrix product.
    m  number
    n  number
    k  number

part collective  One kind of message between ranks.
  name  text
  kind  text
  axis  text  Which ranks take part.
  ranks  whole
  stride  whole  Between neighbouring ranks.
  algorithm  text?
  busiest_link  text?
  calls  number  A step.
  bytes_per_call  number
  seconds_per_call  number
  exposed_s  number  Seconds a step that nothing hides.
  hidden_s  number  Seconds a step behind compute.

part stage  One stage of the pipeline.
  stage  whole  From 0.
  layers~  number
  forward_s~  number  Seconds of a micro-batch.
  backward_s~  number  Seconds of a micro-batch.
  weight_gradient_s~  number  Seconds of a micro-batch.
  memory_bytes~  number  Bytes of a rank.
  by_kind_bytes~  :memory_kinds
  micro_batches_in_flight~  number

part figure  A figure of the catalog.
  kind  text
  id  text
  key  text
  value  text
  unit  text?
  status  text?
  source  text?
  url  text?
  observed  text?
  note  text?

form explain  One candidate down to its operators: `trainwright explain --json`. Which of the optional keys are there follows the views that were asked for.
  schema  =trainwright/explain/1
  program  :program
  catalog  :catalog
  scenario_file  text?
  scenario  :scenario?
  candidate  :candidate?
  operators[]~  :operator
  collectives[]~  :collective
  stages[]~  :stage
  figures[]~  :figure
  model~  object  Parameters and arithmetic, as reckoned by hand.
    parameters  number
    active_parameters  number
    embedding_parameters  number
    head_parameters  number
    parameters_of_6n  number
    expert_parameters_per_layer  number
    expert_parameters_per_layer_on_rank  number
    matrix_flop_per_token  number
    attention_full_flop_per_token  number
    attention_causal_flop_per_token  number
    six_n_flop_per_token  number
    palm_flop_per_token  number
    vocabulary  number
    padded_vocabulary  number
    logits_bytes  number
    logits_fp32_bytes  number
    key_value_cache_bytes  number
    key_value_copies  number
    ranks_per_chip  number
    cores_per_rank  number
    ranks_per_unit  number
    bubble_over_work  number  Waiting over working time of a stage.
    bubble_share  number  Waiting time over the whole.
    usd_per_million_tokens  number?  USD.
    usd_per_trillion_tokens  number?  USD.
  roofline~  object
    ceilings[]  object
      dtype  text
      data_sheet_flop_per_s  number?  FLOP/s of a chip.
      engine_flop_per_s  number?  FLOP/s of a chip.
      matrix_flop_per_s  number?  FLOP/s of a chip.
      attention_forward_flop_per_s  number?  FLOP/s of a chip.
      attention_backward_flop_per_s  number?  FLOP/s of a chip.
      ridge_flop_per_byte  number?  FLOP a byte.
    memory_data_sheet_bytes_per_s  number?  Bytes/s of a chip.
    memory_bytes_per_s  number?  Bytes/s of a chip.
    operators[]  object
      +operator
      flop_per_byte  number?
      chip_flop_per_s  number?  FLOP/s that a chip reaches.
      chip_bytes_per_s  number?  Bytes/s that a chip reaches.
      roof_flop_per_s  number?  FLOP/s that it could reach.
      step_share  number  From 0 to 1.
    operators_s  number  Seconds a step.
    other_s  number  Seconds a step.
    step_time_s  number  Seconds.
  memory~  object
    +memory
    stages[]  object
      +stage
      largest  text  The kind that takes most.
  schedule~  object  The pipeline simulated, beside the closed form.
    schedule  text
    stage_count  whole
    virtual_stages  whole
    micro_batches  whole
    send_s  number  Seconds.
    closed_form_s  number  Seconds.
    simulated_s  number?  Seconds; null where there are too many tasks.
    difference_s  number?  Seconds.
    after_pipeline_s  number  Seconds of a step outside the pipeline.
    step_time_s  number  Seconds.
    stages[]  object
      stage  whole
      layers~  number
      forward_s~  number  Seconds.
      backward_s~  number  Seconds.
      weight_gradient_s~  number  Seconds.
      first_s  number  Seconds, when it begins.
      last_s  number  Seconds, when it ends.
      busy_s  number  Seconds.
      idle_s  number  Seconds.
    tasks[]  object
      stage  whole
      task  text
      micro_batch  whole
      chunk  whole
      start_s  number  Seconds.
      end_s  number  Seconds.
  network~  object
    collectives[]  object
      +collective
      total_s  number  Seconds a step.
      algorithms[]  object  Those that were weighed.
        algorithm  text
        busiest_link  text?
        latency_s  number  Seconds.
        seconds  number
        in_use  flag
    exposed_s  number  Seconds a step.
    hidden_s  number  Seconds a step.
    links[]  object
      name  text
      of  text  What each has one of.
      bytes_per_s  number?
      latency_s  number?  Seconds.
      start_s  number?  Seconds before the first byte.
      efficiency  number?  From 0 to 1.
      half_bytes  number?  Bytes of a message that reaches half the bandwidth.
      oversubscription  number
      figures[]  :figure

part compared_plan  One of the two plans.
  name  text  As it was typed.
  kept  flag  Whether it was read from a kept result.
  title  text?
  model  text?
  program_version  text?
  catalog  :catalog
  calibration  object
    id  text?
    hash  text?

part compared_candidate  What one plan says of a candidate.
  rank  whole?
  standing  text?
  system  text?
  accelerators  whole
  finish  date?
  layout  text?  In short.
  grade  text?
  chance_of_all_limits  number?  Share of cases, from 0 to 1.
  misses[]  :miss
  reasons[]  text

part move  How far one quantity moved, and why; in the quantity's unit.
  before  number?
  after  number?
  difference  number?
  shares[]  object
    change  whole  Its place in `changes`, from 0.
    share  number?  What it adds, averaged over the orders of making the changes.
    alone  number?  What it moves if nothing else changes.
    last  number?  What it moves after all others.
  rest  number?  What no change explains.
  interaction  number?
  orders  all|possible|drawn|none  Over which orders shares are averaged.
  orders_counted  whole
  orders_possible  whole

form diff  Two plans side by side: `trainwright diff --json`.
  schema  =trainwright/diff/1
  program  :program
  catalog  :catalog
  before  :compared_plan
  after  :compared_plan
  verdict[]  text
  changes[]  object
    kind  text  input, price, figures or calibration.
    path  text
    candidate  text?  The only one that it bears on.
    words_only  flag  Whether no result rests on it.
    values[]  object
      path  text
      before  text?  As written.
      after  text?  As written.
      unit  text?
      seen_before  text?
      seen_after  text?
  candidates[]  object
    name  text
    name_before  text?
    before  :compared_candidate?
    after  :compared_candidate?
    moves  object
      days  :move  Days.
      cost_usd  :move  USD.
      energy_kwh  :move  kWh.
      average_power_w  :move  Watts.
      peak_power_w  :move  Watts.
      mfu_model  :move  Share.
    decisive[]  whole  Changes that its standing hangs on.
    gap  text?  Why a plan in between can't be made.
  notes[]  text

part overrun  A limit that a cluster passes.
  constraint  text
  by  number?  In `unit`; null where it is never done.
  unit  text

part cluster  One cluster of a fit.
  name  text
  system  text
  accelerators  whole
  region  text?
  plan  text?
  layout  text  In short.
  step_time_s  number  Seconds.
  mfu_model  number  From 0 to 1.
  days  number?
  finish  date?
  cost_usd  number?  USD.
  peak_power_w  number?  Watts.
  co2_kg  number?  kg of CO2e.
  misses[]  :overrun

form fit  The best cluster within limits: `trainwright fit --json`.
  schema  =trainwright/fit/1
  program  :program
  catalog  :catalog
  objective  smallest|cheapest|greenest|fastest
  limits  object
    finish_by  date?
    budget_usd  number?  USD.
    power_w  number?  Watts.
    carbon_kg  number?  kg of CO2e.
    accelerators  whole?
  feasible  flag
  best  :candidate?
  binding[]  object  Limits that keep the answer from being better.
    constraint  text
    value  date/number  In `unit`.
    unit  text
    worth  number  In `worth_unit`.
    worth_unit  text
    more  number  How much more of the limit that is reckoned over, in `unit` or days.
    instead  :cluster  The answer then.
  nearest_miss  :candidate?  Where nothing keeps the limits.
  nearest_misses[]  :overrun
  ways[]  :cluster  The best of each system, region and plan.
  not_known[]  text  Ways without a price, or without what a limit asks for.
  never_fits[]  text
  clusters_searched  whole
  most_accelerators  whole

form claims  Public claims held against figures and the engine: `trainwright claims --json`.
  schema  =trainwright/claims/1
  program  :program
  catalog  :catalog
  summary  object  How many claims have each verdict.
    *  whole
  claims[]  object
    id  text
    statement  text
    by  text
    claimed  number/text?  In `unit` where it is a number.
    found  number/text?  In `unit` where it is a number.
    unit  text?
    verdict  text
    condition  text?
    sources[]  object
      title  text
      where  text?
    observed  text
    note  text?
    scenario  text?  To plan again.
    parts[]  object
      subject  text
      role  decides|condition|context
      kind  text
      verdict  text?
      relation  equals|at_least|at_most|reaches|holds|none
      claimed  number/text?
      found  number/text?
      lowest  number/text?
      highest  number/text?
      unit  text?
      tolerance  number  Share.
      margin  number  Share.
      cases_met  whole
      cases_known  whole
      conditions[]  text
      looked_at  text?
      cases[]  object
        found  number/text?
        p10  number/text?
        p90  number/text?
        unit  text?
        met  flag?
        notes[]  text
        scenario  text?
        *  text?  What the case is of: a system, a model, …
      figures[]  object
        figure  text
        value  text?
        unit  text?
        status  text
        source  text?
        where  text?
        observed  text?
        note  text?

part errors  Errors of predicted runs, in percent of what was measured.
  n  whole  Runs that were compared.
  skipped  whole
  median_abs_error_pct  number?  %
  mean_abs_error_pct  number?  %
  p90_abs_error_pct  number?  %
  mean_error_pct  number?  %

part predicted_run  One published run.
  run_id  text
  accelerator  text
  metric  text?
  measured  number?  In `unit`.
  predicted  number?  In `unit`.
  unit  =s
  error_pct  number?  %, positive where the prediction is too slow.
  grade  A|B|C?
  skipped  text?  Why it isn't compared.
  source  text
  model  text
  software  text?
  layout  text?
  over_memory  flag?
  measured_memory_bytes  number?
  predicted_memory_bytes  number?
  memory_error_pct  number?  %
  error_uncalibrated_pct~  number?  %, with the catalog's figures alone.
  error_group_left_out_pct~  number?  %, without its own group in the fit.
  error_source_left_out_pct~  number?  %, without its own source in the fit.
  inside_p10_p90~  flag?

part error_summary  Errors over all runs.
  +errors
  by_accelerator  object
    *  :errors
  by_source  object
    *  :errors
  memory  :errors
  choice  object  How good the layouts are that the planner would choose among those that were run.
    jobs  whole
    within_5_pct  whole
    mean_lost_pct  number?  %
    by_job[]  object
      chosen  text
      best  text
      layouts  whole
      lost_pct  number  %

part run_origin  Where it comes from.
  runs  text
  calibration  text
  program_version  text
  catalog_hash  text
  command  text

form validate  Predicted against measured runs: `trainwright validate --json`.
  schema  =trainwright/validate/1
  +run_origin
  rows[]  :predicted_run
  summary  :error_summary

part fit_errors  Errors of one fit.
  n  whole
  median_abs_error_pct  number  %
  mean_abs_error_pct  number  %
  p90_abs_error_pct  number  %

part fit_error_set  Errors before and after a fit, and with runs left out of it.
  n  whole
  uncalibrated  :fit_errors?
  in_sample  :fit_errors?
  group_left_out  :fit_errors?
  source_left_out  :fit_errors?

form calibrate  Factors fitted to runs: `trainwright calibrate --json`.
  schema  =trainwright/calibrate/1
  +run_origin
  id  text
  date  text
  hash  text
  run_sets[]  object
    title  text
    hash  text
    rows  whole
  factors[]  object
    figure  text  Which figure it is put on.
    of  text
    factor  number
    log_factor  number  Natural logarithm of the factor.
    standard_error  number  Of the logarithm.
    standard_error_pct  number  %
    rows  number  Runs that say something of it.
  residual_log_deviation  object  Deviation of log(measured / predicted), by grade.
    A  number
    B  number
    C  number
  p10_p90_coverage_pct  number  %, of the runs that lie inside their band.
  errors  object
    +fit_error_set
    by_accelerator  object
      *  :fit_error_set
    by_source  object
      *  :fit_error_set
  sets[]  object
    title  text?
    rows[]  :predicted_run
    summary  :error_summary

form report  What was made of a folder of scenarios: `trainwright report --json`.
  schema  =trainwright/report/1
  program_version  text
  catalog  :catalog
  index  text  File of the first page.
  scenarios[]  object
    file  text
    page  text?  From the first page; null for a broken scenario.
    state  planned|none_runs|broken
    title  text?
    model  text?
    best  text?  The candidate that leads.
    standing  meets_all|misses_limit|no_price|does_not_fit?
    days  number?
    cost_usd  number?  USD.
    energy_kwh  number?  kWh.
    grade  text?
    reasons[]  text
    status  made|kept?
  comparisons[]  object
    before  text
    after  text
    page  text
    verdict[]  text
    status  made|kept
  removed[]  text  Pages of scenarios that have gone.

form version  Program and data that results depend on: `trainwright --version --json`.
  schema  =trainwright/version/1
  version  text
  build  object
    type  text?
    compiler  text
    qt  text
  catalog  object
    version  text  Date of its newest row.
    hash  text
    newest_price  text?  When it was seen.
  calibration  object?
    id  text
    hash  text

part catalog_state  The catalog that was looked into.
  +catalog
  newest_price  text  When its newest price was seen.

form catalog-list  What the catalog holds: `trainwright catalog list --json`.
  schema  =trainwright/catalog-list/1
  catalog  :catalog_state
  kinds[]~  object  Where no kind was asked for.
    kind  text
    title  text
    entries  whole
  kind~  text  The one that was asked for.
  entries[]~  object  Of that kind.
    id  text
    name  text
    *  number/text/flag?  Figures that tell entries of the kind apart, in the unit that the key ends in.

part catalog_figure  One row of a figure.
  value  number/text/flag?  In the figure's unit; null where it was looked for and is not published.
  status  adopted|estimated|conflicting|superseded|rejected  The first two are in use.
  source  object
    id  text
    title  text
    where~  text  An address, or a file of a repository.
  observed  text  A year, a month or a day.
  confidence  high|medium|low
  note~  text

part catalog_price  One row of a price.
  region  text
  plan  text
  price_usd_per_hour  number  USD an hour.
  provider  text
  observed  text
  status  listed|suspect|superseded
  confidence  text
  source  text
  zone~  text  Within the region.
  distribution~  object  Of a spot price.
    mean_usd_per_hour  number  USD an hour.
    p10_usd_per_hour  number  USD an hour.
    p90_usd_per_hour  number  USD an hour.
    from  text
    to  text
  note~  text
  imported~  text  UTC time of the import; missing where it was shipped.
  published~  text  Date of the imported file, as it says itself; may be empty.

form catalog-show  Every figure of an entry: `trainwright catalog show --json`.
  schema  =trainwright/catalog-show/1
  kind  text  `price` where it is known by its prices alone.
  id  text
  name  text?
  figures[]  object
    key  text
    type  text  number, text, flag, or reference.
    unit~  text
    meaning  text
    value~  number/text/flag?  Of the row in use, as are the keys below; they are missing where none is.
    status~  adopted|estimated
    source~  object
      id  text
      title  text
      where~  text
    observed~  text
    confidence~  high|medium|low
    note~  text
    not_in_use[]~  :catalog_figure  What other sources say.
  prices[]~  :catalog_price

form catalog-check  Whether the catalog's figures agree: `trainwright catalog check --json`.
  schema  =trainwright/catalog-check/1
  catalog  :catalog_state
  errors  whole
  warnings  whole
  notes  whole
  findings[]  object  Errors first.
    severity  error|warning|note
    text  text

form catalog-import-model  A model of another program: `trainwright catalog import model --json`.
  schema  =trainwright/catalog-import-model/1
  name  text
  model_type  text  As the file has it.
  parameters  whole
  parameters_active  whole  That work on each token.
  parameters_multi_token  whole  More, to predict further tokens.
  architecture  object
    layers  whole
    hidden  whole
    heads  whole
    kv_heads  whole
    head_size  whole
    ffn  whole
    vocabulary  whole
    context  whole  Tokens.
    gated_mlp  flag
    tied_embeddings  flag
    causal  flag
    linear_bias  flag
    query_key_value_bias  flag
    query_key_norm  flag
    parallel_block  flag
    norms_per_layer  whole
    embedding_norm  flag
    norm  text
    positional  text
    attention_window~  object  Where some layers attend to the last tokens alone.
      size  whole  Tokens.
      period  whole  Layers.
      local_per_period  whole  Layers of them.
    moe~  object
      experts  whole
      top_k  whole
      shared_experts  whole
      expert_ffn  whole
      leading_dense_layers  whole
      interleave_step  whole
    latent_attention~  object
      query_rank  whole
      key_value_rank  whole
      nope_head_size  whole
      rope_head_size  whole
      value_head_size  whole
    multi_token_heads  whole
  notes[]  text
  model_block  text  The model as a scenario takes it, in YAML.

part moved_price_side  A price before or after.
  price_usd_per_hour  number  USD an hour.
  observed  text
  source  text
  zone~  text  Within the region.
part moved_price  A price that differs.
  unit  text  What is rented.
  provider  text
  region  text
  plan  text
  before  :moved_price_side?
  after  :moved_price_side?
  change~  number  (after − before) / before, where both are there.

part price_moves  What differs between two sets of prices.
  moved[]  :moved_price  The largest change first.
  new[]  :moved_price
  gone[]  :moved_price
  confirmed  whole  Prices as before, seen later.
  same  whole  Prices as before, seen on the same day.

form catalog-import-prices  Price files and what they move: `trainwright catalog import prices --json`.
  schema  =trainwright/catalog-import-prices/1
  overlay  text  File that prices are written to.
  dry_run  flag  Whether writing was left out.
  changed  flag  Whether anything was written.
  import  whole?  What `catalog forget` takes.
  written  whole  Prices.
  known  whole  Prices that were there already, with the same date.
  files[]  object
    name  text
    format  text
    title  text
    hash  text
    bytes  whole  Bytes.
    published  text  As the file says itself; may be empty.
    observed  text  The day of its prices.
    imported_before  whole?  The import that it came with.
    prices  whole
    facts  whole  Figures of instances.
    offerings  whole  Where instances are offered.
    left[]  object  Rows that were not taken.
      reason  text
      count  whole
      example  text
    notes[]  text
  moves  :price_moves

form catalog-imports  What was imported: `trainwright catalog imports --json`.
  schema  =trainwright/catalog-imports/1
  overlay  text  Its file; empty where none is in use.
  imports[]  object  The latest last.
    id  whole
    time  text  UTC.
    prices  whole
    facts  whole  Figures of instances.
    offerings  whole  Where instances are offered.
    files[]  object
      name  text
      title  text
      hash  text
      bytes  whole  Bytes.
      published  text  As the file says itself; may be empty.

form catalog-diff  What differs between two catalogs: `trainwright catalog diff --json`.
  schema  =trainwright/catalog-diff/1
  +price_moves
  figures[]  object  Figures in use that differ.
    kind  text
    id  text
    key  text
    before  text  With its unit; empty where it has none.
    after  text  With its unit; empty where it has none.

part prices_csv  Rows of `trainwright catalog export`, which `catalog import prices` reads. The last three columns are there where a row has them.
  provider  text  Who rents it out.
  unit_id  text  What is rented, as `catalog list` has it.
  region  text  As its provider calls it; all where the price holds in every one.
  plan  text  on_demand, spot, capacity_block, …
  usd_per_hour  number  USD an hour, of one unit; of a spot history its mean.
  observed  text  A year, a month or a day.
  source  text  Title of where it was read.
  confidence  text  high, medium or low.
  status  text  listed, suspect or superseded; the last two are never a default.
  note  text  Remark; may be empty.
  zone  text?  Within the region; empty for the whole of it.
  p10_usd_per_hour  number?  USD an hour, of a spot price: 10% of the time it is lower.
  p90_usd_per_hour  number?  USD an hour, of a spot price: 90% of the time it is lower.

part calibration_csv  A calibration: what `trainwright calibrate --output` writes and --calibration reads.
  record  text  What the row says: set (first, the calibration itself), run_set (a file of runs), residual (of a grade), factor, measured (a chip with its software), covariance (of two factors).
  physics  text?  Of a factor: which figure it is put on.
  subject  text  Id of the set, title of the runs, grade, what a factor is of, chip, or the first factor's place from 0.
  other  text?  Date of the set, hash of the runs, profile of what was measured, or the second factor's place.
  value  number?  Of a factor its natural logarithm, of a grade the deviation of log(measured / predicted), of two factors their covariance; none of the others.
  standard_error  number?  Of a factor's logarithm.
  rows  whole?  Runs: of a set, that a factor or a measurement rests on.
  note  text?  Of the set the hash of what it says, of a measurement the family of the chip.
)FORMS";

}  // namespace trainwright::reports
