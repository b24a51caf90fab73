/* SPDX-License-Identifier: Apache-2.0
 * OpenSHMEM 1.3 for programs on the cores of an Epiphany machine.
 *
 * Each name is a routine that the simulator executes (kernels/shmem/routine.h), or an alias. Types unknown to 1.3, and
 * new names of 1.4 for routines of 1.3, are aliases of the 1.3 routine for values of equal width. Aliases take no
 * additional memory, and messages name the 1.3 routine. Routines of 1.4 without equivalent in 1.3 (shmem_sync,
 * shmem_calloc, shmem_test) are declared under their own names.
 *
 * Source: OpenSHMEM Application Programming Interface, version 1.3, 19 February 2016; sizes of arrays and values of
 * constants as in USArmyResearchLab/openshmem-epiphany c9dd0c5. */
#ifndef NOCBENCH_SHMEM_H
#define NOCBENCH_SHMEM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#if __has_include(<complex>)
/* Some programs include this header within extern "C". */
extern "C++" {
#include <complex>
}
#define _SHMEM_COMPLEX(T) std::complex<T>
#else
#define _SHMEM_COMPLEX(T) T _Complex
#endif
#else
#define _SHMEM_COMPLEX(T) T _Complex
#endif

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 3
#define SHMEM_MAX_NAME_LEN 64
/* The version as Open MPI's header has it: programs refuse to compile with one before theirs. */
#define OSHMEM_SPEC_VERSION (SHMEM_MAJOR_VERSION * 10000 + SHMEM_MINOR_VERSION * 100)
#define SHMEM_VENDOR_STRING "nocbench"

#define SHMEM_SYNC_VALUE 0
#define SHMEM_SYNC_SIZE 4
#define SHMEM_BARRIER_SYNC_SIZE 4
#define SHMEM_BCAST_SYNC_SIZE 4
#define SHMEM_ALLTOALL_SYNC_SIZE 4
#define SHMEM_ALLTOALLS_SYNC_SIZE 4
#define SHMEM_COLLECT_SYNC_SIZE 6
#define SHMEM_REDUCE_SYNC_SIZE 6
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 16

#define SHMEM_CMP_EQ 0
#define SHMEM_CMP_NE 1
#define SHMEM_CMP_GT 2
#define SHMEM_CMP_GE 3
#define SHMEM_CMP_LT 4
#define SHMEM_CMP_LE 5

/* Names until version 1.1. */
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_GE SHMEM_CMP_GE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_LE SHMEM_CMP_LE

/* Types by name: first those with routines in 1.3, then X(type, name, type name of the aliased routine). */
#define _SHMEM_INTEGERS(X) X(int, int) X(long, long) X(long long, longlong)
#define _SHMEM_WAIT_TYPES(X) X(short, short) _SHMEM_INTEGERS(X)
#define _SHMEM_REALS(X) X(float, float) X(double, double)
#define _SHMEM_RMA_TYPES(X) X(char, char) _SHMEM_WAIT_TYPES(X) _SHMEM_REALS(X) X(long double, longdouble)

#define _SHMEM_UNSIGNED_TYPES(X) \
    X(unsigned short, ushort) X(unsigned int, uint) X(unsigned long, ulong) X(unsigned long long, ulonglong)
#define _SHMEM_SAME_RMA_TYPES(X)     \
    X(signed char, schar, char)      \
    X(unsigned char, uchar, char)    \
    X(unsigned short, ushort, short) \
    X(unsigned int, uint, int)       \
    X(unsigned long, ulong, long)    \
    X(unsigned long long, ulonglong, longlong)
#define _SHMEM_SIZED_RMA_TYPES(X) \
    X(int8_t, int8, char)         \
    X(uint8_t, uint8, char)       \
    X(int16_t, int16, short)      \
    X(uint16_t, uint16, short)    \
    X(int32_t, int32, int)        \
    X(uint32_t, uint32, int)      \
    X(int64_t, int64, longlong)   \
    X(uint64_t, uint64, longlong) \
    X(size_t, size, int)          \
    X(ptrdiff_t, ptrdiff, int)
#define _SHMEM_SAME_INTEGERS(X)   \
    X(unsigned int, uint, int)    \
    X(unsigned long, ulong, long) \
    X(unsigned long long, ulonglong, longlong)
#define _SHMEM_SIZED_INTEGERS(X)  \
    X(int32_t, int32, int)        \
    X(uint32_t, uint32, int)      \
    X(int64_t, int64, longlong)   \
    X(uint64_t, uint64, longlong) \
    X(size_t, size, int)          \
    X(ptrdiff_t, ptrdiff, int)
#define _SHMEM_SIZED_WAIT_TYPES(X) \
    X(int16_t, int16, short)       \
    X(uint16_t, uint16, ushort)    \
    X(int32_t, int32, int)         \
    X(uint32_t, uint32, uint)      \
    X(int64_t, int64, longlong)    \
    X(uint64_t, uint64, ulonglong) \
    X(size_t, size, uint)          \
    X(ptrdiff_t, ptrdiff, int)
#define _SHMEM_WIDTHS(X) X(8) X(16) X(32) X(64) X(128)

#define _SHMEM_SAME_AS(routine) __asm__(#routine)

#ifdef __cplusplus
extern "C" {
#endif

/* Set-up and query. */
void shmem_init(void);
void shmem_finalize(void);
void shmem_global_exit(int status) __attribute__((noreturn));
void start_pes(int npes);
int shmem_my_pe(void);
int shmem_n_pes(void);
int _my_pe(void);
int _num_pes(void);
int shmem_pe_accessible(int pe);
int shmem_addr_accessible(const void* addr, int pe);
void* shmem_ptr(const void* dest, int pe);
void shmem_info_get_version(int* major, int* minor);
void shmem_info_get_name(char* name);

/* Symmetric heap. */
void* shmem_malloc(size_t size);
void* shmem_calloc(size_t count, size_t size);
void* shmem_align(size_t alignment, size_t size);
void* shmem_realloc(void* ptr, size_t size);
void shmem_free(void* ptr);
void* shmalloc(size_t size);
void* shmemalign(size_t alignment, size_t size);
void* shrealloc(void* ptr, size_t size);
void shfree(void* ptr);

/* Put and get. */
#define _SHMEM_RMA(T, name, same)                                                                           \
    void shmem_##name##_put(T* dest, const T* source, size_t nelems, int pe) same(put);                     \
    void shmem_##name##_get(T* dest, const T* source, size_t nelems, int pe) same(get);                     \
    void shmem_##name##_put_nbi(T* dest, const T* source, size_t nelems, int pe) same(put_nbi);             \
    void shmem_##name##_get_nbi(T* dest, const T* source, size_t nelems, int pe) same(get_nbi);             \
    void shmem_##name##_iput(T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) \
        same(iput);                                                                                         \
    void shmem_##name##_iget(T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) \
        same(iget);                                                                                         \
    void shmem_##name##_p(T* dest, T value, int pe) same(p);                                                \
    T shmem_##name##_g(const T* source, int pe) same(g);
#define _SHMEM_OWN(operation)
#define _SHMEM_X(T, name) _SHMEM_RMA(T, name, _SHMEM_OWN)
_SHMEM_RMA_TYPES(_SHMEM_X)
#undef _SHMEM_X
#define _SHMEM_X(T, name, as)                                                                                          \
    void shmem_##name##_put(T* dest, const T* source, size_t nelems, int pe) _SHMEM_SAME_AS(shmem_##as##_put);         \
    void shmem_##name##_get(T* dest, const T* source, size_t nelems, int pe) _SHMEM_SAME_AS(shmem_##as##_get);         \
    void shmem_##name##_put_nbi(T* dest, const T* source, size_t nelems, int pe) _SHMEM_SAME_AS(shmem_##as##_put_nbi); \
    void shmem_##name##_get_nbi(T* dest, const T* source, size_t nelems, int pe) _SHMEM_SAME_AS(shmem_##as##_get_nbi); \
    void shmem_##name##_iput(T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)            \
        _SHMEM_SAME_AS(shmem_##as##_iput);                                                                             \
    void shmem_##name##_iget(T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)            \
        _SHMEM_SAME_AS(shmem_##as##_iget);                                                                             \
    void shmem_##name##_p(T* dest, T value, int pe) _SHMEM_SAME_AS(shmem_##as##_p);                                    \
    T shmem_##name##_g(const T* source, int pe) _SHMEM_SAME_AS(shmem_##as##_g);
_SHMEM_SAME_RMA_TYPES(_SHMEM_X)
_SHMEM_SIZED_RMA_TYPES(_SHMEM_X)
#undef _SHMEM_X
#undef _SHMEM_RMA
#undef _SHMEM_OWN
#define _SHMEM_X(width)                                                                                          \
    void shmem_put##width(void* dest, const void* source, size_t nelems, int pe);                                \
    void shmem_get##width(void* dest, const void* source, size_t nelems, int pe);                                \
    void shmem_put##width##_nbi(void* dest, const void* source, size_t nelems, int pe);                          \
    void shmem_get##width##_nbi(void* dest, const void* source, size_t nelems, int pe);                          \
    void shmem_iput##width(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe); \
    void shmem_iget##width(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
_SHMEM_WIDTHS(_SHMEM_X)
#undef _SHMEM_X
void shmem_putmem(void* dest, const void* source, size_t nelems, int pe);
void shmem_getmem(void* dest, const void* source, size_t nelems, int pe);
void shmem_putmem_nbi(void* dest, const void* source, size_t nelems, int pe);
void shmem_getmem_nbi(void* dest, const void* source, size_t nelems, int pe);

/* Atomics. */
#define _SHMEM_X(T, name)                                                                        \
    T shmem_##name##_swap(T* dest, T value, int pe);                                             \
    T shmem_##name##_fetch(const T* source, int pe);                                             \
    void shmem_##name##_set(T* dest, T value, int pe);                                           \
    T shmem_##name##_atomic_swap(T* dest, T value, int pe) _SHMEM_SAME_AS(shmem_##name##_swap);  \
    T shmem_##name##_atomic_fetch(const T* source, int pe) _SHMEM_SAME_AS(shmem_##name##_fetch); \
    void shmem_##name##_atomic_set(T* dest, T value, int pe) _SHMEM_SAME_AS(shmem_##name##_set);
_SHMEM_INTEGERS(_SHMEM_X)
_SHMEM_REALS(_SHMEM_X)
#undef _SHMEM_X
#define _SHMEM_X(T, name)                                                                                        \
    T shmem_##name##_cswap(T* dest, T cond, T value, int pe);                                                    \
    T shmem_##name##_finc(T* dest, int pe);                                                                      \
    T shmem_##name##_fadd(T* dest, T value, int pe);                                                             \
    void shmem_##name##_inc(T* dest, int pe);                                                                    \
    void shmem_##name##_add(T* dest, T value, int pe);                                                           \
    T shmem_##name##_atomic_compare_swap(T* dest, T cond, T value, int pe) _SHMEM_SAME_AS(shmem_##name##_cswap); \
    T shmem_##name##_atomic_fetch_inc(T* dest, int pe) _SHMEM_SAME_AS(shmem_##name##_finc);                      \
    T shmem_##name##_atomic_fetch_add(T* dest, T value, int pe) _SHMEM_SAME_AS(shmem_##name##_fadd);             \
    void shmem_##name##_atomic_inc(T* dest, int pe) _SHMEM_SAME_AS(shmem_##name##_inc);                          \
    void shmem_##name##_atomic_add(T* dest, T value, int pe) _SHMEM_SAME_AS(shmem_##name##_add);
_SHMEM_INTEGERS(_SHMEM_X)
#undef _SHMEM_X
#define _SHMEM_X(T, name, as)                                                                                  \
    T shmem_##name##_atomic_swap(T* dest, T value, int pe) _SHMEM_SAME_AS(shmem_##as##_swap);                  \
    T shmem_##name##_atomic_fetch(const T* source, int pe) _SHMEM_SAME_AS(shmem_##as##_fetch);                 \
    void shmem_##name##_atomic_set(T* dest, T value, int pe) _SHMEM_SAME_AS(shmem_##as##_set);                 \
    T shmem_##name##_atomic_compare_swap(T* dest, T cond, T value, int pe) _SHMEM_SAME_AS(shmem_##as##_cswap); \
    T shmem_##name##_atomic_fetch_inc(T* dest, int pe) _SHMEM_SAME_AS(shmem_##as##_finc);                      \
    T shmem_##name##_atomic_fetch_add(T* dest, T value, int pe) _SHMEM_SAME_AS(shmem_##as##_fadd);             \
    void shmem_##name##_atomic_inc(T* dest, int pe) _SHMEM_SAME_AS(shmem_##as##_inc);                          \
    void shmem_##name##_atomic_add(T* dest, T value, int pe) _SHMEM_SAME_AS(shmem_##as##_add);
_SHMEM_SAME_INTEGERS(_SHMEM_X)
_SHMEM_SIZED_INTEGERS(_SHMEM_X)
#undef _SHMEM_X

/* Order and waiting. Unsigned values, added by 1.4, have their own comparisons. */
void shmem_fence(void);
void shmem_quiet(void);
#define _SHMEM_X(T, name)                                               \
    void shmem_##name##_wait_until(volatile T* ivar, int cmp, T value); \
    int shmem_##name##_test(volatile T* ivar, int cmp, T value);
_SHMEM_WAIT_TYPES(_SHMEM_X)
_SHMEM_UNSIGNED_TYPES(_SHMEM_X)
#undef _SHMEM_X
#define _SHMEM_X(T, name, as)                                                                                   \
    void shmem_##name##_wait_until(volatile T* ivar, int cmp, T value) _SHMEM_SAME_AS(shmem_##as##_wait_until); \
    int shmem_##name##_test(volatile T* ivar, int cmp, T value) _SHMEM_SAME_AS(shmem_##as##_test);
_SHMEM_SIZED_WAIT_TYPES(_SHMEM_X)
#undef _SHMEM_X
#define _SHMEM_X(T, name) void shmem_##name##_wait(volatile T* ivar, T value);
_SHMEM_WAIT_TYPES(_SHMEM_X)
#undef _SHMEM_X

/* Collectives. */
void shmem_barrier_all(void);
void shmem_barrier(int PE_start, int logPE_stride, int PE_size, long* pSync);
void shmem_sync(int PE_start, int logPE_stride, int PE_size, long* pSync);
void shmem_sync_all(void);
#define _SHMEM_X(width)                                                                                       \
    void shmem_broadcast##width(void* dest, const void* source, size_t nelems, int PE_root, int PE_start,     \
                                int logPE_stride, int PE_size, long* pSync);                                  \
    void shmem_collect##width(void* dest, const void* source, size_t nelems, int PE_start, int logPE_stride,  \
                              int PE_size, long* pSync);                                                      \
    void shmem_fcollect##width(void* dest, const void* source, size_t nelems, int PE_start, int logPE_stride, \
                               int PE_size, long* pSync);                                                     \
    void shmem_alltoall##width(void* dest, const void* source, size_t nelems, int PE_start, int logPE_stride, \
                               int PE_size, long* pSync);                                                     \
    void shmem_alltoalls##width(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,  \
                                int PE_start, int logPE_stride, int PE_size, long* pSync);
_SHMEM_X(32)
_SHMEM_X(64)
#undef _SHMEM_X

#define _SHMEM_REDUCE(T, name, operation)                                                                           \
    void shmem_##name##_##operation##_to_all(T* dest, const T* source, int nreduce, int PE_start, int logPE_stride, \
                                             int PE_size, T* pWrk, long* pSync);
#define _SHMEM_X(T, name)       \
    _SHMEM_REDUCE(T, name, and) \
    _SHMEM_REDUCE(T, name, or)  \
    _SHMEM_REDUCE(T, name, xor)
_SHMEM_WAIT_TYPES(_SHMEM_X)
#undef _SHMEM_X
#define _SHMEM_X(T, name)       \
    _SHMEM_REDUCE(T, name, max) \
    _SHMEM_REDUCE(T, name, min) \
    _SHMEM_REDUCE(T, name, sum) \
    _SHMEM_REDUCE(T, name, prod)
_SHMEM_WAIT_TYPES(_SHMEM_X)
_SHMEM_REALS(_SHMEM_X)
_SHMEM_X(long double, longdouble)
#undef _SHMEM_X
_SHMEM_REDUCE(_SHMEM_COMPLEX(float), complexf, sum)
_SHMEM_REDUCE(_SHMEM_COMPLEX(float), complexf, prod)
_SHMEM_REDUCE(_SHMEM_COMPLEX(double), complexd, sum)
_SHMEM_REDUCE(_SHMEM_COMPLEX(double), complexd, prod)
#undef _SHMEM_COMPLEX
#undef _SHMEM_REDUCE

/* Locks. */
void shmem_set_lock(volatile long* lock);
void shmem_clear_lock(volatile long* lock);
int shmem_test_lock(volatile long* lock);

/* Caches: no effect, since a core has none. */
void shmem_clear_cache_inv(void);
void shmem_set_cache_inv(void);
void shmem_clear_cache_line_inv(void* dest);
void shmem_set_cache_line_inv(void* dest);
void shmem_udcflush(void);
void shmem_udcflush_line(void* dest);

#ifdef __cplusplus
}
#endif

/* Generic names for all types. */
#ifdef __cplusplus
extern "C++" {
#include "shmem/overloads.h"
}
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#include "shmem/generic.h"
#else
void shmem_wait(volatile long* ivar, long value) _SHMEM_SAME_AS(shmem_long_wait);
void shmem_wait_until(volatile long* ivar, int cmp, long value) _SHMEM_SAME_AS(shmem_long_wait_until);
#endif

#endif
