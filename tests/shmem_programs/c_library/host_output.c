// pes: 4
// expect: PASS host_output
// host_printf of COPRTHR-2, fprintf to both streams, putchar, perror and fputs.
#include <errno.h>
#include <host_stdio.h>
#include <shmem.h>

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    host_printf("host %d of %s\n", me, "core");
    shmem_barrier_all();
    if (me == 1) {
        fprintf(stderr, "to standard error: %s\n", "text");
        errno = ERANGE;
        perror("range");
    }
    for (const char *c = "abc\n"; me == 2 && *c; c++) putchar(*c);
    shmem_barrier_all();
    if (me == 0) {
        fputs("PASS ", stdout);
        fprintf(stdout, "%s", "host_output");
        fputc('\n', stdout);
    }
    shmem_finalize();
    return 0;
}
