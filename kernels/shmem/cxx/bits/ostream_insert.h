// SPDX-License-Identifier: Apache-2.0
// Insertion of text into a stream of bits/streams.h, called by the C++ library's headers.
#pragma once
#pragma GCC system_header
#include <iosfwd>

namespace std {
template <typename Character, typename Traits>
inline basic_ostream<Character, Traits>& __ostream_insert(basic_ostream<Character, Traits>& out, const Character* text,
                                                          ptrdiff_t size) {
    out.insert_padded(text, static_cast<size_t>(size));
    return out;
}
}  // namespace std
