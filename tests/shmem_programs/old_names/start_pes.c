/* pes: 2 16 */
/* expect: PASS start_pes */
#include <stdio.h>
#include <mpp/shmem.h>

long pSync[_SHMEM_BCAST_SYNC_SIZE];
long x, y;

int main(int argc, char **argv)
{
  int i, me, npes;
  int *p;

  for (i = 0; i < _SHMEM_BCAST_SYNC_SIZE; i++)
    pSync[i] = _SHMEM_SYNC_VALUE;
  start_pes(0);
  me = _my_pe();
  npes = _num_pes();
  p = (int *) shmalloc(10 * sizeof(*p));
  x = me;
  y = -1;
  shmem_barrier_all();
  shmem_long_p(&y, x, (me + 1) % npes);
  for (i = 0; i < 10; i++)
    p[i] = me;
  shmem_barrier_all();
  shmem_int_get(p + 5, p, 5, (me + 1) % npes);
  if (y != (me + npes - 1) % npes || p[9] != (me + 1) % npes || p[0] != me)
    printf("FAIL %d\n", me);
  shmem_barrier_all();
  shfree(p);
  if (me == 0)
    printf("PASS start_pes\n");
  return 0;
}
