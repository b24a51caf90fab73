// SPDX-License-Identifier: Apache-2.0
// Names of compute operations on tiles, as far as data-movement kernels use them.

#pragma once

#include <stdint.h>

#include "tt-metalium/constants.hpp"

namespace ckernel {

using namespace tt::constants;

enum class PoolType : uint8_t { SUM, AVG, MAX, MIN };
enum class ReduceDim : uint8_t { REDUCE_ROW, REDUCE_COL, REDUCE_SCALAR };

}  // namespace ckernel
