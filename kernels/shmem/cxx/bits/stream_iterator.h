// SPDX-License-Identifier: Apache-2.0
// Iterators that read or write a sequence of values of the streams of bits/streams.h.
#pragma once
#pragma GCC system_header
#include <bits/stl_iterator_base_types.h>

#include <iosfwd>

namespace std {

template <typename Value, typename Character = char, typename Traits = char_traits<Character>>
class ostream_iterator {
public:
    using iterator_category = output_iterator_tag;
    using value_type = void;
    using difference_type = void;
    using pointer = void;
    using reference = void;
    using ostream_type = basic_ostream<Character, Traits>;

    ostream_iterator(ostream_type& out, const Character* delimiter = nullptr) : out_(&out), delimiter_(delimiter) {}
    ostream_iterator& operator=(const Value& value) {
        *out_ << value;
        if (delimiter_ != nullptr) *out_ << delimiter_;
        return *this;
    }
    ostream_iterator& operator*() { return *this; }
    ostream_iterator& operator++() { return *this; }
    ostream_iterator& operator++(int) { return *this; }

private:
    ostream_type* out_;
    const Character* delimiter_;
};

template <typename Value, typename Character = char, typename Traits = char_traits<Character>,
          typename Distance = ptrdiff_t>
class istream_iterator {
public:
    using iterator_category = input_iterator_tag;
    using value_type = Value;
    using difference_type = Distance;
    using pointer = const Value*;
    using reference = const Value&;
    using istream_type = basic_istream<Character, Traits>;

    istream_iterator() = default;
    istream_iterator(istream_type& in) : in_(&in) { ++*this; }
    const Value& operator*() const { return value_; }
    const Value* operator->() const { return &value_; }
    istream_iterator& operator++() {
        if (!(*in_ >> value_)) in_ = nullptr;
        return *this;
    }
    istream_iterator operator++(int) {
        istream_iterator before = *this;
        ++*this;
        return before;
    }
    friend bool operator==(const istream_iterator& one, const istream_iterator& other) { return one.in_ == other.in_; }
    friend bool operator!=(const istream_iterator& one, const istream_iterator& other) { return one.in_ != other.in_; }

private:
    istream_type* in_ = nullptr;
    Value value_{};
};

}  // namespace std
