/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_SIGNAL_H
#define NOCBENCH_SIGNAL_H

#define SIGINT 2
#define SIGILL 4
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGSEGV 11
#define SIGALRM 14
#define SIGTERM 15
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
#define SIG_ERR ((void (*)(int)) - 1)

typedef int sig_atomic_t;

#ifdef __cplusplus
extern "C" {
#endif

/* There are no signals: a program that uses these does not link. */
void (*signal(int number, void (*handler)(int)))(int);
int raise(int number);

#ifdef __cplusplus
}
#endif

#endif
