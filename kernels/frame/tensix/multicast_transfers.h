// Base of all multicast primitives: cores write an L1 buffer to rectangles of cores.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device_model/tenstorrent/grid.h"
#include "kernels/frame/primitive.h"

namespace nocbench {

/// Core that runs the kernel, and the receivers of its multicasts.
struct MulticastSender {
    LogicalCoordinate core;
    LogicalRectangle rectangle;
};

/// Plan of a multicast. Compile-time arguments of kernels: number of transactions (device kernels: in common runtime
/// argument 0), bytes per call, source address, destination address, virtual channel, x and y of the first and of the
/// last core, number of receivers, whether the sender is a receiver, whether all calls but the last are linked.
struct MulticastPlan {
    void (*kernel)() = nullptr;
    std::string device_source = {};  // NOLINT(readability-redundant-member-init): alternative to `kernel`
    std::vector<MulticastSender> senders;
    std::uint32_t source_address = kL1BufferAddress;
    std::uint32_t destination_address = kL1BufferAddress;
    bool loopback = false;       // senders are receivers
    bool linked = false;         // all calls but the last are linked
    std::string data_zone = {};  // NOLINT(readability-redundant-member-init): as in KernelReport
};

/// Returns the tiles that a sender reaches. Throws InputError if there are none, or if `loopback` is set and the sender
/// is outside its rectangle.
std::vector<PhysicalCoordinate> receivers_of(const Grid& grid, const MulticastSender& sender, bool loopback);

/// Returns the words of the compile-time arguments from the virtual channel to the flag that the sender is a receiver.
std::vector<std::uint32_t> rectangle_arguments(const Grid& grid, const MulticastSender& sender, bool loopback,
                                               std::uint32_t virtual_channel, std::size_t num_receivers);

/// Returns the destination of a single sender in the published experiments: a buffer behind the source buffer, or the
/// source buffer itself if the parameter `loopback` makes the sender a receiver.
std::uint32_t destination_buffer(const Point& point);

/// Fills the buffers, runs the kernel on all senders simultaneously, and checks the data. A transaction of the report
/// is a call.
std::vector<KernelReport> run_multicast(const Point& point, const MulticastPlan& plan);

}  // namespace nocbench
