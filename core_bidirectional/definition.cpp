// One core writes to another core and simultaneously reads from it.
#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/frame/data_check.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/primitive.h"
#include "kernels/frame/tensix/sweeps.h"
#include "kernels/tensix/program.h"

namespace nocbench::core_bidirectional {

namespace {

/// L1 addresses, equal on both cores, of the initial data and of the arriving data.
struct Buffers {
    std::uint32_t own = 0;
    std::uint32_t arriving = 0;
};

KernelReport report(const Point& point, bool is_read, const char* kernel, const char* zone, int riscv, int noc,
                    const DataCheck& check) {
    return {.label = is_read ? "Receiver" : "Sender",
            .kernel = kernel,
            .zone = zone,
            .riscv = riscv,
            .noc = noc,
            .transaction_size_bytes = point.call_size_bytes(),
            .data_fault = check.fault(kernel)};
}

/// Expects the data copied by the kernels `writer` and `reader`.
void expect_both(DataCheck& check, const Grid& grid, LogicalCoordinate core, LogicalCoordinate other,
                 const Buffers& buffers, const char* writer, const char* reader) {
    const MemoryPlace here = l1_place(grid, core, buffers.own);
    const MemoryPlace there = l1_place(grid, other, buffers.own);
    check.expect({writer, TransactionKind::write, here, l1_place(grid, other, buffers.arriving), check.fill(here)});
    check.expect({reader, TransactionKind::read, there, l1_place(grid, core, buffers.arriving), check.fill(there)});
}

std::vector<std::uint32_t> coordinates_of(const Grid& grid, LogicalCoordinate core) {
    const TranslatedCoordinate place = grid.translated(core);
    return {static_cast<std::uint32_t>(place.x), static_cast<std::uint32_t>(place.y)};
}

std::vector<KernelReport> run_same_kernel(const Point& point) {
    const Grid& grid = point.device().grid();
    const LogicalCoordinate core = point.core("source");
    const LogicalCoordinate other = point.core("destination");
    const int noc = point.noc();
    const Buffers buffers{point.first_l1_buffer(), point.second_l1_buffer()};
    DataCheck check(point);
    expect_both(check, grid, core, other, buffers, "mover", "mover");

    Program program(point.device());
    program.add_kernel({core}, {"mover",
                                nullptr,
                                0,
                                noc,
                                {point.num_transactions(), point.call_size_bytes(), buffers.own, buffers.arriving,
                                 buffers.own, buffers.arriving, point.number("vc", 0, 3)},
                                "core_bidirectional/kernels/device/mover.cpp",
                                1});
    program.set_runtime_args(core, 0, coordinates_of(grid, other));
    program.run();
    return {report(point, false, "mover", "RISCV0", 0, noc, check),
            report(point, true, "mover", "RISCV0", 0, noc, check)};
}

std::vector<KernelReport> run_different_kernels(const Point& point) {
    const Grid& grid = point.device().grid();
    const LogicalCoordinate core = point.core("source");
    const LogicalCoordinate other = point.core("destination");
    const int noc = point.noc();
    const Buffers buffers{point.first_l1_buffer(), point.second_l1_buffer()};
    DataCheck check(point);
    expect_both(check, grid, core, other, buffers, "sender", "requestor");

    Program program(point.device());
    program.add_kernel({core}, {"sender",
                                nullptr,
                                0,
                                noc,
                                {point.num_transactions(), point.call_size_bytes(), buffers.own, buffers.arriving,
                                 point.number("vc", 0, 3)},
                                "core_bidirectional/kernels/device/sender.cpp",
                                1});
    program.add_kernel({core}, {"requestor",
                                nullptr,
                                1,
                                1 - noc,
                                {point.num_transactions(), point.call_size_bytes(), buffers.own, buffers.arriving},
                                "core_bidirectional/kernels/device/requestor.cpp",
                                1});
    program.set_runtime_args(core, 0, coordinates_of(grid, other));
    program.set_runtime_args(core, 1, coordinates_of(grid, other));
    program.run();
    return {report(point, false, "sender", "RISCV0", 0, noc, check),
            report(point, true, "requestor", "RISCV1", 1, 1 - noc, check)};
}

/// Half of L1 holds the initial data, and half the arriving data.
Sweep ideal_sweep(const Architecture& architecture, Tier tier) {
    const std::int64_t half = l1_call_bytes_max(torus_of(architecture)) / 2;
    return {{tier == Tier::quick ? 16 : 256}, {half - half % torus_of(architecture).router.flit_bytes}};
}

Sweep channel_sweep(const Architecture& architecture, Tier tier) {
    Sweep sweep = packet_size_sweep(architecture, Tier::quick);
    if (tier == Tier::quick) {
        sweep = {{16}, {torus_of(architecture).router.flit_bytes, 2048}};
    }
    sweep.parameters = {{"vc", {"0", "1", "2", "3"}}};
    return sweep;
}

Sweep custom_sweep(const Architecture& architecture, Tier /*tier*/) {
    return {{16}, {packet_bytes_max(torus_of(architecture))}};
}

using Run = std::vector<KernelReport> (*)(const Point&);

TestDefinition definition(int id, const std::string& name, Run run, const std::string& destination,
                          Sweep (*sweep)(const Architecture&, Tier), const std::string& write_channel = "0",
                          bool sweeps_channels = false) {
    const bool same = run == &run_same_kernel;
    return {.id = id,
            .name = name,
            .primitive = "core_bidirectional",
            .description = same ? "One core writes to another one and reads from it, in turns."
                                : "One core writes to another one, and its other RISC reads from it.",
            .headings = {"Core Bidirectional", same ? "Same Kernel" : "Different Kernels", name},
            .kernels = {"Sender", "Receiver"},
            .parameters = {core_parameter("source", "0,0", "logical core that writes and reads"),
                           core_parameter("destination", destination, "logical core that is written to and read from"),
                           {"noc", "0", same ? "NoC of both" : "NoC of the writes; the reads use the other one"},
                           {"vc", write_channel, "virtual channel of the writes, 0 to 3; reads are on channel 1", false,
                            sweeps_channels}},
            .sweep = sweep,
            .run = run,
            .kernels_are_compiled = true,
            .has_long_streams = sweep == &ideal_sweep};
}

const RegisterTests registration{{
    definition(140, "Core Bidirectional Directed Ideal Same Kernel", &run_same_kernel, "0,1", &ideal_sweep),
    definition(141, "Core Bidirectional Directed Ideal Different Kernels", &run_different_kernels, "0,1", &ideal_sweep),
    definition(142, "Core Bidirectional Directed Ideal Same Kernel Same VC", &run_same_kernel, "0,1", &ideal_sweep,
               "1"),
    definition(143, "Core Bidirectional Directed Ideal Different Kernels Same VC", &run_different_kernels, "0,1",
               &ideal_sweep, "1"),
    definition(144, "Core Bidirectional Write VC Sweep Same Kernel", &run_same_kernel, "0,1", &channel_sweep, "0",
               true),
    definition(145, "Core Bidirectional Write VC Sweep Different Kernels", &run_different_kernels, "0,1",
               &channel_sweep, "0", true),
    definition(146, "Core Bidirectional Packet Sizes Same Kernel", &run_same_kernel, "1,1",
               &compiled_packet_size_sweep),
    definition(147, "Core Bidirectional Packet Sizes Different Kernels", &run_different_kernels, "1,1",
               &compiled_packet_size_sweep),
    definition(148, "Core Bidirectional Custom", &run_same_kernel, "1,1", &custom_sweep),
}};

}  // namespace

}  // namespace nocbench::core_bidirectional
