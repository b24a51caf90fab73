#include "device_model/tenstorrent/niu/responder.h"

#include <algorithm>
#include <span>
#include <utility>

#include "device_model/tenstorrent/checks/perturbation.h"
#include "device_model/tenstorrent/checks/race_check.h"

namespace nocbench {

Responder::Responder(NiuEnvironment& environment, NodeIndex node)
    : environment_(environment),
      node_(node),
      request_channels_(environment, node,
                        environment.state.endpoint(environment.state.memory_kind_of_node[node])
                            .read_requests_per_virtual_channel_max),
      atomics_(ticks_from_cycles(environment.architecture().niu.atomic_interval_cycles)),
      multicast_parts_(environment, node) {
    if (environment.state.endpoint(environment.state.memory_kind_of_node[node]).has_controller) {
        bridge_ = std::make_unique<MemoryBridge>(environment, node);
    }
}

Cycle Responder::run(Cycle cycle) {
    Cycle next = kNever;
    if (bridge_ != nullptr) {
        next = bridge_->run(cycle);
        request_channels_.set_memory_full(bridge_->is_full(), cycle);
    }
    return std::min(next, start_responses(cycle));
}

void Responder::request_head_arrived(Transaction& transaction, int channel, Cycle cycle) {
    transaction.request_head = cycle;
    transaction.request_channel = static_cast<std::uint8_t>(channel);
    transaction.backlog_until = request_channels_.unblocked_at(channel);
    transaction.responder_stall_cycles = -request_channels_.blocked_cycles(channel);
    if (transaction.kind == TransactionKind::read) {
        environment_.read_busy_times.request_arrived(transaction, cycle);
    }
}

void Responder::data_flit_arrived(const Packet& packet, int channel, Cycle cycle) {
    bridge_->forward_data_flit(packet, channel, cycle);
    request_channels_.set_memory_full(bridge_->is_full(), cycle);
}

void Responder::request_arrived(TransactionId id, int channel, Cycle cycle) {
    Transaction& transaction = environment_.transaction(id);
    const NiuConstants& niu = environment_.architecture().niu;
    const L1Constants& l1 = environment_.architecture().l1;
    const Cycle in_interface = cycle + niu.ejection_cycles;
    const Cycle visible = in_interface + l1.write_visible_cycles;
    transaction.request_arrived = cycle;
    switch (transaction.kind) {
        case TransactionKind::read: {
            request_channels_.hold(channel, cycle);
            const Cycle served = in_interface + niu.read_turnaround_cycles + l1.read_latency_cycles;
            if (bridge_ != nullptr) {
                bridge_->forward_read(id, served);
            } else {
                transaction.service_expected = served;
                environment_.state.leaving_data.expect(id);
                add_response({served, id, 0, true, in_interface + niu.read_request_hold_cycles});
            }
            break;
        }
        case TransactionKind::write:
            transaction.responder_stall_cycles += request_channels_.blocked_cycles(channel);
            if (bridge_ == nullptr) {
                transaction.service_expected = in_interface + l1.write_latency_cycles;
                finish_write(id, visible, transaction.service_expected);
            }
            break;
        case TransactionKind::atomic_increment: {
            const Cycle begin = atomics_.pass_on(in_interface);
            transaction.service_expected = in_interface + l1.atomic_latency_cycles;
            finish_write(id, begin + l1.write_visible_cycles, begin + l1.atomic_latency_cycles);
            break;
        }
    }
}

void Responder::serve(const EndpointArrival& arrival) {
    if (arrival.is_read) {
        const ReadService service = bridge_->serve_read(arrival);
        add_response({service.first_data_cycle, arrival.transaction, service.ticks_per_flit, true});
    } else if (const std::optional<Cycle> committed = bridge_->serve_write(arrival)) {
        finish_write(arrival.transaction, *committed, *committed);
    }
}

Cycle& Responder::last_arrival(TransactionId id) {
    const Transaction& part = environment_.transaction(id);
    const Transaction& sent = part.multicast != kNoTransaction ? environment_.transaction(part.multicast) : part;
    return last_arrivals_[{sent.requestor, sent.is_dynamic ? kEveryChannel : sent.software_virtual_channel}];
}

void Responder::finish_write(TransactionId id, Cycle visible, Cycle acknowledged) {
    if (Perturbation* const perturbation = environment_.state.perturbation.get()) {
        // Packets of one path stay in order.
        Cycle& last = last_arrival(id);
        const Cycle arrival =
            std::max(last, visible + perturbation->next(Perturbation::Kind::arrival, node_, environment_.noc));
        acknowledged += arrival - visible;
        visible = last = arrival;
    }
    environment_.add_event(node_, visible, EventKind::commit_write, id);
    if (!environment_.transaction(id).posted) {
        add_response({acknowledged, id, 0});
    }
}

void Responder::commit_write(TransactionId id, Tick tick) {
    DeviceState& state = environment_.state;
    const Transaction& transaction = environment_.transaction(id);
    const bool is_part = transaction.multicast != kNoTransaction;
    const TransactionId carrier_id = is_part ? transaction.multicast : id;
    if (transaction.kind != TransactionKind::atomic_increment) {
        state.leaving_data.take_sent(carrier_id);
    }
    if (state.race_check) {
        state.race_check->changes_memory(environment_.transaction(carrier_id), node_);
    }
    if (transaction.kind == TransactionKind::atomic_increment) {
        std::uint32_t word = 0;
        state.memory(node_).read(transaction.responder_address, std::as_writable_bytes(std::span(&word, 1)));
        word += transaction.operand;
        state.write_memory(node_, transaction.responder_address, std::as_bytes(std::span(&word, 1)), tick);
    } else {
        const Transaction& carrier = environment_.transaction(carrier_id);
        state.deliver({TransactionKind::write, environment_.noc, transaction.requestor, node_,
                       transaction.requestor_address, transaction.responder_address, carrier.payload, tick});
    }
    state.notify_tile(node_, tick, &transaction);
}

void Responder::add_response(PendingResponse response) {
    if (Perturbation* const perturbation = environment_.state.perturbation.get()) {
        response.ready += perturbation->next(Perturbation::Kind::response, node_, environment_.noc);
        if (environment_.transaction(response.transaction).kind == TransactionKind::read) {
            response.ready = std::max(response.ready, last_arrival(response.transaction) + 1);
        }
    }
    // Breaks ties by request order, not by the order in which controllers were asked.
    const auto is_earlier = [this](const PendingResponse& left, const PendingResponse& right) {
        return std::pair(left.ready, environment_.transaction(left.transaction).request_arrived) <
               std::pair(right.ready, environment_.transaction(right.transaction).request_arrived);
    };
    responses_.insert(std::ranges::upper_bound(responses_, response, is_earlier), response);
    environment_.network->wake_interface(node_, std::min(response.ready, response.request_released));
}

bool Responder::has_responses_at(Cycle cycle) const {
    return !responses_.empty() && std::min(responses_.front().ready, responses_.front().request_released) <= cycle;
}

Cycle Responder::start_responses(Cycle cycle) {
    while (!responses_.empty()) {
        PendingResponse& response = responses_.front();
        const std::optional<int> stream = free_stream();
        if (response.ready > cycle) {
            if (response.request_released > cycle) {
                return std::min(response.ready, response.request_released);
            }
            if (stream) {
                release_request(response, cycle);
            }
            return response.ready;
        }
        if (!stream) {
            break;
        }
        start_response(*stream, cycle);
    }
    return kNever;
}

std::optional<int> Responder::free_stream() const {
    const TorusArchitecture& architecture = environment_.architecture();
    const auto first = static_cast<int>(architecture.router.first_response_virtual_channel);
    for (int stream = first; stream < first + architecture.niu.concurrent_responses; ++stream) {
        if (environment_.network->can_start_stream(node_, stream)) {
            return stream;
        }
    }
    return std::nullopt;
}

void Responder::start_response(int stream, Cycle cycle) {
    PendingResponse response = responses_.front();
    responses_.pop_front();
    release_request(response, cycle);
    Transaction& transaction = environment_.transaction(response.transaction);
    transaction.response_started = cycle;
    Packet packet;
    packet.destination = transaction.requestor;
    packet.software_virtual_channel =
        static_cast<std::uint8_t>(environment_.architecture().router.first_response_virtual_channel);
    packet.is_static = false;
    packet.transaction = response.transaction;
    int flits = 1;
    switch (transaction.kind) {
        case TransactionKind::read:
            packet.kind = PacketKind::read_response;
            flits += transaction.data_flits;
            if (bridge_ != nullptr) {  // its memory has been read
                transaction.payload.resize(transaction.bytes);
                environment_.state.memory(node_).read(transaction.responder_address, transaction.payload);
            }
            environment_.read_busy_times.response_started(transaction, cycle);
            break;
        case TransactionKind::write:
            packet.kind = PacketKind::write_ack;
            break;
        case TransactionKind::atomic_increment:
            packet.kind = PacketKind::atomic_response;
            break;
    }
    environment_.send(node_, stream, packet, flits, cycle, response.ticks_per_flit);
}

void Responder::release_request(PendingResponse& response, Cycle cycle) {
    if (std::exchange(response.holds_request, false)) {
        request_channels_.release(environment_.transaction(response.transaction).request_channel, cycle);
    }
}

}  // namespace nocbench
