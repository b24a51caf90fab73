// Speed of the network alone, on the synthetic traffic by which network simulators are compared: 4 virtual channels of
// 8 flits, uniform random, at 20, 50 and 90 % of saturation. Each benchmark checks that every packet arrived at its
// destination, and reports per second of host time:
//   flit_hops    flits times routers crossed
//   packet_hops  packets times routers crossed
//   cycles       simulated cycles
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <map>
#include <utility>

#include "benchmarks/peak_memory.h"
#include "benchmarks/workload.h"
#include "synthetic/network_plan.h"
#include "synthetic/open_loop.h"
#include "synthetic/pattern.h"

namespace nocbench::synthetic {

namespace {

NetworkPlan network_of(PlainTopology topology, Shape shape) {
    return plain_network({.topology = topology, .shape = shape, .virtual_channels = 4, .buffer_flits = 8});
}

void run_load(benchmark::State& state, const NetworkPlan& network, Load load) {
    load.accelerators = accelerators();
    std::uint64_t flit_hops = 0;
    std::uint64_t packet_hops = 0;
    Cycle cycles = 0;
    double latency_cycles = 0;
    while (state.KeepRunning()) {
        const std::clock_t start = std::clock();
        const Outcome outcome = run_open_loop(network, load);
        state.SetIterationTime(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
        if (!outcome.fault.empty()) {
            state.SkipWithError(outcome.fault.c_str());
            return;
        }
        flit_hops += outcome.flit_hops;
        packet_hops += outcome.packet_hops;
        cycles += outcome.elapsed_cycles;
        latency_cycles = outcome.mean_latency_cycles;
    }
    state.counters["flit_hops"] = per_second(flit_hops);
    state.counters["packet_hops"] = per_second(packet_hops);
    state.counters["cycles"] = per_second(static_cast<std::uint64_t>(cycles));
    state.counters["latency"] = latency_cycles;
}

Load uniform_load(const NetworkPlan& network, double flits_per_source_and_cycle, int packet_flits) {
    Load load{.pattern = Pattern(PatternKind::uniform, network.shape)};
    load.flits_per_source_and_cycle = flits_per_source_and_cycle;
    load.packet_flits = packet_flits;
    // The check is excluded from the measured speed.
    load.counts_flits = false;
    load.measured_flits_per_source = packet_flits == 1 ? 4000 : 20'000;  // some millions of flit-hops
    return load;
}

/// Measures uniform random traffic. Arguments: flits of a packet, percent of saturation.
void uniform(benchmark::State& state, PlainTopology topology, Shape shape,
             const std::map<std::int64_t, double>& saturation_of_flits) {
    const NetworkPlan network = network_of(topology, shape);
    const double rate = saturation_of_flits.at(state.range(0)) * static_cast<double>(state.range(1)) / 100;
    run_load(state, network, uniform_load(network, rate, static_cast<int>(state.range(0))));
}

// BookSim2's saturation on the same network, as published with its speed. Equal loads make the speeds comparable.

void uniform_mesh_8x8(benchmark::State& state) {
    uniform(state, PlainTopology::mesh, {.columns = 8, .rows = 8}, {{1, 0.414}, {32, 0.302}, {256, 0.213}});
}

void uniform_torus_10x10(benchmark::State& state) {
    uniform(state, PlainTopology::torus, {.columns = 10, .rows = 10}, {{1, 0.421}, {32, 0.325}, {256, 0.228}});
}

void sizes_and_loads(benchmark::internal::Benchmark* bench) {
    bench->ArgNames({"flits", "load"})
        ->ArgsProduct({{1, 32, 256}, {20, 50, 90}})
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
}

BENCHMARK(uniform_mesh_8x8)->Apply(sizes_and_loads);
BENCHMARK(uniform_torus_10x10)->Apply(sizes_and_loads);

// Large networks at half load for a thousand cycles. Counters beside those above: share of the time before the first
// cycle, and peak memory of the process in bytes.

void uniform_large_mesh(benchmark::State& state) {
    const auto side = static_cast<int>(state.range(0));
    constexpr double kHalfLoadOfSide = 8 * 0.302 / 2;  // the links across the middle limit large networks
    double setup_share = 0;
    std::uint64_t peak_bytes = 0;
    while (state.KeepRunning()) {
        forget_peak_memory();
        const std::clock_t start = std::clock();
        NetworkPlan network = network_of(PlainTopology::mesh, {.columns = side, .rows = side});
        network.accuracy = accuracy();
        Load load = uniform_load(network, kHalfLoadOfSide / side, 32);
        load.warmup_cycles = 0;
        load.measured_phase_cycles = 1000;
        std::clock_t begin = 0;
        const Outcome outcome = run_open_loop(network, load, [&](Machine&) { begin = std::clock(); });
        const std::clock_t end = std::clock();
        state.SetIterationTime(static_cast<double>(end - start) / CLOCKS_PER_SEC);
        setup_share = static_cast<double>(begin - start) / static_cast<double>(end - start);
        peak_bytes = std::max(peak_bytes, peak_memory_bytes().value_or(0));
        if (!outcome.fault.empty()) {
            state.SkipWithError(outcome.fault.c_str());
            return;
        }
    }
    state.counters["setup_share"] = setup_share;
    state.counters["peak_memory"] = binary_bytes(peak_bytes);
}
BENCHMARK(uniform_large_mesh)
    ->ArgName("side")
    ->Arg(32)
    ->Arg(64)
    ->Arg(128)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

// One source sends continuously from corner to corner; no other traffic.

void lone_stream_mesh_8x8(benchmark::State& state) {
    const NetworkPlan network = network_of(PlainTopology::mesh, {.columns = 8, .rows = 8});
    Load load{.pattern = Pattern(PatternKind::bit_complement, network.shape), .sources = {0}};
    load.flits_per_source_and_cycle = 1;
    load.packet_flits = static_cast<int>(state.range(0));
    load.counts_flits = false;
    load.measured_flits_per_source = 1'000'000;
    run_load(state, network, load);
}
BENCHMARK(lone_stream_mesh_8x8)
    ->ArgName("flits")
    ->Arg(1)
    ->Arg(32)
    ->Arg(256)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

// Almost no traffic: idle parts should cost nothing.

void idle_mesh_8x8(benchmark::State& state) {
    const NetworkPlan network = network_of(PlainTopology::mesh, {.columns = 8, .rows = 8});
    Load load = uniform_load(network, 0.001, 32);
    load.measured_flits_per_source = 3200;
    run_load(state, network, load);
}
BENCHMARK(idle_mesh_8x8)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace nocbench::synthetic
