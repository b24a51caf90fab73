#include "kernels/frame/steady_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/arch/number_in_text.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/frame/possible_rows.h"

namespace nocbench {

namespace {

/// Minimum number of transactions for three shorter runs.
constexpr std::uint32_t kFewestTransactions = 8;

/// Returns the requested number of transactions; none if invalid, which run_point() reports.
std::optional<std::uint32_t> transactions_asked_for(const std::map<std::string, std::string>& parameters) {
    const auto found = parameters.find(std::string(kNumTransactions));
    return found == parameters.end() ? std::nullopt : number_in<std::uint32_t>(found->second);
}

/// Runs of a point with different numbers of transactions.
class Runs {
public:
    Runs(std::function<PointResult(std::uint32_t num_transactions)> run, SharedRuns* shared)
        : run_(std::move(run)), shared_(shared) {}

    PointResult with(std::uint32_t num_transactions) {
        const PointResult* const known = shared_ == nullptr ? nullptr : shared_->find(num_transactions);
        PointResult result = known == nullptr ? run_(num_transactions) : *known;
        if (known == nullptr) {
            flit_hops_ += result.flit_hops;
            if (shared_ != nullptr) {
                shared_->add(num_transactions, result);
            }
        }
        if (rows_.empty()) {
            rows_ = result.rows;
        }
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            if (rows_[row].data_ok && !result.rows[row].data_ok) {
                rows_[row] = result.rows[row];
            }
        }
        return result;
    }

    /// Returns `result` with the cost and the data faults of all runs.
    [[nodiscard]] PointResult all_in(PointResult result) const {
        result.flit_hops = flit_hops_;
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            result.rows[row].data_ok = rows_[row].data_ok;
            result.rows[row].data_fault = rows_[row].data_fault;
        }
        return result;
    }

private:
    std::function<PointResult(std::uint32_t num_transactions)> run_;
    SharedRuns* shared_;
    std::uint64_t flit_hops_ = 0;
    std::vector<ResultRow> rows_;  // of the first run with wrong data, otherwise of the first run
};

/// Returns whether all kernels were active in nearly all of a run, as with many transactions.
bool all_kernels_met(const PointResult& point, double start_share) {
    const auto start = [](const KernelResult& kernel) { return kernel.zones.front().start; };
    const auto [first, last] = std::ranges::minmax(point.kernels, {}, start);
    const double spread_cycles = cycles_from_ticks(start(last) - start(first));
    return std::ranges::all_of(point.rows,
                               [&](const ResultRow& row) { return spread_cycles <= start_share * row.latency_cycles; });
}

/// Returns whether a row is of kernels whose reads contend.
bool reads_meet(const ResultRow& row) { return row.num_cores > 1 && row.kernel == "Receiver"; }

/// Returns the number of transactions with which a kernel fills its window of outstanding reads from one responder.
std::uint32_t transactions_in_window(const PointResult& point, const TorusArchitecture& architecture) {
    const std::int64_t packet_bytes = architecture.router.max_packet_data_flits * architecture.router.flit_bytes;
    const std::int64_t packets_per_call = (point.call_size_bytes + packet_bytes - 1) / packet_bytes;
    const std::int64_t reads_max = architecture.niu.outstanding_reads_max;
    return static_cast<std::uint32_t>((reads_max + packets_per_call - 1) / packets_per_call);
}

/// Extrapolates the latency of a row to `num_transactions` from two shorter steady runs. Each further transaction takes
/// as long as each transaction by which the two runs differ, but at most the mean time: the constant part, such as the
/// round trip, is not negative.
double predicted_latency_cycles(const PointResult& fewer, const PointResult& more, std::size_t row,
                                std::uint32_t num_transactions) {
    const double latency_cycles = more.rows[row].latency_cycles;
    const double per_transaction = (latency_cycles - fewer.rows[row].latency_cycles) /
                                   static_cast<double>(more.num_transactions - fewer.num_transactions);
    const double on_average = latency_cycles / static_cast<double>(more.num_transactions);
    const double further = static_cast<double>(num_transactions) - static_cast<double>(more.num_transactions);
    return latency_cycles + further * std::min(per_transaction, on_average);
}

bool are_predicted(const PointResult& few, const PointResult& more, const PointResult& most, double tolerance) {
    for (std::size_t row = 0; row < most.rows.size(); ++row) {
        const double latency_cycles = most.rows[row].latency_cycles;
        const double predicted = predicted_latency_cycles(few, more, row, most.num_transactions);
        if (std::abs(predicted - latency_cycles) > tolerance * latency_cycles) {
            return false;
        }
    }
    return true;
}

/// Extrapolates the latency of a row of contending readers to `num_transactions` from the longest run.
double predicted_latency_of_reads_cycles(const PointResult& most, std::size_t row, std::uint32_t num_transactions,
                                         std::uint32_t transactions_in_window, double exponent) {
    const auto simulated = static_cast<double>(most.num_transactions);
    const double settled = std::clamp<double>(transactions_in_window, simulated, num_transactions);
    const double per_transaction = most.rows[row].latency_cycles / simulated * std::pow(settled / simulated, exponent);
    return std::round(per_transaction * num_transactions);  // the last digits of std::pow differ between machines
}

/// Converts the rows of `most` to `num_transactions` with the given latencies.
PointResult predicted_point(PointResult most, const std::vector<double>& latencies_cycles,
                            std::uint32_t num_transactions, bool is_steady) {
    const double times_transactions =
        static_cast<double>(num_transactions) / static_cast<double>(most.num_transactions);
    for (std::size_t row = 0; row < most.rows.size(); ++row) {
        const double latency_cycles = latencies_cycles[row];
        const double times_latency = latency_cycles / most.rows[row].latency_cycles;
        most.rows[row].bandwidth_bytes_per_cycle *= times_transactions / times_latency;
        // Under contention, the ends of cores move apart as the run gets longer; their starts are close to each other.
        most.rows[row].median_core_cycles *= times_latency;
        most.rows[row].all_cores_cycles *= times_latency;
        most.rows[row].latency_cycles = latency_cycles;
    }
    most.params += fmt::format("{}simulated_transactions={}{}", most.params.empty() ? "" : ";", most.num_transactions,
                               is_steady ? "" : ";steady=0");
    most.num_transactions = num_transactions;
    return most;
}

}  // namespace

const PointResult* SharedRuns::find(std::uint32_t num_transactions) const {
    const auto found = results_.find(num_transactions);
    return found == results_.end() ? nullptr : &found->second;
}

void SharedRuns::add(std::uint32_t num_transactions, const PointResult& result) {
    results_.emplace(num_transactions, result);
}

bool can_be_shortened(const TestDefinition& test) { return test.measure == nullptr; }

PointResult run_point_shortened(const TestDefinition& test, const std::string& arch, const std::string& board,
                                const std::map<std::string, std::string>& parameters,
                                const std::vector<Setting>& settings, const ShorteningRule& rule, SharedRuns* shared,
                                const MachineWatcher& watcher) {
    const std::uint32_t num_transactions = transactions_asked_for(parameters).value_or(0);
    if (!std::isfinite(rule.from_flit_hops) || !can_be_shortened(test) || num_transactions == 0) {
        return run_point(test, arch, board, parameters, settings, watcher);
    }
    Runs runs(
        [&](std::uint32_t fewer) {
            std::map<std::string, std::string> changed = parameters;
            changed[std::string(kNumTransactions)] = std::to_string(fewer);
            return run_point(test, arch, board, changed, settings, watcher);
        },
        shared);
    if (num_transactions < kFewestTransactions) {
        return runs.all_in(runs.with(num_transactions));
    }

    const double from_flit_hops = rule.from_flit_hops * (test.has_long_streams ? rule.long_stream_share : 1);
    PointResult one = runs.with(1);
    const auto flit_hops_of_one = static_cast<double>(one.flit_hops);
    std::uint32_t shortest = num_transactions;
    if (flit_hops_of_one * num_transactions >= from_flit_hops) {
        shortest = 1;
        while (flit_hops_of_one * shortest < rule.shortest_run_share * from_flit_hops) {
            shortest *= 2;
        }
    }
    const auto leave_out_half = [&](std::uint32_t transactions) { return transactions <= num_transactions / 2; };
    if (leave_out_half(4 * shortest)) {
        const Architecture architecture =
            load_architecture(find_architecture(arch), test.board_on(arch, board), settings);
        PointResult few = shortest == 1 ? std::move(one) : runs.with(shortest);
        PointResult more = runs.with(2 * shortest);
        const std::uint32_t in_window = transactions_in_window(more, torus_of(architecture));
        const double reads_exponent =
            -1.0 / static_cast<double>(torus_of(architecture).shortening.contended_reads_root);
        while (leave_out_half(2 * more.num_transactions)) {
            PointResult most = runs.with(2 * more.num_transactions);
            const bool is_settled = more.num_transactions >= in_window || std::ranges::none_of(more.rows, reads_meet);
            const bool is_steady = is_settled && are_predicted(few, more, most, rule.tolerance);
            const bool is_last = 2 * flit_hops_of_one * most.num_transactions > rule.longest_run_share * from_flit_hops;
            if (all_kernels_met(few, rule.start_share) && (is_steady || is_last)) {
                // Without a steady state, later transactions give the better estimate.
                const PointResult& earlier = is_steady ? few : more;
                std::vector<double> latencies_cycles(most.rows.size());
                for (std::size_t row = 0; row < most.rows.size(); ++row) {
                    latencies_cycles[row] =
                        !is_steady && reads_meet(most.rows[row])
                            ? predicted_latency_of_reads_cycles(most, row, num_transactions, in_window, reads_exponent)
                            : predicted_latency_cycles(earlier, most, row, num_transactions);
                }
                PointResult predicted =
                    runs.all_in(predicted_point(std::move(most), latencies_cycles, num_transactions, is_steady));
                reject_impossible_rows(predicted.rows, test.theoretical_bytes_per_cycle(
                                                           architecture, architecture.board(predicted.board)));
                return predicted;
            }
            few = std::exchange(more, std::move(most));
        }
    }
    return runs.all_in(runs.with(num_transactions));
}

}  // namespace nocbench
