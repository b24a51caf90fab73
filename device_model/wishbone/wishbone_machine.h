// Machine of a modeled FPGA with a Wishbone bus, a bridge, and hosts: add host kernels, run, read the results.
//
// On the floor plan, the Etherbone slave (node 0) and the devices on the bus form a row. The crossbar that joins them
// is the only network: its links carry words of the bus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device_model/sim/machine.h"
#include "device_model/sim/simulation.h"
#include "device_model/wishbone/arch/constants.h"
#include "device_model/wishbone/bridge_path.h"
#include "device_model/wishbone/fpga.h"

namespace nocbench {

class WishboneHost;

/// Message between a host and the FPGA, at its departure from or arrival at the host.
struct EtherboneFrame {
    int host = 0;  // in order of added kernels
    bool is_request = false;
    Tick tick = 0;
    wishbone::ByteView bytes;
};

class WishboneMachine final : public Machine {
public:
    /// Adds `further` devices to those of every timing receiver. Throws InputError like wishbone::Fpga.
    explicit WishboneMachine(WishboneBoard board, std::vector<std::unique_ptr<wishbone::BusDevice>> further = {});
    ~WishboneMachine() override;
    WishboneMachine(const WishboneMachine&) = delete;
    WishboneMachine& operator=(const WishboneMachine&) = delete;

    [[nodiscard]] const WishboneBoard& board() const { return board_; }
    [[nodiscard]] wishbone::Fpga& fpga() { return fpga_; }
    [[nodiscard]] const wishbone::Fpga& fpga() const { return fpga_; }
    [[nodiscard]] const wishbone::BoardClock& clock() const { return clock_; }

    /// Adds a kernel on its own host, starting at `start`. All hosts share the bridge.
    void add_kernel(const std::string& name, std::function<void(WishboneHost&)> kernel, Tick start = 0);

    /// Called for each message and each answer; set before run().
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

    /// Returns bus words in one direction, at the slave and at each device, from the counts `of_slave` and `of_device`.
    [[nodiscard]] std::vector<LinkUse> words(Direction direction, std::uint64_t wishbone::DeviceUse::* of_device,
                                             std::uint64_t wishbone::DeviceUse::* of_slave) const;
    /// Schedules the arrival of a host's message at the slave at `tick`.
    void expect(const WishboneHost& host, Tick tick);
    /// Handles the arrival of a host's next message. A message of an open cycle precedes all others.
    void arrive(std::uint32_t index);
    /// Executes the message at the slave.
    void take_message(std::uint32_t index);
    void tell_observers(std::uint32_t index, const wishbone::Passage& passage, wishbone::ByteView message,
                        wishbone::ByteView answer, Tick sent) const;

    WishboneBoard board_;
    wishbone::BoardClock clock_;
    wishbone::Fpga fpga_;
    wishbone::SlaveOccupation slave_;
    Simulation simulation_;
    std::vector<std::unique_ptr<WishboneHost>> hosts_;
    std::optional<std::uint32_t> in_cycle_;     // host with an open cycle
    std::deque<std::uint32_t> wait_for_cycle_;  // hosts that wait for the end of the open cycle, once per message
};

}  // namespace nocbench
