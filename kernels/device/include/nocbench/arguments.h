// SPDX-License-Identifier: Apache-2.0
// Runtime arguments of a kernel: words in L1.

#pragma once

#include "api/compile_time_args.h"
#include "nocbench/firmware.h"
#include "nocbench/tokens.h"

/// Returns the address of an argument of this kernel on this core.
FORCE_INLINE uintptr_t get_arg_addr(int index) { return reinterpret_cast<uintptr_t>(&rta_l1_base[index]); }

/// Returns the address of an argument common to all cores of this kernel.
FORCE_INLINE uintptr_t get_common_arg_addr(int index) { return reinterpret_cast<uintptr_t>(&crta_l1_base[index]); }

template <typename Value>
FORCE_INLINE Value get_arg_val(int index) {
    static_assert(sizeof(Value) == 4, "an argument has four bytes");
    return *reinterpret_cast<volatile tt_l1_ptr Value*>(get_arg_addr(index));
}

template <typename Value>
FORCE_INLINE Value get_common_arg_val(int index) {
    static_assert(sizeof(Value) == 4, "an argument has four bytes");
    return *reinterpret_cast<volatile tt_l1_ptr Value*>(get_common_arg_addr(index));
}

/// Return the position of a core in the grid of the program's cores.
FORCE_INLINE uint8_t get_absolute_logical_x() { return my_logical_x_; }
FORCE_INLINE uint8_t get_absolute_logical_y() { return my_logical_y_; }
FORCE_INLINE uint8_t get_relative_logical_x() { return my_relative_x_; }
FORCE_INLINE uint8_t get_relative_logical_y() { return my_relative_y_; }

// --- arguments by name
// -----------------------------------------------------------------------------------------------------

template <typename Value>
FORCE_INLINE Value get_arg(nocbench::RuntimeArgument<Value> argument) {
    return get_arg_val<Value>(argument.byte_offset / 4);
}

template <typename Value>
FORCE_INLINE Value get_arg(nocbench::CommonArgument<Value> argument) {
    return get_common_arg_val<Value>(argument.byte_offset / 4);
}

template <typename Value>
constexpr Value get_arg(nocbench::CompileTimeArgument<Value> argument) {
    return argument.value;
}

#ifndef NOCBENCH_NUMBER_OF_NAMED_ARGUMENTS
#define NOCBENCH_NUMBER_OF_NAMED_ARGUMENTS 0
#define NOCBENCH_NUMBER_OF_NAMED_COMMON_ARGUMENTS 0
#endif

/// Returns an argument that follows the named ones.
template <typename Value = uint32_t>
FORCE_INLINE Value get_vararg(int index) {
    return get_arg_val<Value>(NOCBENCH_NUMBER_OF_NAMED_ARGUMENTS + index);
}

template <typename Value = uint32_t>
FORCE_INLINE Value get_common_vararg(int index) {
    return get_common_arg_val<Value>(NOCBENCH_NUMBER_OF_NAMED_COMMON_ARGUMENTS + index);
}
