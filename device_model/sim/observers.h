// What can be watched while a device runs: every piece of data that arrives, every transaction that ends, and where the
// time of the kernels goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "device_model/sim/ids.h"
#include "device_model/sim/ledger.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

struct Transaction;

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

/// A stretch of a kernel's time and what it went into.
struct BookedTime {
    std::uint32_t risc = 0;  // Processor::Identity::index
    Cause cause = Cause::issue;
    Tick begin = 0;
    Tick end = 0;
};

struct Observers {
    /// Sees every delivery of a read or a write: those to one tile in the order of simulated time, those to several
    /// up to a few cycles early or late.
    std::function<void(const Delivery&)> delivered;

    /// May change the bytes of a delivery before they enter memory and before `delivered` sees them: for tests of data
    /// checks.
    std::function<void(const Delivery&, std::span<std::byte>)> tamper;

    /// Sees every transaction when it has ended; all its times are known then.
    std::function<void(const Transaction&)> finished;

    /// Sees every stretch of a kernel's time when its cause is known. Those of one kernel cover its time without gap or
    /// overlap, but not in order: the causes of some waits are known later than those of what came after them.
    std::function<void(const BookedTime&)> booked;
};

}  // namespace nocbench
