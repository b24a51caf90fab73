// Speed on lists of transfers, issued by kernels on all cores of a Wormhole, by which estimators of data movement are
// compared. Each benchmark checks that the data arrived and that no flit was lost, and reports
//   flit_hops    flits times routers crossed, acknowledgements included, per second of host time
//   transfers    per second of host time
//   cycles       simulated cycles of the tile clock, per second of host time
//   peak_memory  peak memory of the process during the run, in bytes
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "benchmarks/peak_memory.h"
#include "benchmarks/workload.h"
#include "device_model/arch/architecture.h"
#include "device_model/sim/random_numbers.h"
#include "device_model/tenstorrent/device.h"
#include "kernels/tensix/dataflow_api.h"
#include "kernels/tensix/program.h"

namespace nocbench {

namespace {

constexpr const char* kBoard = "n150";
constexpr std::uint32_t kSource = 0x40000;
constexpr std::uint32_t kDestination = 0x80000;
constexpr std::uint32_t kTransferBytesMax = 16384;

struct Transfer {
    LogicalCoordinate destination;
    std::uint32_t bytes = 0;
};

/// Writes of each core, in order.
using TransferLists = std::map<LogicalCoordinate, std::vector<Transfer>>;

std::uint64_t num_transfers(const TransferLists& lists) {
    std::uint64_t sum = 0;
    for (const auto& [core, transfers] : lists) {
        sum += transfers.size();
    }
    return sum;
}

constexpr int kRiscv = 0;
constexpr int kNoc = 0;

/// Executes a list of writes. A list is longer than the arguments of a kernel can be.
void write_list(const Grid& grid, const std::vector<Transfer>& transfers) {
    using namespace dataflow;
    for (const auto& [destination, bytes] : transfers) {
        const TranslatedCoordinate place = grid.translated(destination);
        noc_async_write(
            kSource,
            get_noc_addr(static_cast<std::uint32_t>(place.x), static_cast<std::uint32_t>(place.y), kDestination),
            bytes);
    }
    noc_async_write_barrier();
}

void set_up(Device& device, Program& program, const TransferLists& lists) {
    for (const auto& [core, transfers] : lists) {
        program.add_kernel(core, "write list", kRiscv, kNoc,
                           [&grid = device.grid(), &transfers = transfers] { write_list(grid, transfers); });
        device.write_l1(core, kSource, pattern(kTransferBytesMax));
    }
}

/// Returns flits times routers crossed, acknowledgements included.
std::uint64_t expected_flit_hops(const TransferLists& lists, const Device& device) {
    const auto flit_bytes = static_cast<std::uint64_t>(device.architecture().router.flit_bytes);
    const std::uint64_t packet_bytes =
        flit_bytes * static_cast<std::uint64_t>(device.architecture().router.max_packet_data_flits);
    std::uint64_t sum = 0;
    for (const auto& [core, transfers] : lists) {
        for (const auto& [destination, bytes] : transfers) {
            // Each packet has a header and is acknowledged.
            const std::uint64_t packets = (bytes + packet_bytes - 1) / packet_bytes;
            const std::uint64_t data_flits = (bytes + flit_bytes - 1) / flit_bytes;
            sum += (packets + data_flits) * routers(device.grid(), kNoc, core, destination) +
                   packets * routers(device.grid(), kNoc, destination, core);
        }
    }
    return sum;
}

/// Checks each core's memory, up to the length of its longest transfer.
bool have_data_arrived(const TransferLists& lists, const Device& device) {
    std::map<LogicalCoordinate, std::uint32_t> most_bytes;
    for (const auto& [core, transfers] : lists) {
        for (const auto& [destination, bytes] : transfers) {
            most_bytes[destination] = std::max(most_bytes[destination], bytes);
        }
    }
    return std::ranges::all_of(most_bytes, [&](const auto& received) {
        const auto& [core, bytes] = received;
        return device.read_l1(core, kDestination, bytes) == pattern(bytes);
    });
}

void run_transfers(benchmark::State& state, const TransferLists& lists) {
    std::uint64_t flit_hops = 0;
    std::uint64_t cycles = 0;
    std::uint64_t transfers = 0;
    std::uint64_t peak_bytes = 0;
    while (state.KeepRunning()) {
        forget_peak_memory();
        Device device(architecture_of(kBoard), kBoard);
        Program program(device);
        choose_accelerators(device);
        set_up(device, program, lists);

        const std::clock_t start = std::clock();
        program.run();
        state.SetIterationTime(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);

        peak_bytes = std::max(peak_bytes, peak_memory_bytes().value_or(0));
        if (device.flit_hops() != expected_flit_hops(lists, device)) {
            state.SkipWithError("flits were lost");
            return;
        }
        if (!have_data_arrived(lists, device)) {
            state.SkipWithError("the data did not arrive");
            return;
        }
        flit_hops += device.flit_hops();
        cycles += static_cast<std::uint64_t>(device.elapsed_cycles());
        transfers += num_transfers(lists);
    }
    state.counters["flit_hops"] = per_second(flit_hops);
    state.counters["transfers"] = per_second(transfers);
    state.counters["cycles"] = per_second(cycles);
    state.counters["peak_memory"] = binary_bytes(peak_bytes);
}

// Transfers of 64 bytes to 16 KiB, lengths uniformly distributed, from any core to any other core.

void random_transfers_8x8(benchmark::State& state) {
    constexpr std::uint32_t kTransferBytesMin = 64;
    const std::vector<LogicalCoordinate> cores = rectangle(8, 8);
    const auto num_cores = static_cast<std::uint32_t>(cores.size());
    RandomNumbers random(1);
    TransferLists lists;
    for (std::int64_t left = state.range(0); left > 0; --left) {
        const std::uint32_t source = random.below(num_cores);
        const std::uint32_t destination = (source + 1 + random.below(num_cores - 1)) % num_cores;
        const std::uint32_t bytes = kTransferBytesMin + random.below(kTransferBytesMax - kTransferBytesMin + 1);
        lists[cores[source]].push_back({cores[destination], bytes});
    }
    run_transfers(state, lists);
}
BENCHMARK(random_transfers_8x8)
    ->ArgName("transfers")
    ->Arg(10'000)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

// Every core to every core, itself included, in the same order.

void all_to_all_8x8_transfers_of_16_kib(benchmark::State& state) {
    const std::vector<LogicalCoordinate> cores = rectangle(8, 8);
    TransferLists lists;
    for (const LogicalCoordinate source : cores) {
        for (const LogicalCoordinate destination : cores) {
            lists[source].push_back({destination, kTransferBytesMax});
        }
    }
    run_transfers(state, lists);
}
BENCHMARK(all_to_all_8x8_transfers_of_16_kib)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace nocbench
