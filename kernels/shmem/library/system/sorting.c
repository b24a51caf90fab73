/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

void* bsearch(const void* key, const void* items, size_t count, size_t size, int (*compare)(const void*, const void*)) {
    const char* begin = items;
    while (count > 0) {
        const char* middle = begin + count / 2 * size;
        int order = compare(key, middle);
        if (order == 0) return (void*)middle;
        if (order > 0) {
            begin = middle + size;
            count -= count / 2 + 1;
        } else {
            count /= 2;
        }
    }
    return NULL;
}

static void exchange(char* one, char* other, size_t size) {
    for (; size != 0; --size, ++one, ++other) {
        char kept = *one;
        *one = *other;
        *other = kept;
    }
}

/* Heapsort: needs no memory besides the array, and n log n steps in the worst case. */
void qsort(void* items, size_t count, size_t size, int (*compare)(const void*, const void*)) {
    char* base = items;
    if (count < 2) return;
    size_t first = count / 2 * size, end = count * size;
    for (;;) {
        if (first != 0) {
            first -= size;
        } else {
            end -= size;
            if (end == 0) return;
            exchange(base, base + end, size);
        }
        for (size_t at = first;;) {
            size_t child = 2 * at + size;
            if (child >= end) break;
            if (child + size < end && compare(base + child, base + child + size) < 0) child += size;
            if (compare(base + at, base + child) >= 0) break;
            exchange(base + at, base + child, size);
            at = child;
        }
    }
}
