// SPDX-License-Identifier: Apache-2.0
// Where these names stood early in 2026.

#pragma once

#include "nocbench/buffer_objects.h"
#include "nocbench/endpoints.h"
#include "nocbench/noc.h"

namespace experimental {

using ::Noc;
using ::NocOptions;
using ::noc_traits_t;
using ::src_args_t;
using ::dst_args_t;
using ::dst_args_mcast_t;

}  // namespace experimental
