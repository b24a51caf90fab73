/* SPDX-License-Identifier: Apache-2.0
 * A token circulates through all PEs: each PE adds its number and puts the token into the next PE's memory. */
#include <shmem.h>
#include <stdio.h>

static long token = -1;

int main(void) {
    shmem_init();
    const int me = shmem_my_pe();
    const int next = (me + 1) % shmem_n_pes();
    if (me == 0) {
        shmem_long_p(&token, 0, next);
    }
    shmem_long_wait_until(&token, SHMEM_CMP_GE, 0);
    if (me != 0) {
        shmem_long_p(&token, token + me, next);
    } else {
        printf("the token comes back with %ld\n", token);
    }
    shmem_finalize();
    return 0;
}
