// pes: 1
// expect: PASS sorting
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    double key;
    char name[5];
};

static int by_key(const void *a, const void *b) {
    double x = ((const struct pair *)a)->key, y = ((const struct pair *)b)->key;
    return x < y ? -1 : x > y;
}

int main(void) {
    static struct pair list[50];
    unsigned seed = 7;
    srand48(11);
    for (int i = 0; i < 50; ++i) {
        list[i].key = i % 2 ? drand48() : rand_r(&seed) / 2147483647.0;
        sprintf(list[i].name, "%d", i);
    }
    qsort(list, 50, sizeof *list, by_key);
    for (int i = 1; i < 50; ++i)
        if (list[i - 1].key > list[i].key) puts("FAIL: order");
    struct pair want = list[17], *found = bsearch(&want, list, 50, sizeof *list, by_key);
    puts(found && !strcmp(found->name, want.name) ? "PASS sorting" : "FAIL: search");
    return 0;
}
