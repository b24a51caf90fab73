// SPDX-License-Identifier: Apache-2.0
// Where these names stood early in 2026.

#pragma once

#include "experimental/noc.h"
#include "nocbench/endpoints.h"

namespace experimental {

using ::UnicastEndpoint;
using ::MulticastEndpoint;
using ::AllocatorBank;
using ::AllocatorBankType;

}  // namespace experimental
