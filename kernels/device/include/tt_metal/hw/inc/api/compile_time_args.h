// SPDX-License-Identifier: Apache-2.0
// Compile-time arguments of a kernel.

#pragma once

#include <stddef.h>
#include <stdint.h>

#include <array>
#include <string_view>

#ifndef KERNEL_COMPILE_TIME_ARGS
#define KERNEL_COMPILE_TIME_ARGS
#endif
#ifndef KERNEL_COMPILE_TIME_ARG_MAP
#define KERNEL_COMPILE_TIME_ARG_MAP
#endif

namespace nocbench {

struct NamedValue {
    const char* name;
    uint32_t value;
};

template <typename... Values>
constexpr std::array<uint32_t, sizeof...(Values)> compile_time_values(Values... values) {
    return {static_cast<uint32_t>(values)...};
}

constexpr NamedValue named_compile_time_arguments[] = {KERNEL_COMPILE_TIME_ARG_MAP{nullptr, 0}};

void no_compile_time_argument_has_this_name();  // not constexpr, so that a call is an error

}  // namespace nocbench

constexpr auto kernel_compile_time_args = nocbench::compile_time_values(KERNEL_COMPILE_TIME_ARGS);

template <uint32_t index>
constexpr uint32_t get_ct_arg() {
    static_assert(index < kernel_compile_time_args.size(),
                  "the kernel asks for a compile-time argument that the program does not give");
    return kernel_compile_time_args[index];
}

#define get_compile_time_arg_val(arg_idx) get_ct_arg<arg_idx>()

#ifndef NOCBENCH_NUMBER_OF_COMPILE_TIME_ARGUMENTS
#define NOCBENCH_NUMBER_OF_COMPILE_TIME_ARGUMENTS kernel_compile_time_args.size()
#endif

/// Returns the number of unnamed compile-time arguments before the layouts of tensors.
constexpr uint32_t get_num_compile_time_varargs() { return NOCBENCH_NUMBER_OF_COMPILE_TIME_ARGUMENTS; }

template <uint32_t index>
constexpr uint32_t get_compile_time_vararg() {
    return get_ct_arg<index>();
}

constexpr uint32_t get_compile_time_vararg(uint32_t index) { return kernel_compile_time_args[index]; }

/// Returns a named compile-time argument. A name that the program does not set is a compile-time error.
consteval uint32_t get_named_ct_arg(std::string_view name) {
    for (const nocbench::NamedValue& argument : nocbench::named_compile_time_arguments) {
        if (argument.name != nullptr && argument.name == name) {
            return argument.value;
        }
    }
    nocbench::no_compile_time_argument_has_this_name();
    return 0;
}
consteval uint32_t get_named_compile_time_arg_val(std::string_view name) { return get_named_ct_arg(name); }
