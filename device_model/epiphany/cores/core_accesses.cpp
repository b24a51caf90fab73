#include "device_model/epiphany/cores/core_accesses.h"

#include <utility>

namespace nocbench {

std::uint64_t CoreAccesses::load(EpiphanyCore& core, std::string_view call, std::uint64_t address, std::size_t size,
                                 int instructions_meanwhile, ReadKind kind, std::optional<Cause> cause) {
    interrupts_.take(core);
    const NodeIndex node = core.identity().node;
    const EpiphanyPlace place = addresses_.place_of(node, address, size, call);
    if (is_local(node, place, address) && kind != ReadKind::testset) {
        core.synchronize();
        return load_own(core, place, size, kind, instructions_meanwhile);
    }
    send_read(core, place, size, kind);
    core.spend(instructions_meanwhile * constants_.instruction_ticks);
    core.synchronize();
    if (!has_value(node)) {
        core.stall(await_value(node, call, address), cause.value_or(cause_of_value(place)));
    }
    return value(node);
}

std::uint64_t CoreAccesses::load_own(EpiphanyCore& core, const EpiphanyPlace& place, std::size_t size, ReadKind kind,
                                     int instructions_meanwhile) {
    core.spend(memory_.take_bank(place, core.now()) - core.now(), Cause::memory);
    const std::uint64_t value = memory_.read_word(place, size);
    core.spend(constants_.load_ticks);
    const Tick use = kind == ReadKind::load_ahead ? 0 : constants_.local_load_use_ticks;
    core.spend(instructions_meanwhile > 0 ? instructions_meanwhile * constants_.instruction_ticks : use);
    return value;
}

void CoreAccesses::send_read(EpiphanyCore& core, const EpiphanyPlace& place, std::size_t size, ReadKind kind) {
    const NodeIndex node = core.identity().node;
    MeshTransaction transaction;
    transaction.kind = kind == ReadKind::testset ? MeshTransaction::Kind::testset : MeshTransaction::Kind::read;
    transaction.size = static_cast<std::uint8_t>(size);
    transaction.requester = node;
    transaction.reply_to.node = node;
    transaction.target = place;
    transaction.writes_before = writes_.issued(node, place.node);
    nodes_[node].has_value = false;
    mesh_.send(transaction, core.now());
    core.spend(constants_.load_ticks);
}

Stall CoreAccesses::await_value(NodeIndex node, std::string_view call, std::uint64_t address) {
    nodes_[node].load_stalls = true;
    return {call, "the data to come back", address};
}

void CoreAccesses::store(EpiphanyCore& core, std::string_view call, std::uint64_t address, std::size_t size,
                         std::uint64_t value) {
    interrupts_.take(core);
    const NodeIndex node = core.identity().node;
    const EpiphanyPlace place = addresses_.writable_place_of(node, address, size, call);
    if (place.is_of(node)) {
        core.synchronize();
        store_own(core, place, size, value);
    } else {
        if (!has_room(node)) {
            core.synchronize();
        }
        if (!has_room(node)) {
            core.stall(await_room(node, call, address), cause_of_room(place));
        }
        send_store(core, place, size, value);
    }
    core.spend(constants_.store_ticks);
}

void CoreAccesses::store_own(EpiphanyCore& core, const EpiphanyPlace& place, std::size_t size, std::uint64_t value) {
    core.spend(memory_.take_bank(place, core.now()) - core.now(), Cause::memory);
    deliveries_.land(core.identity().node, place, size, value, core.now());
}

Stall CoreAccesses::await_room(NodeIndex node, std::string_view call, std::uint64_t address) {
    nodes_[node].store_stalls = true;
    return {call, "room in the mesh", address};
}

void CoreAccesses::send_store(const EpiphanyCore& core, const EpiphanyPlace& place, std::size_t size,
                              std::uint64_t value) {
    const NodeIndex node = core.identity().node;
    writes_.issue(node, place.node);
    put_under_way(node, place, size, value, core.now());
}

void CoreAccesses::put_under_way(NodeIndex node, const EpiphanyPlace& place, std::size_t size, std::uint64_t value,
                                 Tick ready) {
    MeshTransaction transaction;
    transaction.size = static_cast<std::uint8_t>(size);
    transaction.requester = node;
    transaction.target = place;
    transaction.data = value;
    nodes_[node].unsent_store = mesh_.send(transaction, ready);
}

void CoreAccesses::transaction_left(NodeIndex node, TransactionId id, Tick tick) {
    Node& state = nodes_[node];
    if (state.unsent_store == id) {
        state.unsent_store = kNoTransaction;
        if (std::exchange(state.store_stalls, false)) {
            cores_.at(node).release(tick);
        }
    }
}

void CoreAccesses::value_arrived(NodeIndex node, std::uint64_t value, Tick tick) {
    Node& state = nodes_[node];
    state.has_value = true;
    state.value = value;
    if (std::exchange(state.load_stalls, false)) {
        cores_.at(node).release(tick);
    }
}

}  // namespace nocbench
