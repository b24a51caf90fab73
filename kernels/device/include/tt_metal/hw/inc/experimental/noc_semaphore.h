// SPDX-License-Identifier: Apache-2.0
// Location of these names in early 2026.

#pragma once

#include "experimental/noc.h"
#include "nocbench/objects/semaphore_object.h"

namespace experimental {

using ::Semaphore;

}  // namespace experimental
