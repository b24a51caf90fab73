// Shortened runs of points that reach a steady state and would take long to simulate in full.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "kernels/frame/primitive.h"

namespace nocbench {

/// Rule for running a point with fewer transactions. docs/results.md explains it, and the error against full runs.
struct ShorteningRule {
    /// Smallest number of flit-hops of a shortened point.
    double from_flit_hops = std::numeric_limits<double>::infinity();
    /// Share of from_flit_hops that applies to tests with long streams.
    double long_stream_share = 1.0 / 100;
    /// Smallest share of from_flit_hops in the shortest run that counts.
    double shortest_run_share = 1.0 / 8;
    /// Largest share of from_flit_hops in a shortened run, unless the rules below need more.
    double longest_run_share = 1;
    /// Largest relative deviation of a run's latency from the prediction by the two shorter ones.
    double tolerance = 0.05;
    /// Largest spread of kernel starts, as a share of the latency of the shortest run that counts: kernels that have
    /// not started, or have finished, do not contend.
    double start_share = 0.25;
};

/// Runs of points that differ only in the number of transactions, each simulated once: points share the runs that
/// predict them.
class SharedRuns {
public:
    /// Returns the run of `num_transactions`, or none.
    [[nodiscard]] const PointResult* find(std::uint32_t num_transactions) const;
    void add(std::uint32_t num_transactions, const PointResult& result);

private:
    std::map<std::uint32_t, PointResult> results_;
};

/// True if points of a test can be shortened. Those without kernels cannot.
bool can_be_shortened(const TestDefinition& test);

/// Runs a point as run_point() does, if it takes less than `rule.from_flit_hops`, or a share of it
/// (TestDefinition::has_long_streams). A longer one is run with a, 2a and 4a transactions; if the first two predict the
/// third, it is steady, and they predict the point. Otherwise a is doubled. If 4a exceeds half of the point's
/// transactions, all of them are run. If a run of twice 4a would take too long, 4a must do, steady or not. Contending
/// readers are never steady before the window of reads in flight is full of those from one responder: until then they
/// read from ever fewer responders at a time, and ever faster (`shortening.contended_reads_root` of the architecture).
///
/// For a shortened point, `params` ends in "simulated_transactions=4a", followed by "steady=0" if it is not steady.
/// Latencies and bandwidths of its rows are predictions; `data_ok`, `data_fault` and `flit_hops` cover all runs, and
/// anything else is that of the longest. Runs in `shared` are not repeated, and cost no flit-hops; share it only
/// between points that differ in nothing but the number of transactions.
PointResult run_point_shortened(const TestDefinition& test, const std::string& arch, const std::string& board,
                                const std::map<std::string, std::string>& parameters,
                                const std::vector<Setting>& settings, const ShorteningRule& rule,
                                SharedRuns* shared = nullptr);

}  // namespace nocbench
