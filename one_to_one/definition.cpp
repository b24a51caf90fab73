// One core writes to another one.
#include "kernels/primitive.h"
#include "one_to_one/kernels/kernels.h"

namespace nocbench::one_to_one {

namespace {

std::vector<KernelReport> run(const Point& point) {
    Device& device = point.device();
    const std::uint32_t size = point.call_size_bytes();
    const LogicalCoordinate source = point.core("source");
    const LogicalCoordinate destination = point.core("destination");
    const int riscv = static_cast<int>(point.number("riscv", 0, 1));
    const int noc = static_cast<int>(point.number("noc", 0, 1));
    const std::uint32_t virtual_channel = point.number("vc", 0, 3);
    point.require_l1(kL1BufferAddress, size);
    // A core that sends to itself needs a second buffer.
    const std::uint32_t destination_address =
        source == destination ? kL1BufferAddress + point.buffer_bytes() : kL1BufferAddress;
    point.require_l1(destination_address, size);

    const std::vector<std::byte> data = point.pattern(size, 0);
    device.write_l1(source, kL1BufferAddress, data);

    Program program(device);
    const std::uint32_t semaphore = program.add_semaphore({destination}, 0);
    if (!(source == destination)) {
        program.add_semaphore({source}, 0);
    }
    program.add_kernel({source}, {"sender",
                                  &sender,
                                  riscv,
                                  noc,
                                  {point.num_transactions(), size, kL1BufferAddress, destination_address,
                                   virtual_channel, semaphore}});
    const TranslatedCoordinate receiver = device.grid().translated(destination);
    program.set_runtime_args(source, riscv,
                             {static_cast<std::uint32_t>(receiver.x), static_cast<std::uint32_t>(receiver.y)});
    program.run();

    const KernelReport report{.label = "Sender",
                              .kernel = "sender",
                              .zone = "RISCV0",
                              .riscv = riscv,
                              .noc = noc,
                              .transaction_size_bytes = size,
                              .data_ok = device.read_l1(destination, destination_address, size) == data};
    return {report};
}

const RegisterTests registration{{TestDefinition{
    .id = 4,
    .name = "One to One Packet Sizes",
    .primitive = "one_to_one",
    .description = "One core writes to another one.",
    .kernels = {"Sender"},
    .parameters = {{"source", "0,0", "logical core that writes"},
                   {"destination", "1,1", "logical core that is written to"},
                   {"riscv", "0", "RISC that writes"},
                   {"noc", "0", "NoC that it uses"},
                   {"vc", "1", "virtual channel of the writes, 0 to 3"}},
    .sweep = &packet_size_sweep,
    .run = &run,
}}};

}  // namespace

}  // namespace nocbench::one_to_one
