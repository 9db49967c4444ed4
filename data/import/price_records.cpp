// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/import/price_records.h"

namespace trainwright::import::prices {

Trouble readRecords(FileSource& source, const std::string& file, const char* key,
                    const std::function<std::optional<Text>(const Record&)>& take) {
    JsonReader json(source, file);
    const auto readArray = [&] {
        json.elements([&](Token token) {
            const Place place = json.place();
            const Record record = json.valueFrom(token);
            if (json.failed()) return;
            if (!record.is_object()) {
                json.fail(Finding{Severity::Error, Text{"an object is expected here", {}}, place});
                return;
            }
            if (std::optional<Text> problem = take(record)) {
                json.fail(Finding{Severity::Error, *std::move(problem), place});
            }
        });
    };
    while (true) {
        const Token token = json.next();
        if (token == Token::End || token == Token::Error) break;
        if (token == Token::ArrayBegin) {
            readArray();
        } else if (token == Token::ObjectBegin) {
            json.members([&](std::string_view name) {
                if (name != key) return json.skip();
                if (json.next() != Token::ArrayBegin) {
                    json.fail("an array is expected here");
                    return;
                }
                readArray();
            });
        } else {
            json.fail("an object or an array is expected here");
        }
    }
    return json.failed() ? Trouble(json.error()) : std::nullopt;
}

std::string textOf(const Record& record, const char* key) {
    const Record& member = memberOf(record, key);
    return member.is_string() ? member.get<std::string>() : std::string();
}

const Record& memberOf(const Record& record, const char* key) {
    static const Record kNone;
    if (!record.is_object()) return kNone;
    const auto found = record.find(key);
    return found == record.end() ? kNone : *found;
}

std::optional<double> numberOf(const Record& record, const char* key) {
    constexpr double kMost = 1e18;
    const Amount amount = readAmount(textOf(record, key), kMost);
    if (amount.kind == AmountKind::Absent || amount.kind == AmountKind::Wrong) return std::nullopt;
    return amount.value;
}

}  // namespace trainwright::import::prices
