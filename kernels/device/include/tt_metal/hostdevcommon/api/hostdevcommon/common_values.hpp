// SPDX-License-Identifier: Apache-2.0
// Values shared by a program and its kernels.

#pragma once

#include <stdint.h>

constexpr uint32_t INVALID = 0;
constexpr uint32_t VALID = 1;
