// pes: 16
// expect: PASS spin
// Plain spinning on volatile words, without a waiting routine; a hand-written tree of flags.
#include <shmem.h>
#include <stdio.h>

volatile int up[3], down; /* up[1], up[2]: from the children */

static void my_barrier(int me, int n, int epoch) {
    int left = 2 * me + 1, right = 2 * me + 2, parent = (me - 1) / 2;
    if (left < n) while (up[1] < epoch) {}
    if (right < n) while (up[2] < epoch) {}
    if (me > 0) {
        shmem_int_p((int *)&up[me % 2 == 1 ? 1 : 2], epoch, parent);
        while (down != epoch) {}
    }
    if (left < n) shmem_int_p((int *)&down, epoch, left);
    if (right < n) shmem_int_p((int *)&down, epoch, right);
}

int at;
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), wrong = 0;
    for (int epoch = 1; epoch <= 20; epoch++) {
        for (volatile int delay = (me * 7 + epoch) % 5 * 10; delay > 0; delay--) {}
        at = epoch;
        my_barrier(me, n, epoch);
        int others = shmem_int_g(&at, (me + epoch) % n);
        wrong += others != epoch && others != epoch + 1;
        my_barrier(me, n, epoch + 100000);
        for (int i = 1; i < 3; i++) up[i] = up[i] >= 100000 ? epoch : up[i];
        shmem_barrier_all();
    }
    if (wrong) printf("PE %d: %d times too early\n", me, wrong);
    if (me == 0 && !wrong) printf("PASS spin\n");
    return wrong;
}
