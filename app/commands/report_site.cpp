// SPDX-License-Identifier: GPL-3.0-or-later
// `trainwright report`: a folder of scenarios as a folder of pages.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "app/charts_plugin/load_charts.h"
#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "app/commands/diff_report.h"
#include "app/commands/evaluate.h"
#include "app/commands/plan_report.h"
#include "app/output_file.h"
#include "app/site/manifest.h"
#include "app/version.h"
#include "model/units/content_hash.h"
#include "model/units/joined.h"
#include "reports/diff_view.h"
#include "reports/site_report.h"

namespace trainwright::app {
namespace {

namespace fs = std::filesystem;
using reports::Json;
using reports::SiteComparison;
using reports::SiteScenario;
using reports::SiteState;

Finding finding(const std::string& file, std::string pattern,
                std::vector<Argument> arguments = {}) {
    return {Severity::Error, Text{std::move(pattern), std::move(arguments)}, Place{file, 0, 0, {}}};
}

std::string fingerprint(std::string_view bytes) {
    return units::ContentHash().add(bytes).hex();
}

/// Of several pieces, told apart by their lengths.
std::string fingerprint(const std::vector<std::string>& pieces) {
    units::ContentHash hash;
    for (const std::string& piece : pieces) hash.add(std::to_string(piece.size()) + ":").add(piece);
    return hash.hex();
}

// std has a quoted(), too, which takes strings that aren't const: app's is named in full.

/// Of the program and of what draws its charts: a version may be built more than once.
std::string programFingerprint() {
    const std::string charts = installPrefix() + "/lib/trainwright/charts.so";
    return fingerprint({kProgramVersion, bytesOf("/proc/self/exe").value_or(""),
                        bytesOf(charts).value_or(""), loadCharts().drawer ? "charts" : "tables"});
}

/// One scenario of the folder.
struct Entry {
    std::string file;
    std::string page;
    std::string inputs;
    std::optional<PreparedScenario> scenario;  ///< empty: it is broken
    SiteScenario row;
    bool isKept = false;
    std::optional<compare::Side> side;  ///< once it is planned, if a comparison asks for it
};

/// Two of them that are set beside each other.
struct Pair {
    std::size_t before = 0, after = 0;
    std::string page;
    std::string inputs;
    SiteComparison row;
    bool isKept = false;
};

/// Adds the scenario files of a folder and of those within it, without hidden ones and without
/// `out`, which holds pages.
Outcome<bool> gather(const fs::path& folder, const fs::path& out, std::vector<fs::path>& files) {
    std::error_code error;
    std::error_code ignored;
    std::vector<fs::path> inner;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const fs::path path = folder / it->path().filename();
        const std::string name = path.filename().string();
        if (name.front() == '.') continue;
        if (it->is_directory(ignored)) {
            // A link to a folder may lead back to where it lies.
            if (!it->is_symlink(ignored) && !fs::equivalent(path, out, ignored))
                inner.push_back(path);
        } else if (name.ends_with(".yaml") || name.ends_with(".yml")) {
            files.push_back(path);
        }
    }
    if (error) return finding(folder.string(), "The folder can't be read: {1}.", {error.message()});
    for (const fs::path& one : inner)
        if (const Outcome<bool> done = gather(one, out, files); !done) return done;
    return true;
}

/// The scenario files of a folder and of those within it: its own first, then folder by folder.
Outcome<std::vector<std::string>> scenariosIn(const std::string& folder, const std::string& out) {
    std::error_code error;
    const fs::file_status status = fs::status(folder, error);
    if (!fs::exists(status)) return finding(folder, "There is no such folder.");
    if (!fs::is_directory(status))
        return finding(folder, "This is a file; a folder of scenarios is expected.");
    std::vector<fs::path> files;
    if (const Outcome<bool> done = gather(folder, out, files); !done) return done.findings();
    if (files.empty())
        return finding(folder, "There is no scenario in this folder: no file ends in {1} or {2}.",
                       {".yaml", ".yml"});
    // By stem first, so that "plan" stands before "plan-cheap".
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
        return std::tuple(a.parent_path(), a.stem().string(), a.string()) <
               std::tuple(b.parent_path(), b.stem().string(), b.string());
    });
    std::vector<std::string> names;
    for (const fs::path& file : files) names.push_back(file.string());
    return names;
}

class Site {
public:
    Site(const ReportSiteOptions& options, const catalog::Catalog& catalog)
        : options_(options), catalog_(catalog), out_(fs::path(options.out).lexically_normal()) {
        if (!out_.has_filename()) out_ = out_.parent_path();
    }

    /// Reads every scenario; what is wrong with each is said.
    void read(const std::vector<std::string>& files) {
        const std::string base = fingerprint({programFingerprint(), catalog_.hash(), calibration(),
                                              reports::code(language()), optionWords(),
                                              options_.search.exhaustive ? "exhaustive" : ""});
        std::set<std::string> taken{kIndexFile};
        for (const std::string& file : files) {
            Entry entry;
            entry.file = file;
            const fs::path within = file.substr(folder().size());
            entry.page = freeName(taken, within.parent_path(), within.stem().string(),
                                  within.filename().string());
            const Outcome<std::string> text = readScenarioText(file);
            Outcome<PreparedScenario> prepared = text ? prepareText(*text, file, file, catalog_)
                                                      : Outcome<PreparedScenario>(text.findings());
            if (prepared) {
                entry.scenario = std::move(prepared).value();
                entry.scenario->context.command = fmt::format(
                    "trainwright plan {} --report {}{}{}", app::quoted(file),
                    app::quoted(pathOf(entry.page)), languageOption(language()), optionWords());
                entry.inputs =
                    fingerprint({base, "plan", *text, file, entry.scenario->context.command});
            } else {
                say(prepared.findings());
                for (const Finding& one : prepared.findings())
                    entry.row.reasons.push_back(textOf(one));
                entry.row.file = file;
                isSound_ = false;
            }
            entries_.push_back(std::move(entry));
        }
        pair(base, taken);
    }

    /// Decides what is kept, and refuses where a file that is someone else's would be written over.
    Outcome<bool> claim() {
        Outcome<SitePages> pages = readManifest(out_.string());
        if (!pages) return pages.findings();
        earlier_ = std::move(pages).value();
        std::vector<Finding> findings;
        const auto own = [&](const std::string& file) {
            std::error_code ignored;
            const fs::path path = out_ / file;
            if (!fs::exists(fs::symlink_status(path, ignored)) || earlier_.contains(file)) return;
            findings.push_back(finding(path.string(),
                                       "This file is not one that `trainwright report` wrote, and "
                                       "stays; the site needs another folder."));
        };
        own(kIndexFile);
        for (const Entry& entry : entries_)
            if (entry.scenario) own(entry.page);
        for (const Pair& one : pairs_) own(one.page);
        if (!findings.empty()) return findings;

        for (Entry& entry : entries_) {
            if (!entry.scenario) continue;
            if (const SitePage* page = unchanged(entry.page, entry.inputs)) {
                if (auto row = reports::siteScenarioFrom(page->row)) {
                    entry.row = std::move(*row);
                    entry.isKept = true;
                }
            }
            SitePage& page = pages_[entry.page];
            if (entry.isKept)
                page = {entry.inputs, earlier_.at(entry.page).content, toJson(entry.row)};
        }
        for (Pair& one : pairs_) {
            if (const SitePage* page = unchanged(one.page, one.inputs)) {
                if (auto row = reports::siteComparisonFrom(page->row)) {
                    one.row = std::move(*row);
                    one.isKept = true;
                }
            }
            SitePage& page = pages_[one.page];
            if (one.isKept) page = {one.inputs, earlier_.at(one.page).content, toJson(one.row)};
        }
        pages_[kIndexFile] = SitePage();
        // Until the end also what is to go: whoever stops in between leaves it to the next run.
        return saveManifest(true);
    }

    /// Makes the pages that aren't kept; false when it was stopped or can't go on.
    bool make() {
        std::size_t left = 0;
        for (const Entry& entry : entries_) left += entry.scenario && !entry.isKept ? 1U : 0U;
        std::size_t number = 0;
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            Entry& entry = entries_[i];
            if (!entry.scenario || entry.isKept) continue;
            const std::string doing = fmt::format(
                "planning {} ({} of {})", fs::path(entry.file).filename().string(), ++number, left);
            const search::PlanResult result =
                evaluate(entry.scenario->request, options_.search, doing.c_str());
            if (isInterrupted()) return false;
            entry.row = reports::siteScenario(entry.scenario->request, result);
            entry.row.file = entry.file;
            entry.row.page = entry.page;
            const ReportContent content =
                planContent(entry.scenario->request, result, entry.scenario->context);
            if (!writePage(entry.page, entry.inputs, content, reports::toJson(entry.row)))
                return false;
            if (isAsked(i) && !keepSide(entry, result)) return false;
        }
        for (const Entry& entry : entries_)
            if (entry.row.state == SiteState::NoneRuns)
                fmt::print(stderr,
                           "{}: No candidate can be run; the reasons are given with each.\n",
                           entry.file);
        return compareAll();
    }

    /// Removes what has gone and writes the first page.
    bool finish() {
        for (const auto& [file, page] : earlier_) {
            if (pages_.contains(file)) continue;
            const fs::path path = out_ / file;
            const std::optional<std::string> bytes = bytesOf(path.string());
            if (!bytes) continue;
            if (!page.content.empty() && fingerprint(*bytes) != page.content) {
                say(Finding{Severity::Warning,
                            Text{"This page was changed by someone else and stays, though its "
                                 "scenario has gone.",
                                 {}},
                            Place{path.string(), 0, 0, {}}});
                continue;
            }
            std::error_code error;
            fs::remove(path, error);
            if (error) {
                say(finding(path.string(), "The page can't be removed: {1}.", {error.message()}));
                return false;
            }
            removed_.push_back(file);
            // The folders that held nothing else go with it.
            for (fs::path inner = fs::path(file).parent_path(); !inner.empty() && !error;
                 inner = inner.parent_path())
                if (!fs::remove(out_ / inner, error)) break;
        }
        const ReportJob job{0, pathOf(kIndexFile), ReportFormat::Html, language()};
        const std::string first = reports::html(reports::translated(
            reports::siteDocument(scenarioRows(), comparisonRows(), context()), language()));
        if (bytesOf(job.file) != first) {
            if (const auto failure = writeFile(job.file, first)) {
                say(*failure);
                return false;
            }
        }
        pages_[kIndexFile] = {fingerprint(first), fingerprint(first), nullptr};
        return isSaved(false);
    }

    /// The list of what there is, where the work was stopped: what is finished is kept.
    void stop() { (void)isSaved(true); }

    [[nodiscard]] ExitCode code() const {
        const bool anyInfeasible =
            std::any_of(entries_.begin(), entries_.end(),
                        [](const Entry& entry) { return entry.row.state == SiteState::NoneRuns; });
        return !isSound_ ? ExitCode::BadInput
                         : (anyInfeasible ? ExitCode::Infeasible : ExitCode::Done);
    }

    [[nodiscard]] std::string summary() const {
        std::size_t kept = 0;
        for (const Entry& entry : entries_) kept += entry.isKept ? 1U : 0U;
        for (const Pair& one : pairs_) kept += one.isKept ? 1U : 0U;
        const std::size_t all = pages_.size() - 1;
        return reports::say(reports::text("{1}: {2} pages made, {3} kept as they were, {4} "
                                          "removed.",
                                          pathOf(kIndexFile), std::to_string(all - kept),
                                          std::to_string(kept), std::to_string(removed_.size())),
                            language()) +
               "\n";
    }

    [[nodiscard]] std::string json() const {
        const auto status = [](bool isKept) { return isKept ? "kept" : "made"; };
        Json scenarios = Json::array();
        for (const Entry& entry : entries_) {
            Json one = reports::siteScenarioJson(entry.row);
            one["status"] = entry.scenario ? Json(status(entry.isKept)) : Json(nullptr);
            scenarios.push_back(std::move(one));
        }
        Json comparisons = Json::array();
        for (const Pair& one : pairs_) {
            Json verdict = Json::array();
            for (const Text& sentence : one.row.verdict) verdict.push_back(sentence.english());
            comparisons.push_back(Json{{"before", one.row.before},
                                       {"after", one.row.after},
                                       {"page", one.row.page},
                                       {"verdict", std::move(verdict)},
                                       {"status", status(one.isKept)}});
        }
        Json removed = Json::array();
        for (const std::string& file : removed_) removed.push_back(file);
        return reports::jsonText(Json{
                   {"schema", "trainwright/report/1"},
                   {"program_version", kProgramVersion},
                   {"catalog", Json{{"version", catalog_.version()}, {"hash", catalog_.hash()}}},
                   {"index", pathOf(kIndexFile)},
                   {"scenarios", std::move(scenarios)},
                   {"comparisons", std::move(comparisons)},
                   {"removed", std::move(removed)}}) +
               "\n";
    }

private:
    [[nodiscard]] reports::Language language() const { return options_.display.language; }
    [[nodiscard]] std::string pathOf(const std::string& page) const {
        return (out_ / page).string();
    }

    [[nodiscard]] std::string calibration() const {
        const auto& fitted = catalog_.calibration();
        return fitted ? fmt::format("{}, {}", fitted->id, fitted->hash) : "";
    }

    /// " --calibration own.csv": what a command needs beside the scenario to make a page again.
    [[nodiscard]] std::string optionWords() const {
        std::string words;
        if (!options_.calibration.empty())
            words += " --calibration " + app::quoted(options_.calibration);
        if (!options_.catalog.empty()) words += " --catalog " + app::quoted(options_.catalog);
        return words;
    }

    /// What every file begins with: "runs/".
    [[nodiscard]] std::string folder() const { return (fs::path(options_.folder) / "").string(); }

    /// "team/plan.html"; where that is taken "team/plan.yaml.html", or with a number.
    static std::string freeName(std::set<std::string>& taken, const fs::path& folder,
                                const std::string& name, const std::string& longer) {
        std::string place;
        for (const fs::path& part : folder) place += plainName(part.string()) + "/";
        std::string page = place + plainName(name) + ".html";
        for (int n = 1; !taken.insert(page).second; ++n)
            page = place + plainName(longer) + (n == 1 ? "" : "-" + std::to_string(n)) + ".html";
        return page;
    }

    /// A name for the comparison of two pages, in the innermost folder that holds both:
    /// "team/a--b.html", "june-a--july-a.html".
    static std::string comparisonName(std::set<std::string>& taken, const fs::path& before,
                                      const fs::path& after) {
        fs::path common;
        const fs::path a = before.parent_path();
        const fs::path b = after.parent_path();
        for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end() && *i == *j; ++i, ++j)
            common /= *i;
        const auto within = [&](const fs::path& page) {
            const std::string relative = page.lexically_relative(common.empty() ? "." : common);
            return fs::path(relative).replace_extension().generic_string();  // "/" becomes "-"
        };
        const std::string name = within(before) + "--" + within(after);
        return freeName(taken, common, name, name);
    }

    /// Neighbours among the scenarios of each model.
    void pair(const std::string& base, std::set<std::string>& taken) {
        std::map<std::string, std::size_t> last;
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            if (!entries_[i].scenario) continue;
            const std::string& model = entries_[i].scenario->request.architecture.id;
            const auto found = last.find(model);
            if (found != last.end() && !model.empty()) {
                const Entry& before = entries_[found->second];
                const Entry& after = entries_[i];
                Pair one;
                one.before = found->second;
                one.after = i;
                one.page = comparisonName(taken, before.page, after.page);
                one.inputs = fingerprint({base, "diff", before.inputs, after.inputs, one.page});
                one.row = {before.file, after.file, one.page, {}};
                pairs_.push_back(std::move(one));
            }
            last[model] = i;
        }
    }

    const SitePage* unchanged(const std::string& file, const std::string& inputs) const {
        const auto found = earlier_.find(file);
        if (options_.again || found == earlier_.end() || found->second.inputs != inputs)
            return nullptr;
        const std::optional<std::string> bytes = bytesOf(pathOf(file));
        return bytes && fingerprint(*bytes) == found->second.content ? &found->second : nullptr;
    }

    bool writePage(const std::string& page, const std::string& inputs, const ReportContent& content,
                   Json row) {
        const ReportJob job{0, pathOf(page), ReportFormat::Html, language()};
        ReportContent linked = content;
        linked.document = [&] {
            reports::Document document = content.document();
            document.up.display = reports::text("← All scenarios");
            for (const char c : page)
                if (c == '/') document.up.url += "../";
            document.up.url += kIndexFile;
            return document;
        };
        const Outcome<std::string> bytes = reportBytes(job, linked);
        std::error_code error;
        fs::create_directories(fs::path(job.file).parent_path(), error);
        std::optional<Finding> failure;
        if (!bytes)
            failure = bytes.findings().front();
        else
            failure = writeFile(job.file, *bytes);
        if (failure) {
            say(*failure);
            return false;
        }
        pages_[page] = {inputs, fingerprint(*bytes), std::move(row)};
        return true;
    }

    /// Whether a comparison that has to be made asks for the scenario.
    [[nodiscard]] bool isAsked(std::size_t i) const {
        return std::any_of(pairs_.begin(), pairs_.end(), [&](const Pair& one) {
            return !one.isKept && (one.before == i || one.after == i);
        });
    }

    bool keepSide(Entry& entry, const search::PlanResult& result) {
        Outcome<compare::Side> side = sideOf(*entry.scenario, result, catalog_);
        if (!side) {
            say(side.findings());
            return false;
        }
        entry.side = std::move(side).value();
        return true;
    }

    bool compareAll() {
        std::size_t left = 0;
        for (const Pair& one : pairs_) left += one.isKept ? 0U : 1U;
        std::size_t number = 0;
        for (Pair& one : pairs_) {
            if (one.isKept) continue;
            const std::string of = fmt::format("({} of {})", ++number, left);
            // The page of a side may be kept while the other's changed; its plan isn't.
            for (const std::size_t i : {one.before, one.after}) {
                Entry& entry = entries_[i];
                if (entry.side) continue;
                const std::string doing = "planning for comparison " + of;
                const search::PlanResult result =
                    evaluate(entry.scenario->request, options_.search, doing.c_str());
                if (isInterrupted() || !keepSide(entry, result)) return false;
            }
            Entry& before = entries_[one.before];
            const Entry& after = entries_[one.after];
            const std::string doing = "comparing " + of;
            const search::Comparison comparison =
                compared(*before.side, *after.side, catalog_, options_.search, doing.c_str());
            if (isInterrupted()) return false;
            reports::DiffContext context;
            context.programVersion = kProgramVersion;
            context.catalogVersion = catalog_.version();
            context.catalogHash = catalog_.hash();
            context.command =
                fmt::format("trainwright diff {} {}{} --report {}{}", app::quoted(before.file),
                            app::quoted(after.file), optionWords(), app::quoted(pathOf(one.page)),
                            languageOption(language()));
            one.row.verdict = reports::diffVerdict(comparison);
            if (!writePage(one.page, one.inputs, diffContent(comparison, context, language()),
                           reports::toJson(one.row)))
                return false;
            before.side.reset();  // of neighbours only the later one is needed again
        }
        return true;
    }

    Outcome<bool> saveManifest(bool withEarlier) {
        SitePages all = pages_;
        if (withEarlier) all.insert(earlier_.begin(), earlier_.end());
        const std::string text = manifestText(all);
        if (bytesOf(pathOf(kManifestFile)) == text) return true;
        if (const auto failure = writeFile(pathOf(kManifestFile), text)) return *failure;
        return true;
    }

    bool isSaved(bool withEarlier) {
        const Outcome<bool> saved = saveManifest(withEarlier);
        say(saved.findings());
        return saved.ok();
    }

    [[nodiscard]] std::vector<SiteScenario> scenarioRows() const {
        std::vector<SiteScenario> rows;
        for (const Entry& entry : entries_) rows.push_back(entry.row);
        return rows;
    }
    [[nodiscard]] std::vector<SiteComparison> comparisonRows() const {
        std::vector<SiteComparison> rows;
        for (const Pair& one : pairs_) rows.push_back(one.row);
        return rows;
    }

    [[nodiscard]] reports::SiteContext context() const {
        reports::SiteContext context;
        fs::path folder = fs::path(options_.folder).lexically_normal();
        if (!folder.has_filename()) folder = folder.parent_path();
        context.title = folder.string();
        context.folder = this->folder();
        context.command =
            fmt::format("trainwright report {} --out {}{}{}", app::quoted(options_.folder),
                        app::quoted(options_.out), languageOption(language()), optionWords());
        context.programVersion = kProgramVersion;
        context.catalogVersion = catalog_.version();
        context.catalogHash = catalog_.hash();
        context.calibration = calibration();
        return context;
    }

    const ReportSiteOptions& options_;
    const catalog::Catalog& catalog_;
    fs::path out_;
    std::vector<Entry> entries_;
    std::vector<Pair> pairs_;
    SitePages earlier_, pages_;
    std::vector<std::string> removed_;
    bool isSound_ = true;
};

}  // namespace

ExitCode report(const ReportSiteOptions& options) {
    const Outcome<std::vector<std::string>> files = scenariosIn(options.folder, options.out);
    if (!files) {
        say(files.findings());
        return ExitCode::BadInput;
    }
    const Outcome<catalog::Catalog> catalog = openCatalog(options.catalog, options.calibration);
    if (!catalog) {
        say(catalog.findings());
        return ExitCode::BadInput;
    }
    std::error_code error;
    fs::create_directories(options.out, error);
    if (!fs::is_directory(options.out)) {
        say(finding(options.out, "The folder can't be made: {1}.", {error.message()}));
        return ExitCode::BadInput;
    }

    watchInterrupts();
    Site site(options, *catalog);
    site.read(*files);
    const Outcome<bool> claimed = site.claim();
    if (!claimed) {
        say(claimed.findings());
        return ExitCode::BadInput;
    }
    if (!site.make()) {
        site.stop();
        if (!isInterrupted()) return ExitCode::BadInput;
        fmt::print(stderr, "Interrupted; the pages that are finished are kept.\n");
        return ExitCode::Interrupted;
    }
    if (!site.finish()) return ExitCode::BadInput;
    return print(options.display.json ? site.json() : site.summary(), site.code());
}

}  // namespace trainwright::app
