// SPDX-License-Identifier: GPL-3.0-or-later
// A public claim, what each of its checks found, and the verdict that follows.
//
// A claim has parts; a part has cases: one figure, or one row of a grid. Whoever looks the figures
// up and asks the engine fills in the cases (data/claims); judge() turns them into verdicts, by the
// same rules for every kind of check. Numbers stay numbers with the catalog's units until a report
// prints them. Nothing here reads a catalog or plans anything.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/search/plan.h"

namespace trainwright::claims {

enum class Verdict { Holds, HoldsUnderConditions, Contradicted, CannotBeChecked };
[[nodiscard]] const char* name(Verdict v);  ///< "holds", "holds under conditions", … as in JSON

/// A number in a unit of the catalog ("bytes", "flop_per_second", "fraction", …), or words: a date,
/// names. Empty: not known.
struct Measure {
    std::optional<double> number;
    std::string unit;
    std::string words;
    [[nodiscard]] bool empty() const { return !number && words.empty(); }
    friend bool operator==(const Measure&, const Measure&) = default;
};
[[nodiscard]] Measure measure(double number, std::string unit);
[[nodiscard]] Measure words(std::string text);

/// A Text whose arguments are measures, which a report prints as it prints every number.
struct Sentence {
    std::string pattern;
    std::vector<Measure> arguments;
    [[nodiscard]] bool empty() const { return pattern.empty(); }
    friend bool operator==(const Sentence&, const Sentence&) = default;
};

/// What a part is for: it decides the claim, it is a condition under which the claim holds, or it
/// only adds to the picture.
enum class Role { Decides, Condition, Context };

/// How what was found stands to what is claimed. Reaches is AtLeast for a claim of "up to": one
/// case is enough for a part of the truth. Holds: the case itself says whether it is met. None:
/// nothing is compared.
enum class Relation { Equals, AtLeast, AtMost, Reaches, Holds, None };

struct Case {
    std::vector<std::string> labels;  ///< one for each of Part::dimensions
    Measure found;                    ///< empty: not known, and `notes` say why
    Measure p10, p90;                 ///< where the engine says how sure it is
    bool isMet = false;               ///< set by judge(), but for Relation::Holds
    bool isRounded = false;           ///< set by judge(): only within the margin
    std::vector<Sentence> notes;
    std::string scenario;  ///< that `plan` takes, where the engine was asked
};

/// Where figures come from.
struct Source {
    std::string title;
    std::string where;  ///< an address, or repository and path
    friend bool operator==(const Source&, const Source&) = default;
};

struct Part {
    Role role = Role::Decides;
    std::string kind;                     ///< of check, as in the catalog
    std::string subject;                  ///< what is looked at, in words
    std::vector<std::string> dimensions;  ///< what the labels of a case are: "model", "region"
    Relation relation = Relation::None;
    Measure claimed;       ///< empty where nothing is compared
    double tolerance = 0;  ///< relative deviation that still counts as the same
    double margin = 0;     ///< and that still counts as rounded; at least the tolerance
    std::string remark;    ///< in place of the usual sentence where the part isn't met; see judge()
    std::vector<Case> cases;
    std::vector<search::FigureUse> figures;  ///< of the catalog, where they are few: all that the
                                             ///< cases rest on, and the rivals of a lone one
    std::vector<Source> sources;
    std::string lookedAt;  ///< rows of published runs that were gone through

    // set by judge():
    Verdict verdict = Verdict::CannotBeChecked;
    /// Of the one case. Of more, the one that decides: the highest for AtMost and Reaches, the
    /// lowest for AtLeast, the nearest for Equals; none for Holds, the median for None.
    Measure found;
    Measure lowest, highest;
    int known = 0;
    int met = 0;
    std::vector<Sentence> conditions;
};

struct CheckedClaim {
    std::string id, statement, saidBy;
    std::string source, url;
    std::string observed, note;
    std::vector<Part> parts;

    // set by judge():
    Verdict verdict = Verdict::CannotBeChecked;
    std::size_t decisive = 0;  ///< the part that the verdict rests on most; 0 where there is none
    std::vector<Sentence> conditions;  ///< of the verdict: which, or by what, or what is missing
};

/// A part is met where all of its known cases are, and holds under conditions where some are, or
/// where numbers agree only as rounded; with no known case it can't be checked. A part that decides
/// but compares nothing can't be checked either. Its sentence is the remark, with the placeholders
/// {1} found, {2} claimed, {3} cases that are met, {4} cases known, {5} lowest, {6} median, {7}
/// highest found, {8} and {9} the cases of lowest and highest, {10} those that are met where they
/// are few, {11} and {12} P10 and P90 of the highest, {13} cases that are met at P90; without a
/// remark a usual one. A part that only adds to the picture always says its
/// remark.
void judge(Part& part);

/// Judges all parts, then the claim: contradicted if a deciding part is, else not to be checked if
/// one can't, else under conditions if one is or a condition isn't met, else it holds.
void judge(CheckedClaim& claim);

}  // namespace trainwright::claims
