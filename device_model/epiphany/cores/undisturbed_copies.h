// Copies to the memories of other cores that meet no other traffic. They are not simulated store by store: their data
// moves in one go, and the time passes.
//
// Such a copy reserves its way through the mesh and its banks. The first other use of them, or of its data, ends that: its
// stores under way become transactions of the mesh, as they would be at that time, and the core goes on store by store.
// Results are the same (tests/epiphany/test_undisturbed_copies.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "device_model/epiphany/arch/constants.h"
#include "device_model/epiphany/cores/core_accesses.h"
#include "device_model/epiphany/cores/epiphany_cores.h"
#include "device_model/epiphany/cores/reservations.h"
#include "device_model/epiphany/cores/spins.h"
#include "device_model/epiphany/cores/writes_under_way.h"
#include "device_model/epiphany/epiphany_core.h"
#include "device_model/epiphany/epiphany_shape.h"
#include "device_model/epiphany/epiphany_simulation.h"
#include "device_model/epiphany/memory/deliveries.h"
#include "device_model/epiphany/memory/epiphany_addresses.h"
#include "device_model/epiphany/memory/epiphany_memory.h"
#include "device_model/epiphany/mesh/epiphany_mesh.h"
#include "device_model/sim/ids.h"

namespace nocbench {

class UndisturbedCopies final : public ReservationHolder {
public:
    /// The parts of the machine that copies use.
    struct Parts {
        EpiphanySimulation& simulation;
        const EpiphanyCores& cores;
        EpiphanyMemory& memory;
        EpiphanySpins& spins;
        EpiphanyDeliveries& deliveries;
        WritesUnderWay& writes;
        EpiphanyMesh& mesh;
        CoreAccesses& accesses;
    };
    /// Elements from a core's own memory to the memory of another core.
    struct Copy {
        EpiphanyPlace source;
        EpiphanyPlace destination;
        std::uint32_t count = 0;
        std::size_t size = 0;  // of an element, in bytes
        CoreAccesses::ReadKind kind = CoreAccesses::ReadKind::load;
    };

    UndisturbedCopies(const EpiphanyConstants& constants, const EpiphanyShape& shape, const Parts& parts,
                      std::size_t num_nodes);

    /// Sets whether copies are moved in one go. Affects only simulation speed.
    void set_enabled(bool enabled) { is_enabled_ = enabled; }

    /// Begins a copy at the time of the core, which is about to load the first element. False if it has to be simulated.
    /// Otherwise the core resumes at the load of the last element, or of the first one that has to be simulated.
    bool begin(EpiphanyCore& core, const Copy& copy);
    /// Books the time of the elements that have been copied when the core resumes. Returns their number.
    std::uint32_t end(EpiphanyCore& core);
    /// Ends a copy all of whose elements have arrived.
    void arrived(NodeIndex copier, Tick tick);

    void disturb(NodeIndex copier) override;

    // From the guest at `node`, which accesses its memory without being seen.

    /// Delivers what has arrived, before the guest executes.
    void deliver_to(NodeIndex node);
    /// Ends the copies to what the guest has looked at since it last met others.
    void guest_has_executed(NodeIndex node);

private:
    /// The same for all elements of a copy: cycles between them, and from a load to the arrival of the data.
    struct Pace {
        Tick period = 0;  // 0: elements differ
        Tick latency = 0;
    };

    /// A copy that has reservations.
    struct Reserved {
        Copy copy;
        Pace pace;
        Tick begin = 0;  // load of the first element
        std::vector<std::byte> data;
        std::uint32_t delivered = 0;     // elements
        bool has_loaded_all = false;  // the core has gone on

        [[nodiscard]] Tick load(std::uint32_t element) const { return begin + element * pace.period; }
        [[nodiscard]] Tick arrival(std::uint32_t element) const { return load(element) + pace.latency; }
    };

    /// Returns the pace of a copy that meets nothing, as an idle machine simulates it.
    const Pace& pace_of(NodeIndex from, const Copy& copy, Tick begin);
    [[nodiscard]] Pace measured(NodeIndex from, const Copy& copy, Tick phase) const;
    [[nodiscard]] bool may_begin(const EpiphanyCore& core, const Copy& copy) const;
    /// Returns the number of elements whose event of `kind`, the first at `first`, has been handled.
    [[nodiscard]] std::uint32_t handled(const Reserved& reserved, EventKind kind, std::uint32_t place, Tick first) const;
    [[nodiscard]] std::uint32_t num_arrived(const Reserved& reserved) const;
    void deliver(NodeIndex copier, Reserved& reserved, std::uint32_t end);
    void release(NodeIndex copier, const Reserved& reserved, std::uint32_t loaded, std::uint32_t arrived);

    const EpiphanyConstants& constants_;
    const EpiphanyShape& shape_;
    Parts parts_;
    bool is_enabled_ = true;
    std::vector<std::optional<Reserved>> copies_;  // by copier
    std::vector<std::uint32_t> copied_;            // by copier: elements of a copy that ended or was disturbed
    std::vector<std::uint32_t> num_to_;            // by node: reserved copies to it
    std::map<std::tuple<NodeIndex, NodeIndex, std::size_t, CoreAccesses::ReadKind, Tick>, Pace> paces_;
};

}  // namespace nocbench
