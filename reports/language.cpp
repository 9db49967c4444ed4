// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/language.h"

#include <utility>

#include "reports/spanish_numbers.h"
#include "reports/words/words.h"

namespace trainwright::reports {
namespace {

class English : public Translator {
public:
    [[nodiscard]] std::string pattern(const std::string& english) const override { return english; }
    [[nodiscard]] std::string plain(const std::string& argument) const override { return argument; }
};

class Spanish : public Translator {
public:
    [[nodiscard]] std::string pattern(const std::string& english) const override {
        const words::Entry* found = words::findSpanish(english);
        return found != nullptr ? found->singular : english;
    }
    [[nodiscard]] std::string plain(const std::string& argument) const override {
        return spanishNumbers(argument);
    }
};

/// Changes every Text of a tree in place.
class Walk {
public:
    explicit Walk(const Translator& language) : language_(language) {}

    void operator()(Text& text) const {
        if (!text.empty()) text = verbatim(text.in(language_));
    }
    void operator()(std::optional<Text>& text) const {
        if (text) (*this)(*text);
    }
    template <typename T>
    void operator()(std::vector<T>& all) const {
        for (T& one : all) (*this)(one);
    }
    template <typename First>
    void operator()(std::pair<First, Text>& pair) const {
        (*this)(pair.second);
    }
    void operator()(std::pair<Text, Cell>& pair) const {
        (*this)(pair.first);
        (*this)(pair.second);
    }

    void operator()(Cell& cell) const { (*this)(cell.display); }
    void operator()(Column& column) const { (*this)(column.title); }
    void operator()(Row& row) const {
        (*this)(row.cells);
        (*this)(row.notes);
    }
    void operator()(RowGroup& group) const {
        (*this)(group.title);
        (*this)(group.rows);
    }
    void operator()(Table& table) const {
        (*this)(table.caption);
        (*this)(table.columns);
        (*this)(table.groups);
        (*this)(table.footnotes);
    }
    void operator()(Paragraph& paragraph) const { (*this)(paragraph.text); }
    void operator()(List& list) const { (*this)(list.items); }
    void operator()(Facts& facts) const { (*this)(facts.items); }
    void operator()(Preformatted&) const {}
    void operator()(Figure& figure) const { (*this)(figure.chart); }
    void operator()(Block& block) const { std::visit(*this, block); }
    void operator()(Section& section) const {
        (*this)(section.title);
        (*this)(section.answer);
        (*this)(section.basis);
        (*this)(section.blocks);
        (*this)(section.sections);
    }

    void operator()(ChartSpec& chart) const {
        if (&language_ == &translator(Language::Spanish)) chart.language = code(Language::Spanish);
        (*this)(chart.question);
        (*this)(chart.answer);
        (*this)(chart.description);
        std::visit(*this, chart.chart);
    }
    void operator()(Segment& segment) const {
        (*this)(segment.label);
        (*this)(segment.tip);
    }
    void operator()(BarMark& mark) const { (*this)(mark.label); }
    void operator()(std::optional<BarMark>& mark) const {
        if (mark) (*this)(*mark);
    }
    void operator()(Bar& bar) const {
        (*this)(bar.label);
        (*this)(bar.segments);
        (*this)(bar.total);
        (*this)(bar.hiddenLabel);
        (*this)(bar.marks);
        (*this)(bar.notKnown);
        (*this)(bar.note);
    }
    void operator()(BarPanel& panel) const {
        (*this)(panel.axis);
        (*this)(panel.bars);
        (*this)(panel.limits);
    }
    void operator()(BarChart& chart) const {
        (*this)(chart.panels);
        (*this)(chart.legend);
    }
    void operator()(RooflinePoint& point) const { (*this)(point.label); }
    void operator()(Roof& roof) const { (*this)(roof.label); }
    void operator()(RooflineChart& chart) const {
        (*this)(chart.horizontalAxis);
        (*this)(chart.verticalAxis);
        (*this)(chart.roofs);
        (*this)(chart.memoryLabel);
        (*this)(chart.ridgeLabel);
        (*this)(chart.points);
        (*this)(chart.legend);
    }
    void operator()(Span& span) const {
        (*this)(span.label);
        (*this)(span.lowInput);
        (*this)(span.highInput);
    }
    void operator()(SpanPanel& panel) const {
        (*this)(panel.axis);
        (*this)(panel.middleLabel);
        (*this)(panel.spans);
    }
    void operator()(TornadoChart& chart) const {
        (*this)(chart.panels);
        (*this)(chart.lowLegend);
        (*this)(chart.highLegend);
    }
    void operator()(ParityPoint& point) const { (*this)(point.label); }
    void operator()(ParityNote& note) const {
        (*this)(note.label);
        (*this)(note.value);
    }
    void operator()(ParityChart& chart) const {
        (*this)(chart.horizontalAxis);
        (*this)(chart.verticalAxis);
        (*this)(chart.points);
        (*this)(chart.legend);
        (*this)(chart.notesTitle);
        (*this)(chart.notes);
    }
    void operator()(StripRow& row) const {
        (*this)(row.label);
        (*this)(row.value);
    }
    void operator()(StripChart& chart) const {
        (*this)(chart.axis);
        (*this)(chart.middleLabel);
        (*this)(chart.rows);
    }
    void operator()(GanttSpan& span) const { (*this)(span.label); }
    void operator()(GanttChart& chart) const {
        (*this)(chart.axis);
        (*this)(chart.rows);
        (*this)(chart.spans);
    }
    void operator()(TopologyNode& node) const { (*this)(node.label); }
    void operator()(LinkKind& kind) const {
        (*this)(kind.name);
        (*this)(kind.rate);
        (*this)(kind.loadLabel);
    }
    void operator()(TopologyChart& chart) const {
        (*this)(chart.panels);
        (*this)(chart.nodes);
        (*this)(chart.kinds);
        (*this)(chart.loadMeaning);
    }
    void operator()(ValueAxis& axis) const {
        (*this)(axis.label);
        (*this)(axis.limit);
    }
    void operator()(ScatterPoint& point) const {
        (*this)(point.label);
        (*this)(point.tip);
    }
    void operator()(ScatterChart& chart) const {
        (*this)(chart.horizontal);
        (*this)(chart.vertical);
        (*this)(chart.points);
        (*this)(chart.legend);
        (*this)(chart.better);
        (*this)(chart.feasibleLabel);
    }
    void operator()(StepsPoint& point) const { (*this)(point.tip); }
    void operator()(StepsSeries& series) const {
        (*this)(series.label);
        (*this)(series.points);
        (*this)(series.end);
    }
    void operator()(StepsChart& chart) const {
        (*this)(chart.horizontal);
        (*this)(chart.vertical);
        (*this)(chart.series);
        (*this)(chart.beyond);
    }

private:
    const Translator& language_;
};

template <typename T>
T walked(const T& tree, Language language) {
    T copy = tree;
    if (language != Language::English) Walk{translator(language)}(copy);
    return copy;
}

/// What stands in a sentence where a pattern has "{1}", "{2}" and so on, each once and in order;
/// none: the sentence isn't made from it.
std::optional<std::vector<std::string>> argumentsOf(std::string_view pattern,
                                                    std::string_view sentence) {
    std::vector<std::string> arguments;
    for (;;) {
        const std::string place = "{" + std::to_string(arguments.size() + 1) + "}";
        const std::size_t open = pattern.find(place);
        const std::string_view before = pattern.substr(0, open);
        if (!sentence.starts_with(before)) return std::nullopt;
        sentence.remove_prefix(before.size());
        if (open == std::string_view::npos)
            return sentence.empty() ? std::optional(arguments) : std::nullopt;
        pattern.remove_prefix(open + place.size());
        const std::string_view after = pattern.substr(0, pattern.find('{'));
        const std::size_t end = after.empty() ? sentence.size() : sentence.find(after);
        if (end == std::string_view::npos) return std::nullopt;
        arguments.emplace_back(sentence.substr(0, end));
        sentence.remove_prefix(end);
    }
}

}  // namespace

Text recalled(const std::string& english) {
    Text best = verbatim(english);
    std::size_t most = 0;
    for (const words::Entry& entry : words::spanish()) {
        const std::string_view key = entry.key;
        if (key.empty() || key.find('\4') != std::string_view::npos) continue;
        const std::optional<std::vector<std::string>> arguments = argumentsOf(key, english);
        if (!arguments) continue;
        constexpr std::size_t kPlace = std::string_view("{1}").size();
        const std::size_t own = key.size() - arguments->size() * kPlace;
        // A pattern of little but places fits anything.
        if (own <= most || own * 4 < english.size()) continue;
        most = own;
        best = Text{std::string(key), {arguments->begin(), arguments->end()}};
    }
    return best;
}

const char* code(Language language) {
    return language == Language::Spanish ? "es" : "en";
}

std::optional<Language> languageFromCode(std::string_view wanted) {
    for (const Language language : {Language::English, Language::Spanish})
        if (wanted == code(language)) return language;
    return std::nullopt;
}

const Translator& translator(Language language) {
    static const English english;
    static const Spanish spanish;
    if (language == Language::Spanish) return spanish;
    return english;
}

std::string say(const Text& text, Language language) {
    return language == Language::English ? text.english() : text.in(translator(language));
}

std::string say(const Argument& argument, Language language) {
    return argument.in(translator(language));
}

Text translated(const Text& text, Language language) {
    if (language == Language::English) return text;
    return verbatim(say(text, language));
}

Table translated(const Table& table, Language language) {
    return walked(table, language);
}

ChartSpec translated(const ChartSpec& chart, Language language) {
    return walked(chart, language);
}

Section translated(const Section& section, Language language) {
    return walked(section, language);
}

Document translated(const Document& document, const Translator& translator) {
    Document copy = document;
    const Walk walk{translator};
    walk(copy.title);
    walk(copy.kind);
    walk(copy.generator);
    walk(copy.up.display);
    walk(copy.answer);
    walk(copy.sections);
    return copy;
}

Document translated(const Document& document, Language language) {
    Document copy =
        language == Language::English ? document : translated(document, translator(language));
    copy.language = code(language);
    return copy;
}

}  // namespace trainwright::reports
