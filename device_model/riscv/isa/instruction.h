// An instruction, decoded once for many executions.
// Source of encodings and semantics: The RISC-V Instruction Set Manual, volume I, 20240411.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace nocbench::riscv {

/// Extensions beyond RV32I, as a bit set.
enum class Extension : std::uint16_t {
    multiply = 1 << 0,            // M
    atomic_operations = 1 << 1,   // Zaamo
    load_reserved = 1 << 2,       // Zalrsc; with Zaamo it is A
    single_float = 1 << 3,        // F
    compressed = 1 << 4,          // C, with F also its loads and stores
    csr = 1 << 5,                 // Zicsr
    address_generation = 1 << 6,  // Zba
    bit_manipulation = 1 << 7,    // Zbb
};

class Extensions {
public:
    constexpr Extensions() = default;
    constexpr Extensions(std::initializer_list<Extension> extensions) {
        for (const Extension extension : extensions) {
            add(extension);
        }
    }
    constexpr void add(Extension extension) { bits_ |= static_cast<std::uint16_t>(extension); }
    [[nodiscard]] constexpr bool has(Extension extension) const {
        return (bits_ & static_cast<std::uint16_t>(extension)) != 0;
    }
    bool operator==(const Extensions&) const = default;

private:
    std::uint16_t bits_ = 0;
};

/// All executable operations, listed in operations.inl.
enum class Operation : std::uint8_t {
#define NOCBENCH_RISCV_OPERATION(name, mnemonic) name,
#include "device_model/riscv/isa/operations.inl"
#undef NOCBENCH_RISCV_OPERATION
    move_stack,  // made by Code from instructions that move the stack pointer
};

/// Returns the assembler mnemonic.
std::string_view to_string(Operation operation);

/// Integer register numbers: 0 to 31, and the destination of writes to x0.
inline constexpr std::uint8_t kDiscard = 32;
inline constexpr std::uint8_t kReturnAddress = 1;
inline constexpr std::uint8_t kStackPointer = 2;
/// Number of f0, after the integer registers: one table of times holds both.
inline constexpr std::uint8_t kFirstFloat = 33;
inline constexpr int kNumRegisters = 33 + 32;
using Registers = std::array<std::uint32_t, kNumRegisters>;

/// An instruction. Unused sources are x0; unused destinations, or x0, are kDiscard. Floating-point registers are
/// kFirstFloat + number.
struct Instruction {
    Operation operation = Operation::illegal;
    std::uint8_t destination = kDiscard;
    std::uint8_t source1 = 0;
    std::uint8_t source2 = 0;
    std::uint8_t source3 = 0;   // of fused multiplications
    std::uint8_t rounding = 0;  // of floating-point operations: the field rm
    std::uint8_t bytes = 4;     // 2: compressed
    std::uint8_t operand = 0;   // immediate of csrrwi and the like, in place of a register number
    /// The immediate, ready to use: sign-extended; shifted into place (lui, auipc: by 12); relative to the instruction
    /// for branches and jumps; the shift amount; the control register number; or the raw word of an illegal
    /// instruction.
    std::int32_t immediate = 0;

    bool operator==(const Instruction&) const = default;
};

}  // namespace nocbench::riscv
