// SPDX-License-Identifier: Apache-2.0
// Circular buffers between cores: a sender writes pages into the L1 of its receivers.
//
// For each receiver, sender and receiver count the units of 16 bytes that were sent and acknowledged. Each of the two
// counts has a copy on both cores, which the core that changes it increments over the NoC. Pages do not wrap: who
// passes the last whole page also passes the bytes behind it.

#pragma once

#include "api/alignment.h"
#include "api/debug/assert.h"
#include "nocbench/circular_buffers.h"
#ifndef COMPILE_FOR_TRISC
#include "nocbench/semaphores.h"
#endif

constexpr uint32_t REMOTE_CIRCULAR_BUFFER_ALIGNED_PAGE_SIZE = L1_ALIGNMENT;

namespace nocbench::remote {

using Words = volatile tt_l1_ptr uint32_t*;

constexpr uint32_t unit_bytes = REMOTE_CIRCULAR_BUFFER_ALIGNED_PAGE_SIZE;
/// Words from a receiver's count of sent units to its count of acknowledged ones, and from there to the next receiver.
constexpr uint32_t counter_words = L1_ALIGNMENT / sizeof(uint32_t);

FORCE_INLINE Words words_at(uint32_t address) { return reinterpret_cast<Words>(address); }

/// Returns the bytes of the buffer on a core.
FORCE_INLINE uint32_t fifo_bytes(uint32_t config_address) { return words_at(config_address)[3]; }

/// Returns `bytes` from a pointer on, with those behind the last whole page if they reach its end.
template <typename End>
FORCE_INLINE uint32_t passed_bytes(const End& end, uint32_t pointer, uint32_t bytes) {
    if (pointer + bytes >= end.fifo_limit_page_aligned) {
        bytes += end.fifo_start_addr + fifo_bytes(end.config_ptr) - end.fifo_limit_page_aligned;
    }
    return bytes;
}

/// Waits until a receiver has units that it has not acknowledged.
FORCE_INLINE void wait_for_units(const RemoteReceiverCBInterface& receiver, uint32_t units) {
    const Words acknowledged = words_at(receiver.aligned_pages_acked_ptr);
    const Words sent = words_at(receiver.aligned_pages_acked_ptr - L1_ALIGNMENT);
    uint32_t full;
    do {
        invalidate_l1_cache();
        const uint32_t units_acknowledged = *acknowledged;
        full = *sent - units_acknowledged;
    } while (full < units);
}

#ifdef COMPILE_FOR_TRISC
FORCE_INLINE void count_sent(const RemoteSenderCBInterface&, uint32_t, uint8_t, bool) {}
FORCE_INLINE void count_acknowledged(const RemoteReceiverCBInterface&, uint32_t, uint8_t, bool) {}
#else
FORCE_INLINE void increment(uint64_t address, uint32_t units, uint8_t noc, bool posted) {
    posted ? noc_semaphore_inc<true>(address, units, noc) : noc_semaphore_inc<false>(address, units, noc);
}

/// Counts units that pass without data.
FORCE_INLINE void count_sent(const RemoteSenderCBInterface& sender, uint32_t units, uint8_t noc, bool posted) {
    Words sent = words_at(sender.aligned_pages_sent_ptr);
    Words place = words_at(sender.receiver_noc_xy_ptr);
    for (uint32_t number = sender.num_receivers; number != 0; --number) {
        const uint32_t x = place[0];
        const uint32_t y = place[1];
        *sent = *sent + units;
        increment(get_noc_addr(x, y, reinterpret_cast<uint32_t>(sent), noc), units, noc, posted);
        sent += 2 * counter_words;
        place += 2;
    }
}

FORCE_INLINE void count_acknowledged(const RemoteReceiverCBInterface& receiver, uint32_t units, uint8_t noc,
                                     bool posted) {
    const uint32_t address = receiver.aligned_pages_acked_ptr;
    *words_at(address) = *words_at(address) + units;
    increment(get_noc_addr(receiver.sender_noc_x, receiver.sender_noc_y, address, noc), units, noc, posted);
}
#endif

/// Gives an end another size of pages, and moves its pointer on to the next of them. Returns the units that it passes.
template <typename End>
FORCE_INLINE uint32_t resize(End& end, uint32_t& pointer, uint32_t page_size) {
    ASSERT(page_size % unit_bytes == 0);
    const uint32_t bytes = fifo_bytes(end.config_ptr);
    const uint32_t start = end.fifo_start_addr;
    const uint32_t limit = start + bytes - bytes % page_size;
    const uint32_t old_pointer = pointer;
    const uint32_t next = start + align(old_pointer - start, page_size);
    const bool begins_again = next >= limit;
    pointer = begins_again ? start : next;
    end.fifo_limit_page_aligned = limit;
    end.fifo_page_size = page_size;
    return ((begins_again ? start + bytes : next) - old_pointer) / unit_bytes;
}

}  // namespace nocbench::remote

namespace experimental {

// The mode of the NoC and the command buffer are those of the kernel, whatever the arguments are.

/// Sets the sender's size of pages. Without `update_remote_over_noc`, another RISC tells the receivers.
template <bool update_remote_over_noc = false>
FORCE_INLINE void resize_remote_sender_cb_interface(uint32_t cb_id, uint32_t page_size, uint8_t noc, uint8_t = 0,
                                                    bool posted = true, uint8_t = 0) {
    RemoteSenderCBInterface& sender = get_remote_sender_cb_interface(cb_id);
    const uint32_t units = nocbench::remote::resize(sender, sender.fifo_wr_ptr, page_size);
    if (update_remote_over_noc && units != 0) {
        nocbench::remote::count_sent(sender, units, noc, posted);
    }
}

/// Sets the receiver's size of pages. With `update_remote_over_noc`, waits until the sender has done the same.
template <bool update_remote_over_noc = false>
FORCE_INLINE void resize_remote_receiver_cb_interface(uint32_t cb_id, uint32_t page_size, uint8_t noc, uint8_t = 0,
                                                      bool posted = true, uint8_t = 0) {
    RemoteReceiverCBInterface& receiver = get_remote_receiver_cb_interface(cb_id);
    const uint32_t units = nocbench::remote::resize(receiver, receiver.fifo_rd_ptr, page_size);
    if (update_remote_over_noc && units != 0) {
        nocbench::remote::wait_for_units(receiver, units);
        nocbench::remote::count_acknowledged(receiver, units, noc, posted);
    }
}

/// Lets buffers within the core lie on whole pages of a remote one, and begin at its pointer.
template <uint32_t num_local_cbs>
FORCE_INLINE void align_local_cbs_to_remote_cb(uint32_t remote_cb_index,
                                               const uint32_t (&local_cb_indices)[num_local_cbs]) {
    const RemoteReceiverCBInterface& remote = get_remote_receiver_cb_interface(remote_cb_index);
    for (const uint32_t index : local_cb_indices) {
        place_local_buffer(index, remote.fifo_start_addr, remote.fifo_limit_page_aligned, remote.fifo_rd_ptr);
    }
}

/// Keeps the pointer for the next program.
FORCE_INLINE void update_remote_cb_config_in_l1(uint32_t remote_cb_index) {
    const RemoteReceiverCBInterface& remote = get_remote_receiver_cb_interface(remote_cb_index);
    nocbench::remote::words_at(remote.config_ptr)[4] = remote.fifo_rd_ptr;
}

#ifndef COMPILE_FOR_TRISC

/// Waits until the sender has sent `num_pages` pages.
FORCE_INLINE void remote_cb_wait_front(uint32_t cb_id, uint32_t num_pages) {
    const RemoteReceiverCBInterface& receiver = get_remote_receiver_cb_interface(cb_id);
    const uint32_t bytes =
        nocbench::remote::passed_bytes(receiver, receiver.fifo_rd_ptr, num_pages * receiver.fifo_page_size);
    nocbench::remote::wait_for_units(receiver, bytes / nocbench::remote::unit_bytes);
}

/// Frees pages, for the sender to write more.
FORCE_INLINE void remote_cb_pop_front(uint32_t cb_id, uint32_t num_pages, uint8_t noc = noc_index) {
    RemoteReceiverCBInterface& receiver = get_remote_receiver_cb_interface(cb_id);
    const uint32_t bytes = num_pages * receiver.fifo_page_size;
    const uint32_t passed = nocbench::remote::passed_bytes(receiver, receiver.fifo_rd_ptr, bytes);
    receiver.fifo_rd_ptr += bytes;
    if (receiver.fifo_rd_ptr >= receiver.fifo_limit_page_aligned) {
        receiver.fifo_rd_ptr -= receiver.fifo_limit_page_aligned - receiver.fifo_start_addr;
    }
    nocbench::remote::count_acknowledged(receiver, passed / nocbench::remote::unit_bytes, noc, false);
}

/// Waits until `num_pages` pages are free on all receivers.
FORCE_INLINE void remote_cb_reserve_back(uint32_t cb_id, uint32_t num_pages) {
    using namespace nocbench::remote;
    const RemoteSenderCBInterface& sender = get_remote_sender_cb_interface(cb_id);
    const uint32_t units = passed_bytes(sender, sender.fifo_wr_ptr, num_pages * sender.fifo_page_size) / unit_bytes;
    const uint32_t all_units = fifo_bytes(sender.config_ptr) / unit_bytes;
    Words sent = words_at(sender.aligned_pages_sent_ptr);
    for (uint32_t number = sender.num_receivers; number != 0; --number) {
        uint32_t free;
        do {
            invalidate_l1_cache();
            const uint32_t units_acknowledged = sent[counter_words];
            free = all_units - (*sent - units_acknowledged);
        } while (free < units);
        sent += 2 * counter_words;
    }
}

/// Waits until all receivers have freed all pages.
FORCE_INLINE void remote_cb_sender_barrier(uint32_t cb_id) {
    using namespace nocbench::remote;
    const RemoteSenderCBInterface& sender = get_remote_sender_cb_interface(cb_id);
    Words sent = words_at(sender.aligned_pages_sent_ptr);
    for (uint32_t number = sender.num_receivers; number != 0; --number) {
        do {
            invalidate_l1_cache();
        } while (sent[counter_words] != *sent);
        sent += 2 * counter_words;
    }
}

/// Writes pages to all receivers, and passes them on. The source is rows of packets, first those of the first receiver:
/// each receiver gets `coalesced_num_pages_per_row` packets of `coalesced_page_size` bytes from each of `num_rows`
/// rows. With `skip_ptr_update`, writes and increments are posted.
template <bool skip_ptr_update = true>
FORCE_INLINE void remote_cb_push_back_and_write_pages(uint32_t cb_id, uint32_t local_cb_addr, uint32_t num_pages,
                                                      uint32_t num_rows, uint32_t coalesced_num_pages_per_row,
                                                      uint32_t coalesced_page_size, uint8_t noc = noc_index) {
    using namespace nocbench::remote;
    RemoteSenderCBInterface& sender = get_remote_sender_cb_interface(cb_id);
    const uint32_t units = passed_bytes(sender, sender.fifo_wr_ptr, num_pages * sender.fifo_page_size) / unit_bytes;
    const uint32_t num_receivers = sender.num_receivers;
    const uint32_t receiver_row_bytes = coalesced_num_pages_per_row * coalesced_page_size;
    const uint32_t row_bytes = receiver_row_bytes * num_receivers;
    const uint32_t target_begin = sender.fifo_wr_ptr;
    uint32_t target = target_begin;
    Words sent = words_at(sender.aligned_pages_sent_ptr);
    Words place = words_at(sender.receiver_noc_xy_ptr);
    for (uint32_t number = 0; number < num_receivers; ++number) {
        const uint32_t x = place[0];
        const uint32_t y = place[1];
        target = target_begin;
        noc_async_write_one_packet_set_state<skip_ptr_update>(get_noc_addr(x, y, target, noc), coalesced_page_size,
                                                              noc);
        uint32_t row = local_cb_addr;
        for (uint32_t rows_left = num_rows; rows_left != 0; --rows_left) {
            uint32_t source = row;
            for (uint32_t packets_left = coalesced_num_pages_per_row; packets_left != 0; --packets_left) {
                noc_async_write_one_packet_with_state<skip_ptr_update>(source, target, noc);
                source += coalesced_page_size;
                target += coalesced_page_size;
            }
            row += row_bytes;
        }
        local_cb_addr += receiver_row_bytes;
        *sent = *sent + units;
        noc_semaphore_inc<skip_ptr_update>(get_noc_addr(x, y, reinterpret_cast<uint32_t>(sent), noc), units, noc);
        sent += 2 * counter_words;
        place += 2;
    }
    sender.fifo_wr_ptr = target == sender.fifo_limit_page_aligned ? sender.fifo_start_addr : target;
}

#endif

}  // namespace experimental
