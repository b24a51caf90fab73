// A modeled chip: put data into its memories, add kernels, run, and look at what came out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/noc/network.h"
#include "device_model/sim/coordinate.h"
#include "device_model/sim/observers.h"
#include "device_model/sim/processor.h"
#include "device_model/sim/simulation.h"

namespace nocbench {

class Grid;
class Risc;
struct DeviceState;

/// Flits that went over one output port of one router.
struct LinkUse {
    int noc = 0;
    PhysicalCoordinate router;
    int port = 0;  // kNiuPort: from the router into the tile; kXPort, kYPort: to the next router
    std::uint64_t flits = 0;
};

class Device {
public:
    /// A device of the default board if `board` is empty. It goes forward in blocks of `block_cycles_max` cycles at
    /// most, which changes nothing but how long that takes.
    explicit Device(Architecture architecture, const std::string& board = "",
                    Cycle block_cycles_max = Network::kBlockCyclesMax);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    [[nodiscard]] const Architecture& architecture() const;
    [[nodiscard]] const Board& board() const;
    [[nodiscard]] const Grid& grid() const;

    // The host's view of memory; takes no simulated time. Ranges outside of a memory throw InputError.

    void write_l1(LogicalCoordinate core, std::uint64_t address, std::span<const std::byte> bytes);
    [[nodiscard]] std::vector<std::byte> read_l1(LogicalCoordinate core, std::uint64_t address, std::size_t size) const;
    void write_dram(std::size_t bank, std::uint64_t address, std::span<const std::byte> bytes);
    [[nodiscard]] std::vector<std::byte> read_dram(std::size_t bank, std::uint64_t address, std::size_t size) const;

    /// Puts a kernel on a RISC, to start at `start`. Throws InputError if the core does not exist or the RISC has one.
    void add_kernel(LogicalCoordinate core, int processor, const std::string& name, std::function<void()> kernel,
                    Tick start = 0);

    /// Who watches; set before run().
    [[nodiscard]] Observers& observers();

    /// Runs until all kernels have finished and nothing is on its way. Throws KernelError when a kernel does what the
    /// device does not allow, waits for what never comes, or still runs after `cycles_max`.
    void run(Cycle cycles_max = kDefaultCyclesMax);

    /// One result per kernel, in the order in which kernels were added.
    [[nodiscard]] std::vector<KernelResult> kernel_results() const;

    /// Links that carried anything, by NoC, router and port.
    [[nodiscard]] std::vector<LinkUse> link_use() const;

    /// Flits that tiles sent into their routers, by NoC and tile; the port is kNiuPort. Tiles that sent none are left
    /// out.
    [[nodiscard]] std::vector<LinkUse> injection_use() const;

    /// Tiles that data were delivered to, row by row.
    [[nodiscard]] std::vector<TileDeliveries> deliveries() const;

    /// Flits that went through any router, for measurements of the simulator's own speed.
    [[nodiscard]] std::uint64_t flit_hops() const;

    /// Cycles until the last kernel has ended and nothing is on its way any more.
    [[nodiscard]] Cycle elapsed_cycles() const;

    /// For the kernel API only.
    [[nodiscard]] DeviceState& state() { return *state_; }

private:
    void check_l1_range(LogicalCoordinate core, std::uint64_t address, std::size_t size) const;
    void check_dram_range(std::size_t bank, std::uint64_t address, std::size_t size) const;
    /// Throws KernelError if the kernel of `risc`, which ends, leaves trees of routers reserved.
    void require_closed_chains(const Risc& risc) const;
    void serve_dram_arrivals(Cycle block);
    void handle_events();
    [[nodiscard]] Cycle next_block() const;
    [[noreturn]] void report_deadlock() const;

    std::unique_ptr<DeviceState> state_;
    Cycle blocks_end_ = 0;  // of those that have been simulated
    Cycle elapsed_cycles_ = 0;
};

}  // namespace nocbench
