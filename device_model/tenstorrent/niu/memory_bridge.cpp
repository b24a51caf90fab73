#include "device_model/tenstorrent/niu/memory_bridge.h"

#include <algorithm>
#include <variant>

namespace nocbench {

MemoryBridge::MemoryBridge(NiuEnvironment& environment, NodeIndex node)
    : environment_(environment),
      node_(node),
      endpoint_(environment.state.endpoint(environment.state.memory_kind_of_node[node])),
      reads_(endpoint_.read_request_interval_ticks),
      writes_(endpoint_.write_request_interval_ticks) {
    environment.network->meter_data_flits(node);
}

Cycle MemoryBridge::run(Cycle cycle) {
    release_flits(cycle);
    if (cycle >= writes_resume_) {
        writes_resume_ = kNever;
        environment_.network->take_data_from(node_, write_channel_);
    }
    return is_full() && !commits_.empty() ? std::min(writes_resume_, commits_.top()) : writes_resume_;
}

void MemoryBridge::release_flits(Cycle cycle) {
    while (!commits_.empty() && commits_.top() <= cycle) {
        commits_.pop();
        --flits_held_;
    }
}

void MemoryBridge::wake_at_next_commit() {
    if (is_full() && !commits_.empty()) {
        environment_.network->wake_interface(node_, commits_.top());
    }
}

EndpointArrival MemoryBridge::arrival_of(TransactionId id, std::uint64_t address, Cycle cycle) const {
    EndpointArrival arrival;
    arrival.cycle = cycle;
    arrival.node = node_;
    arrival.noc = static_cast<std::uint8_t>(environment_.noc);
    arrival.transaction = id;
    arrival.controller = environment_.state.controller(node_, address);
    arrival.address = address;
    return arrival;
}

void MemoryBridge::forward_data_flit(const Packet& packet, int channel, Cycle cycle) {
    Transaction& transaction = environment_.transaction(packet.transaction);
    const TorusArchitecture& architecture = environment_.architecture();
    const auto flit_bytes = static_cast<std::uint64_t>(architecture.router.flit_bytes);
    const std::uint64_t burst_bytes = endpoint_.burst_bytes;
    const std::uint64_t address = transaction.responder_address + transaction.data_flits_received * flit_bytes;
    ++transaction.data_flits_received;
    const std::uint64_t end = transaction.responder_address + transaction.bytes;
    const bool covers_bursts = transaction.responder_address % burst_bytes == 0 && end % burst_bytes == 0;
    EndpointArrival arrival = arrival_of(packet.transaction, address, cycle + architecture.niu.ejection_cycles);
    arrival.is_last = transaction.data_flits_received + 1 == packet.flits;
    if (arrival.is_last && !covers_bursts) {
        const std::uint64_t last_burst = (end - 1) / burst_bytes * burst_bytes;
        const std::uint64_t begin = std::max(transaction.responder_address, last_burst);
        arrival.part = part_of_burst(begin - last_burst, end - last_burst, burst_bytes);
    }
    environment_.state.endpoint_arrivals.push_back(arrival);
    release_flits(cycle);
    ++flits_held_;
    wake_at_next_commit();
    keep_write_together(channel, arrival.is_last ? packet.flits - 1 : 0, cycle);
}

void MemoryBridge::keep_write_together(int channel, int data_flits, Cycle cycle) {
    const bool is_last = data_flits != 0;
    const Cycle next_cycle = cycle + 1;
    if (const int virtual_channel = channel % static_cast<int>(environment_.architecture().router.virtual_channels);
        virtual_channel != last_write_virtual_channel_) {
        last_write_virtual_channel_ = virtual_channel;
        writes_resume_ = last_write_end_ + endpoint_.write_change_cycles * last_write_flits_ /
                                               environment_.architecture().router.max_packet_data_flits;
    }
    if (is_last) {
        last_write_end_ = next_cycle;
        last_write_flits_ = data_flits;
    }
    write_channel_ = is_last ? kEveryChannel : channel;
    if (writes_resume_ > next_cycle && writes_resume_ != kNever) {
        environment_.network->take_data_from(node_, kNoChannel);
        environment_.network->wake_interface(node_, writes_resume_);
    } else {
        writes_resume_ = kNever;
        environment_.network->take_data_from(node_, write_channel_);
    }
}

std::optional<Cycle> MemoryBridge::serve_write(const EndpointArrival& arrival) {
    if (!write_begin_) {
        write_begin_ = writes_.pass_on(arrival.cycle);
    }
    const Cycle at_controller = std::max(arrival.cycle, *write_begin_);
    if (arrival.is_last) {
        write_begin_.reset();
    }
    const WriteService service =
        std::visit([&](auto& controller) { return controller.write(arrival.address, at_controller, arrival.part); },
                   environment_.state.controllers[arrival.controller]);
    commits_.push(service.committed_cycle);
    wake_at_next_commit();
    if (!arrival.is_last) {
        return std::nullopt;
    }
    const bool from_buffer = endpoint_.acknowledges_from_buffer;
    const Cycle latency = environment_.architecture().l1.write_latency_cycles + endpoint_.write_latency_cycles;
    environment_.transaction(arrival.transaction).service_expected = arrival.cycle + latency;
    return (from_buffer ? arrival.cycle : service.begin_cycle) + latency;
}

void MemoryBridge::forward_read(TransactionId id, Cycle arrival_cycle) {
    EndpointArrival arrival = arrival_of(id, environment_.transaction(id).responder_address, arrival_cycle);
    arrival.is_read = true;
    environment_.state.endpoint_arrivals.push_back(arrival);
}

ReadService MemoryBridge::serve_read(const EndpointArrival& arrival) {
    Transaction& transaction = environment_.transaction(arrival.transaction);
    const Cycle at_controller = reads_.pass_on(arrival.cycle);
    const ReadService service = std::visit(
        [&](auto& controller) { return controller.read(arrival.address, transaction.data_flits, at_controller); },
        environment_.state.controllers[arrival.controller]);
    transaction.service_expected = service.expected_cycle - (at_controller - arrival.cycle);
    return service;
}

}  // namespace nocbench
