/* SPDX-License-Identifier: Apache-2.0
 * A firmware as kernels for the card see it: symbols of data in private memory, each of which has a size. Nobody runs it;
 * kernels are linked against its symbols. NUM_DRAM_BANKS and NUM_L1_BANKS are those of the board. */

    .section .text, "ax"
    .globl firmware_start
    .type firmware_start, @function
firmware_start:
    j firmware_start
    .size firmware_start, . - firmware_start

    .macro datum name, bytes, alignment
    .section .bss, "aw", @nobits
    .balign \alignment
    .weak \name
    .type \name, @object
    .size \name, \bytes
\name:
    .space \bytes
    .endm

    datum rta_l1_base, 4, 4
    datum crta_l1_base, 4, 4
    .ifndef WITHOUT_SEMAPHORES
    datum sem_l1_base, 16, 4
    .endif
    datum my_x, 2, 1
    datum my_y, 2, 1
    datum my_logical_x_, 1, 1
    datum my_logical_y_, 1, 1
    datum worker_logical_col_to_virtual_col, 16, 4
    datum worker_logical_row_to_virtual_row, 12, 4
    datum cb_interface, 32*32, 4
    datum dram_bank_to_noc_xy, 2*2*NUM_DRAM_BANKS, 4
    datum bank_to_dram_offset, 4*NUM_DRAM_BANKS, 4
    datum l1_bank_to_noc_xy, 2*2*NUM_L1_BANKS, 4
    datum bank_to_l1_offset, 4*NUM_L1_BANKS, 4
