// Loads and stores of cores, and their transactions on the mesh.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "device_model/epiphany/epiphany_guest.h"
#include "device_model/epiphany/epiphany_state.h"
#include "device_model/sim/error.h"

namespace nocbench {

namespace {

// Register whose bits request interrupts. Source: Epiphany Architecture Reference, ILATST.
constexpr std::uint64_t kInterruptRegister = 0xf042c;

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

}  // namespace

std::uint64_t EpiphanyState::load(EpiphanyCore& core, std::string_view call, std::uint64_t address, std::size_t size,
                                  int instructions_meanwhile, ReadKind kind, std::optional<Cause> cause) {
    take_interrupts(core);
    const EpiphanyCoreConstants& costs = constants_.core;
    const NodeIndex index = core.identity().node;
    const Place place = place_of(index, address, size, call);
    const bool has_core_id = address >> 20U != 0;
    if (place.node == index && !place.is_external && !has_core_id && kind != ReadKind::testset) {
        core.synchronize();
        core.spend(take_bank(index, place.offset, core.now()) - core.now(), Cause::memory);
        const std::uint64_t value = read_word(place, size);
        core.spend(costs.load_ticks);
        const Tick use = kind == ReadKind::load_ahead ? 0 : costs.local_load_use_ticks;
        core.spend(instructions_meanwhile > 0 ? instructions_meanwhile * costs.instruction_ticks : use);
        return value;
    }
    // Uses the mesh even for own memory if it is addressed with the core's id.
    send_read(index, place, size, kind, core.now());
    Node& node = nodes_[index];
    core.spend(costs.load_ticks);
    core.spend(instructions_meanwhile * costs.instruction_ticks);
    core.synchronize();
    if (!node.load_has_value) {
        node.load_stalls = true;
        core.stall({call, "the data to come back", address},
                   cause.value_or(place.is_external ? Cause::memory : Cause::round_trip));
    }
    return node.load_value;
}

void EpiphanyState::store(EpiphanyCore& core, std::string_view call, std::uint64_t address, std::size_t size,
                          std::uint64_t value) {
    take_interrupts(core);
    const NodeIndex index = core.identity().node;
    const Place place = writable_place_of(index, address, size, call);
    if (place.node == index && !place.is_external) {
        core.synchronize();
        core.spend(take_bank(index, place.offset, core.now()) - core.now(), Cause::memory);
        land(index, place, size, value, core.now());
        core.spend(constants_.core.store_ticks);
        return;
    }
    Node& node = nodes_[index];
    if (node.unsent_store != kNoTransaction) {
        core.synchronize();
        if (node.unsent_store != kNoTransaction) {
            node.store_stalls = true;
            core.stall({call, "room in the mesh", address}, place.is_external ? Cause::memory : Cause::contention);
        }
    }
    send_store(index, place, size, value, core.now());
    core.spend(constants_.core.store_ticks);
}

void EpiphanyState::send_read(NodeIndex index, const Place& place, std::size_t size, ReadKind kind, Tick tick) {
    MeshTransaction transaction;
    transaction.kind = kind == ReadKind::testset ? MeshTransaction::Kind::testset : MeshTransaction::Kind::read;
    transaction.size = static_cast<std::uint8_t>(size);
    transaction.requester = index;
    transaction.reply_node = index;
    transaction.target = place;
    transaction.writes_before = writes(index, place.node).issued;
    nodes_[index].load_has_value = false;
    send(Plane::read_request, index, MeshPort::core, place.node, transactions_.allocate(transaction), tick);
}

void EpiphanyState::send_store(NodeIndex index, const Place& place, std::size_t size, std::uint64_t value, Tick tick) {
    MeshTransaction transaction;
    transaction.size = static_cast<std::uint8_t>(size);
    transaction.requester = index;
    transaction.target = place;
    transaction.data = value;
    ++writes(index, place.node).issued;
    Node& node = nodes_[index];
    node.unsent_store = transactions_.allocate(transaction);
    send(place.is_external ? Plane::off_chip_write : Plane::on_chip_write, index, MeshPort::core, place.node,
         node.unsent_store, tick);
}

EpiphanyState::Place EpiphanyState::writable_place_of(NodeIndex index, std::uint64_t address, std::size_t size,
                                                      std::string_view call) const {
    const Place place = place_of(index, address, size, call);
    if (!place.is_external && place.offset >= kRegisterOffset && place.offset != kInterruptRegister) {
        throw KernelError(
            fmt::format("{}: expected a writable register, found 0x{:05x}", caller(index, call), place.offset));
    }
    return place;
}

std::uint32_t EpiphanyState::spin(EpiphanyCore& core, std::string_view call, std::uint64_t address, Tick period,
                                  const std::function<bool(std::uint32_t)>& is_met, std::string_view waiting_for) {
    constexpr std::size_t kWordBytes = 4;
    const NodeIndex index = core.identity().node;
    const Place place = place_of(index, address, kWordBytes, call);
    if (place.is_external || place.node != index) {
        throw KernelError(fmt::format("{}: expected an address in the core's own memory, found 0x{:08x}",
                                      caller(index, call), address));
    }
    take_interrupts(core);
    core.synchronize();
    const Tick look = constants_.core.load_ticks + constants_.core.local_load_use_ticks;
    while (!is_met(static_cast<std::uint32_t>(read_word(place, kWordBytes)))) {
        Node& node = nodes_[index];
        node.spins_until = &is_met;
        node.spin_offset = place.offset;
        node.spin_since = core.now();
        node.spin_period = period;
        stall_interruptibly(core, {call, waiting_for, address});
        if (!std::exchange(node.was_interrupted, false)) {
            break;  // met at the write, even if not any more
        }
        take_interrupts(core);
        core.synchronize();
    }
    core.spend(look);
    return static_cast<std::uint32_t>(read_word(place, kWordBytes));
}

void EpiphanyState::notify_memory(NodeIndex index, Tick tick) {
    Node& node = nodes_[index];
    if (node.spins_until == nullptr) {
        return;
    }
    const Place place{false, index, node.spin_offset};
    if (!(*node.spins_until)(static_cast<std::uint32_t>(read_word(place, sizeof(std::uint32_t))))) {
        return;
    }
    node.spins_until = nullptr;
    node.waits_interruptibly = false;
    core_of(node).release(next_of_period(node.spin_since, node.spin_period, tick));
}

void EpiphanyState::wired_and(EpiphanyCore& core, std::string_view call) {
    core.synchronize();
    const NodeIndex index = core.identity().node;
    nodes_[index].has_reached_barrier = true;
    const bool is_last = std::ranges::all_of(
        cores_, [&](const auto& other) { return nodes_[other->identity().node].has_reached_barrier; });
    if (!is_last) {
        Node& node = nodes_[index];
        do {
            stall_interruptibly(core, {call, "all other cores to reach the barrier", 0});
            if (!std::exchange(node.was_interrupted, false)) {
                return;
            }
            take_interrupts(core);
            core.synchronize();
        } while (node.has_reached_barrier);
        return;
    }
    nodes_[index].has_reached_barrier = false;
    release_wired_and(core);
    core.spend(constants_.core.wired_and_ticks, Cause::semaphore);
}

void EpiphanyState::release_wired_and(EpiphanyCore& core) {
    core.synchronize();
    for (const auto& other : cores_) {
        Node& node = nodes_[other->identity().node];
        // A core in an interrupt handler checks the barrier afterwards.
        if (std::exchange(node.has_reached_barrier, false) && std::exchange(node.waits_interruptibly, false)) {
            other->release(core.now() + constants_.core.wired_and_ticks);
        }
    }
}

void EpiphanyState::idle(EpiphanyCore& core, std::string_view call) {
    core.synchronize();
    Node& node = nodes_[core.identity().node];
    if (!node.interrupt_is_pending) {
        node.is_idle = true;
        core.stall({call, "an interrupt", 0}, Cause::semaphore);
    }
    node.interrupt_is_pending = false;
    core.spend(constants_.core.interrupt_ticks);
}

void EpiphanyState::request_interrupt(NodeIndex index, Tick tick) {
    Node& node = nodes_[index];
    node.interrupt_is_pending = true;
    if (node.is_idle) {
        node.is_idle = false;
        core_of(node).release(tick);
        return;
    }
    if (!node.interrupt_handler || node.is_in_handler) {
        return;
    }
    if (std::exchange(node.waits_interruptibly, false)) {
        node.was_interrupted = true;
        node.spins_until = nullptr;
        core_of(node).release(tick);
    } else if (std::exchange(node.computes, false)) {
        core_of(node).resume_instead_at(tick);
    } else if (node.guest != nullptr) {
        node.guest->interrupt(tick);
    }
}

void EpiphanyState::stall_interruptibly(EpiphanyCore& core, const Stall& stall) {
    Node& node = nodes_[core.identity().node];
    if (has_interrupt(core)) {
        node.spins_until = nullptr;
        node.was_interrupted = true;
        return;
    }
    node.waits_interruptibly = true;
    core.stall(stall, Cause::semaphore);
}

void EpiphanyState::compute(EpiphanyCore& core, Tick ticks) {
    Node& node = nodes_[core.identity().node];
    if (!node.interrupt_handler || node.is_in_handler) {
        core.spend(ticks);
        return;
    }
    for (Tick left = ticks; left > 0;) {
        take_interrupts(core);
        const Tick begin = core.now();
        core.advance_to(begin + left);
        node.computes = true;
        core.synchronize();
        node.computes = false;
        core.book_until_now(Cause::issue);
        left -= core.now() - begin;
    }
}

void EpiphanyState::set_interrupt_handler(EpiphanyCore& core, std::function<void()> handler) {
    nodes_[core.identity().node].interrupt_handler = std::move(handler);
}

bool EpiphanyState::has_interrupt(const EpiphanyCore& core) const {
    const Node& node = nodes_[core.identity().node];
    return node.interrupt_is_pending && node.interrupt_handler && !node.is_in_handler;
}

void EpiphanyState::take_interrupts(EpiphanyCore& core) {
    Node& node = nodes_[core.identity().node];
    while (has_interrupt(core)) {
        node.interrupt_is_pending = false;
        node.is_in_handler = true;
        core.spend(constants_.core.interrupt_ticks);
        node.interrupt_handler();
        node.is_in_handler = false;
    }
}

std::uint32_t EpiphanyState::interrupt_address(LogicalCoordinate core) const {
    return global_address(core, static_cast<std::uint32_t>(kInterruptRegister));
}

// On the mesh

EpiphanyState::TransactionTimes& EpiphanyState::times(TransactionId id) {
    if (id >= times_.size()) {
        times_.resize(id + 1);
    }
    return times_[id];
}

void EpiphanyState::transaction_left(Plane /*plane*/, NodeIndex index, MeshPort port, TransactionId id, Tick tick) {
    Node& node = nodes_[index];
    if (observers.finished) {
        (port == MeshPort::reply ? times(id).reply_left : times(id).left) = tick;
    }
    if (port == MeshPort::core && node.unsent_store == id) {
        node.unsent_store = kNoTransaction;
        if (node.store_stalls) {
            node.store_stalls = false;
            core_of(node).release(tick);
        }
    } else if (port == MeshPort::dma) {
        dma_transaction_left(index, transactions_[id].channel, tick);
    }
}

void EpiphanyState::transaction_arrived(Plane plane, NodeIndex index, TransactionId id, Tick tick) {
    const MeshTransaction& transaction = transactions_[id];
    if (observers.finished && !transaction.is_reply) {
        times(id).arrived = tick;
    }
    const std::optional<std::size_t> engine =
        transaction.is_dma ? std::optional(std::size_t{transaction.requester} * kNumDmaChannels + transaction.channel)
                           : std::nullopt;
    const auto close_until = [&](std::optional<Tick> until) {
        if (until && *until > tick) {
            planes_[static_cast<std::size_t>(plane)]->block_arrivals(index, true);
            planes_[static_cast<std::size_t>(plane)]->call_at(index, *until);
        }
    };
    if (plane == Plane::on_chip_write) {
        push_event(tick, EventKind::commit_write, index, Action::commit, id);
    } else if (plane == Plane::off_chip_write) {
        const Elink::Service service =
            elink_.write(transaction.target.offset, transaction.size, transaction.is_dma, tick);
        close_until(service.closed_until);
        push_event(service.done, EventKind::commit_write, index, Action::commit, id);
    } else if (transaction.target.is_external) {
        const Elink::Service service = elink_.read(engine, tick);
        close_until(service.closed_until);
        push_event(service.done, EventKind::complete_transaction, index, Action::serve_read, id);
    } else {
        if (transaction.requester != index || transaction.is_dma) {
            ++nodes_[index].reads_of_others;
            resume_polls(index, tick, 0);
        }
        close_until(tick + constants_.core.read_recovery_ticks);
        push_event(tick + constants_.core.remote_read_ticks, EventKind::complete_transaction, index, Action::serve_read,
                   id);
    }
}

void EpiphanyState::time_reached(Plane plane, NodeIndex index, Tick /*tick*/) {
    planes_[static_cast<std::size_t>(plane)]->block_arrivals(index, false);
}

void EpiphanyState::serve_read(TransactionId id, Tick tick) {
    MeshTransaction& transaction = transactions_[id];
    const Place& target = transaction.target;
    if (constants_.mesh.reads_follow_writes != 0 &&
        writes(transaction.requester, target.node).landed < transaction.writes_before) {
        push_event(tick + kTicksPerCycle, EventKind::complete_transaction, target.node, Action::serve_read, id);
        return;
    }
    const Tick ready = target.is_external ? tick : take_bank(target.node, target.offset, tick);
    announce_read(target, transaction.size, tick);
    transaction.data = read_word(target, transaction.size);
    nodes_[target.node].status_tick = ready;
    if (transaction.kind == MeshTransaction::Kind::testset && transaction.data == 0) {
        deliver(TransactionKind::write, transaction.requester, target, transaction.size, 1, ready);
    }
    transaction.is_reply = true;
    const bool is_testset = transaction.kind == MeshTransaction::Kind::testset;
    send(Plane::on_chip_write, target.node, MeshPort::reply, transaction.reply_node, id,
         ready + (is_testset ? constants_.core.testset_ticks : 0));
}

Cause EpiphanyState::start_cause_of(const MeshTransaction& transaction) {
    if (transaction.target.is_external) {
        return Cause::memory;
    }
    if (transaction.kind != MeshTransaction::Kind::write) {
        return Cause::round_trip;
    }
    return transaction.is_dma ? Cause::link : Cause::contention;
}

void EpiphanyState::report(const MeshTransaction& transaction, const TransactionTimes& times, Tick tick) {
    const Place& target = transaction.target;
    const bool is_write = transaction.kind == MeshTransaction::Kind::write;
    TransactionRecord record;
    if (is_write) {
        record.kind = transaction.is_dma ? "DMA write" : "write";
    } else if (transaction.kind == MeshTransaction::Kind::testset) {
        record.kind = "test and set";
    } else if (target.node == transaction.requester && !target.is_external && target.offset >= kRegisterOffset) {
        record.kind = "poll";
    } else {
        record.kind = transaction.is_dma ? "DMA read" : "read";
    }
    const Plane plane_of_writes = target.is_external ? Plane::off_chip_write : Plane::on_chip_write;
    record.noc = static_cast<std::uint8_t>(is_write ? plane_of_writes : Plane::read_request);
    record.posted = is_write;
    record.bytes = transaction.size;
    record.from = transaction.requester;
    record.to = target.node;
    record.hops = static_cast<std::uint16_t>(mesh_.topology.hops(record.from, record.to));
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
        record.response_hops = static_cast<std::uint16_t>(mesh_.topology.hops(record.to, transaction.reply_node));
        record.phases.push_back({&kRequestOnTheMesh, times.arrived});
        record.phases.push_back({target.is_external ? &kReadThroughTheLink : &kRead, times.reply_ready});
        record.phases.push_back({&kReplyWaits, times.reply_left});
        record.phases.push_back({&kReplyOnTheMesh, tick});
    }
    observers.finished(record);
}

void EpiphanyState::land(NodeIndex source, const Place& place, std::size_t size, std::uint64_t value, Tick tick) {
    if (!place.is_external && place.offset == kInterruptRegister) {
        request_interrupt(place.node, tick);
    } else {
        deliver(TransactionKind::write, source, place, size, value, tick);
    }
}

void EpiphanyState::commit(TransactionId id, Tick tick) {
    const MeshTransaction transaction = transactions_[id];
    transactions_.release(id);
    if (observers.finished) {
        report(transaction, times(id), tick);
    }
    if (!transaction.is_reply) {
        ++writes(transaction.requester, transaction.target.node).landed;
        land(transaction.requester, transaction.target, transaction.size, transaction.data, tick);
        note_landing(transaction.requester, tick);
        return;
    }
    if (transaction.is_dma) {
        deliver(TransactionKind::read, transaction.target.node,
                {false, transaction.reply_node, transaction.reply_offset}, transaction.size, transaction.data, tick);
        dma_reply_arrived(transaction.requester, transaction.channel, tick);
        return;
    }
    Node& node = nodes_[transaction.requester];
    node.load_has_value = true;
    node.load_value = transaction.data;
    if (node.load_stalls) {
        node.load_stalls = false;
        core_of(node).release(tick);
    }
}

}  // namespace nocbench
