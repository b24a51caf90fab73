// A loop that ends never, and reads nothing.
#include <shmem.h>

int main(void) {
    shmem_init();
    volatile int count = 0;
    for (;;) count++;
}
