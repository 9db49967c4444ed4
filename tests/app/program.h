// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the built program as a user's shell would, and keeps all that it says.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainwright::tests {

struct Execution {
    int exitCode = -1;  ///< -1 when a signal ended it
    int signal = 0;
    std::string output;
    std::string errors;
    double secondsAfterInterrupt = 0;  ///< from Ctrl-C to the end
};

/// How the program is started, beyond its arguments.
struct Setting {
    std::string input{};                               ///< on standard input
    std::map<std::string, std::string> environment{};  ///< added to, or in place of, the test's own
    std::filesystem::path folder{};                    ///< working folder; empty: the test's own
    std::optional<unsigned long> largestFile{};  ///< bytes; writing more fails, as on a full disk
    std::string outputFile{};                    ///< standard output goes there instead
    bool closeOutputEarly = false;               ///< the reader of standard output is gone at once
    std::size_t interruptAfterBytes = 0;  ///< Ctrl-C once so much is on standard output; 0: never
    int interruptAfterMilliseconds = 0;   ///< Ctrl-C so long after the start; 0: never
};

/// Runs the program of this build with `arguments`.
[[nodiscard]] Execution run(const std::vector<std::string>& arguments, const Setting& setting = {});

/// Runs any command line.
[[nodiscard]] Execution runCommand(const std::vector<std::string>& command,
                                   const Setting& setting = {});

/// A folder of its own, gone with the object.
class TemporaryFolder {
public:
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::string file(const std::string& name) const {
        return (path_ / name).string();
    }
    /// Writes a file there and returns its path.
    std::string write(const std::string& name, std::string_view content) const;
    /// Names of everything in the folder, sorted.
    [[nodiscard]] std::vector<std::string> names() const;

private:
    std::filesystem::path path_;
};

[[nodiscard]] std::string readFile(const std::filesystem::path& path);

/// Lines of `text` that are not empty.
[[nodiscard]] std::vector<std::string> lines(const std::string& text);

/// The catalog of this build.
[[nodiscard]] std::string shippedCatalog();

/// A scenario that plans in a moment: a small model on few accelerators, Trainium and GPU.
[[nodiscard]] std::string smallScenario();

}  // namespace trainwright::tests
