// An endless loop without memory reads.
#include <shmem.h>

int main(void) {
    shmem_init();
    volatile int count = 0;
    for (;;) count++;
}
