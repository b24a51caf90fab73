#include "device_model/epiphany/mesh/elink.h"

#include <algorithm>

namespace nocbench {

Elink::Elink(const ElinkConstants& constants, std::int64_t core_clock_hz)
    : constants_(constants), core_clock_hz_(core_clock_hz) {}

void Elink::Queue::forget_until(Tick tick) {
    while (!ends.empty() && ends.front() <= tick) {
        ends.pop_front();
    }
}

Tick Elink::in_core_ticks(Tick link_ticks) const { return link_ticks * core_clock_hz_ / constants_.clock_hz; }

Elink::Service Elink::write(std::uint64_t address, std::size_t size, bool is_dma, Tick arrival) {
    writes_.forget_until(arrival);
    const bool continues_burst = burst_is_open_ && size == 8 && address == next_address_ && arrival <= writes_.last_end;
    const Tick service = continues_burst ? (is_dma ? constants_.dma_burst_write_ticks : constants_.burst_write_ticks)
                                         : (is_dma ? constants_.dma_single_write_ticks : constants_.single_write_ticks);
    writes_.last_end = std::max(writes_.last_end, arrival) + in_core_ticks(service);
    writes_.ends.push_back(writes_.last_end);
    burst_is_open_ = size == 8;
    next_address_ = address + size;

    Service result{writes_.last_end, std::nullopt};
    const auto buffered = static_cast<std::int64_t>(writes_.ends.size());
    if (continues_burst && !is_dma) {
        if (buffered >= constants_.burst_buffer_transactions) {
            result.closed_until = arrival + in_core_ticks(constants_.burst_restart_ticks);
            burst_is_open_ = false;
        }
        return result;
    }
    const std::int64_t room =
        continues_burst ? constants_.dma_burst_buffer_transactions : constants_.write_buffer_transactions;
    if (buffered >= room) {
        result.closed_until = writes_.ends[static_cast<std::size_t>(buffered - room)];
    }
    return result;
}

Elink::Service Elink::read(std::optional<std::size_t> engine, Tick arrival) {
    reads_.forget_until(arrival);
    const Tick service = in_core_ticks(engine ? constants_.dma_read_ticks : constants_.read_ticks);
    reads_.last_end = std::max(reads_.last_end, arrival) + service;
    reads_.ends.push_back(reads_.last_end);
    Tick data = reads_.last_end + in_core_ticks(constants_.read_latency_ticks);
    if (engine) {
        // Reads of one engine return in order, with a longer spacing than reads of different engines.
        if (last_data_.size() <= *engine) {
            last_data_.resize(*engine + 1);
        }
        data = std::max(data, last_data_[*engine] + in_core_ticks(constants_.same_engine_read_interval_ticks));
        last_data_[*engine] = data;
    }
    Service result{data, std::nullopt};
    const auto buffered = static_cast<std::int64_t>(reads_.ends.size());
    if (buffered >= constants_.read_buffer_transactions) {
        result.closed_until = reads_.ends[static_cast<std::size_t>(buffered - constants_.read_buffer_transactions)];
    }
    return result;
}

}  // namespace nocbench
