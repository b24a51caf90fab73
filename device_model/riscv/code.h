// The instructions of a program, decoded once; harts that run the same program share them.
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
    /// Decodes `bytes`, which stand at `base`; an instruction may begin at every even address. Additions and
    /// subtractions whose result is the stack pointer become Operation::move_stack, so that nothing else has to look at
    /// what it writes: source1 + source2 + immediate, or source1 - source2 where `operand` is 1.
    Code(std::uint32_t base, std::span<const std::byte> bytes, Extensions extensions);

    [[nodiscard]] std::uint32_t base() const { return base_; }
    [[nodiscard]] std::uint32_t bytes() const { return size() * 2; }
    /// Places at which an instruction may begin. Behind the last is an illegal instruction.
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(instructions_.size() - 1); }
    [[nodiscard]] bool has_compressed() const { return has_compressed_; }
    [[nodiscard]] const Instruction* instructions() const { return instructions_.data(); }
    [[nodiscard]] std::uint32_t address(std::uint32_t place) const { return base_ + place * 2; }

private:
    std::uint32_t base_;
    bool has_compressed_;
    std::vector<Instruction> instructions_;
};

/// Executions of the instruction at a place, and their time. Each takes a cycle, and often no more.
struct PlaceUse {
    std::int64_t entered = 0;  // by a jump; from the instruction before it otherwise
    std::int64_t left = 0;     // by a jump
    Cycle further_cycles = 0;
};

/// By place: cycles from the issue of an instruction to that of the next.
std::vector<Cycle> cycles_by_place(const Code& code, std::span<const PlaceUse> uses);

}  // namespace nocbench::riscv
