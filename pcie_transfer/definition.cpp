// One core reads from host memory, or writes to host memory, through the PCIe tile.
#include <string>
#include <vector>

#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/frame/data_check.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/primitive.h"
#include "kernels/frame/tensix/sweeps.h"
#include "kernels/tensix/kernel_sources.h"
#include "kernels/tensix/program.h"
#include "pcie_transfer/kernels/kernels.h"

namespace nocbench::pcie_transfer {

namespace {

constexpr bool is_read(TransactionKind kind) { return kind == TransactionKind::read; }

template <TransactionKind kKind>
std::vector<KernelReport> run(const Point& point) {
    Device& device = point.device();
    const LogicalCoordinate core = point.core("source");
    const Issuer issuer = point.unicast_issuer();
    const std::uint32_t host_address = point.number("host_address", 0, ~std::uint32_t{0});
    const std::string name = is_read(kKind) ? "reader" : "writer";

    const MemoryPlace on_core = l1_place(device.grid(), core, point.first_l1_buffer());
    const MemoryPlace on_host = host_place(device, host_address, point.call_size_bytes());
    const MemoryPlace& source = is_read(kKind) ? on_host : on_core;
    const MemoryPlace& destination = is_read(kKind) ? on_core : on_host;
    DataCheck check(point);
    check.expect({name, kKind, source, destination, check.fill(source)});

    Program program(device);
    program.add_kernel({core}, {name,
                                is_read(kKind) ? &reader : &writer,
                                issuer.riscv,
                                issuer.noc,
                                {point.num_transactions(), point.call_size_bytes(), point.first_l1_buffer(),
                                 host_address, issuer.virtual_channel}});
    program.run();
    return {{.label = is_read(kKind) ? "Receiver" : "Sender",
             .kernel = name,
             .zone = "RISCV0",
             .riscv = issuer.riscv,
             .noc = issuer.noc,
             .transaction_size_bytes = point.call_size_bytes(),
             .data_fault = check.fault(name)}};
}

const RegisterKernelSources kernel_sources{{
    {&reader, "pcie_transfer/kernels/reader.cpp", "nocbench::pcie_transfer::reader"},
    {&writer, "pcie_transfer/kernels/writer.cpp", "nocbench::pcie_transfer::writer"},
}};

/// As published, 100,000 calls of one flit to one packet; fewer calls in the quick tier.
Sweep packet_sweep(const Architecture& architecture, Tier tier) {
    constexpr std::int64_t kPublishedCalls = 100'000;
    constexpr std::int64_t kQuickCalls = 64;
    const std::int64_t flit_bytes = torus_of(architecture).router.flit_bytes;
    const std::int64_t packet_bytes = packet_bytes_max(torus_of(architecture));
    return tier == Tier::quick ? Sweep{{1, kQuickCalls}, {flit_bytes, packet_bytes}}
                               : Sweep{{kPublishedCalls}, powers_of_two(flit_bytes, packet_bytes)};
}

template <TransactionKind kKind>
TestDefinition test(int id, const std::string& name, Sweep (*sweep)(const Architecture&, Tier)) {
    return {.id = id,
            .name = name,
            .primitive = "pcie_transfer",
            .description = is_read(kKind) ? "One core reads from the memory of the host."
                                          : "One core writes to the memory of the host.",
            .headings = {name},
            .kernels = {is_read(kKind) ? "Receiver" : "Sender"},
            // The published test reads with the RISC and the NoC that other tests use for writes.
            .parameters = joined({{core_parameter("source", "0,0", "logical core that runs the kernel"),
                                   {"host_address", std::to_string(50 * 1024 * 1024),
                                    "address of the buffer in the memory of the host that the PCIe tile reaches"}},
                                  issuer_parameters(TransactionKind::write)}),
            .sweep = sweep,
            .run = &run<kKind>,
            .has_long_streams = true,
            .uses_host_memory = true};
}

const RegisterTests registration{{
    test<TransactionKind::read>(1603, "PCIe Read Bandwidth", &directed_ideal_sweep),
    test<TransactionKind::write>(1604, "PCIe Write Bandwidth", &directed_ideal_sweep),
    test<TransactionKind::read>(1606, "PCIe Read Bandwidth Sweep", &packet_sweep),
    test<TransactionKind::write>(1607, "PCIe Write Bandwidth Sweep", &packet_sweep),
}};

}  // namespace

}  // namespace nocbench::pcie_transfer
