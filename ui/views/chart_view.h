// SPDX-License-Identifier: GPL-3.0-or-later
// A chart that can be pointed at, walked by keys and taken along.
//
// It draws a reports::ChartSpec with the drawing of the reports, in the light or dark colours of
// its palette and as wide as it is; what it says on hover comes from the spec and from the row of
// the table beside it that has the same key. It computes nothing and changes no number: zoom only
// chooses what is in view.
#pragma once

#include <QHash>
#include <QPixmap>
#include <QSet>
#include <QStringList>
#include <QWidget>

#include <memory>
#include <vector>

#include "reports/chart_spec.h"
#include "reports/charts/canvas.h"

namespace trainwright::ui {

class ChartView : public QWidget {
    Q_OBJECT
public:
    explicit ChartView(QWidget* parent = nullptr);
    ~ChartView() override;

    /// Nothing is drawn for a null spec or one that doesn't validate.
    void setSpec(std::shared_ptr<const reports::ChartSpec> spec);
    [[nodiscard]] const reports::ChartSpec* spec() const { return spec_.get(); }
    /// Lines of a tooltip by datum key, as the table's row has them.
    void setRowLines(QHash<QString, QStringList> lines);
    /// Rows of a key as tab-separated values, for "copy rows".
    void setRowsTsv(QHash<QString, QString> tsv);

    /// The datum that is marked as chosen: its key; "" for none.
    void setChosen(const QString& key);
    [[nodiscard]] QString current() const;  ///< key of the datum under the ring
    [[nodiscard]] QString currentTip() const;
    [[nodiscard]] int datumCount() const;

    void zoomIn();
    void zoomOut();
    void zoomWhole();
    [[nodiscard]] bool canZoom() const;

    /// In CSS variables with the light colours behind them, as in a report.
    [[nodiscard]] QByteArray svg() const;
    /// Writes an SVG drawing, or a PNG picture where the name ends so; what went wrong, or nothing.
    [[nodiscard]] QString save(const QString& path) const;
    /// In the light colours.
    [[nodiscard]] QImage image(double scale) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

public slots:
    void copyPicture();
    void copyValue();
    void copySvg();
    void saveAs();

signals:
    /// Enter, or a double click.
    void datumActivated(const QString& key);
    /// A click, or the arrow keys.
    void datumSelected(const QString& key);
    /// A handle of a StepsChart was moved (`axis` Horizontal: the date) and let go of (`done`).
    void handleMoved(Qt::Orientation axis, double value, bool done);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void redraw();
    void keepCurrent();
    /// Draws for the width that the widget has now.
    void fit();
    void zoom(double factor, double middle);
    void toggle(int series);
    void moveHandle(QPointF at, bool done);
    void showTip(int place, QPoint at);
    [[nodiscard]] QString tipOf(int place) const;
    [[nodiscard]] int nearest(QPointF at) const;
    [[nodiscard]] int neighbour(int key) const;
    [[nodiscard]] const reports::charts::HotRegion* regionAt(
        QPointF at, reports::charts::HotRegion::Kind kind) const;

    struct Private;
    std::unique_ptr<Private> d_;
    std::shared_ptr<const reports::ChartSpec> spec_;
};

}  // namespace trainwright::ui
