// SPDX-License-Identifier: Apache-2.0
// Parts of the C and C++ libraries that the API uses and kernels may use. Included first and independent of the
// program, so that they are compiled once for many kernels.

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
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
