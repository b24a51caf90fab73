// pes: 3
// expect: OpenSHMEM 1.3
// expect: PASS queries
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <string.h>

static int global;

int main(void) {
    shmem_init();
    int major = 0, minor = 0, local = 0, ok;
    char name[SHMEM_MAX_NAME_LEN];
    shmem_info_get_version(&major, &minor);
    shmem_info_get_name(name);
    ok = major == SHMEM_MAJOR_VERSION && minor == _SHMEM_MINOR_VERSION && strlen(name) > 0;
    ok = ok && shmem_pe_accessible(0) && shmem_pe_accessible(2) && !shmem_pe_accessible(3) && !shmem_pe_accessible(-1);
    ok = ok && shmem_addr_accessible(&global, 1);
    int *heap = shmem_malloc(8);
    ok = ok && shmem_addr_accessible(heap, 2);
    (void)local;
    shmem_set_cache_inv();
    shmem_clear_cache_inv();
    shmem_udcflush();
    if (shmem_my_pe() == 0) printf("OpenSHMEM %d.%d: %s\n%s queries\n", major, minor, name, ok ? "PASS" : "FAIL");
    shmem_free(heap);
    shmem_finalize();
    return 0;
}
