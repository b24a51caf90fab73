#include "kernels/tensix/compiled_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "device_model/riscv/guest_fault.h"
#include "device_model/riscv/hart.h"
#include "device_model/sim/error.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/checks/race_check.h"
#include "device_model/tenstorrent/checks/sync_check.h"
#include "device_model/tenstorrent/device.h"
#include "device_model/tenstorrent/device_state.h"
#include "device_model/tenstorrent/niu/network_interfaces.h"
#include "device_model/tenstorrent/risc.h"
#include "device_model/tenstorrent/tile/tile_bus.h"
#include "kernels/tensix/card_kernel.h"
#include "kernels/tensix/firmware_data.h"
#include "kernels/tensix/program.h"

namespace nocbench {

namespace {

// Arguments in L1. The threads of a compute kernel share theirs.
constexpr int kDataMovementRiscs = 2;  // of the chips that kernels are compiled for
constexpr std::uint32_t kRuntimeArgsAddress = 0xE000;
constexpr std::uint32_t kRuntimeArgsBytes = 0x7C0;
constexpr std::uint32_t kComputeArgsAddress = 0xD300;
constexpr std::uint32_t kComputeArgsBytes = 0x680;
static_assert(kComputeArgsAddress + 2 * kComputeArgsBytes <= kRuntimeArgsAddress);
// MEM_NOC_COUNTER_BASE and _SIZE of dev_mem_map.h: counters of RISCs that share NoCs.
constexpr std::uint32_t kNocCountersAddress = 0xD200;
constexpr std::size_t kNocCountersBytes = 80;

riscv::Extensions extensions_of(const RiscvConstants& constants) {
    riscv::Extensions extensions{riscv::Extension::multiply};
    const auto add = [&](bool has, riscv::Extension extension) {
        if (has) {
            extensions.add(extension);
        }
    };
    add(constants.has_atomic_operations != 0, riscv::Extension::atomic_operations);
    add(constants.has_bit_manipulation != 0, riscv::Extension::address_generation);
    add(constants.has_bit_manipulation != 0, riscv::Extension::bit_manipulation);
    add(constants.has_control_registers != 0, riscv::Extension::csr);
    add(constants.has_single_float != 0, riscv::Extension::single_float);
    return extensions;
}

bool is_compute_code(std::uint32_t address) {
    return address - TileBus::kComputeCodeBegin < TileBus::kComputeCodeBytes;
}

/// True for private memory of any chip: CompiledKernel checks that images fit.
bool is_private(std::uint32_t address) { return address >= TileBus::kPrivateBegin && address < kInstructionRamBegin; }

/// Returns the bytes of private memory, from its start, that a program's variables take.
std::uint32_t variables_bytes(const riscv::ElfImage& image) {
    std::uint32_t bytes = 0;
    for (const riscv::ElfSegment& segment : image.segments()) {
        if (is_private(segment.address)) {
            bytes = std::max(bytes, segment.address - TileBus::kPrivateBegin + segment.memory_bytes);
        }
    }
    return bytes;
}

/// Checks the number of banks: with another one, the kernel would look for tensor pages in the wrong banks.
void require_banks(const CompiledKernel& kernel, const Device& device) {
    const std::size_t num_banks = device.grid().dram_banks().size();
    const std::size_t its_own = banks_of(kernel).dram;
    if (kernel.is_for_card() && its_own != 0 && its_own != num_banks) {
        throw InputError(fmt::format("{}: expected a kernel for {} banks of DRAM, as {} has them, found one for {}",
                                     kernel.name(), num_banks, device.board().name, its_own));
    }
}

/// Transactions of one kind and NoC that are open when their kernel ends.
struct OpenEnd {
    const char* what;
    const char* call;  // would have waited for them
    bool is_finding;   // of synccheck: the device's firmware asserts, in a debugging mode, that there are none
    const Transaction* first = nullptr;

    void add(const Transaction& transaction) {
        if (first == nullptr || transaction.accepted < first->accepted) {
            first = &transaction;
        }
    }
};

struct OpenEnds {
    OpenEnd reads{"reads whose data are not here", "noc_async_read_barrier()", true};
    OpenEnd unsent{"writes that have not left", "noc_async_writes_flushed()", true};
    OpenEnd unsent_posted{"posted writes that have not left", "noc_async_posted_writes_flushed()", true};
    OpenEnd writes{"writes that are not acknowledged", "noc_async_write_barrier()", false};
    // The firmware asserts these, too, but many kernels that are right end with a signal to one that waits for it.
    OpenEnd atomics{"atomics that are not acknowledged", "noc_async_atomic_barrier()", false};

    void add(const Transaction& transaction, const NiuCounters& counters, Cycle now) {
        const DataPacket& packet = transaction.data_packet;
        const bool has_left = !transaction.is_leaving || (packet.read.flits != 0 && packet.read.last <= now);
        if (transaction.kind == TransactionKind::write && !has_left) {
            (transaction.posted ? unsent_posted : unsent).add(transaction);
        } else if (!transaction.posted && counters.outstanding[transaction.id] != 0) {
            (transaction.kind == TransactionKind::read    ? reads
             : transaction.kind == TransactionKind::write ? writes
                                                          : atomics)
                .add(transaction);
        }
    }
};

/// Returns warnings of transactions that a kernel does not wait for before it ends: a device runs on, and so does the
/// model. SyncCheck takes those of which the firmware asserts that there are none.
std::vector<std::string> open_ends(const Risc& risc, const CompiledKernel& kernel, DeviceState& state) {
    std::vector<std::string> warnings;
    for (std::uint8_t noc = 0; noc < kNumNocs; ++noc) {
        OpenEnds open;
        const NiuCounters& counters = state.interfaces[noc]->initiator(risc.identity().node).counters();
        state.transactions.for_each_in_use([&](const Transaction& transaction) {
            const bool is_part = transaction.multicast != kNoTransaction;
            if (!is_part && transaction.noc == noc && transaction.requestor == risc.identity().node &&
                transaction.issuer == risc.identity().index) {
                open.add(transaction, counters, cycle_containing(risc.now()));
            }
        });
        for (const OpenEnd& end : {open.reads, open.unsent, open.unsent_posted, open.writes, open.atomics}) {
            if (end.first == nullptr) {
                continue;
            }
            std::string text =
                fmt::format("it ends with {} on NoC {}, of which this is the first: expected {} before the end",
                            end.what, noc, end.call);
            if (end.is_finding && state.sync_check) {
                state.sync_check->ends_with(risc, *end.first, std::move(text));
            } else {
                warnings.push_back(fmt::format("{}: {}", kernel.where(end.first->issued_from), text));
            }
        }
    }
    return warnings;
}

/// Returns how many acknowledgements of writes or atomics a kernel expects, as its own variables say.
std::optional<std::uint32_t> expected_answers(const CompiledKernel& kernel, const riscv::Hart& hart,
                                              TransactionKind kind, int noc) {
    constexpr std::uint32_t kWordBytes = 4;
    const auto symbol =
        kernel.symbol(kind == TransactionKind::write ? "noc_nonposted_writes_acked" : "noc_nonposted_atomics_acked");
    if (!symbol.has_value()) {
        return std::nullopt;
    }
    const std::uint32_t address = symbol->address + static_cast<std::uint32_t>(noc) * kWordBytes;
    if (!hart.has_private(address, kWordBytes)) {
        return std::nullopt;
    }
    std::uint32_t value = 0;
    for (std::uint32_t i = 0; i < kWordBytes; ++i) {
        value |= std::to_integer<std::uint32_t>(hart.private_memory_at(address + i)) << (8 * i);
    }
    return value;
}

}  // namespace

std::uint32_t runtime_args_bytes(int riscv) {
    return riscv < kDataMovementRiscs ? kRuntimeArgsBytes : kComputeArgsBytes;
}

std::uint32_t runtime_args_address(int riscv) {
    return riscv < kDataMovementRiscs ? kRuntimeArgsAddress + static_cast<std::uint32_t>(riscv) * 2 * kRuntimeArgsBytes
                                      : kComputeArgsAddress;
}

std::uint32_t common_runtime_args_address(int riscv) { return runtime_args_address(riscv) + runtime_args_bytes(riscv); }

CompiledKernel::CompiledKernel(std::span<const std::byte> elf, std::string name, const TorusArchitecture& architecture,
                               riscv::SourceMap source_map)
    : name_(std::move(name)),
      image_(elf, name_),
      source_map_(std::move(source_map)),
      code_(code_segment().address, code_segment().bytes, extensions_of(architecture.riscv)) {
    require_room(architecture);
}

CompiledKernel::CompiledKernel(std::span<const std::byte> elf, std::string name, const TorusArchitecture& architecture,
                               riscv::SourceMap source_map, const KernelFirmware& firmware)
    : CompiledKernel(elf, std::move(name), architecture, std::move(source_map)) {
    is_for_card_ = true;
    if (!firmware.elf.empty()) {
        firmware_ = riscv::read_elf_symbols(firmware.elf, firmware.name);
    }
    require_firmware(*this, architecture, firmware_, firmware.elf.empty() ? "" : firmware.name);
    start_ = explore_start(*this, architecture);
}

void CompiledKernel::require_room(const TorusArchitecture& architecture) const {
    const auto l1_bytes = static_cast<std::uint64_t>(architecture.l1.size_bytes);
    const auto reserved = static_cast<std::uint64_t>(architecture.l1.reserved_bytes);
    const auto private_end =
        std::uint64_t{TileBus::kPrivateBegin} + static_cast<std::uint64_t>(architecture.riscv.private_memory_bytes);
    const auto ram_bytes = has_instruction_ram(architecture) ? kInstructionRamBytes : 0;
    const auto is_free = [&](std::uint64_t begin, std::uint64_t end) {
        return end <= kRuntimeArgsAddress || (begin >= reserved && end <= l1_bytes);
    };
    for (const riscv::ElfSegment& segment : image_.segments()) {
        const std::uint64_t end = std::uint64_t{segment.address} + segment.memory_bytes;
        const bool fits = is_free(segment.address, end) ||
                          (is_compute_code(segment.address) && is_compute_code(static_cast<std::uint32_t>(end - 1))) ||
                          (segment.address >= TileBus::kPrivateBegin && end <= private_end) ||
                          (segment.address >= kInstructionRamBegin && end <= kInstructionRamBegin + ram_bytes);
        if (!fits) {
            throw InputError(fmt::format(
                "{}: segment 0x{:x} to 0x{:x}: expected one within 0x0 to 0x{:x} or 0x{:x} to 0x{:x} of L1, the {} "
                "bytes "
                "of private memory at 0x{:x}{}",
                name_, segment.address, end, kRuntimeArgsAddress, reserved, l1_bytes,
                architecture.riscv.private_memory_bytes, TileBus::kPrivateBegin,
                ram_bytes == 0
                    ? fmt::format("; {} has no instruction RAM", architecture.name)
                    : fmt::format(", or the {} bytes of instruction RAM at 0x{:x}", ram_bytes, kInstructionRamBegin)));
        }
    }
    for (const L1Range& range : l1_ranges()) {
        if (!is_free(range.begin, range.end)) {
            throw InputError(
                fmt::format("{}: data that its start moves, 0x{:x} to 0x{:x}: expected them within 0x0 to 0x{:x} or "
                            "0x{:x} to 0x{:x} of "
                            "L1",
                            name_, range.begin, range.end, kRuntimeArgsAddress, reserved, l1_bytes));
        }
    }
}

std::optional<riscv::ElfSymbol> CompiledKernel::symbol(std::string_view name) const {
    if (const std::optional<riscv::ElfSymbol> own = image_.symbol(name); own.has_value()) {
        return own;
    }
    const auto found = firmware_.find(name);
    return found == firmware_.end() ? std::nullopt : std::optional(found->second);
}

bool CompiledKernel::is_in_instruction_ram() const { return nocbench::is_in_instruction_ram(code_.base()); }

bool CompiledKernel::shares_nocs() const {
    const std::optional<riscv::ElfSymbol> mode = image_.symbol("nocbench_noc_mode");
    return mode.has_value() && mode->address != 0;
}

std::vector<KernelPart> CompiledKernel::l1_parts() const {
    std::vector<KernelPart> parts;
    for (const riscv::ElfSegment& segment : image_.segments()) {
        std::uint32_t address = is_private(segment.address) ? segment.load_address : segment.address;
        if (nocbench::is_in_instruction_ram(address) && !segment.executable) {
            address = address - kInstructionRamBegin + kInstructionRamSource;
        }
        if (address < TileBus::kPrivateBegin && !is_compute_code(address) && !segment.bytes.empty()) {
            parts.push_back({address, segment.bytes});
        }
    }
    return parts;
}

std::vector<KernelPart> CompiledKernel::private_parts() const {
    std::vector<KernelPart> parts;
    for (const riscv::ElfSegment& segment : image_.segments()) {
        if (is_private(segment.address) && segment.load_address == segment.address && !segment.bytes.empty()) {
            parts.push_back({segment.address, segment.bytes});
        }
    }
    return parts;
}

std::vector<L1Range> CompiledKernel::l1_ranges() const {
    std::vector<L1Range> ranges;
    for (const KernelPart& part : l1_parts()) {
        ranges.push_back({part.address, std::uint64_t{part.address} + part.bytes.size()});
    }
    return ranges;
}

const riscv::ElfSegment& CompiledKernel::code_segment() const {
    const riscv::ElfSegment* code = nullptr;
    for (const riscv::ElfSegment& segment : image_.segments()) {
        if (segment.executable && !segment.bytes.empty()) {
            if (code != nullptr) {
                throw InputError(fmt::format("{}: expected one segment of code, found several", name_));
            }
            code = &segment;
        }
    }
    if (code == nullptr) {
        throw InputError(fmt::format("{}: expected a segment of code, found none", name_));
    }
    return *code;
}

std::string CompiledKernel::where(std::uint32_t address) const {
    return riscv::place_in_program(source_map_, image_, address);
}

void load_compiled_kernel(Device& device, LogicalCoordinate core, const CompiledKernel& kernel) {
    require_banks(kernel, device);
    for (const KernelPart& part : kernel.l1_parts()) {
        device.write_l1(core, part.address, part.bytes);
    }
    if (kernel.shares_nocs()) {
        device.write_l1(core, kNocCountersAddress, std::vector<std::byte>(kNocCountersBytes));
    }
    if (kernel.start().go_byte.has_value()) {
        device.write_l1(core, *kernel.start().go_byte, std::span(&kGo, 1));
    }
}

void run_compiled_kernel(const KernelContext& context, CompiledKernelRun& run) {
    Risc& risc = Risc::current();
    DeviceState& state = risc.state();
    const CompiledKernel& kernel = *run.kernel;
    const auto private_bytes = static_cast<std::uint32_t>(state.architecture.riscv.private_memory_bytes);
    TileBus bus(risc, [&kernel](std::uint32_t address) { return kernel.where(address); });
    const int index = risc.identity().processor;
    bus.set_arguments(
        {{"run-time argument", runtime_args_address(index), runtime_args_bytes(index), context.runtime_args.size()},
         {"common run-time argument", common_runtime_args_address(index), runtime_args_bytes(index),
          context.common_runtime_args.size()}});
    for (const riscv::ElfSegment& segment : kernel.image().segments()) {
        if (is_compute_code(segment.address)) {
            bus.add_code(segment.address, segment.bytes);
        }
    }
    if (const auto table = kernel.symbol("cb_interface"); table.has_value()) {
        bus.set_buffer_table(table->address);
    }
    riscv::Hart hart(kernel.code(), state.architecture.riscv,
                     {TileBus::kPrivateBegin, private_bytes, variables_bytes(kernel.image())}, bus);
    hart.set_sleeps(run.sleeps);
    set_up_start(hart, kernel, [&](std::uint32_t address, std::span<const std::byte> bytes) {
        state.memory(risc.identity().node).write(address, bytes);
    });
    fill_firmware_data(risc, hart, kernel, context);

    risc.set_program({[&hart] { return hart.pc(); }, [&kernel](std::uint32_t address) { return kernel.where(address); },
                      [&hart] { return hart.integer(riscv::kReturnAddress); }});
    if (state.race_check) {
        state.race_check->runs(risc, kernel.code(),
                               [its = run.kernel](std::uint32_t address) { return its->where(address); });
        bus.check_with(*state.race_check);
    }
    if (state.sync_check) {
        state.sync_check->runs(
            risc, [its = run.kernel](std::uint32_t address) { return its->where(address); },
            [&](TransactionKind kind, int noc) { return expected_answers(kernel, hart, kind, noc); });
    }
    const auto record = [&] {
        if (state.sync_check) {
            state.sync_check->ends(risc);
        }
        risc.set_program({});
        run.num_instructions = hart.num_instructions();
        run.num_commands = risc.num_commands();
        run.bytes_moved = risc.bytes_moved();
        run.num_operations = risc.num_operations();
        run.math_ticks = risc.math_ticks();
        run.cycles_by_place = hart.cycles_by_place();
        run.printed = bus.printed();
    };
    try {
        hart.run(kernel.image().entry());
    } catch (const riscv::GuestFault& fault) {
        record();
        throw KernelError(fmt::format("{}: {}: {}", risc.name(), kernel.where(hart.pc()), fault.what()));
    } catch (const KernelError& error) {  // time limit exceeded
        throw KernelError(fmt::format("{}; it is at {}", error.what(), kernel.where(hart.pc())));
    }
    bus.finish(hart.now());
    if (state.race_check) {
        state.race_check->ends(risc);
    }
    record();
    run.warnings = open_ends(risc, kernel, state);
    for (const auto& [address, text] : bus.compute_warnings()) {
        std::string warning = fmt::format("{}: {}", kernel.where(address), text);
        if (std::ranges::find(run.warnings, warning) == run.warnings.end()) {  // a compiler may have unrolled its loop
            run.warnings.push_back(std::move(warning));
        }
    }
}

}  // namespace nocbench
