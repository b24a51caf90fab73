// DMA engines of Epiphany cores: two channels that process chains of descriptors element by element.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "device_model/epiphany/arch/constants.h"
#include "device_model/epiphany/cores/core_accesses.h"
#include "device_model/epiphany/cores/epiphany_cores.h"
#include "device_model/epiphany/cores/interrupts.h"
#include "device_model/epiphany/cores/writes_under_way.h"
#include "device_model/epiphany/dma/dma_descriptor.h"
#include "device_model/epiphany/dma/dma_polls.h"
#include "device_model/epiphany/epiphany_core.h"
#include "device_model/epiphany/epiphany_simulation.h"
#include "device_model/epiphany/memory/deliveries.h"
#include "device_model/epiphany/memory/epiphany_addresses.h"
#include "device_model/epiphany/memory/epiphany_memory.h"
#include "device_model/epiphany/mesh/epiphany_mesh.h"
#include "device_model/sim/ids.h"

namespace nocbench {

class DmaEngines {
public:
    /// The parts of the machine that the engines act on.
    struct Parts {
        EpiphanySimulation& simulation;
        const EpiphanyShape& shape;
        const EpiphanyCores& cores;
        const EpiphanyAddresses& addresses;
        EpiphanyMemory& memory;
        EpiphanyInterrupts& interrupts;
        EpiphanyDeliveries& deliveries;
        WritesUnderWay& writes;
        EpiphanyMesh& mesh;
        CoreAccesses& accesses;
        DmaPolls& polls;
    };

    DmaEngines(const EpiphanyConstants& constants, const Parts& parts, std::size_t num_nodes)
        : constants_(constants), parts_(parts), engines_(num_nodes) {}

    // For the kernel API. `call` is the function named in errors.

    /// Starts a channel with the descriptor at `address` of the core's own memory.
    void start(EpiphanyCore& core, std::string_view call, int channel, std::uint64_t address);
    /// Reads the status register of the core's channel over the mesh, by global address. True if the channel is active.
    bool poll(EpiphanyCore& core, std::string_view call, int channel);
    /// After a poll begun at `poll_begin`, skips further back-to-back polls that would meet no traffic and find the
    /// channel active. The results are the same. Returns false once a poll has found the channel idle.
    bool skip_polls(EpiphanyCore& core, std::string_view call, int channel, Tick poll_begin);

    // From the mesh and the event queue.

    /// Returns the number of a channel among those of all engines.
    static std::size_t channel_number(NodeIndex node, int channel) {
        return std::size_t{node} * kNumDmaChannels + static_cast<std::size_t>(channel);
    }
    /// Makes the due step of the channel with this number.
    void step(std::uint32_t number, Tick tick);
    void transaction_left(NodeIndex node, int channel, Tick tick);
    void reply_arrived(NodeIndex node, int channel, Tick tick);

private:
    struct Channel {
        bool reads = false;        // reads from other memory
        bool is_sending = false;   // a transaction waits for the mesh
        bool step_is_due = false;  // as an event
        DmaDescriptor descriptor;
        std::uint32_t source = 0;
        std::uint32_t destination = 0;
        std::uint32_t inner_left = 0;
        std::uint32_t outer_left = 0;
        std::int64_t outstanding_reads = 0;
        Tick next_step = 0;               // earliest next element
        std::set<std::uint32_t> visited;  // descriptors of this chain
    };
    struct Engine {
        std::array<Channel, kNumDmaChannels> channels;
        Tick writes_from = 0;  // when it, for both channels, can write again
    };

    [[nodiscard]] Channel& channel_of(NodeIndex node, int channel) {
        return engines_[node].channels[static_cast<std::size_t>(channel)];
    }
    void begin_descriptor(NodeIndex node, int channel, std::uint64_t address, Tick tick);
    void check_extent(NodeIndex node, std::string_view call, std::uint32_t address, int inner_stride, int outer_stride,
                      const DmaDescriptor& descriptor) const;
    void schedule_step(NodeIndex node, int channel, Tick tick);
    /// Transfers one element, or ends the descriptor.
    void step(NodeIndex node, int channel, Tick tick);
    void finish_descriptor(NodeIndex node, int channel, Tick tick);
    /// Returns the cause to book a wait for the channel to.
    [[nodiscard]] static Cause cause_of(const Channel& channel);

    const EpiphanyConstants& constants_;
    Parts parts_;
    std::vector<Engine> engines_;  // by node
};

}  // namespace nocbench
