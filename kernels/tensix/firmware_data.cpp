#include "kernels/tensix/firmware_data.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "device_model/riscv/hart.h"
#include "device_model/tenstorrent/compute/compute_command.h"
#include "device_model/tenstorrent/device_state.h"
#include "device_model/tenstorrent/l1_banks.h"
#include "device_model/tenstorrent/risc.h"
#include "device_model/tenstorrent/tile/tile_bus.h"
#include "kernels/tensix/compiled_kernel.h"
#include "kernels/tensix/program.h"

namespace nocbench {

namespace {

/// Sets a program's memories before it starts.
class Filler {
public:
    Filler(Risc& risc, riscv::Hart& hart, const CompiledKernel& kernel) : risc_(risc), hart_(hart), kernel_(kernel) {}

    void write(std::uint32_t address, std::span<const std::byte> bytes) {
        if (hart_.has_private(address, bytes.size())) {
            std::memcpy(&hart_.private_memory()[address - hart_.private_begin()], bytes.data(), bytes.size());
        } else {
            risc_.state().memory(risc_.identity().node).write(address, bytes);
        }
    }

    /// Sets the symbol if the program has it, up to its size.
    template <class Value>
    void set(std::string_view symbol, std::span<const Value> values) {
        const std::optional<riscv::ElfSymbol> found = kernel_.symbol(symbol);
        if (found.has_value()) {
            const auto bytes = std::as_bytes(values);
            write(found->address,
                  found->size == 0 ? bytes : bytes.first(std::min<std::size_t>(found->size, bytes.size())));
        }
    }

private:
    Risc& risc_;
    riscv::Hart& hart_;
    const CompiledKernel& kernel_;
};

void set_arguments(Filler& filler, const KernelContext& context, int riscv) {
    filler.write(runtime_args_address(riscv), std::as_bytes(std::span(context.runtime_args)));
    filler.write(common_runtime_args_address(riscv), std::as_bytes(std::span(context.common_runtime_args)));
    filler.set<std::uint32_t>("rta_l1_base", std::array{runtime_args_address(riscv)});
    filler.set<std::uint32_t>("crta_l1_base", std::array{common_runtime_args_address(riscv)});
    const auto count = [](const std::vector<std::uint32_t>& args) { return static_cast<std::uint32_t>(args.size()); };
    filler.set<std::uint32_t>("rta_count", std::array{count(context.runtime_args)});
    filler.set<std::uint32_t>("crta_count", std::array{count(context.common_runtime_args)});
}

std::uint8_t byte(int value) { return static_cast<std::uint8_t>(value); }

void set_place(Filler& filler, const DeviceState& state, const Processor::Identity& identity) {
    const TranslatedCoordinate own = state.grid.translated(identity.physical);
    filler.set<std::uint8_t>("my_x", std::array{byte(own.x), byte(own.x)});
    filler.set<std::uint8_t>("my_y", std::array{byte(own.y), byte(own.y)});
    filler.set<std::uint8_t>("my_logical_x_", std::array{byte(identity.core.x)});
    filler.set<std::uint8_t>("my_logical_y_", std::array{byte(identity.core.y)});
    const std::uint32_t semaphores = semaphore_address(state.architecture, 0);
    filler.set<std::uint32_t>("sem_l1_base", std::array{semaphores, semaphores, semaphores, semaphores});
}

/// Sets tables by which kernels convert program coordinates of a core to physical ones.
void set_columns_and_rows(Filler& filler, const Grid& grid) {
    std::vector<std::uint8_t> columns;
    std::vector<std::uint8_t> rows;
    columns.reserve(static_cast<std::size_t>(grid.compute_columns()));
    rows.reserve(static_cast<std::size_t>(grid.compute_rows()));
    for (int x = 0; x < grid.compute_columns(); ++x) {
        columns.push_back(byte(grid.translated(LogicalCoordinate{.x = x, .y = 0}).x));
    }
    for (int y = 0; y < grid.compute_rows(); ++y) {
        rows.push_back(byte(grid.translated(LogicalCoordinate{.x = 0, .y = y}).y));
    }
    filler.set<std::uint8_t>("worker_logical_col_to_virtual_col", columns);
    filler.set<std::uint8_t>("worker_logical_row_to_virtual_row", rows);
}

/// `shift`: of addresses and sizes of buffers within the core, which are in units of 16 bytes in compute kernels.
void set_circular_buffers(Filler& filler, const CoreContext& core, std::uint32_t shift) {
    std::array<std::uint32_t, std::size_t{kNumCircularBuffers} * kBufferTableWords> words{};
    const auto row = [&](std::size_t id) {
        return std::span(words).subspan(id * kBufferTableWords, kBufferTableWords);
    };
    for (std::size_t id = 0; id < kNumCircularBuffers; ++id) {
        if (const std::optional<CircularBuffer>& buffer = core.circular_buffers[id]; buffer.has_value()) {
            const std::uint32_t bytes = buffer->page_bytes * buffer->num_pages;
            std::ranges::copy(std::to_array({bytes, buffer->address + bytes, buffer->page_bytes, buffer->num_pages,
                                             buffer->address, buffer->address}),
                              row(id).begin());
        }
    }
    for (const auto& [id, interface] : core.remote_buffers) {
        std::ranges::copy(interface, row(id).begin());
    }
    for (std::size_t id = 0; id < kNumCircularBuffers; ++id) {
        if (core.circular_buffers[id].has_value()) {
            for (const int place : {0, 1, 2, 4, 5}) {
                row(id)[static_cast<std::size_t>(place)] >>= shift;
            }
        }
    }
    filler.set<std::uint32_t>("cb_interface", words);
}

/// Sets a table of a firmware: `num_banks` per NoC, possibly more or fewer than there are banks.
void set_places(Filler& filler, std::string_view symbol, const std::array<std::vector<std::uint16_t>, kNumNocs>& places,
                std::size_t num_banks) {
    std::vector<std::uint16_t> table;
    for (std::vector<std::uint16_t> row : places) {
        row.resize(num_banks == 0 ? row.size() : num_banks);
        table.insert(table.end(), row.begin(), row.end());
    }
    filler.set<std::uint16_t>(symbol, table);
}

void set_banks(Filler& filler, const DeviceState& state, const BankNumbers& numbers) {
    // In the format of the coordinate register.
    const unsigned first_bit = NiuRegisterLayout::of(state.architecture.root).coordinate_bit();
    const auto word = [&](PhysicalCoordinate place) {
        const TranslatedCoordinate translated = state.grid.translated(place);
        return static_cast<std::uint16_t>((translated.y << kNocCoordinateBits | translated.x) << first_bit);
    };
    std::array<std::vector<std::uint16_t>, kNumNocs> dram_places;
    std::array<std::vector<std::uint16_t>, kNumNocs> l1_places;
    std::vector<std::int32_t> dram_offsets;
    for (std::size_t noc = 0; noc < kNumNocs; ++noc) {
        for (const DramBank& bank : state.grid.dram_banks()) {
            dram_places[noc].push_back(word(bank.endpoint[noc]));
        }
        for (const LogicalCoordinate core : cores_of_l1_banks(state.grid)) {
            l1_places[noc].push_back(word(state.grid.physical(core)));
        }
    }
    for (const DramBank& bank : state.grid.dram_banks()) {
        dram_offsets.push_back(static_cast<std::int32_t>(bank.offset_bytes));
    }
    set_places(filler, "dram_bank_to_noc_xy", dram_places, numbers.dram);
    filler.set<std::int32_t>("bank_to_dram_offset", dram_offsets);
    set_places(filler, "l1_bank_to_noc_xy", l1_places, numbers.l1);
    filler.set<std::int32_t>("bank_to_l1_offset", std::vector<std::int32_t>(l1_places[0].size(), 0));
}

}  // namespace

BankNumbers banks_of(const CompiledKernel& kernel) {
    const auto banks = [&](std::string_view symbol) {
        const std::optional<riscv::ElfSymbol> found = kernel.symbol(symbol);
        return found.has_value() ? found->size / sizeof(std::uint16_t) / kNumNocs : 0;
    };
    return {.dram = banks("dram_bank_to_noc_xy"), .l1 = banks("l1_bank_to_noc_xy")};
}

void fill_firmware_data(Risc& risc, riscv::Hart& hart, const CompiledKernel& kernel, const KernelContext& context) {
    const DeviceState& state = risc.state();
    Filler filler(risc, hart, kernel);
    set_arguments(filler, context, risc.identity().processor);
    set_place(filler, state, risc.identity());
    set_columns_and_rows(filler, state.grid);
    const bool computes = risc.identity().processor >= state.architecture.num_riscs();
    set_circular_buffers(filler, *context.core, computes ? kAddressShift : 0);
    set_banks(filler, state, banks_of(kernel));
}

}  // namespace nocbench
