// Transactions of an Epiphany machine on arriving at their node: memory serves reads and takes writes, the off-chip
// link those to external memory, and requesters get their replies.
#pragma once

#include "device_model/epiphany/arch/constants.h"
#include "device_model/epiphany/cores/core_accesses.h"
#include "device_model/epiphany/cores/writes_under_way.h"
#include "device_model/epiphany/dma/dma_engines.h"
#include "device_model/epiphany/dma/dma_polls.h"
#include "device_model/epiphany/epiphany_simulation.h"
#include "device_model/epiphany/memory/deliveries.h"
#include "device_model/epiphany/memory/epiphany_memory.h"
#include "device_model/epiphany/mesh/elink.h"
#include "device_model/epiphany/mesh/epiphany_mesh.h"
#include "device_model/sim/ids.h"

namespace nocbench {

class EpiphanyArrivals {
public:
    /// The parts of the machine that transactions act on.
    struct Parts {
        EpiphanySimulation& simulation;
        EpiphanyMemory& memory;
        EpiphanyDeliveries& deliveries;
        WritesUnderWay& writes;
        EpiphanyMesh& mesh;
        CoreAccesses& accesses;
        DmaPolls& polls;
        DmaEngines& engines;
    };

    EpiphanyArrivals(const EpiphanyConstants& constants, std::int64_t clock_hz, const Parts& parts)
        : constants_(constants), elink_(constants.elink, clock_hz), parts_(parts) {}

    /// Handles the arrival of a transaction at a node, by one of the planes.
    void arrive(Plane plane, NodeIndex node, TransactionId id, Tick tick);
    /// Reads what a transaction asks for, and sends the reply.
    void serve_read(TransactionId id, Tick tick);
    /// Completes a write or a reply.
    void commit(TransactionId id, Tick tick);

private:
    const EpiphanyConstants& constants_;
    Elink elink_;
    Parts parts_;
};

}  // namespace nocbench
