// An undefined function.
#include <shmem.h>

int answer_of(int question);

int main(void) {
    shmem_init();
    int value = answer_of(shmem_my_pe());
    shmem_finalize();
    return value;
}
