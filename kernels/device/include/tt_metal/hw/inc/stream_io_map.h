// SPDX-License-Identifier: Apache-2.0
// Stream registers. Two registers of each stream hold the page counts of the circular buffer with the stream's number.

#pragma once

#include <stdint.h>

#include "noc_overlay_parameters.h"
#include "risc_attribs.h"

FORCE_INLINE uint32_t get_stream_reg_index(uint32_t address) { return (address >> 2) & 0x3FF; }

FORCE_INLINE uint32_t get_operand_stream_id(uint32_t buffer) { return buffer; }

FORCE_INLINE volatile tt_reg_ptr uint32_t* get_cb_tiles_received_ptr(uint32_t buffer) {
    return reinterpret_cast<volatile tt_reg_ptr uint32_t*>(
        STREAM_REG_ADDR(get_operand_stream_id(buffer), STREAM_REMOTE_DEST_BUF_SIZE_REG_INDEX));
}

FORCE_INLINE volatile tt_reg_ptr uint32_t* get_cb_tiles_acked_ptr(uint32_t buffer) {
    return reinterpret_cast<volatile tt_reg_ptr uint32_t*>(
        STREAM_REG_ADDR(get_operand_stream_id(buffer), STREAM_REMOTE_DEST_BUF_START_REG_INDEX));
}
