// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/import/price_csv.h"

#include <algorithm>

namespace trainwright::import::prices {
namespace {

constexpr std::size_t kMostFields = 4096;
constexpr std::size_t kLongestRow = std::size_t{4} << 20U;

/// A column's name as it is compared.
std::string bare(std::string_view name) {
    const std::size_t from = name.find_first_not_of(" \t");
    if (from == std::string_view::npos) return {};
    name = name.substr(from, name.find_last_not_of(" \t") - from + 1);
    std::string out(name);
    std::transform(out.begin(), out.end(), out.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return out;
}

}  // namespace

CsvReader::CsvReader(ByteSource& source, std::string file)
    : source_(source), file_(std::move(file)) {
    if (fill() && end_ - at_ >= 3 && std::string_view(at_, 3) == "\xEF\xBB\xBF") {
        at_ += 3;
    }
}

bool CsvReader::fill() {
    if (at_ < end_) return true;
    if (isDone_) return false;
    const std::string_view piece = source_.next();
    at_ = piece.data();
    end_ = at_ + piece.size();
    isDone_ = piece.empty();
    return !isDone_;
}

Place CsvReader::place(std::optional<std::size_t> column) const {
    if (column && *column < fields_.size()) {
        return Place{file_, fields_[*column].line, fields_[*column].column, {}};
    }
    return Place{file_, rowLine_, 0, {}};
}

void CsvReader::fail(std::optional<std::size_t> column, std::string pattern,
                     std::vector<Argument> arguments) {
    fail(Finding{Severity::Error, Text{std::move(pattern), std::move(arguments)}, place(column)});
}

void CsvReader::fail(Finding finding) {
    if (!error_) error_ = std::move(finding);
}

std::string_view CsvReader::field(std::size_t index) const {
    if (index >= fields_.size()) return {};
    return std::string_view(row_).substr(fields_[index].from,
                                         fields_[index].to - fields_[index].from);
}

bool CsvReader::next() {
    while (!error_ && fill()) {
        if (!readRow()) return false;
        const bool isBlank = fields_.size() == 1 && field(0U).empty();
        if (isBlank) continue;
        if (row_.find('\0') != std::string::npos) {
            fail(std::nullopt, "a NUL byte stands in this row");
            return false;
        }
        if (!isUtf8(row_)) {
            fail(std::nullopt, "this row is not UTF-8");
            return false;
        }
        if (!header_.empty() && fields_.size() != header_.size()) {
            fail(std::nullopt,
                 fields_.size() < header_.size() && !fill()
                     ? "{1} fields, where the header has {2}: the file is cut off"
                     : "{1} fields, where the header has {2}",
                 {std::to_string(fields_.size()), std::to_string(header_.size())});
            return false;
        }
        return true;
    }
    if (!error_ && source_.failed()) {
        fail(std::nullopt, "the file can't be read beyond this row");
    }
    return false;
}

bool CsvReader::readRow() {
    row_.clear();
    fields_.clear();
    rowLine_ = line_;
    bool isFirst = true;
    while (true) {
        if (!isFirst) {
            ++at_;
            ++column_;
        }
        isFirst = false;
        Field field{row_.size(), row_.size(), line_, column_};
        if (fill() && *at_ == '"') {
            ++at_;
            ++column_;
            while (true) {
                const char* start = at_;
                while (at_ < end_ && *at_ != '"' && *at_ != '\n') ++at_;
                row_.append(start, static_cast<std::size_t>(at_ - start));
                column_ += static_cast<int>(at_ - start);
                if (row_.size() > kLongestRow) break;
                if (!fill()) {
                    fields_.push_back(field);
                    fail(fields_.size() - 1,
                         "the file ends inside quotation marks that open here: it is cut off, or "
                         "a quotation mark is missing");
                    return false;
                }
                if (*at_ == '\n') {
                    row_ += *at_++;
                    ++line_;
                    column_ = 1;
                    continue;
                }
                if (*at_ != '"') continue;
                ++at_;
                ++column_;
                if (!fill() || *at_ != '"') break;
                row_ += '"';
                ++at_;
                ++column_;
            }
        } else {
            while (fill()) {
                const char* start = at_;
                while (at_ < end_ && *at_ != ',' && *at_ != '\n' && *at_ != '\r' && *at_ != '"') {
                    ++at_;
                }
                row_.append(start, static_cast<std::size_t>(at_ - start));
                column_ += static_cast<int>(at_ - start);
                if (at_ < end_ || row_.size() > kLongestRow) break;
            }
        }
        field.to = row_.size();
        fields_.push_back(field);
        if (row_.size() > kLongestRow) {
            fail(std::nullopt,
                 "a row is longer than {1} MiB; a quotation mark that nothing "
                 "closes is likely",
                 {std::to_string(kLongestRow >> 20U)});
            return false;
        }
        if (fields_.size() > kMostFields) {
            fail(std::nullopt, "a row has more than {1} fields", {std::to_string(kMostFields)});
            return false;
        }
        if (!fill()) return true;
        if (*at_ == ',') continue;
        if (*at_ == '\r') {
            ++at_;
            if (!fill()) return true;
        }
        if (*at_ != '\n') {
            fail(fields_.size() - 1,
                 "a quotation mark does not match: a field that holds quotation marks, commas or "
                 "line breaks stands between quotation marks, and its own are doubled");
            return false;
        }
        ++at_;
        ++line_;
        column_ = 1;
        return true;
    }
}

void CsvReader::useAsHeader() {
    header_.clear();
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        header_.push_back(bare(field(i)));
    }
}

std::optional<std::size_t> CsvReader::column(std::string_view name) const {
    const auto found = std::find(header_.begin(), header_.end(), bare(name));
    if (found == header_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - header_.begin());
}

}  // namespace trainwright::import::prices
