// Error messages, as seen by users.
#pragma once

#include <functional>
#include <regex>
#include <string>

#include "device_model/sim/error.h"

namespace nocbench::test {

/// Returns the message of the InputError that `action` throws, or "no error".
inline std::string error_message(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

/// Replaces every "cycle 123" by "cycle #": times depend on fitted constants, the remaining text does not.
inline std::string without_times(const std::string& message) {
    return std::regex_replace(message, std::regex("cycle [0-9]+"), "cycle #");
}

}  // namespace nocbench::test
