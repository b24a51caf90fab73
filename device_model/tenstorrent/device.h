// A modeled chip: write its memories, add kernels, run, read the results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "device_model/sim/coordinate.h"
#include "device_model/sim/machine.h"
#include "device_model/sim/processor.h"
#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/checks/finding.h"
#include "device_model/tenstorrent/checks/named_range.h"
#include "device_model/tenstorrent/checks/perturbation.h"

namespace nocbench {

class Grid;
class Risc;
struct DeviceState;

/// Returns the tiles of a grid and its NoCs.
FloorPlan floor_plan_of(const TorusArchitecture& architecture, const Grid& grid);

class Device final : public Machine {
public:
    /// Makes the default board if `board` is empty.
    explicit Device(const Architecture& architecture, const std::string& board = "");
    /// Limits simulation windows to `window_cycles_max` cycles. Affects only simulation speed.
    Device(const Architecture& architecture, const std::string& board, Cycle window_cycles_max);
    ~Device() override;
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    [[nodiscard]] const TorusArchitecture& architecture() const;
    [[nodiscard]] const TorusBoard& board() const;
    [[nodiscard]] const Grid& grid() const;

    // Host access to memory, without simulated time. Throws InputError for ranges outside the memory.

    /// Writes to the memory of a tile. The tiles of a DRAM channel have one memory.
    void write(NodeIndex tile, std::uint64_t address, std::span<const std::byte> bytes);
    void write_l1(LogicalCoordinate core, std::uint64_t address, std::span<const std::byte> bytes);
    [[nodiscard]] std::vector<std::byte> read_l1(LogicalCoordinate core, std::uint64_t address, std::size_t size) const;
    void write_dram(std::size_t bank, std::uint64_t address, std::span<const std::byte> bytes);
    [[nodiscard]] std::vector<std::byte> read_dram(std::size_t bank, std::uint64_t address, std::size_t size) const;

    /// Takes the content of all memory from a device of the same architecture and board, which then has none.
    void take_memory(Device& other);

    void write_host(std::uint64_t address, std::span<const std::byte> bytes);
    [[nodiscard]] std::vector<std::byte> read_host(std::uint64_t address, std::size_t size) const;
    /// Returns the PCIe tile that maps a range of host memory. Throws InputError if there is none, or if the range
    /// exceeds it.
    NodeIndex require_host_range(std::uint64_t address, std::size_t size) const;

    /// Throws InputError for a kernel that moves data on a processor that does not.
    [[noreturn]] void refuse_processor(const std::string& kernel, int processor) const;

    /// Adds a kernel to a RISC, starting at `start`. Throws InputError if the core does not exist or the RISC has a
    /// kernel.
    void add_kernel(LogicalCoordinate core, int processor, const std::string& name, std::function<void()> kernel,
                    Tick start = 0);

    /// Returns the identity of a RISC that runs a kernel, by Processor::Identity::index.
    [[nodiscard]] const Processor::Identity& identity(std::uint32_t risc) const;
    /// Checks compiled kernels, and what the host writes, from now on; pages that were written before count as written
    /// whole. Changes no cycle. `ranges` are the parts of L1 for the check of bounds, and `kept_words` those whose
    /// words a program must leave as it finds them.
    void check(const std::set<Check>& checks, std::vector<NamedRange> ranges = {},
               std::vector<NamedRange> kept_words = {});
    /// Delays kernels, commands and responses from now on.
    void perturb(const Perturbation::Settings& settings);
    [[nodiscard]] std::vector<Perturbation::Delay> delays() const;
    /// Calls `act(node, address, bytes)` for all memory that was written, page by page; one of the tiles of a memory
    /// stands for all.
    void for_each_written(const std::function<void(NodeIndex, std::uint64_t, std::span<const std::byte>)>& act) const;
    /// Returns what the checks have found so far.
    [[nodiscard]] std::vector<Finding> findings() const;

    [[nodiscard]] FloorPlan floor_plan() const override;
    [[nodiscard]] PhysicalCoordinate place_of_node(NodeIndex node) const override;
    [[nodiscard]] std::vector<LinkUse> link_use() const override;
    [[nodiscard]] std::vector<LinkUse> injection_use() const override;
    void count_packets() override;
    [[nodiscard]] std::vector<PacketUse> packet_use() const override;
    [[nodiscard]] std::vector<MemoryUse> memory_use() const override;
    [[nodiscard]] std::vector<TileDeliveries> deliveries() const override;
    [[nodiscard]] std::uint64_t flit_hops() const override;

    /// For the kernel API only.
    [[nodiscard]] DeviceState& state() { return *state_; }

private:
    void check_l1_range(LogicalCoordinate core, std::uint64_t address, std::size_t size) const;
    void check_dram_range(std::size_t bank, std::uint64_t address, std::size_t size) const;
    /// Lets a kernel on riscv_0 begin after those on riscv_1, if the program has any.
    void lag_behind_riscv_1(Risc& risc) const;
    /// Throws KernelError if the kernel on `risc` ends with multicast paths still reserved.
    void require_closed_chains(const Risc& risc) const;
    void serve_endpoint_arrivals(Cycle window);
    void handle_events();
    [[nodiscard]] Cycle next_window() const;

    [[nodiscard]] Simulation& simulation() override;
    [[nodiscard]] const Simulation& simulation() const override;
    [[nodiscard]] Tick next_step() const override;
    void step(Tick begin) override;
    [[nodiscard]] Cycle simulated_cycles() const override { return windows_end_; }
    [[nodiscard]] std::string further_waits() const override;

    std::unique_ptr<DeviceState> state_;
    Cycle windows_end_ = 0;  // end of the last simulated window
};

}  // namespace nocbench
