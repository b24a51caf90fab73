#include "kernels/tensix/compiled_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "device_model/riscv/guest_fault.h"
#include "device_model/riscv/hart.h"
#include "device_model/sim/error.h"
#include "device_model/tenstorrent/device.h"
#include "device_model/tenstorrent/device_state.h"
#include "device_model/tenstorrent/network_interface.h"
#include "device_model/tenstorrent/risc.h"
#include "device_model/tenstorrent/tile/tile_bus.h"
#include "kernels/tensix/program.h"

namespace nocbench {

namespace {

constexpr std::uint32_t kRuntimeArgsAddress = 0xE000;
constexpr std::uint32_t kCommonArgsOffset = 0x400;
constexpr std::uint32_t kRiscStride = 0x800;

constexpr std::uint8_t kReturnRegister = 1;
constexpr std::uint8_t kGlobalPointer = 3;

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

bool is_private(const Architecture& architecture, std::uint32_t address) {
    return address - TileBus::kPrivateBegin < static_cast<std::uint64_t>(architecture.riscv.private_memory_bytes);
}

/// Bytes of private memory, from its begin, that the variables of a program take.
std::uint32_t variables_bytes(const riscv::ElfImage& image, const Architecture& architecture) {
    std::uint32_t bytes = 0;
    for (const riscv::ElfSegment& segment : image.segments()) {
        if (is_private(architecture, segment.address)) {
            bytes = std::max(bytes, segment.address - TileBus::kPrivateBegin + segment.memory_bytes);
        }
    }
    return bytes;
}

/// Sets what a program finds in its memories before it starts.
class Loader {
public:
    Loader(Risc& risc, riscv::Hart& hart, const riscv::ElfImage& image) : risc_(risc), hart_(hart), image_(image) {}

    void write(std::uint32_t address, std::span<const std::byte> bytes) {
        if (hart_.has_private(address, bytes.size())) {
            std::memcpy(&hart_.private_memory()[address - hart_.private_begin()], bytes.data(), bytes.size());
        } else {
            risc_.state().memory(risc_.identity().node).write(address, bytes);
        }
    }

    /// Fills the symbol, if the program has it, as far as it goes.
    template <class Value>
    void set(std::string_view symbol, std::span<const Value> values) {
        const std::optional<riscv::ElfSymbol> found = image_.symbol(symbol);
        if (found.has_value()) {
            const auto bytes = std::as_bytes(values);
            write(found->address,
                  found->size == 0 ? bytes : bytes.first(std::min<std::size_t>(found->size, bytes.size())));
        }
    }

private:
    Risc& risc_;
    riscv::Hart& hart_;
    const riscv::ElfImage& image_;
};

void set_arguments(Loader& loader, const KernelContext& context, int riscv) {
    loader.write(runtime_args_address(riscv), std::as_bytes(std::span(context.runtime_args)));
    loader.write(common_runtime_args_address(riscv), std::as_bytes(std::span(context.common_runtime_args)));
    loader.set<std::uint32_t>("rta_l1_base", std::array{runtime_args_address(riscv)});
    loader.set<std::uint32_t>("crta_l1_base", std::array{common_runtime_args_address(riscv)});
}

void set_place(Loader& loader, const DeviceState& state, const Processor::Identity& identity) {
    const TranslatedCoordinate own = state.grid.translated(identity.physical);
    const auto byte = [](int value) { return static_cast<std::uint8_t>(value); };
    loader.set<std::uint8_t>("my_x", std::array{byte(own.x), byte(own.x)});
    loader.set<std::uint8_t>("my_y", std::array{byte(own.y), byte(own.y)});
    loader.set<std::uint8_t>("my_logical_x_", std::array{byte(identity.core.x)});
    loader.set<std::uint8_t>("my_logical_y_", std::array{byte(identity.core.y)});
    const std::uint32_t semaphores = semaphore_address(state.architecture, 0);
    loader.set<std::uint32_t>("sem_l1_base", std::array{semaphores, semaphores, semaphores, semaphores});
}

void set_circular_buffers(Loader& loader, const CoreContext& core) {
    constexpr std::size_t kWords = 8;
    std::array<std::uint32_t, kNumCircularBuffers * kWords> words{};
    for (std::size_t id = 0; id < kNumCircularBuffers; ++id) {
        if (const std::optional<CircularBuffer>& buffer = core.circular_buffers[id]; buffer.has_value()) {
            const std::uint32_t bytes = buffer->page_bytes * buffer->num_pages;
            std::uint32_t* const word = &words[id * kWords];
            word[0] = bytes;
            word[1] = buffer->address + bytes;
            word[2] = buffer->page_bytes;
            word[3] = buffer->num_pages;
            word[4] = buffer->address;
            word[5] = buffer->address;
        }
    }
    loader.set<std::uint32_t>("cb_interface", words);
}

void set_banks(Loader& loader, const DeviceState& state) {
    // As the register takes them that has the coordinates.
    const unsigned first_bit = NiuRegisterLayout::of(state.architecture.name).coordinate_bit();
    const auto word = [&](PhysicalCoordinate place) {
        const TranslatedCoordinate translated = state.grid.translated(place);
        return static_cast<std::uint16_t>((translated.y << kNocCoordinateBits | translated.x) << first_bit);
    };
    std::vector<std::uint16_t> dram_places;
    std::vector<std::int32_t> dram_offsets;
    std::vector<std::uint16_t> l1_places;
    for (std::size_t noc = 0; noc < kNumNocs; ++noc) {
        for (const DramBank& bank : state.grid.dram_banks()) {
            dram_places.push_back(word(bank.endpoint[noc]));
        }
        for (const PhysicalCoordinate place : state.grid.live_tensix()) {
            if (state.grid.logical(place).has_value()) {
                l1_places.push_back(word(place));
            }
        }
    }
    for (const DramBank& bank : state.grid.dram_banks()) {
        dram_offsets.push_back(static_cast<std::int32_t>(bank.offset_bytes));
    }
    loader.set<std::uint16_t>("dram_bank_to_noc_xy", dram_places);
    loader.set<std::int32_t>("bank_to_dram_offset", dram_offsets);
    loader.set<std::uint16_t>("l1_bank_to_noc_xy", l1_places);
    loader.set<std::int32_t>("bank_to_l1_offset", std::vector<std::int32_t>(l1_places.size() / kNumNocs, 0));
}

/// Of the transactions of a RISC on one NoC that have one id: those under way.
struct UnderWay {
    std::uint32_t count = 0;
    Cycle first_accepted = std::numeric_limits<Cycle>::max();
    std::uint32_t first_issued_from = 0;  // where in the program
};

/// What a kernel that ends must not leave behind: nobody would wait for it any more.
void require_rest(const Risc& risc, const CompiledKernel& kernel, DeviceState& state) {
    for (std::size_t noc = 0; noc < kNumNocs; ++noc) {
        const NiuCounters& counters = state.interfaces[noc]->counters(risc.identity().node);
        for (std::size_t id = 0; id < kNumTransactionIds; ++id) {
            if (counters.outstanding[id] == 0) {
                continue;
            }
            UnderWay mine;  // the other RISC of the tile may have some, too
            state.transactions.for_each_in_use([&](const Transaction& transaction) {
                const bool is_part = transaction.multicast != kNoTransaction;
                if (is_part || transaction.posted || transaction.requestor != risc.identity().node ||
                    transaction.issuer != risc.identity().index || transaction.noc != noc || transaction.id != id) {
                    return;
                }
                mine.count += transaction.num_receivers == 0 ? 1 : transaction.receivers_missing;
                if (transaction.accepted < mine.first_accepted) {
                    mine.first_accepted = transaction.accepted;
                    mine.first_issued_from = transaction.issued_from;
                }
            });
            if (mine.count != 0) {
                throw KernelError(fmt::format(
                    "{}: {}: it ends while {} of its transactions on NoC {} are under way{}, of which this is the "
                    "first: expected a barrier that waits for them",
                    risc.name(), kernel.where(mine.first_issued_from), mine.count, noc,
                    id == 0 ? "" : fmt::format(", of transaction id {}", id)));
            }
        }
    }
}

}  // namespace

std::uint32_t runtime_args_address(int riscv) {
    return kRuntimeArgsAddress + static_cast<std::uint32_t>(riscv) * kRiscStride;
}

std::uint32_t common_runtime_args_address(int riscv) { return runtime_args_address(riscv) + kCommonArgsOffset; }

CompiledKernel::CompiledKernel(std::span<const std::byte> elf, std::string name, const Architecture& architecture,
                               riscv::SourceMap source_map)
    : name_(std::move(name)),
      image_(elf, name_),
      source_map_(std::move(source_map)),
      code_(code_segment().address, code_segment().bytes, extensions_of(architecture.riscv)) {
    for (const riscv::ElfSegment& segment : image_.segments()) {
        const std::uint64_t end = std::uint64_t{segment.address} + segment.memory_bytes;
        const bool fits_l1 = end <= kRuntimeArgsAddress;
        const bool fits_private =
            is_private(architecture, segment.address) &&
            end - TileBus::kPrivateBegin <= static_cast<std::uint64_t>(architecture.riscv.private_memory_bytes);
        if (!fits_l1 && !fits_private) {
            throw InputError(
                fmt::format("{}: segment 0x{:x} to 0x{:x}: expected one within 0x0 to 0x{:x} of L1 or the {} bytes of "
                            "private memory "
                            "at 0x{:x}",
                            name_, segment.address, end, kRuntimeArgsAddress, architecture.riscv.private_memory_bytes,
                            TileBus::kPrivateBegin));
        }
    }
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
    if (!source_map_.frames(address).empty()) {
        return source_map_.describe(address);
    }
    const riscv::ElfFunction* const function = image_.function_at(address);
    return function == nullptr ? fmt::format("0x{:x}", address) : fmt::format("0x{:x} in {}", address, function->name);
}

void load_compiled_kernel(Device& device, LogicalCoordinate core, const CompiledKernel& kernel) {
    for (const riscv::ElfSegment& segment : kernel.image().segments()) {
        if (!is_private(device.architecture(), segment.address)) {
            device.write_l1(core, segment.address, segment.bytes);
        }
    }
}

void run_compiled_kernel(const KernelContext& context, CompiledKernelRun& run) {
    Risc& risc = Risc::current();
    DeviceState& state = risc.state();
    const CompiledKernel& kernel = *run.kernel;
    const auto private_bytes = static_cast<std::uint32_t>(state.architecture.riscv.private_memory_bytes);
    TileBus bus(risc, [&kernel](std::uint32_t address) { return kernel.where(address); });
    riscv::Hart hart(kernel.code(), state.architecture.riscv,
                     {TileBus::kPrivateBegin, private_bytes, variables_bytes(kernel.image(), state.architecture)}, bus);
    hart.set_sleeps(run.sleeps);

    Loader loader(risc, hart, kernel.image());
    for (const riscv::ElfSegment& segment : kernel.image().segments()) {
        if (is_private(state.architecture, segment.address)) {
            loader.write(segment.address, segment.bytes);
        }
    }
    set_arguments(loader, context, risc.identity().processor);
    set_place(loader, state, risc.identity());
    set_circular_buffers(loader, *context.core);
    set_banks(loader, state);
    hart.set_integer(riscv::kStackPointer, TileBus::kPrivateBegin + private_bytes);
    hart.set_integer(kReturnRegister, TileBus::kReturnAddress);
    if (const auto symbol = kernel.image().symbol("__global_pointer$"); symbol.has_value()) {
        hart.set_integer(kGlobalPointer, symbol->address);
    }

    risc.set_program(
        {[&hart] { return hart.pc(); }, [&kernel](std::uint32_t address) { return kernel.where(address); }});
    const auto record = [&] {
        risc.set_program({});
        run.num_instructions = hart.num_instructions();
        run.num_commands = risc.num_commands();
        run.bytes_moved = risc.bytes_moved();
        run.cycles_by_place = hart.cycles_by_place();
        run.printed = bus.printed();
    };
    try {
        hart.run(kernel.image().entry());
    } catch (const riscv::GuestFault& fault) {
        record();
        throw KernelError(fmt::format("{}: {}: {}", risc.name(), kernel.where(hart.pc()), fault.what()));
    } catch (const KernelError& error) {  // it runs away
        throw KernelError(fmt::format("{}; it is at {}", error.what(), kernel.where(hart.pc())));
    }
    bus.finish(hart.now());
    record();
    require_rest(risc, kernel, state);
}

}  // namespace nocbench
