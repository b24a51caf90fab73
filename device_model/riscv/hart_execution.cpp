// The execution loop of a hart, and helpers of most instructions.
#include <algorithm>
#include <cstring>

#include "device_model/riscv/guest_fault.h"
#include "device_model/riscv/hart.h"
#include "device_model/riscv/isa/arithmetic.h"

namespace nocbench::riscv {

namespace {

// For lambdas: a call would force the variables that they refer to into memory.
#define NOCBENCH_INLINE __attribute__((always_inline))

/// Returns the weight of a place's state in the hash of all predictors. Unlike multiples of a constant, sums of a few
/// weights do not collide.
std::uint64_t weight_of(std::uint64_t place) {
    std::uint64_t mixed = (place + 1) * 0x9E3779B97F4A7C15;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
    return mixed ^ mixed >> 31;
}

}  // namespace

bool Hart::predict(std::uint32_t place, bool is_taken, bool is_backward) {
    // Two-bit saturating counter per branch; a branch never seen is predicted taken if backward. The hardware's
    // prediction is not documented.
    constexpr std::uint8_t kStrongest = 3;
    std::uint8_t& state = predictors_[place];
    const std::uint8_t before = state == kNeverSeen ? (is_backward ? 2 : 1) : state;
    const auto after =
        static_cast<std::uint8_t>(is_taken ? std::min<int>(before + 1, kStrongest) : std::max<int>(before - 1, 0));
    if (state != after) {
        predictions_ += (std::uint64_t{after} - state) * weight_of(place);
        state = after;
    }
    return (before >= 2) == is_taken;
}

bool Hart::follow_jump(std::uint32_t place, std::uint32_t target) {
    // Updates the hash as predict() does.
    const bool was_predicted = targets_[place] == target || targets_[place] == kNoTarget;
    predictions_ += (std::uint64_t{target} - targets_[place]) * weight_of(place);
    targets_[place] = target;
    return was_predicted;
}

bool Hart::jump_outside(std::uint32_t target, std::uint32_t& next) {
    ++effects_;
    if (bus_.jump_outside(*this, target, timing_.now())) {
        return true;
    }
    next = code_.place(registers_[kReturnAddress]);
    if (next >= code_.size()) {
        fail_target("return", registers_[kReturnAddress]);
    }
    return false;
}

void Hart::run(std::uint32_t start) {
    place_ = 0;
    place_ = code_.place_of_start(start);
    ++uses_[place_].entered;
    next_meeting_ = timing_.now() + kMeetingCycles;
    try {
        if (code_.has_compressed()) {
            execute_from_place<true>();
        } else {
            execute_from_place<false>();
        }
    } catch (...) {
        // The faulting instruction jumps nowhere and takes no time.
        ++uses_[place_].left;
        --uses_[place_].further_cycles;
        throw;
    }
}

template <bool kHasCompressed>
void Hart::execute_from_place() {
    const Instruction* const instructions = code_.instructions();
    const std::uint32_t num_places = code_.size();
    const std::uint32_t private_begin = memory_begin_;
    std::byte* const private_memory = memory_.data();
    const auto private_bytes = static_cast<std::uint32_t>(memory_.size());
    // 0 while slower stores delay others: rarely, even private loads must then check these stores.
    std::uint32_t direct_bytes = private_bytes;
    PlaceUse* const uses = uses_.data();
    auto& x = registers_;
    Cycle* const ready = timing_.ready();
    // Local copies of state that nearly every instruction changes; hand_over() stores it to the members before calls,
    // take_back() reloads it.
    std::uint32_t place = place_;
    Cycle now = timing_.now();
    Cycle slow_load_done = timing_.slow_load_done();
    std::uint64_t num_instructions = num_instructions_;
    const auto hand_over = [&]() NOCBENCH_INLINE {
        place_ = place;
        timing_.set_now(now);
        num_instructions_ = num_instructions;
    };
    const auto take_back = [&]() NOCBENCH_INLINE {
        now = timing_.now();
        slow_load_done = timing_.slow_load_done();
    };

    for (;;) {
        const Instruction& instruction = instructions[place];
        const auto wait_until = [&](Cycle cycle) NOCBENCH_INLINE {
            if (cycle > now) {
                uses[place].further_cycles += cycle - now;
                now = cycle;
            }
        };
        wait_until(std::max(ready[instruction.source1], ready[instruction.source2]));
        ++num_instructions;
        const std::uint32_t a = x[instruction.source1];
        const std::uint32_t b = x[instruction.source2];
        const auto immediate = static_cast<std::uint32_t>(instruction.immediate);
        const std::uint8_t destination = instruction.destination;

        const auto address = [&]() NOCBENCH_INLINE { return code_.address(place); };
        const auto result_after = [&](std::uint32_t value, Cycle issue_cycles, Cycle latency_cycles) NOCBENCH_INLINE {
            x[destination] = value;
            ready[destination] = std::max(now + latency_cycles, slow_load_done);
            now += issue_cycles;
        };
        const auto result = [&](std::uint32_t value) NOCBENCH_INLINE { result_after(value, 1, 1); };
        /// Executes an instruction whose time the members compute.
        const auto elsewhere = [&](const auto& act) NOCBENCH_INLINE {
            hand_over();
            const Cycle begin = now;
            act();
            take_back();
            uses[place].further_cycles += now - begin - 1;
        };
        // Advances early where possible, so that the next instruction need not wait for this one's decoding.
        const auto advance = [&]() NOCBENCH_INLINE { place += kHasCompressed ? instruction.bytes / 2 : 2; };
        const auto jump = [&](std::uint32_t target) NOCBENCH_INLINE {
            if (target >= num_places) [[unlikely]] {
                hand_over();
                fail_target("jump", code_.address(target));
            }
            ++uses[place].left;
            ++uses[target].entered;
            const bool is_backward = target <= place;
            place = target;
            if (is_backward) {
                if (snapshot_.effects != effects_ && now < next_meeting_) {
                    // Effects since the last visit: the loop does not only poll, or was just entered.
                    begin_looking_at(target, now);
                } else {
                    hand_over();
                    goes_back(target);
                    take_back();
                    num_instructions = num_instructions_;
                }
            }
        };
        const auto branch = [&](bool is_taken) NOCBENCH_INLINE {
            const bool was_predicted = predict(place, is_taken, instruction.immediate < 0);
            now += 1;
            if (!was_predicted) {
                const Cycle further = constants_.branch_mispredicted_cycles - 1;
                uses[place].further_cycles += further;
                now += further;
            }
            if (is_taken) {
                jump(place + static_cast<std::uint32_t>(instruction.immediate / 2));
            } else {
                advance();
            }
        };
        const auto multiply = [&](std::uint32_t value) NOCBENCH_INLINE {
            uses[place].further_cycles += constants_.multiply_issue_cycles - 1;
            result_after(value, constants_.multiply_issue_cycles, constants_.multiply_latency_cycles);
        };
        const auto load = [&]<class Value>(Value /*type*/) NOCBENCH_INLINE {
            constexpr std::uint32_t kBytes = sizeof(Value);
            const std::uint32_t from = a + immediate;
            const std::uint32_t offset = from - private_begin;
            if (from % kBytes != 0) [[unlikely]] {
                hand_over();
                fail_alignment("load", from, kBytes);
            }
            if (offset < direct_bytes) {
                Value value{};
                std::memcpy(&value, private_memory + offset, kBytes);
                result_after(static_cast<std::uint32_t>(static_cast<std::int32_t>(value)), 1,
                             constants_.private_load_cycles);
            } else {
                elsewhere([&] {
                    const auto value = static_cast<Value>(load_elsewhere(from, kBytes, destination));
                    x[destination] = static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
                });
                direct_bytes = timing_.delays_stores() ? 0 : private_bytes;
            }
        };
        const auto store = [&]<class Value>(Value value) NOCBENCH_INLINE {
            constexpr std::uint32_t kBytes = sizeof(Value);
            const std::uint32_t to = a + immediate;
            const std::uint32_t offset = to - private_begin;
            if (to % kBytes != 0) [[unlikely]] {
                hand_over();
                fail_alignment("store", to, kBytes);
            }
            if (offset < direct_bytes) {
                if (std::memcmp(private_memory + offset, &value, kBytes) != 0) {
                    std::memcpy(private_memory + offset, &value, kBytes);
                    ++effects_;
                }
                wait_until(timing_.private_store(now));
                ++now;
            } else {
                elsewhere([&] { store_elsewhere(to, kBytes, value); });
                direct_bytes = timing_.delays_stores() ? 0 : private_bytes;
            }
        };

        switch (instruction.operation) {
            case Operation::illegal:
            case Operation::ebreak:
                hand_over();
                fail_instruction(code_, place);
            case Operation::auipc:
                result(address() + immediate);
                break;
            case Operation::jal:
                result(address() + instruction.bytes);
                jump(place + static_cast<std::uint32_t>(instruction.immediate / 2));
                continue;
            case Operation::jalr: {
                const std::uint32_t target = (a + immediate) & ~std::uint32_t{1};
                std::uint32_t next = code_.place(target);
                Cycle further = 0;
                if (!follow_jump(place, target)) {
                    further = constants_.branch_mispredicted_cycles - 1;
                    uses[place].further_cycles += further;
                }
                now += further;
                result(address() + instruction.bytes);
                if (next >= num_places) {
                    hand_over();
                    if (jump_outside(target, next)) {
                        ++uses[place].left;
                        return;
                    }
                }
                jump(next);
                continue;
            }
// NOLINTBEGIN(bugprone-macro-parentheses): types and cases are no expressions.
#define NOCBENCH_RISCV_RESULT(operation, value) \
    case Operation::operation:                  \
        result(value);                          \
        break;
#define NOCBENCH_RISCV_PRODUCT(operation, value) \
    case Operation::operation:                   \
        multiply(value);                         \
        break;
#define NOCBENCH_RISCV_QUOTIENT(operation, value)                                                                 \
    case Operation::operation:                                                                                    \
        elsewhere([&] {                                                                                           \
            divide(Operation::operation == Operation::div || Operation::operation == Operation::rem, a, b, value, \
                   destination);                                                                                  \
        });                                                                                                       \
        break;
#define NOCBENCH_RISCV_BRANCH(operation, condition) \
    case Operation::operation:                      \
        branch(condition);                          \
        continue;
#define NOCBENCH_RISCV_LOAD(operation, type) \
    case Operation::operation:               \
        load(type{});                        \
        break;
#define NOCBENCH_RISCV_STORE(operation, type) \
    case Operation::operation:                \
        store(static_cast<type>(b));          \
        break;
// NOLINTEND(bugprone-macro-parentheses)
#include "device_model/riscv/isa/semantics.inl"
            case Operation::move_stack: {
                const std::uint32_t moved = moved_stack(instruction, a, b);
                // Checks only crossing the limit: a program may have its stack elsewhere.
                if (moved < stack_limit_ && x[kStackPointer] >= stack_limit_) [[unlikely]] {
                    hand_over();
                    fail_stack(moved);
                }
                result(moved);
                break;
            }
            case Operation::fence:
                // Flushes the data cache; a nop without one.
                cache_.flush();
                ++now;
                break;
            case Operation::fence_i:
                ++now;
                break;
            case Operation::ecall:
                elsewhere([&] {
                    ++effects_;
                    timing_.set_now(now + bus_.environment_call(*this, now));
                });
                break;
            case Operation::csrrw:
            case Operation::csrrs:
            case Operation::csrrc:
            case Operation::csrrwi:
            case Operation::csrrsi:
            case Operation::csrrci:
                hand_over();
                result(control_register(instruction));
                break;
            case Operation::lr_w:
            case Operation::sc_w:
            case Operation::amoswap_w:
            case Operation::amoadd_w:
            case Operation::amoxor_w:
            case Operation::amoand_w:
            case Operation::amoor_w:
            case Operation::amomin_w:
            case Operation::amomax_w:
            case Operation::amominu_w:
            case Operation::amomaxu_w:
                elsewhere([&] { x[destination] = atomic(instruction); });
                break;
            default:
                elsewhere([&] { execute_float(instruction); });
                break;
        }
        advance();
    }
}

}  // namespace nocbench::riscv
