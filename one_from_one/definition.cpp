// One core reads from another one.
#include "kernels/primitive.h"
#include "one_from_one/kernels/kernels.h"

namespace nocbench::one_from_one {

namespace {

std::vector<KernelReport> run(const Point& point) {
    Device& device = point.device();
    const std::uint32_t size = point.call_size_bytes();
    const LogicalCoordinate requestor_core = point.core("source");
    const LogicalCoordinate responder_core = point.core("destination");
    const int riscv = static_cast<int>(point.number("riscv", 0, 1));
    const int noc = static_cast<int>(point.number("noc", 0, 1));
    const std::uint32_t virtual_channel = point.number("vc", 0, 3);
    // A core that reads from itself needs a second buffer.
    const std::uint32_t responder_address =
        requestor_core == responder_core ? kL1BufferAddress + point.buffer_bytes() : kL1BufferAddress;
    point.require_l1(responder_address, size);

    const std::vector<std::byte> data = point.pattern(size, 0);
    device.write_l1(responder_core, responder_address, data);

    Program program(device);
    program.add_kernel({requestor_core},
                       {"requestor",
                        &requestor,
                        riscv,
                        noc,
                        {point.num_transactions(), size, responder_address, kL1BufferAddress, virtual_channel}});
    const TranslatedCoordinate responder = device.grid().translated(responder_core);
    program.set_runtime_args(requestor_core, riscv,
                             {static_cast<std::uint32_t>(responder.x), static_cast<std::uint32_t>(responder.y)});
    program.run();

    const KernelReport report{.label = "Receiver",
                              .kernel = "requestor",
                              .zone = "RISCV1",
                              .riscv = riscv,
                              .noc = noc,
                              .transaction_size_bytes = size,
                              .data_ok = device.read_l1(requestor_core, kL1BufferAddress, size) == data};
    return {report};
}

const RegisterTests registration{{TestDefinition{
    .id = 5,
    .name = "One from One Packet Sizes",
    .primitive = "one_from_one",
    .description = "One core reads from another one.",
    .kernels = {"Receiver"},
    .parameters = {{"source", "0,0", "logical core that reads"},
                   {"destination", "1,1", "logical core that is read from"},
                   {"riscv", "1", "RISC that reads"},
                   {"noc", "1", "NoC that it uses"},
                   {"vc", "1", "virtual channel of the read requests, 0 to 3"}},
    .sweep = &packet_size_sweep,
    .run = &run,
}}};

}  // namespace

}  // namespace nocbench::one_from_one
