#include "device_model/tenstorrent/leaving_data.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "device_model/tenstorrent/checks/race_check.h"
#include "device_model/tenstorrent/device_state.h"
#include "device_model/tenstorrent/niu/network_interfaces.h"

namespace nocbench {

namespace {

struct Source {
    NodeIndex node = 0;
    std::uint64_t address = 0;
};

Source source_of(const Transaction& transaction) {
    return transaction.kind == TransactionKind::read ? Source{transaction.responder, transaction.responder_address}
                                                     : Source{transaction.requestor, transaction.requestor_address};
}

}  // namespace

LeavingData::LeavingData(DeviceState& state)
    : state_(state), leaving_(static_cast<std::size_t>(state.grid.num_nodes())) {}

void LeavingData::expect(TransactionId id) {
    Transaction& transaction = state_.transactions[id];
    transaction.is_leaving = true;
    leaving_[source_of(transaction).node].push_back(id);
}

void LeavingData::note_changes(NodeIndex node, std::uint64_t address, std::size_t size, Tick tick) {
    for (const TransactionId id : leaving_[node]) {
        const Transaction& transaction = state_.transactions[id];
        const std::uint64_t source = source_of(transaction).address;
        const std::uint64_t begin = std::max(source, address);
        const std::uint64_t end = std::min(source + transaction.bytes, address + size);
        if (begin < end) {
            Change change{id, tick, begin - source, std::vector<std::byte>(end - begin)};
            state_.memory(node).read(begin, change.replaced);
            changes_.push_back(std::move(change));
        }
    }
}

std::size_t LeavingData::bytes_left(const Change& change) const {
    const Transaction& transaction = state_.transactions[change.transaction];
    const DataPacket& packet = transaction.data_packet;
    if (packet.header_flits == 0) {
        return 0;  // waits for its turn
    }
    const FlitsRead read = packet.read.flits != 0 ? packet.read
                                                  : state_.interfaces[transaction.noc]->network().flits_read(
                                                        source_of(transaction).node, packet.stream, packet.id);
    const int data_flits = std::max(0, read.before(cycle_at_or_after(change.tick)) - packet.header_flits);
    return static_cast<std::size_t>(data_flits) * static_cast<std::size_t>(state_.architecture.router.flit_bytes);
}

void LeavingData::keep_bytes_left(Change& change) const {
    if (!std::exchange(change.is_counted, true)) {
        const std::size_t left = bytes_left(change);
        const std::size_t kept = left - std::min(left, change.offset);
        if (state_.race_check) {
            state_.race_check->source_changed(state_.transactions[change.transaction], kept != 0,
                                              kept < change.replaced.size());
        }
        change.replaced.resize(std::min(change.replaced.size(), kept));
    }
}

void LeavingData::count_bytes_left() {
    std::ranges::for_each(changes_, [this](Change& change) { keep_bytes_left(change); });
    std::erase_if(changes_, [](const Change& change) { return change.replaced.empty(); });
}

void LeavingData::take_sent() {
    for (const TransactionId id : std::exchange(sent_, {})) {
        take(id);
    }
}

void LeavingData::take_sent(TransactionId id) {
    if (state_.transactions[id].is_leaving) {
        std::erase(sent_, id);
        take(id);
    }
}

void LeavingData::take(TransactionId id) {
    Transaction& transaction = state_.transactions[id];
    const Source source = source_of(transaction);
    transaction.is_leaving = false;
    if (state_.race_check) {
        state_.race_check->source_left(transaction);
    }
    std::erase(leaving_[source.node], id);
    transaction.payload.resize(transaction.bytes);
    state_.memory(source.node).read(source.address, transaction.payload);
    // The first change of a byte has the byte that was sent: it is applied last.
    for (Change& change : std::views::reverse(changes_)) {
        if (change.transaction == id) {
            keep_bytes_left(change);
            std::ranges::copy(change.replaced,
                              transaction.payload.begin() + static_cast<std::ptrdiff_t>(change.offset));
        }
    }
    std::erase_if(changes_, [id](const Change& change) { return change.transaction == id; });
}

}  // namespace nocbench
