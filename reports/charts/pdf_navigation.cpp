// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/charts/pdf_navigation.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <string_view>

namespace trainwright::reports::charts {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kDate = "D:20000101000000Z";

std::optional<long> numberAt(std::string_view text, std::size_t at) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n')) ++at;
    long value = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (error != std::errc() || end == text.data() + at) return std::nullopt;
    return value;
}

/// The whole number after the last `word` of `text`.
std::optional<long> numberAfter(std::string_view text, std::string_view word) {
    const std::size_t at = text.rfind(word);
    if (at == std::string_view::npos) return std::nullopt;
    return numberAt(text, at + word.size());
}

/// A file of QPdfWriter: what is where in it.
class File {
public:
    explicit File(std::string_view bytes) : bytes_(bytes) {}

    bool read() {
        const std::size_t trailer = bytes_.rfind("\ntrailer");
        if (trailer == std::string_view::npos) return false;
        const std::string_view tail = bytes_.substr(trailer);
        for (const auto& [word, value] :
             {std::pair{"/Size", &size}, std::pair{"/Root", &catalog}, std::pair{"/Info", &info},
              std::pair{"startxref", &table}}) {
            const auto number = numberAfter(tail, word);
            if (!number) return false;
            *value = *number;
        }
        return true;
    }

    /// What stands between "N 0 obj" and "endobj".
    [[nodiscard]] std::optional<std::string_view> object(long number) const {
        const std::string head = fmt::format("\n{} 0 obj", number);
        const std::size_t at = bytes_.find(head);
        if (at == std::string_view::npos) return std::nullopt;
        const std::size_t from = at + head.size();
        const std::size_t end = bytes_.find("endobj"sv, from);
        if (end == std::string_view::npos) return std::nullopt;
        return bytes_.substr(from, end - from);
    }

    [[nodiscard]] std::vector<long> pages() const {
        std::vector<long> out;
        const auto root = object(catalog);
        const auto tree = root ? numberAfter(*root, "/Pages") : std::nullopt;
        const auto list = tree ? object(*tree) : std::nullopt;
        if (!list) return out;
        std::size_t at = list->find('[');
        const std::size_t end = list->find(']');
        while (at != std::string_view::npos && at < end) {
            const auto page = numberAt(*list, at + 1);
            if (!page) break;
            out.push_back(*page);
            at = list->find('R', at + 1);
        }
        return out;
    }

    long size = 0, catalog = 0, info = 0, table = 0;

private:
    std::string_view bytes_;
};

/// A text string: UTF-16 with its mark, in hexadecimal, which needs no escapes.
std::string textString(const std::string& utf8) {
    std::string out = "<FEFF";
    for (std::size_t i = 0; i < utf8.size();) {
        const auto lead = static_cast<unsigned char>(utf8[i]);
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        char32_t code = length == 1 ? lead : lead & (0xFFU >> (length + 1));
        for (std::size_t k = 1; k < length && i + k < utf8.size(); ++k)
            code = (code << 6U) | (static_cast<unsigned char>(utf8[i + k]) & 0x3FU);
        i += length;
        if (code >= 0x10000) {
            code -= 0x10000;
            out += fmt::format("{:04X}{:04X}", 0xD800U + (code >> 10U), 0xDC00U + (code & 0x3FFU));
        } else {
            out += fmt::format("{:04X}", static_cast<unsigned>(code));
        }
    }
    return out + ">";
}

/// A string in parentheses.
std::string literal(std::string_view text) {
    std::string out = "(";
    for (char c : text) {
        if (c == '(' || c == ')' || c == '\\') out += '\\';
        out += c;
    }
    return out + ")";
}

std::string destination(long page, double top) {
    return fmt::format("[{} 0 R /XYZ null {:.2f} null]", page, top);
}

/// Puts kDate in place of the date, which is longer on a machine off UTC, and moves the places in
/// the cross-reference table along.
bool fixDate(std::string& file) {
    constexpr std::string_view kMark = "/CreationDate (";
    constexpr std::size_t kEntry = 20;  // bytes of an entry of the table
    constexpr std::size_t kDigits = 10;
    const std::size_t date = file.find(kMark);
    if (date == std::string::npos) return false;
    const std::size_t from = date + kMark.size();
    const std::size_t to = file.find(')', from);
    if (to == std::string::npos) return false;
    const long shift = static_cast<long>(kDate.size()) - static_cast<long>(to - from);
    file.replace(from, to - from, kDate);

    const std::size_t table = file.rfind("\nxref\n");
    const std::size_t trailer = file.rfind("\ntrailer");
    const std::size_t start = file.rfind("startxref");
    if (table == std::string::npos || trailer == std::string::npos || start == std::string::npos)
        return false;
    const std::size_t heading = file.find('\n', table + 6);  // ends "0 23"
    if (heading == std::string::npos) return false;
    for (std::size_t at = heading + 1; at + kEntry <= trailer + 1; at += kEntry) {
        const auto place = numberAt(file, at);
        if (!place) return false;
        if (file[at + kEntry - 3] == 'n' && *place > static_cast<long>(date))
            file.replace(at, kDigits, fmt::format("{:010}", *place + shift));
    }
    file.replace(start, std::string::npos, fmt::format("startxref\n{}\n%%EOF\n", table + 1));
    return true;
}

/// The objects of the outline, the first of which is `first`.
std::map<long, std::string> outlineObjects(const std::vector<PdfHeading>& headings,
                                           const std::vector<long>& pages, long first) {
    const long count = static_cast<long>(headings.size());
    const auto level = [&](long i) { return headings[static_cast<std::size_t>(i)].level; };
    const auto parentOf = [&](long i) {
        for (long k = i - 1; k >= 0; --k)
            if (level(k) < level(i)) return k;
        return -1L;
    };
    const auto reference = [&](long i) { return fmt::format("{} 0 R", first + 1 + i); };
    std::map<long, std::vector<long>> children;
    for (long i = 0; i < count; ++i) children[parentOf(i)].push_back(i);

    std::map<long, std::string> out;
    const auto ends = [&](long parent) {
        const std::vector<long>& own = children[parent];
        return own.empty() ? std::string()
                           : fmt::format(" /First {} /Last {} /Count {}", reference(own.front()),
                                         reference(own.back()),
                                         parent < 0 ? static_cast<long>(own.size())
                                                    : -static_cast<long>(own.size()));
    };
    out[first] = "<< /Type /Outlines" + ends(-1) + " >>";
    for (long i = 0; i < count; ++i) {
        const PdfHeading& heading = headings[static_cast<std::size_t>(i)];
        const long parent = parentOf(i);
        const std::vector<long>& own = children[parent];
        std::string text =
            fmt::format("<< /Title {} /Parent {} /Dest {}", textString(heading.title),
                        parent < 0 ? fmt::format("{} 0 R", first) : reference(parent),
                        destination(pages[static_cast<std::size_t>(heading.page)], heading.top));
        for (std::size_t k = 0; k < own.size(); ++k) {
            if (own[k] != i) continue;
            if (k > 0) text += " /Prev " + reference(own[k - 1]);
            if (k + 1 < own.size()) text += " /Next " + reference(own[k + 1]);
        }
        out[first + 1 + i] = text + ends(i) + " >>";
    }
    return out;
}

}  // namespace

std::optional<std::string> withNavigation(std::string file, const std::vector<PdfHeading>& outline,
                                          const std::vector<PdfLink>& links,
                                          const std::string& language) {
    if (!fixDate(file)) return std::nullopt;
    File read(file);
    if (!read.read()) return std::nullopt;
    const std::vector<long> pages = read.pages();
    for (const PdfHeading& heading : outline)
        if (heading.page < 0 || heading.page >= static_cast<int>(pages.size())) return std::nullopt;
    const auto root = read.object(read.catalog);
    if (!root) return std::nullopt;

    std::map<long, std::string> objects = outlineObjects(outline, pages, read.size);
    long next = read.size + static_cast<long>(objects.size());
    std::string catalog(*root);
    const std::size_t close = catalog.rfind(">>");
    if (close == std::string::npos) return std::nullopt;
    catalog.insert(close, fmt::format("/Outlines {} 0 R /PageMode /UseOutlines /Lang {} "
                                      "/ViewerPreferences << /DisplayDocTitle true >>\n",
                                      read.size, literal(language)));
    objects[read.catalog] = catalog;

    std::map<long, std::string> annotations;  // by the object that lists those of a page
    for (const PdfLink& link : links) {
        if (link.page < 0 || link.page >= static_cast<int>(pages.size()) || link.targetPage < 0 ||
            link.targetPage >= static_cast<int>(pages.size()))
            return std::nullopt;
        const auto page = read.object(pages[static_cast<std::size_t>(link.page)]);
        const auto list = page ? numberAfter(*page, "/Annots") : std::nullopt;
        if (!list) return std::nullopt;
        const std::string where =
            link.url.empty()
                ? "/Dest " +
                      destination(pages[static_cast<std::size_t>(link.targetPage)], link.targetTop)
                : fmt::format("/A << /S /URI /URI {} >>", literal(link.url));
        objects[next] = fmt::format(
            "<< /Type /Annot /Subtype /Link /Border [0 0 0] /F 4 /Rect [{:.2f} {:.2f} {:.2f} "
            "{:.2f}] {} >>",
            link.left, link.bottom, link.right, link.top, where);
        annotations[*list] += fmt::format(" {} 0 R", next++);
    }
    for (const auto& [list, members] : annotations) objects[list] = "[" + members + " ]";

    if (file.empty() || file.back() != '\n') file += '\n';
    std::map<long, std::size_t> offsets;
    for (const auto& [number, content] : objects) {
        offsets[number] = file.size();
        file += fmt::format("{} 0 obj\n{}\nendobj\n", number, content);
    }
    const std::size_t table = file.size();
    file += "xref\n";
    for (auto at = offsets.begin(); at != offsets.end();) {
        auto end = at;
        long count = 0;
        while (end != offsets.end() && end->first == at->first + count) {
            ++end;
            ++count;
        }
        file += fmt::format("{} {}\n", at->first, count);
        for (; at != end; ++at) file += fmt::format("{:010} 00000 n \n", at->second);
    }
    file += fmt::format(
        "trailer\n<<\n/Size {}\n/Info {} 0 R\n/Root {} 0 R\n/Prev {}\n>>\nstartxref\n{}\n%%EOF\n",
        next, read.info, read.catalog, read.table, table);
    return file;
}

}  // namespace trainwright::reports::charts
