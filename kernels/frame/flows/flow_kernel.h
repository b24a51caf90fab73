// The kernel that carries out flows: it issues their calls by the dataflow API, keeps their limits, and notes when each
// of them began and ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/sim/simulated_time.h"
#include "kernels/frame/flows/flow_table.h"

namespace nocbench {

class Risc;

/// A flow with the addresses that its kernel uses.
struct PlacedFlow {
    std::size_t index = 0;  // among the flows of the table
    std::uint32_t own_address = 0;
    /// Where calls go, in turn.
    struct Target {
        std::uint32_t first_x = 0;  // as kernels name tiles; of a tile, first and last are the same
        std::uint32_t first_y = 0;
        std::uint32_t last_x = 0;
        std::uint32_t last_y = 0;
        std::uint32_t address = 0;
    };
    std::vector<Target> targets;
    std::uint32_t num_receivers = 1;
};

/// What the kernels of a table have in common.
class FlowRun {
public:
    explicit FlowRun(const FlowTable& table);

    [[nodiscard]] const FlowTable& table() const { return table_; }
    [[nodiscard]] const std::vector<FlowTimes>& times() const { return times_; }

    /// What a kernel says.
    void begin(std::size_t flow, Tick tick) { times_[flow].begin = tick; }
    /// The kernel has caught up with the device. Wakes kernels that wait for the flow's group.
    void end(std::size_t flow, Tick tick);
    /// Returns when all flows of the group have ended and kSignalCycles have passed; tells when that was.
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

// Words of each core in L1 that are incremented, written to inline, and stored to.
std::uint32_t increment_word(const Architecture& architecture);
std::uint32_t inline_word(const Architecture& architecture);
std::uint32_t stored_word(const Architecture& architecture);

/// What inline writes bring.
inline constexpr std::uint32_t kInlineWord = 0x9e3779b9;

/// Carries out flows of one RISC, whose kernel calls it.
void run_flows(FlowRun& run, std::span<const PlacedFlow> flows);

}  // namespace nocbench
