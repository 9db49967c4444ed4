// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QTimer>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "reports/charts/draw.h"
#include "ui/look/look.h"

namespace trainwright::ui {
namespace {

using reports::charts::Canvas;
using reports::charts::Colours;
using reports::charts::HotRegion;

constexpr double kReach = 24;  // pixels from which the nearest datum is taken
constexpr int kLeastWidth = 260;
constexpr int kPreferredWidth = 720;
constexpr double kWheelStep = 120;  // of a wheel that clicks
constexpr double kZoomStep = 1.6;
constexpr double kPictureScale = 2;
/// A chart takes longer to draw than a frame lasts: while an edge is dragged it follows this often.
constexpr std::chrono::milliseconds kRefit{40};

double distanceTo(const QRectF& box, QPointF point) {
    const double x = std::clamp(point.x(), box.left(), box.right());
    const double y = std::clamp(point.y(), box.top(), box.bottom());
    return std::hypot(x - point.x(), y - point.y());
}

/// What lies over what: of two boxes that hold the point the smaller is meant.
double areaOf(const QRectF& box) {
    return box.width() * box.height();
}

QRectF scaled(const QRectF& box, double by) {
    return {box.topLeft() * by, box.size() * by};
}

}  // namespace

struct ChartView::Private {
    std::unique_ptr<Canvas> canvas;  ///< drawn as wide as the widget
    QPixmap picture;
    std::vector<std::size_t> order;  ///< data of the canvas's regions, in reading order
    int current = -1;                ///< into order
    int hovered = -1;
    QString chosen;
    std::vector<int> faint;
    QHash<QString, QStringList> rowLines;
    QHash<QString, QString> rowsTsv;
    double from = 0, to = 0;  ///< of a Gantt chart
    QPointF pressed;
    double pressedFrom = 0;
    bool dragging = false;
    QString handle;  ///< that is being dragged
    QTimer refit;    ///< runs while the chart is drawn for another width

    [[nodiscard]] bool isShown() const { return canvas && !picture.isNull(); }
    /// Of what is drawn, in pixels.
    [[nodiscard]] int height(double scale) const {
        return static_cast<int>(std::ceil(canvas->height() * scale));
    }

    [[nodiscard]] const HotRegion* region(int place) const {
        if (!canvas || place < 0 || place >= static_cast<int>(order.size())) return nullptr;
        return &canvas->regions()[order[static_cast<std::size_t>(place)]];
    }
};

namespace {

/// As large as the widget's text asks, so that charts grow with it.
double scaleOf(const QWidget& widget) {
    const double pixels = widget.fontMetrics().height();
    constexpr double kUsual = 17;  // the height of 12 px text
    return std::clamp(pixels / kUsual, 1.0, 3.0);
}

std::unique_ptr<Canvas> drawn(const reports::ChartSpec& spec, double width, Colours colours,
                              const std::vector<int>& faint, double from, double to) {
    auto canvas = std::make_unique<Canvas>(width, colours);
    canvas->setFaint(faint);
    canvas->setLanguage(spec.language);
    if (const auto* gantt = std::get_if<reports::GanttChart>(&spec.chart); gantt && to > from) {
        reports::charts::draw(*canvas, *gantt, from, to);
        return canvas;
    }
    std::visit([&](const auto& chart) { reports::charts::draw(*canvas, chart); }, spec.chart);
    return canvas;
}

}  // namespace

ChartView::ChartView(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>()) {
    setObjectName(QStringLiteral("chart"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setMinimumWidth(kLeastWidth);
    d_->refit.setSingleShot(true);
    d_->refit.setInterval(kRefit);
    connect(&d_->refit, &QTimer::timeout, this, &ChartView::fit);
}

ChartView::~ChartView() = default;

void ChartView::setSpec(std::shared_ptr<const reports::ChartSpec> spec) {
    if (spec && !reports::validate(*spec).empty()) spec.reset();
    const QString before = current();
    const bool isOther = !spec_ || !spec || spec_->id != spec->id;
    spec_ = std::move(spec);
    if (isOther) {
        d_->faint.clear();
        d_->from = d_->to = 0;
    }
    if (const auto* gantt = spec_ ? std::get_if<reports::GanttChart>(&spec_->chart) : nullptr) {
        d_->to = std::min(d_->to, gantt->end);
        if (!(d_->to > d_->from)) d_->from = d_->to = 0;
    }
    redraw();
    for (int i = 0; !before.isEmpty() && i < datumCount(); ++i)
        if (d_->region(i)->key == before) {
            d_->current = i;
            break;
        }
    setAccessibleName(spec_ ? Canvas::words(spec_->question) : QString());
    QStringList said;
    if (spec_) said << Canvas::words(spec_->answer) << Canvas::words(spec_->description);
    constexpr int kSaid = 3;
    for (int i = 0; i < std::min(kSaid, datumCount()); ++i)
        said << d_->region(i)->lines.join(QStringLiteral(", "));
    setAccessibleDescription(said.join(QLatin1Char('\n')));
    updateGeometry();
}

void ChartView::redraw() {
    d_->refit.stop();
    d_->canvas.reset();
    d_->picture = {};
    d_->order.clear();
    d_->current = d_->hovered = -1;
    if (spec_ && width() > 0) {
        d_->canvas =
            drawn(*spec_, width() / scaleOf(*this),
                  isDark(palette()) ? Colours::Dark : Colours::Light, d_->faint, d_->from, d_->to);
        const auto& regions = d_->canvas->regions();
        for (std::size_t i = 0; i < regions.size(); ++i)
            if (regions[i].kind == HotRegion::Kind::Datum) d_->order.push_back(i);
    }
    update();
}

void ChartView::setRowLines(QHash<QString, QStringList> lines) {
    d_->rowLines = std::move(lines);
}

void ChartView::setRowsTsv(QHash<QString, QString> tsv) {
    d_->rowsTsv = std::move(tsv);
}

void ChartView::setChosen(const QString& key) {
    if (d_->chosen == key) return;
    d_->chosen = key;
    update();
}

int ChartView::datumCount() const {
    return static_cast<int>(d_->order.size());
}

QString ChartView::current() const {
    const HotRegion* region = d_->region(d_->current);
    return region ? region->key : QString();
}

QString ChartView::currentTip() const {
    return tipOf(d_->current);
}

QString ChartView::tipOf(int place) const {
    const HotRegion* region = d_->region(place);
    if (!region) return {};
    QStringList lines = region->lines;
    for (const QString& line : d_->rowLines.value(region->key))
        if (!lines.contains(line)) lines << line;
    return lines.join(QLatin1Char('\n'));
}

bool ChartView::canZoom() const {
    return spec_ && std::holds_alternative<reports::GanttChart>(spec_->chart);
}

void ChartView::zoom(double factor, double middle) {
    if (!canZoom()) return;
    const double end = std::get<reports::GanttChart>(spec_->chart).end;
    const double from = d_->from, to = d_->to > d_->from ? d_->to : end;
    const double at = std::isfinite(middle) ? middle : (from + to) / 2;
    constexpr double kDeepest = 1e-5;
    const double span = std::clamp((to - from) / factor, end * kDeepest, end);
    d_->from = std::clamp(at - (at - from) / (to - from) * span, 0.0, end - span);
    d_->to = d_->from + span;
    if (span >= end) d_->from = d_->to = 0;
    keepCurrent();
}

void ChartView::keepCurrent() {
    const HotRegion* region = d_->region(d_->current);
    const QString key = region ? region->key : QString();
    redraw();
    for (int i = 0; !key.isEmpty() && i < datumCount(); ++i)
        if (d_->region(i)->key == key) {
            d_->current = i;
            return;
        }
}

void ChartView::zoomIn() {
    zoom(kZoomStep, std::nan(""));
}
void ChartView::zoomOut() {
    zoom(1 / kZoomStep, std::nan(""));
}
void ChartView::zoomWhole() {
    d_->from = d_->to = 0;
    keepCurrent();
}

QByteArray ChartView::svg() const {
    if (!spec_) return {};
    return QByteArray::fromStdString(
        reports::drawSvg(*spec_, static_cast<int>(width() / scaleOf(*this))));
}

QImage ChartView::image(double scale) const {
    if (!spec_) return {};
    // A picture that leaves the program is for paper.
    const auto canvas =
        drawn(*spec_, width() / scaleOf(*this), Colours::Light, d_->faint, d_->from, d_->to);
    const QRectF area(0, 0, canvas->width(), canvas->height());
    QImage image((area.size() * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.fill(canvas->colour(reports::Role::Window));
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    canvas->scene().render(&painter, QRectF(image.rect()), area);
    return image;
}

QSize ChartView::sizeHint() const {
    const int wide = static_cast<int>(kPreferredWidth * scaleOf(*this));
    return {wide, heightForWidth(wide)};
}

int ChartView::heightForWidth(int width) const {
    if (!spec_ || width <= 0) return fontMetrics().height() * 4;
    // To draw is the only way to know, and too slow for each width that a layout asks about. What
    // is drawn is nearly as high at another width; once it is drawn for that one the layout is
    // told.
    if (d_->canvas && this->width() >= kLeastWidth) return d_->height(scaleOf(*this));
    const auto canvas =
        drawn(*spec_, width / scaleOf(*this), Colours::Light, d_->faint, d_->from, d_->to);
    return static_cast<int>(std::ceil(canvas->height() * scaleOf(*this)));
}

void ChartView::fit() {
    const double scale = scaleOf(*this);
    const int before = d_->canvas ? d_->height(scale) : -1;
    keepCurrent();
    if (d_->canvas && d_->height(scale) != before) updateGeometry();
}

// ---- painting -------------------------------------------------------------------------------

void ChartView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const bool dark = isDark(palette());
    if (!d_->canvas) return;
    if (d_->refit.isActive() && !d_->picture.isNull()) {
        painter.drawPixmap(0, 0, d_->picture);
        return;
    }
    const double ratio = devicePixelRatioF();
    const double scale = scaleOf(*this);
    const QSize pixels = (QSizeF(size()) * ratio).toSize();
    if (d_->picture.size() != pixels || d_->picture.devicePixelRatio() != ratio) {
        d_->picture = QPixmap(pixels);
        d_->picture.setDevicePixelRatio(ratio);
        d_->picture.fill(Qt::transparent);
        QPainter inner(&d_->picture);
        inner.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
        const QRectF area(0, 0, d_->canvas->width(), d_->canvas->height());
        d_->canvas->scene().render(&inner, scaled(area, scale), area);
    }
    painter.drawPixmap(0, 0, d_->picture);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto ring = [&](const QRectF& box, QColor colour, double pen) {
        painter.setPen(QPen(colour, pen));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(scaled(box, scale).adjusted(-3, -3, 3, 3), 3, 3);
    };
    for (int i = 0; i < datumCount(); ++i) {
        const HotRegion* region = d_->region(i);
        if (!d_->chosen.isEmpty() && region->key == d_->chosen) {
            QRectF box = region->box;
            for (int j = i + 1; j < datumCount() && d_->region(j)->key == d_->chosen &&
                                std::abs(d_->region(j)->box.top() - box.top()) < 1;
                 i = j++)
                box = box.united(d_->region(j)->box);
            ring(box, colour(reports::Role::SecondText, dark), 1.2);
        }
    }
    if (const HotRegion* region = d_->region(d_->hovered))
        ring(region->box, colour(reports::Role::Text, dark), 1.2);
    if (const HotRegion* region = d_->region(d_->current); region && hasFocus())
        ring(region->box, colour(reports::Role::Focus, dark), 2);
    else if (hasFocus()) {
        painter.setPen(QPen(colour(reports::Role::Focus, dark), 2));
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void ChartView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->size().width() == event->oldSize().width() && d_->canvas)
        d_->picture = {};
    else if (!d_->isShown())
        fit();
    else if (!d_->refit.isActive())
        d_->refit.start();
}

void ChartView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    switch (event->type()) {
        case QEvent::PaletteChange:
        case QEvent::StyleChange:
        case QEvent::FontChange:
            keepCurrent();
            updateGeometry();
            break;
        case QEvent::EnabledChange:
            update();
            break;
        default:
            break;
    }
}

// ---- the hand -------------------------------------------------------------------------------

int ChartView::nearest(QPointF at) const {
    const QPointF point = at / scaleOf(*this);
    int best = -1;
    double bestDistance = kReach, bestArea = 0;
    for (int i = 0; i < datumCount(); ++i) {
        const HotRegion* region = d_->region(i);
        if (d_->canvas->isFaint(region->series)) continue;
        const double distance = distanceTo(region->box, point);
        const double area = areaOf(region->box);
        if (distance > bestDistance || (distance == bestDistance && best >= 0 && area >= bestArea))
            continue;
        best = i;
        bestDistance = distance;
        bestArea = area;
    }
    return best;
}

const HotRegion* ChartView::regionAt(QPointF at, HotRegion::Kind kind) const {
    if (!d_->canvas) return nullptr;
    const QPointF point = at / scaleOf(*this);
    for (const HotRegion& region : d_->canvas->regions())
        if (region.kind == kind && region.box.contains(point)) return &region;
    return nullptr;
}

bool ChartView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        event->accept();  // the tooltip follows the pointer by itself
        return true;
    }
    return QWidget::event(event);
}

void ChartView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    if (!d_->handle.isEmpty()) {
        moveHandle(at, false);
        return;
    }
    if (event->buttons() & Qt::LeftButton && canZoom() && d_->to > d_->from && d_->canvas) {
        const double moved = at.x() - d_->pressed.x();
        if (d_->dragging || std::abs(moved) > QApplication::startDragDistance()) {
            d_->dragging = true;
            setCursor(Qt::ClosedHandCursor);
            const double end = std::get<reports::GanttChart>(spec_->chart).end;
            const double span = d_->to - d_->from;
            d_->from = std::clamp(d_->pressedFrom - moved / width() * span, 0.0, end - span);
            d_->to = d_->from + span;
            keepCurrent();
            return;
        }
    }
    if (regionAt(at, HotRegion::Kind::Handle))
        setCursor(Qt::SizeAllCursor);
    else if (regionAt(at, HotRegion::Kind::Legend))
        setCursor(Qt::PointingHandCursor);
    else
        unsetCursor();
    const int found = nearest(at);
    if (found == d_->hovered) return;
    d_->hovered = found;
    update();
    showTip(found, at.toPoint());
}

void ChartView::showTip(int place, QPoint at) {
    const QString tip = tipOf(place);
    if (tip.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(mapToGlobal(at), tip, this);
}

void ChartView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
    const QPointF at = event->position();
    d_->pressed = at;
    d_->pressedFrom = d_->from;
    d_->dragging = false;
    if (const HotRegion* handle = regionAt(at, HotRegion::Kind::Handle)) {
        d_->handle = handle->key;
        return;
    }
    if (const HotRegion* entry = regionAt(at, HotRegion::Kind::Legend)) {
        toggle(entry->series);
        return;
    }
    const int found = nearest(at);
    if (found < 0) return;
    d_->current = found;
    update();
    emit datumSelected(d_->region(found)->key);
}

void ChartView::mouseReleaseEvent(QMouseEvent* event) {
    QWidget::mouseReleaseEvent(event);
    if (!d_->handle.isEmpty() && event->button() == Qt::LeftButton) {
        moveHandle(event->position(), true);
        d_->handle.clear();
    }
    if (d_->dragging) unsetCursor();
    d_->dragging = false;
}

void ChartView::moveHandle(QPointF at, bool done) {
    const auto* steps = spec_ ? std::get_if<reports::StepsChart>(&spec_->chart) : nullptr;
    if (!steps || !d_->canvas) return;
    const bool horizontal = d_->handle == QLatin1String("horizontal");
    const double value =
        reports::charts::valueAt(*d_->canvas, *steps, horizontal, at / scaleOf(*this));
    emit handleMoved(horizontal ? Qt::Horizontal : Qt::Vertical, value, done);
}

void ChartView::toggle(int series) {
    const auto found = std::find(d_->faint.begin(), d_->faint.end(), series);
    if (found == d_->faint.end())
        d_->faint.push_back(series);
    else
        d_->faint.erase(found);
    keepCurrent();
}

void ChartView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (regionAt(event->position(), HotRegion::Kind::Legend)) return mousePressEvent(event);
    const int found = nearest(event->position());
    if (event->button() == Qt::LeftButton && found >= 0)
        emit datumActivated(d_->region(found)->key);
}

void ChartView::wheelEvent(QWheelEvent* event) {
    if (!canZoom() || event->angleDelta().y() == 0) return QWidget::wheelEvent(event);
    const auto& gantt = std::get<reports::GanttChart>(spec_->chart);
    const double middle = reports::charts::timeAt(*d_->canvas, gantt, d_->from, d_->to,
                                                  event->position().x() / scaleOf(*this));
    zoom(std::pow(kZoomStep, event->angleDelta().y() / kWheelStep), middle);
    event->accept();
}

void ChartView::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    d_->hovered = -1;
    update();
}

void ChartView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}
void ChartView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    QToolTip::hideText();
    update();
}

/// The next datum in a direction: along a line of the drawing first, then to the nearest line.
int ChartView::neighbour(int key) const {
    if (datumCount() == 0) return -1;
    if (key == Qt::Key_Home) return 0;
    if (key == Qt::Key_End) return datumCount() - 1;
    if (d_->current < 0) return 0;
    const bool onward = key == Qt::Key_Right || key == Qt::Key_Down;
    const int step = onward ? 1 : -1;
    if (key == Qt::Key_Left || key == Qt::Key_Right)
        return std::clamp(d_->current + step, 0, datumCount() - 1);
    const QPointF from = d_->region(d_->current)->box.center();
    int best = -1;
    double bestCost = 0;
    for (int i = 0; i < datumCount(); ++i) {
        const QPointF to = d_->region(i)->box.center();
        const double down = (to.y() - from.y()) * step;
        if (down < 2) continue;
        const double cost = down * 3 + std::abs(to.x() - from.x());
        if (best < 0 || cost < bestCost) {
            best = i;
            bestCost = cost;
        }
    }
    return best < 0 ? d_->current : best;
}

void ChartView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_Home:
        case Qt::Key_End: {
            const int next = neighbour(event->key());
            if (next < 0) break;
            d_->current = next;
            const HotRegion* region = d_->region(next);
            update();
            showTip(next,
                    (scaled(region->box, scaleOf(*this)).bottomRight() + QPointF(4, 4)).toPoint());
            setAccessibleDescription(tipOf(next));
            emit datumSelected(region->key);
            return;
        }
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (const HotRegion* region = d_->region(d_->current)) {
                emit datumActivated(region->key);
                return;
            }
            break;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            if (canZoom()) return zoomIn();
            break;
        case Qt::Key_Minus:
            if (canZoom()) return zoomOut();
            break;
        case Qt::Key_0:
            if (canZoom()) return zoomWhole();
            break;
        case Qt::Key_Escape:
            if (d_->current >= 0) {
                d_->current = -1;
                QToolTip::hideText();
                update();
                return;
            }
            break;
        default:
            break;
    }
    if (event->matches(QKeySequence::Copy)) return copyValue();
    if (event->key() == Qt::Key_C &&
        event->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier))
        return copySvg();
    QWidget::keyPressEvent(event);
}

void ChartView::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("chart-menu"));
    const bool hasDatum = d_->region(d_->current) != nullptr;
    menu.addAction(tr("Copy value"), QKeySequence::Copy, this, &ChartView::copyValue)
        ->setEnabled(hasDatum);
    menu.addAction(tr("Copy picture"), this, &ChartView::copyPicture);
    menu.addAction(tr("Copy as SVG"), QKeySequence(QStringLiteral("Ctrl+Shift+C")), this,
                   &ChartView::copySvg);
    menu.addAction(tr("Save picture as…"), this, &ChartView::saveAs);
    if (canZoom()) {
        menu.addSeparator();
        menu.addAction(tr("Zoom in"), QKeySequence(QStringLiteral("+")), this, &ChartView::zoomIn);
        menu.addAction(tr("Zoom out"), QKeySequence(QStringLiteral("-")), this,
                       &ChartView::zoomOut);
        menu.addAction(tr("Show all"), QKeySequence(QStringLiteral("0")), this,
                       &ChartView::zoomWhole);
    }
    menu.exec(event->globalPos());
}

void ChartView::copyPicture() {
    if (spec_) QApplication::clipboard()->setImage(image(kPictureScale));
}

void ChartView::copyValue() {
    const HotRegion* region = d_->region(d_->current);
    if (!region) return;
    const QString rows = d_->rowsTsv.value(region->key);
    QApplication::clipboard()->setText(rows.isEmpty() ? region->lines.join(QLatin1Char('\t'))
                                                      : rows);
}

void ChartView::copySvg() {
    if (!spec_) return;
    auto* mime = new QMimeData;
    const QByteArray bytes = svg();
    mime->setData(QStringLiteral("image/svg+xml"), bytes);
    mime->setText(QString::fromUtf8(bytes));
    QApplication::clipboard()->setMimeData(mime);
}

void ChartView::saveAs() {
    if (!spec_) return;
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save picture"), QString::fromStdString(spec_->id) + QStringLiteral(".svg"),
        tr("SVG drawing (*.svg);;PNG picture (*.png)"));
    if (path.isEmpty()) return;
    if (const QString problem = save(path); !problem.isEmpty())
        QMessageBox::warning(this, tr("Save picture"), problem);
}

QString ChartView::save(const QString& path) const {
    if (QFileInfo(path).suffix().compare(QLatin1String("png"), Qt::CaseInsensitive) == 0)
        return image(kPictureScale).save(path, "PNG")
                   ? QString()
                   : tr("%1 could not be written.").arg(QDir::toNativeSeparators(path));
    QFile file(path);
    const QByteArray bytes = svg();
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        return tr("%1 could not be written: %2.")
            .arg(QDir::toNativeSeparators(path), file.errorString());
    return {};
}

}  // namespace trainwright::ui
