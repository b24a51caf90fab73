// Data on entering a memory of an Epiphany machine, where observers, spinning cores and guests see them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "device_model/epiphany/cores/interrupts.h"
#include "device_model/epiphany/cores/spins.h"
#include "device_model/epiphany/epiphany_simulation.h"
#include "device_model/epiphany/memory/epiphany_addresses.h"
#include "device_model/epiphany/memory/epiphany_memory.h"
#include "device_model/sim/ids.h"
#include "device_model/sim/observers.h"

namespace nocbench {

class EpiphanyDeliveries {
public:
    EpiphanyDeliveries(const EpiphanySimulation& simulation, EpiphanyMemory& memory, EpiphanySpins& spins,
                       EpiphanyInterrupts& interrupts, std::size_t num_nodes)
        : simulation_(simulation),
          memory_(memory),
          spins_(spins),
          interrupts_(interrupts),
          bytes_delivered_(num_nodes) {}

    /// Delivers `size` bytes of `value` that come from the memory at `source`.
    void deliver(TransactionKind kind, NodeIndex source, const EpiphanyPlace& place, std::size_t size,
                 std::uint64_t value, Tick tick);
    /// Completes a write at its target: memory, or the interrupt request register.
    void land(NodeIndex source, const EpiphanyPlace& place, std::size_t size, std::uint64_t value, Tick tick);
    /// Counts bytes that entered the memory of `node` in another way.
    void count(NodeIndex node, std::uint64_t bytes) { bytes_delivered_[node] += bytes; }
    void write_from_outside(const EpiphanyPlace& place, std::span<const std::byte> bytes, Tick tick);

    /// Returns the bytes delivered so far, by node.
    [[nodiscard]] const std::vector<std::uint64_t>& bytes_delivered() const { return bytes_delivered_; }

private:
    /// `guest_tick`: when a guest sees the data.
    void enter(const Delivery& delivery, const EpiphanyPlace& place, std::span<std::byte> data, Tick guest_tick);

    const EpiphanySimulation& simulation_;
    EpiphanyMemory& memory_;
    EpiphanySpins& spins_;
    EpiphanyInterrupts& interrupts_;
    std::vector<std::uint64_t> bytes_delivered_;  // by node
};

}  // namespace nocbench
