// SPDX-License-Identifier: Apache-2.0
// Names of what compute kernels do with tiles, as far as those that feed them know them.

#pragma once

#include <stdint.h>

namespace ckernel {

enum class PoolType : uint8_t { SUM, AVG, MAX, MIN };
enum class ReduceDim : uint8_t { REDUCE_ROW, REDUCE_COL, REDUCE_SCALAR };

}  // namespace ckernel
