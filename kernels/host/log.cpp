#include "nocbench/host/log.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>

namespace tt::host {

namespace {

LogLevel level_of_environment() {
    const char* const name = std::getenv("TT_LOGGER_LEVEL");  // NOLINT(concurrency-mt-unsafe): nobody sets it
    static const std::map<std::string_view, LogLevel> levels{{"trace", LogLevel::trace}, {"debug", LogLevel::debug},
                                                             {"info", LogLevel::info},   {"warning", LogLevel::warning},
                                                             {"error", LogLevel::error}, {"critical", LogLevel::fatal}};
    const auto found = levels.find(name == nullptr ? "info" : name);
    return found == levels.end() ? LogLevel::info : found->second;
}

}  // namespace

void print_message(LogLevel level, std::string_view message) {
    static const LogLevel least = level_of_environment();
    if (level >= least) {
        constexpr std::array names{"trace", "debug", "info", "warning", "error", "critical"};
        fmt::print(stderr, "{}: {}\n", names[static_cast<std::size_t>(level)], message);
    }
}

namespace {

/// Returns the message behind its place, if that is known: not of calls from Python, whose tracebacks have it.
std::string at_place(const Caller& caller, std::string_view message) {
    if (caller.line() == 0) {
        return std::string(message);
    }
    return fmt::format("{}:{}: {}", std::filesystem::path(caller.file_name()).filename().string(), caller.line(),
                       message);
}

}  // namespace

void warn(const Caller& caller, std::string_view message) {
    print_message(LogLevel::warning, at_place(caller, message));
}

void fail(const Caller& caller, std::string_view message) { throw HostError(at_place(caller, message)); }

}  // namespace tt::host
