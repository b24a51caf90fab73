// Contexts require OpenSHMEM 1.4.
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_ctx_t context;
    shmem_ctx_create(SHMEM_CTX_PRIVATE, &context);
    shmem_finalize();
    return 0;
}
