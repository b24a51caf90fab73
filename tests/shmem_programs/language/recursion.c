// pes: 1 4
// expect: PASS recursion
#include <shmem.h>
#include <stdio.h>
#include <string.h>

static long results[16];

static long ackermann(long m, long n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static void permute(char *text, int at, int *count) {
    if (text[at] == '\0') {
        ++*count;
        return;
    }
    for (int i = at; text[i]; ++i) {
        char kept = text[at];
        text[at] = text[i];
        text[i] = kept;
        permute(text, at + 1, count);
        text[i] = text[at];
        text[at] = kept;
    }
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), count = 0;
    char text[] = "abcde";
    permute(text, 0, &count);
    shmem_long_p(&results[me], ackermann(2, me) * 1000 + count, 0);
    shmem_barrier_all();
    if (me == 0) {
        int bad = 0;
        for (int pe = 0; pe < shmem_n_pes(); ++pe) bad += results[pe] != (2 * pe + 3) * 1000 + 120;
        printf(bad ? "FAIL\n" : "PASS recursion\n");
    }
    shmem_finalize();
    return 0;
}
