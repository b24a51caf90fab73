// SPDX-License-Identifier: Apache-2.0
// Stores through a null pointer.

#include "start.h"

void kernel_main() { *reinterpret_cast<volatile uint32_t*>(rta_l1_base[0] - rta_l1_base[0]) = 1; }
