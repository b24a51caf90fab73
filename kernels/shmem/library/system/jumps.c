/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>

/* clang-format off */
__attribute__((naked)) int setjmp(jmp_buf where) {
    __asm__(
        "sw ra, 0(a0)\n"
        "sw sp, 4(a0)\n"
        "sw s0, 8(a0)\n"
        "sw s1, 12(a0)\n"
        "sw s2, 16(a0)\n"
        "sw s3, 20(a0)\n"
        "sw s4, 24(a0)\n"
        "sw s5, 28(a0)\n"
        "sw s6, 32(a0)\n"
        "sw s7, 36(a0)\n"
        "sw s8, 40(a0)\n"
        "sw s9, 44(a0)\n"
        "sw s10, 48(a0)\n"
        "sw s11, 52(a0)\n"
        "fsw fs0, 56(a0)\n"
        "fsw fs1, 60(a0)\n"
        "fsw fs2, 64(a0)\n"
        "fsw fs3, 68(a0)\n"
        "fsw fs4, 72(a0)\n"
        "fsw fs5, 76(a0)\n"
        "fsw fs6, 80(a0)\n"
        "fsw fs7, 84(a0)\n"
        "fsw fs8, 88(a0)\n"
        "fsw fs9, 92(a0)\n"
        "fsw fs10, 96(a0)\n"
        "fsw fs11, 100(a0)\n"
        "li a0, 0\n"
        "ret");
}

__attribute__((naked)) void longjmp(jmp_buf where, int value) {
    __asm__(
        "lw ra, 0(a0)\n"
        "lw sp, 4(a0)\n"
        "lw s0, 8(a0)\n"
        "lw s1, 12(a0)\n"
        "lw s2, 16(a0)\n"
        "lw s3, 20(a0)\n"
        "lw s4, 24(a0)\n"
        "lw s5, 28(a0)\n"
        "lw s6, 32(a0)\n"
        "lw s7, 36(a0)\n"
        "lw s8, 40(a0)\n"
        "lw s9, 44(a0)\n"
        "lw s10, 48(a0)\n"
        "lw s11, 52(a0)\n"
        "flw fs0, 56(a0)\n"
        "flw fs1, 60(a0)\n"
        "flw fs2, 64(a0)\n"
        "flw fs3, 68(a0)\n"
        "flw fs4, 72(a0)\n"
        "flw fs5, 76(a0)\n"
        "flw fs6, 80(a0)\n"
        "flw fs7, 84(a0)\n"
        "flw fs8, 88(a0)\n"
        "flw fs9, 92(a0)\n"
        "flw fs10, 96(a0)\n"
        "flw fs11, 100(a0)\n"
        "seqz a0, a1\n" /* setjmp must not return 0 again */
        "add a0, a0, a1\n"
        "ret");
}
/* clang-format on */
