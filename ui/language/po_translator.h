// SPDX-License-Identifier: GPL-3.0-or-later
// What tr() says in a language, from the table that the reports are translated with.
//
// English needs it too: a source text that counts says "edit(s)", and reads "edit" or "edits".
// What the table hasn't stays English.
#pragma once

#include <QTranslator>

#include "reports/language.h"

namespace trainwright::ui {

class PoTranslator : public QTranslator {
    Q_OBJECT

public:
    explicit PoTranslator(reports::Language language, QObject* parent = nullptr);

    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char* context, const char* source,
                                    const char* disambiguation = nullptr,
                                    int n = -1) const override;

private:
    reports::Language language_;
};

}  // namespace trainwright::ui
