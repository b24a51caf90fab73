// Control registers accessible to programs: rounding and flags of floats, counters, and the data cache's switch. Source
// of numbers and fields: The RISC-V Instruction Set Manual, volume I, 20240411, Zicsr, Zicntr and F; for the switch,
// Tenstorrent ISA documentation, BlackholeA0/TensixTile/BabyRISCV/CSRs.md, and set_l1_data_cache() of tt-metal.
#pragma once

#include <cstdint>
#include <optional>

#include "device_model/riscv/isa/instruction.h"

namespace nocbench::riscv {

struct ControlRegisters {
    static constexpr std::uint32_t kCacheIsOff = 1U << 3;  // of `configuration`

    std::uint8_t float_flags = 0;
    std::uint8_t rounding = 0;
    std::optional<std::uint32_t> configuration;  // of a core that has this register

    /// Counters of the core.
    struct Counters {
        std::uint64_t cycles = 0;
        std::uint64_t instructions = 0;
    };

    /// Executes a csr instruction; `a` is the value of its source. Returns the old value of the register, or nothing if
    /// there is none.
    std::optional<std::uint32_t> execute(const Instruction& instruction, std::uint32_t a, const Counters& counters) {
        const std::optional<std::uint32_t> old = read(instruction.immediate, counters);
        const std::uint32_t operand = instruction.operation >= Operation::csrrwi ? instruction.operand : a;
        write(instruction.immediate, changed(instruction.operation, old.value_or(0), operand));
        return old;
    }

    /// Returns the rounding mode of a floating-point instruction, which may be none of RoundingMode.
    [[nodiscard]] std::uint8_t rounding_of(const Instruction& instruction) const {
        constexpr std::uint8_t kDynamic = 7;
        return instruction.rounding == kDynamic ? rounding : instruction.rounding;
    }

private:
    /// Returns the value of register `number`; nothing for others.
    [[nodiscard]] std::optional<std::uint32_t> read(std::int32_t number, const Counters& counters) const {
        switch (number) {
            case kFloatFlags:
                return float_flags;
            case kRounding:
                return rounding;
            case kFloatControl:
                return float_flags | std::uint32_t{rounding} << kRoundingShift;
            case kConfiguration:
                return configuration;
            case kCycle:
            case kTime:
                return static_cast<std::uint32_t>(counters.cycles);
            case kCycle + kHigh:
            case kTime + kHigh:
                return static_cast<std::uint32_t>(counters.cycles >> kWordBits);
            case kInstructions:
                return static_cast<std::uint32_t>(counters.instructions);
            case kInstructions + kHigh:
                return static_cast<std::uint32_t>(counters.instructions >> kWordBits);
            default:
                return std::nullopt;
        }
    }

    /// Writes register `number` if it is writable.
    void write(std::int32_t number, std::uint32_t value) {
        constexpr std::uint32_t kFlagsMask = 0x1f;
        constexpr std::uint32_t kRoundingMask = 7;
        if (number == kFloatFlags || number == kFloatControl) {
            float_flags = static_cast<std::uint8_t>(value & kFlagsMask);
        }
        if (number == kRounding || number == kFloatControl) {
            rounding =
                static_cast<std::uint8_t>((number == kRounding ? value : value >> kRoundingShift) & kRoundingMask);
        }
        if (number == kConfiguration && configuration.has_value()) {
            configuration = value;
        }
    }

    /// Returns the new value of a control register that holds `old`; `operand` is the instruction's register or
    /// immediate.
    static std::uint32_t changed(Operation operation, std::uint32_t old, std::uint32_t operand) {
        switch (operation) {
            case Operation::csrrw:
            case Operation::csrrwi:
                return operand;
            case Operation::csrrs:
            case Operation::csrrsi:
                return old | operand;
            default:
                return old & ~operand;
        }
    }

    static constexpr std::int32_t kFloatFlags = 0x001;
    static constexpr std::int32_t kRounding = 0x002;
    static constexpr std::int32_t kFloatControl = 0x003;
    static constexpr std::int32_t kConfiguration = 0x7C0;
    static constexpr std::int32_t kCycle = 0xC00;
    static constexpr std::int32_t kTime = 0xC01;
    static constexpr std::int32_t kInstructions = 0xC02;
    static constexpr std::int32_t kHigh = 0x80;  // offset of the upper halves
    static constexpr unsigned kRoundingShift = 5;
    static constexpr unsigned kWordBits = 32;
};

}  // namespace nocbench::riscv
