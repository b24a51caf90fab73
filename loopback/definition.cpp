// One core writes to itself.
#include "kernels/primitive.h"
#include "loopback/kernels/kernels.h"

namespace nocbench::loopback {

namespace {

std::vector<KernelReport> run(const Point& point) {
    Device& device = point.device();
    const std::uint32_t size = point.call_size_bytes();
    const LogicalCoordinate core = point.core("source");
    const int riscv = static_cast<int>(point.number("riscv", 0, 1));
    const int noc = static_cast<int>(point.number("noc", 0, 1));
    const std::uint32_t virtual_channel = point.number("vc", 0, 3);
    const std::uint32_t destination_address = kL1BufferAddress + point.buffer_bytes();
    point.require_l1(destination_address, size);

    const std::vector<std::byte> data = point.pattern(size, 0);
    device.write_l1(core, kL1BufferAddress, data);

    Program program(device);
    program.add_kernel({core},
                       {"sender",
                        &sender,
                        riscv,
                        noc,
                        {point.num_transactions(), size, kL1BufferAddress, destination_address, virtual_channel}});
    program.run();

    const KernelReport report{.label = "Sender",
                              .kernel = "sender",
                              .zone = "RISCV0",
                              .riscv = riscv,
                              .noc = noc,
                              .transaction_size_bytes = size,
                              .data_ok = device.read_l1(core, destination_address, size) == data};
    return {report};
}

const RegisterTests registration{{TestDefinition{
    .id = 16,
    .name = "Loopback Packet Sizes",
    .primitive = "loopback",
    .description = "One core writes to itself, from one buffer to another.",
    .kernels = {"Sender"},
    .parameters = {{"source", "0,0", "logical core"},
                   {"riscv", "0", "RISC that writes"},
                   {"noc", "0", "NoC that it uses"},
                   {"vc", "1", "virtual channel of the writes, 0 to 3"}},
    .sweep = &packet_size_sweep,
    .run = &run,
}}};

}  // namespace

}  // namespace nocbench::loopback
