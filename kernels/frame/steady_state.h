// Points whose transactions would take long to simulate one by one, although they go on as they have begun.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "kernels/frame/primitive.h"

namespace nocbench {

/// When a point is run with fewer transactions. docs/results.md has the rule in words, and how far its results are from
/// those of whole runs.
struct ShorteningRule {
    /// Points that take fewer are run whole.
    double from_flit_hops = std::numeric_limits<double>::infinity();
    /// Of that, what points of tests with long streams take at least, if they are shortened.
    double long_stream_share = 1.0 / 100;
    /// The shortest run that counts takes at least this share of them.
    double shortest_run_share = 1.0 / 8;
    /// A run that is not whole does not take more, unless the rules below need it.
    double longest_run_share = 1;
    /// How far the latency of a run may be from what the two shorter ones before it let one expect.
    double tolerance = 0.05;
    /// Of the latency of the shortest run that counts, the share that may go by between the start of the first kernel
    /// and that of the last one: kernels that have not started yet, or have finished, are in nobody's way.
    double start_share = 0.25;
};

/// Runs of points that differ in the number of transactions only, each simulated once. What one point is predicted by
/// is often what another one is about.
class SharedRuns {
public:
    /// The run of `num_transactions`, or none if there has been none yet.
    [[nodiscard]] const PointResult* find(std::uint32_t num_transactions) const;
    void add(std::uint32_t num_transactions, const PointResult& result);

private:
    std::map<std::uint32_t, PointResult> results_;
};

/// Whether points of a test are ever shortened. Those without kernels are not.
bool can_be_shortened(const TestDefinition& test);

/// Runs a point as run_point() does, if it takes less than `rule.from_flit_hops`, or a share of it
/// (TestDefinition::has_long_streams). A longer one is run with a, 2a and 4a
/// transactions; if the first two predict the third, it is steady, and they predict the point. Otherwise a is doubled.
/// Where 4a is more than half of the point's transactions, all of them are run. Where a run of twice 4a would take too
/// long, 4a have to do, steady or not. Kernels in each other's way that read are never steady before the window of
/// reads in flight is full of those from one responder: until then they read from ever fewer responders at a time, and
/// ever faster (`shortening.contended_reads_root` of the architecture).
///
/// Of a shortened point, `params` ends in "simulated_transactions=4a", and in "steady=0" after that if it is not.
/// Latencies and bandwidths of its rows are those predicted; `data_ok`, `data_fault` and `flit_hops` are of all runs
/// together, and anything else is that of the longest. Runs that `shared` has are not made again, and take no
/// flit-hops; it must not be used for points that differ in anything but the number of transactions.
PointResult run_point_shortened(const TestDefinition& test, const std::string& arch, const std::string& board,
                                const std::map<std::string, std::string>& parameters,
                                const std::vector<Setting>& settings, const ShorteningRule& rule,
                                SharedRuns* shared = nullptr);

}  // namespace nocbench
