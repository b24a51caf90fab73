// Open-loop traffic: every source creates packets at its own rate, independent of the network, in an unbounded queue,
// and sends one packet at a time.
//
// A run has three phases: a warm-up; a measured phase, whose packets count; and a drain, in which sources continue
// until the last of these packets has arrived. Then they stop, and the network runs empty. Above saturation the drain
// could take forever, since a network need not be fair: a drain as long as the first two phases continues without new
// packets.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device_model/noc/accelerators.h"
#include "device_model/sim/machine.h"
#include "device_model/sim/simulated_time.h"
#include "synthetic/network_plan.h"
#include "synthetic/pattern.h"

namespace nocbench::synthetic {

/// A packet known beforehand. Places are those of a NetworkPlan.
struct PlannedPacket {
    Cycle created = 0;
    int source = 0;
    int destination = 0;
    int flits = 1;
};

struct Load {
    Pattern pattern;
    // NOLINTBEGIN(readability-redundant-member-init): designated initializers may skip members
    std::vector<int> sources = {};  // places; none: all of them
    double flits_per_source_and_cycle = 0;
    int packet_flits = 1;
    std::optional<Cycle> warmup_cycles = {};          // none: as long as the measured phase, up to a useful limit
    std::int64_t measured_flits_per_source = 1;       // mean, which determines the length of the measured phase
    std::optional<Cycle> measured_phase_cycles = {};  // overrides it
    std::uint64_t seed = 1;
    // Replaces random packets by these, in the order of creation for each source. All are sent.
    std::vector<PlannedPacket> planned = {};
    // Gives up once the mean latency is certain to exceed this many times that without contention: a test for
    // saturation need not wait for the end of an overload.
    std::optional<double> latency_factor_max = {};
    // NOLINTEND(readability-redundant-member-init)
    bool counts_flits = true;  // checks that packets are whole, flit by flit
    AcceleratorSet accelerators = kAllAccelerators;

    [[nodiscard]] Cycle measured_cycles() const;
    [[nodiscard]] Cycle actual_warmup_cycles() const;
};

/// Results of a run. Latencies are in cycles from the creation of a packet to its last flit at the receiver.
struct Outcome {
    bool gave_up = false;  // see Load::latency_factor_max; invalidates everything else

    struct Source {
        std::uint64_t packets = 0;  // measured ones
        Cycle latency_cycles = 0;   // their sum
        Cycle unhindered_cycles = 0;
        double accepted_flits_per_cycle = 0;  // by packets that arrived in the measured phase
    };

    std::uint64_t packets = 0;             // measured
    std::vector<Cycle> planned_latencies;  // of measured packets in the order of Load::planned; else 0
    double mean_latency_cycles = 0;
    double mean_unhindered_cycles = 0;  // of the same packets, without contention
    Cycle p99_latency_cycles = 0;       // 99th percentile
    Cycle max_latency_cycles = 0;
    double offered_flits_per_source_and_cycle = 0;   // created in the measured phase
    double accepted_flits_per_source_and_cycle = 0;  // by packets that arrived in it
    std::vector<Source> sources;                     // [place]

    // For the whole run:
    std::uint64_t packets_sent = 0;
    std::vector<std::uint64_t> flits_received;  // [place]
    std::vector<LinkUse> links;                 // see Machine::link_use() and injection_use()
    std::vector<LinkUse> injections;
    std::uint64_t flit_hops = 0;  // flits times routers crossed
    std::uint64_t packet_hops = 0;
    Cycle elapsed_cycles = 0;
    std::string fault;  // first fault of a packet; empty if each arrived once, at its destination, and complete
};

/// Runs one load, with the same outcome on every machine. `watcher` receives the network before the run, as a Machine
/// without kernels: its transactions are the packets, with `bytes_per_flit` per flit.
Outcome run_open_loop(const NetworkPlan& network, const Load& load, const std::function<void(Machine&)>& watcher = {},
                      double bytes_per_flit = 1);

}  // namespace nocbench::synthetic
