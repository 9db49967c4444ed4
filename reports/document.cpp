// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/document.h"

#include <cmath>
#include <set>
#include <utility>

#include "reports/number_format.h"

namespace trainwright::reports {
namespace {

/// A name that is the same in an address and on a disk.
bool isPlainName(std::string_view name) {
    return !name.empty() && name.front() != '.' &&
           name.find_first_not_of(
               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
               "._-") == std::string_view::npos;
}

/// Ids that the tree defines and links that it follows, gathered in one walk.
struct Anchors {
    std::set<std::string> targets;
    std::vector<std::string> links;
    std::vector<Finding> findings;

    void define(const std::string& id) {
        if (id.empty()) return;
        if (!targets.insert(id).second)
            findings.push_back({Severity::Error, text("the id {1} is used twice", id), {}});
    }
    void follow(const std::string& id) {
        if (!id.empty()) links.push_back(id);
    }
    void walk(const Paragraph& paragraph) {
        for (const std::string& link : paragraph.links) follow(link);
    }
    void walk(const List& list) {
        for (const Paragraph& item : list.items) walk(item);
    }
    void walk(const Facts& facts) {
        for (const auto& [label, cell] : facts.items) follow(cell.link);
    }
    void walk(const Preformatted&) {}
    void walk(const Figure& figure) {
        define(figure.chart.id);
        for (Finding& finding : validate(figure.chart)) findings.push_back(std::move(finding));
    }
    void walk(const Table& table) {
        define(table.id);
        for (const RowGroup& group : table.groups)
            for (const Row& row : group.rows) {
                define(row.id);
                if (row.cells.size() != table.columns.size())
                    findings.push_back({Severity::Error,
                                        text("table {1} has a row of {2} cells under {3} columns",
                                             table.id, std::to_string(row.cells.size()),
                                             std::to_string(table.columns.size())),
                                        {}});
                for (const Cell& cell : row.cells) follow(cell.link);
            }
    }
    void walk(const Section& section) {
        define(section.id);
        for (const Block& block : section.blocks)
            std::visit([this](const auto& b) { walk(b); }, block);
        for (const Section& inner : section.sections) walk(inner);
    }
};

}  // namespace

Text verbatim(Argument words) {
    if (const Text* sentence = words.text()) return *sentence;
    return Text{"{1}", {std::move(words)}};
}

Cell words(Text display, Tone tone) {
    Cell cell;
    cell.display = std::move(display);
    cell.tone = tone;
    return cell;
}

Cell name(Argument display) {
    return words(verbatim(std::move(display)));
}

Cell number(double value, std::string unit, Argument display) {
    if (!std::isfinite(value)) return notKnownCell();
    Cell cell;
    cell.display = verbatim(std::move(display));
    cell.number = value == 0.0 ? 0.0 : value;  // no negative zero in a spreadsheet
    cell.unit = std::move(unit);
    return cell;
}

Cell notKnownCell() {
    return words(text(notKnown()), Tone::NotKnown);
}

Cell doesNotApply() {
    return words(verbatim("–"), Tone::Quiet);
}

bool isPageAddress(const std::string& url) {
    constexpr std::string_view kUp = "../";
    constexpr std::string_view kSuffix = ".html";
    std::string_view rest = url;
    while (rest.starts_with(kUp)) rest.remove_prefix(kUp.size());
    for (std::size_t slash = 0; (slash = rest.find('/')) != std::string_view::npos;) {
        if (!isPlainName(rest.substr(0, slash))) return false;
        rest.remove_prefix(slash + 1);
    }
    return isPlainName(rest) && rest.size() > kSuffix.size() && rest.ends_with(kSuffix);
}

std::size_t keyColumn(const Table& table) {
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        if (table.columns[c].key) return c;
    return 0;
}

std::vector<Finding> validate(const Document& document) {
    Anchors anchors;
    for (const Paragraph& paragraph : document.answer) anchors.walk(paragraph);
    for (const Section& section : document.sections) anchors.walk(section);
    for (const std::string& link : anchors.links)
        if (!anchors.targets.contains(link))
            anchors.findings.push_back({Severity::Error, text("nothing has the id {1}", link), {}});
    return std::move(anchors.findings);
}

}  // namespace trainwright::reports
