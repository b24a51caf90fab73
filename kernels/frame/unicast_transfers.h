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

/// Core that runs the kernel.
struct Initiator {
    LogicalCoordinate core;
    std::vector<LogicalCoordinate> partners;  // in order of calls; may include `core`
};

/// Plan of a unicast. Compile-time arguments of kernels: number of transactions, bytes per call, source address,
/// destination address, virtual channel (or the parameter `vcs`, in tests that have it), whether calls are stateful,
/// number of partners, and `more_arguments`. Tests with the parameter `start` add 1 if kernels call meet() before their
/// zones, and 0 otherwise. Device kernels have the first `num_run_time_args` of these in common runtime arguments
/// instead (Program::Kernel). Runtime arguments are the coordinates of the partners, and then those of meet().
struct UnicastPlan {
    /// Encoding of a partner's coordinates in runtime arguments.
    enum class Coordinates : std::uint8_t { x_then_y, packed };

    void (*kernel)() = nullptr;
    std::string device_source = {};  // NOLINT(readability-redundant-member-init): alternative to `kernel`
    TransactionKind kind = TransactionKind::write;
    std::vector<Initiator> initiators;
    std::uint32_t source_address = kL1BufferAddress;
    std::uint32_t destination_address = kL1BufferAddress;
    Coordinates coordinates = Coordinates::packed;
    std::size_t num_run_time_args = 1;
    std::vector<std::uint32_t> more_arguments = {};  // NOLINT(readability-redundant-member-init): may be omitted
    std::string data_zone = {};                      // NOLINT(readability-redundant-member-init): as in KernelReport
};

/// Fills the buffers, adds the kernels to `program`, runs the program, and checks the data. A transaction of the report
/// is a call to each partner. The parameter `start`, where the test has it, selects how the kernels start.
std::vector<KernelReport> run_unicast(const Point& point, Program& program, const UnicastPlan& plan);

/// Returns the partners of `initiator` in a test of one core and many: the cores of the point's rectangle, column by
/// column. With the parameter `loopback`, the partners include the initiator; otherwise the initiator's own column
/// comes last. Throws InputError for loopback outside the rectangle, or if no partners remain.
std::vector<LogicalCoordinate> partners_of(const Point& point, LogicalCoordinate initiator);

/// Returns the partners of `initiator` among the cores of `rectangle`, as above, with or without itself.
std::vector<LogicalCoordinate> partners_of(const LogicalRectangle& rectangle, LogicalCoordinate initiator,
                                           bool loopback);

/// Throws InputError for a source with loopback outside the rectangle of its partners.
[[noreturn]] void complain_of_source_outside(LogicalCoordinate source, const LogicalRectangle& rectangle);

/// Returns every core of the point's rectangle as initiator. All have the same partners in the same order: all of these
/// cores, including the initiator itself with the parameter `loopback`.
std::vector<Initiator> all_with_all(const Point& point);

/// Returns every core of `master_grid` as initiator, with the cores of `subordinate_grid` (default: `master_grid`) as
/// partners, possibly including itself.
std::vector<Initiator> masters_with_subordinates(const Point& point);

}  // namespace nocbench
