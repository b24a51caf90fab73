// SPDX-License-Identifier: Apache-2.0
// This core's memory as objects, for the kernel's own loads and stores.

#pragma once

#include <compare>

#include "nocbench/objects/buffer_objects.h"
#include "nocbench/objects/noc.h"
#include "nocbench/objects/scoped_lock.h"

/// Array of values at an address of this core's L1.
template <typename Value = uint32_t, typename Address = uintptr_t>
class CoreLocalMem {
public:
    using value_type = Value;

    constexpr explicit CoreLocalMem(uint32_t address) : address_(address) {}
    FORCE_INLINE explicit CoreLocalMem(const volatile void* pointer) : address_(reinterpret_cast<uint32_t>(pointer)) {}

    // As on the device, accesses are not volatile unless the kernel's value type is.
    FORCE_INLINE tt_l1_ptr Value& operator[](uint32_t index) const { return get_unsafe_ptr()[index]; }
    FORCE_INLINE tt_l1_ptr Value& operator*() const { return *get_unsafe_ptr(); }
    FORCE_INLINE tt_l1_ptr Value* operator->() const { return get_unsafe_ptr(); }

    FORCE_INLINE tt_l1_ptr Value* get_unsafe_ptr() const { return reinterpret_cast<tt_l1_ptr Value*>(address_); }
    FORCE_INLINE tt_l1_ptr Value* get_ptr() const { return get_unsafe_ptr(); }
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
    constexpr auto operator<=>(const CoreLocalMem& other) const { return address_ <=> other.address_; }
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

template <typename Value, typename Address>
struct noc_traits_t<CoreLocalMem<Value, Address>> : nocbench::LocalMemoryTraits<CoreLocalMem<Value, Address>, Noc> {};

/// Memory private to the kernel: a region of the program, or a page of a buffer.
template <typename Value = uint32_t>
class Scratchpad {
public:
    using value_type = Value;
    using pointer = CoreLocalMem<Value>;
    using iterator = pointer;

    FORCE_INLINE explicit Scratchpad(nocbench::ScratchpadToken token)
        : address_(get_common_arg_val<uint32_t>(token.argument)), size_bytes_(token.size_bytes) {}
    FORCE_INLINE explicit Scratchpad(uint32_t buffer_id)
        : address_(::get_write_ptr(buffer_id) << cb_addr_shift),
          size_bytes_(get_local_cb_interface(buffer_id).fifo_size << cb_addr_shift) {}
    FORCE_INLINE explicit Scratchpad(nocbench::BufferToken token) : Scratchpad(static_cast<uint32_t>(token.id)) {}

    FORCE_INLINE tt_l1_ptr Value& operator[](uint32_t index) const {
        return reinterpret_cast<tt_l1_ptr Value*>(address_)[index];
    }
    FORCE_INLINE volatile tt_l1_ptr Value* get_unsafe_ptr() const {
        return reinterpret_cast<volatile tt_l1_ptr Value*>(address_);
    }
    FORCE_INLINE volatile tt_l1_ptr Value* get_ptr() const { return get_unsafe_ptr(); }
    FORCE_INLINE uint32_t get_address() const { return address_; }
    FORCE_INLINE uint32_t get_base_address() const { return address_; }
    FORCE_INLINE uint32_t size_bytes() const { return size_bytes_; }
    FORCE_INLINE uint32_t size_in_bytes() const { return size_bytes_; }
    FORCE_INLINE uint32_t get_size_bytes() const { return size_bytes_; }
    FORCE_INLINE uint32_t size() const { return size_bytes_ / sizeof(Value); }
    FORCE_INLINE CoreLocalMem<Value> get_mem() const { return CoreLocalMem<Value>(address_); }
    FORCE_INLINE CoreLocalMem<Value> local_mem() const { return get_mem(); }
    FORCE_INLINE iterator begin() const { return get_mem(); }
    FORCE_INLINE iterator end() const { return CoreLocalMem<Value>(address_ + size_bytes_); }

    FORCE_INLINE nocbench::ScopedLock scoped_lock(uint32_t = 0, uint32_t = 0) const { return {}; }

    FORCE_INLINE uint32_t nocbench_source() const { return address_; }
    FORCE_INLINE uint32_t nocbench_target() const { return address_; }

private:
    uint32_t address_;
    uint32_t size_bytes_;
};

Scratchpad(uint32_t) -> Scratchpad<>;
Scratchpad(nocbench::BufferToken) -> Scratchpad<>;
Scratchpad(nocbench::ScratchpadToken) -> Scratchpad<>;

template <typename Value>
struct noc_traits_t<Scratchpad<Value>> : nocbench::LocalMemoryTraits<Scratchpad<Value>, Noc> {};

/// This core's part of a tensor in L1: its shard, or its pages of an interleaved tensor.
template <typename Value = uint32_t>
class LocalTensorAccessor {
public:
    FORCE_INLINE explicit LocalTensorAccessor(uint32_t address) : memory_(address) {}
    template <uint32_t layout, uint32_t address, uint32_t page_bytes>
    FORCE_INLINE explicit LocalTensorAccessor(nocbench::TensorToken<layout, address, page_bytes>)
        : memory_(get_common_arg_val<uint32_t>(address / 4)) {}

    FORCE_INLINE tt_l1_ptr Value& operator[](uint32_t index) const { return *(memory_ + index).get_unsafe_ptr(); }
    FORCE_INLINE uint32_t get_bank_base_address() const { return memory_.get_address(); }
    FORCE_INLINE CoreLocalMem<Value> local_mem() const { return memory_; }
    FORCE_INLINE nocbench::ScopedLock scoped_lock(uint32_t = 0, uint32_t = 0) const { return {}; }

    FORCE_INLINE uint32_t nocbench_source() const { return memory_.get_address(); }
    FORCE_INLINE uint32_t nocbench_target() const { return memory_.get_address(); }

private:
    CoreLocalMem<Value> memory_;
};

template <typename Value>
struct noc_traits_t<LocalTensorAccessor<Value>> : nocbench::LocalMemoryTraits<LocalTensorAccessor<Value>, Noc> {};
