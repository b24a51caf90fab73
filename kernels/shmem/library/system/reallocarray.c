/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

void* reallocarray(void* block, size_t count, size_t size) {
    size_t all;
    return __builtin_mul_overflow(count, size, &all) ? NULL : realloc(block, all);
}
