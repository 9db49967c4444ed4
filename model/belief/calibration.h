// SPDX-License-Identifier: GPL-3.0-or-later
// What measured runs have corrected: a few physical factors, each for one kind of chip or one
// software profile, with how sure they are.
//
// A factor multiplies a figure of the catalog (1 leaves it as it is); factors are kept as their
// natural logarithms, so that their spread is symmetric and a rate stays a rate. Nothing here
// fits (fit.h does) and nothing knows a file.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/layout/layout.h"

namespace trainwright::belief {

/// The figure that a factor multiplies. Rates of a chip first, then those of its links, then what
/// the software does.
enum class Physics {
    MatrixRate,      ///< share of the matrix peak that a large GEMM reaches, all precisions
    Fp8Rate,         ///< the same again for GEMMs in FP8 and FP4
    AttentionRate,   ///< share of the matrix peak that fused attention reaches
    MemoryRate,      ///< share of the HBM bandwidth that is reached
    ScaleUpRate,     ///< share of the wire rate inside a scale-up domain
    ScaleOutRate,    ///< share of the NIC rate between hosts
    KernelRate,      ///< how fast the software's matrix kernels are, against the chip's best known
    HostTime,        ///< host time of launching a kernel
    StepOverhead,    ///< fixed time of a step
    CollectiveTime,  ///< fixed time of a collective
    ExpertTime,      ///< time of the experts' GEMMs: imbalance and the size of their groups
    VectorTraffic,   ///< bytes that norms, activations, losses and their like move
};
inline constexpr int kPhysicsCount = 12;

[[nodiscard]] const char* name(Physics p);  ///< "matrix_rate"
[[nodiscard]] std::optional<Physics> physicsFromName(const std::string& text);
/// How much a result is to be believed: this chip was measured under this software, or a relative
/// of it, or all there is are data sheets.
enum class Grade { A, B, C };
[[nodiscard]] const char* name(Grade g);

/// The kind of chip that shares factors: family and generation, "gpu hopper" or "trainium 2".
[[nodiscard]] std::string chipKind(const machine::ChipSpec& chip);

struct Factor {
    Physics physics = Physics::MatrixRate;
    /// What it holds for: a chipKind, a profile's id, or "<profile> on <chipKind>".
    std::string subject;
    double logFactor = 0;      ///< fitted
    double standardError = 0;  ///< of logFactor
    int rows = 0;              ///< measured runs that it touches
    friend bool operator==(const Factor&, const Factor&) = default;
};

/// Runs of one chip under one profile that a calibration was held against.
struct Measured {
    std::string chip;
    std::string profile;
    std::string family;  ///< of the chip, with its vendor: "AWS trainium"
    int rows = 0;
    friend bool operator==(const Measured&, const Measured&) = default;
};

/// A set of runs that a calibration was made from.
struct RunSet {
    std::string title;
    std::string hash;  ///< of the rows used
    int rows = 0;
    friend bool operator==(const RunSet&, const RunSet&) = default;
};

struct Calibration {
    std::string id;
    std::string date;
    std::vector<RunSet> runSets;
    std::vector<Factor> factors;
    std::vector<Measured> measured;
    std::vector<double> covariance;  ///< of the log factors, row by row in their order
    /// Standard deviation of log(measured / predicted) of runs that the fit had not seen, by grade:
    /// A (chip and profile measured), B (family), C (data sheet only).
    std::array<double, 3> residual{};
    std::string hash;  ///< of all the above
};

/// Multiplies one figure of the problem.
void apply(Physics physics, double factor, layout::StepProblem& problem);
void apply(Physics physics, double factor, machine::SystemSpec& system,
           layout::SoftwareProfile& profile);

/// Vendor and family of a chip, which its generations share.
[[nodiscard]] std::string chipFamily(const machine::ChipSpec& chip);
/// A: runs of this chip and profile are in `calibration`; B: runs of its family are; C: none.
[[nodiscard]] Grade gradeOf(const Calibration& calibration, const machine::ChipSpec& chip,
                            const layout::SoftwareProfile& profile);

/// Indices of the factors that concern a chip under a profile.
[[nodiscard]] std::vector<std::size_t> factorsOf(const Calibration& calibration,
                                                 const machine::ChipSpec& chip,
                                                 const layout::SoftwareProfile& profile);

/// Applies all of factorsOf. Not to be applied twice to the same structs.
void apply(const Calibration& calibration, machine::SystemSpec& system,
           layout::SoftwareProfile& profile);

}  // namespace trainwright::belief
