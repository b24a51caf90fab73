// SPDX-License-Identifier: Apache-2.0
// Entry point of a kernel. The loader has set sp, gp and all memory; returning ends the kernel.
//
// As on the device, includes the API and then the kernel's file, so that the compiler sees all code at once.

#include "nocbench/start.h"

#include NOCBENCH_KERNEL_FILE

using Constructor = void (*)();
extern "C" {
extern const Constructor __init_array_start[];  // NOLINT: linker-defined names
extern const Constructor __init_array_end[];

[[gnu::section(".start"), gnu::used]] void _start() {
    for (const Constructor* constructor = __init_array_start; constructor != __init_array_end; ++constructor) {
        (*constructor)();
    }
#ifdef COMPILE_FOR_TRISC
    nocbench::compute::begin();
    kernel_main();
    nocbench::compute::end();
#else
    kernel_main();
#endif
}
}
