/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <unistd.h>

/* Defined only in programs that register a function. */
extern void __run_at_exit(void) __attribute__((weak));

void exit(int status) {
    if (__run_at_exit != NULL) __run_at_exit();
    _exit(status);
}
