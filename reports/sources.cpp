// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/sources.h"

#include <algorithm>
#include <array>

#include "reports/number_format.h"

namespace trainwright::reports {
namespace {

std::string keyOf(const search::FigureUse& figure) {
    return figure.kind + "\n" + figure.id + "\n" + figure.key;
}

Tone toneOf(const std::string& status) {
    if (status == "estimated") return Tone::Warning;
    if (status == "override") return Tone::Override;
    if (status == "conflicting") return Tone::Warning;
    return Tone::Plain;
}

bool isWebAddress(const std::string& url) {
    return url.rfind("https://", 0) == 0 || url.rfind("http://", 0) == 0;
}

Cell sourceCell(const search::FigureUse& figure) {
    if (figure.source.empty() && figure.url.empty()) return notKnownCell();
    Cell cell = name(figure.source.empty() ? figure.url : figure.source);
    if (isWebAddress(figure.url)) cell.url = figure.url;
    return cell;
}

}  // namespace

Text figureLabel(const std::string& key) {
    static constexpr std::array<std::string_view, 9> kUnits{
        "_bytes_per_s", "_flop_per_s", "_usd_per_hour", "_bytes", "_g_co2_per_kwh", "_per_s", "_w",
        "_s",           "_m"};
    std::string label = key;
    // Figures of one kind that are counted: "link_bandwidth_bytes_per_s_0".
    std::string place;
    if (const std::size_t last = key.rfind('_'); last != std::string::npos &&
                                                 last + 2 == key.size() && key[last + 1] >= '0' &&
                                                 key[last + 1] <= '9') {
        place = key.substr(last);
        label.resize(last);
    }
    for (std::string_view unit : kUnits)
        if (label.size() > unit.size() && label.ends_with(unit)) {
            label.resize(label.size() - unit.size());
            break;
        }
    label += place;
    std::replace(label.begin(), label.end(), '_', ' ');
    return text(label);
}

std::vector<Column> figureColumns() {
    return {{text("Figure"), false},
            {text("Value"), true},
            {text("Status"), false},
            {text("Source"), false},
            {text("Seen"), false}};
}

Row figureRow(const search::FigureUse& figure) {
    Row row;
    row.cells = {words(figureLabel(figure.key)), name(figureText(figure.value, figure.unit)),
                 words(text(figure.status), toneOf(figure.status)), sourceCell(figure),
                 figure.observed.empty() ? notKnownCell() : name(figure.observed)};
    if (!figure.note.empty()) row.notes.push_back(verbatim(figure.note));
    return row;
}

Sources::Sources(const search::PlanRequest& request, const std::vector<CandidateView>& views)
    : candidates_(views.size()) {
    for (const search::FigureUse& figure : request.figures) add(figure, "");
    for (const CandidateView& view : views)
        for (const search::FigureUse& figure : view.request->figures)
            add(figure, view.request->name);
}

std::size_t Sources::indexOf(const search::FigureUse& figure) const {
    auto [begin, end] = byKey_.equal_range(keyOf(figure));
    for (auto it = begin; it != end; ++it)
        if (entries_[it->second].figure == figure) return it->second;
    return entries_.size();
}

void Sources::add(const search::FigureUse& figure, const std::string& user) {
    std::size_t index = indexOf(figure);
    if (index == entries_.size()) {
        entries_.push_back({figure, {}, "source-" + std::to_string(entries_.size() + 1)});
        byKey_.emplace(keyOf(figure), index);
    }
    std::vector<std::string>& users = entries_[index].usedBy;
    if (!user.empty() && std::find(users.begin(), users.end(), user) == users.end())
        users.push_back(user);
}

std::vector<std::string> Sources::find(const search::CandidateRequest& candidate,
                                       const std::vector<std::string_view>& kinds,
                                       const std::vector<std::string_view>& keyParts) const {
    std::vector<std::string> ids;
    for (const search::FigureUse& figure : candidate.figures) {
        if (std::find(kinds.begin(), kinds.end(), figure.kind) == kinds.end()) continue;
        auto holds = [&](std::string_view part) {
            return figure.key.find(part) != std::string::npos;
        };
        if (!keyParts.empty() && std::none_of(keyParts.begin(), keyParts.end(), holds)) continue;
        const std::string id = idOf(figure);
        if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
    }
    return ids;
}

std::string Sources::first(const search::CandidateRequest& candidate,
                           const std::vector<std::string_view>& kinds,
                           const std::vector<std::string_view>& keyParts) const {
    std::vector<std::string> ids = find(candidate, kinds, keyParts);
    return ids.empty() ? std::string{} : ids.front();
}

std::vector<const search::FigureUse*> Sources::withStatus(const search::CandidateRequest& candidate,
                                                          std::string_view status) const {
    std::vector<const search::FigureUse*> figures;
    for (const search::FigureUse& figure : candidate.figures)
        if (figure.status == status) figures.push_back(&figure);
    return figures;
}

std::string Sources::idOf(const search::FigureUse& figure) const {
    std::size_t index = indexOf(figure);
    return index < entries_.size() ? entries_[index].id : std::string{};
}

Table Sources::table() const {
    Table table;
    table.id = "sources-table";
    table.caption = text("Figures in use, by catalog row");
    table.columns = figureColumns();
    table.columns.push_back({text("Used by"), false});
    table.sortable = false;
    std::map<std::string, std::size_t> groups;  // "kind id" to its place in the table
    for (const Entry& entry : entries_) {
        const search::FigureUse& figure = entry.figure;
        const std::string group = figure.kind + "\n" + figure.id;
        auto [found, isNew] = groups.emplace(group, table.groups.size());
        if (isNew) table.groups.push_back({text("{1} {2}", figure.kind, figure.id), {}});

        std::string users;
        const bool isOfAll = candidates_ > 1 && entry.usedBy.size() == candidates_;
        if (!isOfAll)
            for (const std::string& user : entry.usedBy)
                users += (users.empty() ? "" : ", ") + user;
        Row row = figureRow(figure);
        row.id = entry.id;
        row.cells.push_back(users.empty() ? words(text("all")) : name(users));
        table.groups[found->second].rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace trainwright::reports
