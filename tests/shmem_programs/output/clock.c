// pes: 2
// expect: PASS clock
#include <shmem.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    struct timespec a, b, pause = {0, 30000};
    struct timeval tv;
    shmem_init();
    clock_gettime(CLOCK_MONOTONIC, &a);
    usleep(50);
    nanosleep(&pause, NULL);
    clock_gettime(CLOCK_MONOTONIC, &b);
    long ns = (b.tv_sec - a.tv_sec) * 1000000000L + b.tv_nsec - a.tv_nsec;
    gettimeofday(&tv, NULL);
    int ok = ns >= 80000 && ns < 82000 && tv.tv_sec == 0 && tv.tv_usec >= 80 && time(NULL) == 0 && clock() >= 80;
    if (shmem_my_pe() == 0) printf(ok ? "PASS clock\n" : "FAIL: %ld ns\n", ns);
    shmem_finalize();
    return 0;
}
