/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_SETJMP_H
#define NOCBENCH_SETJMP_H

/* Holds ra, sp, s0 to s11, fs0 to fs11. */
typedef int jmp_buf[26];

typedef jmp_buf sigjmp_buf;

/* There are no signals, and no signal mask to save. */
#define _setjmp(where) setjmp(where)
#define _longjmp(where, value) longjmp(where, value)
#define sigsetjmp(where, saves_mask) setjmp(where)
#define siglongjmp(where, value) longjmp(where, value)

#ifdef __cplusplus
extern "C" {
#endif

int setjmp(jmp_buf where) __attribute__((returns_twice));
void longjmp(jmp_buf where, int value) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif
