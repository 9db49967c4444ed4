// SPDX-License-Identifier: GPL-3.0-or-later
// The scenario as YAML text, with line numbers, the lines that findings are about marked, and
// typing that goes through the document's undo.
//
// It is also the page of a file that doesn't parse. Words typed in a row are one step of the
// document's undo; the view has no undo of its own. What the form changes shows here at once, and
// the cursor stays where it was.
#pragma once

#include <QPlainTextEdit>
#include <QPointer>
#include <memory>
#include <vector>

#include "model/units/outcome.h"
#include "reports/language.h"
#include "ui/document/scenario_document.h"

namespace trainwright::ui {

class ScenarioTextView : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit ScenarioTextView(QWidget* parent = nullptr);
    ~ScenarioTextView() override;

    void setDocumentShown(ScenarioDocument* document);
    /// What planning found, beside the document's own findings; place.line says where.
    void setFindings(const std::vector<Finding>& findings);
    /// In which findings are said.
    void setLanguage(reports::Language language);
    /// Puts the cursor there, counted from 1.
    void goTo(int line, int column);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    class Private;
    friend class LineNumbers;
    std::unique_ptr<Private> d_;
};

}  // namespace trainwright::ui
