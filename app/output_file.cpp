// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

namespace trainwright::app {
namespace {

namespace fs = std::filesystem;

Finding failure(const std::string& file, std::string pattern,
                std::vector<Argument> arguments = {}) {
    return Finding{Severity::Error, Text{std::move(pattern), std::move(arguments)},
                   Place{file, 0, 0, {}}};
}

std::string reason(int error) {
    return std::error_code(error, std::generic_category()).message();
}

/// Closes on every way out; `close` reports what a delayed write found.
class Descriptor {
public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { static_cast<void>(close()); }

    [[nodiscard]] bool valid() const { return fd_ >= 0; }
    [[nodiscard]] int get() const { return fd_; }
    /// 0, or the error.
    int close() {
        const int fd = std::exchange(fd_, -1);
        return fd >= 0 && ::close(fd) != 0 ? errno : 0;
    }

private:
    int fd_;
};

/// 0, or the error.
int writeAll(int fd, std::string_view content) {
    while (!content.empty()) {
        const ssize_t written = ::write(fd, content.data(), content.size());
        if (written < 0) {
            if (errno == EINTR) {
                continue;
            }
            return errno;
        }
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

/// What there is to say of an error of standard output: nothing if its reader has gone away.
std::optional<Finding> outputFailure(int error) {
    if (error == 0 || error == EPIPE) {
        return std::nullopt;
    }
    return failure("", "Standard output can't be written: {1}.", {reason(error)});
}

fs::path folderOf(const fs::path& target) {
    return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

/// Where a symbolic link leads, so that the link survives and the file it names is replaced.
fs::path followLinks(const std::string& path) {
    std::error_code ignored;
    fs::path target(path);
    constexpr int kMaxLinks = 40;  // as the kernel does
    for (int links = 0; links < kMaxLinks && fs::is_symlink(target, ignored); ++links) {
        const fs::path next = fs::read_symlink(target, ignored);
        target = next.is_absolute() ? next : folderOf(target) / next;
    }
    return target;
}

bool isDeviceOrPipe(const struct stat& status) {
    return !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

}  // namespace

std::optional<Finding> checkWritable(const std::string& path) {
    const fs::path target = followLinks(path);
    struct stat status {};
    if (::stat(target.c_str(), &status) == 0) {
        if (S_ISDIR(status.st_mode)) {
            return failure(path, "This is a folder; a file name is expected.");
        }
        if (isDeviceOrPipe(status)) {
            return std::nullopt;
        }
    }
    const fs::path folder = folderOf(target);
    if (::stat(folder.c_str(), &status) != 0) {
        return failure(path, "The folder {1} can't be used: {2}.",
                       {folder.string(), reason(errno)});
    }
    if (!S_ISDIR(status.st_mode)) {
        return failure(path, "{1} is a file; a folder is expected there.", {folder.string()});
    }
    if (::access(folder.c_str(), W_OK | X_OK) != 0) {
        return failure(path, "The folder {1} can't be written to: {2}.",
                       {folder.string(), reason(errno)});
    }
    return std::nullopt;
}

std::optional<Finding> writeFile(const std::string& path, std::string_view content) {
    const fs::path target = followLinks(path);
    const auto failed = [&](int error) {
        return failure(path,
                       "The file can't be written: {1}. An earlier one of that name is as it was.",
                       {reason(error)});
    };

    struct stat status {};
    const bool exists = ::stat(target.c_str(), &status) == 0;
    if (exists && isDeviceOrPipe(status)) {
        Descriptor device(::open(target.c_str(), O_WRONLY | O_CLOEXEC));
        const int error = device.valid() ? writeAll(device.get(), content) : errno;
        return error == 0
                   ? std::nullopt
                   : std::optional(failure(path, "This can't be written: {1}.", {reason(error)}));
    }

    const fs::path temporary = folderOf(target) / ("." + target.filename().string() + "." +
                                                   std::to_string(::getpid()) + ".tmp");
    constexpr mode_t kNewFileMode = 0666;  // less the user's umask
    Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                           kNewFileMode));
    if (!file.valid()) {
        return failed(errno);
    }
    int error = writeAll(file.get(), content);
    if (error == 0 && exists && ::fchmod(file.get(), status.st_mode & 07777U) != 0) {
        error = errno;
    }
    if (error == 0 && ::fsync(file.get()) != 0) {
        error = errno;
    }
    if (const int closing = file.close(); error == 0) {
        error = closing;
    }
    if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) {
        error = errno;
    }
    if (error != 0) {
        ::unlink(temporary.c_str());
        return failed(error);
    }
    // The rename itself reaches the disk with its folder; some file systems can't sync folders,
    // which is fine.
    const Descriptor folder(::open(folderOf(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.valid()) {
        static_cast<void>(::fsync(folder.get()));
    }
    return std::nullopt;
}

std::optional<Finding> writeStandardOutput(std::string_view content) {
    return outputFailure(writeAll(STDOUT_FILENO, content));
}

Outcome<GrowingOutput> GrowingOutput::open(const std::string& path) {
    if (path.empty()) {
        return GrowingOutput(path, STDOUT_FILENO);
    }
    constexpr mode_t kNewFileMode = 0666;  // less the user's umask
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kNewFileMode);
    if (fd < 0) {
        return failure(path, "This can't be written: {1}.", {reason(errno)});
    }
    return GrowingOutput(path, fd);
}

GrowingOutput::GrowingOutput(GrowingOutput&& other) noexcept
    : path_(std::move(other.path_)),
      fd_(std::exchange(other.fd_, -1)),
      problem_(std::move(other.problem_)) {}

GrowingOutput::~GrowingOutput() {
    if (fd_ >= 0 && !path_.empty()) {
        ::close(fd_);
    }
}

bool GrowingOutput::add(std::string_view rows) {
    const off_t before = path_.empty() ? -1 : ::lseek(fd_, 0, SEEK_CUR);
    const int error = writeAll(fd_, rows);
    if (error == 0) {
        return true;
    }
    // Of a device or a pipe nothing can be taken back.
    if (before >= 0 && ::ftruncate(fd_, before) == 0) {
        static_cast<void>(::lseek(fd_, before, SEEK_SET));
    }
    if (path_.empty()) {
        problem_ = outputFailure(error);
    } else {
        problem_ = failure(path_, "No more can be written: {1}. The rows before are kept.",
                           {reason(error)});
    }
    return false;
}

Outcome<std::string> readStandardInput(std::size_t limit) {
    std::string text;
    std::array<char, 65536> buffer{};
    for (;;) {
        const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (got < 0) {
            if (errno == EINTR) {
                continue;
            }
            return failure("-", "Standard input can't be read: {1}.", {reason(errno)});
        }
        if (got == 0) {
            return text;
        }
        text.append(buffer.data(), static_cast<std::size_t>(got));
        if (text.size() > limit) {
            return failure(
                "-", "Standard input holds more than {1} bytes, the most that a scenario has.",
                {std::to_string(limit)});
        }
    }
}

}  // namespace trainwright::app
