// pes: 16
// expect: PASS nonblocking
// Simultaneous puts and gets in flight, completed by quiet.
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#define WORDS 64

int main(int argc, char **argv) {
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    long *inbox = shmem_malloc(npes * WORDS * sizeof(long));
    long *outbox = shmem_malloc(WORDS * sizeof(long));
    long *readback = malloc(WORDS * sizeof(long));
    int *errors = shmem_malloc(sizeof(int));
    if (!inbox || !outbox || !readback || !errors) {
        printf("PE %d: no memory\n", me);
        shmem_global_exit(3);
    }
    *errors = 0;
    for (int i = 0; i < WORDS; i++)
        outbox[i] = (long)me << 16 | i;
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++)
        shmem_long_put_nbi(inbox + me * WORDS, outbox, WORDS, pe);
    shmem_quiet();
    shmem_barrier_all();
    int bad = 0;
    for (int pe = 0; pe < npes; pe++)
        for (int i = 0; i < WORDS; i++)
            bad += inbox[pe * WORDS + i] != ((long)pe << 16 | i);
    shmem_long_get_nbi(readback, inbox + me * WORDS, WORDS, (me + 5) % npes);
    shmem_quiet();
    for (int i = 0; i < WORDS; i++)
        bad += readback[i] != outbox[i];
    shmem_int_add(errors, bad, 0);
    shmem_barrier_all();
    int status = *errors;
    if (me == 0)
        printf("%s nonblocking\n", status ? "FAIL" : "PASS");
    shmem_barrier_all();
    free(readback);
    shmem_free(errors);
    shmem_free(outbox);
    shmem_free(inbox);
    shmem_finalize();
    return me == 0 && status;
}
