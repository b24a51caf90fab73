#include "device_model/tenstorrent/checks/polling_loads.h"

#include <algorithm>
#include <ranges>
#include <span>

namespace nocbench {

namespace {

using riscv::Instruction;
using riscv::Operation;

// Loops that wait are short; the limit keeps the search linear.
constexpr std::uint32_t kLoopPlacesMax = 64;

bool is_load(Operation operation) { return operation >= Operation::lb && operation <= Operation::lhu; }
bool is_store(Operation operation) { return operation >= Operation::sb && operation <= Operation::sw; }
bool is_branch(Operation operation) { return operation >= Operation::beq && operation <= Operation::bgeu; }

bool has_effect(const Instruction& instruction) {
    const Operation operation = instruction.operation;
    return is_store(operation) || operation == Operation::jalr || operation == Operation::ecall ||
           operation == Operation::ebreak || operation == Operation::illegal || operation == Operation::fsw ||
           (operation >= Operation::lr_w && operation <= Operation::amomaxu_w) ||
           (operation == Operation::jal && instruction.destination != riscv::kDiscard);
}

/// Tells if a register has the same value in each round, apart from that of a load.
bool is_same_in_each_round(std::span<const Instruction* const> loop, std::uint8_t number) {
    return std::ranges::all_of(loop, [number](const Instruction* instruction) {
        return instruction->destination != number || instruction->operation == Operation::lui ||
               instruction->operation == Operation::auipc;
    });
}

}  // namespace

PollingLoads::PollingLoads(const riscv::Code& code) : code_(code), waits_(code.size()) {
    const Instruction* const instructions = code.instructions();
    std::vector<std::uint32_t> places;  // of instructions, in order
    for (std::uint32_t place = 0; place < code.size(); place += instructions[place].bytes / 2U) {
        places.push_back(place);
        const Instruction& last = instructions[place];
        const bool is_jump = last.operation == Operation::jal && last.destination == riscv::kDiscard;
        const std::int64_t target = std::int64_t{place} + last.immediate / 2;
        if ((!is_jump && !is_branch(last.operation)) || target > place || target < 0 ||
            place - target > kLoopPlacesMax) {
            continue;
        }
        const auto first = std::ranges::lower_bound(places, static_cast<std::uint32_t>(target));
        std::vector<const Instruction*> loop;
        for (const std::uint32_t one : std::ranges::subrange(first, places.end())) {
            loop.push_back(&instructions[one]);
        }
        if (std::ranges::any_of(loop, [](const Instruction* one) { return has_effect(*one); })) {
            continue;
        }
        for (const std::uint32_t one : std::ranges::subrange(first, places.end())) {
            if (is_load(instructions[one].operation) && is_same_in_each_round(loop, instructions[one].source1)) {
                waits_[one] = true;
            }
        }
    }
}

bool PollingLoads::has(std::uint32_t address) const {
    const std::uint32_t place = code_.place(address);
    return place < waits_.size() && waits_[place];
}

}  // namespace nocbench
