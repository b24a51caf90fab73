// Conversion to a narrower integer that tells when the value does not fit.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "device_model/sim/error.h"

namespace nocbench {

/// `value` as an integer of another type. Throws InputError if that cannot hold it; `what` says what it is, as
/// "flits of a packet".
template <class To, class From>
constexpr To narrow(From value, std::string_view what) {
    if (!std::in_range<To>(value)) {
        throw InputError(std::string(what) + ": expected at most " + std::to_string(std::numeric_limits<To>::max()) +
                         ", found " + std::to_string(value));
    }
    return static_cast<To>(value);
}

}  // namespace nocbench
