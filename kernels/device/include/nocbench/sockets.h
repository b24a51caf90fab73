// SPDX-License-Identifier: Apache-2.0
// Sockets between cores of one chip: a sender writes pages into the memory of its receivers, with writes of its own.
//
// Sender and receiver count the bytes that were sent and acknowledged. They keep their counts and pointers in an object
// until they write it back to its configuration. Pages do not wrap, as in remote_circular_buffers.h.

#pragma once

#include "api/alignment.h"
#include "api/debug/assert.h"
#include "nocbench/circular_buffers.h"
#include "nocbench/socket_layout.h"
#ifndef COMPILE_FOR_TRISC
#include "nocbench/writes.h"
#endif

struct SocketSenderInterface {
    uint32_t config_addr;
    uint32_t write_ptr;
    uint32_t bytes_sent;
    uint32_t bytes_acked_base_addr;
    uint32_t page_size;
    uint32_t num_downstreams;
    uint32_t downstream_fifo_total_size;
    uint32_t downstream_fifo_curr_size;  // of whole pages
    uint32_t downstream_fifo_addr;
    uint32_t downstream_bytes_sent_addr;
    uint32_t is_d2h;
    struct {
        uint32_t downstream_enc_base_addr;
    } d2d;
};

struct SocketReceiverInterface {
    uint32_t config_addr;
    uint32_t read_ptr;
    uint32_t bytes_acked;
    uint32_t bytes_sent_addr;
    uint32_t page_size;
    uint32_t fifo_addr;
    uint32_t fifo_total_size;
    uint32_t fifo_curr_size;  // of whole pages
    uint32_t is_h2d;
    d2d_recv_socket_md d2d;
};

constexpr uint32_t sender_socket_md_size_bytes = align(sizeof(sender_socket_md), L1_ALIGNMENT);
constexpr uint32_t bytes_acked_size_bytes = align(sizeof(uint32_t), L1_ALIGNMENT);
constexpr uint32_t downstream_encoding_size_bytes = align(sizeof(sender_downstream_encoding), L1_ALIGNMENT);

namespace nocbench::sockets {

/// Returns what a sender's pointer counts from: 0, or, in kernels of 2025, the address zero.
FORCE_INLINE uint32_t pointer_begin(const SocketSenderInterface& sender) {
#ifdef NOCBENCH_SOCKETS_OF_2025
    return sender.downstream_fifo_addr;
#else
    (void)sender;
    return 0;
#endif
}

/// Returns whether this RISC has the receiver's state: of a compute kernel's, unpack alone.
constexpr bool has_receiver =
#if defined(COMPILE_FOR_TRISC) && (defined(TRISC_MATH) || defined(TRISC_PACK))
    false;
#else
    true;
#endif

FORCE_INLINE volatile tt_l1_ptr uint32_t* word_at(uint32_t address) {
    return reinterpret_cast<volatile tt_l1_ptr uint32_t*>(address);
}

FORCE_INLINE uint32_t bytes_received(const SocketReceiverInterface& receiver) {
    invalidate_l1_cache();
    return *word_at(receiver.bytes_sent_addr) - receiver.bytes_acked;
}

/// Returns what the configuration has of a receiver.
template <typename Encoding>
FORCE_INLINE Encoding encoding_of(const SocketSenderInterface& sender, uint32_t number) {
    static_assert(sizeof(Encoding) == downstream_encoding_size_bytes);
    return *reinterpret_cast<tt_l1_ptr Encoding*>(sender.d2d.downstream_enc_base_addr + number * sizeof(Encoding));
}

/// Calls `is_done(acknowledged)` for each receiver's count until it holds.
template <typename IsDone>
FORCE_INLINE void wait_for_acknowledgements(const SocketSenderInterface& sender, const IsDone& is_done) {
    const uint32_t end = sender.bytes_acked_base_addr + sender.num_downstreams * bytes_acked_size_bytes;
    for (uint32_t address = sender.bytes_acked_base_addr; address < end; address += bytes_acked_size_bytes) {
        do {
            invalidate_l1_cache();
        } while (!is_done(*word_at(address)));
    }
}

}  // namespace nocbench::sockets

// --- sender
// ----------------------------------------------------------------------------------------------------------------

FORCE_INLINE SocketSenderInterface create_sender_socket_interface(uint32_t config_addr) {
    const auto& config = *reinterpret_cast<tt_l1_ptr sender_socket_md*>(config_addr);
    SocketSenderInterface sender;
    sender.config_addr = config_addr;
    sender.bytes_sent = config.bytes_sent;
    sender.bytes_acked_base_addr = config_addr + sender_socket_md_size_bytes;
    sender.num_downstreams = config.num_downstreams;
    sender.downstream_fifo_total_size = config.downstream_fifo_total_size;
    sender.downstream_fifo_addr = config.downstream_fifo_addr;
    sender.downstream_bytes_sent_addr = config.downstream_bytes_sent_addr;
    sender.is_d2h = config.is_d2h;
    sender.write_ptr = config.write_ptr + nocbench::sockets::pointer_begin(sender);
    sender.d2d.downstream_enc_base_addr =
        sender.bytes_acked_base_addr + sender.num_downstreams * bytes_acked_size_bytes;
    return sender;
}

/// Returns the coordinates of a receiver, among others.
FORCE_INLINE sender_downstream_encoding get_downstream_encoding(const SocketSenderInterface& socket,
                                                                uint32_t downstream_id) {
    return nocbench::sockets::encoding_of<sender_downstream_encoding>(socket, downstream_id);
}

/// Sets the size of pages, and moves the pointer on to the next of them.
FORCE_INLINE void set_sender_socket_page_size(SocketSenderInterface& socket, uint32_t page_size) {
    ASSERT(page_size % L1_ALIGNMENT == 0);
    ASSERT(page_size <= socket.downstream_fifo_total_size);
    const uint32_t total = socket.downstream_fifo_total_size;
    const uint32_t begin = nocbench::sockets::pointer_begin(socket);
    uint32_t next = align(socket.write_ptr - begin, page_size);
    socket.downstream_fifo_curr_size = total - total % page_size;
    if (next >= socket.downstream_fifo_curr_size) {
        socket.bytes_sent += total - next;
        next = 0;
    }
    socket.write_ptr = begin + next;
    socket.page_size = page_size;
}

/// Waits until `num_pages` pages are free on all receivers.
FORCE_INLINE void socket_reserve_pages(const SocketSenderInterface& socket, uint32_t num_pages) {
    const uint32_t bytes = num_pages * socket.page_size;
    nocbench::sockets::wait_for_acknowledgements(socket, [&](uint32_t acknowledged) {
        return socket.downstream_fifo_total_size - (socket.bytes_sent - acknowledged) >= bytes;
    });
}

/// Counts pages as sent. Their data must have been written before; see socket_notify_receiver().
FORCE_INLINE void socket_push_pages(SocketSenderInterface& socket, uint32_t num_pages) {
    const uint32_t bytes = num_pages * socket.page_size;
    socket.write_ptr += bytes;
    socket.bytes_sent += bytes;
    if (socket.write_ptr - nocbench::sockets::pointer_begin(socket) >= socket.downstream_fifo_curr_size) {
        socket.write_ptr -= socket.downstream_fifo_curr_size;
        socket.bytes_sent += socket.downstream_fifo_total_size - socket.downstream_fifo_curr_size;
    }
}

/// Waits until all receivers have acknowledged all pages.
FORCE_INLINE void socket_barrier(const SocketSenderInterface& socket) {
    nocbench::sockets::wait_for_acknowledgements(
        socket, [&](uint32_t acknowledged) { return socket.bytes_sent == acknowledged; });
}

/// Keeps count and pointer for the next kernel.
FORCE_INLINE void update_socket_config(const SocketSenderInterface& socket) {
    auto& config = *reinterpret_cast<volatile tt_l1_ptr sender_socket_md*>(socket.config_addr);
    config.bytes_sent = socket.bytes_sent;
    config.write_ptr = socket.write_ptr - nocbench::sockets::pointer_begin(socket);
}

// --- receiver
// --------------------------------------------------------------------------------------------------------------

FORCE_INLINE SocketReceiverInterface create_receiver_socket_interface(uint32_t config_addr) {
    SocketReceiverInterface receiver;
    if constexpr (nocbench::sockets::has_receiver) {
        const auto& config = *reinterpret_cast<tt_l1_ptr receiver_socket_md*>(config_addr);
        receiver.config_addr = config_addr;
        receiver.read_ptr = config.read_ptr;
        receiver.bytes_acked = config.bytes_acked;
        receiver.bytes_sent_addr = config_addr + offsetof(receiver_socket_md, bytes_sent);
        receiver.fifo_addr = config.fifo_addr;
        receiver.fifo_total_size = config.fifo_total_size;
        receiver.is_h2d = config.is_h2d;
        receiver.d2d = config.d2d;
    }
    return receiver;
}

/// Sets the size of pages, and moves the pointer on to the next of them. Waits until the sender has done the same.
FORCE_INLINE void set_receiver_socket_page_size(SocketReceiverInterface& socket, uint32_t page_size) {
    if constexpr (nocbench::sockets::has_receiver) {
        ASSERT(page_size <= socket.fifo_total_size);
        const uint32_t total = socket.fifo_total_size;
        uint32_t next = align(socket.read_ptr - socket.fifo_addr, page_size);
        socket.fifo_curr_size = total - total % page_size;
        if (next >= socket.fifo_curr_size) {
            while (nocbench::sockets::bytes_received(socket) < total - next) {
            }
            socket.bytes_acked += total - next;
            next = 0;
        }
        socket.read_ptr = socket.fifo_addr + next;
        socket.page_size = page_size;
    }
}

/// Waits until `num_pages` pages are here. Returns false after `early_exit_iter_count` rounds, unless that is 0.
FORCE_INLINE bool socket_wait_for_pages(const SocketReceiverInterface& socket, uint32_t num_pages,
                                        uint32_t early_exit_iter_count = 0) {
    if constexpr (nocbench::sockets::has_receiver) {
        uint32_t bytes = num_pages * socket.page_size;
        if (socket.read_ptr + bytes >= socket.fifo_addr + socket.fifo_curr_size) {
            bytes += socket.fifo_total_size - socket.fifo_curr_size;
        }
        for (uint32_t rounds = 1; nocbench::sockets::bytes_received(socket) < bytes; ++rounds) {
            if (rounds == early_exit_iter_count) {
                return false;
            }
        }
    }
    return true;
}

/// Counts pages as acknowledged; see socket_notify_sender().
FORCE_INLINE void socket_pop_pages(SocketReceiverInterface& socket, uint32_t num_pages) {
    if constexpr (nocbench::sockets::has_receiver) {
        const uint32_t bytes = num_pages * socket.page_size;
        socket.read_ptr += bytes;
        socket.bytes_acked += bytes;
        if (socket.read_ptr >= socket.fifo_addr + socket.fifo_curr_size) {
            socket.read_ptr -= socket.fifo_curr_size;
            socket.bytes_acked += socket.fifo_total_size - socket.fifo_curr_size;
        }
    }
}

/// Lets a circular buffer lie on the whole pages of a socket, and begin at its pointer.
FORCE_INLINE void assign_local_cb_to_socket(const SocketReceiverInterface& socket, uint32_t cb_id) {
    if constexpr (nocbench::sockets::has_receiver) {
        place_local_buffer(cb_id, socket.fifo_addr, socket.fifo_addr + socket.fifo_curr_size, socket.read_ptr);
    }
}

/// Keeps count and pointer for the next kernel.
FORCE_INLINE void update_socket_config(const SocketReceiverInterface& socket) {
    auto& config = *reinterpret_cast<volatile tt_l1_ptr receiver_socket_md*>(socket.config_addr);
    config.bytes_acked = socket.bytes_acked;
    config.read_ptr = socket.read_ptr;
}

#ifndef COMPILE_FOR_TRISC

/// Tells all receivers what was sent.
FORCE_INLINE void socket_notify_receiver(const SocketSenderInterface& socket) {
    for (uint32_t number = 0; number < socket.num_downstreams; ++number) {
        const auto receiver = nocbench::sockets::encoding_of<d2d_sender_socket_md>(socket, number);
        noc_inline_dw_write(
            get_noc_addr(receiver.downstream_noc_x, receiver.downstream_noc_y, socket.downstream_bytes_sent_addr),
            socket.bytes_sent);
    }
}

/// Tells the sender what was acknowledged.
FORCE_INLINE void socket_notify_sender(const SocketReceiverInterface& socket, uint8_t noc = noc_index) {
    noc_inline_dw_write(
        get_noc_addr(socket.d2d.upstream_noc_x, socket.d2d.upstream_noc_y, socket.d2d.upstream_bytes_acked_addr, noc),
        socket.bytes_acked, 0xF, noc);
}

#endif
