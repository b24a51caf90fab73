// pes: 4
// exit: 255
// expect: PASS exit_code
// exit(-1) within a function on one PE; functions registered by atexit are called.
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

static int rank;
static void farewell(void) { puts(rank == 0 ? "PASS exit_code" : "bye"); }

static void leave(int code) {
    shmem_finalize();
    exit(code);
}

int main(void) {
    shmem_init();
    atexit(farewell);
    int me = rank = shmem_my_pe();
    shmem_barrier_all();
    leave(me == 2 ? -1 : 0);
    return 9;
}
