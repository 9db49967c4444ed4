// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/import/price_input.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace trainwright::import::prices {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20U;
constexpr std::size_t kBeginning = std::size_t{1} << 16U;

Finding about(const std::string& path, std::string pattern,
              std::vector<Argument> arguments = {}) {
    return Finding{Severity::Error, Text{std::move(pattern), std::move(arguments)},
                   Place{path, 0, 0, {}}};
}

bool startsWith(std::string_view text, std::string_view beginning) {
    return text.substr(0, beginning.size()) == beginning;
}

}  // namespace

Outcome<std::unique_ptr<FileSource>> FileSource::open(const std::string& path, Progress progress) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) {
        return about(path, "there is no file here");
    }
    if (std::filesystem::is_directory(status)) {
        return about(path, "this is a folder; a file of prices is expected");
    }
    if (!std::filesystem::is_regular_file(status)) {
        return about(path, "this is no regular file; prices are read from files on disk");
    }
    std::unique_ptr<FileSource> source(new FileSource);
    source->file_.reset(std::fopen(path.c_str(), "rb"));
    if (!source->file_) {
        return about(path, "the file can't be opened: {1}",
                     {std::error_code(errno, std::generic_category()).message()});
    }
    source->size_ = static_cast<std::int64_t>(std::filesystem::file_size(path, error));
    source->progress_ = std::move(progress);
    source->buffer_.resize(kPiece);
    source->beginning_.resize(kBeginning);
    source->beginning_.resize(
        std::fread(source->beginning_.data(), 1, kBeginning, source->file_.get()));
    if (std::ferror(source->file_.get()) != 0) {
        return about(path, "the file can't be read");
    }
    if (source->beginning_.empty()) {
        return about(path, "the file is empty");
    }
    for (const std::string_view magic : {"\x1f\x8b", "PK\x03\x04", "\x28\xb5\x2f\xfd", "BZh",
                                         "\xfd"
                                         "7zXZ"}) {
        if (startsWith(source->beginning_, magic)) {
            return about(path, "the file is compressed; it is read once it is unpacked");
        }
    }
    if (startsWith(source->beginning_, "PAR1")) {
        return about(path, "this is a Parquet file; an export as CSV can be read");
    }
    source->rewind();
    return source;
}

std::string_view FileSource::next() {
    const std::size_t count = std::fread(buffer_.data(), 1, buffer_.size(), file_.get());
    failed_ = failed_ || std::ferror(file_.get()) != 0;
    const std::string_view piece(buffer_.data(), count);
    hash_.add(piece);
    read_ += static_cast<std::int64_t>(count);
    if (progress_ && count > 0) {
        progress_(read_);
    }
    return piece;
}

void FileSource::rewind() {
    std::rewind(file_.get());
    read_ = 0;
    failed_ = false;
    hash_ = units::ContentHash();
}

bool isUtf8(std::string_view text) {
    // RFC 3629: shortest forms only, no surrogates, nothing above U+10FFFF.
    std::size_t i = 0;
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    while (i < text.size()) {
        const unsigned char lead = byte(i);
        std::size_t more = 0;
        unsigned char low = 0x80;
        unsigned char high = 0xbf;
        if (lead < 0x80) {
            ++i;
            continue;
        }
        if (lead >= 0xc2 && lead <= 0xdf) {
            more = 1;
        } else if (lead >= 0xe0 && lead <= 0xef) {
            more = 2;
            low = lead == 0xe0 ? 0xa0 : 0x80;
            high = lead == 0xed ? 0x9f : 0xbf;
        } else if (lead >= 0xf0 && lead <= 0xf4) {
            more = 3;
            low = lead == 0xf0 ? 0x90 : 0x80;
            high = lead == 0xf4 ? 0x8f : 0xbf;
        } else {
            return false;
        }
        if (i + more >= text.size() || byte(i + 1) < low || byte(i + 1) > high) {
            return false;
        }
        for (std::size_t k = 2; k <= more; ++k) {
            if ((byte(i + k) & 0xc0U) != 0x80U) {
                return false;
            }
        }
        i += more + 1;
    }
    return true;
}

}  // namespace trainwright::import::prices
