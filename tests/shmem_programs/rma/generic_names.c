// pes: 2
// expect: PASS generic_names
// C11 selection by pointer type, including const, volatile and arrays.
#include <shmem.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>

static volatile int flag;
static float numbers[6];
static unsigned char bytes[4];
static uint64_t wide;
static size_t size;
static const double constants[3] = {1.5, 2.5, 3.5};
static double received[3];

#define REQUIRE(x)                                                      \
    if (!(x)) {                                                         \
        printf("FAIL: PE %d: line %d: %s\n", me, __LINE__, #x);         \
        shmem_global_exit(EXIT_FAILURE);                                \
    }

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), peer = !me;
    shmem_put(numbers, (const float[]){1, 2, 3, 4, 5, 6}, 6, peer);
    shmem_put(bytes, (unsigned char[4]){9, 8, 7, 6}, 4, peer);
    shmem_p(&wide, UINT64_C(0x123456789ABCDEF0) + me, peer);
    shmem_p(&size, sizeof(double), peer);
    shmem_get(received, constants, 3, peer);
    shmem_fence();
    shmem_p(&flag, 1, peer);
    shmem_wait_until(&flag, SHMEM_CMP_EQ, 1);
    shmem_barrier_all();
    REQUIRE(numbers[5] == 6);
    REQUIRE(bytes[1] == 8);
    REQUIRE(wide == UINT64_C(0x123456789ABCDEF0) + peer);
    REQUIRE(size == 8);
    REQUIRE(received[2] == 3.5);
    REQUIRE(shmem_g(&constants[1], peer) == 2.5);
    REQUIRE(shmem_g(&flag, peer) == 1);
    shmem_iput(numbers, (float[]){10, 20, 30}, 2, 1, 3, peer);
    shmem_barrier_all();
    REQUIRE(numbers[4] == 30 && numbers[3] == 4);
    if (me == 0) printf("PASS generic_names\n");
    shmem_finalize();
    return 0;
}
