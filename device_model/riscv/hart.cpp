#include "device_model/riscv/hart.h"

#include <fmt/format.h>

#include <algorithm>

#include "device_model/riscv/guest_fault.h"
#include "device_model/riscv/isa/arithmetic.h"
#include "device_model/riscv/isa/floating_point.h"

namespace nocbench::riscv {

Hart::Hart(const Code& code, const RiscvConstants& timing, const Memory& memory, Bus& bus)
    : code_(code),
      bus_(bus),
      constants_(timing),
      timing_(timing),
      memory_begin_(memory.begin),
      stack_limit_(memory.begin + memory.variables_bytes),
      memory_(memory.bytes),
      regions_(bus.regions()),
      cache_(static_cast<std::uint32_t>(timing.cache_lines)),
      snapshot_(timing),
      predictors_(code.size() + 1, kNeverSeen),
      targets_(code.size() + 1, kNoTarget),
      uses_(code.size() + 1) {
    control_.configuration = timing.cache_is_on != 0 ? 0 : ControlRegisters::kCacheIsOff;
    switch_cache();
}

bool Hart::has_private(std::uint32_t address, std::size_t bytes) const {
    return address >= memory_begin_ && bytes <= memory_.size() && address - memory_begin_ <= memory_.size() - bytes;
}

std::uint32_t Hart::control_register(const Instruction& instruction) {
    ++effects_;
    const std::optional<std::uint32_t> old = control_.execute(
        instruction, registers_[instruction.source1], {static_cast<std::uint64_t>(timing_.now()), num_instructions_});
    switch_cache();
    // Other registers of the machine itself configure nothing that is modeled.
    return old.value_or(0);
}

void Hart::switch_cache() {
    const bool is_off = (control_.configuration.value_or(0) & ControlRegisters::kCacheIsOff) != 0;
    cache_.set_on(!is_off && constants_.cache_lines != 0);
}

void Hart::divide(bool is_signed, std::uint32_t a, std::uint32_t b, std::uint32_t quotient, std::uint8_t destination) {
    const std::uint32_t dividend = is_signed && as_signed(a) < 0 ? 0 - a : a;
    const bool is_trivial = b == 0 || b == 1;
    const Cycle cycles = is_trivial ? constants_.divide_trivial_cycles
                                    : std::clamp<Cycle>(significant_bits(dividend) + 1, constants_.divide_cycles_min,
                                                        constants_.divide_cycles_max);
    registers_[destination] = quotient;
    timing_.result_after(destination, cycles, cycles);
}

RoundingMode Hart::rounding_mode(const Instruction& instruction) const {
    const std::uint8_t mode = control_.rounding_of(instruction);
    if (!is_rounding_mode(mode)) {
        throw GuestFault(
            fmt::format("{}: expected a rounding mode of 0 to 4, found {}", to_string(instruction.operation), mode));
    }
    return static_cast<RoundingMode>(mode);
}

void Hart::execute_float(const Instruction& instruction) {
    timing_.wait_for(instruction.source3);
    const std::uint32_t a = registers_[instruction.source1];
    const std::uint32_t b = registers_[instruction.source2];
    const std::uint32_t c = registers_[instruction.source3];
    FloatResult result;
    Cycle latency = constants_.float_latency_cycles;
    Cycle issue = 1;
    const auto mode = [&] { return rounding_mode(instruction); };
    switch (instruction.operation) {
#define NOCBENCH_RISCV_FLOAT(operation, value) \
    case Operation::operation:                 \
        result = value;                        \
        break;
#define NOCBENCH_RISCV_FLOAT_QUOTIENT(operation, value)   \
    case Operation::operation:                            \
        result = value;                                   \
        issue = latency = constants_.float_divide_cycles; \
        break;
#include "device_model/riscv/isa/semantics.inl"
        default:
            fail_instruction(code_, place_);
    }
    if ((control_.float_flags | result.flags) != control_.float_flags) {
        control_.float_flags |= result.flags;
        ++effects_;
    }
    registers_[instruction.destination] = result.value;
    timing_.result_after(instruction.destination, issue, latency);
}

}  // namespace nocbench::riscv
