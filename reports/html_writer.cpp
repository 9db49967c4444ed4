// SPDX-License-Identifier: GPL-3.0-or-later
// A document as one HTML file: style and a small script inside, nothing fetched, readable without
// the script.
#include <fmt/format.h>

#include "reports/document.h"
#include "reports/palette.h"
#include "reports/report.h"
#include "reports/utf8.h"

namespace trainwright::reports {
namespace {

constexpr int kWideChart = 920;    // CSS pixels of the text column
constexpr int kNarrowChart = 350;  // of a phone's

std::string escaped(std::string_view raw) {
    std::string out;
    for (char c : validUtf8(raw)) {
        const auto byte = static_cast<unsigned char>(c);
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            default:
                // Other control characters are not allowed in HTML at all.
                if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F)
                    out += ' ';
                else
                    out += c;
        }
    }
    return out;
}

std::string escaped(const Text& text) {
    return escaped(text.english());
}

std::string colourVariables(bool dark) {
    std::string out;
    for (const Colour& c : palette())
        out += fmt::format("--{}:{};", c.name, dark ? c.dark : c.light);
    return out;
}

std::string style() {
    std::string out = ":root{color-scheme:light dark;" + colourVariables(false) + "}\n";
    out += "@media screen and (prefers-color-scheme:dark){:root{" + colourVariables(true) + "}}\n";
    out += R"(*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--window);color:var(--text);
font:15px/1.5 "DejaVu Sans",Verdana,"Segoe UI",sans-serif}
header,main,footer,nav{max-width:952px;margin:0 auto;padding:0 16px}
header{padding-top:28px}
.kind{color:var(--second-text);font-size:13px;letter-spacing:.06em;text-transform:uppercase;
margin:0}
h1{font-size:26px;line-height:1.25;margin:.2em 0 .5em;overflow-wrap:anywhere}
.answer p{font-size:19px;line-height:1.45;margin:.3em 0;overflow-wrap:anywhere}
.answer{border-top:2px solid var(--text);border-bottom:2px solid var(--text);padding:10px 0;
margin-bottom:8px}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:4px 18px;padding:0;margin:12px 0;
font-size:14px}
section{margin:36px 0 0}
section section{margin-top:22px}
h2{font-size:20px;line-height:1.3;margin:0 0 4px;overflow-wrap:anywhere}
h3,h4,h5,h6{font-size:16px;line-height:1.35;margin:0 0 4px;overflow-wrap:anywhere}
h4,h5,h6{font-size:15px}
.says{color:var(--second-text);margin:0 0 10px;overflow-wrap:anywhere}
p,li,dd{overflow-wrap:anywhere}
a{color:var(--focus)}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
.scroll{overflow-x:auto;margin:12px 0 4px;background:var(--window)}
table{border-collapse:collapse;font-size:14px;line-height:1.4;min-width:100%;
font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:4px 0;color:var(--text)}
th,td{padding:4px 6px;text-align:left;vertical-align:top;white-space:nowrap}
th{border-bottom:1px solid var(--axis);color:var(--second-text);font-weight:600;
vertical-align:bottom;white-space:normal}
td.n,th.n{text-align:right}
tbody td{border-top:1px solid var(--grid)}
tr.note td{border-top:0;padding-top:0;color:var(--second-text);white-space:normal}
tr.note span{display:block;position:sticky;left:10px;max-width:min(880px,calc(100vw - 52px));
overflow-wrap:anywhere}
tr.group th{padding-top:12px;text-align:left;border-bottom:1px solid var(--grid)}
tr.group span{position:sticky;left:10px}
td.k,th.k{position:sticky;left:0;background:var(--window);background-clip:padding-box}
tr:target td{background:var(--panel)}
tr.total td{border-top:1px solid var(--axis);font-weight:600}
td.long{white-space:normal;min-width:14em;overflow-wrap:break-word;word-break:break-word}
thead button{font:inherit;color:inherit;background:none;border:0;padding:0;cursor:pointer;
text-align:inherit}
thead button::after{content:"\a0\2195";opacity:.5}
th[aria-sort=ascending] button::after{content:"\a0\2191";opacity:1}
th[aria-sort=descending] button::after{content:"\a0\2193";opacity:1}
.strong{font-weight:600}.quiet{color:var(--second-text)}.good{color:var(--good)}.warning{
color:var(--warning)}
.error{color:var(--error);font-weight:600}.unknown{color:var(--second-text);font-style:italic}
.override{color:var(--override)}
.foot{font-size:13px;color:var(--second-text);margin:4px 0 0}
dl{display:grid;grid-template-columns:minmax(10em,max-content) 1fr;gap:2px 20px;margin:10px 0}
dt{color:var(--second-text)}dd{margin:0}
pre{background:var(--panel);padding:10px 12px;overflow-x:auto;
font:13px/1.45 "DejaVu Sans Mono",Menlo,Consolas,monospace}
details{border-top:1px solid var(--grid);padding:8px 0}
summary{cursor:pointer;min-height:24px}
summary :is(h2,h3,h4,h5,h6){display:inline}
figure{margin:16px 0}
figure svg{display:block;width:100%;height:auto}
figure .narrow{display:none}
sup a{text-decoration:none;padding:0 1px}
footer{color:var(--second-text);font-size:13px;margin:40px auto 28px}
@media (max-width:599px){body{font-size:16px}h1{font-size:22px}.answer p{font-size:17px}
figure .wide{display:none}figure .narrow{display:block}dl{grid-template-columns:1fr;gap:0}dd{
margin:0 0 6px}
td.k,th.k{min-width:8em;max-width:42vw;white-space:normal;overflow-wrap:break-word;
border-right:1px solid var(--grid)}}
@media print{body{font-size:10pt}header,main,footer{max-width:none;padding:0}
nav,thead button::after{display:none}
.scroll{overflow:visible}table{font-size:7.5pt}#sources table{font-size:6.5pt}#sources td{
padding:1px 4px}
#sources td:nth-child(5){white-space:nowrap}th,td{padding:2px 5px;white-space:normal}tr,figure,li{
break-inside:avoid}
thead{display:table-header-group}h2,h3,caption{break-after:avoid}#why{break-before:page}
tr.note span{max-width:none}a{color:inherit}td.k,th.k,tr.note span,tr.group span{position:static}}
)";
    return out;
}

// Sorting keeps groups apart and takes second lines along; folded parts are opened for paper and
// for links.
constexpr const char* kScript = R"((function(){
function opened(){
var t=location.hash&&document.getElementById(decodeURIComponent(location.hash.slice(1)));
for(var e=t;e;e=e.parentElement)if(e.tagName==='DETAILS')e.open=true;if(t)t.scrollIntoView()}
addEventListener('hashchange',opened);opened();
addEventListener('beforeprint',function(){
document.querySelectorAll('details').forEach(function(d){d.open=true})});
document.querySelectorAll('table.sortable').forEach(function(table){
table.querySelectorAll('thead th').forEach(function(th,column){
var button=document.createElement('button');button.type='button';
while(th.firstChild)button.appendChild(th.firstChild);th.appendChild(button);
button.addEventListener('click',function(){
var down=th.getAttribute('aria-sort')==='ascending';
table.querySelectorAll('thead th').forEach(function(o){o.removeAttribute('aria-sort')});
th.setAttribute('aria-sort',down?'descending':'ascending');
table.querySelectorAll('tbody').forEach(function(body){
var rows=[],head=[];
Array.prototype.forEach.call(body.rows,function(r){
if(r.className==='group')head.push(r);else if(r.className==='note')rows[rows.length-1].push(r);
else rows.push([r])});
function key(r){var c=r[0].cells[column],v=c.getAttribute('data-v');
return v!==null?parseFloat(v):c.classList.contains('n')?null:c.textContent}
rows.sort(function(a,b){var x=key(a),y=key(b);
if(x===null||y===null)return(x===null)-(y===null);
var d=typeof x==='number'&&typeof y==='number'?x-y:String(x).localeCompare(String(y),'en');
return down?-d:d});
head.concat(Array.prototype.concat.apply([],rows)).forEach(function(r){body.appendChild(r)})})})}
)})})();)";

const char* toneClass(Tone tone) {
    switch (tone) {
        case Tone::Plain:
            return "";
        case Tone::Strong:
            return "strong";
        case Tone::Quiet:
            return "quiet";
        case Tone::Good:
            return "good";
        case Tone::Warning:
            return "warning";
        case Tone::Error:
            return "error";
        case Tone::NotKnown:
            return "unknown";
        case Tone::Override:
            return "override";
    }
    return "";
}

std::string attribute(const char* name, std::string_view value) {
    return value.empty() ? std::string{} : fmt::format(" {}=\"{}\"", name, escaped(value));
}

bool isWebAddress(const std::string& url) {
    return url.rfind("https://", 0) == 0 || url.rfind("http://", 0) == 0;
}

class Writer {
public:
    explicit Writer(const SvgDrawer& drawer) : drawer_(drawer) {}

    std::string document(const Document& document) {
        const std::string title =
            (document.title.empty() ? document.kind : document.title).english();
        out_ = fmt::format(
            "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
            "'unsafe-inline'; "
            "script-src 'unsafe-inline'\">\n<meta name=\"generator\" content=\"{}\">\n"
            "<title>{} – {}</title>\n<style>\n{}</style>\n</head>\n<body>\n",
            escaped(document.language), escaped(document.generator), escaped(title),
            escaped(document.kind), style());
        if (!document.up.display.empty())
            out_ += fmt::format("<nav><p>{}</p></nav>\n", content(document.up));
        out_ +=
            fmt::format("<header>\n<p class=\"kind\">{}</p>\n<h1>{}</h1>\n<div class=\"answer\">\n",
                        escaped(document.kind), escaped(title));
        for (const Paragraph& sentence : document.answer) block(sentence);
        out_ += "</div>\n</header>\n<nav aria-label=\"Contents\">\n<ul>\n";
        for (const Section& section : document.sections)
            out_ += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", escaped(section.id),
                                escaped(section.title));
        out_ += "</ul>\n</nav>\n<main>\n";
        for (const Section& section : document.sections) write(section, 2);
        out_ += fmt::format("</main>\n<footer>{}</footer>\n<script>{}</script>\n</body>\n</html>\n",
                            escaped(document.generator), kScript);
        return std::move(out_);
    }

private:
    void write(const Section& section, int level) {
        const std::string title = fmt::format("<h{0}>{1}</h{0}>", level, escaped(section.title));
        if (section.folded)
            out_ += fmt::format("<details{}><summary>{}</summary>\n", attribute("id", section.id),
                                title);
        else
            out_ += fmt::format("<section{}>\n{}\n", attribute("id", section.id), title);
        if (!section.answer.empty())
            out_ += fmt::format("<p class=\"says\">{}</p>\n", escaped(section.answer));
        for (const Block& one : section.blocks)
            std::visit([this](const auto& b) { block(b); }, one);
        for (const Section& inner : section.sections) write(inner, std::min(level + 1, 6));
        out_ += section.folded ? "</details>\n" : "</section>\n";
    }

    /// Sources of a sentence: small numbered links, numbered as the ids are.
    std::string references(const std::vector<std::string>& links) {
        if (links.empty()) return {};
        std::string out = "<sup>";
        for (std::size_t i = 0; i < links.size(); ++i) {
            const std::size_t dash = links[i].rfind('-');
            const std::string shown =
                dash == std::string::npos ? std::to_string(i + 1) : links[i].substr(dash + 1);
            out += fmt::format("{}<a href=\"#{}\">{}</a>", i == 0 ? "" : " ", escaped(links[i]),
                               escaped(shown));
        }
        return out + "</sup>";
    }

    void block(const Paragraph& p) {
        out_ += fmt::format("<p{}>{}{}</p>\n", attribute("class", toneClass(p.tone)),
                            escaped(p.text), references(p.links));
    }

    void block(const List& list) {
        const char* tag = list.ordered ? "ol" : "ul";
        out_ += fmt::format("<{}>\n", tag);
        for (const Paragraph& item : list.items)
            out_ += fmt::format("<li{}>{}{}</li>\n", attribute("class", toneClass(item.tone)),
                                escaped(item.text), references(item.links));
        out_ += fmt::format("</{}>\n", tag);
    }

    std::string content(const Cell& cell) {
        const std::string shown = escaped(cell.display);
        if (!cell.link.empty())
            return fmt::format("<a href=\"#{}\">{}</a>", escaped(cell.link), shown);
        if (isWebAddress(cell.url))
            return fmt::format("<a href=\"{}\" rel=\"noreferrer\">{}</a>", escaped(cell.url),
                               shown);
        if (isPageAddress(cell.url))
            return fmt::format("<a href=\"{}\">{}</a>", escaped(cell.url), shown);
        return shown;
    }

    void block(const Facts& facts) {
        out_ += "<dl>\n";
        for (const auto& [label, cell] : facts.items)
            out_ += fmt::format("<dt>{}</dt><dd{}>{}</dd>\n", escaped(label),
                                attribute("class", toneClass(cell.tone)), content(cell));
        out_ += "</dl>\n";
    }

    void block(const Preformatted& pre) {
        out_ += fmt::format("<pre>{}</pre>\n", escaped(pre.text));
    }

    void block(const Figure& figure) {
        const ChartSpec& chart = figure.chart;
        out_ += fmt::format(
            "<figure id=\"{}\">\n<figcaption><h3>{}</h3><p class=\"says\">{}</p></figcaption>\n",
            escaped(chart.id), escaped(chart.question), escaped(chart.answer));
        if (drawer_)
            out_ += fmt::format("<div class=\"wide\">{}</div>\n<div class=\"narrow\">{}</div>\n",
                                drawer_(chart, kWideChart), drawer_(chart, kNarrowChart));
        else
            out_ += fmt::format("<p class=\"quiet\">{}</p>\n", escaped(chart.description));
        out_ += "</figure>\n";
    }

    void block(const Table& table) {
        out_ += fmt::format(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
            "aria-label=\"{}\">\n<table{}{}>\n",
            escaped(table.caption), attribute("id", table.id),
            attribute("class", table.sortable ? "sortable" : ""));
        out_ += fmt::format("<caption>{}</caption>\n<thead><tr>", escaped(table.caption));
        const std::size_t key = keyColumn(table);
        for (std::size_t c = 0; c < table.columns.size(); ++c)
            out_ += fmt::format("<th scope=\"col\"{}>{}</th>",
                                attribute("class", columnClass(table, c, key)),
                                escaped(table.columns[c].title));
        out_ += "</tr></thead>\n";
        for (const RowGroup& group : table.groups) {
            out_ += "<tbody>\n";
            if (!group.title.empty())
                out_ += fmt::format(
                    "<tr class=\"group\"><th scope=\"rowgroup\" "
                    "colspan=\"{}\"><span>{}</span></th></tr>\n",
                    table.columns.size(), escaped(group.title));
            for (const Row& row : group.rows) write(row, table, key);
            out_ += "</tbody>\n";
        }
        out_ += "</table>\n</div>\n";
        for (const Text& note : table.footnotes)
            out_ += fmt::format("<p class=\"foot\">{}</p>\n", escaped(note));
    }

    static std::string columnClass(const Table& table, std::size_t c, std::size_t key) {
        const bool numeric = c < table.columns.size() && table.columns[c].numeric;
        if (c == key) return numeric ? "n k" : "k";
        return numeric ? "n" : "";
    }

    void write(const Row& row, const Table& table, std::size_t key) {
        out_ += fmt::format("<tr{}{}>", attribute("id", row.id),
                            attribute("class", row.isTotal ? "total" : ""));
        for (std::size_t c = 0; c < row.cells.size(); ++c) {
            const Cell& cell = row.cells[c];
            std::string classes = columnClass(table, c, key);
            auto add = [&](const char* one) {
                if (*one == '\0') return;
                if (!classes.empty()) classes += ' ';
                classes += one;
            };
            add(toneClass(cell.tone == Tone::Plain ? row.tone : cell.tone));
            if (columns(cell.display.english()) > 34) add("long");
            std::string value = cell.number ? fmt::format(" data-v=\"{}\"", *cell.number) : "";
            out_ +=
                fmt::format("<td{}{}>{}</td>", attribute("class", classes), value, content(cell));
        }
        out_ += "</tr>\n";
        if (row.notes.empty()) return;
        out_ += fmt::format("<tr class=\"note\"><td colspan=\"{}\">", table.columns.size());
        for (const Text& note : row.notes) out_ += fmt::format("<span>{}</span>", escaped(note));
        out_ += "</td></tr>\n";
    }

    const SvgDrawer& drawer_;
    std::string out_;
};

}  // namespace

std::string html(const Document& document, const SvgDrawer& drawer) {
    return Writer(drawer).document(document);
}

std::string planHtml(const search::PlanRequest& request, const search::PlanResult& result,
                     const ReportContext& context, const SvgDrawer& drawer) {
    return html(planDocument(request, result, context), drawer);
}

}  // namespace trainwright::reports
