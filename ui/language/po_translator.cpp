// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/language/po_translator.h"

#include "reports/words/words.h"

namespace trainwright::ui {

PoTranslator::PoTranslator(reports::Language language, QObject* parent)
    : QTranslator(parent), language_(language) {}

QString PoTranslator::translate(const char* /*context*/, const char* source,
                                const char* disambiguation, int n) const {
    if (language_ == reports::Language::English) {
        if (n < 0) return {};
        QString words = QString::fromUtf8(source);
        return words.replace(QLatin1String("(s)"), n == 1 ? QString() : QStringLiteral("s"));
    }
    const words::Entry* entry =
        words::findSpanish(source, disambiguation == nullptr ? "" : disambiguation);
    if (entry == nullptr) return {};
    return QString::fromUtf8(n >= 0 && n != 1 && entry->plural != nullptr ? entry->plural
                                                                          : entry->singular);
}

}  // namespace trainwright::ui
