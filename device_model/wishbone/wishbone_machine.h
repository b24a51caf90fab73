// A modeled FPGA with a Wishbone bus, a bridge, and hosts: add kernels that run on a host, run, and look at what came
// out.
//
// On the floor plan, the Etherbone slave (node 0) and the devices on the bus stand in a row, joined by the crossbar,
// which is the only network: a word of the bus is what a link carries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/sim/machine.h"
#include "device_model/sim/simulation.h"
#include "device_model/wishbone/bridge_path.h"
#include "device_model/wishbone/fpga.h"

namespace nocbench {

class WishboneHost;

/// A message on its way between a host and the FPGA, when it leaves the host or arrives there.
struct EtherboneFrame {
    int host = 0;  // by the order in which kernels were added
    bool is_request = false;
    Tick tick = 0;
    wishbone::ByteView bytes;
};

class WishboneMachine final : public Machine {
public:
    /// `further` devices stand on the bus beside those of each timing receiver. Throws InputError as wishbone::Fpga
    /// does.
    explicit WishboneMachine(Board board, std::vector<std::unique_ptr<wishbone::BusDevice>> further = {});
    ~WishboneMachine() override;
    WishboneMachine(const WishboneMachine&) = delete;
    WishboneMachine& operator=(const WishboneMachine&) = delete;

    [[nodiscard]] const Board& board() const { return board_; }
    [[nodiscard]] wishbone::Fpga& fpga() { return fpga_; }
    [[nodiscard]] const wishbone::Fpga& fpga() const { return fpga_; }
    [[nodiscard]] const wishbone::BoardClock& clock() const { return clock_; }

    /// Adds a kernel on a host of its own, which reaches the FPGA as the others do, to start at `start`.
    void add_kernel(const std::string& name, std::function<void(WishboneHost&)> kernel, Tick start = 0);

    /// Sees each message and each answer; set before run().
    std::function<void(const EtherboneFrame&)> framed;

    [[nodiscard]] FloorPlan floor_plan() const override;
    [[nodiscard]] PhysicalCoordinate place_of_node(NodeIndex node) const override;
    [[nodiscard]] std::vector<LinkUse> link_use() const override;
    [[nodiscard]] std::vector<LinkUse> injection_use() const override;
    [[nodiscard]] std::vector<TileDeliveries> deliveries() const override;
    [[nodiscard]] std::uint64_t flit_hops() const override;

private:
    friend class WishboneHost;

    [[nodiscard]] Simulation& simulation() override { return simulation_; }
    [[nodiscard]] const Simulation& simulation() const override { return simulation_; }
    [[nodiscard]] Tick next_step() const override;
    void step(Tick begin) override;
    [[nodiscard]] Cycle simulated_cycles() const override { return elapsed_cycles(); }

    /// Words of the bus that went in one direction, at the slave and at each device: the counts of a device that are
    /// its own, and those that are the slave's.
    [[nodiscard]] std::vector<LinkUse> words(Direction direction, std::uint64_t wishbone::DeviceUse::* of_device,
                                             std::uint64_t wishbone::DeviceUse::* of_slave) const;
    /// A host's message will be at the slave at `tick`.
    void expect(const WishboneHost& host, Tick tick);
    /// A host's next message is at the slave. One whose cycle is open goes before all others.
    void arrive(std::uint32_t index);
    /// The slave carries it out.
    void take_message(std::uint32_t index);
    void tell_observers(std::uint32_t index, const wishbone::Passage& passage, wishbone::ByteView message,
                        wishbone::ByteView answer, Tick sent) const;

    Board board_;
    wishbone::BoardClock clock_;
    wishbone::Fpga fpga_;
    wishbone::SlaveOccupation slave_;
    Simulation simulation_;
    std::vector<std::unique_ptr<WishboneHost>> hosts_;
    std::optional<std::uint32_t> in_cycle_;     // the host whose cycle is open
    std::deque<std::uint32_t> wait_for_cycle_;  // hosts whose messages wait for its end, once for each
};

}  // namespace nocbench
