// A lock is tried with growing pauses.
// pes: 1 4 16
// expect: PASS
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <sched.h>
#include <err.h>
#include <sysexits.h>
static long L; static int balance = 1000;
int main(int argc, char *argv[]) {
  shmem_init();
  if (argc > 5) errx(EX_USAGE, "usage: %s", argv[0]);
  int me = shmem_my_pe();
  srandom(me);
  for (int i = 0; i < 5; i++) {
    int tries = 0;
    while (shmem_test_lock(&L)) { struct timespec ts = { 0, 100 * (1 + random() % 8) }; nanosleep(&ts, NULL); sched_yield(); if (++tries > 100000) err(EXIT_FAILURE, "lock"); }
    int v = shmem_int_g(&balance, 0); v += me % 2 ? -1 : 1; shmem_int_p(&balance, v, 0); shmem_quiet();
    shmem_clear_lock(&L);
  }
  shmem_barrier_all();
  if (me == 0) { int n = shmem_n_pes(), want = 1000 + 5 * ((n + 1) / 2 - n / 2); if (balance != want) warnx("balance %d", balance); printf("%s\n", balance == want ? "PASS" : "FAIL"); }
  shmem_finalize(); exit(EXIT_SUCCESS);
}
