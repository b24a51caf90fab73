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
      uses_(code.size() + 1) {}

std::vector<Cycle> Hart::cycles_by_place() const {
    std::vector<Cycle> cycles(uses_.size());
    std::vector<std::uint64_t> from_before(uses_.size() + 2);  // an instruction has two places at most
    for (std::size_t place = 0; place < uses_.size(); ++place) {
        const std::uint64_t executions = from_before[place] + uses_[place].entered;
        cycles[place] = static_cast<Cycle>(executions) + uses_[place].further_cycles;
        from_before[place + code_.instructions()[place].bytes / 2] += executions - uses_[place].left;
    }
    return cycles;
}

bool Hart::has_private(std::uint32_t address, std::size_t bytes) const {
    return address >= memory_begin_ && bytes <= memory_.size() && address - memory_begin_ <= memory_.size() - bytes;
}

std::uint32_t Hart::control_register(const Instruction& instruction) {
    constexpr std::int32_t kFloatFlags = 0x001;
    constexpr std::int32_t kRounding = 0x002;
    constexpr std::int32_t kFloatControl = 0x003;
    constexpr std::int32_t kCycle = 0xC00;
    constexpr std::int32_t kTime = 0xC01;
    constexpr std::int32_t kInstructions = 0xC02;
    constexpr std::int32_t kHigh = 0x80;  // the upper halves are so much further
    constexpr std::uint32_t kFlagsMask = 0x1f;
    constexpr unsigned kRoundingShift = 5;
    constexpr std::uint32_t kRoundingMask = 7;
    std::uint32_t old = 0;
    const std::int32_t number = instruction.immediate;
    ++effects_;
    switch (number) {
        case kFloatFlags:
            old = float_flags_;
            break;
        case kRounding:
            old = rounding_;
            break;
        case kFloatControl:
            old = float_flags_ | std::uint32_t{rounding_} << kRoundingShift;
            break;
        case kCycle:
        case kTime:
            old = static_cast<std::uint32_t>(timing_.now());
            break;
        case kCycle + kHigh:
        case kTime + kHigh:
            old = static_cast<std::uint32_t>(timing_.now() >> 32);
            break;
        case kInstructions:
            old = static_cast<std::uint32_t>(num_instructions_);
            break;
        case kInstructions + kHigh:
            old = static_cast<std::uint32_t>(num_instructions_ >> 32);
            break;
        default:
            break;  // those of the machine set up what is not modeled
    }
    const bool is_immediate = instruction.operation >= Operation::csrrwi;
    const std::uint32_t operand = is_immediate ? instruction.operand : registers_[instruction.source1];
    std::uint32_t value = 0;
    switch (instruction.operation) {
        case Operation::csrrw:
        case Operation::csrrwi:
            value = operand;
            break;
        case Operation::csrrs:
        case Operation::csrrsi:
            value = old | operand;
            break;
        default:
            value = old & ~operand;
            break;
    }
    if (number == kFloatFlags || number == kFloatControl) {
        float_flags_ = static_cast<std::uint8_t>(value & kFlagsMask);
    }
    if (number == kRounding || number == kFloatControl) {
        rounding_ = static_cast<std::uint8_t>((number == kRounding ? value : value >> kRoundingShift) & kRoundingMask);
    }
    return old;
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
    constexpr std::uint8_t kDynamic = 7;
    const std::uint8_t mode = instruction.rounding == kDynamic ? rounding_ : instruction.rounding;
    if (mode > static_cast<std::uint8_t>(RoundingMode::nearest_away)) {
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
            throw GuestFault(fmt::format("{}: this core does not execute it", to_string(instruction.operation)));
    }
    if ((float_flags_ | result.flags) != float_flags_) {
        float_flags_ |= result.flags;
        ++effects_;
    }
    registers_[instruction.destination] = result.value;
    timing_.result_after(instruction.destination, issue, latency);
}

}  // namespace nocbench::riscv
