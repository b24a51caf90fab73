// Rounds of flags of several types, and options as in large programs.
// pes: 1 4 16
// args: --rounds 3 -v
// expect: flags_of_types: PASS 1 0
#include <shmem.h>
#include <stdio.h>
#include <stdbool.h>
#include <string.h>
#include <stdlib.h>
#include <ctype.h>
#include <getopt.h>
#include <libgen.h>
#include <sys/resource.h>
enum { ROUNDS = 4 };
static short sflag; static int iflag; static long lflag; static long long llflag;
int main(int argc, char **argv) {
  static struct option opts[] = { {"verbose", no_argument, NULL, 'v'}, {"rounds", required_argument, NULL, 'r'}, {0, 0, 0, 0} };
  int opt, rounds = ROUNDS, verbose = 0;
  shmem_init();
  while ((opt = getopt_long(argc, argv, "vr:", opts, NULL)) != -1) { if (opt == 'v') verbose++; else if (opt == 'r') rounds = atoi(optarg); }
  char prog[32]; strncpy(prog, argv[0], sizeof prog - 1); prog[31] = 0;
  int me = shmem_my_pe(), np = shmem_n_pes(), next = (me + 1) % np;
  for (int r = 1; r <= rounds; r++) {
    if (me == 0) { shmem_short_p(&sflag, r, next); shmem_short_wait_until(&sflag, SHMEM_CMP_GE, r); }
    else { shmem_short_wait_until(&sflag, SHMEM_CMP_GE, r); shmem_short_p(&sflag, r, next); }
    shmem_int_p(&iflag, -r, next); shmem_int_wait_until(&iflag, SHMEM_CMP_LE, -r);
    shmem_barrier_all();
    shmem_long_inc(&lflag, next); shmem_wait_until(&lflag, SHMEM_CMP_EQ, r);
    shmem_longlong_p(&llflag, 1LL << 40, next); shmem_longlong_wait(&llflag, 0);
    shmem_barrier_all(); llflag = 0; shmem_barrier_all();
  }
  struct rusage ru; getrusage(RUSAGE_SELF, &ru);
  if (me == 0) printf("%s: PASS %d %ld\n", basename(prog), verbose, (long)ru.ru_utime.tv_sec);
  shmem_finalize(); return 0;
}
