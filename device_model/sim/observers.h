// Observers of a running machine: deliveries of data, ended transactions, and the time of kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "device_model/sim/ids.h"
#include "device_model/sim/ledger.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

class Machine;

/// Data of one packet, or of one copy of a multicast packet, on entering memory.
struct Delivery {
    TransactionKind kind = TransactionKind::write;
    int noc = 0;
    NodeIndex source = 0;       // tile of the memory read
    NodeIndex destination = 0;  // tile of the memory written
    std::uint64_t source_address = 0;
    std::uint64_t destination_address = 0;
    std::span<const std::byte> bytes;
    Tick tick = 0;
};

/// Kind of phase in a transaction's life, in its machine's terms. Sentences contain placeholders: {which} transaction,
/// {hops} of the request and {response_hops} of the response.
struct PhaseKind {
    std::string_view name;      // "request on its way"; time lines merge adjacent phases of equal name
    std::string_view sentence;  // "{which}: its request is on the way, {hops}"
    std::string_view reached;   // name of the phase's end: "request head"; empty if none
};

/// Phase that begins at the end of the previous one.
struct Phase {
    const PhaseKind* kind = nullptr;  // a constant of the machine
    Tick end = 0;
};

/// An ended transaction, in a form common to all machines.
struct TransactionRecord {
    std::string_view kind;            // "write", "DMA read"
    std::uint8_t noc = 0;             // index in FloorPlan::networks
    bool posted = false;              // no response
    bool linked = false;              // to the next multicast
    std::uint16_t num_receivers = 0;  // receivers of a multicast, the last of which is `to`; 0: unicast
    std::uint32_t bytes = 0;
    NodeIndex from = 0;  // the requesting tile, or kOutside
    NodeIndex to = 0;    // the tile of the accessed memory
    std::uint16_t hops = 0;
    std::uint16_t response_hops = 0;
    Cause start_cause = Cause::link;  // cause of waits in its first phase
    Tick accepted = 0;
    std::vector<Phase> phases;  // at least one; the first ends when the transaction leaves its tile

    [[nodiscard]] Tick started() const { return phases.front().end; }
    [[nodiscard]] Tick ended() const { return phases.back().end; }
    /// Returns the end of the phase whose kind has this `reached`; -1 if there is none.
    [[nodiscard]] Tick moment(std::string_view reached) const {
        for (const Phase& phase : phases) {
            if (phase.kind->reached == reached) {
                return phase.end;
            }
        }
        return -1;
    }
};

/// Interval of a kernel's time and its cause.
struct BookedTime {
    std::uint32_t risc = 0;  // Processor::Identity::index
    Cause cause = Cause::issue;
    Tick begin = 0;
    Tick end = 0;
};

/// The start of a kernel's call that concerns a NoC.
struct NocCall {
    std::uint32_t processor = 0;  // Processor::Identity::index
    std::string_view event;       // profilers' name: "READ", "WRITE_BARRIER_START"
    std::uint8_t noc = 0;
    std::uint8_t virtual_channel = 0;
    bool posted = false;
    std::uint32_t bytes = 0;
    std::uint64_t noc_address = 0;  // of the other side, as in the machine's kernels; 0: none
    Tick tick = 0;
};

struct Observers {
    /// Called for every delivery of a read or write. In order of time for one tile; across tiles, a few cycles early or
    /// late.
    std::function<void(const Delivery&)> delivered;

    /// May change a delivery's bytes before they enter memory and before `delivered` is called: for tests of data
    /// checks.
    std::function<void(const Delivery&, std::span<std::byte>)> tamper;

    /// Called for every ended transaction. Machines make records only if this is set.
    std::function<void(const TransactionRecord&)> finished;

    /// Called for every interval of a kernel's time once its cause is known. The intervals of a kernel have no gaps or
    /// overlaps, but may come out of order: some waits are attributed later.
    std::function<void(const BookedTime&)> booked;

    /// Called for every NoC call of native kernels, not of compiled ones.
    std::function<void(const NocCall&)> called;

    /// Called with the machine at the end of its run.
    std::function<void(const Machine&)> ended;

    /// Called with the machine if its run ends with a KernelError.
    std::function<void(const Machine&)> failed;
};

}  // namespace nocbench
