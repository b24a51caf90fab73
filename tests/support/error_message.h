// What the user is told.
#pragma once

#include <functional>
#include <regex>
#include <string>

#include "device_model/sim/error.h"

namespace nocbench::test {

/// The message of the InputError that `action` throws, or "no error".
inline std::string error_message(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

/// The message with "cycle #" for every "cycle 123": when something happened depends on constants that may be fitted
/// again, what the user is told does not.
inline std::string without_times(const std::string& message) {
    return std::regex_replace(message, std::regex("cycle [0-9]+"), "cycle #");
}

}  // namespace nocbench::test
