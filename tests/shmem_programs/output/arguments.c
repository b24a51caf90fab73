// pes: 2
// args: -n 12 -v --name=core rest -x
// exit: 3
// expect: n=12 v=1 name=core rest=rest
// Program with options, as started on a host.
#include <getopt.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char *argv[]) {
    static const struct option names[] = {{"name", required_argument, NULL, 'N'}, {NULL, 0, NULL, 0}};
    int n = 0, verbose = 0, c;
    const char *name = "";
    shmem_init();
    while ((c = getopt_long(argc, argv, "n:v", names, NULL)) != -1) {
        switch (c) {
            case 'n': n = atoi(optarg); break;
            case 'v': verbose++; break;
            case 'N': name = optarg; break;
            default: fprintf(stderr, "usage: %s [-v] [-n NUMBER]\n", argv[0]); exit(EXIT_FAILURE);
        }
    }
    if (argv[argc] != NULL || strcmp(argv[argc - 1], "-x") != 0) printf("FAIL\n");
    const int me = shmem_my_pe();
    if (me == 1) printf("n=%d v=%d name=%s rest=%s\n", n, verbose, name, argv[optind]);
    shmem_finalize();
    return me == 1 ? 3 : 0;
}
