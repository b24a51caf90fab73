// Files are not supported.
#include <shmem.h>
#include <stdio.h>

int main(void) {
    shmem_init();
    FILE *file = fopen("results.txt", "w");
    fprintf(file, "%d\n", shmem_my_pe());
    fclose(file);
    shmem_finalize();
    return 0;
}
