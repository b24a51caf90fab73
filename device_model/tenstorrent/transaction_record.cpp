#include "device_model/tenstorrent/transaction_record.h"

#include <string_view>

#include "device_model/tenstorrent/transaction.h"

namespace nocbench {

namespace {

constexpr PhaseKind kQueued{"queued in the NIU", "{which} is queued in the NIU", "started"};
constexpr PhaseKind kWaitsForTree{"waits to reserve its tree", "{which} waits until it may reserve its tree",
                                  "path requested"};
constexpr PhaseKind kReservesTree{"reserves its tree", "{which} reserves its tree", "path reserved"};
constexpr PhaseKind kRequestOnItsWay{"request on its way", "{which}: its request is on the way, {hops}",
                                     "request head"};
constexpr PhaseKind kDataArrive{"data arrive", "its data arrive", "request arrived"};
constexpr PhaseKind kReadRequestArrives{"request arrives", "its request arrives", "request arrived"};
constexpr PhaseKind kAtomicArrives{"request arrives", "its data arrive", "request arrived"};
constexpr PhaseKind kWritten{"written", "the receiver takes it", ""};
constexpr PhaseKind kTaken{"served", "the receiver takes it", ""};
constexpr PhaseKind kServed{"served", "the response waits for its turn, behind others", "response started"};
constexpr PhaseKind kResponseOnItsWay{"response on its way", "the response is on the way back, {response_hops}",
                                      "response head"};
constexpr PhaseKind kReadDataArrive{"data arrive", "its data arrive", "response arrived"};
constexpr PhaseKind kAcknowledged{"response arrives", "the acknowledgement arrives", "response arrived"};

std::string_view name_of(TransactionKind kind) {
    switch (kind) {
        case TransactionKind::read:
            return "read";
        case TransactionKind::write:
            return "write";
        case TransactionKind::atomic_increment:
            return "atomic increment";
    }
    return "";
}

const PhaseKind& arrival_of(TransactionKind kind) {
    switch (kind) {
        case TransactionKind::read:
            return kReadRequestArrives;
        case TransactionKind::write:
            return kDataArrive;
        case TransactionKind::atomic_increment:
            break;
    }
    return kAtomicArrives;
}

}  // namespace

TransactionRecord record_of(const Transaction& transaction) {
    TransactionRecord record;
    record.kind = name_of(transaction.kind);
    record.noc = transaction.noc;
    record.posted = transaction.posted;
    record.linked = transaction.linked;
    record.num_receivers = transaction.num_receivers;
    record.bytes = transaction.bytes;
    record.from = transaction.requestor;
    record.to = transaction.responder;
    record.hops = transaction.request_hops;
    record.response_hops = transaction.response_hops;
    record.start_cause = transaction.start_cause;
    record.accepted = ticks_from_cycles(transaction.accepted);
    constexpr std::size_t kPhasesMax = 9;
    record.phases.reserve(kPhasesMax);
    const auto add = [&](const PhaseKind& kind, Cycle end) {
        record.phases.push_back({&kind, ticks_from_cycles(end)});
    };
    add(kQueued, transaction.started);
    if (transaction.path_reserved != 0) {
        add(kWaitsForTree, transaction.path_requested);
        add(kReservesTree, transaction.path_reserved);
    }
    add(kRequestOnItsWay, transaction.request_head);
    add(arrival_of(transaction.kind), transaction.request_arrived);
    if (transaction.posted) {
        add(kWritten, transaction.service_expected);
        return record;
    }
    add(kTaken, transaction.service_expected);
    add(kServed, transaction.response_started);
    add(kResponseOnItsWay, transaction.response_head);
    add(transaction.kind == TransactionKind::read ? kReadDataArrive : kAcknowledged, transaction.response_arrived);
    return record;
}

}  // namespace nocbench
