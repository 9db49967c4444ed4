// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/catalog/calibration_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "data/catalog/run_columns.h"
#include "model/units/content_hash.h"

namespace trainwright::catalog {

namespace {

using belief::Calibration;
using belief::Factor;

enum Column { Record, PhysicsName, Subject, Other, Value, StandardError, Rows, Note };

class Reader {
public:
    explicit Reader(const CsvTable& table) : table_(table) {}

    Outcome<Calibration> read() {
        struct Entry {
            std::size_t a, b;
            double value;
        };
        std::vector<Entry> entries;
        for (const CsvRow& row : table_.rows) {
            const std::vector<std::string>& f = row.fields;
            if (f[Record] == "set") {
                c_.id = f[Subject];
                c_.date = f[Other];
                c_.hash = f[Note];
            } else if (f[Record] == "run_set") {
                c_.runSets.push_back({f[Subject], f[Other], whole(row, Rows)});
            } else if (f[Record] == "factor") {
                const auto physics = belief::physicsFromName(f[PhysicsName]);
                if (!physics) {
                    fault(row, "`{1}` is no figure that a factor multiplies.", {f[PhysicsName]});
                    continue;
                }
                c_.factors.push_back({*physics, f[Subject], number(row, Value),
                                      number(row, StandardError), whole(row, Rows)});
            } else if (f[Record] == "covariance") {
                entries.push_back({static_cast<std::size_t>(whole(row, Subject)),
                                   static_cast<std::size_t>(whole(row, Other)),
                                   number(row, Value)});
            } else if (f[Record] == "measured") {
                c_.measured.push_back({f[Subject], f[Other], f[Note], whole(row, Rows)});
            } else if (f[Record] == "residual" && f[Subject].size() == 1 && f[Subject] >= "A" &&
                       f[Subject] <= "C") {
                c_.residual[static_cast<std::size_t>(f[Subject][0] - 'A')] = number(row, Value);
            } else {
                fault(row, "`{1}` isn't a record of a calibration.", {f[Record]});
            }
        }
        const std::size_t n = c_.factors.size();
        c_.covariance.assign(n * n, 0);
        for (const Entry& e : entries) {
            if (e.a >= n || e.b >= n) continue;
            c_.covariance[e.a * n + e.b] = c_.covariance[e.b * n + e.a] = e.value;
        }
        if (!findings_.empty()) return findings_;
        return c_;
    }

private:
    void fault(const CsvRow& row, std::string pattern, std::vector<Argument> fields) {
        findings_.push_back({Severity::Error,
                             {std::move(pattern), std::move(fields)},
                             {table_.file, row.line, 0, {}}});
    }

    double number(const CsvRow& row, Column column) {
        const std::string& text = row.fields[column];
        double v = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
        if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(v)) {
            fault(row, "`{1}` in column {2} isn't a number.", {text, calibrationColumns()[column]});
            return 0;
        }
        return v;
    }

    int whole(const CsvRow& row, Column column) {
        const double v = number(row, column);
        if (v >= 0 && v < 1e9 && v == std::floor(v)) return static_cast<int>(v);
        fault(row, "`{1}` in column {2} isn't a count.",
              {row.fields[column], calibrationColumns()[column]});
        return 0;
    }

    const CsvTable& table_;
    Calibration c_;
    std::vector<Finding> findings_;
};

std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string out = "\"";
    for (char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

std::string fixed(double value, int digits) {
    const std::string text = fmt::format("{:.{}f}", value, digits);
    return text.find_first_not_of("-0.") == std::string::npos ? "0" : text;
}

}  // namespace

Outcome<Calibration> readCalibration(const CsvTable& rows) {
    return Reader(rows).read();
}

Outcome<Calibration> readCalibration(const std::string& text, const std::string& file) {
    const Outcome<CsvTable> table = readCsv(text, file, calibrationColumns());
    if (!table) return table.findings();
    return readCalibration(*table);
}

std::string calibrationText(const Calibration& c) {
    std::string body;
    const auto row = [&](const std::string& record, const std::string& physics,
                         const std::string& subject, const std::string& other,
                         const std::string& value, const std::string& error,
                         const std::string& rows, const std::string& note) {
        body += fmt::format("{},{},{},{},{},{},{},{}\n", record, physics, quoted(subject),
                            quoted(other), value, error, rows, quoted(note));
    };
    for (const belief::RunSet& s : c.runSets)
        row("run_set", "", s.title, s.hash, "", "", std::to_string(s.rows), "");
    const char* const grades[] = {"A", "B", "C"};
    for (std::size_t g = 0; g < c.residual.size(); ++g)
        row("residual", "", grades[g], "", fixed(c.residual[g], 4), "", "", "");
    for (const Factor& f : c.factors)
        row("factor", belief::name(f.physics), f.subject, "", fixed(f.logFactor, 4),
            fixed(f.standardError, 4), std::to_string(f.rows), "");
    for (const belief::Measured& m : c.measured)
        row("measured", "", m.chip, m.profile, "", "", std::to_string(m.rows), m.family);
    const std::size_t n = c.factors.size();
    for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = 0; b <= a; ++b) {
            const std::string value = fixed(c.covariance[a * n + b], 6);
            if (value != "0")
                row("covariance", "", std::to_string(a), std::to_string(b), value, "", "", "");
        }
    }
    units::ContentHash hash;
    hash.add(body);
    std::string header;
    for (const std::string& column : calibrationColumns())
        header += (header.empty() ? "" : ",") + column;
    return header + "\n" + fmt::format("set,,{},{},,,,{}\n", quoted(c.id), c.date, hash.hex()) +
           body;
}

}  // namespace trainwright::catalog
