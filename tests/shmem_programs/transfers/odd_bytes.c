// pes: 4
// expect: PASS odd_bytes
// putmem and getmem at all offsets with small lengths leave surrounding bytes unchanged.
#include <shmem.h>
#include <stdio.h>
#include <string.h>

unsigned char src[64], dst[64], back[64];
int nbad;

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), peer = me ^ 1;
    for (int i = 0; i < 64; i++) src[i] = (unsigned char)(i * 5 + peer * 11 + 1);
    for (int so = 0; so < 8; so += 3)
        for (int to = 0; to < 8; to++)
            for (int len = 0; len <= 17; len++) {
                memset(dst, 0xEE, sizeof dst);
                memset(back, 0xDD, sizeof back);
                shmem_barrier_all();
                shmem_putmem(dst + 8 + to, src + so, len, peer);
                shmem_getmem(back + 8 + so, src + to, len, me);
                shmem_barrier_all();
                for (int i = 0; i < 64; i++) {
                    int k = i - 8 - to;
                    int want = k >= 0 && k < len ? (unsigned char)((k + so) * 5 + me * 11 + 1) : 0xEE;
                    if (dst[i] != want) nbad++;
                    k = i - 8 - so;
                    want = k >= 0 && k < len ? src[k + to] : 0xDD;
                    if (back[i] != want) nbad++;
                }
            }
    if (nbad) printf("[%d] %d wrong bytes\n", me, nbad);
    shmem_barrier_all();
    int all = 0;
    for (int pe = 0; pe < shmem_n_pes(); pe++) all += shmem_int_g(&nbad, pe);
    if (me == 0) printf("%s odd_bytes\n", all ? "FAIL" : "PASS");
    return all != 0;
}
