#include "device_model/epiphany/cores/undisturbed_copies.h"

#include <algorithm>
#include <utility>

#include "device_model/epiphany/epiphany_guest.h"
#include "device_model/epiphany/epiphany_state.h"

namespace nocbench {

namespace {

/// Fewer elements are simulated: reservations take longer.
constexpr std::uint32_t kElementsMin = 4;

using Way = EpiphanyMesh::Way;

/// Calls `act` with the ways of a copy between the memories of two cores: of its requests if it reads, and of its data.
template <class Act>
void for_each_way(NodeIndex copier, NodeIndex other, bool reads, const Act& act) {
    if (reads) {
        act(Way{Plane::read_request, copier, other});
        act(Way{Plane::on_chip_write, other, copier});
    } else {
        act(Way{Plane::on_chip_write, copier, other});
    }
}

}  // namespace

std::uint64_t UndisturbedCopies::Reserved::value(std::uint32_t element) const {
    std::uint64_t value = 0;
    std::ranges::copy(bytes(element, element + 1), std::as_writable_bytes(std::span(&value, 1)).begin());
    return value;
}

bool UndisturbedCopies::may_begin(NodeIndex copier, NodeIndex other, const Copy& copy) const {
    const Observers& observers = machine_.observers;
    const bool is_observed = observers.delivered || observers.tamper || observers.finished || observers.booked;
    const bool reads = copy.source.node == other;
    const EpiphanyPlace& there = reads ? copy.source : copy.destination;
    if (!is_enabled_ || is_observed || copy.count < kElementsMin || copies_[copier] || is_catching_up_ ||
        other == copier || there.is_external || there.is_register() || machine_.memory.dma_is_active(copier)) {
        return false;
    }
    if (reads && (machine_.memory.dma_is_active(other) ||
                  machine_.writes.issued(copier, other) != machine_.writes.landed(copier, other))) {
        return false;  // polls of the channel and reads, or writes before a read, may delay each other
    }
    bool is_free = machine_.accesses.has_room(copier);
    for_each_way(copier, other, reads, [&](const Way& way) { is_free = is_free && machine_.mesh.is_free(way); });
    return is_free;
}

bool UndisturbedCopies::guest_depends_on(NodeIndex node, const MemoryReservation& reservation) const {
    const EpiphanyGuest* const guest = machine_.memory.guest(node);
    return guest != nullptr && guest->depends_on(reservation.begin, reservation.end() - reservation.begin);
}

MemoryReservation UndisturbedCopies::Reserved::here(NodeIndex copier) const {
    const EpiphanyPlace& place = reads() ? copy.destination : copy.source;
    return {copier, reads(), place.offset, copy.size, copy.count, begin, pace.period, pace.busy_here};
}

MemoryReservation UndisturbedCopies::Reserved::there(NodeIndex copier) const {
    if (reads()) {  // the first element has been loaded
        return {copier,      false,         copy.source.offset + copy.size, copy.size, copy.count - 1, access_there(1),
                pace.period, kTicksPerCycle};
    }
    return {copier, true, copy.destination.offset, copy.size, copy.count, access_there(0), pace.period, kTicksPerCycle};
}

bool UndisturbedCopies::begin(EpiphanyCore& core, const Copy& copy, std::uint64_t first) {
    const NodeIndex copier = core.identity().node;
    const bool reads = copy.source.node != copier;
    const NodeIndex other = reads ? copy.source.node : copy.destination.node;
    if (!may_begin(copier, other, copy)) {
        return false;
    }
    const std::size_t bytes = copy.count * copy.size;
    Reserved reserved{copy, pace_of(copier, copy, core.now()), other, core.now(), {}, 0, false};
    if (reserved.pace.period == 0 || !machine_.memory.may_reserve(copier, reserved.here(copier)) ||
        !machine_.memory.may_reserve(other, reserved.there(copier)) ||
        machine_.spins.watches(reads ? copy.source : copy.destination, bytes) ||
        guest_depends_on(other, reserved.there(copier))) {
        return false;
    }
    reserved.data.resize(bytes);
    machine_.memory.read(copy.source, reserved.data);
    if (reads) {
        std::ranges::copy(std::as_bytes(std::span(&first, 1)).first(copy.size), reserved.data.begin());
    }
    reserve(copier, reserved);
    const std::uint32_t last = copy.count - 1;
    if (!reads) {
        machine_.writes.issue(copier, other, copy.count);
        machine_.push(reserved.access_there(last), other, EpiphanySimulation::Action::copy_arrived, copier);
    }
    core.release(reserved.access(last));
    copies_[copier] = std::move(reserved);
    return true;
}

UndisturbedCopies::Copied UndisturbedCopies::end(EpiphanyCore& core) {
    const NodeIndex copier = core.identity().node;
    Copied& copied = copied_[copier];
    if (std::optional<Reserved>& reserved = copies_[copier]) {
        const std::uint32_t count = reserved->copy.count;
        if (reserved->reads()) {
            copied = {count - 1, reserved->value(count - 1), reserved->pace.ledger};
            deliver(copier, *reserved, count - 1);
            give_back(copier, *reserved);
            reserved.reset();
        } else {
            reserved->has_accessed_all = true;  // the last stores are under way
            copied = {count, 0, reserved->pace.ledger};
            core.advance_to(core.now() + reserved->pace.period);
        }
    }
    core.book_elapsed(copied.ledger, copied.count);
    return copied;
}

void UndisturbedCopies::reserve(NodeIndex copier, const Reserved& reserved) {
    machine_.memory.reserve(copier, reserved.here(copier));
    machine_.memory.reserve(reserved.other, reserved.there(copier));
    for_each_way(copier, reserved.other, reserved.reads(), [&](const Way& way) { machine_.mesh.reserve(way, copier); });
    ++num_with_[reserved.other];
}

void UndisturbedCopies::give_back(NodeIndex copier, const Reserved& reserved) {
    machine_.memory.give_back(copier, copier);
    machine_.memory.give_back(reserved.other, copier);
    for_each_way(copier, reserved.other, reserved.reads(), [&](const Way& way) { machine_.mesh.give_back(way); });
    --num_with_[reserved.other];
}

std::uint32_t UndisturbedCopies::handled(const Reserved& reserved, EventKind kind, std::uint32_t place,
                                         Tick first) const {
    const Event& position = machine_.position;
    if (position.tick < first) {
        return 0;
    }
    const Tick since = position.tick - first;
    const bool is_handled = since % reserved.pace.period != 0 || Event{position.tick, place, kind}.before(position);
    return std::min(static_cast<std::uint32_t>(since / reserved.pace.period) + (is_handled ? 1 : 0),
                    reserved.copy.count);
}

std::uint32_t UndisturbedCopies::num_accessed(NodeIndex copier, const Reserved& reserved) const {
    return reserved.has_accessed_all ? reserved.copy.count
                                     : handled(reserved, EventKind::resume_processor,
                                               machine_.cores.at(copier).identity().index, reserved.begin);
}

std::uint32_t UndisturbedCopies::num_arrived(const Reserved& reserved) const {
    return handled(reserved, EventKind::commit_write, reserved.other, reserved.access_there(0));
}

void UndisturbedCopies::deliver(NodeIndex copier, Reserved& reserved, std::uint32_t end) {
    const std::uint32_t begin = std::exchange(reserved.delivered, end);
    if (begin == end) {
        return;
    }
    const std::span<const std::byte> bytes = reserved.bytes(begin, end);
    EpiphanyPlace place = reserved.copy.destination;
    place.offset += begin * reserved.copy.size;
    // Unseen by a guest: what it has executed ahead does not depend on them.
    machine_.memory.write_reserved(place, bytes);
    machine_.deliveries.count(place.node, bytes.size());
    if (!reserved.reads()) {
        machine_.writes.land(copier, place.node, reserved.access_there(end - 1), end - begin);
    }
    for_each_way(copier, reserved.other, reserved.reads(),
                 [&](const Way& way) { machine_.mesh.count_passages(way, end - begin); });
}

void UndisturbedCopies::arrived(NodeIndex copier, Tick tick) {
    std::optional<Reserved>& held = copies_[copier];
    if (!held || held->reads() || held->access_there(held->copy.count - 1) != tick) {
        return;  // was disturbed
    }
    Reserved reserved = std::move(*held);
    held.reset();
    const std::uint32_t count = reserved.copy.count;
    give_back(copier, reserved);
    deliver(copier, reserved, count);
    note_accesses(reserved, count, count);
}

void UndisturbedCopies::note_accesses(const Reserved& reserved, std::uint32_t accessed, std::uint32_t arrived) {
    const auto note_last = [&](EpiphanyPlace place, std::uint32_t elements, Tick first) {
        if (elements != 0) {
            place.offset += (elements - 1) * reserved.copy.size;
            machine_.memory.note_access(place, first + (elements - 1) * reserved.pace.period + kTicksPerCycle);
        }
    };
    note_last(reserved.copy.source, accessed, reserved.access(0));
    note_last(reserved.copy.destination, arrived, reserved.access_there(0));
}

void UndisturbedCopies::disturb(NodeIndex copier) {
    std::optional<Reserved>& held = copies_[copier];
    if (!held) {
        return;
    }
    Reserved reserved = std::move(*held);
    held.reset();
    give_back(copier, reserved);
    is_catching_up_ = true;
    if (reserved.reads()) {
        get_under_way(copier, reserved);
    } else {
        put_under_way(copier, reserved);
    }
    is_catching_up_ = false;
}

void UndisturbedCopies::put_under_way(NodeIndex copier, Reserved& reserved) {
    const Copy& copy = reserved.copy;
    const std::uint32_t loaded = num_accessed(copier, reserved);
    const std::uint32_t arrived = num_arrived(reserved);
    deliver(copier, reserved, arrived);
    note_accesses(reserved, loaded, arrived);
    machine_.writes.issue(copier, reserved.other, -std::int64_t{copy.count - loaded});
    const Tick load_to_store = reserved.pace.period - machine_.constants.core.store_ticks;
    if (arrived != loaded) {
        machine_.catch_up(reserved.access(arrived) + load_to_store, [&] {
            EpiphanyPlace place = copy.destination;
            for (std::uint32_t element = arrived; element < loaded; ++element) {
                place.offset = copy.destination.offset + element * copy.size;
                machine_.accesses.put_under_way(copier, place, copy.size, reserved.value(element),
                                                reserved.access(element) + load_to_store);
            }
        });
    }
    if (!reserved.has_accessed_all) {
        copied_[copier] = {loaded, 0, reserved.pace.ledger};
        machine_.cores.at(copier).resume_instead_at(reserved.access(loaded));
    }
}

void UndisturbedCopies::get_under_way(NodeIndex copier, Reserved& reserved) {
    // The core stores the last element that it has received again, and goes on from there.
    const std::uint32_t last = num_accessed(copier, reserved) - 1;
    deliver(copier, reserved, last);
    copied_[copier] = {last, reserved.value(last), reserved.pace.ledger};
    machine_.memory.set_past(reserved.copy.source, reserved.data);
    machine_.catch_up(reserved.access(last),
                      [&] { machine_.cores.at(copier).resume_instead_at(reserved.access(last)); });
    machine_.memory.set_past({}, {});
}

void UndisturbedCopies::deliver_to(NodeIndex node) {
    for (std::size_t copier = 0; num_with_[node] != 0 && copier < copies_.size(); ++copier) {
        std::optional<Reserved>& reserved = copies_[copier];
        if (reserved && reserved->other == node && !reserved->reads()) {
            deliver(static_cast<NodeIndex>(copier), *reserved, num_arrived(*reserved));
        }
    }
}

void UndisturbedCopies::guest_has_executed(NodeIndex node) {
    for (std::size_t copier = 0; num_with_[node] != 0 && copier < copies_.size(); ++copier) {
        const std::optional<Reserved>& reserved = copies_[copier];
        const auto holder = static_cast<NodeIndex>(copier);
        if (reserved && reserved->other == node && guest_depends_on(node, reserved->there(holder))) {
            disturb(holder);
        }
    }
}

const UndisturbedCopies::Pace& UndisturbedCopies::pace_of(NodeIndex copier, const Copy& copy, Tick begin) {
    const Tick phase = begin % MeshPlane::kTicksPerNetworkCycle;
    const auto [pace, is_new] =
        paces_.try_emplace(std::tuple(copier, copy.source.node, copy.destination.node, copy.size, copy.kind, phase));
    if (is_new) {
        pace->second = measured(copier, copy, phase);
    }
    return pace->second;
}

UndisturbedCopies::Pace UndisturbedCopies::measured(NodeIndex copier, const Copy& copy, Tick phase) const {
    constexpr std::uint32_t kElements = 32;
    const EpiphanyShape& shape = machine_.shape;
    EpiphanyState idle(machine_.constants, shape);
    idle.undisturbed.set_enabled(false);
    std::vector<Tick> arrivals;
    idle.observers.delivered = [&](const Delivery& delivery) { arrivals.push_back(delivery.tick); };
    const Tick begin = ticks_from_cycles(100) + phase;
    Tick end = 0;
    Ledger ledger;
    const auto address = [&](const EpiphanyPlace& place) {
        return place.node == copier ? 0 : shape.global_address(shape.core_at(place.node), 0);
    };
    idle.add_kernel(
        shape.core_at(copier), "copy",
        [&] {
            EpiphanyCore& core = EpiphanyCore::current();
            idle.copies.copy(core, "copy", address(copy.destination), address(copy.source), kElements, copy.size,
                             copy.kind);
            end = core.now();
            ledger = core.zones().front().ledger;
        },
        begin);
    for (Tick next = idle.next_step(); next != kNever; next = idle.next_step()) {
        idle.step(next);
    }

    Pace pace;
    pace.period = (end - begin) / kElements;
    const bool reads = copy.source.node != copier;
    const Tick first = reads ? arrivals.front() : begin;  // access to the core's own memory
    const Tick to_last = (kElements - 1) * pace.period;
    const NodeIndex other = reads ? copy.source.node : copy.destination.node;
    pace.latency = idle.memory.busy_until(other, 0) - kTicksPerCycle - first - to_last;
    pace.busy_here = idle.memory.busy_until(copier, 0) - first - to_last;
    bool is_regular = end - begin == pace.period * kElements && first % MeshPlane::kTicksPerNetworkCycle == phase;
    for (std::uint32_t element = 0; element < kElements; ++element) {
        is_regular = is_regular && arrivals.at(element) == first + element * pace.period + (reads ? 0 : pace.latency);
    }
    for (std::size_t cause = 0; cause < kNumCauses; ++cause) {
        const Tick ticks = ledger.ticks(static_cast<Cause>(cause));
        pace.ledger.book(static_cast<Cause>(cause), ticks / kElements);
        is_regular = is_regular && ticks % kElements == 0;
    }
    return is_regular ? pace : Pace{};
}

}  // namespace nocbench
