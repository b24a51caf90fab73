// Speed of the Epiphany machine: blocks of 2 KiB, which take about 130,000 cycles in the busiest cells of the published
// tables. Reports per second of host time:
//   dwords   moved
//   cycles   simulated
#include <benchmark/benchmark.h>

#include <cstdint>
#include <ctime>
#include <numeric>
#include <string>

#include "benchmarks/workload.h"
#include "device_model/arch/architecture.h"
#include "device_model/epiphany/arch/constants.h"
#include "epiphany/block_copy/copy_plan.h"
#include "kernels/frame/epiphany/measurement.h"

namespace nocbench::block_copy {

namespace {

void copy_blocks(benchmark::State& state, bool is_external, bool reads, Executor executor, bool all_at_once) {
    constexpr std::uint32_t kBytes = 2048;
    const Architecture architecture = load_architecture(find_architecture("epiphany_iii"));
    const EpiphanyShape shape = shape_of(architecture.board(""));
    CopyPlan plan{.is_external = is_external,
                  .reads = reads,
                  .executor = executor,
                  .loop = published_loop(is_external, false),
                  .all_at_once = all_at_once,
                  .bytes = kBytes,
                  .times = 1,
                  .cores = std::vector<int>(static_cast<std::size_t>(shape.columns * shape.rows))};
    std::iota(plan.cores.begin(), plan.cores.end(), 0);
    std::uint64_t dwords = 0;
    Cycle cycles = 0;
    while (state.KeepRunning()) {
        std::string data_fault;
        const std::clock_t start = std::clock();
        const Measurement measurement = run_copies(plan, epiphany_of(architecture), shape, data_fault);
        state.SetIterationTime(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
        if (!data_fault.empty()) {
            state.SkipWithError(data_fault.c_str());
            return;
        }
        dwords += plan.cores.size() * kBytes / kDwordBytes;
        cycles += measurement.elapsed_cycles;
    }
    state.counters["dwords"] = per_second(dwords);
    state.counters["cycles"] = per_second(static_cast<std::uint64_t>(cycles));
}

BENCHMARK_CAPTURE(copy_blocks, external_write_busy, true, false, Executor::core, true)->UseManualTime();
BENCHMARK_CAPTURE(copy_blocks, external_write_alone, true, false, Executor::core, false)->UseManualTime();
BENCHMARK_CAPTURE(copy_blocks, external_read_alone, true, true, Executor::core, false)->UseManualTime();
BENCHMARK_CAPTURE(copy_blocks, external_dma_read_busy, true, true, Executor::dma, true)->UseManualTime();
BENCHMARK_CAPTURE(copy_blocks, core_write_busy, false, false, Executor::core, true)->UseManualTime();
BENCHMARK_CAPTURE(copy_blocks, core_read_busy, false, true, Executor::core, true)->UseManualTime();
BENCHMARK_CAPTURE(copy_blocks, core_dma_write_busy, false, false, Executor::dma, true)->UseManualTime();

}  // namespace

}  // namespace nocbench::block_copy
