// One instruction, taken apart once so that it can be executed many times.
// Source of encodings and of what instructions do: The RISC-V Instruction Set Manual, volume I, 20240411.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace nocbench::riscv {

/// Extensions beyond RV32I that a core may have, as bits of a set.
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

/// Every operation that a core can execute; operations.inl lists them.
enum class Operation : std::uint8_t {
#define NOCBENCH_RISCV_OPERATION(name, mnemonic) name,
#include "device_model/riscv/isa/operations.inl"
#undef NOCBENCH_RISCV_OPERATION
    move_stack,  // no instruction: what Code makes of those that move the stack pointer
};

/// The mnemonic, as the assembler spells it.
std::string_view to_string(Operation operation);

/// Register numbers of the integer file: 0 to 31, and where writes to x0 go instead.
inline constexpr std::uint8_t kDiscard = 32;
inline constexpr std::uint8_t kStackPointer = 2;
/// Number of the first floating-point register: f0 follows the integer file, so that both have one table of times.
inline constexpr std::uint8_t kFirstFloat = 33;
inline constexpr int kNumRegisters = 33 + 32;

/// An instruction. Registers that it does not read are x0, whose value is always there; what it does not write, or
/// writes to x0, is kDiscard. Floating-point registers are kFirstFloat + number.
struct Instruction {
    Operation operation = Operation::illegal;
    std::uint8_t destination = kDiscard;
    std::uint8_t source1 = 0;
    std::uint8_t source2 = 0;
    std::uint8_t source3 = 0;   // of fused multiplications
    std::uint8_t rounding = 0;  // of floating-point operations: the field rm
    std::uint8_t bytes = 4;     // 2: it was compressed
    std::uint8_t operand = 0;   // of csrrwi and such, which have it in the place of a register's number
    /// The immediate as the operation uses it: sign-extended, shifted into place (lui, auipc: by 12), relative to the
    /// instruction for branches and jumps; the shift amount; the number of the control register; the raw word of an
    /// illegal instruction.
    std::int32_t immediate = 0;

    bool operator==(const Instruction&) const = default;
};

}  // namespace nocbench::riscv
