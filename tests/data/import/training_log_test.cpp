// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of each framework with a known step, what spoils them in practice, and random bytes.
#include "data/import/training_log.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace trainwright::import {
namespace {

using testing::HasSubstr;

std::string repeated(int from, int to, const std::function<std::string(int)>& line) {
    std::string text;
    for (int i = from; i <= to; ++i) text += line(i);
    return text;
}

// A step's time that is slow at first and then wavers by 1%.
double around(double value, int step, double first = 10) {
    if (step <= 3) return value * (1 + first / step);
    constexpr double kWave[] = {0, 0.01, -0.01, 0.005, -0.005};
    return value * (1 + kWave[step % 5]);
}

// --- Excerpts: 60 steps or more of each framework, a step of 6 s and 1,024 sequences unless said
// otherwise ---

std::string megatron(int from = 1, int to = 60, double seconds = 6, int batch = 1024) {
    return repeated(from, to, [&](int i) {
        return fmt::format(
            " [2026-03-02 04:{:02}:{:02}] iteration {:8}/  500000 | consumed samples: {:12} | "
            "elapsed time per iteration (ms): {:.1f} | throughput per GPU (TFLOP/s/GPU): 412.7 | "
            "learning rate: 2.000000E-05 | global batch size: {:5} | lm loss: 9.281102E+00 | "
            "loss scale: 1.0 | grad norm: 1.204 | number of skipped iterations:   0 | number of "
            "nan iterations:   0 |\n",
            i / 10 % 60, i * 6 % 60, i, i * batch, 1000 * around(seconds, i), batch);
    });
}

std::string nemo2() {
    return repeated(0, 59, [](int i) {
        return fmt::format(
            "Training epoch 0, iteration {}/249 | lr: 1.961e-06 | global_batch_size: 1024 | "
            "global_step: {} | reduced_train_loss: 9.315 | train_step_timing in s: {:.3f}{}\n",
            i, i, around(6, i + 1),
            i > 0 ? fmt::format(" | consumed_samples: {}", 1024 * (i + 1)) : "");
    });
}

// Progress bars redraw on one line, each state twice.
std::string nemo1() {
    return repeated(1, 60, [](int i) {
        const std::string bar = fmt::format(
            "Epoch 0: :   4%|4         | {}/1500 [{:02}:{:02}<2:24:11, reduced_train_loss=8.130, "
            "global_step={:.1f}, consumed_samples={:.1f}, train_step_timing in s={:.3f}]",
            i, i / 10, i * 6 % 60, static_cast<double>(i), 1024.0 * i, around(6, i));
        return bar + "\r" + bar + "\r";
    });
}

std::string titan(const std::string& prefix = "", bool stamps = true, bool banner = true) {
    std::string text =
        banner ? prefix +
                     "[titan] 2026-02-24 19:44:58,838 - root - INFO - Trainer is initialized with "
                     "local batch size 4, global batch size 1024, gradient accumulation steps 2, "
                     "sequence length 8192, total steps 1000 (warmup 200)\n"
               : "";
    double clock = 0;
    return text + repeated(0, 30, [&](int i) {
               const int step = i == 0 ? 1 : 10 * i;
               const double each = i == 0 ? 40 : i == 1 ? 7 : around(6, i + 3);
               clock += i == 0 ? each : (i == 1 ? 9 : 10) * each;
               const int seconds = static_cast<int>(clock);
               const std::string stamp = fmt::format(
                   "2026-02-24 {:02}:{:02}:{:02},{:03}", 20 + seconds / 3600, seconds / 60 % 60,
                   seconds % 60, static_cast<int>(1000 * (clock - seconds)));
               return fmt::format(
                   "{}[titan] {} - root - INFO - \x1b[31mstep: {:2}  \x1b[32mloss: 12.2365  "
                   "\x1b[38;2;180;60;0mgrad_norm:  2.6422  \x1b[38;2;54;234;195mmemory: "
                   "{:.2f}GiB(52.12%)  \x1b[34mtps: 7,012  \x1b[36mtflops: 401.22  "
                   "\x1b[35mmfu: 40.57%\x1b[39m\n",
                   prefix, stamps ? stamp : "19:44", step, i < 3 ? 40.5 : 41.5);
           });
}

std::string maxText() {
    return repeated(0, 59, [](int i) {
        return fmt::format(
            "I0811 21:54:55.531340 138304841739136 metric_logger.py:226] completed step: {}, "
            "seconds: {:.3f}, TFLOP/s/device: 134.924, Tokens/s/device: {:.3f}, total_weights: "
            "196608, loss: 10.374\n",
            i, around(6, i + 1), 8192 / around(6, i + 1));
    });
}

std::string neuronBar(bool iterationTime) {
    return repeated(1, 80, [&](int i) {
        return fmt::format(
            "Epoch 0:   3%|3         | {}/20101 [{}:{:02}:{:02}<76:15:08,  6.90s/it, loss=8.1, "
            "v_num=5-07, reduced_train_loss=8.110, gradient_norm=1.010, parameter_norm=1552.0, "
            "global_step={}, consumed_samples={}, throughput={:.2f}, throughput_peak=175.0{}]\r",
            i, i / 600, i / 10 % 60, i * 6 % 60, static_cast<double>(i),
            1024.0 * i < 1e5 ? fmt::format("{:.1f}", 1024.0 * i)
                             : fmt::format("{:.2e}", 1024.0 * i),
            1024 / around(6, i),
            iterationTime ? fmt::format(", iteration_time={:.2f}", around(6, i)) : "");
    });
}

std::string neuronLog() {
    return repeated(1, 60, [](int i) {
        return fmt::format(
            "[0]:LOG Wed Dec 21 00:12:27 2026 - (0, {}) step_loss : 11.2500 learning_rate : "
            "2.80e-06 throughput : {:.2f} grad-norm : 1.25\n",
            i, 1024 / around(6, i));
    });
}

std::string deepSpeed(bool stamps = true, bool phases = false) {
    double clock = 0;
    std::string text =
        "[2026-07-25 20:03:17,269] [INFO] [config.py:957:print]   train_batch_size ............. "
        "1024\n";
    return text + repeated(1, 60, [&](int i) {
               clock += around(6, i, 2);
               const int seconds = static_cast<int>(clock);
               const std::string stamp =
                   stamps ? fmt::format("[2026-07-25 21:{:02}:{:02},{:03}] [INFO] ", seconds / 60,
                                        seconds % 60, static_cast<int>(1000 * (clock - seconds)))
                          : "";
               return fmt::format(
                   "{}[timer.py:215:stop] epoch=0/micro_step={}/global_step={}, "
                   "RunningAvgSamplesPerSec=170.1, CurrSamplesPerSec={:.3f}, MemAllocated=59.65GB, "
                   "MaxMemAllocated=63.31GB\n{}",
                   stamp, 4 * i, i, 1024 / around(6, i, 2),
                   phases ? fmt::format("{}[logging.py:96:log_dist] [Rank 0] rank=0 time (ms) | "
                                        "forward: {:.2f} | backward: 3900.00 | backward_inner: "
                                        "3601.89 | backward_allreduce: 162.60 | step: 1172.13\n",
                                        stamp, 1000 * around(6, i, 2) - 5072.13)
                          : "");
           });
}

std::string hugging(bool bars, bool summary, double seconds = 6) {
    std::string text =
        "[INFO|trainer.py:2409] 2026-01-15 10:27:59,124 >>   Total train batch size (w. parallel, "
        "distributed & accumulation) = 1,024\n"
        "[INFO|trainer.py:2411] 2026-01-15 10:27:59,124 >>   Total optimization steps = 600\n"
        "Loading checkpoint shards: 100%|##########| 4/4 [00:19<00:00,  4.9s/it]\n";
    if (bars) {
        text += repeated(1, 600, [&](int i) {
            const int elapsed = static_cast<int>(90 + seconds * i);
            std::string line = fmt::format(
                "\r {:2}%|{:10}| {}/600 [{}{:02}:{:02}<44:09, {:.2f}{}]", i / 6, "", i,
                elapsed >= 3600 ? fmt::format("{}:", elapsed / 3600) : "", elapsed / 60 % 60,
                elapsed % 60, seconds >= 1 ? seconds : 1 / seconds, seconds >= 1 ? "s/it" : "it/s");
            if (i % 10 == 0) {
                line += fmt::format(
                    "\n{{'loss': 1.2607, 'grad_norm': 0.51, 'learning_rate': "
                    "5.2e-06, 'epoch': {:.2f}}}\n",
                    i / 600.0);
            }
            return line;
        });
        text += "\n  50%|#####     | 5/10 [00:02<00:02,  2.00it/s]\n";
    }
    if (summary) {
        text += fmt::format(
            "{{'train_runtime': {:.4f}, 'train_samples_per_second': {:.3f}, "
            "'train_steps_per_second': {:.3f}, 'train_loss': 0.52, 'epoch': 1.0}}\n",
            600 * seconds, 1024 / seconds, 1 / seconds);
    }
    return text;
}

std::string withReturns(std::string text) {
    for (std::size_t p = text.find('\n'); p != std::string::npos; p = text.find('\n', p + 2))
        text.replace(p, 1, "\r\n");
    return text;
}

struct Case {
    const char* name;
    std::string text;
    const char* format;
    double step;        ///< seconds; 0: none
    double tokens = 0;  ///< a second and rank; 0: none
    double samples = 0;
    double batch = 0, length = 0, memory = 0;
    const char* note = "";  ///< part of one of the notes
    double tolerance = 0.002;
};

void PrintTo(const Case& c, std::ostream* out) {
    *out << c.name;
}

const double kRate = 1024.0 / 6;

std::vector<Case> cases() {
    const std::string settings =
        "  global_batch_size ............................... 1024\n"
        "  max_position_embeddings ......................... 8192\n"
        "  seq_length ...................................... 4096\n";
    const std::string memory =
        "[Rank 3] (after 20 iterations) memory (MB) | allocated: 3270.16 | max allocated: 5670.39 "
        "| reserved: 6406.00 | max reserved: 6406.00\n"
        "[Rank 0] (after 20 iterations) memory (MB) | allocated: 3270.16 | max allocated: 5600.00 "
        "| reserved: 6400.00 | max reserved: 6400.00\n";
    return {
        {"MegatronLm", settings + memory + megatron(), "Megatron-LM", 6, 0, kRate, 1024, 4096,
         6406 * 1048576.0, "the first 6 of 60"},
        {"MegatronBridgeMemory",
         megatron() + "[Rank 0] (after 1 iterations) memory (GB) | mem-allocated-gigabytes: 51.072 "
                      "| mem-reserved-gigabytes: 80.1 | mem-max-allocated-gigabytes: 78.383 | "
                      "mem-max-reserved-gigabytes: 80.487 | mem-alloc-retires: 0 |\n",
         "Megatron-LM", 6, 0, kRate, 1024, 0, 80.487e9, "had reserved"},
        {"MegatronDeepSpeed",
         repeated(
             1, 60,
             [](int i) {
                 return fmt::format(
                     "[2026-03-07 15:27:02,646] [INFO] [timer.py:260:stop] "
                     "epoch=0/micro_step={0}/global_step={0}, RunningAvgSamplesPerSec=58.7, "
                     "CurrSamplesPerSec=61.3, MemAllocated=6.01GB, MaxMemAllocated=19.52GB\n"
                     " iteration {0:8}/  317892 | consumed samples: {1} | consumed tokens: {2} "
                     "| elapsed time per iteration (ms): {3:.1f} | learning rate: 2.4E-04 | "
                     "global batch size:   768 | lm loss: 5.9E+00 | actual seqlen:  4096 | "
                     "samples per second: {4:.3f} | tokens per gpu per second (tgs): "
                     "1146.733 | TFLOPs: 69.85 |\n",
                     i, 768 * i, 768L * 4096 * i, 1000 * around(14.3, i), 768 / around(14.3, i));
             }),
         "Megatron-LM", 14.3, 1146.733, 768 / 14.3, 768, 4096, 19.52 * 1073741824.0, "allocated"},
        {"GptNeoX",
         repeated(1, 60,
                  [](int i) {
                      return fmt::format(
                          " samples/sec: {:.3f} | iteration {:8}/   10000 | elapsed "
                          "time per iteration (ms): {:.1f} | learning rate: 2.1E-06 "
                          "| lm_loss: 1.118665E+01 |\n",
                          32 / around(4.1, i), i, 1000 * around(4.1, i));
                  }),
         "Megatron-LM", 4.1, 0, 32 / 4.1},
        {"Primus",
         repeated(
             1, 60,
             [](int i) {
                 return fmt::format(
                     "\x1b[32mINFO\x1b[0m [\x1b[32m20260923 15:34:02\x1b[0m]"
                     "[\x1b[36mrank-7/8\x1b[0m]\x1b[1m iteration {:8}/      60 | consumed "
                     "samples: {} | elapsed time per iteration (ms): {:.1f}/735.1 | throughput "
                     "per GPU (TFLOP/s/GPU): 1290.3/1162.8  | tokens/s/GPU inst/harmonic mean: "
                     "25032.8/22288.1 | global batch size:    16 |\x1b[0m\n",
                     i, 16 * i, 1000 * around(0.6545, i));
             }),
         "Megatron-LM", 0.6545, 25032.8, 16 / 0.6545, 16},
        {"MegatronTenStepsALine",
         repeated(1, 30,
                  [](int i) {
                      return fmt::format(
                          " iteration {:8}/  500000 | elapsed time per iteration "
                          "(ms): {:.1f} | global batch size:  1024 |\n",
                          10 * i, 1000 * around(6, i));
                  }),
         "Megatron-LM", 6, 0, kRate, 1024, 0, 0, "the first 3 of 30"},
        {"BatchRamp", megatron(1, 40, 3, 512) + megatron(41, 120, 6, 1024), "Megatron-LM", 6, 0,
         kRate, 1024, 0, 0, "isn't 1,024 sequences: 28."},
        {"Stalls", repeated(1, 60, [](int i) { return megatron(i, i, i % 20 == 0 ? 95 : 6); }),
         "Megatron-LM", 6, 0, kRate, 1024, 0, 0, "evaluation or restarts: 3."},
        {"Restart", megatron(1, 100) + megatron(11, 100), "Megatron-LM", 6, 0, kRate, 1024, 0, 0,
         "goes back"},
        {"Windows", withReturns(megatron()), "Megatron-LM", 6, 0, kRate, 1024},
        {"OneLine", megatron(50, 50), "Megatron-LM", 6, 0, kRate, 1024},
        {"Nemo2", nemo2(), "NeMo", 6, 0, kRate, 1024},
        {"Nemo1", "seq_length: 4096\n" + nemo1(), "NeMo", 6, 0, kRate, 1024, 4096, 0,
         "samples consumed"},
        {"NemoJson",
         repeated(1, 60,
                  [](int i) {
                      return fmt::format(
                          "DLLL {{\"timestamp\": \"1739210331.7\", \"type\": \"LOG\", "
                          "\"step\": {0}, \"data\": {{\"reduced_train_loss\": 10.9, "
                          "\"global_step\": {0}.0, \"consumed_samples\": {1}.0, "
                          "\"train_backward_timing in s\": 4.6e-05, \"train_step_timing in s\": "
                          "{2}, \"epoch\": 0}}}}\n",
                          i, 2142 * i, around(6, i));
                  }),
         "NeMo", 6, 0, 357, 2142},
        {"NemoBarAlone",
         repeated(1, 200,
                  [](int i) {
                      return fmt::format(
                          "\rEpoch 0:   1%|          | {}/77225 [{}:{:02}:{:02}<"
                          "878:01:48, 41.36s/it, loss=3.1, v_num=, "
                          "reduced_train_loss=3.090, global_step={}.0, "
                          "consumed_samples={}]",
                          i, i * 41 / 3600, i * 41 / 60 % 60, i * 41 % 60, i,
                          2048 * i < 1000 ? fmt::format("{:.1f}", 2048.0 * i)
                                          : fmt::format("{:.2e}", 2048.0 * i));
                  }),
         "NeMo", 41, 0, 2048 / 41.0, 2048, 0, 0, "windows of the progress bar", 0.01},
        {"Torchtitan", titan(), "torchtitan", 6, 7012, kRate, 1024, 8192, 41.5 * 1073741824.0,
         "between the stamps"},
        {"TorchtitanWithoutStamps", titan("[rank0]:", false, false), "torchtitan", 0, 7012, 0, 0, 0,
         41.5 * 1073741824.0, "number of ranks"},
        {"TorchtitanInterleaved",
         [] {
             std::istringstream a(titan("[rank0]:")), b(titan("[rank1]:")), c(titan("[rank2]:"));
             std::string text, line;
             // One rank is a line behind the others.
             if (std::getline(c, line)) text += line + "\n";
             if (std::getline(b, line)) text += line + "\n";
             if (std::getline(b, line)) text += line + "\n";
             for (int i = 0; i < 40; ++i) {
                 for (auto* s : {&b, &a, &c}) {
                     if (std::getline(*s, line)) text += line + (i % 7 == 3 && s == &a ? "" : "\n");
                 }
             }
             return text;
         }(),
         "torchtitan", 6, 7012, kRate, 1024, 8192, 41.5 * 1073741824.0, "between the stamps"},
        {"TorchtitanColoursWrittenOut",
         [] {
             std::string text = titan();
             for (std::size_t p = text.find('\x1b'); p != std::string::npos; p = text.find('\x1b'))
                 text.replace(p, 1, "^[");
             return text;
         }(),
         "torchtitan", 6, 7012, kRate, 1024, 8192, 41.5 * 1073741824.0},
        {"OlderTorchtitan",
         repeated(1, 30,
                  [](int i) {
                      return fmt::format(
                          "[rank0]:2024-08-19 11:{:02}:{:02},109 - root - INFO - "
                          "step: {}  loss: 12.1951  memory: 81.67GiB(85.93%)  wps: "
                          "111,770  mfu: 22.68%\n",
                          i, i, 10 * i);
                  }),
         "torchtitan", 6.1, 111770, 0, 0, 0, 81.67 * 1073741824.0},
        {"MaxText", "Config param max_target_length: 8192\n" + maxText(), "MaxText", 6, 8192 / 6.0,
         0, 0, 8192},
        {"NeuronThroughput", neuronBar(false), "NxD Training", 6, 0, kRate, 1024, 0, 0,
         "moving average"},
        {"NeuronIterationTime", neuronBar(true), "NxD Training", 6, 0, kRate, 1024, 0, 0,
         "samples consumed"},
        {"NeuronLogLines", neuronLog(), "NxD Training", 0, 0, kRate, 0, 0, 0,
         "follows from the global batch"},
        {"NeuronLogLinesAndSettings", "global_batch_size: 1024\nseq_length: 8192\n" + neuronLog(),
         "NxD Training", 6, 0, kRate, 1024, 8192},
        {"DeepSpeed", deepSpeed(), "DeepSpeed", 6, 0, kRate, 1024, 0, 63.31 * 1073741824.0,
         "between the stamps", 0.005},
        {"DeepSpeedWithoutStamps", deepSpeed(false, true), "DeepSpeed", 6, 0, kRate, 1024, 0,
         63.31 * 1073741824.0, "sum of its forward"},
        {"OlderDeepSpeed",
         repeated(1, 30,
                  [](int i) {
                      return fmt::format(
                          "[2022-03-11 02:{:02}:{:02},{}] [INFO] [timer.py:189:stop] "
                          "0/{}, SamplesPerSec=83.5, MemAllocated=0.26GB, "
                          "MaxMemAllocated=9.02GB\n",
                          i / 4, i % 4 * 15, 130, 10 * i);
                  }),
         "DeepSpeed", 1.5, 0, 83.5, 0, 0, 9.02 * 1073741824.0},
        {"DeepSpeedThatDisagrees",
         "train_batch_size ..... 64\n" +
             repeated(1, 30,
                      [](int i) {
                          return fmt::format(
                              "[2026-03-11 02:{:02}:00,500] [INFO] "
                              "[timer.py:189:stop] 0/{}, SamplesPerSec=13.2\n",
                              i, 10 * i);
                      }),
         "DeepSpeed", 6, 0, 13.2, 64, 0, 0, "printed 13.2 samples/s aren't the 10.7"},
        {"HuggingFace", hugging(true, true), "Hugging Face Trainer", 6, 0, kRate, 1024, 0, 0,
         "windows of the progress bar"},
        {"HuggingFaceFastSteps", hugging(true, false, 0.5), "Hugging Face Trainer", 0.5, 0, 2048,
         1024, 0, 0, "windows of the progress bar", 0.01},
        {"HuggingFaceShortRun", hugging(true, false, 0.25), "Hugging Face Trainer", 0.25, 0, 4096,
         1024, 0, 0, "which smooths it", 0.01},
        {"HuggingFaceSummary", hugging(false, true), "Hugging Face Trainer", 6, 0, kRate, 1024, 0,
         0, "average of the whole run"},
        {"HuggingFaceStrings",
         "{'train_runtime': '3600.0', 'train_samples_per_second': '9.277', "
         "'train_steps_per_second': '0.29', 'epoch': '1.0'}\n",
         "Hugging Face Trainer", 1 / 0.29, 0, 9.277},
    };
}

class Logs : public testing::TestWithParam<Case> {};

void near(const std::optional<Spread>& found, double wanted, double tolerance, const char* what) {
    ASSERT_EQ(found.has_value(), wanted > 0) << what;
    if (!found) return;
    EXPECT_NEAR(found->median / wanted, 1, tolerance) << what;
    EXPECT_LE(found->lower, found->median) << what;
    EXPECT_LE(found->median, found->upper) << what;
    EXPECT_LT(found->upper / found->lower, 1.15) << what;
}

std::string notesOf(const TrainingLog& log) {
    std::string text;
    for (const Text& note : log.notes) text += note.english() + "\n";
    return text;
}

TEST_P(Logs, GiveTheStep) {
    const Case& c = GetParam();
    const Outcome<TrainingLog> read = readTrainingLog(c.text, "run.log");
    ASSERT_TRUE(read.ok()) << read.findings().front().english();
    const TrainingLog& log = read.value();
    SCOPED_TRACE(notesOf(log));
    EXPECT_EQ(log.format, c.format);
    near(log.stepSeconds, c.step, c.tolerance, "step");
    near(log.tokensPerSecondPerRank, c.tokens, c.tolerance, "tokens/s");
    near(log.samplesPerSecond, c.samples, c.tolerance, "samples/s");
    EXPECT_EQ(log.globalBatch.value_or(0), c.batch);
    EXPECT_EQ(log.sequenceLength.value_or(0), c.length);
    EXPECT_NEAR(log.memoryBytes.value_or(0), c.memory, 1);
    EXPECT_GT(log.steps, 0);
    EXPECT_THAT(notesOf(log), HasSubstr(c.note));
    EXPECT_EQ(notesOf(log).find("goes back") != std::string::npos,
              std::string(c.name) == "Restart");
}

// The stream gives what the text gives, though its blocks of a mebibyte end inside of lines.
TEST_P(Logs, AreTheSameAsStreams) {
    std::string text(std::size_t{1 << 20} - GetParam().text.size() / 2, 'x');
    for (std::size_t i = 99; i < text.size(); i += 100) text[i] = '\n';
    text += '\n' + GetParam().text;
    std::istringstream in(text);
    const Outcome<TrainingLog> a = readTrainingLog(text, "run.log");
    const Outcome<TrainingLog> b = readTrainingLog(in, "run.log");
    ASSERT_TRUE(a.ok());
    ASSERT_TRUE(b.ok());
    EXPECT_EQ(a->steps, b->steps);
    EXPECT_EQ(a->notes, b->notes);
    EXPECT_EQ(a->stepSeconds.has_value(), b->stepSeconds.has_value());
    EXPECT_EQ(a->stepSeconds.value_or(Spread{}).median, b->stepSeconds.value_or(Spread{}).median);
}

INSTANTIATE_TEST_SUITE_P(Frameworks, Logs, testing::ValuesIn(cases()),
                         [](const auto& c) { return std::string(c.param.name); });

TEST(TrainingLog, CountsTheStepsItRestsOn) {
    EXPECT_EQ(readTrainingLog(megatron(), "run.log")->steps, 54);
    // Ten steps a line: the first three lines of thirty are a tenth.
    std::string text;
    for (int i = 1; i <= 30; ++i) {
        text +=
            fmt::format("iteration {}/ 500 | elapsed time per iteration (ms): 6000.0 |\n", 10 * i);
    }
    EXPECT_EQ(readTrainingLog(text, "run.log")->steps, 270);
}

TEST(TrainingLog, LeavesOutHalfOfAShortLogAtMost) {
    const auto log = readTrainingLog(megatron(1, 4, 6), "run.log");
    ASSERT_TRUE(log.ok());
    EXPECT_EQ(log->steps, 2);
    EXPECT_THAT(notesOf(log.value()), HasSubstr("the first 2 of 4"));
}

// What is written while the log is read ends anywhere.
TEST(TrainingLog, DropsANumberThatMayBeCutOff) {
    const std::string whole = megatron(1, 9);
    const std::string cut = " iteration 10/ 500 | elapsed time per iteration (ms): 60";
    const auto a = readTrainingLog(whole, "run.log");
    const auto b = readTrainingLog(whole + cut, "run.log");
    EXPECT_EQ(a->steps, b->steps);
    EXPECT_EQ(a->stepSeconds->median, b->stepSeconds->median);
}

TEST(TrainingLog, SurvivesLinesCutByOthers) {
    std::string text;
    for (int i = 1; i <= 200; ++i) {
        std::string line = megatron(i, i);
        if (i % 9 == 0) line = line.substr(0, 130 + static_cast<std::size_t>(i % 50));
        text += line;
    }
    const auto log = readTrainingLog(text, "run.log");
    ASSERT_TRUE(log.ok());
    EXPECT_NEAR(log->stepSeconds->median, 6, 0.02);
}

TEST(TrainingLog, ReadsTheBeginningOfEndlessLines) {
    std::string text = megatron();
    text +=
        std::string(3 << 20, 'x') + " iteration 61/ 500 | elapsed time per iteration (ms): 1.0\n";
    text += megatron(62, 90);
    const auto log = readTrainingLog(text, "run.log");
    ASSERT_TRUE(log.ok());
    EXPECT_NEAR(log->stepSeconds->median, 6, 0.02);
    EXPECT_THAT(notesOf(log.value()), HasSubstr("Lines over 1 MiB"));
}

TEST(TrainingLog, SaysWhatItLookedFor) {
    const auto other = readTrainingLog("epoch 1: loss 0.3\nSaved model.\n", "notes.txt");
    ASSERT_FALSE(other.ok());
    const std::string text = other.findings().front().english();
    for (const char* part :
         {"notes.txt: No line", "elapsed time per iteration (ms)", "train_step_timing in s",
          "tps:", "throughput=", "SamplesPerSec=", "train_steps_per_second"})
        EXPECT_THAT(text, HasSubstr(part));
    EXPECT_THAT(readTrainingLog("", "run.log").findings().front().english(), HasSubstr("empty"));
    EXPECT_THAT(readTrainingLogFile("/nonexistent/run.log").findings().front().english(),
                HasSubstr("no such file"));
    EXPECT_THAT(readTrainingLogFile("/").findings().front().english(), HasSubstr("a folder"));
    // A bar of something else is no training.
    EXPECT_FALSE(readTrainingLog("\r 50%|#####     | 50/100 [05:00<05:00,  6.00s/it]\n", "x").ok());
}

TEST(TrainingLog, MeasuredStepTakesWhatTheLogHas) {
    TrainingLog log;
    log.samplesPerSecond = Spread{9, 10, 11};
    EXPECT_DOUBLE_EQ(measuredStep(log, 1024, 4096, 64), 102.4);
    log.tokensPerSecondPerRank = Spread{7000, 8192, 9000};
    EXPECT_DOUBLE_EQ(measuredStep(log, 1024, 4096, 64), 8);
    log.stepSeconds = Spread{5, 6, 7};
    EXPECT_DOUBLE_EQ(measuredStep(log, 1024, 4096, 64), 6);
}

// Bytes of the excerpts changed at random: a value that keeps its promises, or a finding.
TEST(TrainingLog, MutatedBytesGiveAValueOrFindings) {
    // TRAINWRIGHT_SEED repeats a run, TRAINWRIGHT_ROUNDS makes it longer.
    const char* given = std::getenv("TRAINWRIGHT_SEED");
    const char* rounds = std::getenv("TRAINWRIGHT_ROUNDS");
    const unsigned seed = given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10))
                                           : std::random_device{}();
    const int count = rounds != nullptr ? std::atoi(rounds) : 3000;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::vector<std::string> texts;
    for (const Case& c : cases()) texts.push_back(c.text);
    const std::vector<std::string> pieces{"iteration ",
                                          "1/",
                                          "step: 7",
                                          "tps: ",
                                          "Epoch 3:",
                                          "[",
                                          "[00:0",
                                          "<",
                                          "/",
                                          "e+308",
                                          "1e-300",
                                          "0",
                                          "-1",
                                          "nan",
                                          "inf",
                                          ",",
                                          "=",
                                          ": ",
                                          "\r",
                                          "\n",
                                          "\x1b[",
                                          "\x1b",
                                          "^[[1m",
                                          "\xff",
                                          std::string(1, '\0'),
                                          "99999999999999999999",
                                          "elapsed time per iteration (ms): ",
                                          "throughput=",
                                          "SamplesPerSec=",
                                          "s/it",
                                          "%|",
                                          "global_step=",
                                          "consumed_samples=",
                                          "9999-99-99 99:99:99,999",
                                          "2026-02-29 00:00:00.000"};
    int good = 0;
    for (int i = 0; i < count; ++i) {
        std::string text = texts[random() % texts.size()];
        text = text.substr(random() % text.size(), 1 + random() % 4000);
        for (unsigned long k = 0, n = 1 + random() % 20; k < n && !text.empty(); ++k) {
            const std::size_t at = random() % text.size();
            switch (random() % 4) {
                case 0:
                    text[at] = static_cast<char>(random() % 256);
                    break;
                case 1:
                    text.insert(at, pieces[random() % pieces.size()]);
                    break;
                case 2:
                    text.erase(at, random() % 40);
                    break;
                default:
                    text.insert(at, text.substr(random() % text.size(), random() % 200));
            }
        }
        const Outcome<TrainingLog> read = readTrainingLog(text, "run.log");
        if (!read.ok()) {
            ASSERT_FALSE(read.findings().front().english().empty());
            continue;
        }
        ++good;
        const TrainingLog& log = read.value();
        ASSERT_TRUE(log.stepSeconds || log.tokensPerSecondPerRank || log.samplesPerSecond) << text;
        for (const auto& spread :
             {log.stepSeconds, log.tokensPerSecondPerRank, log.samplesPerSecond}) {
            if (!spread) continue;
            ASSERT_TRUE(spread->lower > 0 && std::isfinite(spread->upper)) << text;
            ASSERT_TRUE(spread->lower <= spread->median && spread->median <= spread->upper) << text;
        }
        for (const auto& v : {log.globalBatch, log.sequenceLength, log.memoryBytes})
            ASSERT_TRUE(!v || (*v > 0 && std::isfinite(*v))) << text;
        ASSERT_GE(log.steps, 0) << text;
    }
    EXPECT_GT(good, count / 2);
}

}  // namespace
}  // namespace trainwright::import
