// SPDX-License-Identifier: GPL-3.0-or-later
// PDF of the fixture's plans, read back object by object.
#include "reports/charts/pdf.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <ctime>

#include "reports/charts/draw.h"
#include "reports/charts/pdf_navigation.h"
#include "reports/report.h"
#include "tests/reports/plan_fixture.h"

namespace trainwright::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Pdf : public ::testing::Test {
protected:
    static Document plan(bool hostile = false) {
        return hostile ? planDocument(fixture::hostileRequest(), fixture::hostileResult(),
                                      fixture::context())
                       : planDocument(fixture::planRequest(), fixture::planResult(),
                                      fixture::context());
    }
    ChartApplication application_;
};

std::size_t occurrences(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size())
        ++count;
    return count;
}

/// Every entry of every cross-reference section leads to the object of its number.
void expectSoundTables(const std::string& file) {
    long table = std::stol(file.substr(file.rfind("startxref\n") + 10));
    for (int sections = 0; sections < 3; ++sections) {
        ASSERT_EQ(file.compare(static_cast<std::size_t>(table), 5, "xref\n"), 0) << table;
        std::size_t at = static_cast<std::size_t>(table) + 5;
        const std::size_t trailer = file.find("trailer", at);
        while (at < trailer) {
            long first = 0, count = 0;
            ASSERT_EQ(std::sscanf(file.c_str() + at, "%ld %ld", &first, &count), 2);
            at = file.find('\n', at) + 1;
            for (long n = 0; n < count; ++n, at += 20) {
                if (file[at + 17] != 'n') continue;
                const auto place = static_cast<std::size_t>(std::stol(file.substr(at, 10)));
                const std::string head = std::to_string(first + n) + " 0 obj";
                EXPECT_EQ(file.compare(place, head.size(), head), 0) << head << " at " << place;
            }
        }
        const std::size_t end = file.find("startxref", trailer);
        const std::size_t earlier = file.find("/Prev ", trailer);
        if (earlier == std::string::npos || earlier > end) return;
        table = std::stol(file.substr(earlier + 6));
    }
    FAIL() << "the sections go in a circle";
}

TEST_F(Pdf, HasAnOutlineLinksAndSoundTables) {
    for (bool hostile : {false, true})
        for (Paper paper : {Paper::A4, Paper::Letter}) {
            const Document document = plan(hostile);
            const Outcome<std::string> file = pdf(document, paper);
            ASSERT_TRUE(file);
            EXPECT_THAT(*file, StartsWith("%PDF-"));
            expectSoundTables(*file);
            EXPECT_EQ(occurrences(*file, "/Type /Outlines"), 1U);
            EXPECT_GE(occurrences(*file, "/Title <FEFF"), document.sections.size());
            EXPECT_THAT(*file, HasSubstr("/Subtype /Link"));
            EXPECT_THAT(*file, HasSubstr("/PageMode /UseOutlines"));
            EXPECT_THAT(*file, HasSubstr("/FontFile2"));
            EXPECT_THAT(*file, HasSubstr(paper == Paper::A4 ? "[0 0 595" : "[0 0 612"));
        }
}

TEST_F(Pdf, IsTheSameInEveryTimeZone) {
    const Document document = plan();
    const char* former = std::getenv("TZ");
    const std::string kept = former == nullptr ? "" : former;
    std::string first;
    for (const char* zone : {"UTC", "Asia/Kathmandu", "America/St_Johns"}) {
        ::setenv("TZ", zone, 1);
        ::tzset();
        const Outcome<std::string> file = pdf(document, Paper::A4);
        ASSERT_TRUE(file);
        expectSoundTables(*file);
        if (first.empty()) first = *file;
        EXPECT_TRUE(first == *file) << zone;
    }
    former == nullptr ? ::unsetenv("TZ") : ::setenv("TZ", kept.c_str(), 1);
    ::tzset();
}

TEST_F(Pdf, AHeadingOrLinkOutsideThePagesIsRefused) {
    const Outcome<std::string> file = pdf(plan(), Paper::A4);
    ASSERT_TRUE(file);
    EXPECT_FALSE(charts::withNavigation("%PDF-1.4\nnothing else", {}, {}, "en"));
    EXPECT_FALSE(charts::withNavigation(*file, {{"x", 0, 5000, 0}}, {}, "en"));
}

}  // namespace
}  // namespace trainwright::reports
