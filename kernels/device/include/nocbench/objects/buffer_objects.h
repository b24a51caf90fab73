// SPDX-License-Identifier: Apache-2.0
// Circular buffers as objects, with the names CircularBuffer and DataflowBuffer.

#pragma once

#include "nocbench/circular_buffers.h"
#include "nocbench/objects/noc.h"
#include "nocbench/objects/scoped_lock.h"
#include "nocbench/tokens.h"

namespace nocbench {

class BufferObject {
public:
    constexpr explicit BufferObject(uint32_t id) : id_(id) {}

    /// Waits until `num_pages` pages are free.
    FORCE_INLINE void reserve_back(int32_t num_pages) const { cb_reserve_back(id_, num_pages); }
    /// Passes pages to the consumer.
    FORCE_INLINE void push_back(int32_t num_pages) const { cb_push_back(id_, num_pages); }
    /// Waits until `num_pages` pages are full.
    FORCE_INLINE void wait_front(int32_t num_pages) const { cb_wait_front(id_, num_pages); }
    /// Frees pages.
    FORCE_INLINE void pop_front(int32_t num_pages) const { cb_pop_front(id_, num_pages); }

    FORCE_INLINE bool pages_reservable_at_back(int32_t num_pages) const {
        return cb_pages_reservable_at_back(id_, num_pages);
    }
    FORCE_INLINE bool pages_available_at_front(int32_t num_pages) const {
        return cb_pages_available_at_front(id_, num_pages);
    }

    FORCE_INLINE uint32_t get_write_ptr() const { return ::get_write_ptr(id_); }
    FORCE_INLINE uint32_t get_read_ptr() const { return ::get_read_ptr(id_); }

    // Set the pointers, in the units in which they are returned.
    FORCE_INLINE void evil_set_write_ptr(uint32_t address) const { get_local_cb_interface(id_).fifo_wr_ptr = address; }
    FORCE_INLINE void evil_set_read_ptr(uint32_t address) const { get_local_cb_interface(id_).fifo_rd_ptr = address; }

    constexpr uint32_t get_id() const { return id_; }
    constexpr uint32_t get_cb_id() const { return id_; }
    constexpr uint32_t get_tile_size() const { return ::get_tile_size(id_); }
    constexpr uint32_t get_tile_hw() const { return ::get_tile_hw(id_); }
    constexpr DataFormat get_dataformat() const { return ::get_dataformat(id_); }

    /// Return the bytes of a page.
    FORCE_INLINE uint32_t get_entry_size() const { return get_local_cb_interface(id_).fifo_page_size << cb_addr_shift; }
    FORCE_INLINE uint32_t get_page_size() const { return get_entry_size(); }
    FORCE_INLINE uint32_t get_stride_size() const { return get_entry_size(); }
    FORCE_INLINE uint32_t get_total_num_entries() const { return get_local_cb_interface(id_).fifo_num_pages; }
    FORCE_INLINE uint32_t get_total_num_pages() const { return get_total_num_entries(); }
    FORCE_INLINE uint32_t get_total_size_bytes() const {
        return get_local_cb_interface(id_).fifo_size << cb_addr_shift;
    }

    /// Returns a value of a full page; in compute kernels, to all threads.
    template <typename Value = uint32_t>
    FORCE_INLINE Value read_tile_value(uint32_t tile, uint32_t index) const {
#ifdef COMPILE_FOR_TRISC
        return ckernel::read_tile_value<Value>(id_, tile, index);
#else
        return reinterpret_cast<volatile tt_l1_ptr Value*>(get_read_ptr() + tile * get_entry_size())[index];
#endif
    }
#ifdef COMPILE_FOR_TRISC
    FORCE_INLINE uint32_t get_tile_address(uint32_t tile) const { return ckernel::get_tile_address(id_, tile); }
#endif

    FORCE_INLINE ScopedLock scoped_lock(uint32_t = 0) const { return {}; }

    // Transfers take data from the front and put data at the back.
    FORCE_INLINE uint32_t nocbench_source() const { return get_read_ptr(); }
    FORCE_INLINE uint32_t nocbench_target() const { return get_write_ptr(); }

private:
    uint32_t id_;
};

}  // namespace nocbench

class CircularBuffer : public nocbench::BufferObject {
public:
    enum class AddrSelector : uint8_t { WRITE_PTR, READ_PTR };
    using AddrSel = AddrSelector;
    using nocbench::BufferObject::BufferObject;
    constexpr explicit CircularBuffer(nocbench::BufferToken token) : BufferObject(token.id) {}
};

class DataflowBuffer : public nocbench::BufferObject {
public:
    enum class AddrSelector : uint8_t { WRITE_PTR, READ_PTR };
    using nocbench::BufferObject::BufferObject;
    constexpr explicit DataflowBuffer(nocbench::BufferToken token) : BufferObject(token.id) {}

    /// Does nothing: pages are passed on at once.
    FORCE_INLINE void finish() const {}
    FORCE_INLINE void read_barrier(const Noc& noc) const { noc.async_read_barrier(); }
    FORCE_INLINE void write_barrier(const Noc& noc) const { noc.async_write_barrier(); }
};

template <>
struct noc_traits_t<CircularBuffer> : nocbench::LocalMemoryTraits<CircularBuffer, Noc> {};
template <>
struct noc_traits_t<DataflowBuffer> : nocbench::LocalMemoryTraits<DataflowBuffer, Noc> {};

namespace nocbench {

/// Buffer accessed by one of its two pointers.
template <typename Buffer, bool by_write_pointer>
class BufferView {
public:
    constexpr explicit BufferView(const Buffer& buffer) : buffer_(buffer) {}
    FORCE_INLINE uint32_t nocbench_source() const {
        return by_write_pointer ? buffer_.get_write_ptr() : buffer_.get_read_ptr();
    }
    FORCE_INLINE uint32_t nocbench_target() const { return nocbench_source(); }

private:
    Buffer buffer_;
};

}  // namespace nocbench

template <typename Buffer, bool by_write_pointer>
struct noc_traits_t<nocbench::BufferView<Buffer, by_write_pointer>>
    : nocbench::LocalMemoryTraits<nocbench::BufferView<Buffer, by_write_pointer>, Noc> {};

/// Selects a buffer's pointer: `use<CircularBuffer::AddrSelector::READ_PTR>(buffer)`.
template <auto selector, typename Buffer>
constexpr auto use(const Buffer& buffer) {
    return nocbench::BufferView<Buffer, selector == Buffer::AddrSelector::WRITE_PTR>(buffer);
}
