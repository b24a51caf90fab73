// SPDX-License-Identifier: Apache-2.0
// Memory of this core as an object: what a kernel loads and stores itself.

#pragma once

#include "nocbench/objects/buffer_objects.h"
#include "nocbench/objects/noc.h"
#include "nocbench/objects/scoped_lock.h"

/// An array of values at an address of this core's L1.
template <typename Value = uint32_t>
class CoreLocalMem {
public:
    using value_type = Value;

    constexpr explicit CoreLocalMem(uint32_t address) : address_(address) {}
    FORCE_INLINE explicit CoreLocalMem(volatile Value* pointer) : address_(reinterpret_cast<uint32_t>(pointer)) {}

    FORCE_INLINE volatile tt_l1_ptr Value& operator[](uint32_t index) const { return get_unsafe_ptr()[index]; }
    FORCE_INLINE volatile tt_l1_ptr Value& operator*() const { return *get_unsafe_ptr(); }
    FORCE_INLINE volatile tt_l1_ptr Value* operator->() const { return get_unsafe_ptr(); }

    FORCE_INLINE volatile tt_l1_ptr Value* get_unsafe_ptr() const {
        return reinterpret_cast<volatile tt_l1_ptr Value*>(address_);
    }
    FORCE_INLINE volatile tt_l1_ptr Value* get_ptr() const { return get_unsafe_ptr(); }
    constexpr uint32_t get_address() const { return address_; }

    constexpr CoreLocalMem operator+(int32_t values) const {
        return CoreLocalMem(address_ + values * static_cast<int32_t>(sizeof(Value)));
    }
    constexpr CoreLocalMem operator-(int32_t values) const { return *this + -values; }
    constexpr int32_t operator-(const CoreLocalMem& other) const {
        return static_cast<int32_t>(address_ - other.address_) / static_cast<int32_t>(sizeof(Value));
    }
    constexpr CoreLocalMem& operator+=(int32_t values) { return *this = *this + values; }
    constexpr CoreLocalMem& operator-=(int32_t values) { return *this = *this - values; }
    constexpr CoreLocalMem& operator++() { return *this += 1; }
    constexpr CoreLocalMem& operator--() { return *this -= 1; }
    constexpr CoreLocalMem operator++(int) {
        const CoreLocalMem before = *this;
        *this += 1;
        return before;
    }
    constexpr CoreLocalMem operator--(int) {
        const CoreLocalMem before = *this;
        *this -= 1;
        return before;
    }
    constexpr bool operator==(const CoreLocalMem& other) const { return address_ == other.address_; }
    constexpr bool operator!=(const CoreLocalMem& other) const { return address_ != other.address_; }
    constexpr bool operator<(const CoreLocalMem& other) const { return address_ < other.address_; }
    constexpr explicit operator bool() const { return address_ != 0; }

    template <typename Other>
    constexpr CoreLocalMem<Other> reinterpret() const {
        return CoreLocalMem<Other>(address_);
    }

    FORCE_INLINE nocbench::ScopedLock scoped_lock(uint32_t = 0) const { return {}; }

    constexpr uint32_t nocbench_source() const { return address_; }
    constexpr uint32_t nocbench_target() const { return address_; }

private:
    uint32_t address_;
};

template <typename Value>
struct noc_traits_t<CoreLocalMem<Value>> : nocbench::LocalMemoryTraits<CoreLocalMem<Value>, Noc> {};

/// A page of a buffer that no other RISC takes part in, as memory of the kernel's own.
template <typename Value = uint32_t>
class Scratchpad {
public:
    FORCE_INLINE explicit Scratchpad(uint32_t buffer_id) : address_(::get_write_ptr(buffer_id)), id_(buffer_id) {}
    FORCE_INLINE explicit Scratchpad(nocbench::BufferToken token) : Scratchpad(static_cast<uint32_t>(token.id)) {}

    FORCE_INLINE volatile tt_l1_ptr Value& operator[](uint32_t index) const { return get_unsafe_ptr()[index]; }
    FORCE_INLINE volatile tt_l1_ptr Value* get_unsafe_ptr() const {
        return reinterpret_cast<volatile tt_l1_ptr Value*>(address_);
    }
    FORCE_INLINE volatile tt_l1_ptr Value* get_ptr() const { return get_unsafe_ptr(); }
    FORCE_INLINE uint32_t get_address() const { return address_; }
    FORCE_INLINE uint32_t get_base_address() const { return address_; }
    FORCE_INLINE uint32_t size_bytes() const { return get_local_cb_interface(id_).fifo_size; }
    FORCE_INLINE uint32_t get_size_bytes() const { return size_bytes(); }
    FORCE_INLINE uint32_t size() const { return size_bytes() / sizeof(Value); }
    FORCE_INLINE CoreLocalMem<Value> get_mem() const { return CoreLocalMem<Value>(address_); }

    FORCE_INLINE nocbench::ScopedLock scoped_lock(uint32_t = 0) const { return {}; }

    FORCE_INLINE uint32_t nocbench_source() const { return address_; }
    FORCE_INLINE uint32_t nocbench_target() const { return address_; }

private:
    uint32_t address_;
    uint32_t id_;
};

Scratchpad(uint32_t) -> Scratchpad<>;
Scratchpad(nocbench::BufferToken) -> Scratchpad<>;

template <typename Value>
struct noc_traits_t<Scratchpad<Value>> : nocbench::LocalMemoryTraits<Scratchpad<Value>, Noc> {};
