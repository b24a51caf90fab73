#include "device_model/tenstorrent/tile/tile_bus.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "device_model/riscv/guest_fault.h"
#include "device_model/riscv/hart.h"
#include "device_model/sim/error.h"
#include "device_model/tenstorrent/checks/race_check.h"
#include "device_model/tenstorrent/niu/network_interfaces.h"

namespace nocbench {

namespace {

// Source of addresses: Tenstorrent ISA documentation, BabyRISCV memory map.
constexpr std::uint32_t kDebugBegin = 0xFFB12000;
constexpr std::uint32_t kDebugBytes = 0x1000;
constexpr std::uint32_t kStreamsBytes = 64 * 0x1000;
constexpr std::uint32_t kClockLow = 0x1F0;
constexpr std::uint32_t kClockHigh = 0x1F4;
constexpr std::uint32_t kClockHighLatched = 0x1F8;
constexpr std::uint32_t kRegisterBytes = 4;
constexpr std::uint32_t kFirstAddress = 16;  // below: never used by kernels

// Functions of `ecall`, by the number in a7.
enum class Call : std::uint32_t {
    begin_zone = 1,
    end_zone = 2,
    record = 3,
    print_text = 4,
    print_number = 5,
    assertion_failed = 6,
    compute = 7,
};

constexpr std::uint8_t kArgument0 = 10;  // x10 is a0
constexpr std::uint8_t kArgument1 = 11;
constexpr std::uint8_t kArgument2 = 12;
constexpr std::uint8_t kFunction = 17;  // a7

std::uint64_t joined(std::uint32_t low, std::uint32_t high) { return std::uint64_t{high} << 32 | low; }

}  // namespace

TileRegisters& tile_registers(DeviceState& state, NodeIndex node) {
    std::shared_ptr<TileRegisters>& registers = state.tile_registers[node];
    if (!registers) {
        registers = std::make_shared<TileRegisters>(state, node);
    }
    return *registers;
}

/// True once a value that a polling loop reads has changed.
class TileBus::LoopCondition final : public WaitCondition {
public:
    LoopCondition(const TileBus& bus, const riscv::PollingLoop& loop) : bus_(bus), loop_(loop) {}

    [[nodiscard]] bool is_met() const override {
        return std::ranges::any_of(loop_.watches, [&](const riscv::Watch& watch) { return now(watch) != watch.value; });
    }

    [[nodiscard]] std::string description() const override {
        std::string text = fmt::format("a loop at {}, which polls", bus_.where_(loop_.watches.back().pc));
        const char* separator = " ";
        for (const riscv::Watch& watch : loop_.watches) {
            if (watch.is_beside) {
                continue;
            }
            text += fmt::format("{}{} (it is {})", separator, bus_.name_of(*watch.region, watch.address), watch.value);
            separator = ", ";
        }
        return text;
    }

private:
    [[nodiscard]] std::uint32_t now(const riscv::Watch& watch) const {
        std::uint32_t value = 0;
        bus_.peek(*watch.region, watch.address, std::as_writable_bytes(std::span(&value, 1)).first(watch.bytes),
                  kNever);
        return value;
    }

    const TileBus& bus_;
    const riscv::PollingLoop& loop_;
};

/// State in which a compute thread can give a command: room for it, the end of all before, or a word in its mailbox.
class TileBus::CommandTurn final : public WaitCondition {
public:
    CommandTurn(const ComputeUnit& unit, ComputeThread thread, ComputeOperation operation)
        : unit_(unit), thread_(thread), operation_(operation) {}

    [[nodiscard]] bool is_met() const override {
        return operation_ == ComputeOperation::drain     ? unit_.is_idle(thread_)
               : operation_ == ComputeOperation::receive ? unit_.has_mail(thread_)
                                                         : unit_.has_room(thread_);
    }
    [[nodiscard]] std::string description() const override {
        return std::string(operation_ == ComputeOperation::receive ? "a word from unpack"
                                                                   : unit_.describe_wait(thread_));
    }

private:
    const ComputeUnit& unit_;
    ComputeThread thread_;
    ComputeOperation operation_;
};

TileBus::TileBus(Risc& risc, Where where)
    : risc_(risc),
      state_(risc.state()),
      registers_(tile_registers(state_, risc.identity().node)),
      where_(std::move(where)),
      origin_(risc.now()) {
    const RiscvConstants& cost = state_.architecture.riscv;
    const auto sample = [&](Cycle load_cycles) {
        return std::max<Cycle>(load_cycles - cycle_containing(state_.architecture.risc.register_return_ticks), 0);
    };
    const auto add = [&](std::string name, std::uint32_t begin, std::uint32_t bytes, Cycle load_cycles,
                         Cycle store_interval_cycles, bool is_cached) {
        regions_.push_back(
            {std::move(name), begin, bytes, load_cycles, sample(load_cycles), store_interval_cycles, is_cached});
    };
    add("L1", 0, static_cast<std::uint32_t>(state_.architecture.l1.size_bytes), cost.l1_load_cycles,
        cost.l1_store_interval_cycles, true);
    for (std::uint32_t noc = 0; noc < kNumNocs; ++noc) {
        add(fmt::format("the registers of NoC {}", noc), kNiuBegin + noc * NiuRegisters::kBytes, NiuRegisters::kBytes,
            cost.register_load_cycles, 1, false);
    }
    add("the stream registers", kStreamsBegin, kStreamsBytes, cost.register_load_cycles, 1, false);
    add("the debug registers", kDebugBegin, kDebugBytes, cost.register_load_cycles, 1, false);
}

void TileBus::set_arguments(std::vector<ArgumentWords> arguments) {
    arguments_ = std::move(arguments);
    regions_[l1].checked_begin = arguments_.front().begin;
    regions_[l1].checked_bytes = arguments_.back().begin + arguments_.back().bytes - arguments_.front().begin;
}

void TileBus::add_code(std::uint32_t begin, std::span<const std::byte> bytes) {
    code_ = bytes;
    riscv::Region region = regions_[l1];
    region.name = "the code";
    region.begin = begin;
    region.bytes = static_cast<std::uint32_t>(bytes.size());
    region.checked_bytes = 0;
    region.reports_hits = false;
    regions_.push_back(region);
}

void TileBus::check_load(const riscv::Region& /*region*/, std::uint32_t address) const {
    for (const ArgumentWords& words : arguments_) {
        const std::uint32_t index = (address - words.begin) / kRegisterBytes;
        if (address - words.begin < words.bytes && index >= words.given) {
            throw riscv::GuestFault(fmt::format("load of {} {}: the program gives {}", words.kind, index,
                                                words.given == 0 ? "none" : fmt::format("{}", words.given)));
        }
    }
}

std::string TileBus::name_of(const riscv::Region& region, std::uint32_t address) const {
    const std::uint32_t offset = address - region.begin;
    const Place place = place_of(region);
    if (place == streams && offset / kStreamBytes < kNumCircularBuffersOfTile) {
        if (offset % kStreamBytes == kPagesReceived) {
            return fmt::format("the pages that circular buffer {} has received", offset / kStreamBytes);
        }
        if (offset % kStreamBytes == kPagesAcknowledged) {
            return fmt::format("the pages that circular buffer {} has been freed of", offset / kStreamBytes);
        }
    }
    const auto reserved = static_cast<std::uint32_t>(state_.architecture.l1.reserved_bytes);
    if (place == l1 && address < reserved && reserved - address <= kSemaphoresBytes && offset % kSemaphoreBytes == 0) {
        return fmt::format("semaphore {}", (address + kSemaphoresBytes - reserved) / kSemaphoreBytes);
    }
    if (place == niu_0 || place == niu_1) {
        const std::string what = niu(place).name_of(offset);
        if (!what.empty()) {
            return fmt::format("{} of NoC {}", what, static_cast<int>(place - niu_0));
        }
    }
    return fmt::format("0x{:x} of {}", address, region.name);
}

void TileBus::report_load(Place place, std::uint32_t offset, std::span<const std::byte> value) {
    if (place == l1 && value.size() > kRegisterBytes) {
        check_->filled_line(risc_, offset);
    } else if (place == l1) {
        check_->loaded(risc_, offset, value.size());
    } else if (place == streams) {
        check_->loaded_stream(risc_, offset);
    } else if ((place == niu_0 || place == niu_1) && NiuRegisters::is_counter(offset)) {
        std::uint32_t count = 0;
        std::memcpy(&count, value.data(), std::min(value.size(), sizeof(count)));
        check_->loaded_counter(risc_, place - niu_0, NiuRegisters::counter_index(offset), count);
    }
}

void TileBus::meet(Cycle cycle) {
    risc_.advance_to(tick_of(cycle));
    risc_.synchronize();
}

void TileBus::require_no_null_pointer(std::uint32_t address, const char* what) {
    if (address < kFirstAddress) {
        throw riscv::GuestFault(fmt::format("{} at 0x{:x}: a null pointer; kernels have nothing below 0x{:x}", what,
                                            address, kFirstAddress));
    }
}

void TileBus::peek(const riscv::Region& region, std::uint32_t address, std::span<std::byte> out, Tick tick) const {
    const std::uint32_t offset = address - region.begin;
    std::uint32_t word = 0;
    switch (place_of(region)) {
        case l1:
            state_.memory(risc_.identity().node).read(address, out);
            return;
        case streams:
            registers_.streams.read(offset, out);
            return;
        case code: {
            const std::size_t count = std::min(out.size(), code_.size() - offset);
            std::ranges::fill(out, std::byte{0});
            std::ranges::copy(code_.subspan(offset, count), out.begin());
            return;
        }
        case niu_0:
        case niu_1:
            try {
                word = niu(place_of(region)).load(offset / kRegisterBytes * kRegisterBytes, cycle_containing(tick));
            } catch (const InputError& error) {
                throw riscv::GuestFault(error.what());
            }
            break;
        case debug: {
            const auto cycles = static_cast<std::uint64_t>(cycle_containing(tick));
            const std::uint32_t place = offset / kRegisterBytes * kRegisterBytes;
            word = place == kClockLow                                  ? static_cast<std::uint32_t>(cycles)
                   : place == kClockHigh || place == kClockHighLatched ? static_cast<std::uint32_t>(cycles >> 32)
                                                                       : 0;
            break;
        }
    }
    std::memcpy(out.data(), std::as_bytes(std::span(&word, 1)).subspan(offset % kRegisterBytes).data(), out.size());
}

Cycle TileBus::load(const riscv::Region& region, std::uint32_t address, std::span<std::byte> out, Cycle cycle) {
    if (place_of(region) == l1 && out.size() <= kRegisterBytes) {
        require_no_null_pointer(address, "load");
    }
    const Place place = place_of(region);
    const bool is_ahead = (place == niu_0 || place == niu_1) && niu(place).is_ahead(address - region.begin);
    // Router state is known only when the loaded value has returned; routers are never further ahead.
    meet(is_ahead ? cycle + cycle_containing(state_.architecture.risc.register_return_ticks) : cycle);
    peek(region, address, out, std::min(risc_.now(), tick_of(cycle)));
    if (check_ != nullptr) {
        report_load(place, address - region.begin, out);
    }
    return is_ahead ? cycle : std::max(cycle, met_until());
}

void TileBus::hit_cache(const riscv::Region& region, std::uint32_t address, std::span<const std::byte> value,
                        Cycle cycle) {
    if (cycle > met_until()) {
        meet(cycle);
    }
    check_->loaded_from_cache(risc_, address - region.begin, value);
}

void TileBus::store(const riscv::Region& region, std::uint32_t address, std::span<const std::byte> bytes, Cycle cycle) {
    const Place place = place_of(region);
    const std::uint32_t offset = address - region.begin;
    if (place == l1) {
        require_no_null_pointer(address, "store");
    }
    if (place == niu_0 || place == niu_1) {
        if (bytes.size() != kRegisterBytes) {
            throw riscv::GuestFault(
                fmt::format("store of {} bytes to {}: expected a word of 4 bytes", bytes.size(), region.name));
        }
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data(), kRegisterBytes);
        // Command registers are private to the kernel until it starts the command.
        const bool is_go = niu(place).go_register_of(offset) >= 0;
        const bool is_seen = is_go || niu(place).clears_counters(offset);
        if (is_seen) {
            meet(is_go ? cycle - 1 : cycle);  // a command at its store's issue: in time for the NIU's next action
        }
        risc_.advance_to(tick_of(cycle));
        risc_.book_until_now(Cause::issue);
        try {
            niu(place).store(risc_, offset, value);
        } catch (const InputError& error) {
            throw riscv::GuestFault(error.what());
        }
        if (is_seen) {
            state_.notify_tile(risc_.identity().node, risc_.now(), nullptr);
        }
        return;
    }
    if (place == code) {
        throw riscv::GuestFault(fmt::format("store to 0x{:x} of {}", address, region.name));
    }
    meet(cycle);
    risc_.book_until_now(Cause::issue);
    if (place == l1) {
        if (check_ != nullptr) {
            check_->stored(risc_, address, bytes);
        }
        state_.write_memory(risc_.identity().node, address, bytes, risc_.now());
    } else if (place == streams) {
        if (check_ != nullptr) {
            check_->stored_stream(risc_, offset);
        }
        registers_.streams.write(offset, bytes);
    } else {
        return;  // debug registers: stored values have no effect
    }
    state_.notify_tile(risc_.identity().node, risc_.now(), nullptr);
}

bool TileBus::can_be_watched(const riscv::Region& region, std::uint32_t address) const {
    static_cast<void>(address);
    return place_of(region) != debug;
}

riscv::Wake TileBus::sleep(const riscv::Hart& hart, const riscv::PollingLoop& loop) {
    static_cast<void>(hart);
    const LoopCondition condition(*this, loop);
    meet(loop.begin);
    if (condition.is_met()) {
        return {loop.begin, loop.begin};
    }
    // The wait begins when the loop is entered; earlier time is the kernel's own.
    const Tick entered = tick_of(loop.entered);
    if (entered > risc_.booked_until()) {
        risc_.book(risc_.zone().zone, Cause::issue, entered - risc_.booked_until());
    }
    const NodeIndex node = risc_.identity().node;
    bool looks_at_counter = false;
    bool looks_at_l1 = false;
    bool looks_at_streams = false;
    bool looks_ahead = false;
    bool looks_at_others = false;
    const auto for_each_buffer = [&](const auto& act) {
        for (const riscv::Watch& watch : loop.watches) {
            const Place place = place_of(*watch.region);
            if (place == niu_0 || place == niu_1) {
                const int buffer = niu(place).go_register_of(watch.address - watch.region->begin);
                if (buffer >= 0) {
                    act(state_.interfaces[static_cast<std::size_t>(place - niu_0)]->initiator(node), buffer);
                }
            }
        }
    };
    for (const riscv::Watch& watch : loop.watches) {
        const Place place = place_of(*watch.region);
        looks_at_counter |=
            (place == niu_0 || place == niu_1) && NiuRegisters::is_counter(watch.address - watch.region->begin);
        looks_at_l1 |= place == l1;
        looks_at_streams |= place == streams;
        const bool is_ahead =
            (place == niu_0 || place == niu_1) && niu(place).is_ahead(watch.address - watch.region->begin);
        looks_ahead |= is_ahead;
        looks_at_others |= !is_ahead;
    }
    for_each_buffer([&](Initiator& initiator, int buffer) {
        if (initiator.buffer_is_busy(buffer)) {
            initiator.wait_for_buffer(buffer, risc_, risc_.booked_until());
        }
    });
    // Waits for a command buffer are booked to the obstacle of its command.
    const Cause cause = looks_at_counter   ? Cause::round_trip
                        : looks_at_l1      ? Cause::semaphore
                        : looks_at_streams ? Cause::circular_buffer
                                           : Cause::issue;
    const Risc::Awakening awakening =
        risc_.sleep_until(condition, cause,
                          {tick_of(loop.begin), tick_of(loop.last_sample), ticks_from_cycles(loop.period),
                           looks_ahead && looks_at_others});
    for_each_buffer([&](Initiator& initiator, int buffer) { initiator.forget_waiter(buffer, risc_); });
    return {cycle_containing(awakening.begin - origin_), cycle_at_or_after(awakening.changed - origin_)};
}

std::string TileBus::text(const riscv::Hart& hart, std::uint32_t address) const {
    constexpr std::uint32_t kBytesMax = 4096;
    std::string text;
    for (std::uint32_t i = 0; i < kBytesMax; ++i) {
        std::byte byte{};
        if (hart.has_private(address + i, 1)) {
            byte = hart.private_memory_at(address + i);
        } else if (regions_[l1].contains(address + i)) {
            state_.memory(risc_.identity().node).read(address + i, std::span(&byte, 1));
        } else if (!code_.empty() && regions_[code].contains(address + i)) {
            byte = code_[address + i - regions_[code].begin];
        } else {
            throw riscv::GuestFault(
                fmt::format("text at 0x{:x}: expected an address in L1 or private memory", address));
        }
        if (byte == std::byte{}) {
            break;
        }
        text += static_cast<char>(byte);
    }
    return text;
}

void TileBus::print_number(const riscv::Hart& hart) {
    enum Kind : std::uint32_t { as_unsigned, as_signed, hexadecimal, floating, character, long_unsigned, long_signed };
    const std::uint32_t low = hart.integer(kArgument1);
    const std::uint64_t value = joined(low, hart.integer(kArgument2));
    switch (hart.integer(kArgument0)) {
        case as_unsigned:
            printed_ += fmt::format("{}", low);
            break;
        case as_signed:
            printed_ += fmt::format("{}", static_cast<std::int32_t>(low));
            break;
        case hexadecimal:
            printed_ += fmt::format("{:x}", low);
            break;
        case floating:
            printed_ += fmt::format("{}", std::bit_cast<float>(low));
            break;
        case character:
            printed_ += static_cast<char>(low);
            break;
        case long_unsigned:
            printed_ += fmt::format("{}", value);
            break;
        case long_signed:
            printed_ += fmt::format("{}", static_cast<std::int64_t>(value));
            break;
        default:
            throw riscv::GuestFault(
                fmt::format("print: expected a kind of number of 0 to 6, found {}", hart.integer(kArgument0)));
    }
}

void TileBus::require_room_for_records() const {
    // Limits host memory for kernels that run until their cycle limit.
    constexpr std::size_t kPrintedBytesMax = 1 << 20;
    constexpr std::size_t kRecordsMax = 100'000;
    constexpr int kOpenZonesMax = 100;
    if (printed_.size() > kPrintedBytesMax) {
        throw riscv::GuestFault(fmt::format("print: expected no more than {} bytes in all", kPrintedBytesMax));
    }
    if (risc_.zones().size() + risc_.timestamped_values().size() > kRecordsMax) {
        throw riscv::GuestFault(
            fmt::format("profiler: expected no more than {} zones and recorded values in all", kRecordsMax));
    }
    if (num_open_zones_ > kOpenZonesMax) {
        throw riscv::GuestFault(
            fmt::format("profiler: expected no more than {} zones within each other", kOpenZonesMax));
    }
}

Cycle TileBus::environment_call(riscv::Hart& hart, Cycle cycle) {
    const RiscvConstants& cost = state_.architecture.riscv;
    require_room_for_records();
    risc_.advance_to(tick_of(cycle));
    risc_.book_until_now(Cause::issue);
    const std::uint32_t argument = hart.integer(kArgument0);
    switch (static_cast<Call>(hart.integer(kFunction))) {
        case Call::begin_zone:
            risc_.open_zone(text(hart, argument));
            ++num_open_zones_;
            return cost.zone_cycles;
        case Call::end_zone:
            if (risc_.zone().zone <= 0) {
                throw riscv::GuestFault("the end of a profiler zone: none is open");
            }
            risc_.close_zone();
            --num_open_zones_;
            return cost.zone_cycles;
        case Call::record:
            risc_.record(text(hart, argument), joined(hart.integer(kArgument1), hart.integer(kArgument2)));
            return cost.zone_cycles;
        case Call::print_text:
            printed_ += text(hart, argument);
            return cost.print_cycles;
        case Call::print_number:
            print_number(hart);
            return cost.print_cycles;
        case Call::compute:
            return give_compute_command(hart, cycle);
        case Call::assertion_failed:
            throw riscv::GuestFault(fmt::format("assertion failed: {}", text(hart, argument)));
    }
    throw riscv::GuestFault(
        fmt::format("ecall: expected a function of 1 to 7 in a7, found {}", hart.integer(kFunction)));
}

std::optional<ComputeThread> TileBus::compute_thread() const {
    const int index = risc_.identity().processor - state_.architecture.num_riscs();
    return index < 0 || !registers_.compute.has_value() ? std::nullopt
                                                        : std::optional(static_cast<ComputeThread>(index));
}

std::vector<std::pair<std::uint32_t, std::string>> TileBus::compute_warnings() const {
    const std::optional<ComputeThread> thread = compute_thread();
    return thread.has_value() && registers_.compute.has_value() ? registers_.compute->warnings(*thread)
                                                                : std::vector<std::pair<std::uint32_t, std::string>>();
}

SeenBuffer TileBus::seen_buffer(const riscv::Hart& hart, std::uint32_t id) const {
    std::array<std::uint32_t, kBufferTableWords> words{};
    constexpr auto kRowBytes = static_cast<std::uint32_t>(sizeof(words));
    const std::uint32_t address = buffer_table_.value_or(0) + id * kRowBytes;
    if (id >= kNumCircularBuffersOfTile || !hart.has_private(address, kRowBytes)) {
        return {};
    }
    const auto bytes = std::as_writable_bytes(std::span(words));
    for (std::uint32_t i = 0; i < kRowBytes; ++i) {
        bytes[i] = hart.private_memory_at(address + i);
    }
    return {.end = words[1] << kAddressShift,
            .page_bytes = words[2] << kAddressShift,
            .num_pages = words[3],
            .front = words[4] << kAddressShift,
            .back = words[5] << kAddressShift,
            .is_in_place = registers_.buffers_in_place.contains(id)};
}

Cycle TileBus::give_compute_command(riscv::Hart& hart, Cycle cycle) {
    const std::optional<ComputeThread> its_thread = compute_thread();
    if (!its_thread.has_value() || !registers_.compute.has_value()) {
        throw riscv::GuestFault("a call of the compute API in a kernel that does not compute");
    }
    const ComputeThread thread = *its_thread;
    ComputeUnit& unit = *registers_.compute;
    ComputeCommand command;
    const std::uint32_t first = hart.integer(kArgument0);
    command.operation = static_cast<ComputeOperation>(first & 0xFF);
    command.flags = first >> 8;
    for (std::size_t index = 0; index < command.words.size(); ++index) {
        command.words[index] = hart.integer(static_cast<std::uint8_t>(kArgument1 + index));
    }
    const auto give = [&] {
        try {
            unit.give(risc_, command, [&](std::uint32_t id) { return seen_buffer(hart, id); });
        } catch (const InputError& error) {
            throw riscv::GuestFault(error.what());
        }
    };
    if (is_note(command.operation)) {
        give();
        return 0;
    }
    meet(cycle);
    risc_.book_until_now(Cause::issue);
    const CommandTurn turn(unit, thread, command.operation);
    constexpr std::array kCauses{Cause::unpack, Cause::compute, Cause::pack};
    while (!turn.is_met()) {
        const std::optional<ComputeThread> busy = unit.busy_for(thread);
        const Cause cause = busy.has_value() ? kCauses[static_cast<std::size_t>(*busy)] : Cause::circular_buffer;
        risc_.wait_until(turn, cause, state_.architecture.risc.register_return_ticks, 0);
    }
    if (command.operation == ComputeOperation::receive) {
        hart.set_integer(kArgument0, unit.take_mail(thread, risc_));
    } else if (command.operation != ComputeOperation::drain) {
        give();
    }
    return std::max<Cycle>(met_until() - cycle, 0) + state_.architecture.compute.command_cycles;
}

bool TileBus::jump_outside(riscv::Hart& hart, std::uint32_t address, Cycle cycle) {
    static_cast<void>(hart);
    static_cast<void>(cycle);
    if (address == kReturnAddress) {
        return true;
    }
    throw riscv::GuestFault(fmt::format("jump to 0x{:x}: there is no code", address));
}

std::uint32_t pages_of_buffer(const TileRegisters& registers, std::uint32_t buffer) {
    const auto count = [&](std::uint32_t offset) {
        std::uint16_t pages = 0;
        registers.streams.read(buffer * kStreamBytes + offset, std::as_writable_bytes(std::span(&pages, 1)));
        return pages;
    };
    return static_cast<std::uint16_t>(count(kPagesReceived) - count(kPagesAcknowledged));
}

void TileBus::finish(Cycle cycle) {
    meet(cycle);
    risc_.book_until_now(Cause::issue);
}

}  // namespace nocbench
