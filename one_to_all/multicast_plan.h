// What all multicasts of this folder have in common: one core writes to a rectangle.
#pragma once

#include <string>
#include <vector>

#include "device_model/tenstorrent/grid.h"
#include "kernels/frame/primitive.h"

namespace nocbench::one_to_all {

struct MulticastPlan {
    LogicalCoordinate source;
    LogicalRectangle rectangle;
    bool loopback = false;           // whether the source is one of the receivers
    bool linked = false;             // whether all calls but the last are
    std::string device_source = {};  // NOLINT(readability-redundant-member-init): instead of the native kernel
};

/// The published experiments write into a buffer behind the first one, or over the very buffer that they write from if
/// the source takes part.
std::uint32_t destination_buffer(const Point& point);

/// The tiles that receive. Throws InputError if the source is where it must not be.
std::vector<PhysicalCoordinate> receivers_of(const Grid& grid, const MulticastPlan& plan);

/// Words of the compile-time arguments from `virtual channel` on; see multicast_sender() in kernels.h.
std::vector<std::uint32_t> rectangle_arguments(const Point& point, const MulticastPlan& plan,
                                               std::uint32_t virtual_channel, std::size_t num_receivers);

/// Fills the buffers, runs the kernel on the source, and checks the data.
std::vector<KernelReport> run_multicast_plan(const Point& point, const MulticastPlan& plan);

}  // namespace nocbench::one_to_all
