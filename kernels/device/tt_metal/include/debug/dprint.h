// SPDX-License-Identifier: Apache-2.0
// Replaces printing of tt-metal by that for observers of the kernel.

#pragma once

#if __has_include_next("debug/dprint.h")
// Until the end of 2025, headers find the tree's own file beside them. It is read here, before them, and only once.
#include <debug/dprint_buffer.h>
#include <debug/waypoint.h>
#include <hostdevcommon/dprint_common.h>
#include <risc_common.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#pragma push_macro("KERNEL_BUILD")
#undef KERNEL_BUILD  // with which it reads the header for tiles, too
namespace nocbench::printing_of_a_tree {
#include_next "debug/dprint.h"
}
#pragma pop_macro("KERNEL_BUILD")
#undef DPRINT
#undef DPRINT_DATA0
#undef DPRINT_DATA1
#undef DPRINT_UNPACK
#undef DPRINT_MATH
#undef DPRINT_PACK
#endif

#include "nocbench/watching/printing.h"
