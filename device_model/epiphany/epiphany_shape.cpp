#include "device_model/epiphany/epiphany_shape.h"

#include <fmt/format.h>

#include "device_model/sim/error.h"

namespace nocbench {

namespace {

constexpr unsigned kRowShift = 26;
constexpr std::uint64_t kColumnMask = 0x3f;

}  // namespace

void EpiphanyShape::require_core(LogicalCoordinate core) const {
    if (!has_core(core)) {
        throw InputError(fmt::format("core ({}, {}): expected x from 0 to {} and y from 0 to {}", core.x, core.y,
                                     columns - 1, rows - 1));
    }
}

std::uint32_t EpiphanyShape::global_address(LogicalCoordinate core, std::uint32_t offset) const {
    require_core(core);
    return static_cast<std::uint32_t>(first_core_row + core.y) << kRowShift |
           static_cast<std::uint32_t>(first_core_column + core.x) << kCoreIdShift | offset;
}

LogicalCoordinate EpiphanyShape::named_core(std::uint64_t global_address) const {
    return {.x = static_cast<int>(global_address >> kCoreIdShift & kColumnMask) - first_core_column,
            .y = static_cast<int>(global_address >> kRowShift) - first_core_row};
}

PhysicalCoordinate EpiphanyShape::place_of_node(NodeIndex node) const {
    if (node >= num_cores()) {
        return {.x = columns, .y = (rows - 1) / 2};
    }
    const LogicalCoordinate core = core_at(node);
    return {.x = core.x, .y = core.y};
}

}  // namespace nocbench
