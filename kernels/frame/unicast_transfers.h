// Base of all unicast primitives: cores move an L1 buffer to or from their partners.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/frame/packed_coordinates.h"
#include "kernels/frame/primitive.h"
#include "kernels/tensix/program.h"

namespace nocbench {

/// A core that runs the kernel.
struct Initiator {
    LogicalCoordinate core;
    std::vector<LogicalCoordinate> partners;  // in order of calls; may include itself
    Tick start = 0;
};

/// Plan of a unicast. Compile-time arguments of kernels: number of transactions, bytes per call, source address,
/// destination address, virtual channel (or the parameter `vcs`, in tests that have it), whether calls are stateful,
/// number of partners, and `more_arguments`. Device kernels have the first `num_run_time_args` of these in common
/// runtime arguments instead (Program::Kernel). Runtime arguments are the coordinates of the partners.
struct UnicastPlan {
    /// Encoding of a partner's coordinates in runtime arguments.
    enum class Coordinates : std::uint8_t { x_then_y, packed };

    void (*kernel)() = nullptr;
    std::string device_source = {};  // NOLINT(readability-redundant-member-init): instead; see Program::Kernel
    TransactionKind kind = TransactionKind::write;
    std::vector<Initiator> initiators;
    std::uint32_t source_address = kL1BufferAddress;
    std::uint32_t destination_address = kL1BufferAddress;
    Coordinates coordinates = Coordinates::packed;
    std::size_t num_run_time_args = 1;
    std::vector<std::uint32_t> more_arguments = {};  // NOLINT(readability-redundant-member-init): may be left out
    std::string data_zone = {};                      // NOLINT(readability-redundant-member-init): as in KernelReport
};

/// Fills the buffers, adds the kernels to `program`, runs it, and checks the data. A transaction of the report is one
/// call to each partner.
std::vector<KernelReport> run_unicast(const Point& point, Program& program, const UnicastPlan& plan);

/// Returns the partners of `initiator` in a test of one core and many: the cores of the point's rectangle, column by
/// column. With the parameter `loopback` it includes the initiator; else the initiator's own column comes last. Throws
/// InputError for loopback outside the rectangle, or if no partners are left.
std::vector<LogicalCoordinate> partners_of(const Point& point, LogicalCoordinate initiator);

/// Throws InputError for a source with loopback outside the rectangle of its partners.
[[noreturn]] void complain_of_source_outside(LogicalCoordinate source, const LogicalRectangle& rectangle);

/// Returns every core of the point's rectangle, all with the same partners in the same order: all of these cores,
/// including itself with the parameter `loopback`. The parameter `start` selects a simultaneous start, or one after
/// another as the host launches them.
std::vector<Initiator> all_with_all(const Point& point);

/// Returns every core of `master_grid`, with the cores of `subordinate_grid` (default: `master_grid`) as partners,
/// including itself where it is one. The parameter `start` as above.
std::vector<Initiator> masters_with_subordinates(const Point& point);

}  // namespace nocbench
