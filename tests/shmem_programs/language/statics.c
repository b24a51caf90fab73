// pes: 4
// expect: PASS statics
// Targets that are static within functions, members of structures, and rows of arrays.
#include <shmem.h>
#include <stdio.h>

typedef struct {
    char tag;
    struct {
        long long deep;
        float coordinates[3];
    } inner;
    short table[4][5];
} Record;

static int *local_static(void) {
    static int value = 11;
    return &value;
}

int main(void) {
    static Record record;
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
    const float from[3] = {me, me + 0.25f, me + 0.5f};
    const short row[5] = {me, 2, 3, 4, 5};
    shmem_barrier_all();
    shmem_int_add(local_static(), me, right);
    shmem_longlong_p(&record.inner.deep, 1LL << (33 + me), right);
    shmem_float_put(record.inner.coordinates, from, 3, right);
    shmem_short_put(record.table[2], row, 5, right);
    shmem_char_p(&record.tag, 'a' + me, right);
    shmem_barrier_all();
    int ok = *local_static() == 11 + left && record.inner.deep == 1LL << (33 + left) &&
             record.inner.coordinates[2] == left + 0.5f && record.table[2][0] == left && record.table[2][4] == 5 &&
             record.tag == 'a' + left && record.table[1][4] == 0;
    if (!ok) printf("FAIL: PE %d\n", me);
    shmem_barrier_all();
    if (me == 0 && ok) printf("PASS statics\n");
    shmem_finalize();
    return 0;
}
