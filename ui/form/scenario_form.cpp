// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/scenario_form.h"

#include <QCompleter>
#include <QElapsedTimer>
#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <deque>
#include <functional>

#include "data/scenario/registry.h"
#include "ui/document/key_labels.h"
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
    Section(std::function<QString()> title, const std::string& key, QWidget* parent)
        : QWidget(parent), key_(key), title_(std::move(title)) {
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
        retranslate();
    }
    void retranslate() {
        header_->setText(set_ > 0 ? ScenarioForm::tr("%1    %n set", nullptr, set_).arg(title_())
                                  : title_());
        header_->setAccessibleName(header_->text());
    }

private:
    void unfold(bool open) {
        header_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        if (open) ensureMade();
        body_->setVisible(open);
    }

    std::string key_;
    std::function<QString()> title_;
    QToolButton* header_;
    QWidget* body_;
    QVBoxLayout* inside_;
    bool made_ = false;
    int set_ = -1;
};

constexpr int kBuildingMs = 6;  ///< of one turn of the event loop, for widgets that are to come

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
    /// Widgets that are still to be made, in the order in which they stand; some at a time, so that
    /// no turn of the event loop is a long one.
    std::deque<std::function<void()>> pending;
    QTimer building;
    /// What is said anew in another language, as long as its widget is there.
    std::vector<std::pair<QPointer<QWidget>, std::function<void()>>> sayings;
    std::function<void()> reopenPanel;

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
    void addPart(const Parameter& p, const std::string& own, QVBoxLayout* into);
    Field* addField(const Parameter& p, const std::string& path, QVBoxLayout* into);
    Section* addSection(std::function<QString()> title, const std::string& path, QVBoxLayout* into);
    /// Says it now and again whenever the language changes.
    void says(QWidget* widget, std::function<void()> saying) {
        saying();
        sayings.emplace_back(widget, std::move(saying));
    }
    void later(QVBoxLayout* into, std::function<void()> task) {
        pending.emplace_back([guard = QPointer<QWidget>(into->parentWidget()), task] {
            if (guard != nullptr) task();
        });
        if (!building.isActive()) building.start();
    }
    void makeSome();
    void makeAll();
    void retranslate();
    void addCandidates(QVBoxLayout* into);
    void addList(const Parameter& p, const std::string& path, QVBoxLayout* into);
    void fillList(Items& items);
    void collect();
    void count(Section* section) const;
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
    says(filter, [this] {
        filter->setPlaceholderText(ScenarioForm::tr("find a field   @set @override @error"));
        filter->setAccessibleName(ScenarioForm::tr("Find a field"));
    });
    says(yaml, [yaml] { yaml->setAccessibleName(ScenarioForm::tr("Show the scenario as YAML")); });
    top->addWidget(yaml);
    outer->addLayout(top);
    notice = new QLabel(form);
    notice->setObjectName(QStringLiteral("formNotice"));
    notice->setWordWrap(true);
    notice->hide();
    outer->addWidget(notice);
    building.setInterval(0);
    QObject::connect(&building, &QTimer::timeout, form, [this] { makeSome(); });
    scroll = new QScrollArea(form);
    scroll->setObjectName(QStringLiteral("formScroll"));
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget;
    column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 4, 0);
    column->setSpacing(2);
    scroll->setWidget(content);
    // What stays where it is isn't painted again when the window gets another size.
    content->setAttribute(Qt::WA_StaticContents);
    outer->addWidget(scroll, 1);
    connect(filter, &QLineEdit::textChanged, form, [this] { applyFilter(true); });
    connect(yaml, &QToolButton::clicked, form, &ScenarioForm::yamlRequested);

    for (const Parameter* p : scenario::children({})) {
        const bool container = p->kind == ValueKind::Map || p->kind == ValueKind::List || p->orMap;
        if (!container) {
            addField(*p, p->key, column);
            continue;
        }
        Section* section = addSection([p] { return keyLabel(p->key); }, p->key, column);
        section->make = [this, p](QVBoxLayout* into) {
            if (p->key == "candidates") {
                addCandidates(into);
            } else if (p->kind == ValueKind::List) {
                addList(*p, p->key, into);
            } else {
                if (p->kind != ValueKind::Map) addField(*p, p->key, into);
                if (p->orMap) {
                    Section* parts = addSection([] { return ScenarioForm::tr("Written out here"); },
                                                p->key, into);
                    parts->make = [this, p](QVBoxLayout* box) { addFields(p->key, p->key, box); };
                } else {
                    addFields(p->key, p->key, into);
                }
            }
        };
        if (p->required || p->key == "constraints")
            later(column, [section] { section->setOpen(true); });
    }
    column->addStretch(1);
}

Section* ScenarioForm::Private::addSection(std::function<QString()> title, const std::string& path,
                                           QVBoxLayout* into) {
    auto* section = new Section(std::move(title), path, into->parentWidget());
    into->addWidget(section);
    section->show();
    sections.push_back(section);
    count(section);
    return section;
}

void ScenarioForm::Private::count(Section* section) const {
    section->count(
        state.document != nullptr ? countSet(state.document->node(concrete(section->key()))) : 0);
}

void ScenarioForm::Private::makeSome() {
    QElapsedTimer spent;
    spent.start();
    while (!pending.empty() && spent.elapsed() < kBuildingMs) {
        const std::function<void()> task = std::move(pending.front());
        pending.pop_front();
        task();
    }
    if (pending.empty()) building.stop();
}

void ScenarioForm::Private::makeAll() {
    while (!pending.empty()) makeSome();
}

void ScenarioForm::Private::retranslate() {
    std::erase_if(sayings, [](const auto& each) { return each.first == nullptr; });
    for (const auto& [widget, saying] : sayings) saying();
    for (Section* section : sections) section->retranslate();
    for (const auto& [field, path] : fields) field->retranslate();
    // Opening it replaces the function that is running.
    const std::function<void()> reopen = reopenPanel;
    if (panel != nullptr && reopen) reopen();
    refresh();
}

Field* ScenarioForm::Private::addField(const Parameter& p, const std::string& path,
                                       QVBoxLayout* into) {
    auto* field = new Field(p, state, into->parentWidget());
    into->addWidget(field);
    // Now rather than a turn later, so that it may take the focus.
    field->show();
    fields.emplace_back(field, path);
    connect(field, &Field::figureRequested, form, &ScenarioForm::figureRequested);
    connect(field, &Field::edited, form, [this](const std::string& key) {
        std::erase_if(planned, [&](const Finding& f) { return f.place.key == key; });
        collect();
    });
    field->retranslate();
    field->setPath(concrete(path));
    return field;
}

void ScenarioForm::Private::addFields(const std::string& registryKey, const std::string& path,
                                      QVBoxLayout* into) {
    for (const Parameter* p : scenario::children(registryKey))
        later(into, [this, p, own = path + "." + p->name(), into] { addPart(*p, own, into); });
}

void ScenarioForm::Private::addPart(const Parameter& p, const std::string& own, QVBoxLayout* into) {
    const auto title = [&p] { return keyLabel(p.key); };
    const auto parts = [this, &p, own](QVBoxLayout* box) { addFields(p.key, own, box); };
    if (p.kind == ValueKind::Map) {
        addSection(title, own, into)->make = parts;
        return;
    }
    if (p.kind == ValueKind::List && !scenario::isListOfWords(p)) {
        addSection(title, own, into)->make = [this, &p, own](QVBoxLayout* box) {
            addList(p, own, box);
        };
        return;
    }
    addField(p, own, into);
    if (!p.orMap) return;
    if (p.name() == "parallelism") {
        auto* why = new QPushButton(into->parentWidget());
        why->setObjectName(QStringLiteral("whyLayout"));
        says(why, [why] {
            why->setText(ScenarioForm::tr("Why this layout"));
            why->setAccessibleName(why->text());
        });
        into->addWidget(why, 0, Qt::AlignRight);
        connect(why, &QPushButton::clicked, form,
                [this] { emit form->whyLayoutRequested(selected); });
    }
    addSection([&p] { return ScenarioForm::tr("%1 in parts").arg(keyLabel(p.key)); }, own, into)
        ->make = parts;
}

void ScenarioForm::Private::addCandidates(QVBoxLayout* into) {
    candidates = new QListWidget(into->parentWidget());
    candidates->setObjectName(QStringLiteral("candidates"));
    says(candidates, [this] { candidates->setAccessibleName(ScenarioForm::tr("Candidates")); });
    candidates->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    into->addWidget(candidates);
    auto* row = new QHBoxLayout;
    into->addLayout(row);
    const auto button = [&](const char* name, std::function<QString()> text,
                            std::function<QString()> spoken, auto act) {
        auto* b = new QPushButton(into->parentWidget());
        b->setObjectName(QLatin1String(name));
        says(b, [b, text, spoken] {
            b->setText(text());
            b->setAccessibleName(spoken());
            b->setToolTip(spoken());
            // Five of them stand beside each other in a narrow dock.
            b->setMinimumWidth(b->fontMetrics().horizontalAdvance(b->text()) +
                               b->fontMetrics().height());
        });
        row->addWidget(b);
        connect(b, &QPushButton::clicked, form, act);
    };
    button(
        "addCandidate", [] { return ScenarioForm::tr("Add…"); },
        [] { return ScenarioForm::tr("Add a candidate"); }, [this] { form->showAddCandidate(); });
    button(
        "duplicateCandidate", [] { return ScenarioForm::tr("Duplicate"); },
        [] { return ScenarioForm::tr("Duplicate the candidate"); },
        [this] {
            const int index = selectedIndex();
            if (index >= 0 && state.document->duplicateCandidate(selected))
                form->setSelectedCandidate(state.document->candidateNames().value(index + 1));
        });
    button(
        "removeCandidate", [] { return ScenarioForm::tr("Remove"); },
        [] { return ScenarioForm::tr("Remove the candidate"); },
        [this] {
            if (state.document != nullptr) state.document->removeCandidate(selected);
        });
    const auto move = [this](int by) {
        const int index = selectedIndex();
        if (index >= 0) state.document->moveCandidate(index, index + by);
    };
    button(
        "moveCandidateUp", [] { return QStringLiteral("↑"); },
        [] { return ScenarioForm::tr("Move the candidate up"); }, [move] { move(-1); });
    button(
        "moveCandidateDown", [] { return QStringLiteral("↓"); },
        [] { return ScenarioForm::tr("Move the candidate down"); }, [move] { move(1); });
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
    auto* add = new QPushButton(into->parentWidget());
    add->setObjectName(qt("add:" + path));
    says(add, [add, &p] {
        add->setText(ScenarioForm::tr("Add to %1").arg(keyInSentence(p.key)));
        add->setAccessibleName(add->text());
    });
    into->addWidget(add, 0, Qt::AlignLeft);
    connect(add, &QPushButton::clicked, form, [this, &p, path] {
        if (state.document == nullptr) return;
        scenario::Fields values;
        for (const Parameter* child : scenario::children(p.key + "[]")) {
            if (child->required) values.emplace_back(child->name(), child->example);
        }
        state.document->apply(scenario::addItem(state.document->text(), concrete(path), values),
                              ScenarioForm::tr("Add to %1").arg(keyInSentence(p.key)));
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
        auto* remove = new QPushButton(item);
        remove->setObjectName(qt("remove:" + path));
        says(remove, [remove, key = items.list, i] {
            remove->setText(ScenarioForm::tr("Remove"));
            remove->setAccessibleName(
                ScenarioForm::tr("Remove %1 %2").arg(keyInSentence(key)).arg(i + 1));
        });
        box->addWidget(remove, 0, Qt::AlignRight);
        connect(remove, &QPushButton::clicked, form, [this, list = items.list, i] {
            if (state.document == nullptr) return;
            state.document->apply(
                scenario::removeItem(state.document->text(), concrete(list),
                                     static_cast<std::size_t>(i)),
                ScenarioForm::tr("Remove %1 %2").arg(keyInSentence(list)).arg(i + 1));
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
            said += QLatin1Char('\n') + state.say(state.document->findings().front().text);
    } else if (state.document != nullptr && !state.document->readOnlyReason().empty()) {
        said = state.say(state.document->readOnlyReason());
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
    for (Section* section : sections) count(section);
    applyFilter(false);
}

void ScenarioForm::Private::applyFilter(bool typed) {
    const QString wanted = filter->text().trimmed();
    if (wanted.isEmpty() && filtered.isEmpty()) return;
    if (typed) {
        kept.clear();
        if (!wanted.isEmpty()) {
            // Sections within sections are made on the way.
            for (std::size_t i = 0; i < sections.size(); ++i) {
                sections[i]->ensureMade();
                makeAll();
            }
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
    d_->refresh();
}

ScenarioForm::~ScenarioForm() {
    // A window that closes takes the focus from a field, which then looks at what all fields share.
    delete d_->panel;
    delete d_->scroll;
}

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
    d_->state.setCatalog(catalog);
    d_->refresh();
}

void ScenarioForm::setLanguage(reports::Language language) {
    if (d_->state.language == language) return;
    d_->state.language = language;
    d_->retranslate();
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
    d_->makeAll();
    for (std::size_t i = 0; i < d_->sections.size(); ++i) {
        Section* section = d_->sections[i];
        const std::string key = d_->concrete(section->key());
        if (path == key || path.starts_with(key + ".") || path.starts_with(key + "["))
            section->setOpen(true);
        d_->makeAll();
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
    d_->reopenPanel = [this] { showAddCandidate(); };
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
        combo->setAccessibleName(label);
        rows->addRow(label, combo);
        return combo;
    };
    QComboBox* system = pick(tr("1 system"), "newSystem");
    QComboBox* region = pick(tr("2 region"), "newRegion");
    QComboBox* plan = pick(tr("3 plan"), "newPlan");
    auto* count = new QLineEdit(inner);
    count->setObjectName(QStringLiteral("newCount"));
    count->setAccessibleName(tr("4 count"));
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
    d_->reopenPanel = [this, kind, id, key] { showFigure(kind, id, key); };
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
    value->setAccessibleName(tr("yours"));
    because->setAccessibleName(tr("because"));
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
                 : d_->state.say(next.findings().front().text));
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
    if (event->type() == QEvent::LanguageChange && d_ != nullptr) d_->retranslate();
}

}  // namespace trainwright::ui
