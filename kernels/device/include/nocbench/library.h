// SPDX-License-Identifier: Apache-2.0
// The parts of the C and C++ libraries that the API is made of, which kernels may use as well. They are included before
// everything else and depend on nothing that a program says, so that they can be compiled once for many kernels.

#pragma once

#include <stddef.h>
#include <stdint.h>

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
