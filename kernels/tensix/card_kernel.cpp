#include "kernels/tensix/card_kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "device_model/riscv/guest_fault.h"
#include "device_model/riscv/hart.h"
#include "device_model/sim/error.h"
#include "device_model/sim/memory.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/tile/tile_bus.h"
#include "kernels/tensix/firmware_data.h"

namespace nocbench {

namespace {

constexpr std::uint8_t kReturnRegister = 1;
constexpr std::uint8_t kGlobalPointer = 3;
constexpr std::uint8_t kFirstArgument = 10;
constexpr std::string_view kGlobalPointerSymbol = "__global_pointer$";

// Stack contents left by tt-metal's wh-iram-trampoline.S for the start of a kernel in instruction RAM.
constexpr std::size_t kSavedWords = 16;
constexpr std::size_t kSavedReturn = 0;
constexpr std::size_t kSavedArgument = 13;

std::vector<std::string_view> required_symbols() {
    std::vector<std::string_view> symbols{kGlobalPointerSymbol};
    symbols.insert(symbols.end(), kFirmwareData.begin(), kFirmwareData.end());
    return symbols;
}

void require_same_chip(const CompiledKernel& kernel, const TorusArchitecture& architecture) {
    const std::string& isa = kernel.image().isa();
    const bool is_for_blackhole = isa.find("zba") != std::string::npos || isa.find("zaamo") != std::string::npos;
    if (is_for_blackhole && architecture.riscv.has_bit_manipulation == 0) {
        throw InputError(fmt::format("{}: expected a kernel for {}, found one for a chip with the instructions {}",
                                     kernel.name(), architecture.name, isa));
    }
}

/// Returns the L1 address from which a kernel's first instructions load the stack pointer, if they do.
std::optional<std::uint32_t> saved_stack_pointer(const CompiledKernel& kernel) {
    constexpr std::uint32_t kPlaces = 16;  // of two bytes; gp is set earlier
    const riscv::Code& code = kernel.code();
    const std::uint32_t begin = (kernel.image().entry() - code.base()) / 2;
    for (std::uint32_t place = begin; place < std::min(begin + kPlaces, code.size());
         place += code.instructions()[place].bytes / 2U) {
        const riscv::Instruction& instruction = code.instructions()[place];
        if (instruction.operation == riscv::Operation::lw && instruction.destination == riscv::kStackPointer &&
            instruction.source1 == 0) {
            return static_cast<std::uint32_t>(instruction.immediate);
        }
    }
    return std::nullopt;
}

void leave_saved_registers(riscv::Hart& hart, std::uint32_t pointer_address, std::uint32_t argument,
                           const WriteL1& write_l1) {
    std::array<std::uint32_t, kSavedWords> saved{};
    saved[kSavedReturn] = TileBus::kReturnAddress;
    saved[kSavedArgument] = argument;
    const auto memory = hart.private_memory();
    const auto place = static_cast<std::uint32_t>(memory.size() - sizeof saved);
    std::memcpy(&memory[place], saved.data(), sizeof saved);
    const std::uint32_t pointer = hart.private_begin() + place;
    write_l1(pointer_address, std::as_bytes(std::span(&pointer, 1)));
}

/// A tile without a chip: nothing moves, and all counters are zero.
class QuietTile final : public riscv::Bus {
public:
    /// Thrown at the first action that a kernel's start does not make.
    struct Ended final : std::exception {};

    explicit QuietTile(const TorusArchitecture& architecture) {
        add("L1", 0, static_cast<std::uint32_t>(architecture.l1.size_bytes));
        add("the registers of NoC 0", TileBus::kNiuBegin, NiuRegisters::kBytes);
        add("the registers of NoC 1", TileBus::kNiuBegin + NiuRegisters::kBytes, NiuRegisters::kBytes);
    }

    [[nodiscard]] const KernelStart& found() const { return found_; }
    void write_l1(std::uint32_t address, std::span<const std::byte> bytes) { l1_.write(address, bytes); }

    [[nodiscard]] std::span<const riscv::Region> regions() const override { return regions_; }

    Cycle load(const riscv::Region& region, std::uint32_t address, std::span<std::byte> out, Cycle cycle) override {
        std::ranges::fill(out, std::byte{0});
        if (is_l1(region)) {
            l1_.read(address, out);
        } else if (!found_.noc.has_value()) {
            found_.noc = static_cast<int>(&region - &regions_[1]);
        }
        return cycle;
    }

    void store(const riscv::Region& region, std::uint32_t address, std::span<const std::byte> bytes,
               Cycle cycle) override {
        static_cast<void>(cycle);
        if (!is_l1(region)) {
            throw Ended{};
        }
        l1_.write(address, bytes);
    }

    [[nodiscard]] bool can_be_watched(const riscv::Region& region, std::uint32_t address) const override {
        static_cast<void>(region);
        static_cast<void>(address);
        return true;
    }

    /// Harts that only compute meet others periodically; a kernel's start is never that long.
    void meet(Cycle cycle) override {
        constexpr Cycle kCyclesMax = 50'000;
        if (cycle > kCyclesMax) {
            throw Ended{};
        }
    }
    [[nodiscard]] Cycle met_until() const override { return 0; }

    riscv::Wake sleep(const riscv::Hart& hart, const riscv::PollingLoop& loop) override {
        static_cast<void>(hart);
        for (const riscv::Watch& watch : loop.watches) {
            if (!watch.is_beside && watch.bytes == 1 && is_l1(*watch.region)) {
                found_.go_byte = watch.address;
            }
        }
        throw Ended{};
    }

    Cycle environment_call(riscv::Hart& hart, Cycle cycle) override {
        static_cast<void>(hart);
        static_cast<void>(cycle);
        throw Ended{};
    }

    bool jump_outside(riscv::Hart& hart, std::uint32_t address, Cycle cycle) override {
        static_cast<void>(hart);
        static_cast<void>(address);
        static_cast<void>(cycle);
        return true;
    }

private:
    void add(std::string name, std::uint32_t begin, std::uint32_t bytes) {
        regions_.push_back({.name = std::move(name), .begin = begin, .bytes = bytes});
    }
    [[nodiscard]] bool is_l1(const riscv::Region& region) const { return &region == regions_.data(); }

    std::vector<riscv::Region> regions_;
    Memory l1_;
    KernelStart found_;
};

}  // namespace

bool has_instruction_ram(const TorusArchitecture& architecture) { return architecture.root == "wormhole_b0"; }

std::optional<int> riscv_of_image(std::span<const std::byte> elf, std::string_view name) {
    const riscv::ElfImage image(elf, name);
    if (is_in_instruction_ram(image.entry()) || image.symbol("__kernel_text_start").has_value()) {
        return 1;
    }
    return image.symbol("__kernel_data_lma").has_value() ? std::optional(0) : std::nullopt;
}

void require_firmware(const CompiledKernel& kernel, const TorusArchitecture& architecture,
                      const riscv::ElfSymbols& firmware, std::string_view firmware_name) {
    require_same_chip(kernel, architecture);
    std::vector<std::string_view> missing;
    for (const std::string_view symbol : required_symbols()) {
        const std::optional<riscv::ElfSymbol> own = kernel.image().symbol(symbol);
        const auto other = firmware.find(symbol);
        if (!own.has_value() && other == firmware.end()) {
            missing.push_back(symbol);
        }
        if (own.has_value() && other != firmware.end() && own->address != other->second.address) {
            throw InputError(fmt::format(
                "{}: expected the firmware that {} was linked against, with {} at 0x{:x}, found it at 0x{:x}",
                firmware_name, kernel.name(), symbol, own->address, other->second.address));
        }
    }
    if (missing.empty()) {
        return;
    }
    if (firmware_name.empty()) {
        throw InputError(fmt::format(
            "{}: expected the symbols of its firmware, found no {}: give the file with the firmware that it "
            "was linked against (--firmware)",
            kernel.name(), fmt::join(missing, ", ")));
    }
    throw InputError(fmt::format("{}: expected a firmware with the symbols that {} needs, found no {}", firmware_name,
                                 kernel.name(), fmt::join(missing, ", ")));
}

void set_up_start(riscv::Hart& hart, const CompiledKernel& kernel, const WriteL1& write_l1) {
    const auto memory = hart.private_memory();
    for (const KernelPart& part : kernel.private_parts()) {
        std::memcpy(&memory[part.address - hart.private_begin()], part.bytes.data(), part.bytes.size());
    }
    hart.set_integer(riscv::kStackPointer, hart.private_begin() + static_cast<std::uint32_t>(memory.size()));
    hart.set_integer(kReturnRegister, TileBus::kReturnAddress);
    if (const auto symbol = kernel.symbol(kGlobalPointerSymbol); symbol.has_value()) {
        hart.set_integer(kGlobalPointer, symbol->address);
    }
    if (kernel.is_for_card() && kernel.is_in_instruction_ram()) {
        const std::uint32_t distance = kInstructionRamSource - kInstructionRamBegin;
        hart.set_integer(kFirstArgument, distance);
        if (const std::optional<std::uint32_t> address = saved_stack_pointer(kernel); address.has_value()) {
            leave_saved_registers(hart, *address, distance, write_l1);
        }
    }
}

KernelStart explore_start(const CompiledKernel& kernel, const TorusArchitecture& architecture) {
    QuietTile tile(architecture);
    riscv::Hart hart(kernel.code(), architecture.riscv,
                     {TileBus::kPrivateBegin, static_cast<std::uint32_t>(architecture.riscv.private_memory_bytes)},
                     tile);
    const WriteL1 write_l1 = [&](std::uint32_t address, std::span<const std::byte> bytes) {
        tile.write_l1(address, bytes);
    };
    for (const KernelPart& part : kernel.l1_parts()) {
        write_l1(part.address, part.bytes);
    }
    set_up_start(hart, kernel, write_l1);
    try {
        hart.run(kernel.image().entry());
    } catch (const QuietTile::Ended&) {
        return tile.found();
    } catch (const riscv::GuestFault&) {  // reported again later, with core and line
        return tile.found();
    }
    return tile.found();
}

}  // namespace nocbench
