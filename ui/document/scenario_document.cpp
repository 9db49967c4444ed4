// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/scenario_document.h"

#include <fmt/format.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QUndoCommand>
#include <algorithm>
#include <map>

#include "data/scenario/registry.h"
#include "data/scenario/scenario.h"
#include "ui/document/key_labels.h"
#include "ui/document/recent_files.h"

namespace trainwright::ui {

namespace {

constexpr int kEditsBeforeRecovery = 5;
constexpr int kRecoveryDelay = 30'000;  ///< ms after the last edit
constexpr int kDiskDelay = 100;         ///< ms in which a file may be written in several steps
constexpr int kMergeId = 1;

std::optional<std::string> bytesOf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
    return file.readAll().toStdString();
}

/// Every scalar by its path, items of lists of maps by their place.
void flatten(const scenario::yaml::Node& n, const std::string& path,
             std::map<std::string, std::string>& out) {
    if (n.isScalar()) {
        out[path] = n.text;
        return;
    }
    if (n.values.empty()) out[path] = n.isMap() ? "{}" : "[]";
    for (std::size_t i = 0; i < n.values.size(); ++i) {
        if (n.isMap()) {
            flatten(n.values[i], path.empty() ? n.keys[i].text : path + "." + n.keys[i].text, out);
        } else {
            flatten(n.values[i], fmt::format("{}[{}]", path, i), out);
        }
    }
}

std::optional<std::map<std::string, std::string>> flattened(const std::string& text) {
    const Outcome<scenario::yaml::Node> tree = scenario::yaml::parse(text, {});
    if (!tree) return std::nullopt;
    std::map<std::string, std::string> out;
    flatten(*tree, {}, out);
    return out;
}

using Values = std::map<std::string, std::string>;

/// Keys whose value differs, with the new value; nothing where the key is gone.
std::map<std::string, std::optional<std::string>> differences(const Values& a, const Values& b) {
    std::map<std::string, std::optional<std::string>> out;
    for (const auto& [path, value] : a) {
        const auto other = b.find(path);
        if (other == b.end())
            out[path] = std::nullopt;
        else if (other->second != value)
            out[path] = other->second;
    }
    for (const auto& [path, value] : b) {
        if (!a.contains(path)) out[path] = value;
    }
    return out;
}

}  // namespace

/// One change of the text, held as the stretch that differs.
class ScenarioDocument::Command : public QUndoCommand {
public:
    Command(ScenarioDocument& document, scenario::TextChange change, const QString& name,
            std::string mergeKey, int gesture)
        : QUndoCommand(name),
          document_(document),
          change_(std::move(change)),
          mergeKey_(std::move(mergeKey)),
          gesture_(gesture) {}

    void redo() override { swap(change_.removed, change_.inserted); }
    void undo() override { swap(change_.inserted, change_.removed); }
    [[nodiscard]] int id() const override { return gesture_ > 0 ? kMergeId : -1; }

    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = dynamic_cast<const Command*>(other);
        if (next == nullptr || next->gesture_ != gesture_ || next->mergeKey_ != mergeKey_)
            return false;
        // The text is that after `next`: taking both back gives the one before this.
        std::string before = document_.text_;
        before.replace(next->change_.offset, next->change_.inserted.size(), next->change_.removed);
        before.replace(change_.offset, change_.inserted.size(), change_.removed);
        change_ = scenario::minimalEdit(before, document_.text_);
        setText(next->text());
        setObsolete(change_.empty());
        return true;
    }

    [[nodiscard]] bool belongsTo(const std::string& mergeKey, int gesture) const {
        return gesture > 0 && gesture == gesture_ && mergeKey == mergeKey_;
    }
    [[nodiscard]] std::string before() const {
        std::string text = document_.text_;
        return text.replace(change_.offset, change_.inserted.size(), change_.removed);
    }

private:
    void swap(const std::string& out, const std::string& in) {
        std::string text = document_.text_;
        text.replace(change_.offset, out.size(), in);
        document_.become(text);
    }

    ScenarioDocument& document_;
    scenario::TextChange change_;
    std::string mergeKey_;
    int gesture_;
};

ScenarioDocument::ScenarioDocument(QObject* parent)
    : QObject(parent), recovery_(std::make_unique<RecoveryFile>()) {
    diskTimer_.setSingleShot(true);
    diskTimer_.setInterval(kDiskDelay);
    recoveryTimer_.setSingleShot(true);
    recoveryTimer_.setInterval(kRecoveryDelay);
    connect(&diskTimer_, &QTimer::timeout, this, &ScenarioDocument::checkDisk);
    connect(&recoveryTimer_, &QTimer::timeout, this, &ScenarioDocument::writeRecovery);
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, [this] { diskTimer_.start(); });
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, [this] { diskTimer_.start(); });
    const auto mark = [this] {
        const bool now = isModified();
        if (now == wasModified_) return;
        wasModified_ = now;
        emit modifiedChanged(now);
    };
    connect(&undo_, &QUndoStack::cleanChanged, this, mark);
    connect(this, &ScenarioDocument::saved, this, mark);
    connect(this, &ScenarioDocument::textChanged, this, mark);
    readAgain();
}

ScenarioDocument::~ScenarioDocument() {
    undo_.disconnect(this);
}

// ---- Where it is and what it holds ----

std::optional<Finding> ScenarioDocument::open(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    Outcome<std::string> read = scenario::yaml::readText(absolute.toStdString());
    if (!read) return read.findings().front();
    path_ = absolute;
    title_.clear();
    unsavedText_ = false;
    undo_.clear();
    settle(*read);
    become(*read);
    watch();
    addRecentFile(path_);
    emit pathChanged(path_);
    return std::nullopt;
}

void ScenarioDocument::openText(const std::string& text, const QString& title, bool modified) {
    path_.clear();
    title_ = title;
    unsavedText_ = modified;
    undo_.clear();
    settle({});
    become(text);
    watch();
    emit pathChanged(path_);
}

std::optional<Finding> ScenarioDocument::openRecovered(const RecoveryCopy& copy) {
    if (!recovery_->adopt(copy.id)) {
        return Finding{Severity::Error,
                       Text{"Another program has opened these edits of {1} already.",
                            {(copy.path.isEmpty() ? copy.title : copy.path).toStdString()}},
                       Place{copy.path.toStdString(), 0, 0, {}}};
    }
    const bool opened = !copy.path.isEmpty() && !open(copy.path);
    if (!opened) {
        const QString title = copy.path.isEmpty() ? copy.title : QFileInfo(copy.path).fileName();
        openText(copy.savedText, title, true);
    }
    push(copy.text, tr("Recover %n edit(s)", nullptr, copy.edits), {});
    edits_ = std::max(copy.edits, 1);
    return std::nullopt;
}

QString ScenarioDocument::name() const {
    if (!path_.isEmpty()) return QFileInfo(path_).fileName();
    return title_.isEmpty() ? tr("Untitled") : title_;
}

std::string ScenarioDocument::fileForFindings() const {
    return path_.isEmpty() ? name().toStdString() : path_.toStdString();
}

const scenario::yaml::Node* ScenarioDocument::tree() const {
    return tree_ ? &*tree_ : nullptr;
}

const scenario::yaml::Node* ScenarioDocument::node(const std::string& path) const {
    return tree_ ? scenario::nodeAt(*tree_, path) : nullptr;
}

std::string ScenarioDocument::value(const std::string& path) const {
    const scenario::yaml::Node* n = node(path);
    return n != nullptr && n->isScalar() ? n->text : std::string{};
}

QStringList ScenarioDocument::candidateNames() const {
    QStringList out;
    const scenario::yaml::Node* list = node("candidates");
    if (list == nullptr || !list->isList()) return out;
    for (const scenario::yaml::Node& item : list->values) {
        const scenario::yaml::Node* own = item.find("name");
        out.append(own != nullptr ? QString::fromStdString(own->text) : QString());
    }
    return out;
}

int ScenarioDocument::candidateIndex(const QString& name) const {
    return static_cast<int>(candidateNames().indexOf(name));
}

bool ScenarioDocument::isModified() const {
    return unsavedText_ || !undo_.isClean();
}
int ScenarioDocument::editsSinceSave() const {
    const int clean = std::max(undo_.cleanIndex(), 0);
    return std::abs(undo_.index() - clean);
}

Text ScenarioDocument::notWritableReason() const {
    if (path_.isEmpty()) return {};
    const QFileInfo info(path_);
    if (info.exists() && !info.isWritable()) {
        return {
            "{1} may be read and not written by you; the edits can be saved under another name.",
            {path_.toStdString()}};
    }
    return {};
}

void ScenarioDocument::become(const std::string& text) {
    text_ = text;
    ++generation_;
    readAgain();
    if (isModified() || !undo_.isClean()) recoveryTimer_.start();
    emit textChanged();
}

void ScenarioDocument::readAgain() {
    const std::string file = fileForFindings();
    Outcome<scenario::yaml::Node> tree = scenario::yaml::parse(text_, file);
    Text newer;
    if (tree) {
        findings_ = scenario::read(text_, file).findings();
        const scenario::yaml::Node* version = tree->find("version");
        const int written = version == nullptr ? 0 : QString::fromStdString(version->text).toInt();
        if (written > scenario::kScenarioVersion) {
            newer = {
                "This scenario is of version {1} and this program knows {2}: it can be read, "
                "and edited by a newer program.",
                {std::to_string(written), std::to_string(scenario::kScenarioVersion)}};
        }
        tree_ = std::move(tree).value();
    } else {
        findings_ = tree.findings();
        tree_.reset();
    }
    // What a person types into the text isn't locked away from its undo.
    if (undo_.count() > 0 && readOnly_.empty()) return;
    if (newer == readOnly_) return;
    readOnly_ = newer;
    emit readOnlyChanged();
}

// ---- Edits ----

bool ScenarioDocument::push(const std::string& text, const QString& name,
                            const std::string& mergeKey) {
    if (!readOnly_.empty()) {
        emit refused(readOnly_);
        return false;
    }
    scenario::TextChange change = scenario::minimalEdit(text_, text);
    if (change.empty()) return false;
    undo_.push(new Command(*this, std::move(change), name, mergeKey, gesture_));
    if (++edits_ >= kEditsBeforeRecovery) writeRecovery();
    return true;
}

QString ScenarioDocument::nameOfSet(const std::string& path, const std::string& value) const {
    const QString what = keyInSentence(path);
    const QString to = QString::fromStdString(value);
    if (path.starts_with("candidates[")) {
        const QStringList names = candidateNames();
        const int index =
            QString::fromStdString(path.substr(11)).section(QLatin1Char(']'), 0, 0).toInt();
        if (index < names.size() && !names[index].isEmpty()) {
            return tr("Change %1 of %2 to %3").arg(what, names[index], to);
        }
    }
    return tr("Set %1 to %2").arg(what, to);
}

bool ScenarioDocument::set(const std::string& path, const std::string& value, const QString& name) {
    // Within a gesture each value is set on the text as it was at its beginning, so that a drag
    // back there leaves no trace.
    std::string base = text_;
    if (undo_.index() > 0) {
        const auto* last = dynamic_cast<const Command*>(undo_.command(undo_.index() - 1));
        if (last != nullptr && undo_.index() == undo_.count() && last->belongsTo(path, gesture_))
            base = last->before();
    }
    const std::string before = scenario::valueAt(base, path);
    const scenario::yaml::Node* here = node(path);
    if (here != nullptr && here->isScalar() && here->text == value && !here->isNull()) return false;
    Outcome<std::string> edited = !before.empty() && before == value
                                      ? Outcome<std::string>(base)
                                      : scenario::setValue(base, path, value);
    if (!edited) {
        emit refused(edited.findings().front().text);
        return false;
    }
    return push(*edited, name.isEmpty() ? nameOfSet(path, value) : name, path);
}

bool ScenarioDocument::setYaml(const std::string& path, const std::string& yaml,
                               const QString& name) {
    return apply(scenario::setYaml(text_, path, yaml),
                 name.isEmpty() ? nameOfSet(path, yaml) : name);
}

bool ScenarioDocument::reset(const std::string& path, const QString& name) {
    return apply(scenario::removeKey(text_, path),
                 name.isEmpty() ? tr("Reset %1").arg(keyInSentence(path)) : name);
}

bool ScenarioDocument::editText(const std::string& text, const QString& name) {
    return push(text, name, "text");
}

bool ScenarioDocument::apply(const Outcome<std::string>& edited, const QString& name) {
    if (!edited) {
        emit refused(edited.findings().front().text);
        return false;
    }
    return push(*edited, name, {});
}

bool ScenarioDocument::addCandidate(const scenario::Fields& fields) {
    QString name;
    for (const auto& [key, value] : fields) {
        if (key == "name") name = QString::fromStdString(value);
    }
    return apply(scenario::addItem(text_, "candidates", fields), tr("Add %1").arg(name));
}

bool ScenarioDocument::duplicateCandidate(const QString& name) {
    const int index = candidateIndex(name);
    if (index < 0) return false;
    return apply(scenario::duplicateItem(text_, "candidates", static_cast<std::size_t>(index)),
                 tr("Duplicate %1").arg(name));
}

bool ScenarioDocument::removeCandidate(const QString& name) {
    const int index = candidateIndex(name);
    if (index < 0) return false;
    return apply(scenario::removeItem(text_, "candidates", static_cast<std::size_t>(index)),
                 tr("Remove %1").arg(name));
}

bool ScenarioDocument::moveCandidate(int from, int to) {
    const QStringList names = candidateNames();
    if (from < 0 || to < 0 || from >= names.size() || to >= names.size()) return false;
    return apply(scenario::moveItem(text_, "candidates", static_cast<std::size_t>(from),
                                    static_cast<std::size_t>(to)),
                 tr("Move %1").arg(names[from]));
}

bool ScenarioDocument::setOverride(const std::string& figure, const std::string& value,
                                   const std::string& because) {
    const std::size_t slash = figure.find('/');
    const std::string id = slash == std::string::npos ? figure : figure.substr(slash + 1);
    const QString shown = QString::fromStdString(id);
    return apply(
        scenario::setOverride(text_, figure, value, because),
        tr("Override %1 of %2")
            .arg(shown.section(QLatin1Char('/'), 1, 1).replace(QLatin1Char('_'), QLatin1Char(' ')),
                 shown.section(QLatin1Char('/'), 0, 0)));
}

bool ScenarioDocument::removeOverride(const std::string& figure) {
    return apply(scenario::removeOverride(text_, figure),
                 tr("Keep the catalog's %1").arg(QString::fromStdString(figure)));
}

bool ScenarioDocument::pinLayout(const QString& candidate, const layout::LayoutChoice& choice) {
    QStringList parts;
    for (const auto& [key, value] : scenario::layoutFields(choice)) {
        if (parts.size() < 3 && (key == "tensor" || key == "pipeline" || key == "data"))
            parts.append(QString::fromStdString(key.substr(0, 1) + value));
    }
    return apply(scenario::pinLayout(text_, candidate.toStdString(), choice),
                 parts.isEmpty()
                     ? tr("Let the search lay out %1").arg(candidate)
                     : tr("Pin layout %1 of %2").arg(parts.join(QLatin1Char(' ')), candidate));
}

void ScenarioDocument::beginGesture() {
    gesture_ = ++gestures_;
}
void ScenarioDocument::endGesture() {
    gesture_ = 0;
}

// ---- The disk ----

void ScenarioDocument::settle(const std::string& onDisk) {
    savedText_ = onDisk;
    if (!diskText_) return;
    diskText_.reset();
    emit diskDecided();
}

void ScenarioDocument::watch() {
    if (!watcher_.files().isEmpty()) watcher_.removePaths(watcher_.files());
    if (!watcher_.directories().isEmpty()) watcher_.removePaths(watcher_.directories());
    if (path_.isEmpty()) return;
    const QFileInfo info(path_);
    if (info.exists()) watcher_.addPath(path_);
    // A file that is renamed over is seen by its folder alone.
    if (info.absoluteDir().exists()) watcher_.addPath(info.absolutePath());
}

void ScenarioDocument::checkDisk() {
    if (path_.isEmpty()) return;
    if (!QFileInfo::exists(path_)) {
        emit fileGone();
        return;
    }
    if (!watcher_.files().contains(path_)) watcher_.addPath(path_);
    const std::optional<std::string> now = bytesOf(path_);
    if (!now || now == diskText_) return;
    if (*now == savedText_) {
        // Back to what it was, by whoever changed it.
        if (diskText_) settle(savedText_);
        return;
    }
    if (*now == text_) {
        settle(*now);
        undo_.setClean();
        return;
    }
    const QString changed = changedKeys(savedText_, *now);
    if (isModified()) {
        diskText_ = *now;
        emit changedOnDisk(changed);
        return;
    }
    settle(*now);
    push(*now, tr("Read the changed file"), {});
    undo_.setClean();
    emit reloaded(changed);
}

QString ScenarioDocument::changedKeys(const std::string& before, const std::string& after) const {
    const auto a = flattened(before);
    const auto b = flattened(after);
    if (!a || !b) return tr("its text");
    constexpr qsizetype kShown = 3;
    QStringList parts;
    const auto all = differences(*a, *b);
    for (const auto& [path, value] : all) {
        if (parts.size() == kShown) break;
        const auto old = a->find(path);
        const QString key = QString::fromStdString(path);
        if (!value)
            parts.append(tr("%1 removed").arg(key));
        else if (old == a->end())
            parts.append(tr("%1: %2").arg(key, QString::fromStdString(*value)));
        else
            parts.append(
                tr("%1: %2 → %3")
                    .arg(key, QString::fromStdString(old->second), QString::fromStdString(*value)));
    }
    if (all.empty()) return tr("comments or layout only");
    const int more = static_cast<int>(all.size()) - static_cast<int>(parts.size());
    const QString list = parts.join(QStringLiteral(", "));
    return more > 0 ? tr("%1 and %n more", nullptr, more).arg(list) : list;
}

Outcome<std::string> ScenarioDocument::mergedText() const {
    if (!diskText_) return text_;
    const auto base = flattened(savedText_);
    const auto mine = flattened(text_);
    const auto theirs = flattened(*diskText_);
    const auto no = [&](Text text) {
        return Finding{Severity::Error, std::move(text), Place{path_.toStdString(), 0, 0, {}}};
    };
    if (!base || !mine || !theirs) {
        return no({"One of the texts doesn't parse, so that its keys can't be told apart.", {}});
    }
    const auto own = differences(*base, *mine);
    const auto other = differences(*base, *theirs);
    for (const auto& [path, value] : own) {
        const auto same = other.find(path);
        if (same != other.end() && same->second != value) {
            return no({"`{1}` was changed here and in the file, each in its own way.", {path}});
        }
        // Items that came or went have other places afterwards.
        const bool item = path.find('[') != std::string::npos;
        const bool structure = !value || !base->contains(path);
        if (item && structure && !other.empty()) {
            for (const auto& [theirPath, theirValue] : other) {
                if (theirPath.substr(0, theirPath.find('[')) == path.substr(0, path.find('[')))
                    return no({"Both changed the list `{1}`.", {path.substr(0, path.find('['))}});
            }
        }
    }
    // Removals from the back, so that places before stay.
    std::string out = *diskText_;
    for (auto it = own.rbegin(); it != own.rend(); ++it) {
        if (it->second) continue;
        Outcome<std::string> next = scenario::removeKey(out, it->first);
        if (!next) return next;
        out = std::move(next).value();
    }
    for (const auto& [path, value] : own) {
        if (!value) continue;
        const bool brackets = *value == "[]" || *value == "{}";
        Outcome<std::string> next =
            brackets ? scenario::setYaml(out, path, *value) : scenario::setValue(out, path, *value);
        if (!next) return next;
        out = std::move(next).value();
    }
    return out;
}

bool ScenarioDocument::mergeDisk() {
    if (!diskText_) return false;
    const Outcome<std::string> merged = mergedText();
    if (!merged) {
        emit refused(merged.findings().front().text);
        return false;
    }
    const std::string onDisk = *diskText_;
    settle(onDisk);
    push(*merged, tr("Merge with the file"), {});
    undo_.resetClean();
    if (text_ == onDisk) undo_.setClean();
    return true;
}

void ScenarioDocument::keepMine() {
    if (!diskText_) return;
    settle(std::string(*diskText_));
    undo_.resetClean();
    if (recoveryTimer_.interval() > 0) recoveryTimer_.start();
}

void ScenarioDocument::takeDisk() {
    if (!diskText_) return;
    const std::string onDisk = *diskText_;
    settle(onDisk);
    push(onDisk, tr("Take the file"), {});
    undo_.setClean();
    recovery_->remove();
    edits_ = 0;
}

bool ScenarioDocument::revert() {
    if (path_.isEmpty()) return false;
    const std::optional<std::string> now = bytesOf(path_);
    if (!now) {
        emit refused({"{1} can't be read any more.", {path_.toStdString()}});
        return false;
    }
    settle(*now);
    const bool changed = push(*now, tr("Revert to the file"), {});
    undo_.setClean();
    recovery_->remove();
    edits_ = 0;
    return changed;
}

bool ScenarioDocument::save() {
    if (path_.isEmpty()) {
        emit pathNeeded();
        return false;
    }
    if (!readOnly_.empty()) {
        emit saveFailed(readOnly_);
        return false;
    }
    // A change that nobody has seen is not overwritten.
    if (QFileInfo::exists(path_)) {
        const std::optional<std::string> now = bytesOf(path_);
        if (now && *now != savedText_ && *now != text_) {
            diskText_ = *now;
            emit changedOnDisk(changedKeys(savedText_, *now));
            return false;
        }
    }
    return write(path_);
}

bool ScenarioDocument::saveAs(const QString& path) {
    return write(QFileInfo(path).absoluteFilePath());
}

bool ScenarioDocument::write(const QString& path) {
    QSaveFile file(path);
    // In a folder that can't be written to, a file that can be is written in its place.
    file.setDirectWriteFallback(true);
    const bool opened = file.open(QIODevice::WriteOnly);
    const qint64 size = static_cast<qint64>(text_.size());
    if (!opened || file.write(text_.data(), size) != size || !file.commit()) {
        emit saveFailed({"{1} can't be written: {2}. The edits are kept here.",
                         {path.toStdString(), file.errorString().toStdString()}});
        return false;
    }
    const bool moved = path != path_;
    path_ = path;
    title_.clear();
    unsavedText_ = false;
    settle(text_);
    undo_.setClean();
    watch();
    recovery_->remove();
    recoveryTimer_.stop();
    edits_ = 0;
    addRecentFile(path_);
    if (moved) {
        readAgain();
        emit pathChanged(path_);
    }
    emit saved();
    return true;
}

void ScenarioDocument::writeRecovery() {
    if (!isModified() || diskText_ || edits_ == 0) return;
    RecoveryCopy copy;
    copy.path = path_;
    copy.title = title_;
    copy.written = QDateTime::currentDateTimeUtc();
    copy.edits = std::max(editsSinceSave(), 1);
    copy.savedText = savedText_;
    copy.text = text_;
    const Text problem = recovery_->write(copy);
    if (problem.empty()) {
        edits_ = 0;
    } else if (!recoverySaid_) {
        recoverySaid_ = true;
        emit refused(problem);
    }
}

void ScenarioDocument::discardRecovery() {
    recoveryTimer_.stop();
    recovery_->remove();
    edits_ = 0;
}

}  // namespace trainwright::ui
