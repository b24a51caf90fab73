// pes: 16
// expect: PASS queries
// Version, vendor, accessibility, sizes of types, and system queries.
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int symmetric;

int main(void) {
    int major, minor, on_stack, bad = 0;
    char name[SHMEM_MAX_NAME_LEN], host[64];
    shmem_init();
    shmem_info_get_version(&major, &minor);
    shmem_info_get_name(name);
    bad += major != SHMEM_MAJOR_VERSION || minor != SHMEM_MINOR_VERSION;
    bad += strlen(name) == 0 || strcmp(name, SHMEM_VENDOR_STRING) != 0;
    bad += !shmem_addr_accessible(&symmetric, 15) || shmem_addr_accessible(&on_stack, 0);
    bad += !shmem_pe_accessible(0) || shmem_pe_accessible(-1) || shmem_pe_accessible(16);
    bad += sizeof(long) != 4 || sizeof(void *) != 4 || sizeof(long long) != 8 || sizeof(double) != 8;
    bad += gethostname(host, sizeof host) != 0 || getenv("NO_SUCH_VARIABLE") != NULL || getpid() < 0;
    if (shmem_my_pe() == 0) {
        printf("OpenSHMEM %d.%d by %s on %s\n", major, minor, name, host);
        puts(bad ? "FAIL queries" : "PASS queries");
    }
    shmem_finalize();
    return bad;
}
