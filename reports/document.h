// SPDX-License-Identifier: GPL-3.0-or-later
// A report as a tree: sections of paragraphs, lists, tables and charts, before any file format.
//
// A writer walks the tree and knows nothing of plans. Every sentence is a Text (a pattern with
// arguments) so that a translation can replace it; every number of a table carries its value and
// unit beside what is displayed, so that a spreadsheet gets numbers. Ids are unique in a document
// and are link targets.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/units/outcome.h"
#include "reports/chart_spec.h"

namespace trainwright::reports {

/// A sentence without arguments.
[[nodiscard]] inline Text text(std::string pattern) {
    return Text{std::move(pattern), {}};
}
/// A sentence with arguments: plain ones, or Texts that are translated with it.
template <typename... Arguments>
[[nodiscard]] Text text(std::string pattern, Arguments... arguments) {
    return Text{std::move(pattern), {Argument(std::move(arguments))...}};
}
/// A name or a formatted number, which is never translated; or the sentence that `words` are.
[[nodiscard]] Text verbatim(Argument words);

/// How a cell or paragraph is meant, for colour and glyph; never the only carrier of the meaning.
enum class Tone { Plain, Strong, Quiet, Good, Warning, Error, NotKnown, Override };

struct Cell {
    Text display;
    std::optional<double> number;  ///< raw, in `unit`; empty for words and for what is not known
    std::string unit;              ///< "USD", "d", "s", "GiB", …; empty for plain counts
    Tone tone = Tone::Plain;
    std::string link;  ///< id of a target in the document, or empty
    std::string url;   ///< an outside address, of HTML also a page of its site; or empty
};

[[nodiscard]] Cell words(Text display, Tone tone = Tone::Plain);
[[nodiscard]] Cell name(Argument display);
/// A number and its text. A value that is not finite becomes notKnownCell().
[[nodiscard]] Cell number(double value, std::string unit, Argument display);
[[nodiscard]] Cell notKnownCell();
[[nodiscard]] Cell doesNotApply();

/// Whether `url` is a page of the same site: names of letters, digits, points, hyphens and
/// underscores with slashes between them, none of them hidden, after any number of "../", and
/// ".html" at the end.
[[nodiscard]] bool isPageAddress(const std::string& url);

struct Column {
    Text title;
    bool numeric = false;
    bool key = false;   ///< names the row; stays in view when the table scrolls sideways
    int dropOrder = 0;  ///< where a format has no room for all, 1 goes first; 0 never goes
};

struct Row {
    std::vector<Cell> cells;
    std::vector<Text> notes;  ///< second lines: reasons
    std::string id;           ///< link target, or empty
    Tone tone = Tone::Plain;
    bool isTotal = false;  ///< of the rows above; a line stands before it
    std::string key = {};  ///< what the row is of, as a datum of a chart beside it; need not be
                           ///< unique
};

/// Rows under a heading of their own; a table has at least one group, which may have no title.
struct RowGroup {
    Text title;
    std::vector<Row> rows;
};

struct Table {
    std::string id;
    Text caption;
    std::vector<Column> columns;
    std::vector<RowGroup> groups;
    std::vector<Text> footnotes;
    bool sortable = true;
};

/// The column that names the rows: the one marked, else the first.
[[nodiscard]] std::size_t keyColumn(const Table& table);

struct Paragraph {
    Text text;
    Tone tone = Tone::Plain;
    std::vector<std::string> links;  ///< ids of sources it rests on
};

struct List {
    std::vector<Paragraph> items;
    bool ordered = false;
};

/// Name and value in two columns.
struct Facts {
    std::vector<std::pair<Text, Cell>> items;
};

struct Preformatted {
    std::string text;
};

struct Figure {
    ChartSpec chart;
};

using Block = std::variant<Paragraph, List, Facts, Table, Preformatted, Figure>;

struct Section {
    std::string id;
    Text title;
    Text answer;  ///< the subtitle: what the section says, in a sentence
    std::vector<Block> blocks;
    std::vector<Section> sections;
    bool folded = false;  ///< a reader opens it where the format can fold
    Text basis = {};      ///< what it rests on, in a line: "prices 2026-10-09 · grade B"
};

struct Document {
    std::string language = "en";
    Text title;                     ///< the scenario's own title
    Text kind;                      ///< "Trainwright report"
    Text generator;                 ///< program and version
    Cell up;                        ///< of HTML: a link to the page above, at the top; or empty
    std::vector<Paragraph> answer;  ///< the first page's sentences, in large type
    std::vector<Section> sections;  ///< the first belongs to the first page
};

/// Links that lead nowhere and ids used twice; empty when sound.
[[nodiscard]] std::vector<Finding> validate(const Document& document);

}  // namespace trainwright::reports
