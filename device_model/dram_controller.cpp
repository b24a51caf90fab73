#include "device_model/dram_controller.h"

#include <algorithm>

namespace nocbench {

DramController::DramController(const DramConstants& constants, std::int64_t flit_bytes)
    : constants_(constants),
      flit_bytes_(flit_bytes),
      subchannel_free_(static_cast<std::size_t>(constants.subchannels)) {}

std::size_t DramController::subchannel(std::uint64_t address) const {
    // Several address bits are folded together, as memory controllers do, so that strides of any power of two spread.
    std::uint64_t parity = 0;
    for (const std::int64_t bit : constants_.subchannel_select_bits) {
        parity ^= address >> bit & 1U;
    }
    return subchannel_free_.size() > 1 ? static_cast<std::size_t>(parity) : 0;
}

DramController::ReadService DramController::read(std::uint64_t address, int flits, Cycle arrival) {
    Tick& free = subchannel_free_[subchannel(address)];
    const Tick begin = std::max(free, ticks_from_cycles(arrival));
    free = begin + flits * constants_.subchannel_read_ticks_per_flit;
    ReadService service;
    service.expected_cycle = arrival + constants_.read_latency_cycles;
    service.first_data_cycle = cycle_at_or_after(begin) + constants_.read_latency_cycles;
    service.ticks_per_flit = constants_.subchannel_read_ticks_per_flit;
    return service;
}

DramController::WriteService DramController::write(std::uint64_t address, Cycle arrival, bool is_partial_burst) {
    Tick& free = subchannel_free_[subchannel(address)];
    const Tick now = ticks_from_cycles(arrival);
    // All subchannels together take no more than the controller does.
    write_token_ = std::max(write_token_, now) + constants_.endpoint_ticks_per_flit;
    const Tick begin = std::max(free, now);
    free = begin + (is_partial_burst ? constants_.partial_write_ticks : constants_.subchannel_write_ticks_per_flit);
    return {cycle_at_or_after(begin), cycle_at_or_after(std::max(free, write_token_))};
}

}  // namespace nocbench
