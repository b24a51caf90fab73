// SPDX-License-Identifier: Apache-2.0
// Size of the calls of kernels with the arguments of UnicastPlan. Include after the API of device kernels.

#pragma once

/// Returns the bytes of a call: a constant, or if the plan hides it from the compiler, the value in the common runtime
/// arguments. The compiler leaves out what constant sizes do not need, such as the division into packets.
FORCE_INLINE uint32_t call_size_of_plan() {
    constexpr uint32_t constant = get_compile_time_arg_val(1);
    if constexpr (constant != 0) {
        return constant;
    } else {
        return get_common_arg_val<uint32_t>(1);
    }
}
