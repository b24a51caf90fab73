// A store through a null pointer, in a function, on one PE.
#include <shmem.h>

struct record { int id, value; };
static struct record *volatile nowhere;

__attribute__((noinline)) static void fill(struct record *record, int value) { record->value = value; }

int main(void) {
    shmem_init();
    if (shmem_my_pe() == 3) fill(nowhere, 5);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
