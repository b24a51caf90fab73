// SPDX-License-Identifier: Apache-2.0
// Non-header parts of the C++ library's hash tables: hashes of bytes, and bucket counts.
#include <string>
#include <unordered_map>

namespace std {

// 32-bit hash by Fowler, Noll and Vo.
size_t _Hash_bytes(const void* bytes, size_t size, size_t seed) {
    const auto* at = static_cast<const unsigned char*>(bytes);
    size_t hash = 2166136261U ^ seed;
    for (; size != 0; --size) hash = (hash ^ *at++) * 16777619U;
    return hash;
}
size_t _Fnv_hash_bytes(const void* bytes, size_t size, size_t seed) { return _Hash_bytes(bytes, size, seed); }

namespace __detail {

namespace {
bool is_prime(size_t number) {
    if (number % 2 == 0) return number == 2;
    for (size_t divisor = 3; divisor <= number / divisor; divisor += 2) {
        if (number % divisor == 0) return false;
    }
    return number > 1;
}
}  // namespace

size_t _Prime_rehash_policy::_M_next_bkt(size_t number) const {
    size_t prime = number < 2 ? 2 : number;
    while (!is_prime(prime)) ++prime;
    _M_next_resize = static_cast<size_t>(static_cast<float>(prime) * _M_max_load_factor);
    return prime;
}

// Small tables allocate once for their first elements.
pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t buckets, size_t elements, size_t more) const {
    const size_t all = elements + more;
    if (all <= _M_next_resize) return {false, 0};
    const size_t first = _M_next_resize == 0 && all < 11 ? 11 : all;
    const auto least = static_cast<size_t>(static_cast<float>(first) / _M_max_load_factor);
    if (least < buckets) {
        _M_next_resize = static_cast<size_t>(static_cast<float>(buckets) * _M_max_load_factor);
        return {false, 0};
    }
    return {true, _M_next_bkt(least + 1 > 2 * buckets ? least + 1 : 2 * buckets)};
}

}  // namespace __detail

}  // namespace std
