#include "device_model/riscv/hart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "device_model/riscv/guest_fault.h"
#include "device_model/riscv/isa/arithmetic.h"
#include "device_model/riscv/isa/floating_point.h"

namespace nocbench::riscv {

namespace {

constexpr std::uint8_t kNeverSeen = 4;
constexpr std::uint32_t kNoTarget = 1;  // targets are even

/// The value of a load, extended to a register.
std::uint32_t extended(Operation operation, std::uint32_t value) {
    switch (operation) {
        case Operation::lb:
            return sext_b(value);
        case Operation::lh:
            return sext_h(value);
        default:
            return value;
    }
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
      predictors_(code.size() + 1, kNeverSeen),
      targets_(code.size() + 1, kNoTarget),
      cycles_by_place_(code.size() + 1) {}

bool Hart::has_private(std::uint32_t address, std::size_t bytes) const {
    return address >= memory_begin_ && bytes <= memory_.size() && address - memory_begin_ <= memory_.size() - bytes;
}

void Hart::fail_access(std::uint32_t address, std::uint32_t bytes, const char* what) const {
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

std::uint32_t Hart::load(std::uint32_t address, std::uint32_t bytes, std::uint8_t destination) {
    if ((address & (bytes - 1)) != 0) [[unlikely]] {
        throw GuestFault(fmt::format("load of {} bytes at 0x{:x}: expected a multiple of {}", bytes, address, bytes));
    }
    const std::uint32_t offset = address - memory_begin_;
    if (offset < memory_.size()) {
        std::uint32_t value = 0;
        std::memcpy(&value, &memory_[offset], bytes);
        timing_.fast_load(destination, constants_.private_load_cycles);
        return value;
    }
    return load_elsewhere(address, bytes, destination);
}

std::uint32_t Hart::load_elsewhere(std::uint32_t address, std::uint32_t bytes, std::uint8_t destination) {
    const Region& region = region_of(address, bytes, "load");
    std::uint32_t value = 0;
    if (!region.is_cached || constants_.cache_lines == 0) {
        timing_.begin_slow_load();
        value = sample(region, address, bytes);
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
    value = sample(region, address, bytes);
    // The rest of the line comes with it. It is no part of what a polling loop looks at: that the loop does not use.
    DataCache::Line& line = cache_.replace(address);
    bus_.load(region, address - offset, line, timing_.now() + region.sample_cycles);
    std::memcpy(&line[offset], &value, bytes);
    timing_.end_slow_load(destination, region.load_cycles);
    return value;
}

std::uint32_t Hart::sample(const Region& region, std::uint32_t address, std::uint32_t bytes) {
    const Cycle cycle = timing_.now() + region.sample_cycles;
    std::uint32_t value = 0;
    if (cycle < replayed_until_ && next_replayed_ < replayed_.size() && replayed_[next_replayed_].address == address &&
        replayed_[next_replayed_].bytes == bytes) {
        value = replayed_[next_replayed_++].value;
    } else {
        bus_.load(region, address, std::as_writable_bytes(std::span(&value, 1)).first(bytes), cycle);
    }
    if (snapshot_.is_valid) {
        if (watches_.size() < kWatchesMax && bus_.can_be_watched(region, address)) {
            watches_.push_back({&region, address, bytes, value, pc(), timing_.now()});
        } else {
            is_watched_ = false;
        }
    }
    return value;
}

void Hart::store(std::uint32_t address, std::uint32_t bytes, std::uint32_t value) {
    if ((address & (bytes - 1)) != 0) [[unlikely]] {
        throw GuestFault(fmt::format("store of {} bytes at 0x{:x}: expected a multiple of {}", bytes, address, bytes));
    }
    const std::uint32_t offset = address - memory_begin_;
    if (offset < memory_.size()) {
        if (std::memcmp(&memory_[offset], &value, bytes) != 0) {
            std::memcpy(&memory_[offset], &value, bytes);
            ++effects_;
        }
        static_cast<void>(timing_.store(address, 1));
        return;
    }
    store_elsewhere(address, bytes, value);
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
        constexpr std::uint64_t kMixer = 0x9E3779B97F4A7C15;
        predictions_ += (std::uint64_t{after} - state) * kMixer * (2 * std::uint64_t{place} + 1);
        state = after;
    }
    return (before >= 2) == is_taken;
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
        throw GuestFault(fmt::format("start at 0x{:x}: expected an address in the code, 0x{:x} to 0x{:x}", start,
                                     code_.base(), code_.base() + code_.bytes()));
    }
    const Instruction* const instructions = code_.instructions();
    auto& x = registers_;
    for (;;) {
        const Instruction instruction = instructions[place_];
        const Cycle begin = timing_.now();
        timing_.wait_for(instruction.source1);
        timing_.wait_for(instruction.source2);
        ++num_instructions_;
        const std::uint32_t a = x[instruction.source1];
        const std::uint32_t b = x[instruction.source2];
        const auto immediate = static_cast<std::uint32_t>(instruction.immediate);
        const std::uint8_t destination = instruction.destination;
        std::uint32_t next = place_ + instruction.bytes / 2;
        bool is_taken = false;

        const auto result = [&](std::uint32_t value) {
            x[destination] = value;
            timing_.result(destination);
        };
        const auto branch = [&](bool taken) {
            timing_.branch(predict(place_, taken, instruction.immediate < 0));
            is_taken = taken;
            if (taken) {
                next = place_ + static_cast<std::uint32_t>(instruction.immediate / 2);
            }
        };
        const auto multiply = [&](std::uint32_t value) {
            x[destination] = value;
            timing_.result_after(destination, constants_.multiply_issue_cycles, constants_.multiply_latency_cycles);
        };
        const auto divide = [&](std::uint32_t value, std::uint32_t magnitude) {
            const bool is_trivial = b == 0 || b == 1;
            const Cycle cycles = is_trivial
                                     ? constants_.divide_trivial_cycles
                                     : std::clamp<Cycle>(significant_bits(magnitude) + 1, constants_.divide_cycles_min,
                                                         constants_.divide_cycles_max);
            x[destination] = value;
            timing_.result_after(destination, cycles, cycles);
        };
        const auto magnitude = [](std::uint32_t value) { return as_signed(value) < 0 ? 0 - value : value; };

        switch (instruction.operation) {
            case Operation::illegal:
                throw GuestFault(place_ >= code_.size() ? std::string("it runs over the end of its code")
                                                        : fmt::format("illegal instruction 0x{:08x}", immediate));
            case Operation::lui:
                result(immediate);
                break;
            case Operation::auipc:
                result(pc() + immediate);
                break;
            case Operation::jal:
                x[destination] = pc() + instruction.bytes;
                timing_.result(destination);
                is_taken = true;
                next = place_ + static_cast<std::uint32_t>(instruction.immediate / 2);
                break;
            case Operation::jalr: {
                const std::uint32_t target = (a + immediate) & ~std::uint32_t{1};
                const std::uint32_t link = pc() + instruction.bytes;
                timing_.branch(targets_[place_] == target || targets_[place_] == kNoTarget);
                predictions_ += std::uint64_t{target} - targets_[place_];
                targets_[place_] = target;
                next = (target - code_.base()) / 2;
                x[destination] = link;
                timing_.spend(-1);
                timing_.result(destination);
                is_taken = true;
                if (next >= code_.size() && jump_outside(target, next)) {
                    return;
                }
                break;
            }
            case Operation::beq:
                branch(a == b);
                break;
            case Operation::bne:
                branch(a != b);
                break;
            case Operation::blt:
                branch(as_signed(a) < as_signed(b));
                break;
            case Operation::bge:
                branch(as_signed(a) >= as_signed(b));
                break;
            case Operation::bltu:
                branch(a < b);
                break;
            case Operation::bgeu:
                branch(a >= b);
                break;
            case Operation::lb:
            case Operation::lbu:
                x[destination] = extended(instruction.operation, load(a + immediate, 1, destination));
                break;
            case Operation::lh:
            case Operation::lhu:
                x[destination] = extended(instruction.operation, load(a + immediate, 2, destination));
                break;
            case Operation::lw:
            case Operation::flw:
                x[destination] = load(a + immediate, 4, destination);
                break;
            case Operation::sb:
                store(a + immediate, 1, b);
                break;
            case Operation::sh:
                store(a + immediate, 2, b);
                break;
            case Operation::sw:
            case Operation::fsw:
                store(a + immediate, 4, b);
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
            case Operation::fence:
                // Flushes the data cache; a nop where there is none.
                cache_.flush();
                timing_.no_result();
                break;
            case Operation::fence_i:
                timing_.no_result();
                break;
            case Operation::ecall:
                ++effects_;
                timing_.spend(bus_.environment_call(*this, timing_.now()));
                break;
            case Operation::ebreak:
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
                divide(riscv::div(a, b), magnitude(a));
                break;
            case Operation::divu:
                divide(divu(a, b), a);
                break;
            case Operation::rem:
                divide(rem(a, b), magnitude(a));
                break;
            case Operation::remu:
                divide(remu(a, b), a);
                break;
            case Operation::csrrw:
            case Operation::csrrs:
            case Operation::csrrc:
            case Operation::csrrwi:
            case Operation::csrrsi:
            case Operation::csrrci:
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
                x[destination] = atomic(instruction);
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
            default:
                execute_float(instruction);
                break;
        }
        cycles_by_place_[place_] += timing_.now() - begin;
        if (is_taken) {
            if (next >= code_.size()) {
                throw GuestFault(fmt::format("jump to 0x{:x}: there is no code", code_.address(next)));
            }
            const bool goes_back_now = next <= place_;
            place_ = next;
            if (goes_back_now) {
                goes_back(next);
            }
        } else {
            place_ = next;
        }
    }
}

void Hart::goes_back(std::uint32_t target) {
    if (snapshot_.effects != effects_) {
        // Something has been done since; so this loop does not only look, or has just been entered.
        snapshot_.is_valid = false;
        snapshot_.effects = effects_;
        snapshot_.visits = 0;
        snapshot_.visits_max = 1;
        snapshot_.place = target;
        snapshot_.entered = timing_.now();
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
    snapshot_.timing = timing_.state();
    snapshot_.cache = cache_;
    watches_.clear();
    is_watched_ = true;
    cached_pc_ = 0;
}

void Hart::compare_with_snapshot() {
    const auto [mine, its] = std::ranges::mismatch(registers_, snapshot_.registers);
    if (mine != registers_.end()) {
        snapshot_.differing = static_cast<std::uint8_t>(mine - registers_.begin());
        return;
    }
    if (snapshot_.predictions != predictions_ || snapshot_.cache != cache_ || snapshot_.timing != timing_.state()) {
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
    const Wake wake = bus_.sleep(*this, {watches_, snapshot_.entered, timing_.now(), period});
    const Cycle slept = wake.begin - timing_.now();
    timing_.shift(slept);
    const std::uint32_t waiting_place = (watches_.back().pc - code_.base()) / 2;
    cycles_by_place_[waiting_place] += slept;
    replayed_ = watches_;
    next_replayed_ = 0;
    replayed_until_ = wake.changed;
    snapshot_.is_valid = false;
    snapshot_.visits = 0;
    snapshot_.visits_max = 1;
}

}  // namespace nocbench::riscv
