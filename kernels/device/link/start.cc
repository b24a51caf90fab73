// SPDX-License-Identifier: Apache-2.0
// Where a kernel starts. The loader has set sp, gp and all memory; returning ends the kernel.
//
// The kernel's file is included here, as it is for the device, so that the compiler sees everything at once; the API stands
// before it.

#include "nocbench/start.h"

#include NOCBENCH_KERNEL_FILE

void kernel_main();

using Constructor = void (*)();
extern "C" {
extern const Constructor __init_array_start[];  // NOLINT: the names that linkers give
extern const Constructor __init_array_end[];

[[gnu::section(".start"), gnu::used]] void _start() {
    for (const Constructor* constructor = __init_array_start; constructor != __init_array_end; ++constructor) {
        (*constructor)();
    }
    kernel_main();
}
}
