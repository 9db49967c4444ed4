// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of a price file, a piece at a time, with the hash of all that went by.
//
// A source gives its bytes once, from first to last; a file may be begun again. It knows nothing
// of what they mean. A read that fails ends the bytes, and failed() says so.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/units/content_hash.h"
#include "model/units/outcome.h"

namespace trainwright::import::prices {

class ByteSource {
public:
    ByteSource() = default;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;
    virtual ~ByteSource() = default;
    /// The bytes that follow, valid until the next call; none at the end.
    [[nodiscard]] virtual std::string_view next() = 0;
    [[nodiscard]] virtual bool failed() const { return false; }
};

/// Bytes that are in memory.
class TextSource : public ByteSource {
public:
    explicit TextSource(std::string_view text) : text_(text) {}
    [[nodiscard]] std::string_view next() override {
        const std::string_view all = text_;
        text_ = {};
        return all;
    }

private:
    std::string_view text_;
};

/// A regular file.
class FileSource : public ByteSource {
public:
    using Progress = std::function<void(std::int64_t bytesRead)>;

    /// Findings: missing, a folder, no regular file, not readable, empty, compressed.
    [[nodiscard]] static Outcome<std::unique_ptr<FileSource>> open(const std::string& path,
                                                                   Progress progress = {});

    [[nodiscard]] std::string_view next() override;
    [[nodiscard]] bool failed() const override { return failed_; }
    /// From the first byte again.
    void rewind();
    /// The beginning of the file, up to a piece; doesn't count as read.
    [[nodiscard]] std::string_view beginning() const { return beginning_; }

    [[nodiscard]] std::int64_t size() const { return size_; }
    /// Of the bytes that next() gave since the beginning.
    [[nodiscard]] std::string hash() const { return hash_.hex(); }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    FileSource() = default;

    std::unique_ptr<std::FILE, Close> file_;
    Progress progress_;
    std::int64_t size_ = 0;
    std::int64_t read_ = 0;
    bool failed_ = false;
    std::vector<char> buffer_;
    std::string beginning_;
    units::ContentHash hash_;
};

/// Whether `text` is UTF-8.
[[nodiscard]] bool isUtf8(std::string_view text);

}  // namespace trainwright::import::prices
