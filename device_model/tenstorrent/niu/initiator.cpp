#include "device_model/tenstorrent/niu/initiator.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "device_model/tenstorrent/checks/perturbation.h"
#include "device_model/tenstorrent/checks/race_check.h"
#include "device_model/tenstorrent/risc.h"
#include "device_model/tenstorrent/transaction_record.h"

namespace nocbench {

namespace {

// Delay from the arrival of a response to the update of the NIU's counter.
constexpr Cycle kCounterUpdateCycles = 1;

}  // namespace

Initiator::Initiator(NiuEnvironment& environment, NodeIndex node)
    : environment_(environment),
      node_(node),
      registers_(environment.architecture().niu.has_registers_per_risc != 0 ? at(environment.architecture().num_riscs())
                                                                            : 1),
      reads_(environment.architecture().niu.outstanding_reads_max) {
    last_on_channel_.fill(kNoTransaction);
}

Initiator::Registers& Initiator::registers(const Transaction& command) {
    return registers_.size() == 1 ? registers_.front()
                                  : registers_[at(environment_.state.riscs[command.issuer]->identity().processor)];
}

void Initiator::submit(TransactionId id, Tick tick) {
    Transaction& transaction = environment_.transaction(id);
    Registers& its = registers(transaction);
    transaction.accepted = cycle_at_or_after(tick) + environment_.architecture().niu.command_accept_cycles;
    if (Perturbation* const perturbation = environment_.state.perturbation.get()) {
        transaction.accepted += perturbation->next(Perturbation::Kind::command, node_, environment_.noc);
        last_accepted_ = std::max(last_accepted_, transaction.accepted);
        transaction.accepted = last_accepted_;
    }
    its.buffers[transaction.command_buffer].is_busy = true;
    if (!transaction.posted) {
        its.counters.outstanding[transaction.id] += std::max<std::uint32_t>(1, transaction.num_receivers);
    }
    if (transaction.kind == TransactionKind::read) {
        ++its.counters.reads_sent;
    } else if (transaction.kind == TransactionKind::write) {
        ++its.counters.writes_outgoing[transaction.id];
        if (!transaction.has_inline_data) {
            environment_.state.leaving_data.expect(id);
        }
    }
    // Sorts by time, not by order of calls: kernels run ahead of the network by different times.
    const auto is_earlier = [this](TransactionId left, TransactionId right) {
        const Transaction& one = environment_.transaction(left);
        const Transaction& other = environment_.transaction(right);
        return std::tie(one.accepted, one.command_buffer) < std::tie(other.accepted, other.command_buffer);
    };
    commands_.insert(std::ranges::upper_bound(commands_, id, is_earlier), id);
    environment_.network->wake_interface(node_, transaction.accepted);
}

void Initiator::clear_outstanding(std::uint32_t ids) {
    for (std::size_t id = 0; id < kNumTransactionIds; ++id) {
        if ((ids >> id & 1U) != 0) {
            registers_.front().counters.outstanding[id] = 0;
        }
    }
}

Initiator::Waiter& Initiator::waiter(int buffer, const Risc& risc) {
    const int processor = risc.identity().processor;
    return registers(processor).buffers[at(buffer)].waiters[at(processor)];
}

void Initiator::wait_for_buffer(int buffer, const Risc& risc, Tick since) {
    waiter(buffer, risc) = {true, risc.identity().index, since};
}

void Initiator::resume_waiters(const Transaction& command, Cycle cycle) {
    DeviceState& state = environment_.state;
    for (Waiter& waiter : registers(command).buffers[command.command_buffer].waiters) {
        if (!waiter.present) {
            continue;
        }
        waiter.present = false;
        Risc& risc = *state.riscs[waiter.risc];
        if (!risc.is_waiting()) {
            continue;  // its wait has already ended otherwise
        }
        const Tick resumed = risc.command_buffer_freed(ticks_from_cycles(cycle));
        const Tick waited = resumed - waiter.since;
        const TransactionId ahead = last_on_channel_[command.software_virtual_channel];
        if (command.start_cause == Cause::link && ahead != kNoTransaction) {
            // Defers the booking: the speed of the packet ahead is known only when it arrives.
            environment_.transaction(ahead).deferred_waits.push_back({risc.zone(), waiter.since, waited});
        } else if (command.start_cause == Cause::window) {
            state.book_wait(risc.zone(), reads_.opener(), waiter.since, resumed, Cause::window);
        } else {
            state.book(risc.zone(), command.start_cause, waited);
        }
        risc.resume_at(resumed);
    }
}

Cycle Initiator::start_commands(Cycle cycle) {
    reads_.retire(cycle);
    while (!commands_.empty()) {
        const Cycle start = front_command_start(cycle);
        if (start > cycle) {
            return start;
        }
        start_front_command(cycle);
    }
    return kNever;
}

bool Initiator::has_commands_at(Cycle cycle) const {
    return !commands_.empty() && environment_.transaction(commands_.front()).accepted <= cycle;
}

Cycle Initiator::front_command_start(Cycle cycle) {
    Transaction& transaction = environment_.transaction(commands_.front());
    if (cycle < transaction.accepted) {
        return transaction.accepted;
    }
    if (awaits_path_) {
        // The next call of a chain gets its VC once the chain has its tree.
        transaction.start_cause = Cause::reservation;
        return kNever;
    }
    if (!environment_.network->can_start_stream(node_, transaction.software_virtual_channel)) {
        transaction.start_cause = Cause::link;
        return kNever;
    }
    if (transaction.kind == TransactionKind::read) {
        if (reads_.is_full()) {
            transaction.start_cause = Cause::window;
            return reads_.next_end();
        }
        const Tick earliest = earliest_start(transaction);
        if (ticks_from_cycles(cycle + 1) <= earliest) {
            transaction.start_cause = Cause::issue;
            return cycle_containing(earliest);
        }
    }
    return cycle;
}

Tick Initiator::earliest_start(const Transaction& read) const {
    const Tick gap = environment_.state.endpoint(read.memory).same_responder_read_gap_ticks;
    if (last_read_responder_ == read.responder && read.names_tile &&
        ticks_from_cycles(read.accepted) - last_read_tick_ < gap) {
        const auto noc = static_cast<std::size_t>(environment_.noc);
        return last_read_tick_ + environment_.architecture().niu.same_responder_read_interval_ticks[noc];
    }
    return 0;
}

void Initiator::start_front_command(Cycle cycle) {
    const TransactionId id = commands_.front();
    Transaction& transaction = environment_.transaction(id);
    transaction.started = cycle;
    Cycle start = cycle;
    if (transaction.kind == TransactionKind::read) {
        start_read(transaction, cycle);
    } else if (transaction.kind == TransactionKind::write) {
        start = first_data_flit(transaction, cycle);
    }
    send_request(id, start);

    commands_.pop_front();
    CommandBuffer& buffer = registers(transaction).buffers[transaction.command_buffer];
    buffer.is_busy = false;
    buffer.freed = cycle;
    resume_waiters(transaction, cycle);
    last_on_channel_[transaction.software_virtual_channel] = id;
}

void Initiator::start_read(Transaction& read, Cycle cycle) {
    last_read_tick_ = std::max(earliest_start(read), ticks_from_cycles(cycle));
    last_read_responder_ = read.responder;
    reads_.begin_read();
    environment_.read_busy_times.request_started(read, cycle);
}

Cycle Initiator::first_data_flit(Transaction& write, Cycle cycle) const {
    if (write.has_inline_data) {
        write.payload.resize(write.bytes);
        std::memcpy(write.payload.data(), &write.operand, write.bytes);
        return cycle;
    }
    // L1 is read ahead of the VC grant so that back-to-back packets leave no gap.
    return std::max(cycle, write.accepted + environment_.architecture().l1.read_latency_cycles);
}

void Initiator::send_request(TransactionId id, Cycle start) {
    const Transaction& transaction = environment_.transaction(id);
    const bool carries_data = transaction.kind == TransactionKind::write;
    Packet packet;
    int flits = 1 + (carries_data ? transaction.data_flits : 0);
    packet.destination = transaction.responder;
    packet.kind = transaction.kind == TransactionKind::read ? PacketKind::read_request
                  : carries_data                            ? PacketKind::write_request
                                                            : PacketKind::atomic_request;
    packet.software_virtual_channel = transaction.software_virtual_channel;
    packet.is_static = !transaction.is_dynamic;
    packet.transaction = id;
    if (transaction.num_receivers != 0) {
        packet.tree = transaction.tree;
        packet.reserves_path = !holds_path_;
        packet.keeps_path = transaction.linked;
        flits += packet.reserves_path ? 1 : 0;
        holds_path_ = transaction.linked;
        awaits_path_ = packet.reserves_path && packet.keeps_path;
    }
    // Unicast requests use the injection stream of their software VC, dynamic ones included: packets of one VC stay in
    // order. The other streams are for responses.
    environment_.send(node_, transaction.software_virtual_channel, packet, flits, start, 0);
}

void Initiator::write_sent(const Transaction& write, Cycle cycle) {
    Registers& its = registers(write);
    --its.counters.writes_outgoing[write.id];
    its.sent_writes.add(cycle, write.posted, write.id);
    if (write.posted) {
        ++its.counters.posted_writes_sent;
    } else {
        ++its.counters.writes_sent;
    }
    // The sender learns of the head's arrival only after the return trip.
    const Cycle word_back = write.response_hops * environment_.architecture().router.hop_cycles;
    if (write.request_head + word_back > cycle) {
        TransactionTimes known = write.times();
        known.request_head = 0;
        known.backlog_until = 0;
        environment_.state.notify_tile(node_, ticks_from_cycles(cycle), &known);
    } else {
        environment_.state.notify_tile(node_, ticks_from_cycles(cycle), &write);
    }
}

void Initiator::path_reserved(const Packet& packet, Cycle requested, Cycle cycle) {
    Transaction& transaction = environment_.transaction(packet.transaction);
    transaction.path_requested = requested;
    transaction.path_reserved = cycle;
    if (packet.keeps_path) {
        awaits_path_ = false;
        environment_.network->wake_interface(node_, cycle);
    }
}

void Initiator::response_head_arrived(Transaction& transaction, Cycle cycle) {
    if (transaction.kind == TransactionKind::read) {
        environment_.read_busy_times.response_arrived(transaction, cycle);
    }
    transaction.response_head = cycle;
}

void Initiator::response_arrived(TransactionId id, Cycle cycle) {
    Transaction& transaction = environment_.transaction(id);
    transaction.response_arrived = cycle;
    const Cycle in_interface = cycle + environment_.architecture().niu.ejection_cycles;
    if (transaction.kind != TransactionKind::read) {
        environment_.add_event(node_, in_interface + kCounterUpdateCycles, EventKind::complete_transaction, id);
        return;
    }
    const Cycle in_l1 = in_interface + environment_.architecture().l1.write_latency_cycles;
    environment_.add_event(node_, in_l1, EventKind::complete_transaction, id);
    reads_.end_read_at(in_l1, transaction.times());
    reads_.retire(cycle);
    if (reads_.is_full()) {
        environment_.network->wake_interface(node_, reads_.next_end());
    }
}

void Initiator::complete(TransactionId id, Tick tick) {
    DeviceState& state = environment_.state;
    Transaction& transaction = environment_.transaction(id);
    NiuCounters& counters = registers(transaction).counters;
    if (std::uint32_t& outstanding = counters.outstanding[transaction.id]; outstanding > 0) {
        --outstanding;  // unless software has cleared it
    }
    switch (transaction.kind) {
        case TransactionKind::read:
            state.leaving_data.take_sent(id);
            if (state.race_check) {
                state.race_check->changes_memory(transaction, node_);
            }
            state.deliver({TransactionKind::read, environment_.noc, transaction.responder, node_,
                           transaction.responder_address, transaction.requestor_address, transaction.payload, tick});
            ++counters.reads_completed;
            break;
        case TransactionKind::write:
            ++counters.writes_acknowledged;
            break;
        case TransactionKind::atomic_increment:
            ++counters.atomics_completed;
            break;
    }
    state.notify_tile(node_, tick, &transaction);
    if (transaction.multicast != kNoTransaction) {
        finish_part(id);
    } else {
        finish(id);
    }
}

void Initiator::finish_part(TransactionId id) {
    const TransactionId multicast = environment_.transaction(id).multicast;
    Transaction& whole = environment_.transaction(multicast);
    if (--whole.receivers_missing == 0) {
        static_cast<TransactionTimes&>(whole) = environment_.transaction(id).times();
        whole.responder = environment_.transaction(id).responder;
        finish(multicast);
    }
    environment_.state.transactions.release(id);
}

void Initiator::finish(TransactionId id) {
    Transaction& transaction = environment_.transaction(id);
    environment_.state.resolve_deferred_waits(transaction);
    if (environment_.state.observers.finished) {
        environment_.state.observers.finished(record_of(transaction));
    }
    std::ranges::replace(last_on_channel_, id, kNoTransaction);
    environment_.state.transactions.release(id);
}

}  // namespace nocbench
