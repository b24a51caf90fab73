#include "device_model/tenstorrent/endpoints/host_link.h"

#include <algorithm>

namespace nocbench {

namespace {

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
constexpr std::int64_t kBytesPerMegabyte = 1'000'000;

}  // namespace

Cycle cycles_of_link(std::int64_t nanoseconds, std::int64_t clock_hz) {
    return (nanoseconds * clock_hz + kNanosecondsPerSecond - 1) / kNanosecondsPerSecond;
}

HostLink::HostLink(const TorusArchitecture& architecture, const TorusBoard& board)
    : flit_bytes_(architecture.router.flit_bytes),
      clock_hz_(board.clock_hz),
      read_latency_cycles_(cycles_of_link(board.host_link_constants.read_latency_ns, board.clock_hz)),
      read_ticks_per_flit_(ticks_per_flit(board.host_link_constants.read_megabytes_per_second)),
      write_ticks_per_flit_(ticks_per_flit(board.host_link_constants.write_megabytes_per_second)) {}

Tick HostLink::ticks_per_flit(std::int64_t megabytes_per_second) const {
    // Converts bytes and megabytes first to keep products within 64 bits.
    const std::int64_t flits_per_second =
        std::max<std::int64_t>(1, megabytes_per_second * kBytesPerMegabyte / flit_bytes_);
    return clock_hz_ * kTicksPerCycle / flits_per_second;
}

ReadService HostLink::read(std::uint64_t /*address*/, int flits, Cycle arrival) {
    const Tick first = std::max(ticks_from_cycles(arrival + read_latency_cycles_), data_returned_);
    data_returned_ = first + flits * read_ticks_per_flit_;
    return {.expected_cycle = arrival + read_latency_cycles_,
            .first_data_cycle = cycle_at_or_after(first),
            .ticks_per_flit = read_ticks_per_flit_};
}

WriteService HostLink::write(std::uint64_t /*address*/, Cycle arrival, BurstPart /*part*/) {
    const Tick begin = std::max(next_write_, ticks_from_cycles(arrival));
    next_write_ = begin + write_ticks_per_flit_;
    return {.begin_cycle = cycle_at_or_after(begin), .committed_cycle = cycle_at_or_after(next_write_)};
}

}  // namespace nocbench
