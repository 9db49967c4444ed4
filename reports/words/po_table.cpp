// SPDX-License-Identifier: GPL-3.0-or-later
// Build tool: writes the entries of a .po file as the table that words.h offers.
//   po_table es.po spanish.cpp
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>

#include "reports/words/po.h"

namespace {

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        switch (c) {
            case '"':
            case '\\':
                out += '\\';
                out += c;
                break;
            case '\n':
                out += "\\n";
                break;
            case '\t':
                out += "\\t";
                break;
            case '\4':
                out += "\\004\" \"";  // a digit that follows is not part of the escape
                break;
            case '?':
                out += "\\?";  // no trigraphs
                break;
            default:
                out += c;
        }
    }
    return out + '"';
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "Usage: po_table FILE.po TABLE.cpp\n";
        return 2;
    }
    std::ifstream in(argv[1], std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto entries = trainwright::words::readPo(text, argv[1]);
    if (!in || !entries) {
        for (const trainwright::Finding& finding : entries.findings())
            std::cerr << finding.english() << '\n';
        return 1;
    }
    std::map<std::string, const trainwright::words::PoEntry*> byKey;
    for (const trainwright::words::PoEntry& entry : *entries)
        byKey[entry.context.empty() ? entry.id : entry.context + '\4' + entry.id] = &entry;

    std::ofstream out(argv[2], std::ios::binary);
    out << "// Made from a .po file by po_table.\n"
           "#include \"reports/words/words.h\"\n\n"
           "namespace trainwright::words {\nnamespace {\n\nconstexpr Entry kEntries[] = {\n";
    for (const auto& [key, entry] : byKey) {
        out << "    {" << quoted(key) << ",\n     " << quoted(entry->strings.front()) << ",\n     "
            << (entry->strings.size() > 1 ? quoted(entry->strings.back()) : "nullptr") << "},\n";
    }
    out << "};\n\n}  // namespace\n\nstd::span<const Entry> spanish() {\n    return "
           "kEntries;\n}\n\n"
           "}  // namespace trainwright::words\n";
    out.flush();
    return out ? 0 : 1;
}
