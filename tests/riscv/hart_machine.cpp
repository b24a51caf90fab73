#include "tests/riscv/hart_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "device_model/arch/architecture.h"
#include "device_model/arch/architecture_file.h"
#include "device_model/riscv/guest_fault.h"
#include "device_model/tenstorrent/arch/constants.h"

namespace nocbench::test {

namespace {

/// Cycles from a load's sample to its value, as on the chips.
constexpr Cycle kReturnCycles = 6;

}  // namespace

const RiscvConstants& riscv_constants(const std::string& arch) {
    static std::map<std::string, RiscvConstants> constants;
    const auto found = constants.find(arch);
    if (found != constants.end()) {
        return found->second;
    }
    const bool is_cached = arch == kCachedBlackhole;
    const std::string file = find_architecture(is_cached ? "blackhole" : arch);
    const Architecture architecture =
        is_cached ? load_architecture(file, "", {{"riscv.cache_is_on", "1"}}) : load_architecture(file);
    return constants.emplace(arch, torus_of(architecture).riscv).first->second;
}

TestBus::TestBus(const RiscvConstants& constants, std::vector<OutsideStore> timetable)
    : timetable_(std::move(timetable)) {
    const auto add = [&](std::string name, std::uint32_t begin, std::uint32_t bytes, Cycle load_cycles,
                         Cycle interval_cycles, bool is_cached) {
        regions_.push_back({std::move(name), begin, bytes, load_cycles, std::max<Cycle>(load_cycles - kReturnCycles, 0),
                            interval_cycles, is_cached});
    };
    add("memory", kMemoryBegin, kMemoryBytes, constants.l1_load_cycles, constants.l1_store_interval_cycles, true);
    add("registers", kRegistersBegin, kRegistersBytes, constants.register_load_cycles, 1, false);
    add("clock", kClockBegin, 4, constants.register_load_cycles, 1, false);
    std::ranges::stable_sort(timetable_, {}, &OutsideStore::cycle);
}

std::byte& TestBus::at(std::uint32_t address) {
    return address < kRegistersBegin ? memory_.at(address - kMemoryBegin) : registers_.at(address - kRegistersBegin);
}

std::uint32_t TestBus::word(std::uint32_t address) const {
    std::uint32_t value = 0;
    std::memcpy(&value, &const_cast<TestBus*>(this)->at(address), sizeof(value));  // NOLINT(*-const-cast)
    return value;
}

void TestBus::set_word(std::uint32_t address, std::uint32_t value) { std::memcpy(&at(address), &value, sizeof(value)); }

void TestBus::apply_until(Cycle cycle) {
    now_ = std::max(now_, cycle);
    for (; next_change_ < timetable_.size() && timetable_[next_change_].cycle <= now_; ++next_change_) {
        set_word(timetable_[next_change_].address, timetable_[next_change_].value);
    }
}

Cycle TestBus::load(const riscv::Region& region, std::uint32_t address, std::span<std::byte> out, Cycle cycle) {
    apply_until(cycle);
    if (region.begin == kClockBegin) {
        std::memcpy(out.data(), &now_, out.size());
    } else {
        std::memcpy(out.data(), &at(address), out.size());
    }
    return now_;
}

void TestBus::store(const riscv::Region& region, std::uint32_t address, std::span<const std::byte> bytes, Cycle cycle) {
    apply_until(cycle);
    Store store{address, static_cast<std::uint32_t>(bytes.size()), 0, cycle};
    std::memcpy(&store.value, bytes.data(), bytes.size());
    stores_.push_back(store);
    if (region.begin != kClockBegin) {
        std::memcpy(&at(address), bytes.data(), bytes.size());
    }
}

bool TestBus::can_be_watched(const riscv::Region& region, std::uint32_t /*address*/) const {
    return region.begin != kClockBegin;
}

riscv::Wake TestBus::sleep(const riscv::Hart& /*hart*/, const riscv::PollingLoop& loop) {
    apply_until(loop.begin);
    const auto is_met = [&] {
        return std::ranges::any_of(loop.watches, [&](const riscv::Watch& watch) {
            std::uint32_t value = 0;
            std::memcpy(&value, &at(watch.address), watch.bytes);
            return value != watch.value;
        });
    };
    if (is_met()) {
        return {loop.begin, loop.begin};
    }
    ++num_sleeps_;
    while (next_change_ < timetable_.size()) {
        const Cycle cycle = timetable_[next_change_].cycle;
        apply_until(cycle);
        if (is_met()) {
            return {loop.round_that_sees(cycle), cycle};
        }
    }
    throw riscv::GuestFault("it waits for ever");
}

Cycle TestBus::environment_call(riscv::Hart& /*hart*/, Cycle cycle) {
    calls_.push_back(cycle);
    return 3;
}

bool TestBus::jump_outside(riscv::Hart& /*hart*/, std::uint32_t address, Cycle /*cycle*/) {
    if (address == kReturnAtOnce) {
        return false;
    }
    if (address != kEnd) {
        throw riscv::GuestFault(fmt::format("jump to 0x{:x}: there is no code", address));
    }
    return true;
}

void TestBus::meet(Cycle cycle) {
    constexpr Cycle kCyclesMax = 10'000'000;
    apply_until(cycle);
    if (cycle > kCyclesMax) {
        throw riscv::GuestFault("it does not end");
    }
}

HartMachine::HartMachine(std::string_view program, const RiscvConstants& constants, std::vector<OutsideStore> timetable)
    : code_(kCodeBegin, assembled(program), kAllExtensions),
      bus_(constants, std::move(timetable)),
      hart_(code_, constants, {kPrivateBegin, kPrivateBytes}, bus_) {
    constexpr std::uint8_t kRa = 1;
    constexpr std::uint8_t kSp = 2;
    constexpr std::uint8_t kS0 = 8;
    constexpr std::uint8_t kS1 = 9;
    hart_.set_integer(kRa, TestBus::kEnd);
    hart_.set_integer(kSp, kPrivateBegin);
    hart_.set_integer(kS0, TestBus::kMemoryBegin);
    hart_.set_integer(kS1, TestBus::kRegistersBegin);
}

std::string HartMachine::fault() {
    try {
        run();
    } catch (const riscv::GuestFault& fault) {
        return fault.what();
    }
    return {};
}

}  // namespace nocbench::test
