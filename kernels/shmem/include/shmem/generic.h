/* SPDX-License-Identifier: Apache-2.0
 * Generic names for all types: C11 selects by the type that a pointer points to. The type of a value has no qualifiers:
 * pointers to const and volatile, and arrays, therefore select like others. Arguments after the pointer are passed as
 * `...`, since a compound literal may contain commas. */
#ifndef NOCBENCH_SHMEM_GENERIC_H
#define NOCBENCH_SHMEM_GENERIC_H

#define _SHMEM_SELECT(ptr, ...) _Generic(*(ptr), __VA_ARGS__)

/* clang-format off */
#define _SHMEM_OF_INTEGERS(operation)                   \
    int: shmem_int_##operation,                         \
    long: shmem_long_##operation,                       \
    long long: shmem_longlong_##operation,              \
    unsigned int: shmem_uint_##operation,               \
    unsigned long: shmem_ulong_##operation,             \
    unsigned long long: shmem_ulonglong_##operation
#define _SHMEM_OF_NUMBERS(operation)                    \
    _SHMEM_OF_INTEGERS(operation),                      \
    float: shmem_float_##operation,                     \
    double: shmem_double_##operation
#define _SHMEM_OF_WAIT_TYPES(operation)                 \
    _SHMEM_OF_INTEGERS(operation),                      \
    short: shmem_short_##operation,                     \
    unsigned short: shmem_ushort_##operation
#define _SHMEM_OF_RMA_TYPES(operation)                  \
    _SHMEM_OF_NUMBERS(operation),                       \
    long double: shmem_longdouble_##operation,          \
    short: shmem_short_##operation,                     \
    unsigned short: shmem_ushort_##operation,           \
    char: shmem_char_##operation,                       \
    signed char: shmem_schar_##operation,               \
    unsigned char: shmem_uchar_##operation
#define _SHMEM_OF_OLD_WAIT_TYPES(operation)             \
    int: shmem_int_##operation,                         \
    long: shmem_long_##operation,                       \
    long long: shmem_longlong_##operation,              \
    short: shmem_short_##operation
/* clang-format on */

/* Casts to void * drop qualifiers: the routines have none. */
#define shmem_put(dest, ...) _SHMEM_SELECT(dest, _SHMEM_OF_RMA_TYPES(put))((void*)(dest), __VA_ARGS__)
#define shmem_get(dest, ...) _SHMEM_SELECT(dest, _SHMEM_OF_RMA_TYPES(get))((void*)(dest), __VA_ARGS__)
#define shmem_put_nbi(dest, ...) _SHMEM_SELECT(dest, _SHMEM_OF_RMA_TYPES(put_nbi))((void*)(dest), __VA_ARGS__)
#define shmem_get_nbi(dest, ...) _SHMEM_SELECT(dest, _SHMEM_OF_RMA_TYPES(get_nbi))((void*)(dest), __VA_ARGS__)
#define shmem_iput(dest, ...) _SHMEM_SELECT(dest, _SHMEM_OF_RMA_TYPES(iput))((void*)(dest), __VA_ARGS__)
#define shmem_iget(dest, ...) _SHMEM_SELECT(dest, _SHMEM_OF_RMA_TYPES(iget))((void*)(dest), __VA_ARGS__)
#define shmem_p(dest, ...) _SHMEM_SELECT(dest, _SHMEM_OF_RMA_TYPES(p))((void*)(dest), __VA_ARGS__)
#define shmem_g(source, ...) _SHMEM_SELECT(source, _SHMEM_OF_RMA_TYPES(g))((const void*)(source), __VA_ARGS__)

#define shmem_atomic_swap(dest, ...) _SHMEM_SELECT(dest, _SHMEM_OF_NUMBERS(atomic_swap))((void*)(dest), __VA_ARGS__)
#define shmem_atomic_fetch(source, ...) \
    _SHMEM_SELECT(source, _SHMEM_OF_NUMBERS(atomic_fetch))((const void*)(source), __VA_ARGS__)
#define shmem_atomic_set(dest, ...) _SHMEM_SELECT(dest, _SHMEM_OF_NUMBERS(atomic_set))((void*)(dest), __VA_ARGS__)
#define shmem_atomic_compare_swap(dest, ...) \
    _SHMEM_SELECT(dest, _SHMEM_OF_INTEGERS(atomic_compare_swap))((void*)(dest), __VA_ARGS__)
#define shmem_atomic_fetch_inc(dest, ...) \
    _SHMEM_SELECT(dest, _SHMEM_OF_INTEGERS(atomic_fetch_inc))((void*)(dest), __VA_ARGS__)
#define shmem_atomic_fetch_add(dest, ...) \
    _SHMEM_SELECT(dest, _SHMEM_OF_INTEGERS(atomic_fetch_add))((void*)(dest), __VA_ARGS__)
#define shmem_atomic_inc(dest, ...) _SHMEM_SELECT(dest, _SHMEM_OF_INTEGERS(atomic_inc))((void*)(dest), __VA_ARGS__)
#define shmem_atomic_add(dest, ...) _SHMEM_SELECT(dest, _SHMEM_OF_INTEGERS(atomic_add))((void*)(dest), __VA_ARGS__)

#define shmem_swap shmem_atomic_swap
#define shmem_fetch shmem_atomic_fetch
#define shmem_set shmem_atomic_set
#define shmem_cswap shmem_atomic_compare_swap
#define shmem_finc shmem_atomic_fetch_inc
#define shmem_fadd shmem_atomic_fetch_add
#define shmem_inc shmem_atomic_inc
#define shmem_add shmem_atomic_add

#define shmem_wait_until(ivar, ...) _SHMEM_SELECT(ivar, _SHMEM_OF_WAIT_TYPES(wait_until))((void*)(ivar), __VA_ARGS__)
#define shmem_test(ivar, ...) _SHMEM_SELECT(ivar, _SHMEM_OF_WAIT_TYPES(test))((void*)(ivar), __VA_ARGS__)
#define shmem_wait(ivar, ...) _SHMEM_SELECT(ivar, _SHMEM_OF_OLD_WAIT_TYPES(wait))((void*)(ivar), __VA_ARGS__)

#endif
