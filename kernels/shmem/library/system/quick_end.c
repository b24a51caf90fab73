/* SPDX-License-Identifier: Apache-2.0
 * Functions that run when a program calls quick_exit. */
#include <stdlib.h>

static void (*functions[32])(void);
static int number;

int at_quick_exit(void (*function)(void)) {
    if (number == sizeof functions / sizeof *functions) return -1;
    functions[number++] = function;
    return 0;
}

void __run_at_quick_exit(void) {
    while (number > 0) functions[--number]();
}
