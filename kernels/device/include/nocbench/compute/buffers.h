// SPDX-License-Identifier: Apache-2.0
// Circular buffers in compute kernels: unpack is the consumer, pack the producer. Pages are passed on by the units,
// after the commands before; the counts of the RISC are ahead of them.

#pragma once

#include "nocbench/compute/commands.h"

namespace nocbench::compute {

/// Returns the address of a full page in a command: in units of 16 bytes.
FORCE_INLINE uint32_t address_of_tile(uint32_t operand, uint32_t tile) {
    const LocalCBInterface& buffer = get_local_cb_interface(operand);
    return buffer.fifo_rd_ptr + tile * buffer.fifo_page_size;
}

}  // namespace nocbench::compute

namespace ckernel {

/// Waits until `num_pages` pages are full.
FORCE_INLINE void cb_wait_front(uint32_t operand, int32_t num_pages) {
    if constexpr (nocbench::compute::is_unpack) {
        nocbench::compute::command<nocbench::compute::Operation::expect>(0, operand, num_pages);
        const uint16_t acknowledged = get_local_cb_interface(operand).tiles_acked;
        const uint32_t received_register = reinterpret_cast<uint32_t>(get_cb_tiles_received_ptr(operand));
        uint16_t full;
        do {
            full = static_cast<uint16_t>(reg_read(received_register)) - acknowledged;
        } while (static_cast<int32_t>(full) < num_pages);
    }
}

/// Frees pages.
FORCE_INLINE void cb_pop_front(uint32_t operand, int32_t num_pages) {
    if constexpr (nocbench::compute::is_unpack) {
        LocalCBInterface& buffer = get_local_cb_interface(operand);
        buffer.tiles_acked += num_pages;
        nocbench::compute::command<nocbench::compute::Operation::pop>(0, operand, num_pages);
        buffer.fifo_rd_ptr += num_pages * buffer.fifo_page_size;
        if (buffer.fifo_rd_ptr >= buffer.fifo_limit) {
            buffer.fifo_rd_ptr -= buffer.fifo_size;
        }
    }
}

/// Waits until `num_pages` pages are free.
FORCE_INLINE void cb_reserve_back(uint32_t operand, int32_t num_pages) {
    if constexpr (nocbench::compute::is_pack) {
        nocbench::compute::command<nocbench::compute::Operation::reserve>(0, operand, num_pages);
        const LocalCBInterface& buffer = get_local_cb_interface(operand);
        const uint32_t acknowledged_register = reinterpret_cast<uint32_t>(get_cb_tiles_acked_ptr(operand));
        const uint16_t received = buffer.tiles_received;
        int32_t free;
        do {
            const uint16_t acknowledged = static_cast<uint16_t>(reg_read(acknowledged_register));
            free = static_cast<uint16_t>(buffer.fifo_num_pages - static_cast<uint16_t>(received - acknowledged));
        } while (free < num_pages);
    }
}

/// Passes pages to the consumer.
FORCE_INLINE void cb_push_back(uint32_t operand, int32_t num_pages) {
    if constexpr (nocbench::compute::is_pack) {
        LocalCBInterface& buffer = get_local_cb_interface(operand);
        buffer.tiles_received += num_pages;
        nocbench::compute::command<nocbench::compute::Operation::push>(0, operand, num_pages);
        buffer.fifo_wr_tile_ptr = 0;
        buffer.fifo_wr_ptr += num_pages * buffer.fifo_page_size;
        if (buffer.fifo_wr_ptr >= buffer.fifo_limit) {
            buffer.fifo_wr_ptr -= buffer.fifo_size;
        }
    }
}

/// Returns a value to all threads: unpack computes it, and sends it to the others.
template <typename Value>
FORCE_INLINE uint32_t value_of_unpack(const Value& value) {
    using namespace nocbench::compute;
    if constexpr (is_unpack) {
        const uint32_t word = value();
        command<Operation::send>(0, word);
        return word;
    } else {
        return command<Operation::receive>();
    }
}

/// Returns the address of a full page to all threads.
FORCE_INLINE uint32_t get_tile_address(uint32_t operand, uint32_t tile) {
    return value_of_unpack([&] { return nocbench::compute::address_of_tile(operand, tile) << cb_addr_shift; });
}

/// Returns a value of a full page to all threads.
template <typename Value = uint32_t>
FORCE_INLINE Value read_tile_value(uint32_t operand, uint32_t tile, uint32_t index) {
    return static_cast<Value>(value_of_unpack([&]() -> uint32_t {
        const uint32_t address = nocbench::compute::address_of_tile(operand, tile) << cb_addr_shift;
        return reinterpret_cast<volatile tt_l1_ptr Value*>(address)[index];
    }));
}

}  // namespace ckernel
