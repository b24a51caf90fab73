// Definition of primitives: tests with sweeps and parameters, and a function that runs one point. A primitive registers
// its tests in its own folder; all users (gtest, the command line, plots) find them here.
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

/// Values of some parameters and axes, by name, as they are written for `-a`.
using Combination = std::map<std::string, std::string>;

/// Values of the two axes and of swept parameters; a sweep is their product, without combinations that are left out.
struct Sweep {
    std::vector<std::int64_t> num_transactions;
    std::vector<std::int64_t> call_size_bytes;
    std::vector<SweptParameter> parameters = {};  // NOLINT(readability-redundant-member-init): may be omitted
    /// A point is left out if it has all values of any of these. A run that is asked for all of the values has the
    /// point.
    std::vector<Combination> left_out = {};  // NOLINT(readability-redundant-member-init): may be omitted
};

enum class Tier : std::uint8_t { quick, full };

/// Returns the sweep of the published tests: 1 to 256 transactions of a flit to 64 KiB per call, in powers of 4 and 2.
Sweep packet_size_sweep(const Architecture& architecture, Tier tier);

/// Returns the sweep for tests of all cores with all cores: that of packet sizes, but only small points in the quick
/// tier.
Sweep all_with_all_sweep(const Architecture& architecture, Tier tier);

/// Aggregation of a kernel's cores in a row.
enum class CoreSummary : std::uint8_t {
    median,    // of durations and of bandwidths
    together,  // duration from the first core's start to the last one's end, and bandwidth of all cores
    mean,      // of durations and of bandwidths
};

/// Returns the cores of a compute grid as parameter values, row by row; in the quick tier only its corners.
std::vector<std::string> core_values(const Grid& grid, Tier tier);

/// Report of a primitive on the cores of one kernel after a run, from which a result row is made.
struct KernelReport {
    std::string label;   // the row's column `kernel`: Sender, Receiver
    std::string kernel;  // name in the program
    std::string zone;    // the timed zone
    int riscv = 0;
    int noc = 0;
    std::uint64_t transaction_size_bytes = 0;  // of one core, or of all cores together
    std::string data_fault;                    // first fault of the data check; empty if none
    CoreSummary summary = CoreSummary::median;
    /// Zone in which the data move, whose duration determines the bandwidth. Set if the timed zone covers only the
    /// issue of calls; empty: the timed zone.
    std::string data_zone = {};  // NOLINT(readability-redundant-member-init): may be omitted
};

struct CoreResult {
    std::string kernel;  // label of the kernel
    Processor::Identity identity;
    int noc = 0;
    Tick latency = 0;
    double bandwidth_bytes_per_cycle = 0;
    Ledger ledger;
    std::string zone = {};  // NOLINT(readability-redundant-member-init): timed zone; empty: no kernel was timed
};

/// Measured part of a result row; see docs/results.md for the columns.
struct ResultRow {
    std::string kernel;
    std::uint64_t transaction_size_bytes = 0;
    double latency_cycles = 0;  // median over cores, or duration of all together
    /// Both of these durations, since published tables hold either; 0 if only latency_cycles is known.
    double median_core_cycles = 0;
    double all_cores_cycles = 0;
    double bandwidth_bytes_per_cycle = 0;
    int noc = 0;
    int riscv = 0;
    std::size_t num_cores = 0;
    bool data_ok = false;
    std::string data_fault;        // first fault of the data; empty if none
    Cause limiter = Cause::issue;  // of the median core, the lower of two
};

/// Returns the row of a report on the cores of its kernel, on any kind of machine. Uses medians even for
/// CoreSummary::together, since the common duration is not known here.
ResultRow row_of_cores(const KernelReport& report, std::vector<CoreResult> cores);

/// Result of a point that has no column of its own.
struct Statistic {
    std::string name;  // with its unit
    double value = 0;
};

struct Measurement {
    std::vector<ResultRow> rows;
    std::vector<Statistic> statistics;
    std::vector<CoreResult> cores;
    std::vector<LinkUse> links;
    std::vector<LinkUse> injections;
    std::vector<PacketUse> packets;  // flits of links and injections by kind of packet; empty unless counted
    std::vector<MemoryUse> memories;
    std::vector<TileDeliveries> deliveries;
    Cycle elapsed_cycles = 0;
    std::uint64_t flit_hops = 0;
    std::optional<FloorPlan> floor_plan;  // floor plan of links and tiles; none: that of the board's two tori
};

/// Sets the use of a machine's links and tiles, and the duration of its run.
void set_use(Measurement& measurement, const Machine& machine);

/// Function called with each machine of a point before its set-up, to add observers.
using MachineWatcher = std::function<void(Machine&)>;

/// Kind of plot of a test; determines the sentences beside it.
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
    /// Path to the test's section of the plots page, below the architecture's. Optional.
    std::vector<std::string> headings = {};  // NOLINT(readability-redundant-member-init)
    std::vector<std::string> kernels;        // labels of a point's result rows
    std::vector<ParameterDefinition> parameters;
    Sweep (*sweep)(const Architecture&, Tier) = nullptr;
    /// Runs kernels on the device of a point. Returns a report for each result row.
    std::vector<KernelReport> (*run)(const Point&) = nullptr;
    /// True if kernels are compiled for the device, so that results depend on the compiler.
    bool kernels_are_compiled = false;
    /// Alternative to `run`: measures a point on its own machines. Passes each machine to `watcher`, if set, before its
    /// set-up.
    Measurement (*measure)(const PointParameters&, const Architecture&, const Board&,
                           const MachineWatcher& watcher) = nullptr;
    Picture picture = Picture::transaction_sizes;
    /// True if points reach a steady state early and are shortened sooner (ShorteningRule::long_stream_share).
    bool has_long_streams = false;
    /// Returns the number of links that a row's bandwidth may fill simultaneously; unset: one.
    std::size_t (*num_links)(const Architecture&, const Board&) = nullptr;
    /// Default board of the test by architecture, if the published tables are not of the architecture's default board.
    std::map<std::string, std::string> boards = {};  // NOLINT(readability-redundant-member-init)

    /// True if kernels access the memory of the host.
    bool uses_host_memory = false;
    /// Architecture that the test is for, as a root of architecture files; empty: all of the kind.
    std::string only_on = {};  // NOLINT(readability-redundant-member-init): may be omitted

    /// Returns the parameters with defaults and ranges of an architecture: the first NoC where it has no other one, its
    /// first virtual channel of multicasts, and its cores where it has fewer.
    [[nodiscard]] std::vector<ParameterDefinition> parameters_on(const Architecture& architecture) const;

    /// Returns what the test needs that an architecture of its kind does not have; empty if nothing.
    [[nodiscard]] std::string what_lacks_on(const Architecture& architecture) const;
    /// Returns why the test is not offered for an architecture of its kind: what it lacks, or that the default areas
    /// are larger than the compute grid. Empty if it is offered.
    [[nodiscard]] std::string reason_not_on(const Architecture& architecture) const;

    /// Returns the board to run on. `board` is the requested one, or empty.
    [[nodiscard]] std::string board_on(const std::string& arch, const std::string& board) const;

    /// Returns the sweep of an architecture, without NoCs that it does not have.
    [[nodiscard]] Sweep sweep_of(const Architecture& architecture, Tier tier) const;
    /// Returns the sweep of an architecture with the values of its file.
    [[nodiscard]] Sweep sweep_on(const std::string& arch, Tier tier) const;

    /// Throws InputError, naming the architectures of the test's kind, if `architecture` has another kind, or if it
    /// lacks something.
    void require_kind_of(const Architecture& architecture) const;

    /// Returns the bandwidth of the links, an upper limit for rows. Throws InputError like require_kind_of().
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

/// Measurement with its architecture, board and parameters.
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

/// Runs one point of a test, on a fresh device if the test has kernels. `settings` change fields of the architecture;
/// see load_architecture().
PointResult run_point(const TestDefinition& test, const std::string& arch, const std::string& board,
                      const std::map<std::string, std::string>& parameters, const std::vector<Setting>& settings = {},
                      const MachineWatcher& watcher = {});

}  // namespace nocbench
