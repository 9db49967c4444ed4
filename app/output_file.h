// SPDX-License-Identifier: GPL-3.0-or-later
// Files and standard output as this program writes them: whole, or not at all.
//
// A file is written beside its target and renamed over it once it is safely on disk, so that a full
// disk or an interruption leaves the earlier file as it was. Only what grows for hours is written
// in place, and then ends with a whole row. What goes wrong is a Finding in the user's words;
// nothing here throws for it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/units/outcome.h"

namespace trainwright::app {

/// Why `path` can't be written, as far as it shows before anything is computed: its folder is
/// missing or not writable, or it is a folder itself. Writes nothing.
[[nodiscard]] std::optional<Finding> checkWritable(const std::string& path);

/// Replaces `path` by `content` in one step, keeping the permissions of an earlier file and
/// following symbolic links. A device or a pipe is written straight.
[[nodiscard]] std::optional<Finding> writeFile(const std::string& path, std::string_view content);

/// Writes to standard output. A reader that has gone away is not an error.
[[nodiscard]] std::optional<Finding> writeStandardOutput(std::string_view content);

/// Rows that are written as they come, to standard output or to a file that can be read while it
/// grows. Whenever writing ends, a full disk included, the file ends with a whole piece.
class GrowingOutput {
public:
    /// Empties the file; "" is standard output.
    [[nodiscard]] static Outcome<GrowingOutput> open(const std::string& path);
    GrowingOutput(GrowingOutput&& other) noexcept;
    ~GrowingOutput();

    /// Adds whole rows. False when nothing more can be written: problem() says why, or the reader
    /// of standard output has gone away, which is not an error.
    [[nodiscard]] bool add(std::string_view rows);
    [[nodiscard]] const std::optional<Finding>& problem() const { return problem_; }

private:
    GrowingOutput(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}

    std::string path_;
    int fd_;
    std::optional<Finding> problem_;
};

/// Everything on standard input, up to `limit` bytes; more is a Finding.
[[nodiscard]] Outcome<std::string> readStandardInput(std::size_t limit);

}  // namespace trainwright::app
