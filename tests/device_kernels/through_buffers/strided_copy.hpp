// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataflow_api.h"

namespace helpers {

/// Copies pieces that are `source_stride` apart to consecutive addresses.
template <typename ReadPiece>
inline void gather(uint32_t count, uint32_t piece_bytes, uint32_t source_stride, ReadPiece&& read_piece) {
    uint32_t source_offset = 0;
    uint32_t target_offset = 0;
    for (uint32_t i = 0; i < count; ++i) {
        read_piece(source_offset, target_offset);
        source_offset += source_stride;
        target_offset += piece_bytes;
    }
}

}  // namespace helpers
