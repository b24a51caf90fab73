// Open-loop traffic: every source creates packets at its own rate, whatever the network can take, and keeps those that
// have to wait in a queue without limit. It sends one packet at a time.
//
// A run has three phases: a warm-up; a measured phase, whose packets are those that count; and a drain, in which
// sources go on as before until the last of these packets has arrived. Then they stop, and the network runs empty. If
// the load is more than the network can take, that could take for ever, since a network need not be fair: a drain that
// is as long as what came before it goes on without new packets.
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

/// A packet that is known beforehand. Places are those of a NetworkPlan.
struct PlannedPacket {
    Cycle created = 0;
    int source = 0;
    int destination = 0;
    int flits = 1;
};

struct Load {
    Pattern pattern;
    // NOLINTBEGIN(readability-redundant-member-init): those who name some members need not name all
    std::vector<int> sources = {};  // places; none: all of them
    double flits_per_source_and_cycle = 0;
    int packet_flits = 1;
    std::optional<Cycle> warmup_cycles = {};     // none: as long as the measured phase, but not longer than is of use
    std::int64_t measured_flits_per_source = 1;  // on average: what the length of the measured phase follows from
    std::optional<Cycle> measured_phase_cycles = {};  // instead of that
    std::uint64_t seed = 1;
    // These packets instead of any by chance, those of each source in the order in which it creates them. All are sent.
    std::vector<PlannedPacket> planned = {};
    // Gives up as soon as it is certain that the mean latency will be more than so many times that with nothing in the
    // way. Whoever only asks whether it is need not wait for the end of an overload.
    std::optional<double> latency_factor_max = {};
    // NOLINTEND(readability-redundant-member-init)
    bool counts_flits = true;  // checks that packets are whole, flit by flit
    AcceleratorSet accelerators = kAllAccelerators;

    [[nodiscard]] Cycle measured_cycles() const;
    [[nodiscard]] Cycle actual_warmup_cycles() const;
};

/// Latencies are in cycles from the creation of a packet to its last flit at the receiver.
struct Outcome {
    bool gave_up = false;  // see Load::latency_factor_max; then nothing else means anything

    struct Source {
        std::uint64_t packets = 0;  // measured
        Cycle latency_cycles = 0;   // their sum
        Cycle unhindered_cycles = 0;
        double accepted_flits_per_cycle = 0;  // of packets that arrived in the measured phase
    };

    std::uint64_t packets = 0;             // measured
    std::vector<Cycle> planned_latencies;  // of measured packets among Load::planned, in their order; else 0
    double mean_latency_cycles = 0;
    double mean_unhindered_cycles = 0;  // of the same packets, had nothing been in their way
    Cycle p99_latency_cycles = 0;       // 99 of 100 packets take so long at most
    Cycle max_latency_cycles = 0;
    double offered_flits_per_source_and_cycle = 0;   // created in the measured phase
    double accepted_flits_per_source_and_cycle = 0;  // of packets that arrived in it
    std::vector<Source> sources;                     // [place]

    // Of the whole run.
    std::uint64_t packets_sent = 0;
    std::vector<std::uint64_t> flits_received;  // [place]
    std::vector<LinkUse> links;                 // see Machine::link_use() and injection_use()
    std::vector<LinkUse> injections;
    std::uint64_t flit_hops = 0;  // flits times routers crossed
    std::uint64_t packet_hops = 0;
    Cycle elapsed_cycles = 0;
    std::string fault;  // what was wrong first with a packet; empty if each arrived once, where it should, and whole
};

/// Runs one load. The same load gives the same outcome on every machine. `watcher` has the network before it runs, as a
/// Machine without kernels: its transactions are the packets, of `bytes_per_flit` each flit.
Outcome run_open_loop(const NetworkPlan& network, const Load& load, const std::function<void(Machine&)>& watcher = {},
                      double bytes_per_flit = 1);

}  // namespace nocbench::synthetic
