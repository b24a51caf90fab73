// Decoded instructions of a program, shared by the harts that run it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "device_model/riscv/isa/instruction.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench::riscv {

class Code {
public:
    /// Decodes `bytes` located at `base`; an instruction may begin at every even address. Additions and subtractions
    /// into the stack pointer become Operation::move_stack, so that only it checks the stack.
    Code(std::uint32_t base, std::span<const std::byte> bytes, Extensions extensions);

    [[nodiscard]] std::uint32_t base() const { return base_; }
    [[nodiscard]] std::uint32_t bytes() const { return size() * 2; }
    /// Returns the number of places where an instruction may begin. An illegal instruction follows the last.
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(instructions_.size() - 1); }
    [[nodiscard]] bool has_compressed() const { return has_compressed_; }
    [[nodiscard]] const Instruction* instructions() const { return instructions_.data(); }
    [[nodiscard]] std::uint32_t address(std::uint32_t place) const { return base_ + place * 2; }
    /// Returns the place of an address; size() or more for one outside the code.
    [[nodiscard]] std::uint32_t place(std::uint32_t address) const { return (address - base_) / 2; }
    /// Returns the place at which a program starts. Throws GuestFault if that is outside the code.
    [[nodiscard]] std::uint32_t place_of_start(std::uint32_t start) const;

private:
    std::uint32_t base_;
    bool has_compressed_;
    std::vector<Instruction> instructions_;
};

/// Returns the stack pointer after Operation::move_stack, from the values of its sources.
constexpr std::uint32_t moved_stack(const Instruction& instruction, std::uint32_t a, std::uint32_t b) {
    return instruction.operand != 0 ? a - b : a + b + static_cast<std::uint32_t>(instruction.immediate);
}

/// Executions of the instruction at a place, and their cycles beyond one each.
struct PlaceUse {
    std::int64_t entered = 0;  // by jumps, not from the preceding instruction
    std::int64_t left = 0;     // by jumps
    Cycle further_cycles = 0;
};

/// Returns, by place, cycles from the issue of an instruction to the issue of the next.
std::vector<Cycle> cycles_by_place(const Code& code, std::span<const PlaceUse> uses);

}  // namespace nocbench::riscv
