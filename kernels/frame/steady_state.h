// Shortened runs of points that would take long to simulate in full.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "kernels/frame/primitive.h"

namespace nocbench {

/// Rule for running a point with fewer transactions. docs/results.md explains the rule and its error.
struct ShorteningRule {
    /// Minimum number of flit-hops of a shortened point.
    double from_flit_hops = std::numeric_limits<double>::infinity();
    /// Share of from_flit_hops that applies to tests with long streams.
    double long_stream_share = 1.0 / 100;
    /// Minimum share of from_flit_hops in the shortest run that counts.
    double shortest_run_share = 1.0 / 8;
    /// Maximum share of from_flit_hops in a shortened run, unless other limits require more.
    double longest_run_share = 1;
    /// Maximum relative deviation of a run's latency from the prediction by the two shorter runs.
    double tolerance = 0.05;
    /// Maximum spread of kernel starts, as a share of the latency of the shortest run that counts: kernels that have
    /// not started or have finished do not contend.
    double start_share = 0.25;
};

/// Runs of points that differ only in the number of transactions. Each run is simulated once and shared by the points
/// that it predicts.
class SharedRuns {
public:
    /// Returns the run of `num_transactions`, or none.
    [[nodiscard]] const PointResult* find(std::uint32_t num_transactions) const;
    void add(std::uint32_t num_transactions, const PointResult& result);

private:
    std::map<std::uint32_t, PointResult> results_;
};

/// Returns whether points of a test can be shortened. Points without kernels cannot.
bool can_be_shortened(const TestDefinition& test);

/// Runs a point in full, as run_point() does, if it takes less than `rule.from_flit_hops`, or a share of that
/// (TestDefinition::has_long_streams). A longer point is run with a, 2a and 4a transactions. If the first two runs
/// predict the third, the point is steady and is predicted from them; otherwise a is doubled. If 4a exceeds half of the
/// point's transactions, the point is run in full. If runs with a doubled would take too long, the point is predicted
/// without being steady. Contending readers are not steady before each has filled its window of outstanding reads with
/// reads from one responder: until then they read from ever fewer responders at a time, and ever faster
/// (`shortening.contended_reads_root` of the architecture).
///
/// For a shortened point, `params` ends in "simulated_transactions=4a", followed by "steady=0" if not steady. Latencies
/// and bandwidths of its rows are predictions; `data_ok`, `data_fault` and `flit_hops` cover all runs; all other values
/// are those of the longest run. Runs in `shared` are not repeated and cost no flit-hops. Points that share it must
/// differ only in the number of transactions.
PointResult run_point_shortened(const TestDefinition& test, const std::string& arch, const std::string& board,
                                const std::map<std::string, std::string>& parameters,
                                const std::vector<Setting>& settings, const ShorteningRule& rule,
                                SharedRuns* shared = nullptr, const MachineWatcher& watcher = {});

}  // namespace nocbench
