#include "device_model/epiphany/cores/undisturbed_copies.h"

#include <algorithm>
#include <span>
#include <utility>

#include "device_model/epiphany/epiphany_guest.h"
#include "device_model/epiphany/epiphany_state.h"

namespace nocbench {

namespace {

/// Fewer elements are simulated: reserving takes longer.
constexpr std::uint32_t kElementsMin = 4;

}  // namespace

UndisturbedCopies::UndisturbedCopies(const EpiphanyConstants& constants, const EpiphanyShape& shape, const Parts& parts,
                                     std::size_t num_nodes)
    : constants_(constants), shape_(shape), parts_(parts), copies_(num_nodes), copied_(num_nodes), num_to_(num_nodes) {}

bool UndisturbedCopies::may_begin(const EpiphanyCore& core, const Copy& copy) const {
    const NodeIndex from = core.identity().node;
    const NodeIndex to = copy.destination.node;
    const Observers& observers = parts_.simulation.observers;
    const bool is_observed = observers.delivered || observers.tamper || observers.finished || observers.booked;
    return is_enabled_ && !is_observed && copy.count >= kElementsMin && !copies_[from] &&
           !copy.destination.is_external && !copy.destination.is_register() && to != from &&
           !parts_.memory.dma_is_active(from) && parts_.accesses.has_room(from) &&
           parts_.mesh.is_free(from, to);
}

bool UndisturbedCopies::begin(EpiphanyCore& core, const Copy& copy) {
    if (!may_begin(core, copy)) {
        return false;
    }
    const NodeIndex from = core.identity().node;
    const NodeIndex to = copy.destination.node;
    const Pace& pace = pace_of(from, copy, core.now());
    if (pace.period == 0) {
        return false;
    }
    const std::size_t bytes = copy.count * copy.size;
    const EpiphanyGuest* const guest = parts_.memory.guest(to);
    if (!parts_.memory.is_idle(copy.source, bytes, core.now()) ||
        !parts_.memory.is_idle(copy.destination, bytes, core.now() + pace.latency) ||
        parts_.spins.watches(copy.destination, bytes) ||
        (guest != nullptr && guest->has_looked_at(copy.destination.offset, bytes))) {
        return false;
    }
    Reserved& reserved = copies_[from].emplace();
    reserved.copy = copy;
    reserved.pace = pace;
    reserved.begin = core.now();
    reserved.data.resize(bytes);
    parts_.memory.read(copy.source, reserved.data);
    parts_.memory.reserve(copy.source, bytes, from);
    parts_.memory.reserve(copy.destination, bytes, from);
    parts_.mesh.reserve(from, to);
    parts_.writes.issue(from, to, copy.count);
    ++num_to_[to];
    const std::uint32_t last = copy.count - 1;
    parts_.simulation.push(reserved.arrival(last), to, EpiphanySimulation::Action::copy_arrived, from);
    core.release(reserved.load(last));
    return true;
}

std::uint32_t UndisturbedCopies::end(EpiphanyCore& core) {
    const NodeIndex node = core.identity().node;
    if (std::optional<Reserved>& reserved = copies_[node]) {
        reserved->has_loaded_all = true;
        core.advance_to(core.now() + reserved->pace.period);
        copied_[node] = reserved->copy.count;
    }
    core.book_until_now(Cause::issue);
    return copied_[node];
}

std::uint32_t UndisturbedCopies::handled(const Reserved& reserved, EventKind kind, std::uint32_t place,
                                         Tick first) const {
    const Event& position = parts_.simulation.position;
    if (position.tick < first) {
        return 0;
    }
    const Tick since = position.tick - first;
    auto number = static_cast<std::uint32_t>(since / reserved.pace.period);
    const bool is_handled = since % reserved.pace.period != 0 || Event{position.tick, place, kind}.before(position);
    number += is_handled ? 1 : 0;
    return std::min(number, reserved.copy.count);
}

std::uint32_t UndisturbedCopies::num_arrived(const Reserved& reserved) const {
    return handled(reserved, EventKind::commit_write, reserved.copy.destination.node, reserved.arrival(0));
}

void UndisturbedCopies::deliver(NodeIndex copier, Reserved& reserved, std::uint32_t end) {
    const std::uint32_t begin = std::exchange(reserved.delivered, end);
    if (begin == end) {
        return;
    }
    const Copy& copy = reserved.copy;
    const std::uint32_t count = end - begin;
    EpiphanyPlace place = copy.destination;
    place.offset += begin * copy.size;
    // A guest that is ahead has not looked there.
    parts_.memory.write_reserved(place, std::span(reserved.data).subspan(begin * copy.size, count * copy.size));
    parts_.deliveries.count(place.node, count * copy.size);
    parts_.writes.land(copier, place.node, reserved.arrival(end - 1), count);
    parts_.mesh.count_passages(copier, place.node, count);
}

void UndisturbedCopies::release(NodeIndex copier, const Reserved& reserved, std::uint32_t loaded,
                                std::uint32_t arrived) {
    const Copy& copy = reserved.copy;
    parts_.memory.give_back(copy.source, copier);
    parts_.memory.give_back(copy.destination, copier);
    parts_.mesh.give_back(copier, copy.destination.node);
    --num_to_[copy.destination.node];
    const auto take_last_bank = [&](EpiphanyPlace place, std::uint32_t elements, Tick tick) {
        if (elements != 0) {
            place.offset += (elements - 1) * copy.size;
            static_cast<void>(parts_.memory.take_bank(place, tick));
        }
    };
    take_last_bank(copy.source, loaded, reserved.load(loaded - 1));
    take_last_bank(copy.destination, arrived, reserved.arrival(arrived - 1));
}

void UndisturbedCopies::arrived(NodeIndex copier, Tick tick) {
    if (!copies_[copier] || copies_[copier]->arrival(copies_[copier]->copy.count - 1) != tick) {
        return;  // was disturbed
    }
    Reserved reserved = *std::exchange(copies_[copier], std::nullopt);
    const std::uint32_t count = reserved.copy.count;
    release(copier, reserved, count, count);
    deliver(copier, reserved, count);
}

void UndisturbedCopies::disturb(NodeIndex copier) {
    if (!copies_[copier]) {
        return;
    }
    Reserved reserved = *std::exchange(copies_[copier], std::nullopt);
    const Copy& copy = reserved.copy;
    EpiphanyCore& core = parts_.cores.at(copier);
    const std::uint32_t loaded =
        reserved.has_loaded_all
            ? copy.count
            : handled(reserved, EventKind::resume_processor, core.identity().index, reserved.begin);
    const std::uint32_t arrived = num_arrived(reserved);
    release(copier, reserved, loaded, arrived);
    deliver(copier, reserved, arrived);
    parts_.writes.issue(copier, copy.destination.node, -std::int64_t{copy.count - loaded});
    const Tick load_to_store = reserved.pace.period - constants_.core.store_ticks;
    parts_.mesh.catch_up(reserved.load(arrived) + load_to_store, [&] {
        for (std::uint32_t element = arrived; element < loaded; ++element) {
            EpiphanyPlace place = copy.destination;
            place.offset += element * copy.size;
            std::uint64_t value = 0;
            std::ranges::copy(std::span(reserved.data).subspan(element * copy.size, copy.size),
                              std::as_writable_bytes(std::span(&value, 1)).begin());
            parts_.accesses.put_under_way(copier, place, copy.size, value, reserved.load(element) + load_to_store);
        }
    });
    if (!reserved.has_loaded_all) {
        copied_[copier] = loaded;
        core.resume_instead_at(reserved.load(loaded));
    }
}

void UndisturbedCopies::deliver_to(NodeIndex node) {
    for (std::size_t copier = 0; num_to_[node] != 0 && copier < copies_.size(); ++copier) {
        if (copies_[copier] && copies_[copier]->copy.destination.node == node) {
            deliver(static_cast<NodeIndex>(copier), *copies_[copier], num_arrived(*copies_[copier]));
        }
    }
}

void UndisturbedCopies::guest_has_executed(NodeIndex node) {
    const EpiphanyGuest* const guest = parts_.memory.guest(node);
    for (std::size_t copier = 0; num_to_[node] != 0 && copier < copies_.size(); ++copier) {
        const std::optional<Reserved>& reserved = copies_[copier];
        if (reserved && reserved->copy.destination.node == node &&
            guest->has_looked_at(reserved->copy.destination.offset, reserved->data.size())) {
            disturb(static_cast<NodeIndex>(copier));
        }
    }
}

const UndisturbedCopies::Pace& UndisturbedCopies::pace_of(NodeIndex from, const Copy& copy, Tick begin) {
    const Tick phase = begin % MeshPlane::kTicksPerNetworkCycle;
    const auto [pace, is_new] =
        paces_.try_emplace(std::tuple(from, copy.destination.node, copy.size, copy.kind, phase));
    if (is_new) {
        pace->second = measured(from, copy, phase);
    }
    return pace->second;
}

UndisturbedCopies::Pace UndisturbedCopies::measured(NodeIndex from, const Copy& copy, Tick phase) const {
    constexpr std::uint32_t kElements = 32;
    const Tick begin = ticks_from_cycles(100) + phase;
    EpiphanyState machine(constants_, shape_);
    machine.undisturbed.set_enabled(false);
    std::vector<Tick> arrivals;
    machine.observers.delivered = [&](const Delivery& delivery) { arrivals.push_back(delivery.tick); };
    Tick end = 0;
    Ledger ledger;
    const auto kernel = [&] {
        EpiphanyCore& core = EpiphanyCore::current();
        const std::uint32_t destination = shape_.global_address(shape_.core_at(copy.destination.node), 0);
        machine.copies.copy(core, "copy", destination, 0, kElements, copy.size, copy.kind);
        end = core.now();
        ledger = core.zones().front().ledger;
    };
    machine.add_kernel(shape_.core_at(from), "copy", kernel, begin);
    for (Tick step = machine.next_step(); step != kNever; step = machine.next_step()) {
        machine.step(step);
    }
    const Pace pace{(end - begin) / kElements, arrivals.front() - begin};
    bool is_regular = end - begin == pace.period * kElements && ledger.ticks(Cause::issue) == ledger.total();
    for (std::uint32_t element = 0; element < kElements; ++element) {
        is_regular = is_regular && arrivals.at(element) == begin + element * pace.period + pace.latency;
    }
    return is_regular ? pace : Pace{};
}

}  // namespace nocbench
