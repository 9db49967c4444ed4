// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/charts/pdf.h"

#include <QBuffer>
#include <QFont>
#include <QFontMetricsF>
#include <QPageLayout>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QString>
#include <QStringList>
#include <QTextLayout>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "model/units/joined.h"
#include "reports/charts/canvas.h"
#include "reports/charts/pdf_navigation.h"
#include "reports/language.h"
#include "reports/utf8.h"

namespace trainwright::reports {
namespace {

constexpr int kResolution = 1200;
constexpr double kPoint = kResolution / 72.0;  ///< in device units, in which everything is laid out
constexpr double kCssPixel = kResolution / 96.0;

constexpr double kMargin = 42 * kPoint;
constexpr double kFooter = 24 * kPoint;
constexpr double kBody = 9;  // points
constexpr double kLeading = 1.35;
constexpr double kRowGap = 0.8 * kPoint;
constexpr double kCellGap = 5 * kPoint;
constexpr double kTableSizes[] = {7.5, 6.5, 5.75};  // points, tried in this order
constexpr double kWidestWord = 0.28;                // of the page: longer words are broken
constexpr double kSmallestScale = 0.75;             // of a chart that would else begin another page
constexpr double kSmallestOnFirst = 0.5;            // the first page is to stand alone
constexpr double kShortestTableTail = 4;            // lines of room below a table's header

QString words(const std::string& text) {
    return QString::fromStdString(validUtf8(withoutControls(text)));
}
QString words(const Text& text) {
    return words(text.english());
}

QColor ink(Role role) {
    const std::string_view light = colour(role).light;
    return QColor(QLatin1String(light.data(), static_cast<int>(light.size())));
}

Role roleOf(Tone tone) {
    switch (tone) {
        case Tone::Quiet:
        case Tone::NotKnown:
            return Role::SecondText;
        case Tone::Good:
            return Role::Good;
        case Tone::Warning:
            return Role::Warning;
        case Tone::Error:
            return Role::Error;
        case Tone::Override:
            return Role::Override;
        default:
            return Role::Text;
    }
}

bool isWebAddress(const std::string& url) {
    return url.rfind("https://", 0) == 0 || url.rfind("http://", 0) == 0;
}

struct Look {
    double points = kBody;
    bool isBold = false;
    bool isItalic = false;
    bool isFixed = false;
    Role role = Role::Text;
};

Look lookOf(Tone tone, double points = kBody) {
    return {points, tone == Tone::Strong || tone == Tone::Error, tone == Tone::NotKnown, false,
            roleOf(tone)};
}

constexpr Look kFigureTitle{10, true};
constexpr Look kQuiet{kBody, false, false, false, Role::SecondText};

struct Place {
    int page = 0;
    double y = 0;
};

/// A cell broken into lines.
struct Lines {
    QStringList lines;
    Look look;
    bool isRight = false;
    std::string link, url;
};

class Pages {
public:
    /// `total` pages are written in the footer; `targets` are those of an earlier pass.
    Pages(const Document& document, Paper paper, int total,
          const std::map<std::string, Place>& targets)
        : document_(document), total_(total), targets_(targets), writer_(&buffer_) {
        buffer_.open(QIODevice::WriteOnly);
        writer_.setResolution(kResolution);
        writer_.setPageSize(QPageSize(paper == Paper::A4 ? QPageSize::A4 : QPageSize::Letter));
        writer_.setPageMargins(QMarginsF(0, 0, 0, 0));
        writer_.setTitle(words(titleOf(document)));
        writer_.setCreator(words(document.generator));
        size_ = QSizeF(writer_.width(), writer_.height());
        painter_.begin(&writer_);
        footer();
        y_ = kMargin;
        write();
        painter_.end();
    }

    [[nodiscard]] int count() const { return page_ + 1; }
    [[nodiscard]] const std::map<std::string, Place>& found() const { return found_; }
    [[nodiscard]] std::optional<std::string> file() const {
        return charts::withNavigation(buffer_.data().toStdString(), outline_, links_,
                                      document_.language);
    }

private:
    static std::string titleOf(const Document& document) {
        return (document.title.empty() ? document.kind : document.title).english();
    }
    [[nodiscard]] double left() const { return kMargin; }
    [[nodiscard]] double right() const { return size_.width() - kMargin; }
    [[nodiscard]] double room() const { return right() - left(); }
    [[nodiscard]] double bottom() const { return size_.height() - kMargin - kFooter; }
    [[nodiscard]] double toPoints(double y) const { return (size_.height() - y) / kPoint; }

    static QFont font(const Look& look) {
        QFont font(look.isFixed ? QStringLiteral("DejaVu Sans Mono")
                                : QStringLiteral("DejaVu Sans"));
        font.setPixelSize(static_cast<int>(std::lround(look.points * kPoint)));
        font.setBold(look.isBold);
        font.setItalic(look.isItalic);
        font.setHintingPreference(QFont::PreferNoHinting);
        return font;
    }
    static double lineHeight(const Look& look) { return look.points * kPoint * kLeading; }
    static double widthOf(const QString& text, const Look& look) {
        return QFontMetricsF(font(look)).horizontalAdvance(text);
    }

    static QStringList wrapped(const QString& text, const Look& look, double width) {
        QStringList out;
        QTextLayout layout(text, font(look));
        QTextOption option;
        option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
        layout.setTextOption(option);
        layout.beginLayout();
        for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
            line.setLineWidth(width);
            out << text.mid(line.textStart(), line.textLength()).trimmed();
        }
        layout.endLayout();
        if (out.isEmpty()) out << QString();
        return out;
    }

    void draw(double x, double top, const QString& text, const Look& look) {
        if (text.isEmpty()) return;
        painter_.setFont(font(look));
        painter_.setPen(ink(look.role));
        const QFontMetricsF metrics(painter_.font());
        painter_.drawText(
            QPointF(x, top + (lineHeight(look) - metrics.height()) / 2 + metrics.ascent()), text);
    }

    void rule(double y, Role role, double points) {
        painter_.setPen(QPen(ink(role), points * kPoint));
        painter_.drawLine(QPointF(left(), y), QPointF(right(), y));
    }

    void footer() {
        const Look look{7.5, false, false, false, Role::SecondText};
        const double y = size_.height() - kMargin - lineHeight(look);
        const QString number = QStringLiteral("%1 / %2").arg(page_ + 1).arg(total_);
        const double wide = widthOf(number, look);
        draw(right() - wide, y, number, look);
        draw(
            left(), y,
            QFontMetricsF(font(look))
                .elidedText(words(titleOf(document_)), Qt::ElideRight, room() - wide - 20 * kPoint),
            look);
    }

    void newPage() {
        writer_.newPage();
        ++page_;
        footer();
        y_ = kMargin;
    }
    [[nodiscard]] bool isAtTop() const { return y_ <= kMargin + 1; }
    void ensure(double height) {
        if (y_ + height > bottom() && !isAtTop()) newPage();
    }
    void gap(double points) {
        if (!isAtTop()) y_ += points * kPoint;
    }

    void define(const std::string& id) {
        if (!id.empty()) found_.emplace(id, Place{page_, y_});
    }

    /// A box on this page leads to an address or to a target.
    void link(const QRectF& box, const std::string& id, const std::string& url) {
        charts::PdfLink link;
        link.page = page_;
        link.left = box.left() / kPoint;
        link.right = box.right() / kPoint;
        link.top = toPoints(box.top());
        link.bottom = toPoints(box.bottom());
        if (isWebAddress(url) && std::all_of(url.begin(), url.end(), [](char c) {
                return static_cast<unsigned char>(c) > 0x20 && static_cast<unsigned char>(c) < 0x7F;
            })) {
            link.url = url;
        } else {
            const auto target = targets_.find(id);
            if (id.empty() || target == targets_.end()) return;
            link.targetPage = target->second.page;
            link.targetTop = toPoints(target->second.y - 4 * kPoint);
        }
        links_.push_back(std::move(link));
    }

    /// Lines one below the other, over as many pages as they need.
    void flow(const QString& text, const Look& look, double indent = 0, const QString& mark = {}) {
        bool isFirst = true;
        for (const QString& line : wrapped(text, look, room() - indent)) {
            ensure(lineHeight(look));
            if (isFirst && !mark.isEmpty()) draw(left() + indent - 12 * kPoint, y_, mark, look);
            draw(left() + indent, y_, line, look);
            y_ += lineHeight(look);
            isFirst = false;
        }
    }

    void write() {
        flow(words(document_.kind), {8, false, false, false, Role::SecondText});
        flow(words(titleOf(document_)), {18, true});
        gap(4);
        rule(y_, Role::Text, 1.2);
        gap(4);
        for (const Paragraph& sentence : document_.answer) {
            flow(words(sentence.text), lookOf(sentence.tone, 12));
            gap(2);
        }
        gap(2);
        rule(y_, Role::Text, 1.2);
        gap(6);
        for (std::size_t s = 0; s < document_.sections.size(); ++s) {
            // The first page stands alone, unless its chart had no room on it.
            if (s == 1 && page_ == 0 && document_.sections.size() > 2) newPage();
            write(document_.sections[s], 0);
        }
        gap(10);
        flow(words(document_.generator), {7.5, false, false, false, Role::SecondText});
    }

    void write(const Section& section, int level) {
        const Look heading{level == 0 ? 14.0 : level == 1 ? 11.5 : 10.0, true};
        gap(level == 0 ? 16 : 10);
        // A heading doesn't stand alone at the foot of a page.
        const bool isTable =
            !section.blocks.empty() && std::holds_alternative<Table>(section.blocks.front());
        double follows = (isTable ? 5 + kShortestTableTail : 5) * lineHeight({});
        if (const Figure* first = firstFigure(section)) {
            // The answer, the headings of sections in between and the chart as small as it may be.
            const Picture drawn = picture(first->chart);
            follows = std::max(follows, 6 * lineHeight({}) + drawn.above +
                                            drawn.canvas->height() * drawn.scale * kSmallestScale);
        }
        ensure(std::min(lineHeight(heading) + follows, bottom() - kMargin));
        define(section.id);
        outline_.push_back({validUtf8(withoutControls(section.title.english())), level, page_,
                            toPoints(y_ - 2 * kPoint)});
        flow(words(section.title), heading);
        if (!section.answer.empty()) {
            flow(words(section.answer), {kBody, false, false, false, Role::SecondText});
            gap(2);
        }
        // What the first page hangs on stands before its charts, which take the room that is left.
        const bool isFirst = &section == &document_.sections.front();
        const auto isFigure = [](const Block& one) { return std::holds_alternative<Figure>(one); };
        const bool wasFolded = std::exchange(isFolded_, isFolded_ || section.folded);
        for (const Block& one : section.blocks)
            if (!isFirst || !isFigure(one)) std::visit([this](const auto& b) { block(b); }, one);
        for (const Section& inner : section.sections) write(inner, std::min(level + 1, 3));
        if (isFirst)
            for (const Block& one : section.blocks)
                if (isFigure(one)) std::visit([this](const auto& b) { block(b); }, one);
        isFolded_ = wasFolded;
    }

    static const Figure* firstFigure(const Section& section) {
        if (!section.blocks.empty()) {
            const Figure* figure = std::get_if<Figure>(&section.blocks.front());
            return figure != nullptr && validate(figure->chart).empty() ? figure : nullptr;
        }
        return section.sections.empty() ? nullptr : firstFigure(section.sections.front());
    }

    void block(const Paragraph& p) {
        flow(words(p.text), lookOf(p.tone));
        gap(3);
    }

    void block(const List& list) {
        int number = 0;
        for (const Paragraph& item : list.items)
            flow(words(item.text), lookOf(item.tone), 14 * kPoint,
                 list.ordered ? QStringLiteral("%1.").arg(++number) : QStringLiteral("•"));
        gap(3);
    }

    void block(const Facts& facts) {
        const Look label{kBody, false, false, false, Role::SecondText};
        double wide = 0;
        for (const auto& [name, cell] : facts.items)
            wide = std::max(wide, widthOf(words(name), label));
        wide = std::min(wide + 12 * kPoint, room() * 0.4);
        for (const auto& [name, cell] : facts.items) {
            const Look look = lookOf(cell.tone);
            const QStringList names = wrapped(words(name), label, wide - 6 * kPoint);
            const QStringList values = wrapped(words(cell.display), look, room() - wide);
            for (qsizetype i = 0; i < std::max(names.size(), values.size()); ++i) {
                ensure(lineHeight(look));
                if (i < names.size()) draw(left(), y_, names[i], label);
                if (i < values.size()) {
                    draw(left() + wide, y_, values[i], look);
                    link({left() + wide, y_, widthOf(values[i], look), lineHeight(look)}, cell.link,
                         cell.url);
                }
                y_ += lineHeight(look);
            }
        }
        gap(3);
    }

    void block(const Preformatted& pre) {
        const Look look{7, false, false, true};
        for (std::size_t from = 0; from < pre.text.size();) {
            const std::size_t end = std::min(pre.text.find('\n', from), pre.text.size());
            flow(words(pre.text.substr(from, end - from)), look);
            from = end + 1;
        }
        gap(3);
    }

    /// A chart as it will be drawn: heading, answer and picture.
    struct Picture {
        std::unique_ptr<charts::Canvas> canvas;
        double above = 0;  ///< of heading and answer
        double scale = kCssPixel;
        [[nodiscard]] double height() const { return above + canvas->height() * scale; }
    };

    [[nodiscard]] Picture picture(const ChartSpec& spec) const {
        Picture out;
        out.canvas = std::make_unique<charts::Canvas>(std::floor(room() / kCssPixel),
                                                      charts::Colours::Light);
        std::visit([&](const auto& chart) { charts::draw(*out.canvas, chart); }, spec.chart);
        out.above = lineHeight(kFigureTitle) + 6 * kPoint +
                    static_cast<double>(wrapped(words(spec.answer), kQuiet, room()).size()) *
                        lineHeight(kQuiet);
        // A chart taller than a page is made to fit one.
        const double most = bottom() - kMargin - out.above;
        out.scale = std::min(kCssPixel, most / std::max(out.canvas->height(), 1.0));
        return out;
    }

    void block(const Figure& figure) {
        const ChartSpec& spec = figure.chart;
        if (!validate(spec).empty()) return;
        Picture drawn = picture(spec);
        gap(8);
        // Rather a little smaller than on a page of its own.
        const double leftOver = bottom() - y_ - drawn.above;
        const double fitting = leftOver / std::max(drawn.canvas->height(), 1.0);
        const double least = kCssPixel * (page_ == 0 ? kSmallestOnFirst : kSmallestScale);
        if (fitting < drawn.scale && fitting >= least) drawn.scale = fitting;
        ensure(drawn.height());
        define(spec.id);
        flow(words(spec.question), kFigureTitle);
        flow(words(spec.answer), kQuiet);
        y_ += 4 * kPoint;
        const QSizeF size(drawn.canvas->width(), drawn.canvas->height());
        drawn.canvas->scene().render(&painter_, QRectF(QPointF(left(), y_), size * drawn.scale),
                                     QRectF(QPointF(0, 0), size));
        y_ += size.height() * drawn.scale + 6 * kPoint;
    }

    // ---- tables

    struct Grid {
        std::vector<std::size_t> columns;  ///< those that are shown
        std::vector<double> widths;
        double points = kTableSizes[0];
        std::vector<std::size_t> leftOut;
    };

    /// Widths of a column: as wide as its text, and as narrow as its longest word.
    struct Extent {
        double natural = 0, least = 0;
    };

    [[nodiscard]] Extent extentOf(const Table& table, std::size_t c, double points) const {
        Extent extent;
        const double most = room() * kWidestWord;
        const auto take = [&](const QString& text, const Look& look, bool breaks) {
            const double whole = widthOf(text, look);
            extent.natural = std::max(extent.natural, whole);
            double longest = breaks ? 0 : whole;
            if (breaks)
                for (const QString& word : text.split(QLatin1Char(' ')))
                    longest = std::max(longest, widthOf(word, look));
            extent.least = std::max(extent.least, std::min(longest, most));
        };
        take(words(table.columns[c].title), {points, true}, true);
        for (const RowGroup& group : table.groups)
            for (const Row& row : group.rows)
                if (c < row.cells.size())
                    take(words(row.cells[c].display), cellLook(row, row.cells[c], points),
                         !row.cells[c].number);
        return extent;
    }

    static Look cellLook(const Row& row, const Cell& cell, double points) {
        Look look = lookOf(cell.tone == Tone::Plain ? row.tone : cell.tone, points);
        look.isBold = look.isBold || row.isTotal;
        return look;
    }

    [[nodiscard]] std::optional<std::vector<double>> widths(const Table& table,
                                                            const std::vector<std::size_t>& columns,
                                                            double points) const {
        std::vector<Extent> extents;
        double least = 0, natural = 0;
        for (std::size_t c : columns) {
            extents.push_back(extentOf(table, c, points));
            least += extents.back().least;
            natural += extents.back().natural;
        }
        const double room =
            this->room() - kCellGap * static_cast<double>(columns.empty() ? 0 : columns.size() - 1);
        if (least > room) return std::nullopt;
        std::vector<double> out;
        // What the shortest form leaves over goes to those that would like more, by how much more.
        const double share =
            natural > least ? std::min(1.0, (room - least) / (natural - least)) : 1.0;
        for (const Extent& extent : extents)
            out.push_back(extent.least + (extent.natural - extent.least) * share);
        return out;
    }

    [[nodiscard]] Grid gridOf(const Table& table) const {
        Grid grid;
        for (std::size_t c = 0; c < table.columns.size(); ++c) grid.columns.push_back(c);
        for (;;) {
            for (double points : kTableSizes) {
                if (isFolded_ && points == kTableSizes[0]) continue;
                if (auto fitting = widths(table, grid.columns, points)) {
                    grid.points = points;
                    grid.widths = std::move(*fitting);
                    return grid;
                }
            }
            const auto next = std::min_element(
                grid.columns.begin(), grid.columns.end(), [&](std::size_t a, std::size_t b) {
                    const auto order = [&](std::size_t c) {
                        const int drop = table.columns[c].dropOrder;
                        return drop > 0 ? drop : 1000 - static_cast<int>(c);
                    };
                    return order(a) < order(b);
                });
            if (grid.columns.size() <= 2) {
                grid.points = kTableSizes[2];
                grid.widths.assign(grid.columns.size(),
                                   (room() - kCellGap) / static_cast<double>(grid.columns.size()));
                return grid;
            }
            grid.leftOut.push_back(*next);
            grid.columns.erase(next);
        }
    }

    void header(const Table& table, const Grid& grid) {
        std::vector<Lines> cells;
        for (std::size_t i = 0; i < grid.columns.size(); ++i) {
            const Column& column = table.columns[grid.columns[i]];
            Lines cell;
            cell.look = {grid.points, true, false, false, Role::SecondText};
            cell.lines = wrapped(words(column.title), cell.look, grid.widths[i]);
            cell.isRight = column.numeric;
            cells.push_back(std::move(cell));
        }
        // Titles stand right above the line below them.
        qsizetype most = 1;
        for (const Lines& cell : cells) most = std::max(most, cell.lines.size());
        for (Lines& cell : cells)
            while (cell.lines.size() < most) cell.lines.prepend(QString());
        drawCells(cells, grid, 0, most);
        y_ += 1.5 * kPoint;
        rule(y_, Role::Axis, 0.8);
        y_ += 1.5 * kPoint;
    }

    /// The lines [from, to) of each cell.
    void drawCells(const std::vector<Lines>& cells, const Grid& grid, qsizetype from,
                   qsizetype to) {
        double x = left();
        const double line = grid.points * kPoint * kLeading;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const Lines& cell = cells[i];
            for (qsizetype n = from; n < std::min(to, cell.lines.size()); ++n) {
                const double wide = widthOf(cell.lines[n], cell.look);
                // Words of several lines are read from the left, also among numbers.
                const double at =
                    cell.isRight && cell.lines.size() == 1 ? x + grid.widths[i] - wide : x;
                const double top = y_ + static_cast<double>(n - from) * line;
                draw(at, top, cell.lines[n], cell.look);
                if (!cell.lines[n].isEmpty()) link({at, top, wide, line}, cell.link, cell.url);
            }
            x += grid.widths[i] + kCellGap;
        }
        y_ += static_cast<double>(to - from) * line;
    }

    [[nodiscard]] double headerHeight(const Table& table, const Grid& grid) const {
        qsizetype most = 1;
        for (std::size_t i = 0; i < grid.columns.size(); ++i)
            most = std::max(most, wrapped(words(table.columns[grid.columns[i]].title),
                                          {grid.points, true}, grid.widths[i])
                                      .size());
        return static_cast<double>(most) * grid.points * kPoint * kLeading + 3 * kPoint;
    }

    void block(const Table& table) {
        if (table.columns.empty()) return;
        const Grid grid = gridOf(table);
        const double line = grid.points * kPoint * kLeading;
        const Look caption{kBody, true};
        const Look small{7, false, false, false, Role::SecondText};
        gap(6);
        ensure(lineHeight(caption) + headerHeight(table, grid) + kShortestTableTail * line);
        define(table.id);
        if (!table.caption.empty()) flow(words(table.caption), caption);
        header(table, grid);
        const auto next = [&] {
            newPage();
            header(table, grid);
        };
        for (const RowGroup& group : table.groups) {
            if (!group.title.empty()) {
                if (y_ + 3 * line > bottom()) next();
                y_ += 2 * kPoint;
                for (const QString& part :
                     wrapped(words(group.title), {grid.points, true}, room())) {
                    draw(left(), y_, part, {grid.points, true});
                    y_ += line;
                }
            }
            for (const Row& row : group.rows) write(row, table, grid, next);
        }
        y_ += 2 * kPoint;
        for (const Text& note : table.footnotes) flow(words(note), small);
        if (!grid.leftOut.empty()) {
            std::vector<Text> names;
            for (std::size_t c : grid.leftOut) names.push_back(table.columns[c].title);
            const Language language =
                languageFromCode(document_.language).value_or(Language::English);
            flow(
                words(translated(text("No room here for the columns {1}: the HTML report has them.",
                                      joined(names)),
                                 language)),
                small);
        }
        gap(4);
    }

    template <typename Next>
    void write(const Row& row, const Table& table, const Grid& grid, const Next& next) {
        std::vector<Lines> cells;
        qsizetype most = 1;
        for (std::size_t i = 0; i < grid.columns.size(); ++i) {
            const std::size_t c = grid.columns[i];
            Lines cell;
            if (c < row.cells.size()) {
                cell.look = cellLook(row, row.cells[c], grid.points);
                cell.lines = wrapped(words(row.cells[c].display), cell.look, grid.widths[i] + 1);
                cell.link = row.cells[c].link;
                cell.url = row.cells[c].url;
            }
            cell.isRight = table.columns[c].numeric;
            most = std::max(most, cell.lines.size());
            cells.push_back(std::move(cell));
        }
        const double line = grid.points * kPoint * kLeading;
        const Look note{grid.points, false, false, false, Role::SecondText};
        std::vector<QStringList> notes;
        double height = static_cast<double>(most) * line;
        for (const Text& one : row.notes) {
            notes.push_back(wrapped(words(one), note, room() - 8 * kPoint));
            height += static_cast<double>(notes.back().size()) * line;
        }
        const double page = bottom() - kMargin - headerHeight(table, grid) - 2 * line;
        if (y_ + height > bottom() && height <= page) next();
        if (row.isTotal) rule(y_, Role::Axis, 0.6);
        define(row.id);
        for (qsizetype from = 0; from < most;) {
            auto fitting = static_cast<qsizetype>(std::floor((bottom() - y_) / line));
            if (fitting < 1) {
                next();
                fitting = std::max<qsizetype>(
                    1, static_cast<qsizetype>(std::floor((bottom() - y_) / line)));
            }
            const qsizetype to = std::min(most, from + fitting);
            drawCells(cells, grid, from, to);
            from = to;
        }
        for (const QStringList& one : notes)
            for (const QString& part : one) {
                if (y_ + line > bottom()) next();
                draw(left() + 8 * kPoint, y_, part, note);
                y_ += line;
            }
        y_ += kRowGap;
        rule(y_, Role::Grid, 0.4);
        y_ += kRowGap;
    }

    const Document& document_;
    int total_;
    const std::map<std::string, Place>& targets_;
    QBuffer buffer_;
    QPdfWriter writer_;
    QPainter painter_;
    QSizeF size_;
    int page_ = 0;
    double y_ = 0;
    bool isFolded_ = false;  ///< in an appendix, which is set smaller
    std::map<std::string, Place> found_;
    std::vector<charts::PdfHeading> outline_;
    std::vector<charts::PdfLink> links_;
};

}  // namespace

Outcome<std::string> pdf(const Document& document, Paper paper) {
    // The first pass finds how many pages there are and where what is linked to stands.
    const Pages measured(document, paper, 1, {});
    const Pages pages(document, paper, measured.count(), measured.found());
    std::optional<std::string> file = pages.file();
    if (!file)
        return Finding{Severity::Error,
                       text("This version of Qt writes PDF in a way that no outline can be added "
                            "to; HTML prints alike."),
                       {}};
    return std::move(*file);
}

}  // namespace trainwright::reports
