// Open-loop traffic: every source creates packets at a given rate, independent of the network, in an unbounded queue,
// and sends one packet at a time.
//
// A run has three phases: a warm-up; a measured phase, whose packets count; and a drain, in which sources continue
// until the last measured packet has arrived. After the drain, sources stop and the network empties. Above saturation
// the drain could last forever, since a network need not be fair. Therefore a drain that is as long as the first two
// phases continues without new packets.
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

/// Packet known before the run. Source and destination are indices into NetworkPlan::nodes.
struct PlannedPacket {
    Cycle created = 0;
    int source = 0;
    int destination = 0;
    int flits = 1;
};

struct Load {
    Pattern pattern;
    // NOLINTBEGIN(readability-redundant-member-init): designated initializers may skip members
    std::vector<int> sources = {};  // indices into NetworkPlan::nodes; none: all
    double flits_per_source_and_cycle = 0;
    int packet_flits = 1;
    std::optional<Cycle> warmup_cycles = {};          // none: as long as the measured phase, up to a limit
    std::int64_t measured_flits_per_source = 1;       // mean; determines the length of the measured phase
    std::optional<Cycle> measured_phase_cycles = {};  // overrides measured_flits_per_source
    std::uint64_t seed = 1;
    // Packets to send instead of random packets, ordered by creation time for each source. All are sent.
    std::vector<PlannedPacket> planned = {};
    // Ends the run once the mean latency is certain to exceed this multiple of the latency without contention. A search
    // for saturation need not simulate an overload to its end.
    std::optional<double> latency_factor_max = {};
    // NOLINTEND(readability-redundant-member-init)
    bool counts_flits = true;  // checks that no flit of a packet is missing
    AcceleratorSet accelerators = kAllAccelerators;

    [[nodiscard]] Cycle measured_cycles() const;
    [[nodiscard]] Cycle actual_warmup_cycles() const;
};

/// Results of a run. Latencies are in cycles from the creation of a packet to its last flit at the receiver.
struct Outcome {
    bool gave_up = false;  // see Load::latency_factor_max; invalidates everything else

    struct Source {
        std::uint64_t packets = 0;  // number of measured packets
        Cycle latency_cycles = 0;   // sum over measured packets
        Cycle unhindered_cycles = 0;
        double accepted_flits_per_cycle = 0;  // counts packets that arrived in the measured phase
    };

    std::uint64_t packets = 0;             // number of measured packets
    std::vector<Cycle> planned_latencies;  // by index in Load::planned; 0 for packets that were not measured
    double mean_latency_cycles = 0;
    double mean_unhindered_cycles = 0;  // mean over the measured packets, without contention
    Cycle p99_latency_cycles = 0;
    Cycle max_latency_cycles = 0;
    double offered_flits_per_source_and_cycle = 0;   // counts packets created in the measured phase
    double accepted_flits_per_source_and_cycle = 0;  // counts packets that arrived in the measured phase
    std::vector<Source> sources;                     // indexed by source

    // Totals of the whole run.
    std::uint64_t packets_sent = 0;
    std::vector<std::uint64_t> flits_received;  // indexed by receiver
    std::vector<LinkUse> links;                 // see Machine::link_use() and injection_use()
    std::vector<LinkUse> injections;
    std::uint64_t flit_hops = 0;  // flits times routers crossed
    std::uint64_t packet_hops = 0;
    Cycle elapsed_cycles = 0;
    std::string fault;  // first fault of a packet; empty if each packet arrived once, complete, at its destination
};

/// Runs one load, with equal results on every machine. Before the run, `watcher` receives the network as a Machine
/// without kernels, whose transactions are the packets, with `bytes_per_flit` bytes per flit.
Outcome run_open_loop(const NetworkPlan& network, const Load& load, const std::function<void(Machine&)>& watcher = {},
                      double bytes_per_flit = 1);

}  // namespace nocbench::synthetic
