// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/import/training_log.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>
#include <utility>

#include "data/import/training_log_series.h"
#include "data/import/training_log_text.h"
#include "model/units/text_quantity.h"

namespace trainwright::import {

namespace {

using namespace logtext;

constexpr std::size_t kMaxLine = std::size_t{1} << 20U;
constexpr std::size_t kMaxBars = 32;

constexpr double kBarWindow = 60;         // seconds; a bar's times are whole seconds
constexpr std::size_t kLeastWindows = 4;  // below which the bar's own rate is taken
constexpr double kBatchError = 0.02;      // of a batch reckoned from samples consumed
constexpr double kDisagreement = 0.05;    // of time and speed, from which it is worth a note

constexpr double kMebibyte = 1048576;
constexpr double kGibibyte = 1073741824;
constexpr double kGigabyte = 1e9;

struct Bar {
    std::vector<BarMark> marks;
    bool training = false;
};

enum Format { Megatron, Nemo, Titan, MaxText, Neuron, DeepSpeed, HuggingFace, kFormats };

const char* nameOf(Format f) {
    constexpr std::array<const char*, kFormats> kNames = {
        "Megatron-LM",  "NeMo",      "torchtitan",          "MaxText",
        "NxD Training", "DeepSpeed", "Hugging Face Trainer"};
    return kNames[f];
}

std::string grouped(double v) {
    return units::groupedNumber(v);
}

Finding error(Text text, const std::string& file) {
    return {Severity::Error, std::move(text), {file, 0, 0, {}}};
}

/// Reads a log piece by piece; result() sums up.
class LogReader {
public:
    explicit LogReader(std::string file) : file_(std::move(file)) {}

    void feed(std::string_view text) {
        while (!text.empty()) {
            const std::size_t end = endOfLine(text);
            const bool whole = end < text.size();
            if (whole && line_.empty() && !tooLong_ && end <= kMaxLine) {
                handle(text.substr(0, end));
            } else {
                const std::size_t room = kMaxLine - line_.size();
                line_.append(text.substr(0, std::min(end, room)));
                tooLong_ = tooLong_ || end > room;
                if (whole) finishLine(tooLong_);
            }
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }

    [[nodiscard]] Outcome<TrainingLog> result() {
        if (!line_.empty()) finishLine(true);
        for (int f = Megatron; f < HuggingFace; ++f) {
            const auto format = static_cast<Format>(f);
            if (!series_[format].samples().empty() ||
                (format == DeepSpeed && !phases_.samples().empty()))
                return sumUp(format);
        }
        const Bar* bar = trainingBar();
        if (summary_ || (bar != nullptr && (hugging_ || bar->training))) return sumUp(HuggingFace);
        if (!any_) return error({"The log is empty.", {}}, file_);
        return error(
            {"No line of the log states the time or the speed of a step. Looked for were `{1}` "
             "(Megatron-LM), `{2}` (NeMo), `{3}` (torchtitan), `{4}` (MaxText), `{5}` (NxD "
             "Training), `{6}` (DeepSpeed), and `{7}` or a progress bar with a loss "
             "(Hugging Face Trainer).",
             {"elapsed time per iteration (ms):", "train_step_timing in s",
              "tps:", "completed step: ..., seconds:", "throughput=", "SamplesPerSec=",
              "train_steps_per_second"}},
            file_);
    }

private:
    // A line that ends where the file or the limit does may have lost digits of its last number.
    void finishLine(bool cut) {
        std::string_view line = line_;
        if (cut) {
            while (!line.empty() && contains("0123456789.,eE+-", line.substr(line.size() - 1)))
                line.remove_suffix(1);
        }
        if (tooLong_) ++longLines_;
        handle(line);
        line_.clear();
        tooLong_ = false;
    }

    void handle(std::string_view line) {
        if (line.empty()) return;
        any_ = true;
        if (mayHaveEscapes(line)) {
            withoutEscapes(line, clean_);
            line = clean_;
        }
        settings(line);
        memory(line);
        bars(line);
        trainer(line);
        if (contains(line, "elapsed time per iteration (ms)")) {
            for (const Record& r : recordsOf(line)) megatron(r);
        } else if (contains(line, "train_step_timing in s")) {
            for (const Record& r : recordsOf(line)) nemo(r);
        } else if (contains(line, "tps:") || contains(line, "wps:")) {
            for (const Record& r : recordsOf(line)) titan(r);
        } else if (contains(line, "completed step:")) {
            for (const Record& r : recordsOf(line)) maxText(r);
        } else if (contains(line, "SamplesPerSec=")) {
            deepSpeed(line);
        } else if (contains(line, "time (ms)")) {
            deepSpeedPhases(line);
        } else if (contains(line, "throughput")) {
            for (const Record& r : recordsOf(line)) neuron(r);
        } else if (contains(line, "reduced_train_loss")) {
            nemoBar_ = true;
            for (const Record& r : recordsOf(line))
                consumed(valueOf(r.text, "global_step").value_or(-1),
                         valueOf(r.text, "consumed_samples"));
        }
    }

    void megatron(const Record& r) {
        const auto ms = valueOf(r.text, "elapsed time per iteration (ms)");
        if (!ms) return;
        Sample s;
        s.step = r.step.value_or(-1);
        s.seconds = *ms / 1000;
        s.batch = settingOf(r.text, "global batch size").value_or(0);
        for (const std::string_view key :
             {"tokens per GPU (tokens/s/GPU)", "tokens/s/GPU inst/harmonic mean",
              "Tokens per second per GPU (Tok/s/GPU)", "tokens per gpu per second (tgs)"}) {
            if (s.tokens == 0) s.tokens = valueOf(r.text, key).value_or(0);
        }
        for (const std::string_view key : {"samples per second", "samples/sec"}) {
            if (s.samples == 0) s.samples = valueOf(r.text, key).value_or(0);
        }
        consumed(s.step, valueOf(r.text, "consumed samples"));
        add(Megatron, s);
    }

    void nemo(const Record& r) {
        const auto seconds = valueOf(r.text, "train_step_timing in s");
        if (!seconds) return;
        Sample s;
        s.step = valueOf(r.text, "global_step").value_or(r.step.value_or(-1));
        s.seconds = *seconds;
        s.batch = valueOf(r.text, "global_batch_size").value_or(0);
        consumed(s.step, valueOf(r.text, "consumed_samples"));
        add(Nemo, s);
    }

    void titan(const Record& r) {
        auto tokens = valueOf(r.text, "tps", true);
        if (!tokens) tokens = valueOf(r.text, "wps", true);
        if (!tokens || !r.step || !contains(r.text, "loss:")) return;
        Sample s;
        s.step = *r.step;
        s.tokens = *tokens;
        s.clock = clockIn(r.before);
        if (const auto gib = valueOf(r.text, "memory")) reserved(*gib * kGibibyte);
        add(Titan, s);
    }

    void maxText(const Record& r) {
        const auto seconds = valueOf(r.text, "seconds");
        if (!seconds || !r.completed) return;
        Sample s;
        s.step = *r.step;
        s.seconds = *seconds;
        s.tokens = valueOf(r.text, "Tokens/s/device").value_or(0);
        add(MaxText, s);
    }

    void neuron(const Record& r) {
        const auto throughput = valueOf(r.text, "throughput");
        if (!throughput) return;
        Sample s;
        s.samples = *throughput;
        if (const std::size_t loss = r.text.find(") step_loss"); loss != std::string_view::npos) {
            const std::size_t comma = r.text.rfind(',', loss);
            if (comma == std::string_view::npos) return;
            std::size_t at = skip(r.text, comma + 1, " ");
            s.step = numberAt(r.text, at).value_or(-1);
        } else {
            const auto step = valueOf(r.text, "global_step");
            const auto samples = valueOf(r.text, "consumed_samples");
            if (!step && !samples) return;
            s.step = step.value_or(-1);
            s.seconds = valueOf(r.text, "iteration_time").value_or(0);
            consumed(s.step, samples);
        }
        add(Neuron, s);
    }

    void deepSpeed(std::string_view line) {
        auto samples = valueOf(line, "CurrSamplesPerSec");
        if (!samples) samples = valueOf(line, "SamplesPerSec");
        if (!samples) return;
        Sample s;
        s.samples = *samples;
        s.clock = clockIn(line);
        if (const auto step = valueOf(line, "global_step")) {
            s.step = *step;
        } else {
            // "0/40, SamplesPerSec=…": epoch and step.
            std::size_t key = line.find("RunningAvgSamplesPerSec=");
            if (key == std::string_view::npos) key = line.find("SamplesPerSec=");
            const std::size_t slash = line.substr(0, key).rfind('/');
            if (slash != std::string_view::npos) {
                std::size_t at = slash + 1;
                const auto step2 = numberAt(line, at);
                if (step2 && line.substr(at, key - at) == ", ") s.step = *step2;
            }
        }
        if (const auto gib = valueOf(line, "MaxMemAllocated")) allocated(*gib * kGibibyte);
        add(DeepSpeed, s);
    }

    void deepSpeedPhases(std::string_view line) {
        const auto forward = valueOf(line, "forward");
        const auto backward = valueOf(line, "backward");
        const auto step = valueOf(line, "step");
        if (!forward || !backward || !step) return;
        Sample s;
        s.seconds = (*forward + *backward + *step) / 1000;
        phases_.add(s);
    }

    void trainer(std::string_view line) {
        if (contains(line, "Total optimization steps")) {
            hugging_ = true;
            total_ = settingOf(line, "Total optimization steps");
        }
        if (contains(line, "'epoch':") && contains(line, "'loss':")) hugging_ = true;
        if (!contains(line, "train_s")) return;
        const auto steps = valueOf(line, "train_steps_per_second");
        const auto samples = valueOf(line, "train_samples_per_second");
        if (!steps && !samples) return;
        if (!summary_) summary_.emplace();
        if (steps) summary_->seconds = 1 / *steps;
        if (samples) summary_->samples = *samples;
    }

    void settings(std::string_view line) {
        if (contains(line, "batch")) {
            if (!batch_) batch_ = settingOf(line, "global_batch_size");
            if (!batch_ && contains(line, "local batch size"))
                batch_ = settingOf(line, "global batch size");
            if (!batch_) {
                constexpr std::string_view kTotal = "Total train batch size";
                const std::size_t p = line.find(kTotal);
                const std::size_t sign = line.find('=', p == std::string_view::npos ? 0 : p);
                if (p != std::string_view::npos && sign != std::string_view::npos)
                    batch_ = settingOf(line.substr(p), line.substr(p, sign - p));
            }
            if (!deepSpeedBatch_) deepSpeedBatch_ = settingOf(line, "train_batch_size");
        }
        if (!contains(line, "seq") && !contains(line, "max_")) return;
        for (const std::string_view key :
             {"actual seqlen", "sequence length", "seq_length", "encoder_seq_length", "seq_len"}) {
            if (!length_) length_ = settingOf(line, key);
        }
        for (const std::string_view key : {"max_seq_length", "max_target_length"}) {
            if (!maximumLength_) maximumLength_ = settingOf(line, key);
        }
    }

    void memory(std::string_view line) {
        if (!contains(line, "memory (")) return;
        if (contains(line, "memory (MB)")) {
            if (const auto v = valueOf(line, "max reserved")) reserved(*v * kMebibyte);
            if (const auto v = valueOf(line, "max allocated")) allocated(*v * kMebibyte);
        }
        if (const auto v = valueOf(line, "mem-max-reserved-gigabytes")) reserved(*v * kGigabyte);
        if (const auto v = valueOf(line, "mem-max-allocated-gigabytes")) allocated(*v * kGigabyte);
    }

    void bars(std::string_view line) {
        if (!contains(line, "s/it") && !contains(line, "it/s")) return;
        for (const BarMark& mark : barsOf(line)) {
            auto known = bars_.find(mark.total);
            if (known == bars_.end()) {
                if (bars_.size() >= kMaxBars) continue;
                known = bars_.emplace(mark.total, Bar{}).first;
            }
            Bar& bar = known->second;
            bar.training = bar.training || mark.training;
            if (bar.marks.size() < kMaxSamples &&
                (bar.marks.empty() || bar.marks.back().n != mark.n))
                bar.marks.push_back(mark);
        }
    }

    void add(Format f, const Sample& s) { series_[f].add(s); }

    void reserved(double bytes) { reserved_ = std::max(reserved_, bytes); }
    void allocated(double bytes) { allocated_ = std::max(allocated_, bytes); }

    void consumed(double step, std::optional<double> samples) {
        if (step < 1 || !samples) return;
        if (firstStep_ == 0) {
            firstStep_ = step;
            firstConsumed_ = *samples;
        }
        if (step > lastStep_) {
            lastStep_ = step;
            lastConsumed_ = *samples;
        }
    }

    // The bar of the training itself: the one of the trainer's own step count, else one that shows
    // a loss, else the one that ran longest.
    [[nodiscard]] const Bar* trainingBar() const {
        if (total_) {
            const auto known = bars_.find(*total_);
            return known == bars_.end() ? nullptr : &known->second;
        }
        const Bar* best = nullptr;
        const auto rank = [](const Bar& b) {
            return std::pair(b.training, b.marks.back().elapsed - b.marks.front().elapsed);
        };
        for (const auto& [total, bar] : bars_) {
            if (best == nullptr || rank(bar) > rank(*best)) best = &bar;
        }
        return best;
    }

    // Samples consumed over steps, between two lines or else since the beginning. A progress bar
    // prints three digits of them, so that the quotient may be a few off; batches are nearly always
    // even, so of the whole numbers that it may stand for the one with the most factors of two is
    // taken.
    [[nodiscard]] std::optional<double> batchFromConsumed() const {
        if (lastStep_ <= firstStep_) return std::nullopt;
        const auto rounding = [](double v) {
            if (v < 1000) return 0.0;
            const double third = std::pow(10, std::floor(std::log10(v)) - 2);
            return std::fmod(v, third) == 0 ? third / 2 : 0.0;
        };
        const double steps = lastStep_ - firstStep_;
        double quotient = (lastConsumed_ - firstConsumed_) / steps;
        double error = (rounding(lastConsumed_) + rounding(firstConsumed_)) / steps;
        if (!(error < kBatchError * quotient)) {
            // The first step may be counted as 0 or as 1.
            quotient = lastConsumed_ / lastStep_;
            error = (rounding(lastConsumed_) + quotient) / lastStep_;
        }
        if (!(quotient >= 1) || !(error < kBatchError * quotient) || quotient > 1e9)
            return std::nullopt;
        const auto low = std::max(1L, static_cast<long>(std::ceil(quotient - error)));
        const auto high = static_cast<long>(std::floor(quotient + error));
        // Largest power of two that has a multiple between the two.
        long power = 1;
        while (high / (2 * power) > (low - 1) / (2 * power)) power *= 2;
        if (low > high) return std::round(quotient);
        const double multiple = std::round(quotient / static_cast<double>(power));
        return std::clamp(multiple * static_cast<double>(power),
                          static_cast<double>((low + power - 1) / power * power),
                          static_cast<double>(high / power * power));
    }

    // A bar's times are whole seconds: steps are timed over windows of a minute.
    [[nodiscard]] static Series windowsOf(const Bar& bar, bool& byRate) {
        Series windows;
        BarMark from = bar.marks.front();
        for (const BarMark& m : bar.marks) {
            if (m.n < from.n && m.elapsed < from.elapsed) from = m;  // another run of it
            if (m.n <= from.n || m.elapsed - from.elapsed < kBarWindow) continue;
            Sample s;
            s.step = m.n;
            s.seconds = (m.elapsed - from.elapsed) / (m.n - from.n);
            windows.add(s);
            from = m;
        }
        byRate = windows.samples().size() < kLeastWindows;
        if (!byRate) return windows;
        Series rates;
        for (const BarMark& m : bar.marks) {
            Sample s;
            s.step = m.n;
            s.seconds = m.seconds;
            rates.add(s);
        }
        return rates;
    }

    // The lines to sum up, with the time of a step in them where it can be had; notes say how.
    [[nodiscard]] Series stepsOf(Format f, TrainingLog& log, std::vector<Text>& how) const {
        const Bar* bar = trainingBar();
        const auto fromBar = [&] {
            bool byRate = false;
            Series steps = windowsOf(*bar, byRate);
            how.push_back(byRate
                              ? Text{"The step is the rate that the progress bar shows, which "
                                     "smooths it.",
                                     {}}
                              : Text{"The step is timed over windows of the progress bar of {1} s "
                                     "and more, as its times are whole seconds.",
                                     {grouped(kBarWindow)}});
            return steps;
        };
        if (f == HuggingFace && bar != nullptr) return fromBar();
        if (f == HuggingFace) {
            Sample s = *summary_;
            // Both are printed to a thousandth, so that the larger is the finer.
            if (s.samples > 0 && log.globalBatch) s.seconds = *log.globalBatch / s.samples;
            how.push_back(
                {"The speed is the average of the whole run, start-up and compilation "
                 "within; the log has no progress bar to tell them apart.",
                 {}});
            Series steps;
            steps.add(s);
            return steps;
        }
        const Series& stated = series_[f];
        if (f == Neuron && !timed(stated.samples())) {
            if (!log.globalBatch) return bar != nullptr ? fromBar() : stated;
            how.push_back(
                {"The step is the global batch over the printed throughput, which is a "
                 "moving average.",
                 {}});
            return stated.timedBy(
                [&](const Sample& s) { return s.samples > 0 ? *log.globalBatch / s.samples : 0; });
        }
        if (f == DeepSpeed && !timed(stated.samples()) && !phases_.samples().empty()) {
            how.push_back(
                {"The step is the sum of its forward, backward and step times; what runs "
                 "between them is missing.",
                 {}});
            return phases_;
        }
        if (stated.timedByClock() && timed(stated.samples())) {
            how.push_back({"The step is the time between the stamps of the log's own lines.", {}});
        }
        return stated;
    }

    [[nodiscard]] TrainingLog sumUp(Format f) const {
        TrainingLog log;
        log.format = f != HuggingFace || hugging_ || summary_ ? nameOf(f)
                     : nemoBar_                               ? nameOf(Nemo)
                                                              : "progress bar";
        log.sequenceLength = length_ ? length_ : maximumLength_;
        log.globalBatch = f == DeepSpeed && deepSpeedBatch_ ? deepSpeedBatch_ : batch_;
        std::vector<Text> how;
        if (!log.globalBatch) {
            log.globalBatch = batchFromConsumed();
            if (log.globalBatch) {
                how.push_back(
                    {"The global batch of {1} sequences follows from samples consumed "
                     "over steps.",
                     {grouped(*log.globalBatch)}});
            }
        }
        const Series series = stepsOf(f, log, how);
        const std::vector<Sample> samples = leaveOut(series.samples(), log);
        std::vector<double> seconds, tokens, speeds;
        for (const Sample& s : samples) {
            if (s.seconds > 0) seconds.push_back(s.seconds);
            if (s.tokens > 0) tokens.push_back(s.tokens);
            if (s.samples > 0) speeds.push_back(s.samples);
        }
        log.stepSeconds = spreadOf(std::move(seconds));
        log.tokensPerSecondPerRank = spreadOf(std::move(tokens));
        log.samplesPerSecond = spreadOf(std::move(speeds));
        if (log.stepSeconds && log.globalBatch) {
            const double batch = *log.globalBatch;
            const Spread& step = *log.stepSeconds;
            const Spread reckoned{batch / step.upper, batch / step.median, batch / step.lower};
            if (!log.samplesPerSecond) log.samplesPerSecond = reckoned;
            const double ratio = log.samplesPerSecond->median / reckoned.median;
            if (std::abs(ratio - 1) > kDisagreement) {
                how.push_back(
                    {"The printed {1} samples/s aren't the {2} that follow from the batch "
                     "of {3} and the step; the step counts.",
                     {units::groupedNumber(log.samplesPerSecond->median, 1),
                      units::groupedNumber(reckoned.median, 1), grouped(batch)}});
            }
        }
        if (!log.stepSeconds) {
            how.push_back(log.tokensPerSecondPerRank
                              ? Text{"The log states tokens/s of a rank and no time; the step "
                                     "follows from the batch and the number of ranks.",
                                     {}}
                              : Text{"The log states samples/s and no time; the step follows from "
                                     "the global batch.",
                                     {}});
        }
        if (reserved_ > 0 || allocated_ > 0) {
            log.memoryBytes = reserved_ > 0 ? reserved_ : allocated_;
            how.push_back(reserved_ > 0
                              ? Text{"Memory is the most that a rank had reserved.", {}}
                              : Text{"Memory is the most that a rank had allocated; what the "
                                     "allocator held besides isn't printed.",
                                     {}});
        }
        const auto number = [](long n) { return grouped(static_cast<double>(n)); };
        if (series.goesBack() > 0) {
            how.push_back(
                {"Places where the count of steps goes back, as after a restart or with "
                 "several runs in one file: {1}.",
                 {number(series.goesBack())}});
        }
        if (series.dropped() > 0) {
            how.push_back({"Lines beyond the first {1} that weren't used: {2}.",
                           {grouped(static_cast<double>(kMaxSamples)), number(series.dropped())}});
        }
        if (longLines_ > 0) {
            how.push_back({"Lines over {1}, of which only the beginning was read: {2}.",
                           {units::formatQuantity(units::QuantityKind::DataSize,
                                                  static_cast<double>(kMaxLine)),
                            number(longLines_)}});
        }
        log.notes.insert(log.notes.end(), how.begin(), how.end());
        return log;
    }

    std::string file_;
    std::string line_, clean_;
    bool tooLong_ = false, any_ = false;
    long longLines_ = 0;
    std::array<Series, kFormats> series_{Series(), Series(),     Series(true), Series(),
                                         Series(), Series(true), Series()};
    Series phases_;
    std::map<double, Bar> bars_;
    bool hugging_ = false, nemoBar_ = false;
    std::optional<double> total_;
    std::optional<Sample> summary_;
    std::optional<double> batch_, deepSpeedBatch_, length_, maximumLength_;
    double reserved_ = 0, allocated_ = 0;
    double firstStep_ = 0, firstConsumed_ = 0, lastStep_ = 0, lastConsumed_ = 0;
};

}  // namespace

Outcome<TrainingLog> readTrainingLog(const std::string& text, const std::string& file) {
    LogReader reader(file);
    reader.feed(text);
    return reader.result();
}

Outcome<TrainingLog> readTrainingLog(std::istream& in, const std::string& file) {
    LogReader reader(file);
    std::vector<char> block(std::size_t{1} << 20U);
    while (in) {
        in.read(block.data(), static_cast<std::streamsize>(block.size()));
        reader.feed({block.data(), static_cast<std::size_t>(in.gcount())});
    }
    if (in.bad()) return error({"The file can't be read to its end.", {}}, file);
    return reader.result();
}

Outcome<TrainingLog> readTrainingLogFile(const std::string& path) {
    std::error_code failure;
    const auto status = std::filesystem::status(path, failure);
    if (!std::filesystem::exists(status)) return error({"There is no such file.", {}}, path);
    if (std::filesystem::is_directory(status))
        return error({"This is a folder; the log of a training run is expected.", {}}, path);
    std::ifstream in(path, std::ios::binary);
    if (!in) return error({"The file can't be read.", {}}, path);
    return readTrainingLog(in, path);
}

double measuredStep(const TrainingLog& log, double globalBatch, double sequenceLength,
                    double ranks) {
    if (log.stepSeconds) return log.stepSeconds->median;
    if (log.tokensPerSecondPerRank)
        return globalBatch * sequenceLength / (log.tokensPerSecondPerRank->median * ranks);
    return globalBatch / log.samplesPerSecond->median;
}

}  // namespace trainwright::import
