#include "device_model/tenstorrent/endpoints/dram_controller.h"

#include <algorithm>

namespace nocbench {

DramController::DramController(const DramConstants& constants, const MemoryConstants& memory, std::int64_t flit_bytes)
    : constants_(constants),
      memory_(memory),
      flit_bytes_(static_cast<std::uint64_t>(flit_bytes)),
      subchannels_(static_cast<std::size_t>(memory.subchannels)),
      returned_(static_cast<std::size_t>(std::max<std::int64_t>(1, constants.read_buffer_bytes / flit_bytes))),
      burst_change_ticks_(
          std::min(constants.partial_write_ticks,
                   std::max<std::int64_t>(1, constants.burst_bytes / flit_bytes) *
                       (memory.subchannel_read_ticks_per_flit + memory.subchannel_write_ticks_per_flit))) {
    for (Subchannel& subchannel : subchannels_) {
        subchannel.banks.resize(static_cast<std::size_t>(constants.banks_per_subchannel));
    }
}

Tick DramController::serve(std::uint64_t address, Tick earliest, Tick subchannel_ticks, Tick bank_ticks,
                           std::uint64_t Bank::* count) {
    const std::uint64_t region = address / static_cast<std::uint64_t>(memory_.subchannel_interleave_bytes);
    Subchannel& subchannel = subchannels_[region % subchannels_.size()];
    Bank& bank =
        subchannel.banks[address / static_cast<std::uint64_t>(memory_.bank_interleave_bytes) % subchannel.banks.size()];
    // A late bank does not stall its subchannel, which serves other banks meanwhile.
    subchannel.next = std::max(subchannel.next, earliest);
    bank.next = std::max(bank.next, earliest);
    const Tick begin = std::max(subchannel.next, bank.next);
    subchannel.next += subchannel_ticks;
    bank.next += bank_ticks;
    ++(bank.*count);
    return begin;
}

ReadService DramController::read(std::uint64_t address, int flits, Cycle arrival) {
    Tick first = 0;
    for (int flit = 0; flit < flits; ++flit) {
        // Each flit reuses the oldest entry of the read buffer, which is freed in order.
        Tick& place = returned_[returned_next_];
        returned_next_ = (returned_next_ + 1) % returned_.size();
        const Tick begin =
            serve(address + static_cast<std::uint64_t>(flit) * flit_bytes_, std::max(ticks_from_cycles(arrival), place),
                  memory_.subchannel_read_ticks_per_flit, memory_.bank_read_ticks_per_flit, &Bank::flits_read);
        last_returned_ = std::max(last_returned_, begin);
        place = last_returned_;
        if (flit == 0) {
            first = last_returned_;
        }
    }
    ReadService service;
    service.expected_cycle = arrival + memory_.read_latency_cycles;
    service.first_data_cycle = cycle_at_or_after(first) + memory_.read_latency_cycles;
    service.ticks_per_flit = flits > 1 ? (last_returned_ - first) / (flits - 1) : 0;
    return service;
}

DramController::Queued DramController::queue(std::uint64_t burst, BurstPart part) {
    const auto waiting = std::ranges::find(queue_, burst, &PartialBurst::burst);
    if (waiting == queue_.end()) {
        Queued queued;
        if (std::ssize(queue_) == constants_.write_queue_bursts) {
            queued.changes = queue_.front().burst;
            queue_.erase(queue_.begin());
        }
        queue_.push_back({burst, part});
        return queued;
    }
    if ((waiting->part & part) != 0) {
        waiting->part = part;
        return {.changes = burst};
    }
    waiting->part |= part;
    if (waiting->part == kAllOfBurst) {
        queue_.erase(waiting);
    }
    return {.is_merged = true};
}

WriteService DramController::write(std::uint64_t address, Cycle arrival, BurstPart part) {
    const Tick earliest = ticks_from_cycles(arrival);
    const auto burst_bytes = static_cast<std::uint64_t>(constants_.burst_bytes);
    const std::uint64_t burst = address / burst_bytes;
    Tick begin = serve(address, earliest, memory_.subchannel_write_ticks_per_flit, memory_.bank_write_ticks_per_flit,
                       &Bank::flits_written);
    const bool is_partial = part != kWholeBursts;
    const Queued queued = is_partial ? queue(burst, part) : Queued{};
    if (queued.changes) {
        serve(*queued.changes * burst_bytes, earliest, burst_change_ticks_, burst_change_ticks_, &Bank::bursts_changed);
    }
    Tick end = begin + memory_.subchannel_write_ticks_per_flit;
    if (!queued.is_merged) {
        std::erase_if(changing_, [&](const ChangingBurst& changing) { return changing.end <= earliest; });
        for (const ChangingBurst& changing : changing_) {
            if (changing.burst == burst) {
                begin = std::max(begin, changing.end);
            }
        }
        end =
            begin + std::max(is_partial ? constants_.partial_write_ticks : 0, memory_.subchannel_write_ticks_per_flit);
        if (is_partial) {
            changing_.push_back({burst, end});
        }
    }
    return {cycle_at_or_after(begin), cycle_at_or_after(end)};
}

void DramController::append_use(const std::string& name, std::vector<MemoryUse>& use) const {
    const auto busy = [this](const Bank& bank, Tick read_ticks, Tick write_ticks) {
        return static_cast<Tick>(bank.flits_read) * read_ticks + static_cast<Tick>(bank.flits_written) * write_ticks +
               static_cast<Tick>(bank.bursts_changed) * burst_change_ticks_;
    };
    for (std::size_t number = 0; number < subchannels_.size(); ++number) {
        MemoryUse whole{.memory = name, .subchannel = static_cast<int>(number), .bank = std::nullopt};
        std::vector<MemoryUse> of_banks;
        for (std::size_t index = 0; index < subchannels_[number].banks.size(); ++index) {
            const Bank& bank = subchannels_[number].banks[index];
            const MemoryUse one{
                .memory = name,
                .subchannel = whole.subchannel,
                .bank = static_cast<int>(index),
                .bytes_read = bank.flits_read * flit_bytes_,
                .bytes_written = bank.flits_written * flit_bytes_,
                .busy = busy(bank, memory_.bank_read_ticks_per_flit, memory_.bank_write_ticks_per_flit)};
            whole.bytes_read += one.bytes_read;
            whole.bytes_written += one.bytes_written;
            whole.busy += busy(bank, memory_.subchannel_read_ticks_per_flit, memory_.subchannel_write_ticks_per_flit);
            if (one.busy != 0) {
                of_banks.push_back(one);
            }
        }
        if (!of_banks.empty()) {
            use.push_back(whole);
            use.insert(use.end(), of_banks.begin(), of_banks.end());
        }
    }
}

}  // namespace nocbench
