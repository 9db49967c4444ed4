// SPDX-License-Identifier: GPL-3.0-or-later
// A document as an Excel workbook.
//
// A sheet holds the tables of one section. Where all numbers of a column share a unit it stands in
// the header, else in a column of its own. What a cell shows beside its number (a band, a glyph)
// stands in a column "as shown". The library writes to a file, so that the bytes take the way
// through a temporary one.
#include <fmt/format.h>
#include <unistd.h>
#include <xlsxwriter.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>

#include "reports/palette.h"
#include "reports/utf8.h"
#include "reports/writers.h"

namespace trainwright::reports {
namespace {

constexpr std::size_t kLongestSheetName = 31;
constexpr std::size_t kLongestString = 32767;  // of a cell, as Excel has it
constexpr std::size_t kLongestUrl = 2000;
constexpr std::size_t kWidestColumn = 60;
constexpr std::size_t kNarrowestColumn = 9;
constexpr time_t kCreated = 946684800;  // 2000-01-01: the same inputs give the same bytes

std::string clean(std::string_view raw) {
    std::string text = validUtf8(raw);
    std::replace_if(
        text.begin(), text.end(),
        [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n'; }, ' ');
    if (text.size() <= kLongestString) return text;
    std::size_t end = kLongestString;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    return text.substr(0, end);
}

std::string clean(const Text& text) {
    return clean(text.english());
}

lxw_color_t rgb(Role role) {
    return static_cast<lxw_color_t>(
        std::strtoul(std::string(colour(role).light.substr(1)).c_str(), nullptr, 16));
}

std::string numberFormat(double value, const std::string& unit) {
    if (unit == "USD") return std::abs(value) < 100 ? "#,##0.00" : "#,##0";
    if (unit.rfind("USD/", 0) == 0) return "#,##0.0000";
    const double size = std::abs(value);
    if (value == std::round(value) && size < 1e15) return "#,##0";
    if (size >= 1e15) return "0.000E+00";
    if (size >= 1000) return "#,##0";
    if (size >= 1) return "#,##0.00";
    return size >= 0.001 ? "0.0000" : "0.000E+00";
}

/// How a column of a table is laid out in the sheet.
struct ColumnPlan {
    std::string header;
    bool hasUnits = false;  ///< a column of units follows
    bool hasShown = false;  ///< a column of what is shown follows
    bool isNumeric = false;
};

/// A column's title with the unit of its numbers, which are whole: millions of a title go.
std::string withUnit(std::string title, const std::string& unit) {
    if (title.ends_with("M " + unit)) title.resize(title.size() - unit.size() - 2);
    while (title.ends_with(' ')) title.pop_back();
    if (title == unit || title.ends_with(" " + unit)) return title;
    return title.empty() ? unit : fmt::format("{} [{}]", title, unit);
}

bool saysMore(const std::string& shown) {
    return shown.find("–") != std::string::npos || shown.find('(') != std::string::npos;
}

std::vector<ColumnPlan> columnsOf(const Table& table) {
    std::vector<ColumnPlan> plans;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        ColumnPlan plan{clean(table.columns[c].title)};
        std::set<std::string> units;
        for (const RowGroup& group : table.groups)
            for (const Row& row : group.rows)
                if (c < row.cells.size() && row.cells[c].number) {
                    units.insert(row.cells[c].unit);
                    plan.hasShown = plan.hasShown || saysMore(row.cells[c].display.english());
                }
        if (units.size() > 1)
            plan.hasUnits = true;
        else if (units.size() == 1 && !units.begin()->empty())
            plan.header = withUnit(plan.header, *units.begin());
        plan.isNumeric = table.columns[c].numeric;
        plans.push_back(std::move(plan));
    }
    return plans;
}

bool hasNotes(const Table& table) {
    for (const RowGroup& group : table.groups)
        for (const Row& row : group.rows)
            if (!row.notes.empty()) return true;
    return false;
}

class Writer {
public:
    Writer(const Document& document, const std::optional<Assumptions>& assumptions)
        : document_(document), assumptions_(assumptions) {}

    /// False where the library could not write the file.
    bool write(const std::string& file) {
        nameSheets();
        walk();  // without a workbook: finds where every target of a link will stand
        book_ = workbook_new(file.c_str());
        if (book_ == nullptr) return false;
        std::string title =
            clean((document_.title.empty() ? document_.kind : document_.title).english());
        std::string generator = clean(document_.generator);
        lxw_doc_properties properties{};
        properties.title = title.data();
        properties.comments = generator.data();
        properties.created = kCreated;
        workbook_set_properties(book_, &properties);
        walk();
        return workbook_close(book_) == LXW_NO_ERROR;
    }

private:
    struct Target {
        std::string sheet;
        lxw_row_t row = 0;
    };

    std::string freeName(const std::string& wanted) {
        std::string base = clean(wanted);
        for (char& c : base)
            if (std::string_view("[]:*?/\\'\n").find(c) != std::string_view::npos) c = ' ';
        const auto cut = [](std::string text, std::size_t most) {
            // Excel counts characters; bytes are never fewer.
            std::size_t end = std::min(text.size(), most);
            while (end < text.size() && end > 0 &&
                   (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
                --end;
            return text.substr(0, end);
        };
        base = cut(base, kLongestSheetName);
        while (!base.empty() && base.back() == ' ') base.pop_back();
        if (base.empty()) base = "Sheet";
        std::string name = base;
        const auto key = [](std::string text) {
            std::transform(text.begin(), text.end(), text.begin(), [](char c) {
                return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
            });
            return text;
        };
        for (int n = 2; !taken_.insert(key(name)).second; ++n) {
            const std::string tail = fmt::format(" {}", n);
            name = cut(base, kLongestSheetName - tail.size()) + tail;
        }
        return name;
    }

    void nameSheets() {
        summary_ = freeName(text("Summary").english());
        if (assumptions_) assumed_ = freeName(text("Assumptions").english());
        for (const Section& section : document_.sections)
            names_.push_back(freeName(section.title.english()));
    }

    void walk() {
        summary();
        if (assumptions_) assumptions();
        for (std::size_t s = 0; s < document_.sections.size(); ++s) {
            begin(names_[s]);
            const std::size_t tables = countTables(document_.sections[s]);
            write(document_.sections[s], true, tables == 1);
            finish(tables);
        }
    }

    static std::size_t countTables(const Section& section) {
        std::size_t count = 0;
        for (const Block& one : section.blocks) count += std::holds_alternative<Table>(one) ? 1 : 0;
        for (const Section& inner : section.sections) count += countTables(inner);
        return count;
    }

    void begin(const std::string& name) {
        name_ = name;
        row_ = 0;
        widths_.clear();
        frozen_ = 0;
        sheet_ = book_ == nullptr ? nullptr : workbook_add_worksheet(book_, name.c_str());
    }

    void finish(std::size_t tables) {
        if (sheet_ == nullptr) return;
        for (const auto& [column, width] : widths_)
            worksheet_set_column(
                sheet_, column, column,
                static_cast<double>(std::clamp(width + 2, kNarrowestColumn, kWidestColumn)),
                nullptr);
        if (tables == 1 && frozen_ > 0) worksheet_freeze_panes(sheet_, frozen_, 1);
        worksheet_set_landscape(sheet_);
        worksheet_set_paper(sheet_, 9);  // A4
        worksheet_fit_to_pages(sheet_, 1, 0);
        if (frozen_ > 0 && tables == 1) worksheet_repeat_rows(sheet_, frozen_ - 1, frozen_ - 1);
    }

    enum class Fit { Left, Right, Wrapped };

    /// One format for each look, made once.
    lxw_format* look(const std::string& numbers, Tone tone = Tone::Plain, bool isHeader = false,
                     bool isTotal = false, Fit fit = Fit::Left, bool isLink = false) {
        if (book_ == nullptr) return nullptr;
        const std::string key = fmt::format("{}|{}|{}|{}|{}|{}", numbers, static_cast<int>(tone),
                                            isHeader, isTotal, static_cast<int>(fit), isLink);
        lxw_format*& format = looks_[key];
        if (format != nullptr) return format;
        format = workbook_add_format(book_);
        // A gap as wide as a bracket, to what stands on the right.
        if (!numbers.empty()) format_set_num_format(format, (numbers + "_)").c_str());
        format_set_align(format, LXW_ALIGN_VERTICAL_TOP);
        if (fit == Fit::Right) format_set_align(format, LXW_ALIGN_RIGHT);
        if (fit == Fit::Wrapped) format_set_text_wrap(format);
        if (isHeader) {
            format_set_bold(format);
            format_set_text_wrap(format);
            format_set_bottom(format, LXW_BORDER_THIN);
            format_set_bg_color(format, rgb(Role::Panel));
        }
        if (isTotal) {
            format_set_bold(format);
            format_set_top(format, LXW_BORDER_THIN);
        }
        if (isLink) {
            format_set_font_color(format, rgb(Role::Focus));
            format_set_underline(format, LXW_UNDERLINE_SINGLE);
        }
        switch (tone) {
            case Tone::Plain:
                break;
            case Tone::Strong:
                format_set_bold(format);
                break;
            case Tone::Quiet:
                format_set_font_color(format, rgb(Role::SecondText));
                break;
            case Tone::Good:
                format_set_font_color(format, rgb(Role::Good));
                break;
            case Tone::Warning:
                format_set_font_color(format, rgb(Role::Warning));
                break;
            case Tone::Error:
                format_set_bold(format);
                format_set_font_color(format, rgb(Role::Error));
                break;
            case Tone::NotKnown:
                format_set_italic(format);
                format_set_font_color(format, rgb(Role::SecondText));
                break;
            case Tone::Override:
                format_set_font_color(format, rgb(Role::Override));
                break;
        }
        return format;
    }

    void put(lxw_col_t column, const std::string& words, lxw_format* format, bool counts = true) {
        if (counts) {
            std::size_t longest = 0, run = 0;
            for (std::size_t from = 0; from <= words.size(); from = run + 1) {
                run = std::min(words.find('\n', from), words.size());
                longest = std::max(longest, columns(words.substr(from, run - from)));
            }
            widths_[column] = std::max(widths_[column], longest);
        }
        if (sheet_ != nullptr && !words.empty())
            worksheet_write_string(sheet_, row_, column, words.c_str(), format);
    }

    void line(const std::string& words, Tone tone = Tone::Plain) {
        put(0, words, look("", tone), false);
        ++row_;
    }

    void link(lxw_col_t column, const std::string& address, const std::string& words) {
        widths_[column] = std::max(widths_[column], columns(words));
        if (sheet_ == nullptr) return;
        worksheet_write_url_opt(sheet_, row_, column, address.c_str(),
                                look("", Tone::Plain, false, false, Fit::Left, true), words.c_str(),
                                nullptr);
    }

    void put(lxw_col_t column, const Cell& cell, const Row& row) {
        const Tone tone = cell.tone == Tone::Plain ? row.tone : cell.tone;
        const std::string shown = clean(cell.display);
        if (cell.number) {
            if (sheet_ != nullptr)
                worksheet_write_number(
                    sheet_, row_, column, *cell.number,
                    look(numberFormat(*cell.number, cell.unit), tone, false, row.isTotal));
            widths_[column] = std::max<std::size_t>(widths_[column], 12);
            return;
        }
        const bool isWeb = cell.url.rfind("https://", 0) == 0 || cell.url.rfind("http://", 0) == 0;
        if (isWeb && cell.url.size() < kLongestUrl && !shown.empty()) {
            link(column, clean(cell.url), shown.substr(0, 250));
            return;
        }
        const auto target = targets_.find(cell.link);
        if (!cell.link.empty() && target != targets_.end() && !shown.empty()) {
            link(column,
                 fmt::format("internal:'{}'!A{}", target->second.sheet, target->second.row + 1),
                 shown);
            return;
        }
        put(column, shown,
            look("", tone, false, row.isTotal,
                 columns(shown) > kWidestColumn ? Fit::Wrapped : Fit::Left));
    }

    void summary() {
        begin(summary_);
        line(clean((document_.title.empty() ? document_.kind : document_.title).english()),
             Tone::Strong);
        for (const Paragraph& sentence : document_.answer) line(clean(sentence.text));
        ++row_;
        if (assumptions_) {
            link(0, fmt::format("internal:'{}'!A1", assumed_), assumed_);
            put(1, clean(text("What the days and dollars are made of: change a value and see.")),
                look(""), false);
            ++row_;
        }
        for (std::size_t s = 0; s < document_.sections.size(); ++s) {
            link(0, fmt::format("internal:'{}'!A1", names_[s]), names_[s]);
            put(1, clean(document_.sections[s].answer), look(""), false);
            ++row_;
        }
        ++row_;
        line(clean(document_.generator), Tone::Quiet);
        finish(0);
    }

    static std::string cellName(lxw_row_t row, lxw_col_t column) {
        std::array<char, LXW_MAX_CELL_NAME_LENGTH> name{};
        lxw_rowcol_to_cell(name.data(), row, column);
        return name.data();
    }

    void assumptions() {
        begin(assumed_);
        const Assumptions& a = *assumptions_;
        const auto count = static_cast<lxw_col_t>(a.candidates.size());
        line(
            clean(text("Values in blue are typed in; the others follow from them. A value "
                       "that its formula doesn't give (a cluster that grows, several purchases, "
                       "whole weeks billed) stands as a number.")));
        ++row_;
        put(0, "", look(""));
        for (lxw_col_t c = 0; c < count; ++c)
            put(static_cast<lxw_col_t>(c + 1), clean(a.candidates[c]),
                look("", Tone::Plain, true, false, Fit::Right));
        put(0, clean(text("Quantity")), look("", Tone::Plain, true));
        put(static_cast<lxw_col_t>(count + 1), clean(text("What it is")),
            look("", Tone::Plain, true), false);
        const lxw_row_t header = row_;
        frozen_ = ++row_;
        std::map<std::string, lxw_row_t> rows;
        for (const AssumedValue& value : a.rows)
            rows.emplace(value.key, row_ + static_cast<lxw_row_t>(rows.size()));
        for (const AssumedValue& value : a.rows) {
            put(0, clean(value.label), look(""));
            for (lxw_col_t c = 0; c < count; ++c) {
                const auto column = static_cast<lxw_col_t>(c + 1);
                widths_[column] = std::max<std::size_t>(widths_[column], 14);
                if (sheet_ == nullptr) continue;
                const std::optional<double>& number = value.values[c];
                if (!number) {
                    worksheet_write_string(sheet_, row_, column, clean(text("not known")).c_str(),
                                           look("", Tone::NotKnown));
                } else if (value.follows[c]) {
                    std::string formula = "=" + value.formula;
                    for (const auto& [key, at] : rows) {
                        const std::string named = "{" + key + "}";
                        for (std::size_t from = 0;
                             (from = formula.find(named, from)) != std::string::npos;)
                            formula.replace(from, named.size(), cellName(at, column));
                    }
                    worksheet_write_formula_num(sheet_, row_, column, formula.c_str(),
                                                look(value.format), *number);
                } else {
                    worksheet_write_number(sheet_, row_, column, *number, typedIn(value.format));
                }
            }
            put(static_cast<lxw_col_t>(count + 1), clean(value.note), look("", Tone::Quiet), false);
            ++row_;
        }
        widths_[static_cast<lxw_col_t>(count + 1)] = kWidestColumn;
        if (sheet_ != nullptr && count > 0) {
            chart(rows.at("days"), header, count, "Time of the run (d)", 0);
            chart(rows.at("total_usd"), header, count, "Cost of the run (USD)", 1);
        }
        finish(1);
    }

    lxw_format* typedIn(const std::string& numbers) {
        lxw_format*& format = looks_["typed|" + numbers];
        if (format != nullptr) return format;
        format = workbook_add_format(book_);
        format_set_num_format(format, numbers.c_str());
        format_set_font_color(format, rgb(Role::Focus));
        format_set_bg_color(format, rgb(Role::Panel));
        return format;
    }

    void chart(lxw_row_t values, lxw_row_t header, lxw_col_t count, const char* title, int place) {
        lxw_chart* chart = workbook_add_chart(book_, LXW_CHART_COLUMN);
        lxw_chart_series* series = chart_add_series(chart, nullptr, nullptr);
        chart_series_set_categories(series, assumed_.c_str(), header, 1, header, count);
        chart_series_set_values(series, assumed_.c_str(), values, 1, values, count);
        lxw_chart_fill fill{};
        fill.color = rgb(place == 0 ? Role::Compute : Role::Slate2);
        chart_series_set_fill(series, &fill);
        chart_series_set_labels(series);
        chart_title_set_name(chart, clean(text(title)).c_str());
        chart_legend_set_position(chart, LXW_CHART_LEGEND_NONE);
        chart_axis_set_min(chart->y_axis, 0);
        lxw_chart_options options{};
        std::string says = clean(text(title));
        options.description = says.data();
        worksheet_insert_chart_opt(sheet_, static_cast<lxw_row_t>(row_ + 2 + place * 16), 0, chart,
                                   &options);
    }

    void target(const std::string& id) {
        if (!id.empty()) targets_[id] = {name_, row_};
    }

    void write(const Section& section, bool isFirst, bool isAlone) {
        target(section.id);
        if (!isFirst) ++row_;
        line(clean(section.title), Tone::Strong);
        if (!section.answer.empty()) line(clean(section.answer));
        for (const Block& one : section.blocks)
            std::visit([&](const auto& b) { block(b, isAlone); }, one);
        for (const Section& inner : section.sections) write(inner, false, isAlone);
    }

    void block(const Paragraph& p, bool) { line(clean(p.text), p.tone); }
    void block(const List& list, bool) {
        for (const Paragraph& item : list.items) line("• " + clean(item.text), item.tone);
    }
    void block(const Facts& facts, bool) {
        for (const auto& [label, cell] : facts.items) {
            put(0, clean(label), look("", Tone::Quiet));
            put(1, cell, Row{});
            if (cell.number && !cell.unit.empty()) put(2, clean(cell.unit), look("", Tone::Quiet));
            ++row_;
        }
    }
    void block(const Preformatted& pre, bool) {
        for (std::size_t from = 0; from < pre.text.size();) {
            const std::size_t end = std::min(pre.text.find('\n', from), pre.text.size());
            line(clean(pre.text.substr(from, end - from)));
            from = end + 1;
        }
    }
    void block(const Figure& figure, bool) {
        target(figure.chart.id);
        line(clean(figure.chart.question), Tone::Strong);
        line(clean(figure.chart.answer));
    }

    void block(const Table& table, bool isAlone) {
        ++row_;
        target(table.id);
        if (!table.caption.empty()) line(clean(table.caption), Tone::Strong);
        const std::vector<ColumnPlan> plans = columnsOf(table);
        const bool hasGroups = std::any_of(table.groups.begin(), table.groups.end(),
                                           [](const RowGroup& g) { return !g.title.empty(); });
        const bool notes = hasNotes(table);
        lxw_col_t column = 0;
        const auto head = [&](const std::string& words, bool isRight = false) {
            put(column++, words,
                look("", Tone::Plain, true, false, isRight ? Fit::Right : Fit::Left));
        };
        for (const ColumnPlan& plan : plans) {
            head(plan.header, plan.isNumeric);
            if (plan.hasUnits) head(clean(text("unit")));
            if (plan.hasShown) head(clean(text("as shown")));
        }
        if (hasGroups) head(clean(text("group")));
        if (notes) head(clean(text("notes")));
        const lxw_row_t headerRow = row_;
        ++row_;
        if (isAlone) frozen_ = row_;
        for (const RowGroup& group : table.groups)
            for (const Row& row : group.rows) {
                target(row.id);
                column = 0;
                for (std::size_t c = 0; c < row.cells.size() && c < plans.size(); ++c) {
                    const Cell& cell = row.cells[c];
                    put(column++, cell, row);
                    if (plans[c].hasUnits)
                        put(column++, cell.number ? clean(cell.unit) : "", look("", Tone::Quiet));
                    if (plans[c].hasShown)
                        put(column++, cell.number ? clean(cell.display) : "",
                            look("", Tone::Quiet));
                }
                if (hasGroups) put(column++, clean(group.title), look("", Tone::Quiet));
                if (notes) {
                    // In one line, so that rows stay as high as they are; nothing stands behind it.
                    std::string all;
                    for (const Text& note : row.notes)
                        all += (all.empty() ? "" : " · ") + clean(note);
                    put(column++, all, look("", Tone::Quiet));
                }
                ++row_;
            }
        if (isAlone && sheet_ != nullptr && table.sortable && row_ > headerRow + 1 && column > 0)
            worksheet_autofilter(sheet_, headerRow, 0, row_ - 1,
                                 static_cast<lxw_col_t>(column - 1));
        for (const Text& note : table.footnotes) line(clean(note), Tone::Quiet);
    }

    const Document& document_;
    const std::optional<Assumptions>& assumptions_;
    lxw_workbook* book_ = nullptr;
    lxw_worksheet* sheet_ = nullptr;
    std::set<std::string> taken_;
    std::string summary_, assumed_, name_;
    std::vector<std::string> names_;
    std::map<std::string, Target> targets_;
    std::map<std::string, lxw_format*> looks_;
    std::map<lxw_col_t, std::size_t> widths_;
    lxw_row_t row_ = 0;
    lxw_row_t frozen_ = 0;
};

}  // namespace

Outcome<std::string> xlsx(const Document& document, const std::optional<Assumptions>& assumptions) {
    namespace fs = std::filesystem;
    const auto failed = [](const std::string& folder) {
        return Finding{Severity::Error,
                       text("The workbook needs room for a temporary file in {1}.", folder),
                       {}};
    };
    std::error_code error;
    const fs::path folder = fs::temp_directory_path(error);
    if (error) return failed("/tmp");
    std::string file = (folder / "trainwright-XXXXXX").string();
    const int descriptor = ::mkstemp(file.data());
    if (descriptor < 0) return failed(folder.string());
    ::close(descriptor);
    const bool isWritten = Writer(document, assumptions).write(file);
    std::string bytes;
    if (isWritten) {
        std::ifstream in(file, std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(in), {});
    }
    fs::remove(file, error);
    if (!isWritten || bytes.empty()) return failed(folder.string());
    return bytes;
}

}  // namespace trainwright::reports
