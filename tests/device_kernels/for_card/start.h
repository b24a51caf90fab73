// SPDX-License-Identifier: Apache-2.0
// Start code of a kernel for the card, as compiled by a host: clears .bss, copies .data from their load address in L1,
// loads the counters of the NoC, and waits for the go byte.

#pragma once

#include <stdint.h>

extern "C" {
extern uint32_t* rta_l1_base;
extern uint32_t* crta_l1_base;
extern uint32_t* sem_l1_base[4];
extern uint8_t my_x[2];
extern uint8_t my_y[2];
extern uint8_t my_logical_x_;
extern uint8_t worker_logical_col_to_virtual_col[16];
extern uint8_t worker_logical_row_to_virtual_row[12];
extern uint32_t cb_interface[32][8];
extern uint16_t dram_bank_to_noc_xy[2][NUM_DRAM_BANKS];
extern uint32_t data_in_l1[];
extern uint32_t data_begin[];
extern uint32_t data_end[];
extern uint32_t bss_begin[];
extern uint32_t bss_end[];
}

void kernel_main();

constexpr uint32_t kGoByte = 0x4A3;
constexpr uint8_t kGo = 0x80;
constexpr uint32_t kNiu = 0xFFB20000 + NOC_INDEX * 0x10000;
constexpr uint32_t kReadResponses = 0x208;

inline volatile uint32_t reads_before;

#ifdef IN_INSTRUCTION_RAM
// The reset that enters the instruction RAM clears all registers; their values are on the stack.
asm(R"(
    .pushsection .start, "ax"
    .globl _start
_start:
    .option push
    .option norelax
    lui gp, %hi(__global_pointer$)
    addi gp, gp, %lo(__global_pointer$)
    .option pop
    lw sp, 20(zero)
    lw ra, 0(sp)
    lw a0, 52(sp)
    addi sp, sp, 64
    tail start
    .popsection
)");
extern "C" [[gnu::used]] void start(uint32_t distance) {
#else
extern "C" [[gnu::section(".start"), gnu::used]] void _start() {
    const uint32_t distance = 0;
#endif
    for (volatile uint32_t* word = bss_begin; word < bss_end; ++word) {
        *word = 0;
    }
    const volatile uint32_t* from =
        reinterpret_cast<const uint32_t*>(reinterpret_cast<uint32_t>(data_in_l1) + distance);
    for (volatile uint32_t* word = data_begin; word < data_end; ++word) {
        *word = *from++;
    }
    reads_before = *reinterpret_cast<volatile uint32_t*>(kNiu + kReadResponses);
    while (*reinterpret_cast<volatile uint8_t*>(kGoByte) != kGo) {
        asm volatile("fence" ::: "memory");
    }
    kernel_main();
}
