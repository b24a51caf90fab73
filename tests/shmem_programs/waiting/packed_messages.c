// Packed messages pass through all PEs in two alternating buffers.
// pes: 1 4 16
// expect: PASS
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <stdarg.h>
#include <errno.h>
#include <math.h>
/* logging helper as in larger programs */
static void log_msg(const char *fmt, ...) { char *s = NULL; va_list ap; va_start(ap, fmt); if (vasprintf(&s, fmt, ap) < 0) abort(); va_end(ap); fprintf(stderr, "[%d/%d] %s\n", shmem_my_pe(), shmem_n_pes(), s); free(s); }
#define CHECK(c) do { if (!(c)) { log_msg("%s:%d: check `%s' failed: %s", __FILE__, __LINE__, #c, strerror(errno)); shmem_global_exit(EXIT_FAILURE); } } while (0)
struct msg { int seq; char text[24]; double v; } __attribute__((packed));
static struct msg box[2]; static volatile long full[2];
int main(void) {
  shmem_init(); int me = shmem_my_pe(), n = shmem_n_pes();
  void *al = NULL; CHECK(posix_memalign(&al, 64, 256) == 0); CHECK((unsigned long)al % 64 == 0); free(al);
  for (int k = 0; k < 6; k++) {
    struct msg m; int s = k % 2;
    if (me == 0) { m.seq = k; m.v = pow(2, k); snprintf(m.text, sizeof m.text, "item %d", k); }
    else { shmem_long_wait_until((long *)&full[s], SHMEM_CMP_EQ, 1); memcpy(&m, &box[s], sizeof m); full[s] = 0; m.v *= 2; CHECK(m.seq == k); }
    if (me < n - 1) {
      while (shmem_long_g((long *)&full[s], me + 1) != 0) ;
      shmem_putmem(&box[s], &m, sizeof m, me + 1); shmem_fence(); shmem_long_p((long *)&full[s], 1, me + 1);
    } else { int i = -1; CHECK(sscanf(m.text, "item %d", &i) == 1 && i == k); CHECK(fabs(m.v - ldexp(1, k + me)) < 1e-9); }
  }
  shmem_barrier_all();
  if (me == n - 1) puts("PASS");
  shmem_finalize(); return 0;
}
