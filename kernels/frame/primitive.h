// Definition of primitives: tests with sweeps and parameters, and a function that runs one point. A primitive registers
// its tests in its own folder; everything else (gtest, the command line, plots) finds them here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/arch/architecture_kind.h"
#include "device_model/arch/setting.h"
#include "device_model/sim/machine.h"
#include "kernels/frame/point.h"
#include "kernels/tensix/program.h"

namespace nocbench {

/// Values of a parameter in a test's sweep.
struct SweptParameter {
    std::string name;
    std::vector<std::string> values;
};

/// Values of the two axes and of swept parameters; a sweep is their product.
struct Sweep {
    std::vector<std::int64_t> num_transactions;
    std::vector<std::int64_t> call_size_bytes;
    std::vector<SweptParameter> parameters = {};  // NOLINT(readability-redundant-member-init): may be left out
};

enum class Tier : std::uint8_t { quick, full };

/// Returns the sweep of the published tests: 1 to 256 transactions of a flit to 64 KiB per call, in powers of 4 and 2.
Sweep packet_size_sweep(const Architecture& architecture, Tier tier);

/// Returns the same for tests of all cores with all cores, with small points only in the quick tier.
Sweep all_with_all_sweep(const Architecture& architecture, Tier tier);

/// Aggregation of a kernel's cores in a row.
enum class CoreSummary : std::uint8_t {
    median,    // of durations, and of bandwidths
    together,  // duration from the first core's start to the last one's end, and bandwidth of all cores
    mean,      // of durations, and of bandwidths
};

/// Returns the cores of a compute grid as parameter values, row by row; in the quick tier only its corners.
std::vector<std::string> core_values(const Grid& grid, Tier tier);

/// Report of a primitive on one kind of kernel after a run, the source of a result row.
struct KernelReport {
    std::string label;   // the row's column `kernel`: Sender, Receiver
    std::string kernel;  // its name in the program
    std::string zone;    // the timed zone
    int riscv = 0;
    int noc = 0;
    std::uint64_t transaction_size_bytes = 0;  // of one core, or of all cores together
    std::string data_fault;                    // first fault of the data check; empty if none
    CoreSummary summary = CoreSummary::median;
    /// The zone in which the data move, whose duration gives the bandwidth. Set if the timed zone covers only the issue
    /// of calls; empty: the timed zone.
    std::string data_zone = {};  // NOLINT(readability-redundant-member-init): may be left out
};

/// Share of one core in a result.
struct CoreResult {
    std::string kernel;  // label
    Processor::Identity identity;
    int noc = 0;
    Tick latency = 0;
    double bandwidth_bytes_per_cycle = 0;
    Ledger ledger;
    std::string zone = {};  // NOLINT(readability-redundant-member-init): the timed one; empty: no kernel was timed
};

/// Measured part of a result row; see docs/results.md for the columns.
struct ResultRow {
    std::string kernel;
    std::uint64_t transaction_size_bytes = 0;
    double latency_cycles = 0;  // median over cores, or of all together
    double bandwidth_bytes_per_cycle = 0;
    int noc = 0;
    int riscv = 0;
    std::size_t num_cores = 0;
    bool data_ok = false;
    std::string data_fault;        // first fault of the data; empty if none
    Cause limiter = Cause::issue;  // of the median core, the lower of two
};

/// Returns the row of a report on the cores of its kernel, on any kind of machine. For cores summed up together it has
/// their medians: their common duration is not known here.
ResultRow row_of_cores(const KernelReport& report, std::vector<CoreResult> cores);

/// A figure of a point without a column of its own.
struct Statistic {
    std::string name;  // with its unit
    double value = 0;
};

/// Measurements at a point.
struct Measurement {
    std::vector<ResultRow> rows;
    std::vector<Statistic> statistics;
    std::vector<CoreResult> cores;
    std::vector<LinkUse> links;
    std::vector<LinkUse> injections;
    std::vector<TileDeliveries> deliveries;
    Cycle elapsed_cycles = 0;
    std::uint64_t flit_hops = 0;
    std::optional<FloorPlan> floor_plan;  // of links and tiles; none: that of the board's two NoCs
};

/// Sets the use of a machine's links and tiles, and the duration of its run.
void set_use(Measurement& measurement, const Machine& machine);

/// Called with each machine of a point before it is set up, to add observers.
using MachineWatcher = std::function<void(Machine&)>;

/// Kind of picture of a test, and subject of the sentences beside it.
enum class Picture : std::uint8_t {
    transaction_sizes,     // duration and bandwidth against the size of a transaction
    latency_against_load,  // latency against the parameter `injection_rate`, a line for each `pattern`
};

std::string_view to_string(Picture picture);

struct TestDefinition {
    int id = 0;
    std::string name;  // as published
    std::string primitive;
    ArchitectureKind kind = ArchitectureKind::tensix_torus;  // of its machines
    std::string description;
    /// Path to its section of the plots page, below the architecture's. Optional.
    std::vector<std::string> headings = {};  // NOLINT(readability-redundant-member-init)
    std::vector<std::string> kernels;        // labels of a point's result rows
    std::vector<ParameterDefinition> parameters;
    Sweep (*sweep)(const Architecture&, Tier) = nullptr;
    /// Runs kernels on the device of a point. Returns a report for each result row.
    std::vector<KernelReport> (*run)(const Point&) = nullptr;
    /// True if kernels are compiled for the device, so that results depend on the compiler.
    bool kernels_are_compiled = false;
    /// In place of `run`: measures a point on machines of its own, passing each to `watcher`, if set, first.
    Measurement (*measure)(const PointParameters&, const Architecture&, const Board&,
                           const MachineWatcher& watcher) = nullptr;
    Picture picture = Picture::transaction_sizes;
    /// True if points reach a steady state early and are shortened sooner (ShorteningRule::long_stream_share).
    bool has_long_streams = false;
    /// Returns the number of links that a row's bandwidth may fill simultaneously; one if unset.
    std::size_t (*num_links)(const Architecture&, const Board&) = nullptr;
    /// Default board of the test by architecture, where the published tables are not of the architecture's default
    /// board.
    std::map<std::string, std::string> boards = {};  // NOLINT(readability-redundant-member-init)

    /// Returns the board to run on. `board`: the requested one, or empty.
    [[nodiscard]] std::string board_on(const std::string& arch, const std::string& board) const;

    /// Returns the sweep of an architecture as its file has it.
    [[nodiscard]] Sweep sweep_on(const std::string& arch, Tier tier) const;

    /// Throws InputError that names the architectures of the test's kind if `architecture` has another kind.
    void require_kind_of(const Architecture& architecture) const;

    /// Returns the bandwidth of its links, the upper limit for rows. Throws InputError as above.
    [[nodiscard]] double theoretical_bytes_per_cycle(const Architecture& architecture, const Board& board) const;
};

/// Returns all tests of all primitives, for machines of any kind, by id.
std::span<const TestDefinition> all_tests();

std::vector<const TestDefinition*> tests_of(ArchitectureKind kind);

/// Returns the test with this name. Throws InputError if there is none.
const TestDefinition& find_test(std::string_view name);

/// Registration of a primitive's tests: `const RegisterTests registration{{...}};` in its definition.cpp.
class RegisterTests {
public:
    explicit RegisterTests(std::vector<TestDefinition> tests);
};

/// A measurement and its subject.
struct PointResult : Measurement {
    std::string arch;
    std::string board;
    std::int64_t clock_hz = 0;
    std::uint32_t num_transactions = 0;
    std::uint32_t call_size_bytes = 0;
    std::string params;
    std::vector<KernelResult> kernels;
};

/// Adds changed fields of the architecture to the parameters of a result.
void add_settings(PointResult& point, const std::vector<Setting>& settings);

/// Runs one point of a test, on a fresh device if it has kernels. `settings` change fields of the architecture; see
/// load_architecture.
PointResult run_point(const TestDefinition& test, const std::string& arch, const std::string& board,
                      const std::map<std::string, std::string>& parameters, const std::vector<Setting>& settings = {},
                      const MachineWatcher& watcher = {});

}  // namespace nocbench
