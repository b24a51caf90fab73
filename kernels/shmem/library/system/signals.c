/* SPDX-License-Identifier: Apache-2.0
 * Signals that a program raises itself. Faults end the run with a message, independent of handlers. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define SIGNALS 32

static void (*handlers[SIGNALS])(int);

void (*signal(int number, void (*handler)(int)))(int) {
    if (number < 1 || number >= SIGNALS || number == SIGKILL) {
        errno = EINVAL;
        return SIG_ERR;
    }
    void (*before)(int) = handlers[number];
    handlers[number] = handler;
    return before;
}

int raise(int number) {
    if (number < 1 || number >= SIGNALS) {
        errno = EINVAL;
        return -1;
    }
    void (*handler)(int) = handlers[number];
    if (handler == SIG_IGN || (handler == SIG_DFL && number == SIGCHLD)) return 0;
    if (handler == SIG_DFL) {
        fprintf(stderr, "signal %d, for which there is no handler\n", number);
        abort();
    }
    /* The handler stays set, as in POSIX and as most programs expect. */
    handler(number);
    return 0;
}
