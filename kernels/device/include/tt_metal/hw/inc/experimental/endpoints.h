// SPDX-License-Identifier: Apache-2.0
// Location of these names in early 2026.

#pragma once

#include "experimental/noc.h"
#include "nocbench/objects/endpoints.h"

namespace experimental {

using ::AllocatorBank;
using ::AllocatorBankType;
using ::MulticastEndpoint;
using ::UnicastEndpoint;

}  // namespace experimental
