// SPDX-License-Identifier: Apache-2.0
// Where these names stood early in 2026.

#pragma once

#include "experimental/noc.h"
#include "nocbench/objects/local_memory.h"

namespace experimental {

using ::CoreLocalMem;

}  // namespace experimental
