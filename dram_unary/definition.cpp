// One core reads from a DRAM bank and then writes to it.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "dram_unary/kernels/kernels.h"
#include "kernels/frame/data_check.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/primitive.h"
#include "kernels/frame/tensix/published_boards.h"
#include "kernels/frame/tensix/sweeps.h"
#include "kernels/tensix/kernel_sources.h"
#include "kernels/tensix/program.h"

namespace nocbench::dram_unary {

namespace {

constexpr std::uint32_t kCircularBuffer = 0;

/// Kernel written for one generation of the API: a C++ function, or a source file with `kernel_main`.
struct KernelOfApi {
    void (*function)() = nullptr;
    const char* device_source = "";
};

/// Arguments of a kernel. A function receives all as compile-time arguments. A device kernel receives those that differ
/// between points as runtime arguments, so that it is compiled only once.
struct Arguments {
    std::vector<std::uint32_t> of_point;
    std::vector<std::uint32_t> of_test;
};

void add_kernel(Program& program, LogicalCoordinate core, const char* name, const KernelOfApi& kernel, int riscv,
                int noc, const Arguments& arguments) {
    std::vector<std::uint32_t> all = arguments.of_point;
    all.insert(all.end(), arguments.of_test.begin(), arguments.of_test.end());
    const bool is_native = kernel.function != nullptr;
    program.add_kernel({core},
                       {name, kernel.function, riscv, noc, is_native ? all : arguments.of_test, kernel.device_source});
    if (!is_native) {
        program.set_runtime_args(core, riscv, arguments.of_point);
    }
}

std::vector<KernelReport> run_with(const Point& point, const KernelOfApi& reader_kernel,
                                   const KernelOfApi& writer_kernel) {
    Device& device = point.device();
    const std::uint32_t size = point.call_size_bytes();
    const LogicalCoordinate core = point.core("source");
    const auto num_banks = static_cast<std::uint32_t>(device.grid().dram_banks().size());
    const std::uint32_t bank = point.number("bank", 0, num_banks - 1);
    const std::uint32_t virtual_channel = point.unicast_channel();
    const int read_noc = point.noc("read_noc");
    const int write_noc = (read_noc + 1) % device.architecture().num_nocs();
    const std::uint32_t page_address = point.first_l1_buffer();

    // The input and output buffers have one page each and are contiguous in the bank.
    const auto input_address = static_cast<std::uint32_t>(device.architecture().dram.unreserved_base_bytes);
    const std::uint32_t output_address = input_address + point.buffer_bytes();
    const Grid& grid = device.grid();
    const MemoryPlace page = l1_place(grid, core, page_address);
    const MemoryPlace input = dram_place(grid, bank, read_noc, input_address);
    DataCheck check(point);
    const DataCheck::Data data = check.fill(input);
    check.expect({"reader", TransactionKind::read, input, page, data});
    check.expect({"writer", TransactionKind::write, page, dram_place(grid, bank, write_noc, output_address), data});

    Program program(device);
    program.add_circular_buffer(core, kCircularBuffer, page_address, point.buffer_bytes(), 1);
    const std::vector<std::uint32_t> of_test{kCircularBuffer, virtual_channel};
    add_kernel(program, core, "reader", reader_kernel, 1, read_noc,
               {{point.num_transactions(), size, bank, input_address}, of_test});
    add_kernel(program, core, "writer", writer_kernel, 0, write_noc,
               {{point.num_transactions(), size, bank, output_address}, of_test});
    program.run();

    const KernelReport reader_report{.label = "Receiver",
                                     .kernel = "reader",
                                     .zone = "RISCV1",
                                     .riscv = 1,
                                     .noc = read_noc,
                                     .transaction_size_bytes = size,
                                     .data_fault = check.fault("reader")};
    const KernelReport writer_report{.label = "Sender",
                                     .kernel = "writer",
                                     .zone = "RISCV0",
                                     .riscv = 0,
                                     .noc = write_noc,
                                     .transaction_size_bytes = size,
                                     .data_fault = check.fault("writer")};
    return {reader_report, writer_report};
}

std::vector<KernelReport> run(const Point& point) {
    return run_with(point, {.function = &reader}, {.function = &writer});
}

std::vector<KernelReport> run_2_0(const Point& point) {
    return run_with(point, {.device_source = "dram_unary/kernels/device/object_reader.cpp"},
                    {.device_source = "dram_unary/kernels/device/object_writer.cpp"});
}

constexpr std::int64_t kIdealTransactions = 256;

/// Returns the size of the longest call that fits into L1 from the buffer address on.
std::int64_t largest_call_bytes(const Architecture& architecture, Tier tier) {
    constexpr std::int64_t kQuickBytes = 64 * 1024;
    return tier == Tier::quick ? kQuickBytes : torus_of(architecture).l1.size_bytes - kL1BufferAddress;
}

std::int64_t ideal_transactions(Tier tier) { return tier == Tier::quick ? 4 : kIdealTransactions; }

Sweep ideal_sweep(const Architecture& architecture, Tier tier) {
    return {{ideal_transactions(tier)}, {largest_call_bytes(architecture, tier)}};
}

/// Returns a sweep over every core of the default board.
Sweep core_sweep(const Architecture& architecture, Tier tier) {
    Sweep sweep = ideal_sweep(architecture, tier);
    sweep.parameters = {{"source", core_values(Grid(torus_of(architecture), torus_of(architecture.board(""))), tier)}};
    return sweep;
}

/// Returns a sweep over every bank of the default board, with every virtual channel for writes.
Sweep bank_sweep(const Architecture& architecture, Tier tier) {
    Sweep sweep = ideal_sweep(architecture, tier);
    sweep.parameters = {{"bank", {}}, {"vc", {"0", "1", "2", "3"}}};
    const std::size_t num_banks = num_dram_banks(architecture, architecture.board(""));
    for (std::size_t bank = 0; bank < num_banks; bank += tier == Tier::quick ? num_banks - 1 : 1) {
        sweep.parameters.front().values.push_back(std::to_string(bank));
    }
    return sweep;
}

const RegisterKernelSources kernel_sources{{
    {&reader, "dram_unary/kernels/reader.cpp", "nocbench::dram_unary::reader"},
    {&writer, "dram_unary/kernels/writer.cpp", "nocbench::dram_unary::writer"},
    {&channel_reader, "dram_unary/kernels/channel_reader.cpp", "nocbench::dram_unary::channel_reader"},
    {&channel_writer, "dram_unary/kernels/channel_writer.cpp", "nocbench::dram_unary::channel_writer"},
}};

using SweepOf = Sweep (*)(const Architecture&, Tier);

TestDefinition test(int id, const std::string& name, const std::vector<std::string>& headings, SweepOf sweep,
                    std::vector<KernelReport> (*run_point)(const Point&)) {
    std::vector<ParameterDefinition> parameters{
        core_parameter("source", "0,0", "logical core that reads and writes"),
        {"bank", "0", "bank of DRAM"},
        {"read_noc", "1", "NoC that riscv_1 reads on; riscv_0 writes on the other one", false, false,
         ParameterRole::noc},
        channel_parameter("requests")};
    parameters[0].is_swept = sweep == &core_sweep;
    parameters[1].is_swept = sweep == &bank_sweep;
    parameters[3].is_swept = sweep == &bank_sweep;
    return {.id = id,
            .name = name,
            .primitive = "dram_unary",
            .description = "One core reads from a bank of DRAM and then writes to the same bank.",
            .headings = headings,
            .kernels = {"Receiver", "Sender"},
            .parameters = std::move(parameters),
            .sweep = sweep,
            .run = run_point,
            .kernels_are_compiled = run_point == &run_2_0,
            .has_long_streams = sweep == &ideal_sweep || sweep == &core_sweep || sweep == &bank_sweep,
            .boards = run_point == &run_2_0 ? boards_of_2026() : std::map<std::string, std::string>{}};
}

const RegisterTests registration{{
    test(0, "DRAM Interleaved Packet Sizes", {"DRAM Interleaved Packet Sizes"}, &packet_size_sweep, &run),
    test(1, "DRAM Core Locations", {"DRAM Core Locations"}, &core_sweep, &run),
    test(2, "DRAM Channels", {"DRAM Channels"}, &bank_sweep, &run),
    test(3, "DRAM Directed Ideal", {"DRAM Directed Ideal"}, &ideal_sweep, &run),
    test(40, "DRAM Packet Sizes 2.0", {"DRAM Interleaved Packet Sizes", "2.0"}, &compiled_packet_size_sweep, &run_2_0),
}};

}  // namespace

}  // namespace nocbench::dram_unary
