// SPDX-License-Identifier: Apache-2.0
// Divisions by constants: the compiler multiplies by itself.

#pragma once

#include <stdint.h>

template <uint32_t divisor>
constexpr uint32_t udivsi3_const_divisor(uint32_t dividend) {
    return dividend / divisor;
}

template <uint32_t divisor>
constexpr uint32_t umodsi3_const_divisor(uint32_t dividend) {
    return dividend % divisor;
}
