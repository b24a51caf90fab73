/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_STDLIB_H
#define NOCBENCH_STDLIB_H

#include <stddef.h>
#include <sys/types.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 0x7fffffff
#define MB_CUR_MAX 1

typedef struct {
    int quot;
    int rem;
} div_t;
typedef struct {
    long quot;
    long rem;
} ldiv_t;
typedef struct {
    long long quot;
    long long rem;
} lldiv_t;

#ifdef __cplusplus
extern "C" {
#endif

/* Heap and end of the program, executed by the simulator. */
void* malloc(size_t size) __attribute__((malloc));
void* reallocarray(void* block, size_t count, size_t size);
void* calloc(size_t count, size_t size) __attribute__((malloc));
void* realloc(void* block, size_t size);
void free(void* block);
void* aligned_alloc(size_t alignment, size_t size);
void* memalign(size_t alignment, size_t size);
int posix_memalign(void** block, size_t alignment, size_t size);
void exit(int status) __attribute__((noreturn));
void _Exit(int status) __attribute__((noreturn));
void quick_exit(int status) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));
int atexit(void (*function)(void));
int at_quick_exit(void (*function)(void));

int atoi(const char* text);
long atol(const char* text);
long long atoll(const char* text);
double atof(const char* text);
long strtol(const char* text, char** end, int base);
unsigned long strtoul(const char* text, char** end, int base);
long long strtoll(const char* text, char** end, int base);
unsigned long long strtoull(const char* text, char** end, int base);
float strtof(const char* text, char** end);
double strtod(const char* text, char** end);
long double strtold(const char* text, char** end);

int abs(int value);
long labs(long value);
long long llabs(long long value);
div_t div(int numerator, int denominator);
ldiv_t ldiv(long numerator, long denominator);
lldiv_t lldiv(long long numerator, long long denominator);

void* bsearch(const void* key, const void* items, size_t count, size_t size, int (*compare)(const void*, const void*));
void qsort(void* items, size_t count, size_t size, int (*compare)(const void*, const void*));

int rand(void);
void srand(unsigned int seed);
int rand_r(unsigned int* seed);
long random(void);
void srandom(unsigned int seed);
double drand48(void);
double erand48(unsigned short state[3]);
long lrand48(void);
long nrand48(unsigned short state[3]);
long mrand48(void);
long jrand48(unsigned short state[3]);
unsigned short* seed48(unsigned short state[3]);
void srand48(long seed);

char* getenv(const char* name);
int setenv(const char* name, const char* value, int overwrite);
int putenv(char* entry);
int unsetenv(const char* name);
int system(const char* command);

int mblen(const char* text, size_t size);
int mbtowc(wchar_t* wide, const char* text, size_t size);
int wctomb(char* text, wchar_t wide);
size_t mbstowcs(wchar_t* wide, const char* text, size_t size);
size_t wcstombs(char* text, const wchar_t* wide, size_t size);

#ifdef __cplusplus
}
#endif

#endif
