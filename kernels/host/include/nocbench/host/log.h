// Messages of host programs, and errors with the line of the program that caused them. Names follow tt-metal.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#pragma GCC visibility push(default)

namespace tt {

enum LogType : std::uint8_t {
    LogAlways,
    LogTest,
    LogTimer,
    LogDevice,
    LogModel,
    LogLLRuntime,
    LogLoader,
    LogIO,
    LogCompile,
    LogMetal,
    LogVerif,
    LogOp,
    LogDispatch,
    LogFabric,
    LogDistributed,
};

enum class LogLevel : std::uint8_t { trace, debug, info, warning, error, fatal };

/// Mistake of a host program.
class HostError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

namespace host {

/// Place in the host program at which a call was made.
using Caller = std::source_location;

/// Prints a message to standard error if its level is at least that of $TT_LOGGER_LEVEL (default: info).
void print_message(LogLevel level, std::string_view message);

/// Prints a warning: "program.cpp:31: message".
void warn(const Caller& caller, std::string_view message);

/// Throws HostError: "program.cpp:31: message".
[[noreturn]] void fail(const Caller& caller, std::string_view message);

/// Throws HostError with the place of the call unless a condition holds.
template <typename... Args>
void require(bool holds, const Caller& caller, fmt::format_string<Args...> format, Args&&... args) {
    if (!holds) {
        fail(caller, fmt::format(format, std::forward<Args>(args)...));
    }
}

inline std::string message_of(std::string_view condition) { return fmt::format("expected {}", condition); }
template <typename... Args>
std::string message_of(std::string_view, fmt::format_string<Args...> format, Args&&... args) {
    return fmt::format(format, std::forward<Args>(args)...);
}

}  // namespace host

template <typename... Args>
void tt_log(LogLevel level, LogType, fmt::format_string<Args...> format, Args&&... args) {
    host::print_message(level, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void tt_log(LogLevel level, fmt::format_string<Args...> format, Args&&... args) {
    host::print_message(level, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace tt

using tt::tt_log;

// Programs write log_info(...) and, until 2025, tt::log_info(...).
#define log_trace(...) tt_log(::tt::LogLevel::trace, __VA_ARGS__)
#define log_debug(...) tt_log(::tt::LogLevel::debug, __VA_ARGS__)
#define log_info(...) tt_log(::tt::LogLevel::info, __VA_ARGS__)
#define log_warning(...) tt_log(::tt::LogLevel::warning, __VA_ARGS__)
#define log_error(...) tt_log(::tt::LogLevel::error, __VA_ARGS__)
#define log_critical(...) tt_log(::tt::LogLevel::fatal, __VA_ARGS__)
#define log_fatal(...) tt_log(::tt::LogLevel::fatal, __VA_ARGS__)

#define TT_FATAL(condition, ...)                                                             \
    do {                                                                                     \
        if (const bool holds = static_cast<bool>(condition); !holds) [[unlikely]] {          \
            ::tt::host::fail(::tt::host::Caller::current(),                                  \
                             ::tt::host::message_of(#condition __VA_OPT__(, ) __VA_ARGS__)); \
        }                                                                                    \
    } while (false)
#define TT_ASSERT(condition, ...) TT_FATAL(condition __VA_OPT__(, ) __VA_ARGS__)
#define TT_THROW(...) ::tt::host::fail(::tt::host::Caller::current(), ::tt::host::message_of("", __VA_ARGS__))

#pragma GCC visibility pop
