// SPDX-License-Identifier: GPL-3.0-or-later
// The table of verdicts for a terminal.
#include <algorithm>

#include "reports/claims_report.h"
#include "reports/claims_view.h"
#include "reports/terminal_text.h"

namespace trainwright::reports {
namespace {

constexpr std::size_t kNoteIndent = 3;

Ink inkOf(claims::Verdict verdict) {
    switch (verdict) {
        case claims::Verdict::Holds:
            return Ink::Good;
        case claims::Verdict::Contradicted:
            return Ink::Bad;
        case claims::Verdict::HoldsUnderConditions:
            return Ink::Bold;
        case claims::Verdict::CannotBeChecked:
            break;
    }
    return Ink::Plain;
}

}  // namespace

std::string claimsTerminal(const std::vector<claims::CheckedClaim>& claims,
                           const TerminalStyle& style, const ReportContext& context) {
    TextTable table({{"", false, 0, 1},
                     {"claim", false, 0, 14},
                     {"verdict", false, 0, 22},
                     {"claimed", false, 0, 16},
                     {"found", false, 0, 16},
                     {"said by", false, 1, 8}});
    for (const claims::CheckedClaim& claim : claims) {
        const claims::Part* part = decisivePart(claim);
        table.add({glyph(claim.verdict), claim.id, text(claims::name(claim.verdict)),
                   part ? claimedText(*part) : Argument(""), part ? foundText(*part) : Argument(""),
                   claim.saidBy},
                  inkOf(claim.verdict));
        table.note(text(claim.statement), kNoteIndent);
        for (const claims::Sentence& condition : claim.conditions)
            table.note(text("→ {1}", sentenceText(condition)), kNoteIndent);
    }
    std::string out = inked(wrapped(text("What is said of Trainium, held against figures"), style),
                            Ink::Bold, style);
    if (!context.catalogVersion.empty())
        out += wrapped(Text{"catalog of {1}", {context.catalogVersion}}, style);
    out += "\n" + table.render(style);
    out += "\n" + wrapped(tally(claims), style);
    if (!claims.empty()) {
        const auto shown =
            std::find_if(claims.begin(), claims.end(), [](const claims::CheckedClaim& claim) {
                return claim.verdict == claims::Verdict::Contradicted;
            });
        const std::string& id = shown == claims.end() ? claims.front().id : shown->id;
        out += wrapped(Text{"More of one: trainwright claims {1}", {id}}, style);
    }
    return out;
}

}  // namespace trainwright::reports
