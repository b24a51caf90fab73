// Division of a buffer in L1 into one page for each of some cores.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nocbench/host/buffers.h"

namespace tt::host {

/// Pages are in the order of the cores: row by row in each rectangle.
inline tt_metal::BufferShardingArgs one_page_on_each(const tt_metal::CoreRangeSet& cores) {
    const auto num_pages = static_cast<std::uint32_t>(cores.num_cores());
    return {tt_metal::ShardSpecBuffer(cores, {1, 1}, tt_metal::ShardOrientation::ROW_MAJOR, {1, 1}, {num_pages, 1}),
            tt_metal::TensorMemoryLayout::HEIGHT_SHARDED};
}

/// Returns the cores with a page of such a buffer, in this order; none for an interleaved buffer.
inline std::vector<tt_metal::CoreCoord> cores_with_pages(const tt_metal::Buffer& buffer) {
    const std::optional<tt_metal::BufferDistributionSpec>& spec = buffer.buffer_distribution_spec();
    return spec.has_value() ? spec->cores() : std::vector<tt_metal::CoreCoord>();
}

}  // namespace tt::host
