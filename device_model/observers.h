// What can be watched while a device runs: every piece of data that arrives, and every transaction that ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "device_model/packet.h"
#include "device_model/simulated_time.h"
#include "device_model/transaction.h"

namespace nocbench {

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

struct Observers {
    /// Sees every delivery of a read or a write, in the order of simulated time.
    std::function<void(const Delivery&)> delivered;

    /// May change the bytes of a delivery before they enter memory and before `delivered` sees them: for tests of data
    /// checks.
    std::function<void(const Delivery&, std::span<std::byte>)> tamper;

    /// Sees every transaction when it has ended; all its times are known then.
    std::function<void(const Transaction&)> finished;
};

}  // namespace nocbench
