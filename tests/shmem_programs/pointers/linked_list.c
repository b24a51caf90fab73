// pes: 16
// expect: PASS linked_list
// List whose nodes are distributed over all PEs: links are (PE, index), followed by pointers.
#include <shmem.h>
#include <stdio.h>

typedef struct { int value, next_pe, next_index; } node;
enum { PER_PE = 8 };

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    node *nodes = shmem_malloc(PER_PE * sizeof(node));
    if (!nodes) return 2;
    /* node k is on PE 7 k mod n, at index k / n */
    for (int k = 0; k < PER_PE * n; k++)
        if (7 * k % n == me) {
            int next = k + 1;
            nodes[k / n].value = k * k;
            nodes[k / n].next_pe = next == PER_PE * n ? -1 : 7 * next % n;
            nodes[k / n].next_index = next / n;
        }
    shmem_barrier_all();
    long long sum = 0;
    int length = 0;
    if (me == n / 2) {
        int pe = 0, index = 0;
        while (pe >= 0) {
            const node *at = (node *)shmem_ptr(nodes, pe) + index;
            sum += at->value;
            length++;
            pe = at->next_pe;
            index = at->next_index;
        }
        long long m = PER_PE * n - 1;
        if (length != PER_PE * n || sum != m * (m + 1) * (2 * m + 1) / 6) shmem_global_exit(1);
    }
    shmem_barrier_all();
    shmem_free(nodes);
    if (me == 0) printf("PASS linked_list\n");
    shmem_finalize();
    return 0;
}
