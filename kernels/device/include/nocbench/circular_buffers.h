// SPDX-License-Identifier: Apache-2.0
// Circular buffers: queues of pages in L1 between the RISCs of a tile.
//
// Producer and consumer each have their own pointer. The two page counts, 16 bits each, are in stream registers, which
// both can access.

#pragma once

#include "api/debug/assert.h"
#include "noc_nonblocking_api.h"
#include "stream_io_map.h"
#include "tensix_types.h"

#define NUM_CIRCULAR_BUFFERS 32

struct LocalCBInterface {
    uint32_t fifo_size;
    uint32_t fifo_limit;  // end of the buffer, exclusive
    uint32_t fifo_page_size;
    uint32_t fifo_num_pages;
    uint32_t fifo_rd_ptr;
    uint32_t fifo_wr_ptr;
    union {
        uint32_t tiles_acked_received_init;
        struct {
            uint16_t tiles_acked;
            uint16_t tiles_received;
        };
    };
    uint32_t fifo_wr_tile_ptr;
};

// Ends of a buffer between cores; see remote_circular_buffers.h. The configuration, the counters and the coordinates
// are in L1. The first five words are the same of both ends.

struct RemoteSenderCBInterface {
    uint32_t config_ptr;
    uint32_t fifo_start_addr;
    uint32_t fifo_limit_page_aligned;  // end of the last whole page
    uint32_t fifo_page_size;
    uint32_t fifo_wr_ptr;
    uint32_t receiver_noc_xy_ptr;     // x and y of each receiver
    uint32_t aligned_pages_sent_ptr;  // units sent and acknowledged, of each receiver
    uint32_t num_receivers;
};

struct RemoteReceiverCBInterface {
    uint32_t config_ptr;
    uint32_t fifo_start_addr;
    uint32_t fifo_limit_page_aligned;
    uint32_t fifo_page_size;
    uint32_t fifo_rd_ptr;
    uint32_t sender_noc_x;
    uint32_t sender_noc_y;
    uint32_t aligned_pages_acked_ptr;  // units acknowledged; those sent are before them
};

union CBInterface {
    LocalCBInterface local_cb_interface;
    RemoteSenderCBInterface remote_sender_cb_interface;
    RemoteReceiverCBInterface remote_receiver_cb_interface;
};

extern "C" CBInterface cb_interface[NUM_CIRCULAR_BUFFERS];

FORCE_INLINE LocalCBInterface& get_local_cb_interface(uint32_t cb_id) { return cb_interface[cb_id].local_cb_interface; }
FORCE_INLINE RemoteSenderCBInterface& get_remote_sender_cb_interface(uint32_t cb_id) {
    return cb_interface[cb_id].remote_sender_cb_interface;
}
FORCE_INLINE RemoteReceiverCBInterface& get_remote_receiver_cb_interface(uint32_t cb_id) {
    return cb_interface[cb_id].remote_receiver_cb_interface;
}

// Properties of the program's buffers, by id.
#ifdef NOCBENCH_BUFFER_TILE_BYTES
constexpr uint32_t unpack_tile_size[NUM_CIRCULAR_BUFFERS] = {NOCBENCH_BUFFER_TILE_BYTES};
constexpr uint8_t unpack_src_format[NUM_CIRCULAR_BUFFERS] = {NOCBENCH_BUFFER_FORMATS};
constexpr uint8_t unpack_tile_r_dim[NUM_CIRCULAR_BUFFERS] = {NOCBENCH_BUFFER_TILE_ROWS};
#else
constexpr uint32_t unpack_tile_size[NUM_CIRCULAR_BUFFERS] = {};
constexpr uint8_t unpack_src_format[NUM_CIRCULAR_BUFFERS] = {};
constexpr uint8_t unpack_tile_r_dim[NUM_CIRCULAR_BUFFERS] = {};
#endif

/// Shift of a buffer's addresses and sizes: they are in bytes, but in units of 16 bytes in compute kernels.
#ifdef COMPILE_FOR_TRISC
constexpr uint32_t cb_addr_shift = 4;
#else
constexpr uint32_t cb_addr_shift = 0;
#endif

/// Places a buffer with its pages on a range of L1: both pointers are at `pointer`.
FORCE_INLINE void place_local_buffer(uint32_t cb_id, uint32_t begin, uint32_t end, uint32_t pointer) {
    LocalCBInterface& buffer = get_local_cb_interface(cb_id);
    const uint32_t bytes = end - begin;
    const uint32_t page_bytes = buffer.fifo_page_size << cb_addr_shift;
    ASSERT(bytes % page_bytes == 0);
    buffer.fifo_num_pages = bytes / page_bytes;
    buffer.fifo_limit = end >> cb_addr_shift;
    buffer.fifo_size = bytes >> cb_addr_shift;
    buffer.fifo_wr_ptr = pointer >> cb_addr_shift;
    buffer.fifo_rd_ptr = pointer >> cb_addr_shift;
}

// Tiles are 32 values wide, and have 32 rows or a smaller power of two, in faces of 16 x 16 or with fewer rows.
namespace nocbench {

/// Table of what follows from the rows of a buffer's tiles.
template <uint32_t (*of_rows)(uint32_t)>
struct FromRows {
    constexpr uint32_t operator[](uint32_t operand) const { return of_rows(unpack_tile_r_dim[operand]); }
};

template <uint32_t number>
constexpr uint32_t always(uint32_t) {
    return number;
}
constexpr uint32_t faces_of(uint32_t rows) { return rows > 16 ? 4 : 2; }
constexpr uint32_t rows_of_faces_of(uint32_t rows) { return rows > 16 ? 2 : 1; }
constexpr uint32_t face_height_of(uint32_t rows) { return rows > 16 ? 16 : rows; }
constexpr uint32_t has_partial_faces(uint32_t rows) { return rows < 16 ? 1 : 0; }

}  // namespace nocbench

constexpr nocbench::FromRows<nocbench::always<32>> unpack_tile_c_dim;
constexpr nocbench::FromRows<nocbench::faces_of> unpack_tile_num_faces;
constexpr nocbench::FromRows<nocbench::face_height_of> unpack_tile_face_r_dim;
constexpr nocbench::FromRows<nocbench::rows_of_faces_of> unpack_num_faces_r_dim;
constexpr nocbench::FromRows<nocbench::always<2>> unpack_num_faces_c_dim;
constexpr nocbench::FromRows<nocbench::has_partial_faces> unpack_partial_face;
constexpr nocbench::FromRows<nocbench::always<0>> unpack_narrow_tile;
constexpr auto& unpack_dst_format = unpack_src_format;
constexpr auto& pack_src_format = unpack_src_format;
constexpr auto& pack_dst_format = unpack_src_format;
constexpr auto& pack_tile_r_dim = unpack_tile_r_dim;
constexpr auto& pack_tile_c_dim = unpack_tile_c_dim;
constexpr auto& pack_tile_num_faces = unpack_tile_num_faces;
constexpr auto& pack_tile_face_r_dim = unpack_tile_face_r_dim;
constexpr auto& pack_num_faces_r_dim = unpack_num_faces_r_dim;
constexpr auto& pack_num_faces_c_dim = unpack_num_faces_c_dim;
constexpr auto& pack_partial_face = unpack_partial_face;
constexpr auto& pack_narrow_tile = unpack_narrow_tile;
constexpr auto& pack_tile_size = unpack_tile_size;

/// Returns the bytes of a tile in a buffer.
constexpr uint32_t get_tile_size(uint32_t operand) { return unpack_tile_size[operand]; }

constexpr DataFormat get_dataformat(uint32_t operand) { return static_cast<DataFormat>(unpack_src_format[operand]); }

constexpr uint32_t get_tile_r_dim(uint32_t operand) { return unpack_tile_r_dim[operand]; }
constexpr uint32_t get_tile_c_dim(uint32_t) { return 32; }
constexpr uint32_t get_tile_hw(uint32_t operand) { return get_tile_r_dim(operand) * get_tile_c_dim(operand); }
constexpr uint32_t get_tile_num_faces(uint32_t operand) { return unpack_tile_num_faces[operand]; }

/// Returns whether `num_pages` pages are free.
FORCE_INLINE bool cb_pages_reservable_at_back(uint32_t operand, int32_t num_pages) {
    const uint32_t received = *get_cb_tiles_received_ptr(operand);
    invalidate_l1_cache();
    const uint16_t acknowledged = static_cast<uint16_t>(*get_cb_tiles_acked_ptr(operand));
    const uint16_t free =
        static_cast<uint16_t>(get_local_cb_interface(operand).fifo_num_pages - (received - acknowledged));
    return num_pages <= static_cast<int32_t>(free);
}

/// Returns whether `num_pages` pages are full.
FORCE_INLINE bool cb_pages_available_at_front(uint32_t operand, int32_t num_pages) {
    const uint32_t acknowledged = *get_cb_tiles_acked_ptr(operand);
    invalidate_l1_cache();
    const uint16_t full =
        static_cast<uint16_t>(*get_cb_tiles_received_ptr(operand)) - static_cast<uint16_t>(acknowledged);
    return num_pages <= static_cast<int32_t>(full);
}

#ifdef COMPILE_FOR_TRISC
#include "nocbench/compute/buffers.h"
#else

/// Waits until `num_pages` pages are free. Reads the count of received pages once, since only this RISC changes it.
FORCE_INLINE void cb_reserve_back(uint32_t operand, int32_t num_pages) {
    const uint32_t acknowledged_register = reinterpret_cast<uint32_t>(get_cb_tiles_acked_ptr(operand));
    const uint32_t received = *get_cb_tiles_received_ptr(operand);
    int32_t free;
    do {
        invalidate_l1_cache();
        const uint16_t acknowledged = static_cast<uint16_t>(reg_read(acknowledged_register));
        free = static_cast<uint16_t>(get_local_cb_interface(operand).fifo_num_pages - (received - acknowledged));
    } while (free < num_pages);
}

/// Passes pages to the consumer. The pages must be contiguous: a push does not wrap.
FORCE_INLINE void cb_push_back(uint32_t operand, int32_t num_pages) {
    LocalCBInterface& buffer = get_local_cb_interface(operand);
    const uint32_t bytes = num_pages * buffer.fifo_page_size;
    volatile tt_reg_ptr uint32_t* received = get_cb_tiles_received_ptr(operand);
    *received = *received + num_pages;
    buffer.fifo_wr_ptr += bytes;
    if (buffer.fifo_wr_ptr == buffer.fifo_limit) {
        buffer.fifo_wr_ptr -= buffer.fifo_size;
    }
}

/// Waits until `num_pages` pages are full.
FORCE_INLINE void cb_wait_front(uint32_t operand, int32_t num_pages) {
    const uint32_t acknowledged = *get_cb_tiles_acked_ptr(operand);
    const uint32_t received_register = reinterpret_cast<uint32_t>(get_cb_tiles_received_ptr(operand));
    uint16_t full;
    do {
        invalidate_l1_cache();
        full = static_cast<uint16_t>(reg_read(received_register)) - static_cast<uint16_t>(acknowledged);
    } while (static_cast<int32_t>(full) < num_pages);
}

/// Frees pages.
FORCE_INLINE void cb_pop_front(uint32_t operand, int32_t num_pages) {
    volatile tt_reg_ptr uint32_t* acknowledged = get_cb_tiles_acked_ptr(operand);
    *acknowledged = *acknowledged + num_pages;
    LocalCBInterface& buffer = get_local_cb_interface(operand);
    buffer.fifo_rd_ptr += num_pages * buffer.fifo_page_size;
    if (buffer.fifo_rd_ptr == buffer.fifo_limit) {
        buffer.fifo_rd_ptr -= buffer.fifo_size;
    }
}

#endif

/// Returns the address of the first free page, in units of 16 bytes in compute kernels.
FORCE_INLINE uint32_t get_write_ptr(uint32_t operand) { return get_local_cb_interface(operand).fifo_wr_ptr; }

/// Returns the address of the first full page, in the same units.
FORCE_INLINE uint32_t get_read_ptr(uint32_t operand) { return get_local_cb_interface(operand).fifo_rd_ptr; }
