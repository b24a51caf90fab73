// What all primitives of multicasts have in common: cores write an L1 buffer to rectangles of cores.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device_model/tenstorrent/grid.h"
#include "kernels/frame/primitive.h"

namespace nocbench {

/// A core that runs the kernel, and to whom it multicasts.
struct MulticastSender {
    LogicalCoordinate core;
    LogicalRectangle rectangle;
};

/// Kernels find in their compile-time arguments: number of transactions (device kernels: in common runtime argument 0),
/// bytes per call, source address, destination address, virtual channel, x and y of the first core and of the last one,
/// number of receivers, whether the sender is one of them, whether all calls but the last are linked.
struct MulticastPlan {
    void (*kernel)() = nullptr;
    std::string device_source = {};  // NOLINT(readability-redundant-member-init): instead; see Program::Kernel
    std::vector<MulticastSender> senders;
    std::uint32_t source_address = kL1BufferAddress;
    std::uint32_t destination_address = kL1BufferAddress;
    bool loopback = false;       // whether senders are among their receivers
    bool linked = false;         // whether all calls but the last are
    std::string data_zone = {};  // NOLINT(readability-redundant-member-init): as in KernelReport
};

/// The tiles that a sender reaches. Throws InputError if it is not within its rectangle although `loopback` asks for
/// that, or nobody else is.
std::vector<PhysicalCoordinate> receivers_of(const Grid& grid, const MulticastSender& sender, bool loopback);

/// Words of the compile-time arguments from the virtual channel on, up to whether the sender is a receiver.
std::vector<std::uint32_t> rectangle_arguments(const Grid& grid, const MulticastSender& sender, bool loopback,
                                               std::uint32_t virtual_channel, std::size_t num_receivers);

/// Where one sender writes to in the published experiments: into a buffer behind the first one, or over the very buffer
/// that it writes from if the parameter `loopback` makes it a receiver.
std::uint32_t destination_buffer(const Point& point);

/// Fills the buffers, runs the kernel on the senders, all at once, and checks the data. A transaction of the report is
/// one call.
std::vector<KernelReport> run_multicast(const Point& point, const MulticastPlan& plan);

}  // namespace nocbench
