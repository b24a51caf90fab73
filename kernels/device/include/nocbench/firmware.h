// SPDX-License-Identifier: Apache-2.0
// Variables that the loader sets before a kernel starts, named as in tt-metal's firmware.
//
// Defined in link/firmware.S, outside the kernel: otherwise the compiler would see no writes and assume zero. All are
// within reach of gp.

#pragma once

#include <stdint.h>

#include "noc_parameters.h"
#include "risc_attribs.h"

#ifndef NUM_DRAM_BANKS
#error "NUM_DRAM_BANKS is not defined: kernels are compiled by nocbench, which gives the macros of the board"
#endif

extern "C" {
extern uint32_t tt_l1_ptr* rta_l1_base;
extern uint32_t tt_l1_ptr* crta_l1_base;
extern uint32_t tt_l1_ptr* sem_l1_base[1];

extern uint8_t my_x[NUM_NOCS];
extern uint8_t my_y[NUM_NOCS];
extern uint8_t my_logical_x_;
extern uint8_t my_logical_y_;
extern uint8_t my_relative_x_;
extern uint8_t my_relative_y_;
extern uint8_t worker_logical_col_to_virtual_col[32];
extern uint8_t worker_logical_row_to_virtual_row[32];

extern uint32_t noc_reads_num_issued[NUM_NOCS];
extern uint32_t noc_nonposted_writes_num_issued[NUM_NOCS];
extern uint32_t noc_nonposted_writes_acked[NUM_NOCS];
extern uint32_t noc_nonposted_atomics_acked[NUM_NOCS];
extern uint32_t noc_posted_writes_num_issued[NUM_NOCS];

// Coordinates: y << 6 | x.
extern uint16_t dram_bank_to_noc_xy[NUM_NOCS][NUM_DRAM_BANKS];
extern int32_t bank_to_dram_offset[NUM_DRAM_BANKS];
extern uint16_t l1_bank_to_noc_xy[NUM_NOCS][NUM_L1_BANKS];
extern int32_t bank_to_l1_offset[NUM_L1_BANKS];
}

#define DM_DEDICATED_NOC 0
#define DM_DYNAMIC_NOC 1

constexpr uint8_t noc_index = NOC_INDEX;
constexpr uint8_t noc_mode = NOC_MODE;
