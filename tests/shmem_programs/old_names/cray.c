// Names and headers of the 1990s.
// pes: 1 4 16
// expect: PASS
#include <mpp/shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <malloc.h>
#include <memory.h>
#include <strings.h>
#include <sys/types.h>
#include <sys/time.h>
#include <sys/times.h>
long pSync[_SHMEM_BCAST_SYNC_SIZE];
long long target[8]; static long long source[8] = {1,2,3,4,5,6,7,8};
double second() { struct timeval tp; struct timezone tzp; gettimeofday(&tp, &tzp); return ((double)tp.tv_sec + (double)tp.tv_usec * 1.e-6); }
int main()
{
  int i, mype; int npes; long *sym; struct tms tm; u_int x = 3;
  for (i = 0; i < _SHMEM_BCAST_SYNC_SIZE; i++) pSync[i] = _SHMEM_SYNC_VALUE;
  start_pes(0);
  mype = _my_pe(); npes = _num_pes();
  bzero(target, sizeof target);
  if (mype == 0) for (i = 1; i < npes; i++) shmem_put64(target, source, 8, i);
  shmem_barrier_all();
  shmem_broadcast64(target, source, 8, 0, 0, 0, npes, pSync);
  sym = (long *) shmemalign(64, 8 * sizeof(long));
  if ((unsigned long)sym % 64) printf("FAIL align\n");
  sym[0] = shmem_swap((long *) &target[7], 99, mype);
  if (sym[0] != 8 && mype) printf("FAIL %ld\n", sym[0]);
  times(&tm);
  shmem_udcflush(); shmem_set_cache_inv(); shmem_clear_cache_inv();
  shmem_barrier_all();
  if (mype == 0) printf("PASS %d %d\n", (int)second(), x);
  shfree(sym);
  return 0;
}
