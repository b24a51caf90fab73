// One core reads from a bank of DRAM and then writes to it.
#include "dram_unary/kernels/kernels.h"
#include "kernels/frame/data_check.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/primitive.h"
#include "kernels/tensix/kernel_sources.h"
#include "kernels/tensix/program.h"

namespace nocbench::dram_unary {

namespace {

constexpr std::uint32_t kCircularBuffer = 0;

std::vector<KernelReport> run(const Point& point) {
    Device& device = point.device();
    const std::uint32_t size = point.call_size_bytes();
    const LogicalCoordinate core = point.core("source");
    const auto num_banks = static_cast<std::uint32_t>(device.grid().dram_banks().size());
    const std::uint32_t bank = point.number("bank", 0, num_banks - 1);
    const std::uint32_t virtual_channel = point.number("vc", 0, 3);
    const int read_noc = static_cast<int>(point.number("read_noc", 0, 1));
    const int write_noc = 1 - read_noc;
    const std::uint32_t page_address = point.first_l1_buffer();

    // Two buffers of one page each, one after the other in the bank.
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
    program.add_kernel({core},
                       {"reader",
                        &reader,
                        1,
                        read_noc,
                        {point.num_transactions(), size, bank, input_address, kCircularBuffer, virtual_channel}});
    program.add_kernel({core},
                       {"writer",
                        &writer,
                        0,
                        write_noc,
                        {point.num_transactions(), size, bank, output_address, kCircularBuffer, virtual_channel}});
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

const RegisterKernelSources kernel_sources{{
    {&reader, "dram_unary/kernels/reader.cpp", "nocbench::dram_unary::reader"},
    {&writer, "dram_unary/kernels/writer.cpp", "nocbench::dram_unary::writer"},
    {&channel_reader, "dram_unary/kernels/channel_reader.cpp", "nocbench::dram_unary::channel_reader"},
    {&channel_writer, "dram_unary/kernels/channel_writer.cpp", "nocbench::dram_unary::channel_writer"},
}};

const RegisterTests registration{{TestDefinition{
    .id = 0,
    .name = "DRAM Interleaved Packet Sizes",
    .primitive = "dram_unary",
    .description = "One core reads from a bank of DRAM and then writes to the same bank.",
    .headings = {"DRAM Interleaved Packet Sizes"},
    .kernels = {"Receiver", "Sender"},
    .parameters = {core_parameter("source", "0,0", "logical core that reads and writes"),
                   {"bank", "0", "bank of DRAM"},
                   {"read_noc", "1", "NoC that riscv_1 reads on; riscv_0 writes on the other one"},
                   {"vc", "1", "virtual channel of the requests, 0 to 3"}},
    .sweep = &packet_size_sweep,
    .run = &run,
}}};

}  // namespace

}  // namespace nocbench::dram_unary
