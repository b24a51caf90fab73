// pes: 9
// expect: PASS statics
// Targets that are static in functions, in structures, in other storage units, and initialized data.
#include <shmem.h>
#include <stdio.h>

struct pair { short a; struct { char tag; double value; } in; } pairs[3] = {{1, {'x', 1.5}}, {2, {'y', 2.5}}, {3, {'z', 3.5}}};
static const char *names[] = {"zero", "one", "two", "three", "four", "five", "six", "seven", "eight"};

static int *counter(void) {
    static int calls = 40;
    return &calls;
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), bad = 0;
    static long matrix[3][3];
    shmem_int_add(counter(), 2, (me + 3) % n);
    shmem_long_p(&matrix[me / 3][me % 3], me + 1, 0);
    shmem_double_p(&pairs[1].in.value, me * 0.5, (me + 1) % n);
    shmem_putmem(&pairs[2].in.tag, names[me], 1, (me + 1) % n);
    shmem_barrier_all();
    int left = (me + n - 1) % n;
    bad += *counter() != 42;
    bad += pairs[1].in.value != left * 0.5 || pairs[1].in.tag != 'y' || pairs[1].a != 2;
    bad += pairs[2].in.tag != names[left][0] || pairs[2].in.value != 3.5;
    if (me == 0)
        for (int i = 0; i < 9; i++) bad += matrix[i / 3][i % 3] != i + 1;
    if (bad) printf("PE %d: %d\n", me, bad);
    if (me == 0 && !bad) puts("PASS statics");
    shmem_finalize();
    return bad;
}
