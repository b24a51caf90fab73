# SPDX-License-Identifier: Apache-2.0
# Entry point of a program. Before it is called, the loader
#
#   clears memory outside the image;
#   puts the arguments at the end of memory: zero-terminated strings, preceded by the null-terminated table of their
#   addresses, at a multiple of 4;
#   sets a0 to the number of arguments, a1 to the table, and sp to the last multiple of 16 before the table.
#
# Returning from main ends the program like exit.

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
