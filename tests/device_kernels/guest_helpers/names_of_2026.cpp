// SPDX-License-Identifier: Apache-2.0
// Includes headers by their places of 2026, those of one chip among them, and marks a register of a stream.

#include "api/compile_time_args.h"
#include "hw/inc/api/dataflow/dataflow_api.h"
#include "hw/inc/api/debug/dprint.h"
#include "internal/debug/dprint_test_common.h"
#include "internal/mod_div_lib.h"
#include "internal/tt-1xx/risc_common.h"
#if defined(ARCH_BLACKHOLE)
#include "blackhole/noc/noc_parameters.h"
#include "internal/tt-1xx/blackhole/noc/noc_parameters.h"
#else
#include "internal/tt-1xx/wormhole/noc/noc_parameters.h"
#endif
#include "noc_overlay_parameters.h"
#include "tt_metal/hw/inc/internal/risc_attribs.h"

void kernel_main() {
    const uint32_t from = get_arg_val<uint32_t>(0);
    const uint32_t to = get_arg_val<uint32_t>(1);
    constexpr uint32_t stream = get_compile_time_arg_val(0);
    constexpr uint32_t reg = STREAM_SCRATCH_REG_INDEX;
    for (uint32_t i = 0; i < NUM_NOCS; ++i) {
        NOC_STREAM_WRITE_REG(stream, reg, NOC_STREAM_READ_REG(stream, reg) + 2);
    }
    const uint32_t times = *reinterpret_cast<volatile tt_reg_ptr uint32_t*>(STREAM_REG_ADDR(stream, reg));
    noc_async_write(from, get_noc_addr(to), times * NOC_L1_WRITE_ALIGNMENT_BYTES);
    noc_async_write_barrier();
}
