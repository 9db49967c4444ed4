// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the Catalog that reads public claims.
#include "data/catalog/catalog.h"
#include "data/catalog/catalog_implementation.h"

namespace trainwright::catalog {

std::vector<Claim> Catalog::claims() const {
    const SQLite::Database& database = implementation_->database;
    SQLite::Statement claims(database,
                             "SELECT c.id, c.statement, c.said_by, c.observed, c.note, s.id, "
                             "s.title, s.url, s.repository, s.path "
                             "FROM claim c JOIN source s ON s.id = c.source ORDER BY c.position");
    SQLite::Statement checks(database,
                             "SELECT role, kind, subject, parameters, relation, claimed, unit, "
                             "tolerance, margin, remark "
                             "FROM claim_check WHERE claim = ? ORDER BY ordinal");
    std::vector<Claim> all;
    while (claims.executeStep()) {
        const auto text = [&](int column) { return claims.getColumn(column).getString(); };
        Claim claim;
        claim.id = text(0);
        claim.statement = text(1);
        claim.saidBy = text(2);
        claim.observed = text(3);
        claim.note = text(4);
        claim.source = Source{text(5), text(6), text(7), text(8), text(9)};
        checks.reset();
        checks.bind(1, claim.id);
        while (checks.executeStep()) {
            const auto field = [&](int column) { return checks.getColumn(column).getString(); };
            claim.checks.push_back(ClaimCheck{field(0), field(1), field(2), field(3), field(4),
                                              field(5), field(6), checks.getColumn(7).getDouble(),
                                              checks.getColumn(8).getDouble(), field(9)});
        }
        all.push_back(std::move(claim));
    }
    return all;
}

const std::vector<Override>& Catalog::overrides() const {
    return implementation_->overrides;
}

}  // namespace trainwright::catalog
