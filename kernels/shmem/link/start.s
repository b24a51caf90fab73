# SPDX-License-Identifier: Apache-2.0
# Where a program starts. Before, the loader has
#
#   cleared what of memory the image does not fill;
#   put the arguments at the end of memory: their characters, each text with a zero byte behind it, and in front of these
#   the table of their addresses, at a multiple of 4 and with a null behind the last;
#   set a0 to their number, a1 to the table, and sp to the last multiple of 16 in front of the table.
#
# What main returns ends the program, as exit does.

    .section .start, "ax", @progbits
    .globl _start
    .type _start, @function
_start:
    .option push
    .option norelax
    lla gp, __global_pointer$
    .option pop
    mv s0, a0
    mv s1, a1
    la s2, __init_array_start
    la s3, __init_array_end
    j 2f
1:  lw t0, 0(s2)
    addi s2, s2, 4
    jalr t0
2:  bne s2, s3, 1b
    mv a0, s0
    mv a1, s1
    li a2, 0
    call main
    call exit
    .size _start, . - _start
