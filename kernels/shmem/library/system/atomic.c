/* SPDX-License-Identifier: Apache-2.0
 * 8-byte atomics of C. The core has no instructions for them, but runs no other code. Accesses of other PEs by
 * OpenSHMEM are atomic only with respect to OpenSHMEM routines. */
typedef unsigned long long Value;

#define ATOMIC(name) __asm__("__atomic_" #name "_8")
Value load(const volatile void* at, int order) ATOMIC(load);
void store(volatile void* at, Value value, int order) ATOMIC(store);
Value exchange(volatile void* at, Value value, int order) ATOMIC(exchange);
_Bool compare_exchange(volatile void* at, void* expected, Value value, _Bool weak, int good, int bad)
    ATOMIC(compare_exchange);

Value load(const volatile void* at, int order) { return (void)order, *(const volatile Value*)at; }
void store(volatile void* at, Value value, int order) {
    (void)order;
    *(volatile Value*)at = value;
}
Value exchange(volatile void* at, Value value, int order) {
    Value before = load(at, order);
    store(at, value, order);
    return before;
}
_Bool compare_exchange(volatile void* at, void* expected, Value value, _Bool weak, int good, int bad) {
    (void)weak, (void)bad;
    Value before = load(at, good);
    _Bool is_equal = before == *(Value*)expected;
    if (is_equal) {
        store(at, value, good);
    } else {
        *(Value*)expected = before;
    }
    return is_equal;
}

#define FETCH(name, operation)                                                          \
    Value fetch_##name(volatile void* at, Value value, int order) ATOMIC(fetch_##name); \
    Value fetch_##name(volatile void* at, Value value, int order) {                     \
        Value before = load(at, order);                                                 \
        store(at, before operation value, order);                                       \
        return before;                                                                  \
    }
FETCH(add, +)
FETCH(sub, -)
FETCH(and, &)
FETCH(or, |)
FETCH(xor, ^)
