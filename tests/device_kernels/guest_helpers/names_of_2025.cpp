// SPDX-License-Identifier: Apache-2.0
// Includes headers by their places in a checkout of 2025, and copies a height-sharded piece.

#include <sys/types.h>

#include "firmware_common.h"
#include "hostdevcommon/profiler_common.h"
#include "hw/inc/compile_time_args.h"
#include "hw/inc/dataflow_api.h"
#include "hw/inc/debug/assert.h"
#include "hw/inc/tt-1xx/risc_common.h"
#include "tools/profiler/kernel_profiler.hpp"
#include "tt-metalium/buffer_types.hpp"
#include "tt_metal/hw/inc/dataflow_api.h"

using tt::tt_metal::TensorMemoryLayout;

void kernel_main() {
    DeviceZoneScopedN("names");
    constexpr auto layout = static_cast<TensorMemoryLayout>(get_compile_time_arg_val(0));
    constexpr uint piece_bytes = layout == TensorMemoryLayout::HEIGHT_SHARDED ? 64 : 16;
    const uint32_t from = get_arg_val<uint32_t>(0);
    const uint32_t to = get_arg_val<uint32_t>(1);
    ASSERT(from != to);
    noc_async_write(from, get_noc_addr(to), piece_bytes);
    noc_async_write_barrier();
}
