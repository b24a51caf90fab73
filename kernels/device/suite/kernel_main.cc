// SPDX-License-Identifier: Apache-2.0
// A kernel of the suite, which is a function in a file of its own, as the kernel of a RISC.

#include NOCBENCH_SUITE_FILE

void kernel_main() { NOCBENCH_SUITE_KERNEL(); }
