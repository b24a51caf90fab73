// SPDX-License-Identifier: Apache-2.0
// Where these names stood early in 2026.

#pragma once

#include "experimental/noc.h"
#include "nocbench/objects/endpoints.h"

namespace experimental {

using ::AllocatorBank;
using ::AllocatorBankType;
using ::MulticastEndpoint;
using ::UnicastEndpoint;

}  // namespace experimental
