// pes: 1 4
// expect: PASS private_lists
// Lists in the private heap, with a different length on each PE.
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    char *name;
    int value;
};

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), sum = 0, count = 5 + 3 * me;
    struct node *head = NULL;
    for (int i = 0; i < count; ++i) {
        struct node *node = calloc(1, sizeof *node);
        char text[16];
        snprintf(text, sizeof text, "node-%d", i);
        node->name = strdup(text);
        node->value = i;
        node->next = head;
        head = node;
    }
    while (head) {
        struct node *node = head;
        head = node->next;
        if (atoi(strchr(node->name, '-') + 1) == node->value) sum += node->value;
        free(node->name);
        free(node);
    }
    static int ok = 1;
    if (sum != count * (count - 1) / 2) {
        printf("FAIL: PE %d: %d\n", me, sum);
        ok = 0;
    }
    shmem_barrier_all();
    if (me == 0 && ok) printf("PASS private_lists\n");
    shmem_finalize();
    return 0;
}
