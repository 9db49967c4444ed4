// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/catalog/catalog.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>

#include "data/catalog/catalog_implementation.h"
#include "data/catalog/profile_reader.h"
#include "data/catalog/spec_reader.h"
#include "model/units/text_quantity.h"

namespace trainwright::catalog {
namespace {

constexpr int kFormat = 2;  // PRAGMA user_version of schema.sql

constexpr std::array<const char*, 5> kStatusNames{"adopted", "estimated", "conflicting",
                                                  "superseded", "rejected"};

Status statusFromName(const std::string& text) {
    const auto found = std::find(kStatusNames.begin(), kStatusNames.end(), text);
    return static_cast<Status>(found - kStatusNames.begin());
}

Finding fileFinding(const std::string& path, std::string pattern,
                    std::vector<Argument> arguments = {}) {
    return Finding{Severity::Error, Text{std::move(pattern), std::move(arguments)},
                   Place{path, 0, 0, {}}};
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) {
        out += (out.empty() ? "" : ", ") + word;
    }
    return out;
}

/// Lower case, without the separators that people leave out or exchange.
std::string bare(const std::string& id) {
    std::string out;
    for (const char c : id) {
        if (c != '-' && c != '_' && c != '.' && c != ' ') {
            out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    return out;
}

Finding unknown(const Catalog& catalog, const std::string& kind, const std::string& noun,
                const std::string& id) {
    const std::vector<std::string> near = catalog.nearest(kind, id);
    if (near.empty()) {
        return Finding{Severity::Error, Text{"the catalog has no {1} \"{2}\"", {noun, id}}, {}};
    }
    return Finding{
        Severity::Error,
        Text{"the catalog has no {1} \"{2}\"; the nearest are {3}", {noun, id, joined(near)}},
        {}};
}

void appendUse(std::vector<search::FigureUse>& uses, const std::string& kind,
               const std::vector<Figure>& figures, std::set<std::string>& seen) {
    for (const Figure& f : figures) {
        if (!isInUse(f) || f.value.empty() || !seen.insert(kind + "/" + f.key).second) {
            continue;
        }
        search::FigureUse use = useOf(f);
        use.kind = kind;
        uses.push_back(std::move(use));
    }
}

}  // namespace

search::FigureUse useOf(const Figure& f) {
    std::string where = f.source.url;
    if (where.empty() && !f.source.repository.empty()) {
        where = f.source.repository + (f.source.path.empty() ? "" : ", " + f.source.path);
    }
    return {f.kind,  f.id,       f.key,
            f.value, f.unit,     f.source.title,
            where,   f.observed, f.overridden ? "override" : name(f.status),
            f.note};
}

const char* name(Status s) {
    return kStatusNames[static_cast<std::size_t>(s)];
}

const std::vector<std::string>& kinds() {
    static const std::vector<std::string> kKinds{
        "chip",    "instance",  "system", "model",      "profile", "region",
        "storage", "operation", "power",  "collective", "latency", "accelerator_name"};
    return kKinds;
}

Catalog::Implementation::Implementation(const std::string& databasePath)
    : path(databasePath),
      database(databasePath, SQLite::OPEN_READONLY),
      overlay(std::make_shared<const Overlay>()) {}

const std::vector<std::string>& Catalog::Implementation::strings(
    const std::string& sql, const std::vector<std::string>& arguments) const {
    std::vector<std::string> question{sql};
    question.insert(question.end(), arguments.begin(), arguments.end());
    if (const auto kept = strings_.find(question); kept != strings_.end()) {
        return kept->second;
    }
    SQLite::Statement statement(database, sql);
    int index = 0;
    for (const std::string& argument : arguments) {
        statement.bind(++index, argument);
    }
    std::vector<std::string> out;
    while (statement.executeStep()) {
        out.push_back(statement.getColumn(0).getString());
    }
    return strings_.emplace(std::move(question), std::move(out)).first->second;
}

std::string Catalog::Implementation::meta(const std::string& nameOfRow) const {
    const std::vector<std::string> rows =
        strings("SELECT value FROM meta WHERE name = ?", {nameOfRow});
    return rows.empty() ? std::string() : rows.front();
}

std::optional<Entry> Catalog::Implementation::entry(const std::string& kind,
                                                    const std::string& id) const {
    const std::vector<std::string> names =
        strings("SELECT name FROM entry WHERE kind = ? AND id = ?", {kind, id});
    if (names.empty()) {
        return std::nullopt;
    }
    return Entry{kind, id, names.front()};
}

const std::vector<Figure>& Catalog::Implementation::figures(const std::string& kind,
                                                            const std::string& id) const {
    if (const auto kept = figures_.find({kind, id}); kept != figures_.end()) {
        return kept->second;
    }
    SQLite::Statement s(database,
                        "SELECT f.key, f.value, f.number, d.unit, f.status, f.observed, "
                        "f.confidence, f.note, s.id, s.title, s.url, s.repository, s.path, "
                        "d.type, d.meaning "
                        "FROM figure f JOIN key_definition d ON d.kind = f.kind AND d.key = f.key "
                        "JOIN source s ON s.id = f.source "
                        "WHERE f.kind = ? AND f.id = ? ORDER BY d.position, f.ordinal");
    s.bind(1, kind);
    s.bind(2, id);
    std::vector<Figure> figures;
    while (s.executeStep()) {
        Figure f;
        f.kind = kind;
        f.id = id;
        f.key = s.getColumn(0).getString();
        f.value = s.getColumn(1).getString();
        if (!s.isColumnNull(2)) {
            f.number = s.getColumn(2).getDouble();
        }
        f.unit = s.getColumn(3).getString();
        f.status = statusFromName(s.getColumn(4).getString());
        f.observed = s.getColumn(5).getString();
        f.confidence = s.getColumn(6).getString();
        f.note = s.getColumn(7).getString();
        f.source = Source{s.getColumn(8).getString(), s.getColumn(9).getString(),
                          s.getColumn(10).getString(), s.getColumn(11).getString(),
                          s.getColumn(12).getString()};
        f.type = s.getColumn(13).getString();
        f.meaning = s.getColumn(14).getString();
        figures.push_back(std::move(f));
    }
    addImported(kind, id, figures);
    applyOverrides(kind, id, figures);
    return figures_.emplace(std::pair(kind, id), std::move(figures)).first->second;
}

FigureSet Catalog::Implementation::figureSet(const std::string& kind, const std::string& id) const {
    return FigureSet(id, figures(kind, id));
}

const std::optional<Alias>& Catalog::Implementation::alias(const std::string& id) const {
    if (const auto kept = aliases_.find(id); kept != aliases_.end()) {
        return kept->second;
    }
    SQLite::Statement s(database,
                        "SELECT provider, ifnull(chip, ''), ifnull(instance, ''), chips "
                        "FROM alias WHERE id = ?");
    s.bind(1, id);
    std::optional<Alias> found;
    if (s.executeStep()) {
        found = Alias{id, s.getColumn(0).getString(), s.getColumn(1).getString(),
                      s.getColumn(2).getString(), s.getColumn(3).getInt()};
    }
    return aliases_.emplace(id, std::move(found)).first->second;
}

std::vector<std::string> Catalog::Implementation::aliasesOf(const std::string& instance) const {
    // A price through another product (SageMaker) is not a price of the machine itself.
    return strings(
        "SELECT id FROM alias WHERE instance = ? AND basis <> 'accelerator' "
        "AND provider <> 'aws_sagemaker' ORDER BY id",
        {instance});
}

Outcome<Catalog> Catalog::open(const std::string& path, const std::string& overlay) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) {
        return fileFinding(path, "there is no catalog here; a build makes catalog.sqlite");
    }
    if (std::filesystem::is_directory(status)) {
        return fileFinding(path, "this is a folder; the catalog is a file, catalog.sqlite");
    }
    try {
        auto implementation = std::make_unique<Implementation>(path);
        const int format = implementation->database.execAndGet("PRAGMA user_version").getInt();
        if (format > kFormat) {
            return fileFinding(path,
                               "the catalog has format {1}, made for a newer Trainwright; this one "
                               "reads format {2}",
                               {std::to_string(format), std::to_string(kFormat)});
        }
        if (format > 0 && format < kFormat) {
            return fileFinding(
                path,
                "the catalog has format {1}, made for an older Trainwright; this one "
                "reads format {2}",
                {std::to_string(format), std::to_string(kFormat)});
        }
        if (format < kFormat || implementation->meta("hash").empty()) {
            return fileFinding(path, "this is a database but not a Trainwright catalog");
        }
        auto calibration = shippedCalibration(implementation->database);
        if (!calibration) return calibration.findings();
        implementation->calibration = std::move(calibration).value();
        Outcome<Overlay> imported = Overlay::read(overlay);
        if (!imported) return imported.findings();
        implementation->overlay = std::make_shared<const Overlay>(std::move(imported).value());
        return Catalog(std::move(implementation));
    } catch (const SQLite::Exception& e) {
        return fileFinding(path, "the catalog can't be read: {1}", {e.what()});
    }
}

Catalog::Catalog(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Catalog::~Catalog() = default;
Catalog::Catalog(Catalog&&) noexcept = default;
Catalog& Catalog::operator=(Catalog&&) noexcept = default;

std::vector<Entry> Catalog::entries(const std::string& kind) const {
    SQLite::Statement s(implementation_->database,
                        "SELECT id, name FROM entry WHERE kind = ? ORDER BY id");
    s.bind(1, kind);
    std::vector<Entry> entries;
    while (s.executeStep()) {
        entries.push_back(Entry{kind, s.getColumn(0).getString(), s.getColumn(1).getString()});
    }
    return entries;
}

std::vector<Figure> Catalog::figures(const std::string& kind, const std::string& id) const {
    return implementation_->figures(kind, id);
}

bool Catalog::has(const std::string& kind, const std::string& id) const {
    return !implementation_->figures(kind, id).empty() || kindOf(id) == kind;
}

std::optional<std::string> Catalog::kindOf(const std::string& id) const {
    const std::vector<std::string>& found = implementation_->strings(
        "SELECT e.kind FROM entry e JOIN kind k ON k.kind = e.kind WHERE e.id = ? "
        "ORDER BY k.position LIMIT 1",
        {id});
    return found.empty() ? std::nullopt : std::optional(found.front());
}

std::vector<std::string> Catalog::nearest(const std::string& kind, const std::string& id) const {
    std::vector<std::string> candidates;
    if (kind == "system" || kind == "instance") {
        // A scenario's system may be any of the three.
        candidates = implementation_->strings(
            "SELECT id FROM entry WHERE kind IN ('instance', 'system') "
            "UNION SELECT id FROM alias WHERE instance IS NOT NULL ORDER BY 1",
            {});
    } else if (kind.empty()) {
        candidates = implementation_->strings(
            "SELECT e.id FROM entry e JOIN kind k ON k.kind = e.kind ORDER BY k.position, e.id",
            {});
    } else {
        candidates =
            implementation_->strings("SELECT id FROM entry WHERE kind = ? ORDER BY id", {kind});
    }
    constexpr std::size_t kLimit = 3;
    const std::string wanted = bare(id);
    std::vector<std::string> out;
    const auto add = [&](const std::string& candidate) {
        if (out.size() < kLimit && std::find(out.begin(), out.end(), candidate) == out.end()) {
            out.push_back(candidate);
        }
    };
    // Names without their separators first, then what begins with the text or holds it, then
    // spelling.
    for (const std::string& candidate : candidates) {
        if (bare(candidate) == wanted) {
            add(candidate);
        }
    }
    std::vector<std::string> bareCandidates;
    bareCandidates.reserve(candidates.size());
    for (const std::string& candidate : candidates) {
        bareCandidates.push_back(bare(candidate));
    }
    if (wanted.size() >= 2) {
        for (const bool atStart : {true, false}) {
            std::vector<std::string> holding;
            for (std::size_t i = 0; i < candidates.size(); ++i) {
                const std::size_t at = bareCandidates[i].find(wanted);
                if (atStart ? at == 0 : at != std::string::npos) {
                    holding.push_back(candidates[i]);
                }
            }
            std::stable_sort(
                holding.begin(), holding.end(),
                [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
            std::for_each(holding.begin(), holding.end(), add);
        }
    }
    for (const std::string& word : units::nearestWords(wanted, bareCandidates, kLimit)) {
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            if (bareCandidates[i] == word) {
                add(candidates[i]);
            }
        }
    }
    return out;
}

Outcome<workload::Architecture> Catalog::architecture(const std::string& id) const {
    const std::optional<Entry> entry = implementation_->entry("model", id);
    if (!entry) {
        return unknown(*this, "model", "model", id);
    }
    return architectureFromFigures(*entry, implementation_->figureSet("model", id));
}

Outcome<machine::SystemSpec> Catalog::system(const std::string& id) const {
    auto& kept = implementation_->systems;
    const auto found = kept.find(id);
    return found != kept.end() ? found->second : kept.emplace(id, readSystem(id)).first->second;
}

Outcome<machine::SystemSpec> Catalog::readSystem(const std::string& id) const {
    Entry entry{"instance", id, {}};
    std::string described = id;
    const std::optional<Alias>& alias = implementation_->alias(id);
    if (alias && !alias->instance.empty()) {
        described = alias->instance;
    }
    std::optional<FigureSet> figures;
    if (const std::optional<Entry> instance = implementation_->entry("instance", described)) {
        entry.name = instance->name;
        figures = FigureSet(id, implementation_->figures("instance", described));
    } else if (const std::optional<Entry> cluster = implementation_->entry("system", id)) {
        entry = *cluster;
        figures = FigureSet(id, implementation_->figures("system", id));
        const std::string unit = figures->text("unit");
        if (!unit.empty()) {
            figures->addFallback(implementation_->figures("instance", unit));
        }
    } else if (alias) {
        return Finding{Severity::Error,
                       Text{"{1} is known by its price only; the catalog does not describe the "
                            "machine behind it",
                            {id}},
                       {}};
    } else if (implementation_->entry("chip", id)) {
        return Finding{Severity::Error,
                       Text{"{1} is a chip; a system is a machine that has it: {2}",
                            {id, joined(implementation_->strings(
                                     "SELECT id FROM figure WHERE kind IN ('instance', 'system') "
                                     "AND key = 'chip' AND ordinal = 0 AND value = ? ORDER BY id",
                                     {id}))}},
                       {}};
    } else {
        return unknown(*this, "system", "system", id);
    }
    const std::string chipId = figures->text("chip");
    const std::optional<Entry> chipEntry = implementation_->entry("chip", chipId);
    if (!chipEntry) {
        return Finding{
            Severity::Error, Text{"{1}: the catalog does not say which chip it has", {id}}, {}};
    }
    const Outcome<machine::ChipSpec> chip =
        chipFromFigures(*chipEntry, implementation_->figureSet("chip", chipId));
    if (!chip) {
        return chip.findings();
    }
    Outcome<machine::SystemSpec> system = systemFromFigures(entry, std::move(*figures), *chip);
    if (system && alias && !alias->instance.empty()) {
        system.value().provider = alias->provider;
    }
    return system;
}

Outcome<layout::SoftwareProfile> Catalog::profile(const std::string& id) const {
    auto& kept = implementation_->profiles;
    const auto found = kept.find(id);
    return found != kept.end() ? found->second : kept.emplace(id, readProfile(id)).first->second;
}

Outcome<layout::SoftwareProfile> Catalog::readProfile(const std::string& id) const {
    const std::optional<Entry> entry = implementation_->entry("profile", id);
    if (!entry) {
        return unknown(*this, "profile", "software profile", id);
    }
    Outcome<layout::SoftwareProfile> profile =
        profileFromFigures(id, implementation_->figures("profile", id));
    if (profile) {
        profile.value().title = entry->name;
    }
    return profile;
}

std::string Catalog::defaultProfile(const machine::SystemSpec& system) const {
    std::string own = implementation_->figureSet("chip", system.chip.id).text("default_profile");
    if (!own.empty()) {
        return own;
    }
    // A chip that a scenario brings along runs what its family runs.
    const std::vector<std::string>& ofFamily = implementation_->strings(
        "SELECT p.value FROM figure p JOIN figure f ON f.kind = 'chip' AND f.id = p.id "
        "AND f.key = 'family' AND f.ordinal = 0 WHERE p.kind = 'chip' "
        "AND p.key = 'default_profile' AND p.ordinal = 0 AND f.value = ? ORDER BY p.id LIMIT 1",
        {system.chip.family});
    return ofFamily.empty() ? std::string() : ofFamily.front();
}

std::vector<search::FigureUse> Catalog::used(const std::string& kind, const std::string& id) const {
    std::vector<search::FigureUse> uses;
    std::set<std::string> seen;
    if (kind == "instance" || kind == "system") {
        const std::optional<Alias>& alias = implementation_->alias(id);
        const std::string described = alias && !alias->instance.empty() ? alias->instance : id;
        const bool isInstance = implementation_->entry("instance", described).has_value();
        const std::vector<Figure>& own =
            implementation_->figures(isInstance ? "instance" : "system", described);
        FigureSet set(id, own);
        appendUse(uses, "system", own, seen);
        if (const std::string unit = set.text("unit"); !unit.empty()) {
            const std::vector<Figure>& unitFigures = implementation_->figures("instance", unit);
            set.addFallback(unitFigures);
            appendUse(uses, "system", unitFigures, seen);
        }
        appendUse(uses, "chip", implementation_->figures("chip", set.text("chip")), seen);
    } else {
        const std::string stored = kind == "operations" ? "operation" : kind;
        appendUse(uses, kind, implementation_->figures(stored, id), seen);
    }
    return uses;
}

std::string Catalog::version() const {
    return implementation_->meta("version");
}
}  // namespace trainwright::catalog
