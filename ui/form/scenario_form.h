// SPDX-License-Identifier: GPL-3.0-or-later
// The form of a scenario: every key of the registry as a field, beside the file's own text.
//
// Sections, fields, units, words, defaults and explanations come from data/scenario/registry; no
// field is written here by hand. The form holds no values: it shows the document's tree and edits
// through the document, so that undo, the YAML page and a file changed on disk are all the same
// thing to it. Fields are made when their section is first unfolded, some in each turn of the event
// loop; an edit touches only the fields whose text, origin or findings changed. It computes no plan
// and keeps no catalog open.
#pragma once

#include <QPointer>
#include <QString>
#include <QWidget>
#include <memory>
#include <string>
#include <vector>

#include "data/catalog/catalog.h"
#include "model/units/outcome.h"
#include "reports/language.h"
#include "ui/document/scenario_document.h"

namespace trainwright::ui {

class ScenarioForm : public QWidget {
    Q_OBJECT

public:
    explicit ScenarioForm(QWidget* parent = nullptr);
    ~ScenarioForm() override;

    /// The document that is shown; null: none. It may go away by itself.
    void setDocument(ScenarioDocument* document);
    [[nodiscard]] ScenarioDocument* document() const;
    /// The catalog for pickers, of this thread alone; null: pickers offer nothing. It outlives the
    /// form, or is replaced before it goes.
    void setCatalog(const catalog::Catalog* catalog);
    /// In which findings and meanings of keys are said; the form's own words follow the
    /// application's translators.
    void setLanguage(reports::Language language);
    /// What planning found, beside the document's own findings; place.key says at which field.
    /// Those of a key go when the key is edited.
    void setFindings(const std::vector<Finding>& findings);

    /// Unfolds, scrolls to and focuses the field at `path`, or the nearest that holds it. False:
    /// the form has none.
    bool focusKey(const std::string& path);
    /// Puts the cursor into the box that filters fields; `filter` such as "@error".
    void focusFilter(const QString& filter = {});

    [[nodiscard]] QString selectedCandidate() const;
    void setSelectedCandidate(const QString& name);

    /// Opens the panel of a new candidate.
    void showAddCandidate();
    /// Opens the panel that shows a figure with its source, and overrides it.
    void showFigure(const QString& kind, const QString& id, const QString& key);

signals:
    void candidateSelected(const QString& name);
    /// "Why this layout", beside parallelism.
    void whyLayoutRequested(const QString& candidate);
    /// The source of the figure behind a field.
    void figureRequested(const QString& kind, const QString& id, const QString& key);
    void yamlRequested();  ///< the [YAML] button

protected:
    void changeEvent(QEvent* event) override;

private:
    class Private;
    std::unique_ptr<Private> d_;
};

}  // namespace trainwright::ui
