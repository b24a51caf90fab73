// Loads and stores of Epiphany cores: those to its own memory take its banks, others go over the mesh. A core has one
// load at a time and one store that waits for the mesh.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "device_model/epiphany/arch/constants.h"
#include "device_model/epiphany/cores/epiphany_cores.h"
#include "device_model/epiphany/cores/interrupts.h"
#include "device_model/epiphany/cores/writes_under_way.h"
#include "device_model/epiphany/epiphany_core.h"
#include "device_model/epiphany/memory/deliveries.h"
#include "device_model/epiphany/memory/epiphany_addresses.h"
#include "device_model/epiphany/memory/epiphany_memory.h"
#include "device_model/epiphany/mesh/epiphany_mesh.h"
#include "device_model/sim/ids.h"

namespace nocbench {

class CoreAccesses {
public:
    /// load_ahead: a load whose value is used late enough to hide the latency of the core's own memory.
    enum class ReadKind : std::uint8_t { load, load_ahead, testset };

    CoreAccesses(const EpiphanyCoreConstants& constants, const EpiphanyCores& cores, const EpiphanyAddresses& addresses,
                 EpiphanyMemory& memory, EpiphanyDeliveries& deliveries, EpiphanyInterrupts& interrupts,
                 WritesUnderWay& writes, EpiphanyMesh& mesh, std::size_t num_nodes)
        : constants_(constants),
          cores_(cores),
          addresses_(addresses),
          memory_(memory),
          deliveries_(deliveries),
          interrupts_(interrupts),
          writes_(writes),
          mesh_(mesh),
          nodes_(num_nodes) {}

    // For the kernel API. `call` is the function named in errors. Sizes are 1, 2, 4 or 8 bytes.

    /// Loads a value, stalling the core as the machine does. `instructions_meanwhile`: independent instructions that
    /// overlap with the load.
    std::uint64_t load(EpiphanyCore& core, std::string_view call, std::uint64_t address, std::size_t size,
                       int instructions_meanwhile = 0, ReadKind kind = ReadKind::load, std::optional<Cause> cause = {});
    void store(EpiphanyCore& core, std::string_view call, std::uint64_t address, std::size_t size, std::uint64_t value);

    // The steps of both.

    /// True if a load is from the core's own memory by a local address: with the core's id it goes over the mesh.
    static bool is_local(NodeIndex node, const EpiphanyPlace& place, std::uint64_t address) {
        return place.is_of(node) && address >> kCoreIdShift == 0;
    }
    /// Loads from the core's own memory, up to the use of the value.
    std::uint64_t load_own(EpiphanyCore& core, const EpiphanyPlace& place, std::size_t size, ReadKind kind,
                           int instructions_meanwhile = 0);
    void send_read(EpiphanyCore& core, const EpiphanyPlace& place, std::size_t size, ReadKind kind);
    [[nodiscard]] bool has_value(NodeIndex node) const { return nodes_[node].has_value; }
    /// Lets the arrival of the value end the stall that this returns.
    Stall await_value(NodeIndex node, std::string_view call, std::uint64_t address);
    /// Returns the cause to book that stall to.
    static Cause cause_of_value(const EpiphanyPlace& place) {
        return place.is_external ? Cause::memory : Cause::round_trip;
    }
    [[nodiscard]] std::uint64_t value(NodeIndex node) const { return nodes_[node].value; }

    void store_own(EpiphanyCore& core, const EpiphanyPlace& place, std::size_t size, std::uint64_t value);
    [[nodiscard]] bool has_room(NodeIndex node) const { return nodes_[node].unsent_store == kNoTransaction; }
    Stall await_room(NodeIndex node, std::string_view call, std::uint64_t address);
    static Cause cause_of_room(const EpiphanyPlace& place) {
        return place.is_external ? Cause::memory : Cause::contention;
    }
    void send_store(const EpiphanyCore& core, const EpiphanyPlace& place, std::size_t size, std::uint64_t value);

    /// Puts a store that is ready at `ready` on its way, without counting it as issued.
    void put_under_way(NodeIndex node, const EpiphanyPlace& place, std::size_t size, std::uint64_t value, Tick ready);

    // From the mesh.

    void transaction_left(NodeIndex node, TransactionId id, Tick tick);
    void value_arrived(NodeIndex node, std::uint64_t value, Tick tick);

private:
    struct Node {
        TransactionId unsent_store = kNoTransaction;  // in the store buffer
        bool store_stalls = false;                    // core waits for the store buffer
        bool has_value = false;
        bool load_stalls = false;
        std::uint64_t value = 0;
    };

    const EpiphanyCoreConstants& constants_;
    const EpiphanyCores& cores_;
    const EpiphanyAddresses& addresses_;
    EpiphanyMemory& memory_;
    EpiphanyDeliveries& deliveries_;
    EpiphanyInterrupts& interrupts_;
    WritesUnderWay& writes_;
    EpiphanyMesh& mesh_;
    std::vector<Node> nodes_;
};

}  // namespace nocbench
