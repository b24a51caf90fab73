#include "device_model/epiphany/epiphany_host.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "device_model/epiphany/epiphany_state.h"

namespace nocbench {

namespace {

constexpr PhaseKind kBegins{"begins", "{which} begins", "begun"};
constexpr PhaseKind kAccessByAccess{"access by access", "{which} goes through the host's window, access by access",
                                    "done"};

// Picoseconds times hertz of the core clock are 1e-12 cycles.
constexpr double kPicosecondsAndHertzPerTick = 1e12 / static_cast<double>(kTicksPerCycle);

}  // namespace

EpiphanyHost::EpiphanyHost(EpiphanyState& state, Simulation& simulation, const std::string& name,
                           std::function<void(EpiphanyHost&)> kernel, Tick start)
    : Processor(
          simulation, Identity::outside(name), [this, kernel = std::move(kernel)] { kernel(*this); }, start),
      state_(state) {}

EpiphanyHost::~EpiphanyHost() { abandon(); }

void EpiphanyHost::write(const HostTarget& target, std::span<const std::byte> bytes, std::uint32_t times) {
    synchronize();
    state_.deliveries.write_from_outside(state_.addresses.place_of(target, bytes.size()), bytes, now());
    transfer(target, false, bytes.size(), times);
}

std::vector<std::byte> EpiphanyHost::read(const HostTarget& target, std::size_t size, std::uint32_t times) {
    synchronize();
    const EpiphanyPlace place = state_.addresses.place_of(target, size);
    std::vector<std::byte> bytes(size);
    state_.memory.read(place, bytes);
    transfer(target, true, size, times);
    return bytes;
}

void EpiphanyHost::transfer(const HostTarget& target, bool reads, std::size_t size, std::uint32_t times) {
    const HostConstants& host = state_.constants.host;
    const std::int64_t picoseconds = target.core
                                         ? (reads ? host.core_read_picoseconds : host.core_write_picoseconds)
                                         : (reads ? host.external_read_picoseconds : host.external_write_picoseconds);
    const std::int64_t accesses = (static_cast<std::int64_t>(size) + host.access_bytes - 1) / host.access_bytes;
    const double ticks = static_cast<double>(accesses) * static_cast<double>(picoseconds) *
                         static_cast<double>(state_.shape.clock_hz) / kPicosecondsAndHertzPerTick;
    const Tick begin = now();
    const auto end_of = [&](std::uint32_t number) { return begin + std::llround(ticks * number); };
    if (state_.observers.finished) {
        for (std::uint32_t number = 0; number < times; ++number) {
            TransactionRecord record;
            record.kind = reads ? "host read" : "host write";
            record.bytes = static_cast<std::uint32_t>(size);
            record.from = kOutside;
            record.to = state_.addresses.place_of(target, size).node;
            record.start_cause = Cause::host;
            record.accepted = end_of(number);
            record.phases = {{&kBegins, record.accepted}, {&kAccessByAccess, end_of(number + 1)}};
            state_.observers.finished(record);
        }
    }
    spend(end_of(times) - begin, Cause::host);
}

std::string EpiphanyHost::waiting_description() const { return fmt::format("{} has not finished", name()); }

}  // namespace nocbench
