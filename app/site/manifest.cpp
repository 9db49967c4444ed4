// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/site/manifest.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "reports/document.h"

namespace trainwright::app {
namespace {

namespace fs = std::filesystem;
using reports::Json;

constexpr const char* kSchema = "trainwright/site-manifest/1";

bool isPlain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
}

}  // namespace

std::optional<std::string> bytesOf(const std::string& file) {
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return std::nullopt;
    std::ifstream in(file, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (!in.good() && !in.eof()) return std::nullopt;
    return bytes;
}

std::string plainName(const std::string& name) {
    std::string out = name;
    std::replace_if(
        out.begin(), out.end(), [](char c) { return !isPlain(c); }, '-');
    if (!out.empty() && out.front() == '.') out.front() = '-';
    return out;
}

Outcome<SitePages> readManifest(const std::string& folder) {
    const std::string file = (fs::path(folder) / kManifestFile).string();
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(file, ignored))) return SitePages();
    const std::optional<std::string> text = bytesOf(file);
    const Finding isOther{
        Severity::Error,
        Text{"This is not a list of pages as `trainwright report` writes it; nothing in this "
             "folder is touched. The site needs another folder.",
             {}},
        Place{file, 0, 0, {}}};
    try {
        const Json json = Json::parse(text.value_or(""));
        if (json.at("schema") != kSchema) return isOther;
        SitePages pages;
        for (const Json& page : json.at("pages")) {
            const auto name = page.at("file").get<std::string>();
            if (!reports::isPageAddress(name) || name.front() == '.') return isOther;
            pages[name] = {page.at("inputs").get<std::string>(),
                           page.at("content").get<std::string>(), page.at("row")};
        }
        return pages;
    } catch (const Json::exception&) {
        return isOther;
    }
}

std::string manifestText(const SitePages& pages) {
    Json list = Json::array();
    for (const auto& [file, page] : pages)
        list.push_back(Json{
            {"file", file}, {"inputs", page.inputs}, {"content", page.content}, {"row", page.row}});
    return reports::jsonText(Json{{"schema", kSchema}, {"pages", std::move(list)}}) + "\n";
}

}  // namespace trainwright::app
