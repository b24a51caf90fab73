// SPDX-License-Identifier: Apache-2.0
// Location of these names in early 2026.

#pragma once

#include "nocbench/objects/buffer_objects.h"
#include "nocbench/objects/endpoints.h"
#include "nocbench/objects/noc.h"

namespace experimental {

using ::dst_args_mcast_t;
using ::dst_args_t;
using ::Noc;
using ::noc_traits_t;
using ::NocOptions;
using ::src_args_t;

}  // namespace experimental
