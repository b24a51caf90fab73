// The parts of a running Epiphany machine, behind EpiphanyDevice and the kernel API.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "device_model/epiphany/arch/constants.h"
#include "device_model/epiphany/cores/block_copies.h"
#include "device_model/epiphany/cores/core_accesses.h"
#include "device_model/epiphany/cores/epiphany_cores.h"
#include "device_model/epiphany/cores/interrupts.h"
#include "device_model/epiphany/cores/spins.h"
#include "device_model/epiphany/cores/undisturbed_copies.h"
#include "device_model/epiphany/cores/wired_and.h"
#include "device_model/epiphany/cores/writes_under_way.h"
#include "device_model/epiphany/dma/dma_engines.h"
#include "device_model/epiphany/dma/dma_polls.h"
#include "device_model/epiphany/epiphany_core.h"
#include "device_model/epiphany/epiphany_host.h"
#include "device_model/epiphany/epiphany_shape.h"
#include "device_model/epiphany/epiphany_simulation.h"
#include "device_model/epiphany/memory/deliveries.h"
#include "device_model/epiphany/memory/epiphany_addresses.h"
#include "device_model/epiphany/memory/epiphany_memory.h"
#include "device_model/epiphany/mesh/arrivals.h"
#include "device_model/epiphany/mesh/epiphany_mesh.h"
#include "device_model/epiphany/mesh/mesh_plane.h"
#include "device_model/noc/topology.h"

namespace nocbench {

class EpiphanyState final : public EpiphanySimulation, private MeshClient {
public:
    EpiphanyState(const EpiphanyConstants& constants, const EpiphanyShape& shape);
    ~EpiphanyState() override = default;
    EpiphanyState(const EpiphanyState&) = delete;
    EpiphanyState& operator=(const EpiphanyState&) = delete;

    void add_kernel(LogicalCoordinate core, const std::string& name, std::function<void()> kernel, Tick start);
    void add_host_kernel(const std::string& name, std::function<void(EpiphanyHost&)> kernel, Tick start);

    [[nodiscard]] Tick next_step() const;
    /// Simulates one network cycle, and all events until its end.
    void step(Tick begin);
    /// Simulates what `act` begins at `begin`, with nothing else, up to the present. Then that is under way with the
    /// rest.
    void catch_up(Tick begin, const std::function<void()>& act);

    const EpiphanyConstants constants;
    const EpiphanyShape shape;
    const MeshWithEdgeLink wiring;
    const std::size_t num_nodes;
    EpiphanyCores cores;
    EpiphanyAddresses addresses;
    EpiphanyMemory memory;
    EpiphanyInterrupts interrupts;
    EpiphanySpins spins;
    WiredAnd wired_and;
    EpiphanyDeliveries deliveries;
    WritesUnderWay writes;
    EpiphanyMesh mesh;
    CoreAccesses accesses;
    UndisturbedCopies undisturbed{*this, num_nodes};
    BlockCopies copies;
    DmaPolls polls;
    DmaEngines engines;
    EpiphanyArrivals arrivals;

private:
    void transaction_left(Plane plane, NodeIndex node, MeshPort port, TransactionId id, Tick tick) override;
    void transaction_arrived(Plane plane, NodeIndex node, TransactionId id, Tick tick) override;
    void time_reached(Plane plane, NodeIndex node, Tick tick) override;
    /// Handles all events before `end`.
    void handle_events(const Event& end);
    void begin_window(Cycle cycle);

    EventQueue events_aside_;                          // during catch_up(), all others
    std::vector<std::unique_ptr<Processor>> kernels_;  // last: programs that are unwound use the other parts
};

}  // namespace nocbench
