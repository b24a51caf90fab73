/* SPDX-License-Identifier: Apache-2.0
 * Generic names for all types, as C++ overloads. Pointers to const and volatile are allowed. */
#ifndef NOCBENCH_SHMEM_OVERLOADS_H
#define NOCBENCH_SHMEM_OVERLOADS_H

#define _SHMEM_ALWAYS_INLINE __attribute__((always_inline)) static inline

#define _SHMEM_OVERLOADS(T, name)                                                                                  \
    _SHMEM_ALWAYS_INLINE void shmem_put(volatile T* dest, const volatile T* source, size_t nelems, int pe) {       \
        shmem_##name##_put(const_cast<T*>(dest), const_cast<const T*>(source), nelems, pe);                        \
    }                                                                                                              \
    _SHMEM_ALWAYS_INLINE void shmem_get(volatile T* dest, const volatile T* source, size_t nelems, int pe) {       \
        shmem_##name##_get(const_cast<T*>(dest), const_cast<const T*>(source), nelems, pe);                        \
    }                                                                                                              \
    _SHMEM_ALWAYS_INLINE void shmem_put_nbi(volatile T* dest, const volatile T* source, size_t nelems, int pe) {   \
        shmem_##name##_put_nbi(const_cast<T*>(dest), const_cast<const T*>(source), nelems, pe);                    \
    }                                                                                                              \
    _SHMEM_ALWAYS_INLINE void shmem_get_nbi(volatile T* dest, const volatile T* source, size_t nelems, int pe) {   \
        shmem_##name##_get_nbi(const_cast<T*>(dest), const_cast<const T*>(source), nelems, pe);                    \
    }                                                                                                              \
    _SHMEM_ALWAYS_INLINE void shmem_iput(volatile T* dest, const volatile T* source, ptrdiff_t dst, ptrdiff_t sst, \
                                         size_t nelems, int pe) {                                                  \
        shmem_##name##_iput(const_cast<T*>(dest), const_cast<const T*>(source), dst, sst, nelems, pe);             \
    }                                                                                                              \
    _SHMEM_ALWAYS_INLINE void shmem_iget(volatile T* dest, const volatile T* source, ptrdiff_t dst, ptrdiff_t sst, \
                                         size_t nelems, int pe) {                                                  \
        shmem_##name##_iget(const_cast<T*>(dest), const_cast<const T*>(source), dst, sst, nelems, pe);             \
    }                                                                                                              \
    _SHMEM_ALWAYS_INLINE void shmem_p(volatile T* dest, T value, int pe) {                                         \
        shmem_##name##_p(const_cast<T*>(dest), value, pe);                                                         \
    }                                                                                                              \
    _SHMEM_ALWAYS_INLINE T shmem_g(const volatile T* source, int pe) {                                             \
        return shmem_##name##_g(const_cast<const T*>(source), pe);                                                 \
    }
_SHMEM_RMA_TYPES(_SHMEM_OVERLOADS)
_SHMEM_OVERLOADS(signed char, schar)
_SHMEM_OVERLOADS(unsigned char, uchar)
_SHMEM_UNSIGNED_TYPES(_SHMEM_OVERLOADS)
#undef _SHMEM_OVERLOADS

/* Each has its name in 1.3 and its name in 1.4. */
#define _SHMEM_OVERLOAD(T, name, old, operation)                                         \
    _SHMEM_ALWAYS_INLINE T shmem_##old(volatile T* dest, T value, int pe) {              \
        return shmem_##name##_atomic_##operation(const_cast<T*>(dest), value, pe);       \
    }                                                                                    \
    _SHMEM_ALWAYS_INLINE T shmem_atomic_##operation(volatile T* dest, T value, int pe) { \
        return shmem_##name##_atomic_##operation(const_cast<T*>(dest), value, pe);       \
    }
#define _SHMEM_OVERLOADS(T, name)                                                   \
    _SHMEM_OVERLOAD(T, name, swap, swap)                                            \
    _SHMEM_ALWAYS_INLINE T shmem_fetch(const volatile T* source, int pe) {          \
        return shmem_##name##_atomic_fetch(const_cast<const T*>(source), pe);       \
    }                                                                               \
    _SHMEM_ALWAYS_INLINE T shmem_atomic_fetch(const volatile T* source, int pe) {   \
        return shmem_##name##_atomic_fetch(const_cast<const T*>(source), pe);       \
    }                                                                               \
    _SHMEM_ALWAYS_INLINE void shmem_set(volatile T* dest, T value, int pe) {        \
        shmem_##name##_atomic_set(const_cast<T*>(dest), value, pe);                 \
    }                                                                               \
    _SHMEM_ALWAYS_INLINE void shmem_atomic_set(volatile T* dest, T value, int pe) { \
        shmem_##name##_atomic_set(const_cast<T*>(dest), value, pe);                 \
    }
_SHMEM_INTEGERS(_SHMEM_OVERLOADS)
_SHMEM_OVERLOADS(unsigned int, uint)
_SHMEM_OVERLOADS(unsigned long, ulong)
_SHMEM_OVERLOADS(unsigned long long, ulonglong)
_SHMEM_REALS(_SHMEM_OVERLOADS)
#undef _SHMEM_OVERLOADS
#define _SHMEM_OVERLOADS(T, name)                                                                 \
    _SHMEM_OVERLOAD(T, name, fadd, fetch_add)                                                     \
    _SHMEM_ALWAYS_INLINE T shmem_cswap(volatile T* dest, T cond, T value, int pe) {               \
        return shmem_##name##_atomic_compare_swap(const_cast<T*>(dest), cond, value, pe);         \
    }                                                                                             \
    _SHMEM_ALWAYS_INLINE T shmem_atomic_compare_swap(volatile T* dest, T cond, T value, int pe) { \
        return shmem_##name##_atomic_compare_swap(const_cast<T*>(dest), cond, value, pe);         \
    }                                                                                             \
    _SHMEM_ALWAYS_INLINE T shmem_finc(volatile T* dest, int pe) {                                 \
        return shmem_##name##_atomic_fetch_inc(const_cast<T*>(dest), pe);                         \
    }                                                                                             \
    _SHMEM_ALWAYS_INLINE T shmem_atomic_fetch_inc(volatile T* dest, int pe) {                     \
        return shmem_##name##_atomic_fetch_inc(const_cast<T*>(dest), pe);                         \
    }                                                                                             \
    _SHMEM_ALWAYS_INLINE void shmem_inc(volatile T* dest, int pe) {                               \
        shmem_##name##_atomic_inc(const_cast<T*>(dest), pe);                                      \
    }                                                                                             \
    _SHMEM_ALWAYS_INLINE void shmem_atomic_inc(volatile T* dest, int pe) {                        \
        shmem_##name##_atomic_inc(const_cast<T*>(dest), pe);                                      \
    }                                                                                             \
    _SHMEM_ALWAYS_INLINE void shmem_add(volatile T* dest, T value, int pe) {                      \
        shmem_##name##_atomic_add(const_cast<T*>(dest), value, pe);                               \
    }                                                                                             \
    _SHMEM_ALWAYS_INLINE void shmem_atomic_add(volatile T* dest, T value, int pe) {               \
        shmem_##name##_atomic_add(const_cast<T*>(dest), value, pe);                               \
    }
_SHMEM_INTEGERS(_SHMEM_OVERLOADS)
_SHMEM_OVERLOADS(unsigned int, uint)
_SHMEM_OVERLOADS(unsigned long, ulong)
_SHMEM_OVERLOADS(unsigned long long, ulonglong)
#undef _SHMEM_OVERLOADS
#undef _SHMEM_OVERLOAD

#define _SHMEM_OVERLOADS(T, name)                                                    \
    _SHMEM_ALWAYS_INLINE void shmem_wait_until(volatile T* ivar, int cmp, T value) { \
        shmem_##name##_wait_until(ivar, cmp, value);                                 \
    }                                                                                \
    _SHMEM_ALWAYS_INLINE int shmem_test(volatile T* ivar, int cmp, T value) {        \
        return shmem_##name##_test(ivar, cmp, value);                                \
    }
_SHMEM_WAIT_TYPES(_SHMEM_OVERLOADS)
_SHMEM_UNSIGNED_TYPES(_SHMEM_OVERLOADS)
#undef _SHMEM_OVERLOADS
#define _SHMEM_OVERLOADS(T, name) \
    _SHMEM_ALWAYS_INLINE void shmem_wait(volatile T* ivar, T value) { shmem_##name##_wait(ivar, value); }
_SHMEM_WAIT_TYPES(_SHMEM_OVERLOADS)
#undef _SHMEM_OVERLOADS
#undef _SHMEM_ALWAYS_INLINE

#endif
