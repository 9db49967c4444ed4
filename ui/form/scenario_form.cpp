// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/scenario_form.h"

#include <QCompleter>
#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>

#include "data/scenario/registry.h"
#include "ui/form/field.h"
#include "ui/look/look.h"

namespace trainwright::ui {

namespace {

using scenario::Parameter;
using scenario::ValueKind;

QString qt(const std::string& s) {
    return QString::fromStdString(s);
}

/// A heading that folds what is below it, which is made when it is first unfolded.
class Section : public QWidget {
public:
    Section(const QString& title, const std::string& key, QWidget* parent)
        : QWidget(parent), key_(key), title_(title) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        header_ = new QToolButton(this);
        header_->setObjectName(qt("section:" + key));
        header_->setCheckable(true);
        header_->setAutoRaise(true);
        header_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        header_->setArrowType(Qt::RightArrow);
        header_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        QFont bold = header_->font();
        bold.setBold(true);
        header_->setFont(bold);
        column->addWidget(header_);
        body_ = new QWidget(this);
        inside_ = new QVBoxLayout(body_);
        inside_->setContentsMargins(fontMetrics().averageCharWidth() * 2, 0, 0, 4);
        inside_->setSpacing(0);
        body_->hide();
        column->addWidget(body_);
        connect(header_, &QToolButton::toggled, this, [this](bool open) { unfold(open); });
        count(0);
    }

    std::function<void(QVBoxLayout*)> make;  ///< fills the body, once

    void setOpen(bool open) { header_->setChecked(open); }
    [[nodiscard]] bool isOpen() const { return header_->isChecked(); }
    void ensureMade() {
        if (made_ || !make) return;
        made_ = true;
        make(inside_);
    }
    [[nodiscard]] const std::string& key() const { return key_; }

    void count(int set) {
        if (set == set_) return;
        set_ = set;
        header_->setText(set > 0 ? ScenarioForm::tr("%1    %n set", nullptr, set).arg(title_)
                                 : title_);
        header_->setAccessibleName(header_->text());
    }

private:
    void unfold(bool open) {
        header_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        if (open) ensureMade();
        body_->setVisible(open);
    }

    std::string key_;
    QString title_;
    QToolButton* header_;
    QWidget* body_;
    QVBoxLayout* inside_;
    bool made_ = false;
    int set_ = -1;
};

/// Leaves of the tree below `path`.
int countSet(const scenario::yaml::Node* n) {
    if (n == nullptr || n->isNull()) return 0;
    if (n->isScalar()) return 1;
    int sum = 0;
    for (const scenario::yaml::Node& v : n->values) sum += countSet(&v);
    return sum;
}

}  // namespace

class ScenarioForm::Private {
public:
    explicit Private(ScenarioForm* f) : form(f) {}

    ScenarioForm* form;
    FormState state;
    std::vector<Finding> planned;
    QLineEdit* filter = nullptr;
    QScrollArea* scroll = nullptr;
    QVBoxLayout* column = nullptr;
    QLabel* notice = nullptr;
    QListWidget* candidates = nullptr;
    QWidget* panel = nullptr;  ///< of a new candidate or of a figure
    std::vector<Section*> sections;
    /// A field and its path, "candidates[*]" standing for the one that is selected.
    std::vector<std::pair<Field*, std::string>> fields;
    struct Items {
        std::string list;  ///< "overrides", "candidates[*].arrivals"
        QVBoxLayout* box;
        int count;
    };
    std::vector<Items> lists;
    QString selected;
    QString filtered;
    std::vector<Field*> kept;  ///< shown by the filter until it is typed again

    [[nodiscard]] int selectedIndex() const {
        return state.document != nullptr ? state.document->candidateIndex(selected) : -1;
    }
    [[nodiscard]] std::string concrete(const std::string& path) const {
        const std::size_t star = path.find("[*]");
        if (star == std::string::npos) return path;
        return path.substr(0, star + 1) + std::to_string(std::max(selectedIndex(), 0)) +
               path.substr(star + 2);
    }

    void build();
    void addFields(const std::string& registryKey, const std::string& path, QVBoxLayout* into);
    Field* addField(const Parameter& p, const std::string& path, QVBoxLayout* into);
    Section* addSection(const QString& title, const std::string& path, QVBoxLayout* into);
    void addCandidates(QVBoxLayout* into);
    void addList(const Parameter& p, const std::string& path, QVBoxLayout* into);
    void fillList(Items& items);
    void collect();
    void refresh();
    void refreshCandidates();
    void applyFilter(bool typed);
    void closePanel();
    QVBoxLayout* openPanel(const QString& title, const QString& name);
};

void ScenarioForm::Private::build() {
    auto* outer = new QVBoxLayout(form);
    outer->setContentsMargins(4, 4, 4, 4);
    outer->setSpacing(4);
    auto* top = new QHBoxLayout;
    filter = new QLineEdit(form);
    filter->setObjectName(QStringLiteral("formFilter"));
    filter->setClearButtonEnabled(true);
    top->addWidget(filter, 1);
    auto* yaml = new QToolButton(form);
    yaml->setObjectName(QStringLiteral("showYaml"));
    yaml->setText(QStringLiteral("YAML"));
    top->addWidget(yaml);
    outer->addLayout(top);
    notice = new QLabel(form);
    notice->setObjectName(QStringLiteral("formNotice"));
    notice->setWordWrap(true);
    notice->hide();
    outer->addWidget(notice);
    scroll = new QScrollArea(form);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget;
    column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 4, 0);
    column->setSpacing(2);
    scroll->setWidget(content);
    outer->addWidget(scroll, 1);
    connect(filter, &QLineEdit::textChanged, form, [this] { applyFilter(true); });
    connect(yaml, &QToolButton::clicked, form, &ScenarioForm::yamlRequested);

    for (const Parameter* p : scenario::children({})) {
        const bool container = p->kind == ValueKind::Map || p->kind == ValueKind::List || p->orMap;
        if (!container) {
            addField(*p, p->key, column);
            continue;
        }
        Section* section = addSection(labelOf(*p), p->key, column);
        section->make = [this, p](QVBoxLayout* into) {
            if (p->key == "candidates") {
                addCandidates(into);
            } else if (p->kind == ValueKind::List) {
                addList(*p, p->key, into);
            } else {
                if (p->kind != ValueKind::Map) addField(*p, p->key, into);
                if (p->orMap) {
                    Section* parts = addSection(ScenarioForm::tr("Written out here"), p->key, into);
                    parts->make = [this, p](QVBoxLayout* box) { addFields(p->key, p->key, box); };
                } else {
                    addFields(p->key, p->key, into);
                }
            }
        };
        if (p->required || p->key == "constraints") section->setOpen(true);
    }
    column->addStretch(1);
}

Section* ScenarioForm::Private::addSection(const QString& title, const std::string& path,
                                           QVBoxLayout* into) {
    auto* section = new Section(title, path, into->parentWidget());
    into->addWidget(section);
    sections.push_back(section);
    return section;
}

Field* ScenarioForm::Private::addField(const Parameter& p, const std::string& path,
                                       QVBoxLayout* into) {
    auto* field = new Field(p, state, into->parentWidget());
    into->addWidget(field);
    fields.emplace_back(field, path);
    connect(field, &Field::edited, form, [this](const std::string& key) {
        std::erase_if(planned, [&](const Finding& f) { return f.place.key == key; });
        collect();
    });
    field->setPath(concrete(path));
    field->retranslate();
    return field;
}

void ScenarioForm::Private::addFields(const std::string& registryKey, const std::string& path,
                                      QVBoxLayout* into) {
    for (const Parameter* p : scenario::children(registryKey)) {
        const std::string own = path + "." + p->name();
        if (p->kind == ValueKind::Map) {
            Section* section = addSection(labelOf(*p), own, into);
            section->make = [this, p, own](QVBoxLayout* box) { addFields(p->key, own, box); };
            continue;
        }
        if (p->kind == ValueKind::List && !scenario::isListOfWords(*p)) {
            Section* section = addSection(labelOf(*p), own, into);
            section->make = [this, p, own](QVBoxLayout* box) { addList(*p, own, box); };
            continue;
        }
        addField(*p, own, into);
        if (!p->orMap) continue;
        if (p->name() == "parallelism") {
            auto* why = new QPushButton(ScenarioForm::tr("Why this layout"), into->parentWidget());
            why->setObjectName(QStringLiteral("whyLayout"));
            into->addWidget(why, 0, Qt::AlignRight);
            connect(why, &QPushButton::clicked, form,
                    [this] { emit form->whyLayoutRequested(selected); });
        }
        Section* parts = addSection(ScenarioForm::tr("%1 in parts").arg(labelOf(*p)), own, into);
        parts->make = [this, p, own](QVBoxLayout* box) { addFields(p->key, own, box); };
    }
}

void ScenarioForm::Private::addCandidates(QVBoxLayout* into) {
    candidates = new QListWidget(into->parentWidget());
    candidates->setObjectName(QStringLiteral("candidates"));
    candidates->setAccessibleName(ScenarioForm::tr("Candidates"));
    candidates->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    into->addWidget(candidates);
    auto* row = new QHBoxLayout;
    into->addLayout(row);
    const auto button = [&](const QString& text, const char* name, auto act) {
        auto* b = new QPushButton(text, into->parentWidget());
        // Five of them stand beside each other in a narrow dock.
        b->setMinimumWidth(b->fontMetrics().horizontalAdvance(text) + b->fontMetrics().height());
        b->setObjectName(QLatin1String(name));
        row->addWidget(b);
        connect(b, &QPushButton::clicked, form, act);
        return b;
    };
    button(ScenarioForm::tr("Add…"), "addCandidate", [this] { form->showAddCandidate(); });
    button(ScenarioForm::tr("Duplicate"), "duplicateCandidate", [this] {
        const int index = selectedIndex();
        if (index >= 0 && state.document->duplicateCandidate(selected))
            form->setSelectedCandidate(state.document->candidateNames().value(index + 1));
    });
    button(ScenarioForm::tr("Remove"), "removeCandidate", [this] {
        if (state.document != nullptr) state.document->removeCandidate(selected);
    });
    const auto move = [this](int by) {
        const int index = selectedIndex();
        if (index >= 0) state.document->moveCandidate(index, index + by);
    };
    button(QStringLiteral("↑"), "moveCandidateUp", [move] {
        move(-1);
    })->setAccessibleName(ScenarioForm::tr("Move the candidate up"));
    button(QStringLiteral("↓"), "moveCandidateDown", [move] {
        move(1);
    })->setAccessibleName(ScenarioForm::tr("Move the candidate down"));
    connect(candidates, &QListWidget::currentRowChanged, form, [this](int index) {
        if (state.document == nullptr || index < 0) return;
        const QString name = state.document->candidateNames().value(index);
        if (name == selected) return;
        form->setSelectedCandidate(name);
        emit form->candidateSelected(name);
    });
    refreshCandidates();
    addFields("candidates[]", "candidates[*]", into);
}

void ScenarioForm::Private::addList(const Parameter& p, const std::string& path,
                                    QVBoxLayout* into) {
    auto* holder = new QWidget(into->parentWidget());
    auto* box = new QVBoxLayout(holder);
    box->setContentsMargins(0, 0, 0, 0);
    into->addWidget(holder);
    auto* add =
        new QPushButton(ScenarioForm::tr("Add to %1").arg(labelOf(p)), into->parentWidget());
    add->setObjectName(qt("add:" + path));
    into->addWidget(add, 0, Qt::AlignLeft);
    connect(add, &QPushButton::clicked, form, [this, &p, path] {
        if (state.document == nullptr) return;
        scenario::Fields values;
        for (const Parameter* child : scenario::children(p.key + "[]")) {
            if (child->required) values.emplace_back(child->name(), child->example);
        }
        state.document->apply(scenario::addItem(state.document->text(), concrete(path), values),
                              ScenarioForm::tr("Add to %1").arg(labelOf(p)));
    });
    lists.push_back({path, box, -1});
    fillList(lists.back());
}

void ScenarioForm::Private::fillList(Items& items) {
    const scenario::yaml::Node* n =
        state.document != nullptr ? state.document->node(concrete(items.list)) : nullptr;
    const int count = n != nullptr && n->isList() ? static_cast<int>(n->values.size()) : 0;
    if (count == items.count) return;
    items.count = count;
    while (QLayoutItem* old = items.box->takeAt(0)) {
        QWidget* widget = old->widget();
        for (Field* f : widget->findChildren<Field*>())
            std::erase_if(fields, [f](const auto& each) { return each.first == f; });
        widget->hide();
        widget->deleteLater();
        delete old;
    }
    std::string registryKey = items.list;
    const std::size_t star = registryKey.find("[*]");
    if (star != std::string::npos) registryKey.replace(star, 3, "[]");
    for (int i = 0; i < count; ++i) {
        const std::string path = items.list + "[" + std::to_string(i) + "]";
        auto* item = new QWidget(items.box->parentWidget());
        auto* box = new QVBoxLayout(item);
        box->setContentsMargins(0, 4, 0, 4);
        items.box->addWidget(item);
        for (const Parameter* p : scenario::children(registryKey + "[]"))
            addField(*p, path + "." + p->name(), box);
        auto* remove = new QPushButton(ScenarioForm::tr("Remove"), item);
        remove->setObjectName(qt("remove:" + path));
        box->addWidget(remove, 0, Qt::AlignRight);
        connect(remove, &QPushButton::clicked, form, [this, list = items.list, i] {
            if (state.document == nullptr) return;
            state.document->apply(scenario::removeItem(state.document->text(), concrete(list),
                                                       static_cast<std::size_t>(i)),
                                  ScenarioForm::tr("Remove %1 %2").arg(qt(list)).arg(i + 1));
        });
    }
}

void ScenarioForm::Private::collect() {
    state.findings.clear();
    const auto add = [this](const Finding& f) {
        auto& there = state.findings[f.place.key];
        for (const Finding& other : there) {
            if (other.text == f.text) return;
        }
        there.push_back(f);
    };
    if (state.document != nullptr) {
        for (const Finding& f : state.document->findings()) add(f);
    }
    for (const Finding& f : planned) add(f);
}

void ScenarioForm::Private::refreshCandidates() {
    if (candidates == nullptr) return;
    const QSignalBlocker quiet(candidates);
    QStringList names =
        state.document != nullptr ? state.document->candidateNames() : QStringList();
    if (!names.contains(selected)) selected = names.value(0);
    while (candidates->count() > names.size()) delete candidates->takeItem(candidates->count() - 1);
    for (int i = 0; i < names.size(); ++i) {
        if (i >= candidates->count()) candidates->addItem(QString());
        const std::string path = "candidates[" + std::to_string(i) + "].";
        const QString line = ScenarioForm::tr("%1   %2 × %3   %4")
                                 .arg(names[i], qt(state.document->value(path + "accelerators")),
                                      qt(state.document->value(path + "system")),
                                      qt(state.document->value(path + "region")));
        if (candidates->item(i)->text() != line) candidates->item(i)->setText(line);
    }
    const int row = static_cast<int>(names.indexOf(selected));
    if (candidates->currentRow() != row) candidates->setCurrentRow(row);
    const int rows = std::clamp(static_cast<int>(names.size()), 2, 8);
    const int height = rows * (candidates->fontMetrics().height() + 4) + 6;
    if (candidates->height() != height) candidates->setFixedHeight(height);
}

void ScenarioForm::Private::refresh() {
    collect();
    const bool broken = state.document != nullptr && state.document->tree() == nullptr;
    QString said;
    if (broken) {
        said = ScenarioForm::tr("The file can't be read as YAML; it can be mended as text.");
        if (!state.document->findings().empty())
            said += QLatin1Char('\n') + qt(state.document->findings().front().english());
    } else if (state.document != nullptr && !state.document->readOnlyReason().empty()) {
        said = qt(state.document->readOnlyReason().english());
    }
    if (notice->text() != said) {
        notice->setText(said);
        notice->setVisible(!said.isEmpty());
    }
    const bool usable =
        state.document != nullptr && !broken && state.document->readOnlyReason().empty();
    if (scroll->widget()->isEnabled() != usable) scroll->widget()->setEnabled(usable);
    refreshCandidates();
    for (std::size_t i = 0; i < lists.size(); ++i) fillList(lists[i]);
    // Fields may be added and removed by lists, not by refreshing.
    for (const auto& [field, path] : fields) {
        const std::string now = concrete(path);
        if (field->path() != now)
            field->setPath(now);
        else
            field->refresh();
    }
    for (Section* section : sections) {
        section->count(state.document != nullptr
                           ? countSet(state.document->node(concrete(section->key())))
                           : 0);
    }
    applyFilter(false);
}

void ScenarioForm::Private::applyFilter(bool typed) {
    const QString wanted = filter->text().trimmed();
    if (wanted.isEmpty() && filtered.isEmpty()) return;
    if (typed) {
        kept.clear();
        if (!wanted.isEmpty()) {
            for (std::size_t i = 0; i < sections.size(); ++i) sections[i]->ensureMade();
        }
    }
    filtered = wanted;
    QString words;
    bool set = false, error = false, own = false;
    for (const QString& part : wanted.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        if (part == QLatin1String("@set"))
            set = true;
        else if (part == QLatin1String("@error"))
            error = true;
        else if (part == QLatin1String("@override"))
            own = true;
        else
            words = words.isEmpty() ? part : words + QLatin1Char(' ') + part;
    }
    for (const auto& [field, path] : fields) {
        bool shows = field->matches(words) && (!set || field->isSet()) &&
                     (!error || field->hasErrors()) && (!own || path.starts_with("overrides"));
        if (wanted.isEmpty()) shows = true;
        // A field just reset stays in sight until the filter is typed anew.
        if (shows && !wanted.isEmpty() && typed) kept.push_back(field);
        if (std::find(kept.begin(), kept.end(), field) != kept.end()) shows = true;
        field->setVisible(shows);
    }
    for (Section* section : sections) {
        if (wanted.isEmpty()) {
            section->show();
            continue;
        }
        bool any = false;
        for (const Field* f : section->findChildren<Field*>()) any = any || !f->isHidden();
        section->setVisible(any);
        if (any && typed) section->setOpen(true);
    }
}

void ScenarioForm::Private::closePanel() {
    if (panel == nullptr) return;
    panel->hide();
    panel->deleteLater();
    panel = nullptr;
    scroll->show();
    filter->setFocus();
}

QVBoxLayout* ScenarioForm::Private::openPanel(const QString& title, const QString& name) {
    closePanel();
    auto* area = new QScrollArea(form);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setObjectName(name);
    auto* inner = new QWidget;
    auto* box = new QVBoxLayout(inner);
    area->setWidget(inner);
    auto* heading = new QLabel(title, inner);
    QFont bold = heading->font();
    bold.setBold(true);
    heading->setFont(bold);
    box->addWidget(heading);
    scroll->hide();
    form->layout()->addWidget(area);
    panel = area;
    return box;
}

ScenarioForm::ScenarioForm(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>(this)) {
    d_->build();
    QEvent language(QEvent::LanguageChange);
    changeEvent(&language);
    d_->refresh();
}

ScenarioForm::~ScenarioForm() = default;

void ScenarioForm::setDocument(ScenarioDocument* document) {
    if (d_->state.document == document) return;
    if (d_->state.document != nullptr) d_->state.document->disconnect(this);
    d_->closePanel();
    d_->state.document = document;
    d_->planned.clear();
    d_->selected = document != nullptr ? document->candidateNames().value(0) : QString();
    if (document != nullptr) {
        connect(document, &ScenarioDocument::textChanged, this, [this] { d_->refresh(); });
        connect(document, &ScenarioDocument::readOnlyChanged, this, [this] { d_->refresh(); });
        connect(document, &QObject::destroyed, this, [this] { d_->refresh(); });
    }
    d_->refresh();
}

ScenarioDocument* ScenarioForm::document() const {
    return d_->state.document;
}

void ScenarioForm::setCatalog(const catalog::Catalog* catalog) {
    d_->state.catalog = catalog;
    d_->refresh();
}

void ScenarioForm::setFindings(const std::vector<Finding>& findings) {
    if (d_->planned == findings) return;
    d_->planned = findings;
    d_->collect();
    for (const auto& [field, path] : d_->fields) field->refresh();
}

bool ScenarioForm::focusKey(const std::string& path) {
    d_->closePanel();
    if (path.starts_with("candidates[") && d_->state.document != nullptr) {
        const int index = qt(path.substr(11)).section(QLatin1Char(']'), 0, 0).toInt();
        const QString name = d_->state.document->candidateNames().value(index);
        if (!name.isEmpty()) setSelectedCandidate(name);
    }
    // Sections above the key are made from the outside in.
    for (std::size_t i = 0; i < d_->sections.size(); ++i) {
        Section* section = d_->sections[i];
        const std::string key = d_->concrete(section->key());
        if (path == key || path.starts_with(key + ".") || path.starts_with(key + "["))
            section->setOpen(true);
    }
    Field* best = nullptr;
    for (const auto& [field, pattern] : d_->fields) {
        const std::string& own = field->path();
        const bool holds =
            path == own || path.starts_with(own + ".") || path.starts_with(own + "[");
        if (holds && (best == nullptr || own.size() > best->path().size())) best = field;
    }
    if (best == nullptr) return false;
    best->show();
    best->editor()->setFocus(Qt::ShortcutFocusReason);
    QMetaObject::invokeMethod(
        this,
        [this, field = QPointer<Field>(best)] {
            if (field != nullptr) d_->scroll->ensureWidgetVisible(field);
        },
        Qt::QueuedConnection);
    return true;
}

void ScenarioForm::focusFilter(const QString& filter) {
    if (!filter.isEmpty()) d_->filter->setText(filter);
    d_->filter->setFocus(Qt::ShortcutFocusReason);
    d_->filter->selectAll();
}

QString ScenarioForm::selectedCandidate() const {
    return d_->selected;
}

void ScenarioForm::setSelectedCandidate(const QString& name) {
    if (d_->state.document == nullptr || d_->state.document->candidateIndex(name) < 0) return;
    if (d_->selected == name) return;
    d_->selected = name;
    d_->refresh();
}

void ScenarioForm::showAddCandidate() {
    if (d_->state.document == nullptr) return;
    QVBoxLayout* box = d_->openPanel(tr("Add a candidate"), QStringLiteral("addCandidatePanel"));
    QWidget* inner = box->parentWidget();
    auto* rows = new QFormLayout;
    rows->setRowWrapPolicy(QFormLayout::WrapLongRows);
    box->addLayout(rows);
    const catalog::Catalog* catalog = d_->state.catalog;
    const auto pick = [&](const QString& label, const char* name) {
        auto* combo = new QComboBox(inner);
        combo->setObjectName(QLatin1String(name));
        combo->setEditable(true);
        combo->setInsertPolicy(QComboBox::NoInsert);
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setMinimumContentsLength(12);
        combo->completer()->setFilterMode(Qt::MatchContains);
        combo->completer()->setCompletionMode(QCompleter::PopupCompletion);
        rows->addRow(label, combo);
        return combo;
    };
    QComboBox* system = pick(tr("1 system"), "newSystem");
    QComboBox* region = pick(tr("2 region"), "newRegion");
    QComboBox* plan = pick(tr("3 plan"), "newPlan");
    auto* count = new QLineEdit(inner);
    count->setObjectName(QStringLiteral("newCount"));
    rows->addRow(tr("4 count"), count);
    auto* said = new QLabel(inner);
    said->setWordWrap(true);
    said->setObjectName(QStringLiteral("newCandidateSaid"));
    box->addWidget(said);
    if (catalog != nullptr) {
        for (const char* kind : {"system", "instance"}) {
            for (const catalog::Entry& e : catalog->entries(kind)) system->addItem(qt(e.id));
        }
    }
    system->setCurrentText(qt(d_->state.document->value("candidates[0].system")));
    count->setText(qt(d_->state.document->value("candidates[0].accelerators")));
    const auto plans = [=, this] {
        plan->clear();
        if (d_->state.catalog == nullptr) return;
        std::string last;
        for (const catalog::PriceRow& row : d_->state.catalog->prices(
                 system->currentText().toStdString(), region->currentText().toStdString())) {
            if (row.plan == last) continue;
            last = row.plan;
            plan->addItem(qt(row.plan));
            plan->setItemData(plan->count() - 1,
                              tr("%1 USD/h, seen %2")
                                  .arg(locale().toString(row.usdPerHour, 'g', 8), qt(row.observed)),
                              Qt::ToolTipRole);
        }
        said->setText(
            plan->count() == 0
                ? tr("? No public price is known there: time and energy are computed, the "
                     "cost is not.")
                : tr("✓ %1: %2")
                      .arg(plan->currentText(),
                           plan->itemData(plan->currentIndex(), Qt::ToolTipRole).toString()));
    };
    const auto regions = [=, this] {
        const QSignalBlocker quiet(region);
        region->clear();
        if (d_->state.catalog != nullptr) {
            for (const std::string& id :
                 d_->state.catalog->offeredIn(system->currentText().toStdString()))
                region->addItem(qt(id));
        }
        plans();
    };
    connect(system, &QComboBox::currentTextChanged, inner, regions);
    connect(region, &QComboBox::currentTextChanged, inner, plans);
    regions();
    auto* buttons = new QHBoxLayout;
    box->addLayout(buttons);
    auto* add = new QPushButton(tr("Add"), inner);
    add->setObjectName(QStringLiteral("newAdd"));
    auto* cancel = new QPushButton(tr("Cancel"), inner);
    buttons->addStretch(1);
    buttons->addWidget(add);
    buttons->addWidget(cancel);
    box->addStretch(1);
    connect(cancel, &QPushButton::clicked, this, [this] { d_->closePanel(); });
    const auto addNow = [=, this] {
        ScenarioDocument* document = d_->state.document;
        if (document == nullptr) return;
        const std::string id = system->currentText().trimmed().toStdString();
        const std::string name =
            scenario::freshName(document->text(), "candidates", id.substr(0, id.find('.')));
        scenario::Fields values{{"name", name},
                                {"system", id},
                                {"accelerators", count->text().trimmed().toStdString()}};
        if (!region->currentText().isEmpty())
            values.emplace_back("region", region->currentText().trimmed().toStdString());
        if (!plan->currentText().isEmpty())
            values.emplace_back("purchase", plan->currentText().trimmed().toStdString());
        if (!document->addCandidate(values)) return;
        d_->closePanel();
        setSelectedCandidate(qt(name));
        emit candidateSelected(qt(name));
    };
    connect(add, &QPushButton::clicked, this, addNow);
    connect(count, &QLineEdit::returnPressed, this, addNow);
    system->setFocus();
}

void ScenarioForm::showFigure(const QString& kind, const QString& id, const QString& key) {
    if (d_->state.document == nullptr) return;
    const QString figure = QStringLiteral("%1/%2/%3").arg(kind, id, key);
    QVBoxLayout* box =
        d_->openPanel(tr("Source: %1 of %2").arg(key, id), QStringLiteral("figurePanel"));
    QWidget* inner = box->parentWidget();
    const auto say = [&](const QString& text) {
        auto* label = new QLabel(text, inner);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse);
        box->addWidget(label);
    };
    QString unit;
    if (d_->state.catalog != nullptr) {
        bool first = true;
        for (const catalog::Figure& f :
             d_->state.catalog->figures(kind.toStdString(), id.toStdString())) {
            if (f.key != key.toStdString()) continue;
            unit = qt(f.unit);
            say(first
                    ? tr("◆ in use: %1 %2, %3").arg(qt(f.value), unit, qt(catalog::name(f.status)))
                    : tr("also: %1 %2, %3").arg(qt(f.value), unit, qt(catalog::name(f.status))));
            say(tr("source: %1, seen %2").arg(qt(f.source.title), qt(f.observed)));
            if (!f.note.empty()) say(qt(f.note));
            first = false;
        }
        if (first) say(tr("The catalog has no such figure."));
    }
    auto* rows = new QFormLayout;
    rows->setRowWrapPolicy(QFormLayout::WrapLongRows);
    box->addLayout(rows);
    auto* value = new QLineEdit(inner);
    value->setObjectName(QStringLiteral("overrideValue"));
    value->setPlaceholderText(unit);
    auto* because = new QLineEdit(inner);
    because->setObjectName(QStringLiteral("overrideBecause"));
    rows->addRow(tr("yours"), value);
    rows->addRow(tr("because"), because);
    auto* gains = new QLabel(inner);
    gains->setWordWrap(true);
    gains->setObjectName(QStringLiteral("overrideGains"));
    box->addWidget(gains);
    auto* buttons = new QHBoxLayout;
    box->addLayout(buttons);
    auto* take = new QPushButton(tr("Override"), inner);
    take->setObjectName(QStringLiteral("overrideTake"));
    auto* keep = new QPushButton(tr("Keep the catalog's"), inner);
    keep->setObjectName(QStringLiteral("overrideKeep"));
    buttons->addWidget(take);
    buttons->addWidget(keep);
    box->addStretch(1);
    const scenario::yaml::Node* list = d_->state.document->node("overrides");
    if (list != nullptr && list->isList()) {
        for (const scenario::yaml::Node& item : list->values) {
            const scenario::yaml::Node* own = item.find("figure");
            if (own == nullptr || own->text != figure.toStdString()) continue;
            if (const auto* v = item.find("value")) value->setText(qt(v->text));
            if (const auto* why = item.find("because")) because->setText(qt(why->text));
        }
    }
    const auto preview = [=, this] {
        const bool complete =
            !value->text().trimmed().isEmpty() && !because->text().trimmed().isEmpty();
        take->setEnabled(complete);
        if (!complete || d_->state.document == nullptr) {
            gains->setText(tr("An override has a value and a reason; reports show both."));
            return;
        }
        const Outcome<std::string> next = scenario::setOverride(
            d_->state.document->text(), figure.toStdString(), value->text().trimmed().toStdString(),
            because->text().trimmed().toStdString());
        gains->setText(
            next ? tr("The file will gain:\n%1")
                       .arg(qt(scenario::minimalEdit(d_->state.document->text(), *next).inserted))
                 : qt(next.findings().front().text.english()));
    };
    connect(value, &QLineEdit::textChanged, inner, preview);
    connect(because, &QLineEdit::textChanged, inner, preview);
    preview();
    connect(take, &QPushButton::clicked, this, [=, this] {
        if (d_->state.document != nullptr &&
            d_->state.document->setOverride(figure.toStdString(),
                                            value->text().trimmed().toStdString(),
                                            because->text().trimmed().toStdString()))
            d_->closePanel();
    });
    connect(keep, &QPushButton::clicked, this, [=, this] {
        if (d_->state.document != nullptr) d_->state.document->removeOverride(figure.toStdString());
        d_->closePanel();
    });
    value->setFocus();
}

void ScenarioForm::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::LanguageChange || d_ == nullptr || d_->filter == nullptr) return;
    d_->filter->setPlaceholderText(tr("find a field   @set @override @error"));
    d_->filter->setAccessibleName(tr("Find a field"));
}

}  // namespace trainwright::ui
