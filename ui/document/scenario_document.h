// SPDX-License-Identifier: GPL-3.0-or-later
// A scenario file that is open: its text, how it is undone, saved, recovered and kept in step with
// the disk.
//
// The text is the document; every change of it, from the form, from a chart or typed into the YAML,
// is one step of one undo stack, named by what was meant. Saving never overwrites a change on disk
// that nobody has seen, and replaces the file in one step. Text that doesn't parse is held all the
// same: tree() is then null and findings() say why. It computes no plan and asks nobody: what needs
// a decision is a signal, and there is a function for each answer.
#pragma once

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QUndoStack>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/scenario/edit.h"
#include "data/scenario/yaml.h"
#include "model/units/outcome.h"
#include "ui/document/recovery.h"

namespace trainwright::ui {

class ScenarioDocument : public QObject {
    Q_OBJECT

public:
    explicit ScenarioDocument(QObject* parent = nullptr);
    ~ScenarioDocument() override;

    // ---- Where it is and what it holds ----

    /// Reads the file. A finding: it can't be read, and the document is as it was.
    [[nodiscard]] std::optional<Finding> open(const QString& path);
    /// A document of no file yet; `title` is what it is called until it is saved. `modified` says
    /// whether losing it would lose anything.
    void openText(const std::string& text, const QString& title, bool modified = false);
    /// The file of a recovery copy with the copy's text as one step to undo; without its file, an
    /// untitled document. From then on the copy is this document's.
    [[nodiscard]] std::optional<Finding> openRecovered(const RecoveryCopy& copy);

    [[nodiscard]] QString path() const { return path_; }  ///< absolute; empty: untitled
    [[nodiscard]] QString name() const;                   ///< of the file, or the title
    [[nodiscard]] std::string fileForFindings() const;    ///< as findings name the file
    [[nodiscard]] const std::string& text() const { return text_; }
    /// The text as it is on disk, as far as this document has seen it.
    [[nodiscard]] const std::string& savedText() const { return savedText_; }
    /// The text as a tree; null where it doesn't parse.
    [[nodiscard]] const scenario::yaml::Node* tree() const;
    /// What reading the text alone finds; names that only the catalog knows are not looked up.
    [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }
    /// Counts changes of the text, for results that arrive late.
    [[nodiscard]] quint64 generation() const { return generation_; }

    /// The value at `path`; "" where nothing scalar stands.
    [[nodiscard]] std::string value(const std::string& path) const;
    [[nodiscard]] const scenario::yaml::Node* node(const std::string& path) const;
    [[nodiscard]] bool has(const std::string& path) const { return node(path) != nullptr; }
    /// Names of the candidates, in order; "" for one without.
    [[nodiscard]] QStringList candidateNames() const;
    /// Place of a candidate in the list; -1: there is none of that name.
    [[nodiscard]] int candidateIndex(const QString& name) const;

    [[nodiscard]] bool isModified() const;
    [[nodiscard]] int editsSinceSave() const;
    /// Why nothing may be edited; empty when everything may.
    [[nodiscard]] const Text& readOnlyReason() const { return readOnly_; }
    /// Why the file can't be written, as far as it shows: the edits may be saved elsewhere.
    [[nodiscard]] Text notWritableReason() const;

    // ---- Edits; false: nothing changed, and refused() has said why unless it was so already ----

    QUndoStack* undoStack() { return &undo_; }

    /// "Set tokens to 15T". `name` replaces that.
    bool set(const std::string& path, const std::string& value, const QString& name = {});
    bool setYaml(const std::string& path, const std::string& yaml, const QString& name = {});
    /// "Reset tokens": the key goes, so that its default holds.
    bool reset(const std::string& path, const QString& name = {});
    /// Whatever text; `name` as the menu shows it.
    bool editText(const std::string& text, const QString& name);
    /// The outcome of a function of data/scenario/edit.h.
    bool apply(const Outcome<std::string>& edited, const QString& name);

    bool addCandidate(const scenario::Fields& fields);
    bool duplicateCandidate(const QString& name);
    bool removeCandidate(const QString& name);
    bool moveCandidate(int from, int to);
    bool setOverride(const std::string& figure, const std::string& value,
                     const std::string& because);
    bool removeOverride(const std::string& figure);
    bool pinLayout(const QString& candidate, const layout::LayoutChoice& choice);

    /// Edits of one path between these merge into one step, and into none when the value is back at
    /// where it began: a drag, or typing into one field.
    void beginGesture();
    void endGesture();

    // ---- The disk ----

    [[nodiscard]] bool save();  ///< false: saveFailed, changedOnDisk or pathNeeded was emitted
    [[nodiscard]] bool saveAs(const QString& path);
    /// The file as it is on disk, as a step that can be undone.
    bool revert();

    /// Whether the disk holds a change that waits for a decision; then nothing is autosaved and
    /// save() refuses.
    [[nodiscard]] bool isChangedOnDisk() const { return diskText_.has_value(); }
    /// The file's text as it waits for that decision.
    [[nodiscard]] std::string diskText() const { return diskText_.value_or(std::string{}); }
    /// Both sets of changes, where they touch different keys; why not, if they don't. Does nothing.
    [[nodiscard]] Outcome<std::string> mergedText() const;
    bool mergeDisk();  ///< the document becomes mergedText()
    void keepMine();   ///< the next save overwrites what is on disk now
    void takeDisk();   ///< the document becomes the file; undo returns the edits
    /// Looks at the file now, as the watcher does when it changes.
    void checkDisk();

    /// Writes the recovery copy now, if there is anything to recover.
    void writeRecovery();
    /// The document is closed by its user, saved or not: nothing is to be recovered.
    void discardRecovery();

signals:
    void textChanged();
    void modifiedChanged(bool modified);
    void pathChanged(const QString& path);
    /// Another program changed the file, and there are edits here. `changed` names keys, as many as
    /// a sentence holds.
    void changedOnDisk(const QString& changed);
    /// The file was changed by another program and has been read again; undo returns.
    void reloaded(const QString& changed);
    /// The file is gone, or its folder; the text is here still.
    void fileGone();
    void diskDecided();  ///< isChangedOnDisk() is false again
    void saved();
    void pathNeeded();  ///< save() of an untitled document
    void saveFailed(const Text& why);
    void refused(const Text& why);
    void readOnlyChanged();

private:
    class Command;

    void become(const std::string& text);  ///< sets the text and reads it; emits textChanged
    void readAgain();
    bool push(const std::string& text, const QString& name, const std::string& mergeKey);
    void settle(const std::string& onDisk);  ///< what is on disk is seen
    void watch();
    bool write(const QString& path);
    QString changedKeys(const std::string& before, const std::string& after) const;
    QString nameOfSet(const std::string& path, const std::string& value) const;

    QString path_;
    QString title_;
    std::string text_;
    std::string savedText_;
    std::optional<std::string> diskText_;
    std::optional<scenario::yaml::Node> tree_;
    std::vector<Finding> findings_;
    quint64 generation_ = 0;
    Text readOnly_;
    QUndoStack undo_;
    bool unsavedText_ = false;  ///< a recovered or generated text that no file holds
    bool wasModified_ = false;
    int gesture_ = 0;  ///< 0: none; else its number
    int gestures_ = 0;
    int edits_ = 0;              ///< since the recovery copy or the save
    bool recoverySaid_ = false;  ///< that copies can't be written
    QFileSystemWatcher watcher_;
    QTimer diskTimer_;
    QTimer recoveryTimer_;
    std::unique_ptr<RecoveryFile> recovery_;
};

}  // namespace trainwright::ui
