// Threads are not supported.
#include <pthread.h>
#include <shmem.h>

int main(void) {
    pthread_t thread;
    shmem_init();
    pthread_create(&thread, 0, 0, 0);
    shmem_finalize();
    return 0;
}
