// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/trace_panel.h"

#include "reports/number_format.h"
#include "reports/sources.h"

namespace trainwright::ui {
namespace {

QString qt(const std::string& text) {
    return QString::fromStdString(text);
}

}  // namespace

TracePanel::TracePanel(QWidget* parent)
    : QWidget(parent),
      title_(new QLabel(this)),
      value_(new QLabel(this)),
      source_(new QLabel(this)),
      note_(new QLabel(this)),
      catalog_(new QPushButton(this)),
      override_(new QPushButton(this)) {
    setObjectName(QStringLiteral("trace"));
    auto* layout = new QVBoxLayout(this);
    auto* buttons = new QHBoxLayout;
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    for (QLabel* label : {title_, value_, source_, note_}) {
        label->setWordWrap(true);
        label->setTextFormat(label == source_ ? Qt::RichText : Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextBrowserInteraction);
        label->setOpenExternalLinks(true);
        layout->addWidget(label);
    }
    catalog_->setObjectName(QStringLiteral("traceCatalog"));
    override_->setObjectName(QStringLiteral("traceOverride"));
    buttons->addWidget(catalog_);
    buttons->addWidget(override_);
    buttons->addStretch(1);
    layout->addLayout(buttons);
    layout->addStretch(1);
    connect(catalog_, &QPushButton::clicked, this, [this] {
        if (figure_) emit catalogRequested(qt(figure_->kind), qt(figure_->id), qt(figure_->key));
    });
    connect(override_, &QPushButton::clicked, this, [this] {
        if (figure_) emit overrideRequested(qt(figure_->kind), qt(figure_->id), qt(figure_->key));
    });
    render();
}

bool TracePanel::showLink(const Planned& planned, const std::string& link) {
    const std::vector<reports::CandidateView> views = planned.views();
    const reports::Sources sources(planned.request(), views);
    const auto find = [&](const std::vector<search::FigureUse>& figures) {
        for (const search::FigureUse& each : figures)
            if (sources.idOf(each) == link) {
                figure_ = std::make_unique<search::FigureUse>(each);
                return true;
            }
        return false;
    };
    bool found = find(planned.request().figures);
    for (const reports::CandidateView& each : views)
        if (!found) found = find(each.request->figures);
    if (found) render();
    return found;
}

QString TracePanel::text() const {
    return title_->text() + QLatin1Char('\n') + value_->text() + QLatin1Char('\n') +
           source_->text();
}

void TracePanel::render() {
    catalog_->setText(tr("Show in the catalog"));
    override_->setText(tr("Override…"));
    catalog_->setEnabled(figure_ != nullptr);
    override_->setEnabled(figure_ != nullptr);
    if (!figure_) {
        title_->setText(tr("Choose a figure's source in a view to see where it comes from."));
        value_->clear();
        source_->clear();
        note_->clear();
        return;
    }
    title_->setText(tr("%1 of %2").arg(qt(reports::figureLabel(figure_->key).english()), qt(figure_->id)));
    value_->setText(tr("In use: %1 (%2), seen %3")
                        .arg(qt(reports::figureText(figure_->value, figure_->unit)),
                             qt(figure_->status), qt(figure_->observed)));
    const QString name = qt(figure_->source).toHtmlEscaped();
    const QString url = qt(figure_->url);
    source_->setText(
        tr("Source: %1")
            .arg(url.startsWith(QLatin1String("http"))
                     ? QStringLiteral("<a href=\"%1\">%2</a>").arg(url.toHtmlEscaped(), name)
                     : name));
    note_->setText(qt(figure_->note));
}

void TracePanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) render();
}

}  // namespace trainwright::ui
