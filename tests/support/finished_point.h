// Points of a primitive's tests, run with their device kept.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device_model/tenstorrent/grid.h"
#include "device_model/tenstorrent/transaction.h"
#include "kernels/frame/primitive.h"

namespace nocbench::test {

/// Parameters of a test by name.
using Parameters = std::map<std::string, std::string>;

/// Names of the architectures of a kind. Files are read once in a process: gtest makes up the values of all tests in
/// each.
std::vector<std::string> architectures_of(ArchitectureKind kind);

/// Every choice of one value for each name.
std::vector<Parameters> combinations(const std::vector<std::pair<std::string, std::vector<std::string>>>& values);

struct SweepPoint {
    std::string architecture;
    std::uint32_t num_transactions = 0;
    std::uint32_t call_size_bytes = 0;
};

/// `parameters` with the two axes, as run_point takes them.
Parameters with_axes(const SweepPoint& point, Parameters parameters = {});

/// For the messages of failing tests.
void PrintTo(const SweepPoint& point, std::ostream* stream);

/// The points of the quick tier, on every architecture.
std::vector<SweepPoint> quick_points_of(const std::string& test);

/// The same and the corners of the full tier.
std::vector<SweepPoint> points_of(const std::string& test);

/// "wormhole_b0_16_of_2048"
std::string name_of(const testing::TestParamInfo<SweepPoint>& info);

class FinishedPoint {
public:
    /// Runs the point; `before` has the device as it is before the primitive sets it up.
    FinishedPoint(const std::string& test, const SweepPoint& sweep_point, const Parameters& parameters = {},
                  const std::function<void(Device&)>& before = {});

    [[nodiscard]] Device& device() { return *device_; }
    [[nodiscard]] const std::vector<KernelReport>& reports() const { return reports_; }
    /// The bytes that the primitive put into the buffer of a core, or of a bank of DRAM, that it moves from.
    [[nodiscard]] std::vector<std::byte> sent(LogicalCoordinate core) const;
    [[nodiscard]] std::vector<std::byte> sent_from_dram(std::uint32_t bank, int noc) const;

    [[nodiscard]] const KernelReport& report(const std::string& label) const;
    /// What the data checks found, of all kernels; empty if nothing.
    [[nodiscard]] std::string data_faults() const;

    /// The timed zone of each core that runs the kernel, in the order in which they were added.
    [[nodiscard]] std::vector<Zone> timed_zones(const std::string& label) const;

    // Of kernels that run on one core.
    [[nodiscard]] Zone timed_zone(const std::string& label) const { return timed_zones(label).at(0); }
    [[nodiscard]] double latency_cycles(const std::string& label) const;
    [[nodiscard]] Cause limiter(const std::string& label) const { return timed_zone(label).ledger.limiter(); }

    /// Packets, and flits with their headers, that one core sends or receives in all transactions of the point.
    [[nodiscard]] std::uint64_t packets(const std::string& label) const;
    [[nodiscard]] std::uint64_t flits(const std::string& label) const;

private:
    /// Calls of a core in all transactions.
    [[nodiscard]] std::uint64_t calls(const std::string& label) const;

    SweepPoint sweep_point_;
    std::unique_ptr<Device> device_;
    std::unique_ptr<Point> point_;
    std::vector<KernelReport> reports_;
    std::vector<KernelResult> results_;
};

/// Runs the point and returns what the user is told about its parameters.
std::string told_about(const std::string& test, const Parameters& parameters,
                       const SweepPoint& sweep_point = {"wormhole_b0", 4, 2048});

/// Adds a kernel on a RISC that the primitive leaves alone: it stores a word into the L1 of its core, right at the
/// start or when everything else is over. Data checks have to notice.
class Saboteur {
public:
    enum class When : std::uint8_t { at_once, in_the_end };

    Saboteur(Device& device, LogicalCoordinate core, int riscv, int noc, std::uint32_t address, When when);

private:
    Program program_;
};

/// Bytes of L1 around a buffer that nothing may change.
class Surroundings {
public:
    Surroundings(Device& device, LogicalCoordinate core, std::uint64_t begin, std::uint64_t end);
    void expect_untouched(const Device& device) const;

private:
    static constexpr std::uint64_t kMargin = 256;

    struct Margin {
        std::uint64_t address = 0;
        std::vector<std::byte> bytes;
    };
    LogicalCoordinate core_;
    std::vector<Margin> margins_;
};

}  // namespace nocbench::test
