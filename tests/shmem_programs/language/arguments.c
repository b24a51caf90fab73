// pes: 3
// args: -v -n 12 --name=core file.txt
// expect: PASS arguments
// argc and argv parsed by getopt_long.
#include <getopt.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    shmem_init();
    int verbose = 0, number = 0, option, bad = 0;
    const char *name = "?";
    static const struct option long_options[] = {{"name", required_argument, NULL, 'N'}, {"verbose", no_argument, NULL, 'v'}, {0, 0, 0, 0}};
    while ((option = getopt_long(argc, argv, "vn:", long_options, NULL)) != -1) {
        switch (option) {
        case 'v': verbose = 1; break;
        case 'n': number = atoi(optarg); break;
        case 'N': name = optarg; break;
        default: bad++;
        }
    }
    bad += !verbose || number != 12 || strcmp(name, "core") != 0;
    bad += optind != argc - 1 || strcmp(argv[optind], "file.txt") != 0 || argv[argc] != NULL;
    bad += strstr(argv[0], "arguments") == NULL;
    if (bad) printf("PE %d: verbose %d number %d name %s\n", shmem_my_pe(), verbose, number, name);
    if (shmem_my_pe() == 0 && !bad) puts("PASS arguments");
    shmem_finalize();
    return bad;
}
