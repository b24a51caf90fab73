// pes: 2
// with: two_sources_part.c
// define: SCALE=3
// expect: PASS two_sources
#include <shmem.h>
#include <stdio.h>

#include "two_sources.h"

int main(void) {
    shmem_init();
    shared_value = 5;
    shmem_barrier_all();
    int got = fetch_scaled((shmem_my_pe() + 1) % shmem_n_pes());
    if (shmem_my_pe() == 0) puts(got == 15 ? "PASS two_sources" : "FAIL");
    shmem_finalize();
    return 0;
}
