// pes: 4
// expect: PASS clocks
// Modeled time advances by time, clock, gettimeofday and clock_gettime, and sleeping takes the requested time.
#include <shmem.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

int main(void) {
    shmem_init();
    int bad = 0;
    double before = seconds();
    struct timeval a, b;
    gettimeofday(&a, NULL);
    clock_t ticks = clock();
    usleep(100);
    gettimeofday(&b, NULL);
    double after = seconds();
    long us = (b.tv_sec - a.tv_sec) * 1000000L + b.tv_usec - a.tv_usec;
    bad += us < 99 || us > 110;
    bad += after - before < 99e-6 || after - before > 120e-6;
    bad += clock() < ticks;
    struct timespec nap = {0, 50000};
    before = seconds();
    nanosleep(&nap, NULL);
    bad += seconds() - before < 49e-6 || seconds() - before > 70e-6;
    bad += time(NULL) < 0;
    if (bad) printf("PE %d: %ld us, %g s\n", shmem_my_pe(), us, after - before);
    if (shmem_my_pe() == 0 && !bad) puts("PASS clocks");
    shmem_finalize();
    return bad;
}
