/* SPDX-License-Identifier: Apache-2.0
 * A program on a core receives only signals that it raises itself. */
#ifndef NOCBENCH_SIGNAL_H
#define NOCBENCH_SIGNAL_H

#include <sys/types.h>

#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
#define SIG_ERR ((void (*)(int)) - 1)
#define SA_SIGINFO 4
#define SA_RESTART 0x10000000
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2

typedef int sig_atomic_t;
typedef void (*sighandler_t)(int);
typedef unsigned long sigset_t;
typedef struct {
    int si_signo;
    int si_code;
    void* si_addr;
} siginfo_t;

struct sigaction {
    union {
        void (*sa_handler)(int);
        void (*sa_sigaction)(int, siginfo_t*, void*);
    };
    sigset_t sa_mask;
    int sa_flags;
};

#ifdef __cplusplus
extern "C" {
#endif

void (*signal(int number, void (*handler)(int)))(int);
int raise(int number);

/* Other processes and system signals do not exist: programs that use these functions do not link. */
int sigaction(int number, const struct sigaction* action, struct sigaction* before);
int sigemptyset(sigset_t* set);
int sigfillset(sigset_t* set);
int sigaddset(sigset_t* set, int number);
int sigdelset(sigset_t* set, int number);
int sigismember(const sigset_t* set, int number);
int sigprocmask(int how, const sigset_t* set, sigset_t* before);
int kill(pid_t process, int number);

#ifdef __cplusplus
}
#endif

#endif
