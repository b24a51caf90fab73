// SPDX-License-Identifier: Apache-2.0
// Location of these names in early 2026.

#pragma once

#include "experimental/noc.h"
#include "nocbench/objects/tensor_traits.h"

namespace experimental {

using ::TensorAccessor;
using ::TensorAccessorArgs;

}  // namespace experimental
