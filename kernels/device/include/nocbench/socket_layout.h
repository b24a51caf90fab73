// SPDX-License-Identifier: Apache-2.0
// Configurations of sockets in L1, which the host writes and kernels read. Names and layout follow tt-metal since 2026.

#pragma once

#include <stdint.h>

/// Receiver of a sender, or sender of a receiver.
struct d2d_sender_socket_md {
    uint32_t downstream_mesh_id;
    uint32_t downstream_chip_id;
    uint32_t downstream_noc_y;
    uint32_t downstream_noc_x;
};
struct d2d_recv_socket_md {
    uint32_t upstream_mesh_id;
    uint32_t upstream_chip_id;
    uint32_t upstream_noc_y;
    uint32_t upstream_noc_x;
    uint32_t upstream_bytes_acked_addr;
};

#ifdef NOCBENCH_SOCKETS_OF_2025
using sender_downstream_encoding = d2d_sender_socket_md;
#else
struct sender_downstream_encoding {
    d2d_sender_socket_md d2d;
};
#endif

/// Followed by the bytes that each receiver has acknowledged, each in 16 bytes of its own, and by an encoding of each.
struct sender_socket_md {
    uint32_t bytes_sent;
    uint32_t num_downstreams;
    uint32_t write_ptr;  // from the begin of the receivers' memory on
    uint32_t downstream_bytes_sent_addr;
    uint32_t downstream_fifo_addr;
    uint32_t downstream_fifo_total_size;
    uint32_t is_d2h;
};

struct receiver_socket_md {
    uint32_t bytes_sent;  // written by the sender
    uint32_t read_ptr;
    uint32_t fifo_addr;
    uint32_t fifo_total_size;
    uint32_t bytes_acked;
    uint32_t is_h2d;
    d2d_recv_socket_md d2d;
};
