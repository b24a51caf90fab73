#include "device_model/riscv/code.h"

#include <fmt/format.h>

#include <cstring>

#include "device_model/riscv/guest_fault.h"
#include "device_model/riscv/isa/decode.h"

namespace nocbench::riscv {

namespace {

/// Marks the instructions with which compilers move the stack pointer.
void mark_move_of_stack(Instruction& instruction) {
    const Operation operation = instruction.operation;
    if (instruction.destination == kStackPointer &&
        (operation == Operation::addi || operation == Operation::add || operation == Operation::sub)) {
        instruction.operation = Operation::move_stack;
        instruction.operand = operation == Operation::sub ? 1 : 0;
    }
}

}  // namespace

Code::Code(std::uint32_t base, std::span<const std::byte> bytes, Extensions extensions)
    : base_(base), has_compressed_(extensions.has(Extension::compressed)) {
    const std::size_t places = bytes.size() / 2;
    instructions_.reserve(places + 1);
    for (std::size_t place = 0; place < places; ++place) {
        std::uint32_t word = 0;
        const std::size_t rest = bytes.size() - place * 2;
        std::memcpy(&word, &bytes[place * 2], rest < sizeof(word) ? rest : sizeof(word));
        Instruction instruction = decode(word, extensions);
        if (instruction.bytes > rest) {
            instruction = {};
        }
        mark_move_of_stack(instruction);
        instructions_.push_back(instruction);
    }
    instructions_.emplace_back();
}

std::uint32_t Code::place_of_start(std::uint32_t start) const {
    if (place(start) >= size()) {
        throw GuestFault(fmt::format("start at 0x{:x}: expected an address in the code, 0x{:x} to 0x{:x}", start, base_,
                                     base_ + bytes()));
    }
    return place(start);
}

std::vector<Cycle> cycles_by_place(const Code& code, std::span<const PlaceUse> uses) {
    std::vector<Cycle> cycles(uses.size());
    std::vector<std::int64_t> from_before(uses.size() + 2);  // an instruction spans two places at most
    for (std::size_t place = 0; place < uses.size(); ++place) {
        const std::int64_t executions = from_before[place] + uses[place].entered;
        cycles[place] = executions + uses[place].further_cycles;
        from_before[place + code.instructions()[place].bytes / 2] += executions - uses[place].left;
    }
    return cycles;
}

}  // namespace nocbench::riscv
