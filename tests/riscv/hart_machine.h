// Hart on a test bus: memory with known access times, changed by outside stores according to a timetable.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/riscv/bus.h"
#include "device_model/riscv/hart.h"
#include "tests/riscv/assembler.h"

namespace nocbench::test {

/// Store into the bus's memory by an agent other than the hart.
struct OutsideStore {
    Cycle cycle = 0;
    std::uint32_t address = 0;
    std::uint32_t value = 0;
};

/// Words at known addresses of two kinds: slow and cached like L1, and faster like registers.
class TestBus final : public riscv::Bus {
public:
    static constexpr std::uint32_t kMemoryBegin = 0x1000;
    static constexpr std::uint32_t kMemoryBytes = 0x1000;
    static constexpr std::uint32_t kRegistersBegin = 0x8000;
    static constexpr std::uint32_t kRegistersBytes = 0x100;
    static constexpr std::uint32_t kClockBegin = 0x9000;  // changes by itself
    static constexpr std::uint32_t kEnd = 0xFFFFFFF0;     // return address that ends the program
    static constexpr std::uint32_t kReturnAtOnce = 0xFFFFFF00;

    struct Store {
        std::uint32_t address = 0;
        std::uint32_t bytes = 0;
        std::uint32_t value = 0;
        Cycle cycle = 0;
        bool operator==(const Store&) const = default;
    };

    TestBus(const RiscvConstants& constants, std::vector<OutsideStore> timetable);

    [[nodiscard]] std::span<const riscv::Region> regions() const override { return regions_; }
    Cycle load(const riscv::Region& region, std::uint32_t address, std::span<std::byte> out, Cycle cycle) override;
    void store(const riscv::Region& region, std::uint32_t address, std::span<const std::byte> bytes,
               Cycle cycle) override;
    [[nodiscard]] bool can_be_watched(const riscv::Region& region, std::uint32_t address) const override;
    riscv::Wake sleep(const riscv::Hart& hart, const riscv::PollingLoop& loop) override;
    Cycle environment_call(riscv::Hart& hart, Cycle cycle) override;
    bool jump_outside(riscv::Hart& hart, std::uint32_t address, Cycle cycle) override;
    void meet(Cycle cycle) override;
    [[nodiscard]] Cycle met_until() const override { return now_; }

    [[nodiscard]] const std::vector<Store>& stores() const { return stores_; }
    [[nodiscard]] int num_sleeps() const { return num_sleeps_; }
    [[nodiscard]] const std::vector<Cycle>& calls() const { return calls_; }
    [[nodiscard]] std::uint32_t word(std::uint32_t address) const;
    void set_word(std::uint32_t address, std::uint32_t value);

private:
    [[nodiscard]] std::byte& at(std::uint32_t address);
    void apply_until(Cycle cycle);

    std::vector<riscv::Region> regions_;
    std::vector<OutsideStore> timetable_;  // ordered by cycle
    std::size_t next_change_ = 0;
    std::array<std::byte, kMemoryBytes> memory_{};
    std::array<std::byte, kRegistersBytes> registers_{};
    Cycle now_ = 0;
    std::vector<Store> stores_;
    std::vector<Cycle> calls_;
    int num_sleeps_ = 0;
};

/// Blackhole whose firmware has switched the data cache on.
inline constexpr std::string_view kCachedBlackhole = "blackhole, data cache on";

/// Returns the constants of a chip: "wormhole_b0", "blackhole" or kCachedBlackhole.
const RiscvConstants& riscv_constants(const std::string& arch);

/// Program on a hart with 256 bytes of private memory. s0 points to the slow memory, s1 to the registers, sp to the
/// private memory, and ra to the end of the program.
class HartMachine {
public:
    static constexpr std::uint32_t kPrivateBegin = 0xFFB00000;
    static constexpr std::uint32_t kPrivateBytes = 256;

    HartMachine(std::string_view program, const RiscvConstants& constants, std::vector<OutsideStore> timetable = {});

    [[nodiscard]] riscv::Hart& hart() { return hart_; }
    [[nodiscard]] TestBus& bus() { return bus_; }
    void run() { hart_.run(kCodeBegin); }
    /// Returns the program's fault; empty if it ends.
    std::string fault();

private:
    riscv::Code code_;
    TestBus bus_;
    riscv::Hart hart_;
};

}  // namespace nocbench::test
