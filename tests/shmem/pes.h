// PE programs for tests: functions that call OpenSHMEM routines by name, with arguments in registers as in compiled
// programs.
#pragma once

#include <bit>
#include <cstring>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "device_model/sim/error.h"
#include "kernels/epiphany/epiphany_api.h"
#include "kernels/shmem/native/native_guest.h"
#include "kernels/shmem/routine.h"
#include "tests/epiphany/epiphany_machine.h"

namespace nocbench::shmem::test {

/// Address of test data, initially all zero.
inline constexpr Address kData = 0x100;
inline constexpr NativeLayout kLayout{0x6000, 64};

inline NativeRun run_pes(int num_pes, const std::function<void(Pe&)>& program, const Options& options = {}) {
    nocbench::test::EpiphanyMachine machine;
    NativeProgram native;
    native.num_pes = num_pes;
    native.options = options;
    native.layout = kLayout;
    native.run = program;
    return run_native(machine.device(), native);
}

/// Returns the error message for an invalid program, without place and time.
inline std::string complaint_of(int num_pes, const std::function<void(Pe&)>& program, const Options& options = {}) {
    try {
        run_pes(num_pes, program, options);
    } catch (const KernelError& error) {
        return error.what();
    }
    return "no error";
}

template <class Value>
std::vector<Value> values_at(Pe& pe, Address address, std::size_t count) {
    epiphany::synchronize();
    std::vector<Value> values(count);
    pe.guest().peek(address, std::as_writable_bytes(std::span(values)));
    return values;
}
template <class Value>
Value value_at(Pe& pe, Address address) {
    return values_at<Value>(pe, address, 1).front();
}
template <class Value>
void set_values(Pe& pe, Address address, const std::vector<Value>& values) {
    epiphany::synchronize();
    pe.guest().poke(address, std::as_bytes(std::span(values)));
}
template <class Value>
void set_value(Pe& pe, Address address, Value value) {
    set_values(pe, address, std::vector<Value>{value});
}

/// Arguments by the RV32 calling convention: in registers, and on the stack for the rest.
class Arguments {
public:
    template <class Value>
    void add(Value value) {
        if constexpr (std::is_same_v<Value, float>) {
            if (num_floats_ < registers_.floats.size()) {
                registers_.floats[num_floats_++] = std::bit_cast<std::uint32_t>(value);
                return;
            }
            add_word(std::bit_cast<std::uint32_t>(value));
        } else if constexpr (sizeof(Value) == sizeof(std::uint64_t)) {
            const auto bits = std::bit_cast<std::uint64_t>(value);
            add_word(static_cast<std::uint32_t>(bits));
            add_word(static_cast<std::uint32_t>(bits >> 32U));
        } else {
            static_assert(std::is_integral_v<Value>);
            add_word(static_cast<std::uint32_t>(value));
        }
    }
    GuestCall::Registers registers_of(Pe& pe) {
        registers_.stack_pointer = pe.guest().stack_pointer();
        if (!on_stack_.empty()) {
            set_values(pe, registers_.stack_pointer, on_stack_);
        }
        return registers_;
    }

private:
    void add_word(std::uint32_t word) {
        if (num_integers_ < registers_.integers.size()) {
            registers_.integers[num_integers_++] = word;
        } else {
            on_stack_.push_back(word);
        }
    }

    GuestCall::Registers registers_;
    std::size_t num_integers_ = 0;
    std::size_t num_floats_ = 0;
    std::vector<std::uint32_t> on_stack_;
};

inline const Routine& routine(std::string_view name) {
    for (const Routine& each : shmem_routines()) {
        if (each.name == name) {
            return each;
        }
    }
    throw std::invalid_argument(std::string(name) + ": there is no such routine");
}

/// Calls a routine. Returns its result as an integer or as `Result`.
template <class Result = std::uint32_t, class... Values>
Result call(Pe& pe, std::string_view name, Values... values) {
    Arguments arguments;
    (arguments.add(values), ...);
    GuestCall guest_call(pe.guest(), arguments.registers_of(pe));
    routine(name).carry_out(pe, guest_call);
    const GuestCall::Registers& registers = guest_call.registers();
    if constexpr (std::is_same_v<Result, float>) {
        return std::bit_cast<float>(registers.floats[0]);
    } else if constexpr (sizeof(Result) == sizeof(std::uint64_t)) {
        return std::bit_cast<Result>(registers.integers[0] | std::uint64_t{registers.integers[1]} << 32U);
    } else {
        return static_cast<Result>(registers.integers[0]);
    }
}

/// Random number generator, seeded differently on each PE.
class Chance {
public:
    explicit Chance(const Pe& pe, unsigned seed = 1) : engine_(seed * 1000 + static_cast<unsigned>(pe.number())) {}

    /// Returns a number from 0 to `limit` - 1.
    std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(engine_() % limit); }
    /// Computes for a random time, occasionally long, so that PEs arrive at very different times.
    void delay() { epiphany::instructions(static_cast<int>(below(4) == 0 ? below(3000) : below(40))); }

private:
    std::minstd_rand engine_;
};

}  // namespace nocbench::shmem::test
