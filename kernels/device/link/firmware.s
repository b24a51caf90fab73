/* SPDX-License-Identifier: Apache-2.0
 * Data of tt-metal's firmware for its kernels, set by the loader; see include/nocbench/firmware.h. Each variable has
 * its own section, so that an image holds only variables that its kernel uses. */

    .macro filled_in name, bytes, alignment
    .section .sbss.\name, "aw", @nobits
    .balign \alignment
    .globl \name
    .type \name, @object
    .size \name, \bytes
\name:
    .space \bytes
    .endm

    filled_in rta_l1_base, 4, 4
    filled_in crta_l1_base, 4, 4
    filled_in sem_l1_base, 4, 4
    filled_in my_x, 2, 1
    filled_in my_y, 2, 1
    filled_in my_logical_x_, 1, 1
    filled_in my_logical_y_, 1, 1
    filled_in my_relative_x_, 1, 1
    filled_in my_relative_y_, 1, 1
    filled_in worker_logical_col_to_virtual_col, 32, 4
    filled_in worker_logical_row_to_virtual_row, 32, 4
    filled_in noc_reads_num_issued, 8, 4
    filled_in noc_nonposted_writes_num_issued, 8, 4
    filled_in noc_nonposted_writes_acked, 8, 4
    filled_in noc_nonposted_atomics_acked, 8, 4
    filled_in noc_posted_writes_num_issued, 8, 4
    filled_in cb_interface, 32*32, 4
    filled_in dram_bank_to_noc_xy, 2*2*NUM_DRAM_BANKS, 4
    filled_in bank_to_dram_offset, 4*NUM_DRAM_BANKS, 4
    filled_in l1_bank_to_noc_xy, 2*2*NUM_L1_BANKS, 4
    filled_in bank_to_l1_offset, 4*NUM_L1_BANKS, 4
