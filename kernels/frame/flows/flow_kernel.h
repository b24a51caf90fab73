// Kernel that runs flows: issues their calls by the dataflow API, enforces their limits, and records their begin and
// end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/frame/flows/flow_table.h"

namespace nocbench {

class Risc;

/// Flow with its kernel's addresses.
struct PlacedFlow {
    std::size_t index = 0;  // index in the table's flows
    std::uint32_t own_address = 0;
    /// Targets of successive calls, used cyclically.
    struct Target {
        std::uint32_t first_x = 0;  // translated coordinates; first and last are equal for a tile
        std::uint32_t first_y = 0;
        std::uint32_t last_x = 0;
        std::uint32_t last_y = 0;
        std::uint32_t address = 0;
    };
    std::vector<Target> targets;
    std::uint32_t num_receivers = 1;
};

/// State shared by the kernels of a table.
class FlowRun {
public:
    explicit FlowRun(const FlowTable& table);

    [[nodiscard]] const FlowTable& table() const { return table_; }
    [[nodiscard]] const std::vector<FlowTimes>& times() const { return times_; }

    /// Records the start of a flow.
    void begin(std::size_t flow, Tick tick) { times_[flow].begin = tick; }
    /// Records the end of a flow; the kernel must be synchronized. Wakes kernels that wait for the flow's group.
    void end(std::size_t flow, Tick tick);
    /// Waits until all flows of the group have ended and kSignalCycles have passed. Returns that time.
    Tick wait_for(std::size_t group);

private:
    struct Group {
        std::size_t num_running = 0;
        Tick ended = 0;
        std::vector<Risc*> waiting;
    };

    const FlowTable& table_;
    std::vector<FlowTimes> times_;
    std::vector<Group> groups_;
};

// Return the L1 address, equal on every core, of the word that is the target of increments, inline writes or stores.
std::uint32_t increment_word(const TorusArchitecture& architecture);
std::uint32_t inline_word(const TorusArchitecture& architecture);
std::uint32_t stored_word(const TorusArchitecture& architecture);

inline constexpr std::uint32_t kInlineWord = 0x9e3779b9;

/// Runs the flows of one RISC, from its kernel.
void run_flows(FlowRun& run, std::span<const PlacedFlow> flows);

}  // namespace nocbench
