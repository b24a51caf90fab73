// Signal handlers, one for a signal that is never raised and one for a raised signal, and handlers of quick_exit.
// pes: 1 3
// exit: 4
// expect: usr1 10
// expect: PASS
// expect: at the end
#include <setjmp.h>
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile sig_atomic_t caught;
static sigjmp_buf place;

static void on_signal(int number) {
    caught = number;
    siglongjmp(place, 1);
}
static void on_end(void) { puts("at the end"); }

int main(void) {
    shmem_init();
    if (signal(SIGINT, on_signal) != SIG_DFL || signal(SIGTERM, SIG_IGN) == SIG_ERR) puts("FAIL");
    if (signal(SIGINT, SIG_DFL) != on_signal || signal(SIGKILL, on_signal) != SIG_ERR) puts("FAIL");
    signal(SIGUSR1, on_signal);
    at_quick_exit(on_end);
    if (sigsetjmp(place, 1) == 0) {
        raise(SIGTERM);
        raise(SIGUSR1);
        puts("FAIL");
    }
    printf("usr1 %d\n", (int)caught);
    puts(caught == SIGUSR1 ? "PASS" : "FAIL");
    shmem_finalize();
    quick_exit(4);
}
