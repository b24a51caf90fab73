#include "device_model/riscv/hart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "device_model/riscv/guest_fault.h"
#include "device_model/riscv/isa/arithmetic.h"
#include "device_model/riscv/isa/floating_point.h"

namespace nocbench::riscv {

namespace {

// Of lambdas that refer to variables which would have to be in memory if there were a call.
#define NOCBENCH_INLINE __attribute__((always_inline))

constexpr std::uint8_t kNeverSeen = 4;
constexpr std::uint32_t kNoTarget = 1;  // targets are even
constexpr std::uint8_t kStackPointer = 2;

/// A hart that only computes meets the rest of the machine so often.
constexpr Cycle kMeetingCycles = 100'000;

/// What a place contributes to the number that tells two states of the predictors apart, times its own state. No few of
/// these add up to another, as multiples of a constant would.
std::uint64_t weight_of(std::uint64_t place) {
    std::uint64_t mixed = (place + 1) * 0x9E3779B97F4A7C15;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
    return mixed ^ mixed >> 31;
}

}  // namespace

Hart::Hart(const Code& code, const RiscvConstants& timing, const Memory& memory, Bus& bus)
    : code_(code),
      bus_(bus),
      constants_(timing),
      timing_(timing),
      memory_begin_(memory.begin),
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

void Hart::fail_access(std::uint32_t address, std::uint32_t bytes, const char* what) const {
    const std::uint32_t stack = registers_[kStackPointer];
    if (stack < memory_begin_ && memory_begin_ - stack <= memory_.size() && address >= stack &&
        address < memory_begin_) {
        throw GuestFault(
            fmt::format("{} of {} bytes at 0x{:x}: stack overflow: the stack is {} bytes longer than the {} "
                        "bytes of private memory",
                        what, bytes, address, memory_begin_ - stack, memory_.size()));
    }
    std::string regions = fmt::format("private memory 0x{:x} to 0x{:x}", memory_begin_, memory_begin_ + memory_.size());
    for (const Region& region : regions_) {
        if (region.contains(address)) {
            throw GuestFault(
                fmt::format("{} of {} bytes at 0x{:x}: it runs over the end of {}", what, bytes, address, region.name));
        }
        regions += fmt::format(", {} 0x{:x} to 0x{:x}", region.name, region.begin, region.begin + region.bytes);
    }
    throw GuestFault(
        fmt::format("{} of {} bytes at 0x{:x}: nothing is there; there are {}", what, bytes, address, regions));
}

const Region& Hart::region_of(std::uint32_t address, std::uint32_t bytes, const char* what) {
    if (last_region_ == nullptr || !last_region_->contains(address)) {
        const auto found =
            std::ranges::find_if(regions_, [&](const Region& region) { return region.contains(address); });
        if (found == regions_.end()) {
            fail_access(address, bytes, what);
        }
        last_region_ = &*found;
    }
    if (last_region_->bytes - (address - last_region_->begin) < bytes) {
        fail_access(address, bytes, what);
    }
    return *last_region_;
}

void Hart::fail_alignment(const char* what, std::uint32_t address, std::uint32_t bytes) const {
    throw GuestFault(fmt::format("{} of {} bytes at 0x{:x}: expected a multiple of {}", what, bytes, address, bytes));
}

std::uint32_t Hart::load_elsewhere(std::uint32_t address, std::uint32_t bytes, std::uint8_t destination) {
    const Region& region = region_of(address, bytes, "load");
    std::uint32_t value = 0;
    if (!region.is_cached || constants_.cache_lines == 0) {
        timing_.begin_slow_load();
        value = sample(region, address, bytes, nullptr);
        timing_.end_slow_load(destination, region.load_cycles);
        return value;
    }
    const std::uint32_t offset = address % DataCache::kLineBytes;
    if (const DataCache::Line* const line = cache_.find(address)) {
        std::memcpy(&value, &(*line)[offset], bytes);
        timing_.fast_load(destination, constants_.cache_hit_cycles);
        cached_pc_ = pc();
        return value;
    }
    timing_.begin_slow_load();
    value = sample(region, address, bytes, &cache_.replace(address));
    timing_.end_slow_load(destination, region.load_cycles);
    return value;
}

std::uint32_t Hart::sample(const Region& region, std::uint32_t address, std::uint32_t bytes, DataCache::Line* line) {
    const Cycle cycle = timing_.now() + region.sample_cycles;
    const std::uint32_t line_begin = address - address % DataCache::kLineBytes;
    Sample sample{address, bytes, 0, {}, 0, 0};
    bool is_replayed = false;
    if (next_replayed_ < replayed_.size()) {
        const Sample& before = replayed_[next_replayed_++];
        if (before.address != address || before.bytes != bytes) {
            next_replayed_ = replayed_.size();  // it has seen the change, and goes another way
        } else if (cycle + before.taken_after < replayed_until_) {
            sample = before;
            replayed_meeting_ = std::max(replayed_meeting_, cycle + before.met_after);
            is_replayed = true;
        }
    }
    if (!is_replayed) {
        if (replayed_meeting_ >= 0) {
            bus_.meet(std::exchange(replayed_meeting_, -1));
        }
        sample.taken_after =
            bus_.load(region, address, std::as_writable_bytes(std::span(&sample.value, 1)).first(bytes), cycle) - cycle;
        if (line != nullptr) {
            bus_.load(region, line_begin, sample.line, cycle);
        }
        sample.met_after = bus_.met_until() - cycle;
    }
    if (line != nullptr) {
        *line = sample.line;
    }
    if (snapshot_.is_valid) {
        constexpr std::uint32_t kWordBytes = 4;
        const std::size_t num_watches = 1 + (line != nullptr ? DataCache::kLineBytes / kWordBytes : 0);
        if (watches_.size() + num_watches <= kWatchesMax && bus_.can_be_watched(region, address)) {
            // Later loads of the loop may find the rest of the line in the cache.
            for (std::uint32_t offset = 0; line != nullptr && offset < DataCache::kLineBytes; offset += kWordBytes) {
                Watch watch{&region, line_begin + offset, kWordBytes, 0, pc(), true};
                std::memcpy(&watch.value, &(*line)[offset], kWordBytes);
                watches_.push_back(watch);
            }
            watches_.push_back({&region, address, bytes, sample.value, pc(), false});
            samples_.push_back(sample);
            last_sample_ = std::max(last_sample_, cycle + sample.taken_after);
        } else {
            is_watched_ = false;
        }
    }
    return sample.value;
}

void Hart::store_elsewhere(std::uint32_t address, std::uint32_t bytes, std::uint32_t value) {
    const Region& region = region_of(address, bytes, "store");
    if (address + bytes > code_.base() && address < code_.base() + code_.bytes()) {
        throw GuestFault(
            fmt::format("store of {} bytes at 0x{:x}: it would change the program's own code", bytes, address));
    }
    ++effects_;
    const Cycle cycle = timing_.store(address, region.store_interval_cycles);
    const auto data = std::as_bytes(std::span(&value, 1)).first(bytes);
    if (region.is_cached) {
        cache_.write_through(address, data);
    }
    bus_.store(region, address, data, cycle);
}

std::uint32_t Hart::atomic(const Instruction& instruction) {
    const std::uint32_t address = registers_[instruction.source1];
    const std::uint32_t operand = registers_[instruction.source2];
    constexpr std::uint32_t kBytes = 4;
    if (address % kBytes != 0) {
        throw GuestFault(
            fmt::format("{} at 0x{:x}: expected a multiple of 4", to_string(instruction.operation), address));
    }
    ++effects_;
    const bool is_private = has_private(address, kBytes);
    const Region* const region = is_private ? nullptr : &region_of(address, kBytes, "atomic access");
    const Cycle latency = is_private ? constants_.private_load_cycles : constants_.atomic_cycles;
    std::uint32_t old = 0;
    const auto bytes = std::as_writable_bytes(std::span(&old, 1));
    timing_.begin_slow_load();
    const Cycle cycle = timing_.now() + latency / 2;
    if (is_private) {
        std::memcpy(&old, &memory_[address - memory_begin_], kBytes);
    } else {
        bus_.load(*region, address, bytes, cycle);
    }
    std::uint32_t value = old;
    bool stores = true;
    std::uint32_t result = old;
    switch (instruction.operation) {
        case Operation::lr_w:
            reserved_address_ = address;
            stores = false;
            break;
        case Operation::sc_w:
            stores = reserved_address_ == address;
            reserved_address_ = 1;
            result = stores ? 0 : 1;
            value = operand;
            break;
        case Operation::amoswap_w:
            value = operand;
            break;
        case Operation::amoadd_w:
            value = old + operand;
            break;
        case Operation::amoxor_w:
            value = old ^ operand;
            break;
        case Operation::amoand_w:
            value = old & operand;
            break;
        case Operation::amoor_w:
            value = old | operand;
            break;
        case Operation::amomin_w:
            value = riscv::min(old, operand);
            break;
        case Operation::amomax_w:
            value = riscv::max(old, operand);
            break;
        case Operation::amominu_w:
            value = minu(old, operand);
            break;
        default:
            value = maxu(old, operand);
            break;
    }
    if (stores) {
        const auto data = std::as_bytes(std::span(&value, 1));
        if (is_private) {
            std::memcpy(&memory_[address - memory_begin_], &value, kBytes);
        } else {
            bus_.store(*region, address, data, cycle);
        }
    }
    cache_.flush();
    timing_.end_slow_load(instruction.destination, latency);
    return result;
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
    std::uint32_t value = old;
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

bool Hart::predict(std::uint32_t place, bool is_taken, bool is_backward) {
    // Two bits per branch that move towards what it did. One that was never seen: a loop goes back. How the hardware
    // predicts is not documented.
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

void Hart::divide(Operation operation, std::uint32_t a, std::uint32_t b, std::uint8_t destination) {
    const auto magnitude = [](std::uint32_t value) { return as_signed(value) < 0 ? 0 - value : value; };
    std::uint32_t dividend = a;
    std::uint32_t value = 0;
    switch (operation) {
        case Operation::div:
            value = riscv::div(a, b);
            dividend = magnitude(a);
            break;
        case Operation::divu:
            value = divu(a, b);
            break;
        case Operation::rem:
            value = rem(a, b);
            dividend = magnitude(a);
            break;
        default:
            value = remu(a, b);
            break;
    }
    const bool is_trivial = b == 0 || b == 1;
    const Cycle cycles = is_trivial ? constants_.divide_trivial_cycles
                                    : std::clamp<Cycle>(significant_bits(dividend) + 1, constants_.divide_cycles_min,
                                                        constants_.divide_cycles_max);
    registers_[destination] = value;
    timing_.result_after(destination, cycles, cycles);
}

bool Hart::follow_jump(std::uint32_t place, std::uint32_t target) {
    // As predict(): it changes when the target does.
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
    constexpr std::uint8_t kReturnAddress = 1;
    next = (registers_[kReturnAddress] - code_.base()) / 2;
    if (next >= code_.size()) {
        throw GuestFault(fmt::format("return to 0x{:x}: there is no code", registers_[kReturnAddress]));
    }
    return false;
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
        case Operation::fmadd_s:
            result = fmadd_s(a, b, c, mode());
            break;
        case Operation::fmsub_s:
            result = fmsub_s(a, b, c, mode());
            break;
        case Operation::fnmsub_s:
            result = fnmsub_s(a, b, c, mode());
            break;
        case Operation::fnmadd_s:
            result = fnmadd_s(a, b, c, mode());
            break;
        case Operation::fadd_s:
            result = fadd_s(a, b, mode());
            break;
        case Operation::fsub_s:
            result = fsub_s(a, b, mode());
            break;
        case Operation::fmul_s:
            result = fmul_s(a, b, mode());
            break;
        case Operation::fdiv_s:
            result = fdiv_s(a, b, mode());
            issue = latency = constants_.float_divide_cycles;
            break;
        case Operation::fsqrt_s:
            result = fsqrt_s(a, mode());
            issue = latency = constants_.float_divide_cycles;
            break;
        case Operation::fsgnj_s:
            result.value = fsgnj_s(a, b);
            break;
        case Operation::fsgnjn_s:
            result.value = fsgnjn_s(a, b);
            break;
        case Operation::fsgnjx_s:
            result.value = fsgnjx_s(a, b);
            break;
        case Operation::fmin_s:
            result = fmin_s(a, b);
            break;
        case Operation::fmax_s:
            result = fmax_s(a, b);
            break;
        case Operation::fcvt_w_s:
            result = fcvt_w_s(a, mode());
            break;
        case Operation::fcvt_wu_s:
            result = fcvt_wu_s(a, mode());
            break;
        case Operation::feq_s:
            result = feq_s(a, b);
            break;
        case Operation::flt_s:
            result = flt_s(a, b);
            break;
        case Operation::fle_s:
            result = fle_s(a, b);
            break;
        case Operation::fclass_s:
            result.value = fclass_s(a);
            break;
        case Operation::fcvt_s_w:
            result = fcvt_s_w(a, mode());
            break;
        case Operation::fcvt_s_wu:
            result = fcvt_s_wu(a, mode());
            break;
        case Operation::fmv_x_w:
        case Operation::fmv_w_x:
            result.value = a;
            break;
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

void Hart::run(std::uint32_t start) {
    place_ = (start - code_.base()) / 2;
    if (place_ >= code_.size()) {
        place_ = 0;
        throw GuestFault(fmt::format("start at 0x{:x}: expected an address in the code, 0x{:x} to 0x{:x}", start,
                                     code_.base(), code_.base() + code_.bytes()));
    }
    ++uses_[place_].entered;
    next_meeting_ = timing_.now() + kMeetingCycles;
    try {
        if (code_.has_compressed()) {
            execute_from_place<true>();
        } else {
            execute_from_place<false>();
        }
    } catch (...) {
        // It goes nowhere from there, and what has failed took no time.
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
    PlaceUse* const uses = uses_.data();
    auto& x = registers_;
    Cycle* const ready = timing_.ready();
    // What changes with nearly every instruction is kept in variables of this function; hand_over() gives it to the
    // members, where the functions that it calls look for it, and take_back() what these have made of it.
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
        /// An instruction whose time the members know.
        const auto elsewhere = [&](const auto& act) NOCBENCH_INLINE {
            hand_over();
            const Cycle begin = now;
            act();
            take_back();
            uses[place].further_cycles += now - begin - 1;
        };
        // Where it is known, the next instruction need not wait until this one has been looked at.
        const auto advance = [&]() NOCBENCH_INLINE { place += kHasCompressed ? instruction.bytes / 2 : 2; };
        const auto jump = [&](std::uint32_t target) NOCBENCH_INLINE {
            if (target >= num_places) [[unlikely]] {
                hand_over();
                throw GuestFault(fmt::format("jump to 0x{:x}: there is no code", code_.address(target)));
            }
            ++uses[place].left;
            ++uses[target].entered;
            const bool is_backward = target <= place;
            place = target;
            if (is_backward) {
                if (snapshot_.effects != effects_ && now < next_meeting_) {
                    // Something has been done since; so this loop does not only look, or has just been entered.
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
            if (offset < private_bytes) {
                Value value{};
                std::memcpy(&value, private_memory + offset, kBytes);
                result_after(static_cast<std::uint32_t>(static_cast<std::int32_t>(value)), 1,
                             constants_.private_load_cycles);
            } else {
                elsewhere([&] {
                    const auto value = static_cast<Value>(load_elsewhere(from, kBytes, destination));
                    x[destination] = static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
                });
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
            if (offset < private_bytes) {
                if (std::memcmp(private_memory + offset, &value, kBytes) != 0) {
                    std::memcpy(private_memory + offset, &value, kBytes);
                    ++effects_;
                }
                wait_until(timing_.private_store(now));
                ++now;
            } else {
                elsewhere([&] { store_elsewhere(to, kBytes, value); });
            }
        };

        switch (instruction.operation) {
            case Operation::illegal:
                hand_over();
                throw GuestFault(place >= num_places
                                     ? std::string("it runs over the end of its code")
                                     : fmt::format("illegal instruction 0x{:0{}x}", immediate, 2 * instruction.bytes));
            case Operation::auipc:
                result(address() + immediate);
                break;
            case Operation::jal:
                result(address() + instruction.bytes);
                jump(place + static_cast<std::uint32_t>(instruction.immediate / 2));
                continue;
            case Operation::jalr: {
                const std::uint32_t target = (a + immediate) & ~std::uint32_t{1};
                std::uint32_t next = (target - code_.base()) / 2;
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
            case Operation::beq:
                branch(a == b);
                continue;
            case Operation::bne:
                branch(a != b);
                continue;
            case Operation::blt:
                branch(as_signed(a) < as_signed(b));
                continue;
            case Operation::bge:
                branch(as_signed(a) >= as_signed(b));
                continue;
            case Operation::bltu:
                branch(a < b);
                continue;
            case Operation::bgeu:
                branch(a >= b);
                continue;
            case Operation::lb:
                load(std::int8_t{});
                break;
            case Operation::lbu:
                load(std::uint8_t{});
                break;
            case Operation::lh:
                load(std::int16_t{});
                break;
            case Operation::lhu:
                load(std::uint16_t{});
                break;
            case Operation::lw:
            case Operation::flw:
                load(std::uint32_t{});
                break;
            case Operation::sb:
                store(static_cast<std::uint8_t>(b));
                break;
            case Operation::sh:
                store(static_cast<std::uint16_t>(b));
                break;
            case Operation::sw:
            case Operation::fsw:
                store(b);
                break;
            case Operation::lui:
                result(immediate);
                break;
            case Operation::addi:
                result(a + immediate);
                break;
            case Operation::slti:
                result(slt(a, immediate));
                break;
            case Operation::sltiu:
                result(sltu(a, immediate));
                break;
            case Operation::xori:
                result(a ^ immediate);
                break;
            case Operation::ori:
                result(a | immediate);
                break;
            case Operation::andi:
                result(a & immediate);
                break;
            case Operation::slli:
                result(sll(a, immediate));
                break;
            case Operation::srli:
                result(srl(a, immediate));
                break;
            case Operation::srai:
                result(sra(a, immediate));
                break;
            case Operation::add:
                result(a + b);
                break;
            case Operation::sub:
                result(a - b);
                break;
            case Operation::sll:
                result(sll(a, b));
                break;
            case Operation::slt:
                result(slt(a, b));
                break;
            case Operation::sltu:
                result(sltu(a, b));
                break;
            case Operation::xor_:
                result(a ^ b);
                break;
            case Operation::srl:
                result(srl(a, b));
                break;
            case Operation::sra:
                result(sra(a, b));
                break;
            case Operation::or_:
                result(a | b);
                break;
            case Operation::and_:
                result(a & b);
                break;
            case Operation::sh1add:
                result((a << 1) + b);
                break;
            case Operation::sh2add:
                result((a << 2) + b);
                break;
            case Operation::sh3add:
                result((a << 3) + b);
                break;
            case Operation::andn:
                result(a & ~b);
                break;
            case Operation::orn:
                result(a | ~b);
                break;
            case Operation::xnor:
                result(~(a ^ b));
                break;
            case Operation::clz:
                result(clz(a));
                break;
            case Operation::ctz:
                result(ctz(a));
                break;
            case Operation::cpop:
                result(cpop(a));
                break;
            case Operation::max:
                result(riscv::max(a, b));
                break;
            case Operation::maxu:
                result(maxu(a, b));
                break;
            case Operation::min:
                result(riscv::min(a, b));
                break;
            case Operation::minu:
                result(minu(a, b));
                break;
            case Operation::sext_b:
                result(sext_b(a));
                break;
            case Operation::sext_h:
                result(sext_h(a));
                break;
            case Operation::zext_h:
                result(zext_h(a));
                break;
            case Operation::rol:
                result(rol(a, b));
                break;
            case Operation::ror:
                result(ror(a, b));
                break;
            case Operation::rori:
                result(ror(a, immediate));
                break;
            case Operation::orc_b:
                result(orc_b(a));
                break;
            case Operation::rev8:
                result(rev8(a));
                break;
            case Operation::fence:
                // Flushes the data cache; a nop where there is none.
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
            case Operation::ebreak:
                hand_over();
                throw GuestFault("ebreak: the program stops itself");
            case Operation::mul:
                multiply(a * b);
                break;
            case Operation::mulh:
                multiply(mulh(a, b));
                break;
            case Operation::mulhsu:
                multiply(mulhsu(a, b));
                break;
            case Operation::mulhu:
                multiply(mulhu(a, b));
                break;
            case Operation::div:
            case Operation::divu:
            case Operation::rem:
            case Operation::remu:
                elsewhere([&] { divide(instruction.operation, a, b, destination); });
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

void Hart::goes_back(std::uint32_t target) {
    if (timing_.now() >= next_meeting_) {
        bus_.meet(timing_.now());
        next_meeting_ = timing_.now() + kMeetingCycles;
    }
    if (snapshot_.effects != effects_) {
        begin_looking_at(target, timing_.now());
        return;
    }
    if (snapshot_.is_valid && target == snapshot_.place &&
        registers_[snapshot_.differing] == snapshot_.registers[snapshot_.differing]) {
        compare_with_snapshot();
    }
    if (++snapshot_.visits >= snapshot_.visits_max) {
        take_snapshot(target);
    }
}

void Hart::take_snapshot(std::uint32_t target) {
    // Of the first rounds each, and then of ever fewer.
    constexpr std::uint32_t kFirstRounds = 8;
    snapshot_.visits_max = snapshot_.visits_max < kFirstRounds ? snapshot_.visits_max + 1 : snapshot_.visits_max * 2;
    if (snapshot_.place != target) {
        snapshot_.entered = timing_.now();
    }
    snapshot_.is_valid = true;
    snapshot_.place = target;
    snapshot_.predictions = predictions_;
    snapshot_.registers = registers_;
    snapshot_.cycle = timing_.now();
    snapshot_.num_instructions = num_instructions_;
    snapshot_.met_ahead = met_ahead();
    snapshot_.timing = timing_;
    snapshot_.cache = cache_;
    watches_.clear();
    samples_.clear();
    is_watched_ = true;
    cached_pc_ = 0;
}

void Hart::compare_with_snapshot() {
    registers_[kDiscard] = snapshot_.registers[kDiscard];  // nobody reads it
    const auto [mine, its] = std::ranges::mismatch(registers_, snapshot_.registers);
    if (mine != registers_.end()) {
        snapshot_.differing = static_cast<std::uint8_t>(mine - registers_.begin());
        return;
    }
    if (snapshot_.predictions != predictions_ || snapshot_.met_ahead != met_ahead() || snapshot_.cache != cache_ ||
        snapshot_.timing.state() != timing_.state()) {
        return;
    }
    if (watches_.empty() && is_watched_) {
        throw GuestFault(cached_pc_ != 0
                             ? fmt::format("a loop that never ends: its load at 0x{:x} polls a line of the L0 data "
                                           "cache, which nobody updates; invalidate_l1_cache() belongs into it",
                                           cached_pc_)
                             : std::string("a loop that never ends: it changes nothing and looks at nothing that "
                                           "others could change"));
    }
    if (is_watched_ && sleeps_) {
        sleep(timing_.now() - snapshot_.cycle);
    }
}

void Hart::sleep(Cycle period) {
    const Wake wake = bus_.sleep(*this, {watches_, snapshot_.entered, timing_.now(), last_sample_, period});
    const Cycle slept = wake.begin - timing_.now();
    timing_.shift(slept);
    num_instructions_ += static_cast<std::uint64_t>(slept / period) * (num_instructions_ - snapshot_.num_instructions);
    uses_[(watches_.back().pc - code_.base()) / 2].further_cycles += slept;
    replayed_ = samples_;
    next_replayed_ = 0;
    replayed_until_ = wake.changed;
    replayed_meeting_ = timing_.now() + snapshot_.met_ahead;
    next_meeting_ = timing_.now() + kMeetingCycles;
    snapshot_.is_valid = false;
    snapshot_.visits = 0;
    snapshot_.visits_max = kFirstVisits;
}

}  // namespace nocbench::riscv
