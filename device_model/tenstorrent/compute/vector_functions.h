// Functions of the vector unit on values of a tile, by their names in the compute API.
#pragma once

#include <cstdint>
#include <string_view>

#include "device_model/tenstorrent/compute/compute_command.h"

namespace nocbench {

/// Length of a function: vector instructions for each 32 values are a constant of the architecture.
enum class FunctionLength : std::uint8_t { simple, polynomial, iterative };

/// Parameters of a call, as words: bits of floats, or integers.
struct FunctionParameters {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    std::uint32_t third = 0;
    std::uint32_t random = 0;  // another one for each value
};

struct UnaryFunction {
    std::string_view name;  // "exp" of exp_tile()
    FunctionLength length = FunctionLength::simple;
    float (*apply)(float value, const FunctionParameters& parameters) = nullptr;
    bool is_random = false;
    bool is_exact = false;  // Dst does not round results: integers, or values that it has
};

struct BinaryFunction {
    std::string_view name;  // "add_binary" of add_binary_tile()
    FunctionLength length = FunctionLength::simple;
    float (*apply)(float left, float right, const FunctionParameters& parameters) = nullptr;
    bool is_exact = false;
};

struct TernaryFunction {
    std::string_view name;  // "where" of where_tile()
    FunctionLength length = FunctionLength::simple;
    float (*apply)(float first, float second, float third, std::uint32_t parameter) = nullptr;
    bool is_exact = false;
};

/// Returns the number by which kernels name a function: the FNV-1a hash of its name.
[[nodiscard]] constexpr std::uint32_t function_number(std::string_view name) {
    std::uint32_t hash = 2166136261U;
    for (const char letter : name) {
        hash = (hash ^ static_cast<std::uint8_t>(letter)) * 16777619U;
    }
    return hash;
}

/// Return the function with a number; null if there is none.
const UnaryFunction* unary_function(std::uint32_t number);
const BinaryFunction* binary_function(std::uint32_t number);
const TernaryFunction* ternary_function(std::uint32_t number);
/// Return the function that a command calls. Throw InputError if it is not modeled.
const UnaryFunction& unary_of(const ComputeCommand& command);
const BinaryFunction& binary_of(const ComputeCommand& command);
const TernaryFunction& ternary_of(const ComputeCommand& command);

}  // namespace nocbench
