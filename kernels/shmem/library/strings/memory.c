/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <string.h>

typedef uint32_t __attribute__((may_alias)) Word;

/* Returns whether both addresses have the same alignment in a word, so that words can be moved. */
static inline int alike(const void* one, const void* other) { return (((uintptr_t)one ^ (uintptr_t)other) & 3) == 0; }

void* memcpy(void* __restrict to, const void* __restrict from, size_t size) {
    unsigned char* t = to;
    const unsigned char* f = from;
    if (size >= 8 && alike(t, f)) {
        for (; (uintptr_t)t & 3; --size) *t++ = *f++;
        for (; size >= 16; size -= 16, t += 16, f += 16) {
            Word a = ((const Word*)f)[0], b = ((const Word*)f)[1], c = ((const Word*)f)[2], d = ((const Word*)f)[3];
            ((Word*)t)[0] = a;
            ((Word*)t)[1] = b;
            ((Word*)t)[2] = c;
            ((Word*)t)[3] = d;
        }
        for (; size >= 4; size -= 4, t += 4, f += 4) *(Word*)t = *(const Word*)f;
    }
    for (; size != 0; --size) *t++ = *f++;
    return to;
}

void* mempcpy(void* __restrict to, const void* __restrict from, size_t size) {
    return (char*)memcpy(to, from, size) + size;
}

void* memmove(void* to, const void* from, size_t size) {
    unsigned char* t = to;
    const unsigned char* f = from;
    if (t <= f || t >= f + size) {
        if (size >= 8 && alike(t, f)) {
            for (; (uintptr_t)t & 3; --size) *t++ = *f++;
            for (; size >= 4; size -= 4, t += 4, f += 4) *(Word*)t = *(const Word*)f;
        }
        for (; size != 0; --size) *t++ = *f++;
        return to;
    }
    t += size;
    f += size;
    if (size >= 8 && alike(t, f)) {
        for (; (uintptr_t)t & 3; --size) *--t = *--f;
        for (; size >= 4; size -= 4) *(Word*)(t -= 4) = *(const Word*)(f -= 4);
    }
    for (; size != 0; --size) *--t = *--f;
    return to;
}

void* memset(void* to, int value, size_t size) {
    unsigned char* t = to;
    if (size >= 8) {
        Word word = (value & 0xFF) * 0x01010101U;
        for (; (uintptr_t)t & 3; --size) *t++ = value;
        for (; size >= 16; size -= 16, t += 16) {
            ((Word*)t)[0] = word;
            ((Word*)t)[1] = word;
            ((Word*)t)[2] = word;
            ((Word*)t)[3] = word;
        }
        for (; size >= 4; size -= 4, t += 4) *(Word*)t = word;
    }
    for (; size != 0; --size) *t++ = value;
    return to;
}

int memcmp(const void* one, const void* other, size_t size) {
    const unsigned char *a = one, *b = other;
    if (size >= 8 && ((uintptr_t)a & 3) == 0 && alike(a, b)) {
        for (; size >= 4 && *(const Word*)a == *(const Word*)b; size -= 4, a += 4, b += 4) {
        }
    }
    for (; size != 0; --size, ++a, ++b) {
        if (*a != *b) return *a - *b;
    }
    return 0;
}

void* memchr(const void* where, int value, size_t size) {
    const unsigned char* w = where;
    for (; size != 0; --size, ++w) {
        if (*w == (unsigned char)value) return (void*)w;
    }
    return NULL;
}

void* memmem(const void* where, size_t size, const void* what, size_t what_size) {
    const char* w = where;
    for (; size >= what_size; --size, ++w) {
        if (memcmp(w, what, what_size) == 0) return (void*)w;
    }
    return NULL;
}

int bcmp(const void* one, const void* other, size_t size) { return memcmp(one, other, size); }
void bcopy(const void* from, void* to, size_t size) { memmove(to, from, size); }
void bzero(void* to, size_t size) { memset(to, 0, size); }
void explicit_bzero(void* to, size_t size) { memset(to, 0, size); }

void* memrchr(const void* where, int value, size_t size) {
    const unsigned char* w = where;
    while (size != 0) {
        if (w[--size] == (unsigned char)value) return (void*)(w + size);
    }
    return NULL;
}
void* memccpy(void* __restrict to, const void* __restrict from, int value, size_t size) {
    const unsigned char* end = memchr(from, value, size);
    if (end == NULL) {
        memcpy(to, from, size);
        return NULL;
    }
    return mempcpy(to, from, end + 1 - (const unsigned char*)from);
}
