// SPDX-License-Identifier: GPL-3.0-or-later
// One key of the registry as a field: label, a box that takes value and unit together, where the
// value comes from, what it reads as, and what is wrong with it.
//
// A field is about one path at a time and may be pointed at another. It shows what the document
// holds and changes it by way of the document alone. Only what differs from what is shown is given
// to a widget, so that refreshing every field after an edit costs no layout.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QTimer>
#include <QToolButton>
#include <QWidget>
#include <map>
#include <string>
#include <vector>

#include "data/catalog/catalog.h"
#include "data/scenario/registry.h"
#include "reports/language.h"
#include "ui/document/scenario_document.h"

namespace trainwright::ui {

/// What all fields of a form look at.
struct FormState {
    QPointer<ScenarioDocument> document;
    const catalog::Catalog* catalog = nullptr;
    std::map<std::string, std::vector<Finding>> findings;  ///< by path
    reports::Language language = reports::Language::English;

    void setCatalog(const catalog::Catalog* replacement);
    /// Asked once each; the catalog doesn't change while it is open.
    [[nodiscard]] const std::vector<catalog::Entry>& entries(const std::string& kind) const;
    [[nodiscard]] double chipsPerUnit(const std::string& system) const;  ///< 0: not known

    /// What the engine says, in the reader's language.
    [[nodiscard]] QString say(const Text& text) const;

private:
    mutable std::map<std::string, std::vector<catalog::Entry>> entries_;
    mutable std::map<std::string, double> chips_;
};

/// What a person typed, in a locale that may write 15,6T, as a file has it: 15.6T.
[[nodiscard]] std::string fileText(const scenario::Parameter& parameter, const QString& typed,
                                   const QLocale& locale);

class Field : public QWidget {
    Q_OBJECT

public:
    enum class Origin { File, Default, Catalog, Override, Derived, Missing };

    Field(const scenario::Parameter& parameter, const FormState& state, QWidget* parent);

    void setPath(const std::string& path);
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] const scenario::Parameter& parameter() const { return parameter_; }
    void refresh();

    [[nodiscard]] bool isSet() const {
        return origin_ == Origin::File || origin_ == Origin::Override;
    }
    [[nodiscard]] Origin origin() const { return origin_; }
    [[nodiscard]] bool hasErrors() const { return hasErrors_; }
    /// Whether label, key or meaning holds the words.
    [[nodiscard]] bool matches(const QString& words) const;
    [[nodiscard]] QWidget* editor() const;
    void retranslate();

signals:
    /// The key's text was edited here; findings about it are out of date.
    void edited(const std::string& path);
    /// The catalog's entry behind the value.
    void figureRequested(const QString& kind, const QString& id, const QString& key);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct CatalogEntry {
        QString kind, id;
    };

    void makeEditor();
    void fillChoices();
    /// What the catalog has behind the value; empty: nothing.
    [[nodiscard]] CatalogEntry source() const;
    void refreshSource();
    [[nodiscard]] Origin originOf(bool inFile) const;
    void commit();
    void display(const QString& text);
    [[nodiscard]] QString typed() const;
    [[nodiscard]] QString echo(const std::string& value) const;
    void step(int direction);
    void paintColours();

    const scenario::Parameter& parameter_;
    const FormState& state_;
    std::string path_;
    QLabel* label_;
    QLabel* origin_mark_;
    QLineEdit* line_ = nullptr;
    QComboBox* combo_ = nullptr;
    QToolButton* calendar_ = nullptr;
    QToolButton* reset_;
    QToolButton* source_ = nullptr;
    QLabel* echo_;
    QLabel* message_;
    QTimer typing_;
    Origin origin_ = Origin::Default;
    bool hasErrors_ = false;
    QString shown_;
    QString echoed_;
    QString said_;
};

}  // namespace trainwright::ui
