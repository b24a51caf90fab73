// What can be watched while a machine runs: every piece of data that arrives, every transaction that ends, and where
// the time of the kernels goes.
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

/// The data of one packet (or of one copy of a multicast packet), at the moment when they enter the memory that they
/// were sent to.
struct Delivery {
    TransactionKind kind = TransactionKind::write;
    int noc = 0;
    NodeIndex source = 0;       // the tile whose memory was read
    NodeIndex destination = 0;  // the tile whose memory is written
    std::uint64_t source_address = 0;
    std::uint64_t destination_address = 0;
    std::span<const std::byte> bytes;
    Tick tick = 0;
};

/// A kind of step in the life of a transaction, in the words of its machine. What is in braces is for whoever tells it
/// to fill in: {which} transaction it is, {hops} on its way and {response_hops} back.
struct PhaseKind {
    std::string_view name;      // "request on its way"; of two in a row with the same name, a time line makes one
    std::string_view sentence;  // "{which}: its request is on the way, {hops}"
    std::string_view reached;   // the moment at its end: "request head"; empty if that has no name
};

/// It begins when the phase before it ends.
struct Phase {
    const PhaseKind* kind = nullptr;  // a constant of the machine
    Tick end = 0;
};

/// A transaction that has ended, told in the same way by every kind of machine.
struct TransactionRecord {
    std::string_view kind;            // "write", "DMA read"
    std::uint8_t noc = 0;             // among FloorPlan::networks
    bool posted = false;              // nothing comes back
    bool linked = false;              // to the next multicast
    std::uint16_t num_receivers = 0;  // of a multicast, which `to` is the last of; 0: it has one
    std::uint32_t bytes = 0;
    NodeIndex from = 0;  // the tile that asked for it, or kOutside
    NodeIndex to = 0;    // the tile whose memory it is about
    std::uint16_t hops = 0;
    std::uint16_t response_hops = 0;
    Cause start_cause = Cause::link;  // what it waited for in its first phase
    Tick accepted = 0;
    std::vector<Phase> phases;  // one at least: the first one ends when it leaves its tile

    [[nodiscard]] Tick started() const { return phases.front().end; }
    [[nodiscard]] Tick ended() const { return phases.back().end; }
    /// The end of the phase whose `reached` this is; -1 if there is none.
    [[nodiscard]] Tick moment(std::string_view reached) const {
        for (const Phase& phase : phases) {
            if (phase.kind->reached == reached) {
                return phase.end;
            }
        }
        return -1;
    }
};

/// A stretch of a kernel's time and what it went into.
struct BookedTime {
    std::uint32_t risc = 0;  // Processor::Identity::index
    Cause cause = Cause::issue;
    Tick begin = 0;
    Tick end = 0;
};

/// A call of a kernel that is about a NoC, when it begins.
struct NocCall {
    std::uint32_t processor = 0;  // Processor::Identity::index
    std::string_view event;       // what profilers call it: "READ", "WRITE_BARRIER_START"
    std::uint8_t noc = 0;
    std::uint8_t virtual_channel = 0;
    bool posted = false;
    std::uint32_t bytes = 0;
    std::uint64_t noc_address = 0;  // of the other side, as kernels of the machine hold it; 0: there is none
    Tick tick = 0;
};

struct Observers {
    /// Sees every delivery of a read or a write: those to one tile in the order of simulated time, those to several
    /// up to a few cycles early or late.
    std::function<void(const Delivery&)> delivered;

    /// May change the bytes of a delivery before they enter memory and before `delivered` sees them: for tests of data
    /// checks.
    std::function<void(const Delivery&, std::span<std::byte>)> tamper;

    /// Sees every transaction when it has ended. Machines make records for this only.
    std::function<void(const TransactionRecord&)> finished;

    /// Sees every stretch of a kernel's time when its cause is known. Those of one kernel cover its time without gap or
    /// overlap, but not in order: the causes of some waits are known later than those of what came after them.
    std::function<void(const BookedTime&)> booked;

    /// Sees every call about a NoC of kernels that are functions, not of those that are compiled.
    std::function<void(const NocCall&)> called;

    /// Sees the machine when its run is over.
    std::function<void(const Machine&)> ended;
};

}  // namespace nocbench
