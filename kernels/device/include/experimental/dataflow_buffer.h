// SPDX-License-Identifier: Apache-2.0
// Where these names stood early in 2026.

#pragma once

#include "experimental/noc.h"
#include "nocbench/objects/buffer_objects.h"

namespace experimental {

using ::DataflowBuffer;
using ::use;

}  // namespace experimental
