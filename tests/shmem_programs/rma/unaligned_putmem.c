/* pes: 2 3
 * expect: PASS unaligned_putmem
 * All alignments of source and destination, and sizes around the steps of copy loops. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shmem.h>

#define MAX 80

int main(void)
{
	int me, npes, bad = 0;
	unsigned char *dst, src[MAX + 8];

	shmem_init();
	me = shmem_my_pe();
	npes = shmem_n_pes();
	dst = shmem_malloc(MAX + 16);
	for (int from = 0; from < 8; from += 1)
		for (int to = 0; to < 8; to += 3)
			for (int size = 0; size <= 65; size += (size < 36 ? 1 : 7)) {
				for (int i = 0; i < MAX; i++)
					src[i] = (unsigned char)(i * 7 + size + me);
				memset(dst, 0xEE, MAX + 16);
				shmem_barrier_all();
				shmem_putmem(dst + to, src + from, size, (me + 1) % npes);
				shmem_barrier_all();
				int from_pe = (me + npes - 1) % npes;
				for (int i = 0; i < MAX + 16; i++) {
					int in = i >= to && i < to + size;
					unsigned char want = in ? (unsigned char)((i - to + from) * 7 + size + from_pe) : 0xEE;
					bad += dst[i] != want;
				}
				shmem_barrier_all();
			}
	if (bad)
		printf("FAIL PE %d: %d bytes\n", me, bad);
	else if (me == 0)
		printf("PASS unaligned_putmem\n");
	shmem_free(dst);
	shmem_finalize();
	return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
