// What all primitives of unicasts have in common: some cores move an L1 buffer to their partners, or from them.
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
    std::vector<LogicalCoordinate> partners;  // in the order in which it turns to them; may include itself
    Tick start = 0;
};

/// Kernels find in their compile-time arguments: number of transactions, bytes per call, source address, destination
/// address, virtual channel (or the parameter `vcs`, of tests that have it), whether calls are stateful, number of
/// partners, and `more_arguments`. Device kernels find the first `num_run_time_args` of these in common runtime
/// arguments instead (Program::Kernel). Their runtime arguments are the coordinates of the partners.
struct UnicastPlan {
    /// How runtime arguments hold the coordinates of a partner.
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

/// Whom the core `initiator` of a test of one core and many turns to: the cores of the point's rectangle, column by
/// column. With the parameter `loopback` it is among them; else its own column comes last. Throws InputError if
/// loopback is asked for outside of the rectangle, or nobody is left.
std::vector<LogicalCoordinate> partners_of(const Point& point, LogicalCoordinate initiator);

/// Throws InputError: the source is to be one of its own partners and is not in the rectangle that they are in.
[[noreturn]] void complain_of_source_outside(LogicalCoordinate source, const LogicalRectangle& rectangle);

/// Every core of the point's rectangle with the same partners in the same order: all of them, with the parameter
/// `loopback` itself included. The parameter `start` says whether they start together, or one after another as the host
/// launches them.
std::vector<Initiator> all_with_all(const Point& point);

/// Every core of the grid `master_grid` with all cores of `subordinate_grid` as partners, itself included if it is one;
/// without `subordinate_grid`, with those of its own grid. The parameter `start` as above.
std::vector<Initiator> masters_with_subordinates(const Point& point);

}  // namespace nocbench
