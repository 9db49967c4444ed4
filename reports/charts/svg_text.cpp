// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/charts/svg_text.h"

#include <array>
#include <string_view>

namespace trainwright::reports::charts {
namespace {

std::string_view trimmed(std::string_view text) {
    const char* kSpace = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

void remove(std::string& text, std::string_view what) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos;)
        text.erase(at, what.size());
}

/// Attributes in the order given, those left out that say what SVG says by itself.
std::string attributes(std::string_view raw, bool holdsText) {
    static constexpr std::array<std::string_view, 15> kDefaults{
        "stroke-opacity=\"1\"",    "fill-opacity=\"1\"",      "stroke-dashoffset=\"0\"",
        "stroke-width=\"1\"",      "stroke-linecap=\"butt\"", "stroke-linejoin=\"miter\"",
        "stroke-miterlimit=\"2\"", "stroke=\"none\"",         "transform=\"matrix(1,0,0,1,0,0)\"",
        "font-weight=\"400\"",     "font-style=\"normal\"",   "fill-rule=\"nonzero\"",
        "stroke-width=\"0\"",      "opacity=\"1\"",           "stroke-dasharray=\"none\""};
    std::string out;
    while (!(raw = trimmed(raw)).empty()) {
        const std::size_t open = raw.find('"');
        const std::size_t close = open == std::string_view::npos ? open : raw.find('"', open + 1);
        if (close == std::string_view::npos) break;
        const std::string_view one = raw.substr(0, close + 1);
        raw.remove_prefix(close + 1);
        bool keep = holdsText || one.substr(0, 5) != "font-";
        for (std::string_view usual : kDefaults) keep = keep && one != usual;
        if (keep) {
            if (!out.empty()) out += ' ';
            out += one;
        }
    }
    return out;
}

/// Elements of a group on lines of their own, without those of no extent.
std::string elements(std::string_view content) {
    std::string out;
    while (!content.empty()) {
        std::size_t end = content.find('\n');
        std::string line(trimmed(content.substr(0, end)));
        content.remove_prefix(end == std::string_view::npos ? content.size() : end + 1);
        remove(line, " vector-effect=\"none\"");
        if (line.rfind("<polyline", 0) == 0) remove(line, " fill=\"none\"");
        if (line.empty() || line.find(" width=\"0\"") != std::string::npos) continue;
        if (!out.empty()) out += '\n';
        out += line;
    }
    return out;
}

}  // namespace

std::string compactSvg(const std::string& body) {
    const std::string_view kOpen = "<g ", kClose = "</g>";
    std::size_t at = body.find(kOpen);
    if (at == std::string::npos) return body;
    at = body.find('>', at);  // past the group around all
    if (at == std::string::npos) return body;

    std::string out, last;
    auto close = [&] {
        if (!last.empty()) out += "</g>\n";
        last.clear();
    };
    while ((at = body.find(kOpen, at)) != std::string::npos) {
        const std::size_t head = body.find('>', at);
        const std::size_t end = head == std::string::npos ? head : body.find(kClose, head);
        if (end == std::string::npos) return body;
        const std::string_view content(body.data() + head + 1, end - head - 1);
        if (content.find(kOpen) != std::string_view::npos) return body;
        const std::string_view raw(body.data() + at + 2, head - at - 2);
        at = end + kClose.size();
        const std::string inside = elements(content);
        const bool holdsText = inside.find("<text") != std::string::npos;
        const std::string said = attributes(raw, holdsText);
        if (inside.empty() || (!holdsText && said.find("stroke=") == std::string::npos &&
                               said.find("fill=\"none\"") != std::string::npos))
            continue;
        if (said != last || last.empty()) {
            close();
            out += "<g " + said + ">\n";
            last = said;
        }
        out += inside + "\n";
    }
    close();
    return out;
}

}  // namespace trainwright::reports::charts
