/* SPDX-License-Identifier: Apache-2.0
 * Actions at the end of a program: registered functions, and C++ destructors, latest first. */
#include <stdlib.h>
#include <unistd.h>

struct entry {
    void (*function)(void*);
    void* argument;
};

static struct entry entries[32];
static int number;

void* __dso_handle;

int __cxa_atexit(void (*function)(void*), void* argument, void* module) {
    (void)module;
    if (number == sizeof entries / sizeof *entries) return -1;
    entries[number++] = (struct entry){function, argument};
    return 0;
}
int atexit(void (*function)(void)) { return __cxa_atexit((void (*)(void*))function, NULL, NULL); }

void __run_at_exit(void) {
    while (number > 0) {
        struct entry last = entries[--number];
        last.function(last.argument);
    }
}
