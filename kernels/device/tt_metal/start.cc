// SPDX-License-Identifier: Apache-2.0
// Entry point of a kernel compiled with tt-metal's headers. Counterpart of link/start.cc.
//
// The code before the kernel is that of the device. Of the firmware, only the data exist (link/firmware.s), set by the
// loader. L1 addresses in tt-metal's headers are replaced by those of the loader's layout before any use.

#include "dev_mem_map.h"

#undef MEM_ZEROS_BASE
#define MEM_ZEROS_BASE 0xD000
#undef MEM_NOC_ATOMIC_RET_VAL_ADDR
#define MEM_NOC_ATOMIC_RET_VAL_ADDR 0x4
#ifdef MEM_L1_INLINE_BASE
#undef MEM_L1_INLINE_BASE
#define MEM_L1_INLINE_BASE 0x20
#endif
#if MEM_ZEROS_SIZE > 512
#error "--tt-metal: expected at most 512 bytes of zeros in L1, found more"
#endif

#include <cstdint>

#include "risc_common.h"
#include "tensix.h"
#include "tensix_types.h"
#include "noc.h"
#include "noc_overlay_parameters.h"
#include "ckernel_structs.h"
#include "stream_io_map.h"
#include "c_tensix_core.h"
#include "noc_nonblocking_api.h"
#if __has_include("internal/firmware_common.h")
#include "internal/firmware_common.h"
#else
#include "debug/dprint.h"
#include "firmware_common.h"
#endif
#include NOCBENCH_DATAFLOW_API
#include NOCBENCH_PROFILER

#include "nocbench_names.h"

namespace ckernel {

volatile tt_reg_ptr uint* regfile = reinterpret_cast<volatile uint*>(REGFILE_BASE);
volatile tt_reg_ptr uint* pc_buf_base = reinterpret_cast<volatile uint*>(PC_BUF_BASE);
#ifdef TENSIX_MAILBOX0_BASE
volatile tt_reg_ptr uint* mailbox_base[] = {
    reinterpret_cast<volatile uint*>(TENSIX_MAILBOX0_BASE), reinterpret_cast<volatile uint*>(TENSIX_MAILBOX1_BASE),
    reinterpret_cast<volatile uint*>(TENSIX_MAILBOX2_BASE), reinterpret_cast<volatile uint*>(TENSIX_MAILBOX3_BASE)};
#endif

}  // namespace ckernel

#include NOCBENCH_KERNEL_FILE

using Constructor = void (*)();
extern "C" {
extern const Constructor __init_array_start[];  // NOLINT: linker-defined names
extern const Constructor __init_array_end[];

[[gnu::section(".start"), gnu::used]] void _start() {
    for (const Constructor* constructor = __init_array_start; constructor != __init_array_end; ++constructor) {
        (*constructor)();
    }
    kernel_main();
}
}
