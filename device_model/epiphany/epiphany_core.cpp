#include "device_model/epiphany/epiphany_core.h"

#include <fmt/format.h>

#include <utility>

#include "device_model/epiphany/epiphany_state.h"
#include "device_model/sim/error.h"

namespace nocbench {

EpiphanyCore::EpiphanyCore(EpiphanyState& state, Simulation& simulation, Identity identity, std::function<void()> entry,
                           Tick start)
    : Processor(simulation, std::move(identity), std::move(entry), start), state_(state) {}

EpiphanyCore::~EpiphanyCore() { abandon(); }

EpiphanyCore& EpiphanyCore::current() {
    auto* const core = dynamic_cast<EpiphanyCore*>(running());
    if (core == nullptr) {
        throw InputError("a function of the Epiphany API was called outside of a kernel of an Epiphany core");
    }
    return *core;
}

void EpiphanyCore::peek(std::uint64_t address, std::span<std::byte> out) const {
    state_.memory.read(state_.addresses.core_memory_at(identity().node, address, out.size()), out);
}

void EpiphanyCore::poke(std::uint64_t address, std::span<const std::byte> bytes) {
    state_.memory.write(state_.addresses.core_memory_at(identity().node, address, bytes.size()), bytes);
}

void EpiphanyCore::stall(const Stall& stall, Cause cause) {
    begin_stall(stall);
    suspend();
    end_stall(cause);
}

void EpiphanyCore::begin_stall(const Stall& stall) {
    stall_ = stall;
    stalled_since_ = now();
}

void EpiphanyCore::end_stall(Cause cause, Tick ticks) {
    stall_.reset();
    book(open_zone_index(), cause, ticks);
}

void EpiphanyCore::book_elapsed(const Ledger& ledger, std::uint32_t times) {
    for (std::size_t cause = 0; cause < kNumCauses; ++cause) {
        book(open_zone_index(), static_cast<Cause>(cause), ledger.ticks(static_cast<Cause>(cause)) * times);
    }
}

std::string EpiphanyCore::waiting_description() const {
    const std::string place = place_in_program_ ? fmt::format(", at {}", place_in_program_()) : "";
    if (!stall_) {
        return fmt::format("{} has not finished{}", name(), place);
    }
    const auto since = cycles_from_ticks(stalled_since_);
    const std::string where = stall_->address == 0 ? "" : fmt::format(" at 0x{:08x}", stall_->address);
    return fmt::format("{} waits since cycle {:.0f} in {}{}, for {}{}", name(), since, stall_->call, where,
                       stall_->waiting_for, place);
}

}  // namespace nocbench
