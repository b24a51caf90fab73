// What a primitive is made of: tests with sweeps and parameters, and a function that runs one point. A primitive
// defines its tests in its folder and registers them; everything else (gtest, the command line, plots) finds them here.
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

#include "device_model/sim/machine.h"
#include "kernels/frame/point.h"
#include "kernels/tensix/program.h"

namespace nocbench {

/// Values that a test's sweep has for one of its parameters.
struct SweptParameter {
    std::string name;
    std::vector<std::string> values;
};

/// The values of the two axes and of the parameters that are swept; a sweep is their product.
struct Sweep {
    std::vector<std::int64_t> num_transactions;
    std::vector<std::int64_t> call_size_bytes;
    std::vector<SweptParameter> parameters = {};  // NOLINT(readability-redundant-member-init): may be left out
};

enum class Tier : std::uint8_t { quick, full };

/// The sweep of the published tests: 1 to 256 transactions of a flit to 64 KiB per call, in powers of 4 and 2.
Sweep packet_size_sweep(const Architecture& architecture, Tier tier);

/// The same for tests in which every core moves data to or from every core; its quick tier keeps to small points.
Sweep all_with_all_sweep(const Architecture& architecture, Tier tier);

/// How a row sums up the cores that run a kernel.
enum class CoreSummary : std::uint8_t {
    median,    // of the cores' durations, and of their bandwidths
    together,  // one duration, from the first core's start to the last one's end, and the bandwidth of all cores
    mean,      // of the cores' durations, and of their bandwidths
};

/// The cores of a compute grid as values of a parameter, row by row; in the quick tier those in its corners.
std::vector<std::string> core_values(const Grid& grid, Tier tier);

/// What a primitive says about one kind of kernel of a point that has run: a result row is made from it.
struct KernelReport {
    std::string label;   // the row's column `kernel`: Sender, Receiver
    std::string kernel;  // the name it was added to the program under
    std::string zone;    // the timed zone
    int riscv = 0;
    int noc = 0;
    std::uint64_t transaction_size_bytes = 0;  // of one core, or of all cores together
    std::string data_fault;                    // what the data check found first; empty if all is as it should be
    CoreSummary summary = CoreSummary::median;
    /// The zone in which the data move, which the bandwidth is over, where only the issue of the calls is timed; empty:
    /// the timed one.
    std::string data_zone = {};  // NOLINT(readability-redundant-member-init): may be left out
};

/// One core's part in a result.
struct CoreResult {
    std::string kernel;  // label
    Processor::Identity identity;
    int noc = 0;
    Tick latency = 0;
    double bandwidth_bytes_per_cycle = 0;
    Ledger ledger;
    std::string zone = {};  // NOLINT(readability-redundant-member-init): the timed one; empty: no kernel was timed
};

/// The measured part of a result row; see docs/results.md for the columns.
struct ResultRow {
    std::string kernel;
    std::uint64_t transaction_size_bytes = 0;
    double latency_cycles = 0;  // median over cores, or of all together
    double bandwidth_bytes_per_cycle = 0;
    int noc = 0;
    int riscv = 0;
    std::size_t num_cores = 0;
    bool data_ok = false;
    std::string data_fault;        // what was wrong first with the data; empty if they are right
    Cause limiter = Cause::issue;  // of the median core, the lower of two
};

/// The row of a report on the cores that ran its kernel, whatever machine they are of. Of cores that are summed up
/// together, it has their medians: their common duration is not known here.
ResultRow row_of_cores(const KernelReport& report, std::vector<CoreResult> cores);

/// A figure of a point that has no column of its own.
struct Statistic {
    std::string name;  // with its unit
    double value = 0;
};

/// What was measured at a point.
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

/// Fills in what links and tiles of a machine carried and took in while it ran, and how long that was.
void set_use(Measurement& measurement, const Machine& machine);

/// Has each machine of a point before the point sets it up: for observers.
using MachineWatcher = std::function<void(Machine&)>;

/// What the picture of a test shows, and the sentences beside it speak of.
enum class Picture : std::uint8_t {
    transaction_sizes,     // duration and bandwidth against the size of a transaction
    latency_against_load,  // latency against the parameter `injection_rate`, a line for each `pattern`
};

std::string_view to_string(Picture picture);

struct TestDefinition {
    int id = 0;
    std::string name;  // as published
    std::string primitive;
    ArchitectureKind kind = ArchitectureKind::tensix_torus;  // of the machines that it runs on
    std::string description;
    /// Path to its section of the plots page, below the architecture's. May be left out.
    std::vector<std::string> headings = {};  // NOLINT(readability-redundant-member-init)
    std::vector<std::string> kernels;        // labels of the result rows of a point
    std::vector<ParameterDefinition> parameters;
    Sweep (*sweep)(const Architecture&, Tier) = nullptr;
    /// Runs kernels on the device of a point and reports on them: a result row is made from each report.
    std::vector<KernelReport> (*run)(const Point&) = nullptr;
    /// Its kernels are written for the device: a compiler makes them, and results depend on it.
    bool kernels_are_compiled = false;
    /// Instead of `run`: measures a point on machines of its own, each of which `watcher` has first, if there is one.
    Measurement (*measure)(const PointParameters&, const Architecture&, const Board&,
                           const MachineWatcher& watcher) = nullptr;
    Picture picture = Picture::transaction_sizes;
    /// Its points go on for long as they have begun, and are shortened sooner (ShorteningRule::long_stream_share).
    bool has_long_streams = false;
    /// How many links the bandwidth of a row may fill at the same time; one if left out.
    std::size_t (*num_links)(const Architecture&, const Board&) = nullptr;
    /// By architecture: the board that it was published for, and runs on unless another one is asked for, where that is
    /// not the architecture's default board.
    std::map<std::string, std::string> boards = {};  // NOLINT(readability-redundant-member-init)

    /// The board to run on if `board` was asked for; empty: none was.
    [[nodiscard]] std::string board_on(const std::string& arch, const std::string& board) const;

    /// Throws InputError that names the architectures of the test's kind if `architecture` is none of them.
    void require_kind_of(const Architecture& architecture) const;

    /// What its links carry: no bandwidth of a row can be higher. Throws InputError as above.
    [[nodiscard]] double theoretical_bytes_per_cycle(const Architecture& architecture, const Board& board) const;
};

/// All tests of all primitives, for machines of any kind, by id.
std::span<const TestDefinition> all_tests();

/// Those for machines of one kind.
std::vector<const TestDefinition*> tests_of(ArchitectureKind kind);

/// The test with this name. Throws InputError if there is none.
const TestDefinition& find_test(std::string_view name);

/// Registers the tests of a primitive: `const RegisterTests registration{{...}};` in its definition.cpp.
class RegisterTests {
public:
    explicit RegisterTests(std::vector<TestDefinition> tests);
};

/// A measurement, and what it is the measurement of.
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
