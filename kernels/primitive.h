// What a primitive is made of: tests with sweeps and parameters, and a function that runs one point. A primitive
// defines its tests in its folder and registers them; everything else (gtest, the command line, plots) finds them here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/device.h"
#include "kernels/program.h"

namespace nocbench {

/// A parameter of a test, beyond the two axes of every sweep, with the value it has unless the user sets another.
struct ParameterDefinition {
    std::string name;
    std::string default_value;
    std::string meaning;
};

/// The values of the two axes; a sweep is their product.
struct Sweep {
    std::vector<std::int64_t> num_transactions;
    std::vector<std::int64_t> call_size_bytes;
};

enum class Tier : std::uint8_t { quick, full };

/// The sweep of the published tests: 1 to 256 transactions of a flit to 64 KiB per call, in powers of 4 and 2.
Sweep packet_size_sweep(const Architecture& architecture, Tier tier);

/// One point of a test on a device, while it runs: its parameters, read and checked, and the data that it moves.
class Point {
public:
    /// `values` holds num_transactions, call_size and any parameters of the test. Throws InputError for what does not
    /// exist.
    Point(Device& device, const std::vector<ParameterDefinition>& parameters,
          const std::map<std::string, std::string>& values);

    [[nodiscard]] Device& device() const { return device_; }
    [[nodiscard]] std::uint32_t num_transactions() const { return num_transactions_; }
    [[nodiscard]] std::uint32_t call_size_bytes() const { return call_size_bytes_; }

    /// call_size_bytes(), rounded up to the alignment of the memories: how far apart buffers are.
    [[nodiscard]] std::uint32_t buffer_bytes() const;

    /// The parameter `name` as a number within [minimum, maximum]. Throws InputError that names it otherwise.
    [[nodiscard]] std::uint32_t number(const std::string& name, std::uint32_t minimum, std::uint32_t maximum) const;
    /// The parameter `name` as a core, written "x,y".
    [[nodiscard]] LogicalCoordinate core(const std::string& name) const;

    /// Parameters that differ from their defaults, "name=value" joined by ";", in the order of the test's definition.
    [[nodiscard]] std::string changed_parameters() const;

    /// `size` bytes that differ from point to point and from buffer to buffer, but not from run to run.
    [[nodiscard]] std::vector<std::byte> pattern(std::size_t size, std::uint32_t buffer) const;

    /// Throws InputError unless `bytes` from `address` on fit into L1.
    void require_l1(std::uint64_t address, std::uint64_t bytes) const;

private:
    [[nodiscard]] const std::string& value(const std::string& name) const;

    Device& device_;
    const std::vector<ParameterDefinition>& parameters_;
    std::map<std::string, std::string> values_;
    std::uint32_t num_transactions_ = 0;
    std::uint32_t call_size_bytes_ = 0;
};

/// Where the published tests put their L1 buffers.
inline constexpr std::uint32_t kL1BufferAddress = 0x40000;

/// What a primitive says about one kind of kernel of a point that has run: a result row is made from it.
struct KernelReport {
    std::string label;   // the row's column `kernel`: Sender, Receiver
    std::string kernel;  // the name it was added to the program under
    std::string zone;    // the timed zone
    int riscv = 0;
    int noc = 0;
    std::uint64_t transaction_size_bytes = 0;
    bool data_ok = false;
};

struct TestDefinition {
    int id = 0;
    std::string name;  // as published
    std::string primitive;
    std::string description;
    std::vector<std::string> kernels;  // labels of the result rows of a point
    std::vector<ParameterDefinition> parameters;
    Sweep (*sweep)(const Architecture&, Tier) = nullptr;
    std::vector<KernelReport> (*run)(const Point&) = nullptr;
};

/// All tests of all primitives, by id.
std::span<const TestDefinition> all_tests();

/// The test with this name. Throws InputError if there is none.
const TestDefinition& find_test(std::string_view name);

/// Registers the tests of a primitive: `const RegisterTests registration{{...}};` in its definition.cpp.
class RegisterTests {
public:
    explicit RegisterTests(std::vector<TestDefinition> tests);
};

/// One core's part in a result.
struct CoreResult {
    std::string kernel;  // label
    Risc::Identity identity;
    int noc = 0;
    Tick latency = 0;
    Ledger ledger;
};

/// The measured part of a result row; see docs/results.md for the columns.
struct ResultRow {
    std::string kernel;
    std::uint64_t transaction_size_bytes = 0;
    double latency_cycles = 0;  // median over cores
    double bandwidth_bytes_per_cycle = 0;
    int noc = 0;
    int riscv = 0;
    std::size_t num_cores = 0;
    bool data_ok = false;
    Cause limiter = Cause::issue;  // of the median core, the lower of two
};

struct PointResult {
    std::string arch;
    std::string board;
    std::int64_t clock_hz = 0;
    std::uint32_t num_transactions = 0;
    std::uint32_t call_size_bytes = 0;
    std::string params;
    std::vector<ResultRow> rows;
    std::vector<CoreResult> cores;
    std::vector<LinkUse> links;
    std::uint64_t flit_hops = 0;
};

/// Runs one point of a test on a fresh device. `settings` change fields of the architecture; see load_architecture.
PointResult run_point(const TestDefinition& test, const std::string& arch, const std::string& board,
                      const std::map<std::string, std::string>& parameters, const std::vector<Setting>& settings = {});

}  // namespace nocbench
