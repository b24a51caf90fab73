// A modeled Epiphany chip with off-chip link, external memory and host: write its memories, add kernels, run, read the
// results.
//
// Addresses are the chip's: 12 bits of core id (6 of row, 6 of column) above 20 bits of offset. A core id of 0 is the
// core's own memory; a window outside all core ids is external memory.
//
// On the floor plan, the three planes of the mesh are the networks, and the off-chip link is a tile beyond the right
// edge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "device_model/epiphany/epiphany_shape.h"
#include "device_model/sim/coordinate.h"
#include "device_model/sim/error.h"
#include "device_model/sim/machine.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

struct EpiphanyConstants;
class EpiphanyHost;
class EpiphanyState;
struct HostTarget;

/// Thrown by a run that was interrupted; names unfinished kernels.
class Interruption : public KernelError {
public:
    using KernelError::KernelError;
};

class EpiphanyDevice final : public Machine {
public:
    EpiphanyDevice(const EpiphanyConstants& constants, const EpiphanyShape& shape);
    ~EpiphanyDevice() override;
    EpiphanyDevice(const EpiphanyDevice&) = delete;
    EpiphanyDevice& operator=(const EpiphanyDevice&) = delete;

    [[nodiscard]] const EpiphanyShape& shape() const { return shape_; }
    [[nodiscard]] int num_cores() const { return shape_.num_cores(); }
    [[nodiscard]] LogicalCoordinate core_at(int number) const { return shape_.core_at(number); }
    [[nodiscard]] int core_number(LogicalCoordinate core) const { return shape_.core_number(core); }
    /// Returns the address by which all cores reach `offset` of a core's memory.
    [[nodiscard]] std::uint32_t global_address(LogicalCoordinate core, std::uint32_t offset) const;
    /// Returns the number of links between the routers of two cores.
    [[nodiscard]] static int hops(LogicalCoordinate from, LogicalCoordinate to);

    // Host access to memory, without simulated time. Throws InputError for ranges outside the memory.

    void write_memory(LogicalCoordinate core, std::uint64_t offset, std::span<const std::byte> bytes);
    [[nodiscard]] std::vector<std::byte> read_memory(LogicalCoordinate core, std::uint64_t offset,
                                                     std::size_t size) const;
    void write_external(std::uint64_t offset, std::span<const std::byte> bytes);
    [[nodiscard]] std::vector<std::byte> read_external(std::uint64_t offset, std::size_t size) const;

    /// Adds a kernel to a core, starting at `start`. Throws InputError if the core does not exist or has a kernel.
    void add_kernel(LogicalCoordinate core, const std::string& name, std::function<void()> kernel, Tick start = 0);

    /// Adds a kernel on the host, starting at `start`; see epiphany_host.h.
    void add_host_kernel(const std::string& name, std::function<void(EpiphanyHost&)> kernel, Tick start = 0);

    /// Makes run() ask, every few milliseconds, whether it is enough; then it throws Interruption. The argument is the
    /// modeled time, before which everything has happened.
    void stop_when(std::function<bool(Tick)> is_enough);

    [[nodiscard]] FloorPlan floor_plan() const override;
    [[nodiscard]] PhysicalCoordinate place_of_node(NodeIndex node) const override;
    [[nodiscard]] std::vector<LinkUse> link_use() const override;
    [[nodiscard]] std::vector<LinkUse> injection_use() const override;
    [[nodiscard]] std::vector<TileDeliveries> deliveries() const override;
    [[nodiscard]] std::uint64_t flit_hops() const override;

private:
    [[nodiscard]] Simulation& simulation() override;
    [[nodiscard]] const Simulation& simulation() const override;
    [[nodiscard]] Tick next_step() const override;
    void step(Tick begin) override;
    [[nodiscard]] Cycle simulated_cycles() const override { return elapsed_cycles(); }

    void write(const HostTarget& target, std::span<const std::byte> bytes);
    [[nodiscard]] std::vector<std::byte> read(const HostTarget& target, std::size_t size) const;

    EpiphanyShape shape_;
    std::unique_ptr<EpiphanyState> state_;
};

}  // namespace nocbench
