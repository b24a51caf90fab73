// Copies between the memories of two cores that meet no other traffic. They are not simulated access by access: their
// data moves in one go, and the time passes.
//
// Such a copy reserves its ways through the mesh and its banks. The first other use of them, or of its data, ends that:
// its accesses under way become transactions of the mesh, as they would be at that time, and the core goes on access by
// access. Results are the same (tests/epiphany/test_undisturbed_copies.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "device_model/epiphany/cores/core_accesses.h"
#include "device_model/epiphany/cores/reservations.h"
#include "device_model/epiphany/epiphany_core.h"
#include "device_model/epiphany/memory/epiphany_addresses.h"
#include "device_model/epiphany/mesh/epiphany_mesh.h"
#include "device_model/sim/event_queue.h"
#include "device_model/sim/ids.h"
#include "device_model/sim/ledger.h"

namespace nocbench {

class EpiphanyState;

class UndisturbedCopies final : public ReservationHolder {
public:
    /// Elements between a core's own memory and that of another core.
    struct Copy {
        EpiphanyPlace source;
        EpiphanyPlace destination;
        std::uint32_t count = 0;
        std::size_t size = 0;  // of an element, in bytes
        CoreAccesses::ReadKind kind = CoreAccesses::ReadKind::load;
    };
    /// Elements that have been copied in one go, and the loaded value of the next one if the core reads elsewhere.
    struct Copied {
        std::uint32_t count = 0;
        std::uint64_t next_value = 0;
        Ledger ledger;  // of each element
    };

    UndisturbedCopies(EpiphanyState& machine, std::size_t num_nodes)
        : machine_(machine), copies_(num_nodes), copied_(num_nodes), num_with_(num_nodes) {}

    /// Sets whether copies are moved in one go. Affects only simulation speed.
    void set_enabled(bool enabled) { is_enabled_ = enabled; }

    /// Begins a copy at the time of the core. The core is about to load the first element from its own memory, or to
    /// store it there, with the value `first`. False if the copy has to be simulated. Otherwise the core resumes to
    /// end() it: at the load of the last element, or at the access to an element that has to be simulated.
    bool begin(EpiphanyCore& core, const Copy& copy, std::uint64_t first);
    /// Books the time of the elements that have been copied when the core resumes.
    Copied end(EpiphanyCore& core);
    /// Ends a copy to another core all of whose elements have arrived.
    void arrived(NodeIndex copier, Tick tick);

    void disturb(NodeIndex copier) override;

    // From the guest at `node`, which accesses its memory without being seen.

    /// Delivers what has arrived, before the guest executes.
    void deliver_to(NodeIndex node);
    /// Ends the copies from or to what the guest has read or written since it last met others.
    void guest_has_executed(NodeIndex node);

private:
    /// The same for all elements of a copy.
    struct Pace {
        Tick period = 0;   // between elements; 0: they differ
        Tick latency = 0;  // from the core's access to its own memory to that to the other core's; negative if it reads
        Tick busy_here = 0;  // the time for which an access takes a bank of the core's own memory
        Ledger ledger;       // of an element
    };

    /// A copy that has reservations.
    struct Reserved {
        Copy copy;
        Pace pace;
        NodeIndex other = 0;  // core
        Tick begin = 0;       // first access to the copier's own memory
        std::vector<std::byte> data;
        std::uint32_t delivered = 0;    // elements
        bool has_accessed_all = false;  // the core has gone on

        [[nodiscard]] bool reads() const { return copy.source.node == other; }
        [[nodiscard]] Tick access(std::uint32_t element) const { return begin + element * pace.period; }
        [[nodiscard]] Tick access_there(std::uint32_t element) const { return access(element) + pace.latency; }
        [[nodiscard]] MemoryReservation here(NodeIndex copier) const;
        [[nodiscard]] MemoryReservation there(NodeIndex copier) const;
        [[nodiscard]] std::span<const std::byte> bytes(std::uint32_t begin_element, std::uint32_t end_element) const {
            return std::span(data).subspan(begin_element * copy.size, (end_element - begin_element) * copy.size);
        }
        [[nodiscard]] std::uint64_t value(std::uint32_t element) const;
    };
    using PaceKey = std::tuple<NodeIndex, NodeIndex, NodeIndex, std::size_t, CoreAccesses::ReadKind, Tick>;

    [[nodiscard]] bool may_begin(NodeIndex copier, NodeIndex other, const Copy& copy) const;
    [[nodiscard]] bool guest_depends_on(NodeIndex node, const MemoryReservation& reservation) const;
    /// Returns the pace of a copy that meets nothing, as an idle machine simulates it.
    const Pace& pace_of(NodeIndex copier, const Copy& copy, Tick begin);
    [[nodiscard]] Pace measured(NodeIndex copier, const Copy& copy, Tick phase) const;
    void reserve(NodeIndex copier, const Reserved& reserved);
    void give_back(NodeIndex copier, const Reserved& reserved);
    /// Returns the number of elements whose event of `kind`, the first at `first`, has been handled.
    [[nodiscard]] std::uint32_t handled(const Reserved& reserved, EventKind kind, std::uint32_t place,
                                        Tick first) const;
    [[nodiscard]] std::uint32_t num_accessed(NodeIndex copier, const Reserved& reserved) const;
    [[nodiscard]] std::uint32_t num_arrived(const Reserved& reserved) const;
    /// Delivers elements up to `end`.
    void deliver(NodeIndex copier, Reserved& reserved, std::uint32_t end);
    /// Notes when the accesses so far have taken banks.
    void note_accesses(const Reserved& reserved, std::uint32_t accessed, std::uint32_t arrived);
    void put_under_way(NodeIndex copier, Reserved& reserved);
    void get_under_way(NodeIndex copier, Reserved& reserved);

    EpiphanyState& machine_;
    bool is_enabled_ = true;
    std::vector<std::optional<Reserved>> copies_;  // by copier
    std::vector<Copied> copied_;                   // by copier: of the copy that has ended
    std::vector<std::uint32_t> num_with_;          // by node: copies of others that are from or to there
    bool is_catching_up_ = false;
    std::map<PaceKey, Pace> paces_;
};

}  // namespace nocbench
