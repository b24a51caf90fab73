// The execution loop of a hart whose memory is shared.
#include <algorithm>
#include <cstring>

#include "device_model/riscv/isa/arithmetic.h"
#include "device_model/riscv/shared_memory_hart.h"

// For lambdas: a call would force the variables that they refer to into memory.
#define NOCBENCH_INLINE __attribute__((always_inline))

namespace nocbench::riscv {

SharedMemoryHart::Stop SharedMemoryHart::execute(const Cycle limit, const std::int64_t count) {
    const Instruction* const instructions = code_.instructions();
    const std::uint32_t num_places = code_.size();
    std::byte* const memory = memory_.data();
    const auto memory_bytes = static_cast<std::uint32_t>(memory_.size());
    const std::uint32_t readable_begin = readable_begin_;
    const std::uint32_t writable_begin = writable_begin_;
    Cycle* const stamps = stamps_.data();
    Change* const before = before_.data();
    PlaceUse* const uses = uses_.data();
    auto& x = state_.registers;
    auto& ready = state_.ready;
    const Cycle load_cycles = times_.load_cycles;
    const Cycle float_user_cycles = times_.float_user_cycles;
    const Cycle branch_cycles = 1 + times_.taken_branch_cycles;
    // Local copies of state that nearly every instruction changes.
    std::uint32_t place = state_.place;
    Cycle now = state_.now;
    std::size_t num_changes = num_changes_;
    std::uint64_t num_instructions = num_instructions_;
    std::uint64_t effects = effects_;
    const auto stop = [&](Stop reason) NOCBENCH_INLINE {
        state_.place = place;
        state_.now = now;
        num_changes_ = num_changes;
        num_instructions_ = num_instructions;
        effects_ = effects;
        return reason;
    };

    for (;;) {
        const Instruction& instruction = instructions[place];
        Cycle issue = std::max({now, ready[instruction.source1], ready[instruction.source2]});
        if (issue >= limit) [[unlikely]] {
            next_issue_ = issue;
            return stop(Stop::limit);
        }
        const std::uint32_t a = x[instruction.source1];
        const std::uint32_t b = x[instruction.source2];
        const auto immediate = static_cast<std::uint32_t>(instruction.immediate);
        const std::uint8_t destination = instruction.destination;

        /// Issues the instruction at `issue`, and the next integer one `cycles` later.
        const auto goes_on_after = [&](Cycle cycles) NOCBENCH_INLINE {
            const Cycle next = issue + cycles;
            uses[place].further_cycles += count * (next - now - 1);
            now = next;
            num_instructions += static_cast<std::uint64_t>(count);
        };
        const auto advance = [&]() NOCBENCH_INLINE { place += instruction.bytes / 2; };
        const auto result = [&](std::uint32_t value) NOCBENCH_INLINE {
            x[destination] = value;
            ready[destination] = issue + 1;
            goes_on_after(1);
        };
        const auto jump = [&](std::uint32_t target) NOCBENCH_INLINE {
            uses[place].left += count;
            uses[target].entered += count;
            const bool is_backward = target <= place;
            place = target;
            if (is_backward) {
                if (loop_.effects != effects || loop_.place != target) {
                    loop_.begin(target, effects);
                    return false;
                }
                if ((loop_.is_valid && x[loop_.differing] == sample_.state.registers[loop_.differing]) ||
                    ++loop_.visits >= loop_.visits_max) {
                    state_.now = now;
                    return is_same_round(num_instructions);
                }
            }
            return false;
        };
        const auto load = [&]<class Value>(Value /*type*/) NOCBENCH_INLINE {
            constexpr auto kBytes = static_cast<std::uint32_t>(sizeof(Value));
            const std::uint32_t from = a + immediate;
            if (from - readable_begin > memory_bytes - readable_begin - kBytes || from % kBytes != 0) [[unlikely]] {
                return false;
            }
            Value value{};
            std::memcpy(&value, memory + from, kBytes);
            x[destination] = static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
            ready[destination] = issue + load_cycles;
            stamps[from >> kStampShift] = issue;
            goes_on_after(1);
            return true;
        };
        const auto store = [&]<class Value>(Value value) NOCBENCH_INLINE {
            constexpr auto kBytes = static_cast<std::uint32_t>(sizeof(Value));
            const std::uint32_t to = a + immediate;
            if (to - writable_begin > memory_bytes - writable_begin - kBytes || to % kBytes != 0) [[unlikely]] {
                return false;
            }
            std::byte* const bytes = memory + to;
            stamps[to >> kStampShift] = issue;
            if (std::memcmp(bytes, &value, kBytes) != 0) {
                Change& change = before[num_changes++];
                change.address = to;
                change.bytes = kBytes;
                std::memcpy(change.value.data(), bytes, kBytes);
                std::memcpy(bytes, &value, kBytes);
                ++effects;
            }
            goes_on_after(1);
            return true;
        };
        const std::uint32_t c = x[instruction.source3];
        const std::uint8_t rounding = control_.rounding_of(instruction);
        const auto mode = [&] { return static_cast<RoundingMode>(rounding); };
        /// Issues a float instruction; returns false if that must wait for the limit. The next integer instruction may
        /// issue in the same cycle.
        const auto float_result = [&](Cycle latency, Cycle busy, const auto& value) NOCBENCH_INLINE {
            const Cycle operands =
                std::max({ready[instruction.source1], ready[instruction.source2], ready[instruction.source3]});
            issue = std::max({issue, operands + float_user_cycles, state_.last_float + 1});
            if (issue >= limit) [[unlikely]] {
                return false;
            }
            x[destination] = value().value;
            ready[destination] = issue + latency;
            state_.last_float = issue + busy;
            goes_on_after(busy);
            return true;
        };

        switch (instruction.operation) {
            case Operation::auipc:
                result(code_.address(place) + immediate);
                break;
            case Operation::jal:
            case Operation::jalr: {
                const std::uint32_t target = instruction.operation == Operation::jal
                                                 ? place + static_cast<std::uint32_t>(instruction.immediate / 2)
                                                 : code_.place((a + immediate) & ~std::uint32_t{1});
                if (target >= num_places) [[unlikely]] {
                    return stop(Stop::call);
                }
                issue = std::max(issue, state_.last_float + 1);
                x[destination] = code_.address(place) + instruction.bytes;
                ready[destination] = issue + 1;
                goes_on_after(branch_cycles);
                if (jump(target)) [[unlikely]] {
                    return stop(Stop::loop);
                }
                continue;
            }
            case Operation::move_stack: {
                const std::uint32_t moved = moved_stack(instruction, a, b);
                // Checks only crossing the limit: a program may have its stack elsewhere.
                if (moved < stack_limit_ && x[kStackPointer] >= stack_limit_) [[unlikely]] {
                    return stop(Stop::fault);
                }
                result(moved);
                break;
            }
// NOLINTBEGIN(bugprone-macro-parentheses): types and cases are no expressions.
#define NOCBENCH_RISCV_RESULT(operation, value) \
    case Operation::operation:                  \
        result(value);                          \
        break;
#define NOCBENCH_RISCV_PRODUCT(operation, value) NOCBENCH_RISCV_RESULT(operation, value)
#define NOCBENCH_RISCV_QUOTIENT(operation, value)          \
    case Operation::operation:                             \
        x[destination] = value;                            \
        ready[destination] = issue + times_.divide_cycles; \
        goes_on_after(times_.divide_cycles);               \
        break;
#define NOCBENCH_RISCV_BRANCH(operation, condition)                                                     \
    case Operation::operation:                                                                          \
        issue = std::max(issue, state_.last_float + 1);                                                 \
        if (condition) {                                                                                \
            const std::uint32_t target = place + static_cast<std::uint32_t>(instruction.immediate / 2); \
            if (target >= num_places) [[unlikely]] {                                                    \
                return stop(Stop::fault);                                                               \
            }                                                                                           \
            goes_on_after(branch_cycles);                                                               \
            if (jump(target)) [[unlikely]] {                                                            \
                return stop(Stop::loop);                                                                \
            }                                                                                           \
        } else {                                                                                        \
            goes_on_after(1);                                                                           \
            advance();                                                                                  \
        }                                                                                               \
        continue;
#define NOCBENCH_RISCV_LOAD(operation, type) \
    case Operation::operation:               \
        if (!load(type{})) [[unlikely]] {    \
            return stop(Stop::load);         \
        }                                    \
        break;
#define NOCBENCH_RISCV_STORE(operation, type)            \
    case Operation::operation:                           \
        if (num_changes == kChangesMax) [[unlikely]] {   \
            next_issue_ = issue;                         \
            return stop(Stop::limit);                    \
        }                                                \
        if (!store(static_cast<type>(b))) [[unlikely]] { \
            return stop(Stop::store);                    \
        }                                                \
        break;
#define NOCBENCH_RISCV_ATOMIC(operation, value) \
    case Operation::operation:                  \
        return stop(Stop::atomic);
#define NOCBENCH_RISCV_FLOAT_AFTER(operation, value, latency, busy)             \
    case Operation::operation:                                                  \
        if (!is_rounding_mode(rounding)) [[unlikely]] {                         \
            return stop(Stop::fault);                                           \
        }                                                                       \
        if (!float_result(latency, busy, [&] { return value; })) [[unlikely]] { \
            next_issue_ = issue;                                                \
            return stop(Stop::limit);                                           \
        }                                                                       \
        break;
#define NOCBENCH_RISCV_FLOAT(operation, value) NOCBENCH_RISCV_FLOAT_AFTER(operation, value, times_.float_cycles, 0)
#define NOCBENCH_RISCV_FLOAT_QUOTIENT(operation, value) \
    NOCBENCH_RISCV_FLOAT_AFTER(operation, value, times_.float_divide_cycles, times_.float_divide_cycles)
// NOLINTEND(bugprone-macro-parentheses)
#include "device_model/riscv/isa/semantics.inl"
#undef NOCBENCH_RISCV_FLOAT_AFTER
            case Operation::fence:
            case Operation::fence_i:
                goes_on_after(1);
                break;
            case Operation::lr_w:
            case Operation::sc_w:
                return stop(Stop::atomic);
            case Operation::ecall:
            case Operation::csrrw:
            case Operation::csrrs:
            case Operation::csrrc:
            case Operation::csrrwi:
            case Operation::csrrsi:
            case Operation::csrrci:
                return stop(Stop::environment);
            default:
                return stop(Stop::fault);
        }
        advance();
    }
}

}  // namespace nocbench::riscv
