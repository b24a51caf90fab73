// Checked conversion to a narrower integer.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "device_model/sim/error.h"

namespace nocbench {

/// Converts `value`. Throws InputError if the result type cannot hold it; `what` names the value: "flits of a packet".
template <class To, class From>
constexpr To narrow(From value, std::string_view what) {
    if (!std::in_range<To>(value)) {
        throw InputError(std::string(what) + ": expected at most " + std::to_string(std::numeric_limits<To>::max()) +
                         ", found " + std::to_string(value));
    }
    return static_cast<To>(value);
}

}  // namespace nocbench
