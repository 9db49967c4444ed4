// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/charts/draw.h"

#include <QApplication>
#include <QBuffer>
#include <QByteArray>
#include <QPainter>
#include <QSvgGenerator>

#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "reports/charts/canvas.h"
#include "reports/charts/svg_text.h"
#include "reports/utf8.h"

namespace trainwright::reports {
namespace {

std::string escapedXml(const std::string& raw) {
    std::string out;
    for (char c : withoutControls(raw)) {
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
            default:
                out += c;
        }
    }
    return out;
}

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

/// What lies between <svg …> and </svg>, without the generator's own title, description and
/// definitions.
std::string inner(std::string svg) {
    std::size_t open = svg.find("<svg");
    std::size_t start = open == std::string::npos ? open : svg.find('>', open);
    std::size_t end = svg.rfind("</svg>");
    if (start == std::string::npos || end == std::string::npos || end < start) return {};
    svg = svg.substr(start + 1, end - start - 1);
    for (const char* tag : {"title", "desc", "defs"}) {
        const std::string opening = fmt::format("<{}>", tag), closing = fmt::format("</{}>", tag);
        std::size_t from = svg.find(opening);
        std::size_t to = svg.find(closing);
        if (from != std::string::npos && to != std::string::npos && to > from)
            svg.erase(from, to + closing.size() - from);
    }
    return svg;
}

std::string render(charts::Canvas& canvas) {
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    const QSizeF size(canvas.width(), canvas.height());
    generator.setSize(size.toSize());
    generator.setViewBox(QRectF(QPointF(0, 0), size));
    generator.setResolution(96);
    QPainter painter(&generator);
    canvas.scene().render(&painter, QRectF(QPointF(0, 0), size), QRectF(QPointF(0, 0), size));
    painter.end();
    std::string svg = charts::compactSvg(inner(buffer.data().toStdString()));
    for (const Colour& c : palette())
        replaceAll(svg, fmt::format("#fa00{:02x}", static_cast<int>(c.role)),
                   fmt::format("var(--{},{})", c.name, c.light));
    replaceAll(svg, "font-family=\"DejaVu Sans\"",
               "font-family=\"'DejaVu Sans',Verdana,sans-serif\"");
    return svg;
}

}  // namespace

ChartApplication::ChartApplication() {
    if (QCoreApplication::instance() != nullptr) return;
    static std::array<char, 12> name{"trainwright"};
    static std::array<char, 10> option{"-platform"};
    static std::array<char, 10> platform{"offscreen"};
    static std::array<char*, 4> arguments{name.data(), option.data(), platform.data(), nullptr};
    static int count = 3;
    count = 3;
    arguments = {name.data(), option.data(), platform.data(), nullptr};
    // Qt remarks on the lack of a runtime folder, which drawing never uses.
    QtMessageHandler former =
        qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
    application_ = std::make_unique<QApplication>(count, arguments.data());
    qInstallMessageHandler(former);
}

ChartApplication::~ChartApplication() = default;

std::string drawSvg(const ChartSpec& spec, int width) {
    const std::string id = fmt::format("{}-{}", spec.id, width);
    charts::Canvas canvas(width);
    canvas.setLanguage(spec.language);
    std::string body;
    if (validate(spec).empty()) {
        std::visit([&](const auto& chart) { charts::draw(canvas, chart); }, spec.chart);
        body = render(canvas);
    }
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" role=\"img\" "
        "aria-labelledby=\"{2}-title {2}-desc\">\n<title id=\"{2}-title\">{3}</title>\n<desc "
        "id=\"{2}-desc\">{4}</desc>\n"
        "{5}</svg>",
        width, static_cast<int>(std::ceil(canvas.height())), id,
        escapedXml(spec.question.english()), escapedXml(spec.description.english()), body);
}

SvgDrawer chartDrawer() {
    auto application = std::make_shared<std::unique_ptr<ChartApplication>>();
    return [application](const ChartSpec& spec, int width) {
        if (!*application) *application = std::make_unique<ChartApplication>();
        return drawSvg(spec, width);
    };
}

}  // namespace trainwright::reports
