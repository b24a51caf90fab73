// Speed of the simulator itself. Each benchmark runs programs on a device, checks that the data arrived and that no
// flit was lost, and reports per second of host time:
//   flit_hops    flits times routers crossed, acknowledgements and requests included
//   packet_hops  packets times routers crossed
//   cycles       simulated cycles of the tile clock
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/workload.h"
#include "device_model/arch/architecture.h"
#include "device_model/tenstorrent/device.h"
#include "kernels/frame/primitive.h"
#include "kernels/tensix/dataflow_api.h"
#include "kernels/tensix/program.h"

namespace nocbench {

namespace {

constexpr std::uint32_t kSource = 0x40000;
constexpr std::uint32_t kDestination = 0x80000;

enum class TransferKind : std::uint8_t { write, read };

/// Traffic between each of `cores` and all `partners`, which every core visits in the same order.
struct Traffic {
    std::string board;
    std::vector<LogicalCoordinate> cores;
    std::vector<LogicalCoordinate> partners;
    TransferKind kind = TransferKind::write;
    std::uint32_t packets_per_partner = 1;
    std::uint32_t data_flits = 1;  // of a packet
};

/// Kernel that writes to or reads from its partners. Compile-time arguments: 1 for reads, packets per partner, bytes of
/// a packet. Runtime arguments: number of partners, then x and y of each.
void mover() {
    using namespace dataflow;
    const bool reads = get_compile_time_arg_val(0) != 0;
    const std::uint32_t packets = get_compile_time_arg_val(1);
    const std::uint32_t bytes = get_compile_time_arg_val(2);
    const auto partners = get_arg_val<std::uint32_t>(0);
    for (std::uint32_t partner = 0; partner < partners; ++partner) {
        const auto x = get_arg_val<std::uint32_t>(1 + 2 * partner);
        const auto y = get_arg_val<std::uint32_t>(2 + 2 * partner);
        for (std::uint32_t packet = 0; packet < packets; ++packet) {
            if (reads) {
                noc_async_read(get_noc_addr(x, y, kSource), kDestination, bytes);
            } else {
                noc_async_write(kSource, get_noc_addr(x, y, kDestination), bytes);
            }
        }
    }
    noc_async_read_barrier();
    noc_async_write_barrier();
}

struct Work {
    std::uint64_t flit_hops = 0;
    std::uint64_t packet_hops = 0;
};

/// Returns the expected work of requests and responses.
Work expected_work(const Traffic& traffic, const Grid& grid, int noc) {
    Work work;
    for (const LogicalCoordinate core : traffic.cores) {
        for (const LogicalCoordinate partner : traffic.partners) {
            const std::uint64_t routers_there = routers(grid, noc, core, partner);
            const std::uint64_t routers_back = routers(grid, noc, partner, core);
            const std::uint64_t with_data = traffic.kind == TransferKind::write ? routers_there : routers_back;
            const std::uint64_t without = traffic.kind == TransferKind::write ? routers_back : routers_there;
            work.packet_hops += traffic.packets_per_partner * (routers_there + routers_back);
            work.flit_hops += traffic.packets_per_partner * (with_data * (1 + traffic.data_flits) + without);
        }
    }
    return work;
}

void run_traffic(benchmark::State& state, const Traffic& traffic) {
    const bool reads = traffic.kind == TransferKind::read;
    const int riscv = reads ? 1 : 0;
    const int noc = riscv;
    Work total;
    Cycle cycles = 0;
    while (state.KeepRunning()) {
        Device device(architecture_of(traffic.board), traffic.board);
        const Grid& grid = device.grid();
        const auto bytes = traffic.data_flits * static_cast<std::uint32_t>(device.architecture().router.flit_bytes);
        const std::vector<std::byte> data = pattern(bytes);
        std::vector<std::uint32_t> arguments{static_cast<std::uint32_t>(traffic.partners.size())};
        for (const LogicalCoordinate partner : traffic.partners) {
            const TranslatedCoordinate place = grid.translated(partner);
            arguments.insert(arguments.end(),
                             {static_cast<std::uint32_t>(place.x), static_cast<std::uint32_t>(place.y)});
        }
        Program program(device);
        program.add_kernel(traffic.cores,
                           {"mover", &mover, riscv, noc, {reads ? 1U : 0U, traffic.packets_per_partner, bytes}});
        for (const LogicalCoordinate core : traffic.cores) {
            program.set_runtime_args(core, riscv, arguments);
        }
        for (const LogicalCoordinate core : reads ? traffic.partners : traffic.cores) {
            device.write_l1(core, kSource, data);
        }
        choose_accelerators(device);

        const std::clock_t start = std::clock();
        program.run();
        state.SetIterationTime(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);

        const Work work = expected_work(traffic, grid, noc);
        if (device.flit_hops() != work.flit_hops) {
            state.SkipWithError("flits were lost");
            return;
        }
        for (const LogicalCoordinate core : reads ? traffic.cores : traffic.partners) {
            if (device.read_l1(core, kDestination, bytes) != data) {
                state.SkipWithError("the data did not arrive");
                return;
            }
        }
        total.flit_hops += work.flit_hops;
        total.packet_hops += work.packet_hops;
        cycles += device.elapsed_cycles();
    }
    state.counters["flit_hops"] = per_second(total.flit_hops);
    state.counters["packet_hops"] = per_second(total.packet_hops);
    state.counters["cycles"] = per_second(static_cast<std::uint64_t>(cycles));
}

// One core writes to another core; no other traffic.

void lone_stream_of_writes(benchmark::State& state) {
    const auto data_flits = static_cast<std::uint32_t>(state.range(0));
    const std::uint32_t packets = data_flits == 1 ? 4000 : data_flits == 32 ? 1000 : 250;
    run_traffic(state, {"n150", {{0, 0}}, {{7, 7}}, TransferKind::write, packets, data_flits});
}

BENCHMARK(lone_stream_of_writes)
    ->ArgName("flits")
    ->Arg(1)
    ->Arg(32)
    ->Arg(256)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

// Every core writes to every core, all in the same order: long queues, blocked virtual channels.

void all_to_all_8x8_writes(benchmark::State& state) {
    const auto data_flits = static_cast<std::uint32_t>(state.range(0));
    const std::uint32_t packets = data_flits == 256 ? 1 : 4;
    const std::vector<LogicalCoordinate> cores = rectangle(8, 8);
    run_traffic(state, {"n150", cores, cores, TransferKind::write, packets, data_flits});
}

BENCHMARK(all_to_all_8x8_writes)
    ->ArgName("flits")
    ->Arg(1)
    ->Arg(32)
    ->Arg(256)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

void all_from_all_5x5_reads(benchmark::State& state) {
    const std::vector<LogicalCoordinate> cores = rectangle(5, 5);
    run_traffic(state, {"n150", cores, cores, TransferKind::read, 4, static_cast<std::uint32_t>(state.range(0))});
}
BENCHMARK(all_from_all_5x5_reads)
    ->ArgName("flits")
    ->Arg(1)
    ->Arg(32)
    ->Arg(256)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

void all_to_all_13x10_writes(benchmark::State& state) {
    const std::vector<LogicalCoordinate> cores = rectangle(13, 10);
    run_traffic(state, {"p150", cores, cores, TransferKind::write, 1, static_cast<std::uint32_t>(state.range(0))});
}
BENCHMARK(all_to_all_13x10_writes)->ArgName("flits")->Arg(256)->UseManualTime()->Unit(benchmark::kMillisecond);

// Whole points, run as from the command line.

void whole_point(benchmark::State& state, const std::string& test, const std::string& arch) {
    const std::map<std::string, std::string> parameters{{"num_transactions", std::to_string(state.range(0))},
                                                        {"call_size", std::to_string(state.range(1))}};
    std::uint64_t flit_hops = 0;
    while (state.KeepRunning()) {
        const PointResult point = run_point(find_test(test), arch, "", parameters);
        for (const ResultRow& row : point.rows) {
            if (!row.data_ok) {
                state.SkipWithError("the data did not arrive");
                return;
            }
        }
        flit_hops += point.flit_hops;
    }
    state.counters["flit_hops"] = per_second(flit_hops);
}

void smallest_and_largest(benchmark::internal::Benchmark* bench) {
    bench->ArgNames({"n", "bytes"})->Args({1, 64})->Args({256, 64})->Args({256, 65536})->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(whole_point, one_to_one_wormhole, "One to One Packet Sizes", "wormhole_b0")
    ->Apply(smallest_and_largest);
BENCHMARK_CAPTURE(whole_point, one_from_one_blackhole, "One from One Packet Sizes", "blackhole")
    ->Apply(smallest_and_largest);
BENCHMARK_CAPTURE(whole_point, dram_wormhole, "DRAM Interleaved Packet Sizes", "wormhole_b0")
    ->Apply(smallest_and_largest);

// Start-up.

void load_architecture_file(benchmark::State& state, const std::string& arch) {
    while (state.KeepRunning()) {
        const Architecture architecture = load_architecture(find_architecture(arch));
        if (architecture.name != arch) {
            state.SkipWithError("another architecture was loaded");
            return;
        }
    }
}
BENCHMARK_CAPTURE(load_architecture_file, wormhole, "wormhole_b0")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load_architecture_file, blackhole, "blackhole")->Unit(benchmark::kMillisecond);

void construct_device(benchmark::State& state, const std::string& board) {
    const Architecture& architecture = architecture_of(board);
    while (state.KeepRunning()) {
        const Device device(architecture, board);
        if (device.board().name != board) {
            state.SkipWithError("another board was built");
            return;
        }
    }
}
BENCHMARK_CAPTURE(construct_device, n150, "n150")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(construct_device, p150, "p150")->Unit(benchmark::kMicrosecond);

}  // namespace

}  // namespace nocbench
