/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <unistd.h>

/* Defined only in programs that register a function. */
extern void __run_at_quick_exit(void) __attribute__((weak));

void quick_exit(int status) {
    if (__run_at_quick_exit != NULL) __run_at_quick_exit();
    _exit(status);
}
