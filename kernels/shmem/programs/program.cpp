#include "kernels/shmem/programs/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include "device_model/epiphany/arch/constants.h"
#include "device_model/riscv/guest_fault.h"
#include "device_model/sim/error.h"
#include "kernels/shmem/pe.h"
#include "kernels/shmem/routine.h"

namespace nocbench::shmem {

namespace {

constexpr Address kFirstRoutine = 0xffff8000;
constexpr Address kRoutineStride = 4;
constexpr Address kAlignment = 8;
constexpr Address kStackAlignment = 16;
constexpr Address kWordBytes = 4;
/// First address of a core's registers, independent of its memory size. Source: Epiphany Architecture Reference, memory
/// map.
constexpr std::uint32_t kMemoryBytesMax = static_cast<std::uint32_t>(kRegisterOffset);

constexpr std::uint8_t kReturnAddress = 1;
constexpr std::uint8_t kStackPointer = 2;
/// Prefix of source names in the C library, set by scripts/nocbench/compiling/shmem_library.py.
constexpr std::string_view kLibrary = "library/";
constexpr std::uint8_t kFirstArgument = 10;  // a0 is x10, fa0 is f10

const riscv::Extensions kExtensions{riscv::Extension::multiply,      riscv::Extension::atomic_operations,
                                    riscv::Extension::load_reserved, riscv::Extension::single_float,
                                    riscv::Extension::compressed,    riscv::Extension::csr};

Address aligned_up(Address address, Address alignment) { return (address + alignment - 1) / alignment * alignment; }

/// Returns both tables concatenated: a routine's number is its index.
const std::vector<Routine>& all_routines() {
    static const std::vector<Routine> routines = [] {
        std::vector<Routine> all(shmem_routines().begin(), shmem_routines().end());
        all.insert(all.end(), c_library_routines().begin(), c_library_routines().end());
        return all;
    }();
    return routines;
}

/// Decoded image of a program.
class Image {
public:
    Image(const Program& program, std::uint32_t memory_bytes)
        : name_(program.name), elf_(program.elf, program.name), code_(code_of(elf_, program.name)) {
        use_.memory_bytes = memory_bytes;
        Address end = 0;
        use_.code_begin = code_.base();
        writable_begin_ = code_.base() + code_.bytes();
        for (const riscv::ElfSegment& segment : elf_.segments()) {
            end = std::max(end, segment.address + segment.memory_bytes);
            use_.code_begin = std::min(use_.code_begin, segment.address);
        }
        use_.image_bytes = end - use_.code_begin;
        if (program.charges_routines) {
            use_.routine_bytes = bytes_of_routines();
        }
        program_end_ = aligned_up(aligned_up(end, kAlignment) + use_.routine_bytes, kAlignment);
        for (const auto& [name, symbol] : elf_.symbols()) {
            const bool is_variable = symbol.size != 0 && symbol.address >= writable_begin_ && symbol.address < end;
            // If several variables begin at one address, the largest is kept.
            if (is_variable && variables_[symbol.address].bytes < symbol.size) {
                variables_[symbol.address] = {name, symbol.address, symbol.size};
            }
        }
        lay_out_arguments(program.arguments);
        require_room();
    }

    [[nodiscard]] const riscv::ElfImage& elf() const { return elf_; }
    [[nodiscard]] const riscv::Code& code() const { return code_; }
    [[nodiscard]] Address writable_begin() const { return writable_begin_; }
    [[nodiscard]] Address program_end() const { return program_end_; }
    [[nodiscard]] Address stack() const { return stack_; }
    [[nodiscard]] Address argument_table() const { return argument_table_; }
    [[nodiscard]] const std::vector<std::byte>& arguments() const { return arguments_; }
    [[nodiscard]] const MemoryUse& use() const { return use_; }

    [[nodiscard]] std::optional<Variable> variable_around(Address address) const {
        const auto after = variables_.upper_bound(address);
        if (after == variables_.begin()) {
            return std::nullopt;
        }
        const Variable& variable = std::prev(after)->second;
        return address - variable.begin < variable.bytes ? std::optional(variable) : std::nullopt;
    }

private:
    static riscv::Code code_of(const riscv::ElfImage& elf, const std::string& name) {
        const auto executable = std::ranges::find_if(elf.segments(), &riscv::ElfSegment::executable);
        if (executable == elf.segments().end() || executable->bytes.empty()) {
            throw InputError(fmt::format("{}: expected a segment of code, found none", name));
        }
        return {executable->address, executable->bytes, kExtensions};
    }

    [[nodiscard]] std::uint32_t bytes_of_routines() const {
        // A routine with several names is charged once.
        std::vector<const Routine*> used;
        std::uint32_t bytes = 0;
        for (const Routine& routine : all_routines()) {
            const bool is_new = std::ranges::none_of(used, [&](const Routine* other) {
                return other->run == routine.run && other->code_bytes == routine.code_bytes;
            });
            if (is_new && elf_.symbol(routine.name).has_value()) {
                used.push_back(&routine);
                bytes += routine.code_bytes;
            }
        }
        return bytes;
    }

    void lay_out_arguments(const std::vector<std::string>& texts) {
        std::size_t characters = 0;
        for (const std::string& text : texts) {
            characters += text.size() + 1;
        }
        const auto table_bytes = static_cast<Address>((texts.size() + 1) * kWordBytes);
        const Address bytes = table_bytes + aligned_up(static_cast<Address>(characters), kWordBytes);
        use_.argument_bytes = bytes;
        argument_table_ = bytes > use_.memory_bytes ? 0 : use_.memory_bytes - bytes;
        stack_ = argument_table_ / kStackAlignment * kStackAlignment;
        arguments_.resize(bytes);
        Address offset = table_bytes;
        for (std::size_t number = 0; number < texts.size(); ++number) {
            const Address address = argument_table_ + offset;
            std::memcpy(&arguments_[number * kWordBytes], &address, kWordBytes);
            std::memcpy(&arguments_[offset], texts[number].c_str(), texts[number].size() + 1);
            offset += static_cast<Address>(texts[number].size() + 1);
        }
    }

    void require_room() const {
        constexpr Address kStackBytesMin = 256;
        if (std::uint64_t{program_end_} + use_.argument_bytes + kStackBytesMin > use_.memory_bytes) {
            throw InputError(fmt::format(
                "{}: it does not fit the {} bytes of a core's memory: {} bytes in front of the program, {} of the "
                "program, {} of routines that it uses, {} of arguments, and at least {} of stack",
                name_, use_.memory_bytes, use_.code_begin, use_.image_bytes, use_.routine_bytes, use_.argument_bytes,
                kStackBytesMin));
        }
    }

    std::string name_;
    riscv::ElfImage elf_;
    riscv::Code code_;
    MemoryUse use_;
    Address writable_begin_ = 0;
    Address program_end_ = 0;
    Address stack_ = 0;
    Address argument_table_ = 0;
    std::vector<std::byte> arguments_;
    std::map<Address, Variable> variables_;
};

/// Program on one core.
class GuestOnCore final : public Guest {
public:
    GuestOnCore(EpiphanyGuest& guest, const Image& image, int number, std::function<void(Printed)> print)
        : guest_(guest), image_(image), number_(number), print_(std::move(print)) {}

    [[nodiscard]] int number() const override { return number_; }
    [[nodiscard]] std::uint32_t memory_bytes() const override { return image_.use().memory_bytes; }
    [[nodiscard]] Address program_end() const override { return image_.program_end(); }
    [[nodiscard]] std::uint32_t stack_pointer() const override { return guest_.hart().integer(kStackPointer); }

    [[nodiscard]] std::optional<Variable> variable_around(Address address) const override {
        return image_.variable_around(address);
    }
    [[nodiscard]] std::string place() const override { return guest_.place(); }

    void peek(Address address, std::span<std::byte> out) const override { guest_.core().peek(address, out); }
    void poke(Address address, std::span<const std::byte> bytes) override { guest_.core().poke(address, bytes); }

    void print(Stream stream, std::string_view text) override {
        print_({guest_.core().now(), number_, stream, std::string(text)});
    }
    void end(int status) { exit_status_ = status; }
    [[nodiscard]] std::optional<int> exit_status() const { return exit_status_; }

private:
    EpiphanyGuest& guest_;
    const Image& image_;
    int number_;
    std::function<void(Printed)> print_;
    std::optional<int> exit_status_;
};

GuestCall::Registers registers_of(const riscv::SharedMemoryHart& hart) {
    GuestCall::Registers registers;
    for (std::size_t number = 0; number < registers.integers.size(); ++number) {
        const auto of_hart = static_cast<std::uint8_t>(kFirstArgument + number);
        registers.integers[number] = hart.integer(of_hart);
        registers.floats[number] = hart.float_bits(of_hart);
    }
    registers.stack_pointer = hart.integer(kStackPointer);
    return registers;
}

class Execution {
public:
    Execution(EpiphanyDevice& device, const Program& program, const Image& image)
        : device_(device),
          program_(program),
          image_(image),
          job_(program.num_pes, options_of(program)),
          guests_(static_cast<std::size_t>(program.num_pes)) {
        run_.pes.resize(guests_.size());
        run_.memory = image.use();
    }

    ProgramRun run() {
        for (int number = 0; number < program_.num_pes; ++number) {
            const LogicalCoordinate core = device_.core_at(number);
            for (const riscv::ElfSegment& segment : image_.elf().segments()) {
                device_.write_memory(core, segment.address, segment.bytes);
            }
            device_.write_memory(core, image_.argument_table(), image_.arguments());
            device_.add_kernel(core, fmt::format("{}, PE {}", program_.name, number),
                               [this, number] { run_on_core(number); });
        }
        device_.stop_when([this](Tick now) {
            print_until(now);
            return program_.is_interrupted && program_.is_interrupted();
        });
        try {
            device_.run(program_.cycles_max);
        } catch (const Interruption& interruption) {
            run_.error = interruption.what();
            run_.was_interrupted = true;
        } catch (const KernelError& error) {
            run_.error = error.what();
        }
        for (std::size_t index = 0; index < guests_.size(); ++index) {
            record(index);
        }
        print_until(kNever);
        run_.warnings = job_.warnings();
        run_.exit_status = exit_status();
        return std::move(run_);
    }

private:
    static Options options_of(const Program& program) {
        Options options = program.options;
        options.skips_lock_polls = options.skips_lock_polls && program.sleeps;
        return options;
    }

    [[nodiscard]] std::optional<int> exit_status() const {
        if (!run_.error.empty()) {
            return std::nullopt;
        }
        constexpr int kSeen = 0xff;  // bits of a status visible to the program's caller
        if (job_.exit_status().has_value()) {
            return *job_.exit_status() & kSeen;
        }
        int highest = 0;
        for (const PeRun& pe : run_.pes) {
            highest = std::max(highest, pe.exit_status.value_or(0) & kSeen);
        }
        return highest;
    }

    void run_on_core(int number) {
        const auto index = static_cast<std::size_t>(number);
        EpiphanyGuest guest(
            {image_.code(), image_.use().code_begin, image_.writable_begin(),
             [this, index](std::uint32_t address) { return place(index, address); },
             [this, index](EpiphanyGuest& /*guest*/, std::uint32_t address) { return call(index, address); }});
        GuestOnCore on_core(guest, image_, number,
                            [this](Printed printed) { held_back_.push_back(std::move(printed)); });
        Pe pe(job_, on_core);
        guests_[index] = {&guest, &on_core, &pe};
        riscv::SharedMemoryHart& hart = guest.hart();
        if (program_.cycles_ahead != 0) {
            hart.set_cycles_ahead(program_.cycles_ahead);
        }
        hart.set_sleeps(program_.sleeps);
        hart.set_integer(kStackPointer, image_.stack());
        hart.set_integer(kFirstArgument, static_cast<std::uint32_t>(program_.arguments.size()));
        hart.set_integer(kFirstArgument + 1, image_.argument_table());
        hart.set_stack_limit(image_.program_end());
        // Destruction of the device, after the end of this object, unwinds the kernel without a record.
        try {
            guest.run(image_.elf().entry());
            pe.end();
        } catch (const KernelError&) {
            record(index);
            throw;
        }
        record(index);
    }

    /// Sorts the output of times before `end` into the result, and hands it on.
    void print_until(Tick end) {
        std::ranges::stable_sort(held_back_, {}, [](const Printed& each) { return std::pair(each.tick, each.pe); });
        const auto later = std::ranges::lower_bound(held_back_, end, {}, &Printed::tick);
        for (auto each = held_back_.begin(); each != later; ++each) {
            if (program_.print) {
                program_.print(*each);
            }
            run_.printed.push_back(std::move(*each));
        }
        held_back_.erase(held_back_.begin(), later);
    }

    /// Records a core's results, once.
    void record(std::size_t index) {
        const auto [guest, on_core, pe] = std::exchange(guests_[index], {});
        if (guest != nullptr) {
            PeRun& run = run_.pes[index];
            run.exit_status = on_core->exit_status();
            run.num_instructions = guest->hart().num_instructions();
            run.num_rewinds = guest->hart().num_rewinds();
            run.cycles_by_place = guest->hart().cycles_by_place();
            run.waits = guest->waits();
            job_.remove(static_cast<int>(index));
        }
    }

    /// Returns the source line of an instruction; for the C library also that of the caller, if known.
    [[nodiscard]] std::string place(std::size_t index, std::uint32_t address) const {
        const auto describe = [&](std::uint32_t where) {
            return riscv::place_in_program(program_.source_map, image_.elf(), where);
        };
        std::string place = describe(address);
        if (place.starts_with(kLibrary) && guests_[index].guest != nullptr) {
            const std::string caller = describe(guests_[index].guest->hart().integer(kReturnAddress) - 2);
            if (!caller.starts_with(kLibrary) && caller.find(" in ") != std::string::npos) {
                place += ", called from " + caller;
            }
        }
        return place;
    }

    /// Executes a routine. Returns whether the program has ended.
    bool call(std::size_t index, std::uint32_t address) {
        const auto [guest, on_core, pe] = guests_[index];
        const std::size_t number = (address - kFirstRoutine) / kRoutineStride;
        if (address < kFirstRoutine || number >= all_routines().size()) {
            throw riscv::GuestFault(fmt::format("jump to 0x{:x}: there is no code", address));
        }
        riscv::SharedMemoryHart& hart = guest->hart();
        GuestCall call(*on_core, registers_of(hart));
        try {
            all_routines()[number].carry_out(*pe, call);
        } catch (const ProgramEnd& end) {
            on_core->end(end.exit_status());
            end_others(index);
            return true;
        } catch (const KernelError& error) {
            throw riscv::GuestFault(error.what());
        }
        for (std::uint8_t place = 0; place < 2; ++place) {
            const auto of_hart = static_cast<std::uint8_t>(kFirstArgument + place);
            hart.set_integer(of_hart, call.registers().integers[place]);
            hart.set_float_bits(of_hart, call.registers().floats[place]);
        }
        hart.set_stack_limit(pe->stack_limit());
        run_.memory.heap_bytes_max =
            std::max(run_.memory.heap_bytes_max, job_.heap_end() - std::min(job_.heap_end(), image_.program_end()));
        return false;
    }

    /// Ends the other PEs if the whole program has ended.
    void end_others(std::size_t index) {
        if (!job_.exit_status().has_value()) {
            return;
        }
        for (std::size_t other = 0; other < guests_.size(); ++other) {
            if (other != index && guests_[other].guest != nullptr) {
                guests_[other].guest->end();
            }
        }
    }

    struct OnCore {
        EpiphanyGuest* guest = nullptr;
        GuestOnCore* on_core = nullptr;
        Pe* pe = nullptr;
    };

    EpiphanyDevice& device_;
    const Program& program_;
    const Image& image_;
    Job job_;
    std::vector<OnCore> guests_;
    std::vector<Printed> held_back_;  // output of PEs that others may still precede
    ProgramRun run_;
};

}  // namespace

std::vector<std::string> routine_names() {
    std::vector<std::string> names;
    for (const Routine& routine : all_routines()) {
        names.emplace_back(routine.name);
    }
    return names;
}

Address routine_address(std::size_t number) { return kFirstRoutine + static_cast<Address>(number) * kRoutineStride; }

ProgramRun run_program(EpiphanyDevice& device, const EpiphanyConstants& constants, const Program& program) {
    if (program.num_pes < 1 || program.num_pes > device.num_cores()) {
        throw InputError(
            fmt::format("{}: expected 1 to {} PEs, found {}", program.name, device.num_cores(), program.num_pes));
    }
    const auto memory_bytes =
        static_cast<std::uint32_t>(std::min<std::int64_t>(constants.core.memory_bytes, kMemoryBytesMax));
    const Image image(program, memory_bytes);
    Execution execution(device, program, image);
    return execution.run();
}

}  // namespace nocbench::shmem
