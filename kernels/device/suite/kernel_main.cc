// SPDX-License-Identifier: Apache-2.0
// Entry point that runs a kernel of the suite, a function in its own file, on a RISC.

#include NOCBENCH_SUITE_FILE

void kernel_main() { NOCBENCH_SUITE_KERNEL(); }
