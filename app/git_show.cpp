// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/git_show.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

namespace trainwright::app {
namespace {

constexpr int kNotFound = 127;  // as shells say it

Finding finding(const std::string& object, std::string pattern,
                std::vector<Argument> arguments = {}) {
    return {Severity::Error, Text{std::move(pattern), std::move(arguments)},
            Place{object, 0, 0, {}}};
}

/// Everything from `fd` up to `limit` bytes and one more.
std::string readAll(int fd, std::size_t limit) {
    std::string out;
    std::array<char, 65536> buffer;
    while (out.size() <= limit) {
        const ssize_t got = ::read(fd, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        out.append(buffer.data(), static_cast<std::size_t>(got));
    }
    ::close(fd);
    return out;
}

std::string firstLine(const std::string& text) {
    std::string line = text.substr(0, text.find('\n'));
    for (const char* prefix : {"fatal: ", "error: "})
        if (line.starts_with(prefix)) line = line.substr(std::strlen(prefix));
    if (line.ends_with('.')) line.pop_back();
    return line;
}

}  // namespace

GitObject gitObject(const std::string& revision, const std::string& file) {
    if (revision.find(':') != std::string::npos) return {revision, {}, revision};
    const std::filesystem::path path(file);
    return {revision + ":./" + path.filename().string(), path.parent_path().string(),
            revision + ":" + file};
}

Outcome<std::string> gitShow(const std::string& object, const std::string& folder,
                             std::size_t limit) {
    // Named as an option would be, it would be taken for one.
    if (object.starts_with('-'))
        return finding(object, "A revision of git is expected, as in main:scenario.yaml.");
    std::array<int, 2> output{}, errors{};
    if (::pipe2(output.data(), O_CLOEXEC) != 0)
        return finding(object, "git can't be started: {1}", {std::strerror(errno)});
    if (::pipe2(errors.data(), O_CLOEXEC) != 0) {
        ::close(output[0]);
        ::close(output[1]);
        return finding(object, "git can't be started: {1}", {std::strerror(errno)});
    }
    // All that the child needs is made before fork, after which it may allocate nothing.
    std::vector<std::string> words{"git"};
    if (!folder.empty()) {
        words.emplace_back("-C");
        words.push_back(folder);
    }
    words.emplace_back("show");
    words.push_back(object);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        const int nothing = ::open("/dev/null", O_RDONLY);
        ::dup2(nothing, STDIN_FILENO);
        ::dup2(output[1], STDOUT_FILENO);
        ::dup2(errors[1], STDERR_FILENO);
        ::execvp("git", arguments.data());
        ::_exit(errno == ENOENT ? kNotFound : kNotFound - 1);
    }
    ::close(output[1]);
    ::close(errors[1]);
    if (child < 0) {
        ::close(output[0]);
        ::close(errors[0]);
        return finding(object, "git can't be started: {1}", {std::strerror(errno)});
    }
    const std::string text = readAll(output[0], limit);
    constexpr std::size_t kMostWords = 4096;  // less than a pipe holds: nothing waits for it
    const std::string said = readAll(errors[0], kMostWords);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (text.size() > limit)
        return finding(object, "The file is larger than {1} bytes.", {std::to_string(limit)});
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
    if (WIFEXITED(status) && WEXITSTATUS(status) == kNotFound)
        return finding(object,
                       "git is not installed. Where it is, `git show {1} > before` writes the "
                       "earlier file, to be compared as `trainwright diff before FILE`.",
                       {object});
    return finding(object, "git has no such file: {1}.",
                   {said.empty() ? "it gave no reason" : firstLine(said)});
}

}  // namespace trainwright::app
