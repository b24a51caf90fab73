#include "device_model/epiphany/mesh/transaction_times.h"

#include <algorithm>

namespace nocbench {

namespace {

constexpr PhaseKind kWaits{"waits for the mesh", "{which} waits for room in the mesh", "left"};
constexpr PhaseKind kOnTheMesh{"on the mesh", "{which} is on the mesh, {hops}", "arrived"};
constexpr PhaseKind kThroughTheLink{"through the eLink", "the eLink takes it to external memory", "in memory"};
constexpr PhaseKind kRequestOnTheMesh{"request on the mesh", "{which}: its request is on the mesh, {hops}",
                                      "request arrived"};
constexpr PhaseKind kRead{"memory is read", "the memory of the other core is read", "reply ready"};
constexpr PhaseKind kReadThroughTheLink{"memory is read", "external memory is read, through the eLink", "reply ready"};
constexpr PhaseKind kReplyWaits{"reply waits for the mesh", "the reply waits for room in the mesh", "reply left"};
constexpr PhaseKind kReplyOnTheMesh{"reply on the mesh", "the reply is on the way back, {response_hops}",
                                    "reply arrived"};

std::string_view kind_of(const MeshTransaction& transaction) {
    using Kind = MeshTransaction::Kind;
    if (transaction.kind == Kind::write) {
        return transaction.is_dma ? "DMA write" : "write";
    }
    if (transaction.kind == Kind::testset) {
        return "test and set";
    }
    if (transaction.target.is_of(transaction.requester) && transaction.target.is_register()) {
        return "poll";
    }
    return transaction.is_dma ? "DMA read" : "read";
}

/// Returns the cause to which ledgers charge the time that a transaction waits before it leaves its port.
Cause start_cause_of(const MeshTransaction& transaction) {
    if (transaction.target.is_external) {
        return Cause::memory;
    }
    if (transaction.kind != MeshTransaction::Kind::write) {
        return Cause::round_trip;
    }
    return transaction.is_dma ? Cause::link : Cause::contention;
}

}  // namespace

MeshTransactionTimes::Times& MeshTransactionTimes::at(TransactionId id) {
    if (id >= times_.size()) {
        times_.resize(id + 1);
    }
    return times_[id];
}

TransactionRecord MeshTransactionTimes::record(TransactionId id, const MeshTransaction& transaction,
                                               const Topology& topology, Tick tick) const {
    const Times& times = times_[id];
    const EpiphanyPlace& target = transaction.target;
    const bool is_write = transaction.kind == MeshTransaction::Kind::write;
    TransactionRecord record;
    record.kind = kind_of(transaction);
    record.noc = static_cast<std::uint8_t>(transaction.plane());
    record.posted = is_write;
    record.bytes = transaction.size;
    record.from = transaction.requester;
    record.to = target.node;
    record.hops = static_cast<std::uint16_t>(topology.hops(record.from, record.to));
    record.start_cause = start_cause_of(transaction);
    // The mesh begins with its next cycle: the wait until then is not contention.
    record.accepted = std::min(next_of_period(0, MeshPlane::kTicksPerNetworkCycle, times.accepted), times.left);
    record.phases.push_back({&kWaits, times.left});
    if (is_write) {
        record.phases.push_back({&kOnTheMesh, times.arrived});
        if (target.is_external) {
            record.phases.push_back({&kThroughTheLink, tick});
        }
    } else {
        record.response_hops = static_cast<std::uint16_t>(topology.hops(record.to, transaction.reply_to.node));
        record.phases.push_back({&kRequestOnTheMesh, times.arrived});
        record.phases.push_back({target.is_external ? &kReadThroughTheLink : &kRead, times.reply_ready});
        record.phases.push_back({&kReplyWaits, times.reply_left});
        record.phases.push_back({&kReplyOnTheMesh, tick});
    }
    return record;
}

}  // namespace nocbench
