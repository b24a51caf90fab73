/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Generator of newlib, the C library of Epiphany's tools: Knuth's for MMIX. */
static uint64_t state = 1;

int rand(void) {
    state = state * 6364136223846793005ULL + 1;
    return (state >> 32) & RAND_MAX;
}
void srand(unsigned int seed) { state = seed; }
long random(void) { return rand(); }
void srandom(unsigned int seed) { srand(seed); }

/* Example of POSIX, extended to values of 31 bits. */
int rand_r(unsigned int* seed) {
    unsigned value = *seed, result = 0;
    for (int bits = 11; bits >= 10; --bits) {
        value = value * 1103515245 + 12345;
        result = result << bits | (value >> 16 & ((1U << bits) - 1));
    }
    value = value * 1103515245 + 12345;
    *seed = value;
    return (result << 10 | (value >> 16 & 0x3FF)) & RAND_MAX;
}

/* Generator of 48 bits with the constants of POSIX. */
static unsigned short state48[3] = {0x330E, 0xABCD, 0x1234};

static uint64_t step(unsigned short bits[3]) {
    uint64_t value = bits[0] | (uint64_t)bits[1] << 16 | (uint64_t)bits[2] << 32;
    value = (value * 0x5DEECE66DULL + 11) & 0xFFFFFFFFFFFFULL;
    bits[0] = value;
    bits[1] = value >> 16;
    bits[2] = value >> 32;
    return value;
}
double erand48(unsigned short bits[3]) {
    /* Puts the 48 bits into the 52-bit fraction of a value from 1 to 2. */
    uint64_t representation = 0x3FF0000000000000ULL | step(bits) << 4;
    double value;
    memcpy(&value, &representation, sizeof value);
    return value - 1;
}
long nrand48(unsigned short bits[3]) { return step(bits) >> 17; }
double drand48(void) { return erand48(state48); }
long lrand48(void) { return nrand48(state48); }
long jrand48(unsigned short bits[3]) { return (int32_t)(step(bits) >> 16); }
long mrand48(void) { return jrand48(state48); }
void srand48(long seed) {
    state48[0] = 0x330E;
    state48[1] = seed;
    state48[2] = (unsigned long)seed >> 16;
}
unsigned short* seed48(unsigned short bits[3]) {
    static unsigned short before[3];
    memcpy(before, state48, sizeof before);
    memcpy(state48, bits, sizeof state48);
    return before;
}
