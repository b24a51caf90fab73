// Division of a buffer in L1 into one page for each of some cores.
#pragma once

#include <cstdint>

#include "nocbench/host/buffers.h"

namespace tt::host {

/// Pages are in the order of the cores: row by row in each rectangle.
inline tt_metal::BufferShardingArgs one_page_on_each(const tt_metal::CoreRangeSet& cores) {
    const auto num_pages = static_cast<std::uint32_t>(cores.num_cores());
    return {tt_metal::ShardSpecBuffer(cores, {1, 1}, tt_metal::ShardOrientation::ROW_MAJOR, {1, 1}, {num_pages, 1}),
            tt_metal::TensorMemoryLayout::HEIGHT_SHARDED};
}

}  // namespace tt::host
