// Completed points of a primitive's tests, with their devices.
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

using Parameters = std::map<std::string, std::string>;

/// Returns the names of the architectures of a kind. Files are read once per process, since gtest creates the values of
/// all tests in each process.
std::vector<std::string> architectures_of(ArchitectureKind kind);

/// Returns whether a test is offered for an architecture of its kind.
bool is_offered(const std::string& test, const std::string& architecture);

/// Returns all combinations of one value for each name.
std::vector<Parameters> combinations(const std::vector<std::pair<std::string, std::vector<std::string>>>& values);

struct SweepPoint {
    std::string architecture;
    std::uint32_t num_transactions = 0;
    std::uint32_t call_size_bytes = 0;
};

/// Returns `parameters` with the two axes, as run_point takes them.
Parameters with_axes(const SweepPoint& point, Parameters parameters = {});

/// Prints a point in failure messages.
void PrintTo(const SweepPoint& point, std::ostream* stream);

/// Returns the points of the quick tier, on every architecture.
std::vector<SweepPoint> quick_points_of(const std::string& test);

/// Returns the points of the quick tier and the corners of the full tier.
std::vector<SweepPoint> points_of(const std::string& test);

/// Returns a name such as "wormhole_b0_16_of_2048".
std::string name_of(const testing::TestParamInfo<SweepPoint>& info);

class FinishedPoint {
public:
    /// Runs the point; `before` receives the device before the primitive sets it up.
    FinishedPoint(const std::string& test, const SweepPoint& sweep_point, const Parameters& parameters = {},
                  const std::function<void(Device&)>& before = {});

    [[nodiscard]] Device& device() { return *device_; }
    [[nodiscard]] const std::vector<KernelReport>& reports() const { return reports_; }
    /// Return the initial contents of the primitive's source buffer on a core, or in a DRAM bank.
    [[nodiscard]] std::vector<std::byte> sent(LogicalCoordinate core) const;
    [[nodiscard]] std::vector<std::byte> sent_from_dram(std::uint32_t bank, int noc) const;

    [[nodiscard]] const KernelReport& report(const std::string& label) const;
    /// Returns the faults found by the data checks of all kernels; otherwise an empty string.
    [[nodiscard]] std::string data_faults() const;

    /// Returns the timed zones of the cores that run the kernel, in the order of adding.
    [[nodiscard]] std::vector<Zone> timed_zones(const std::string& label) const;

    // Functions for kernels on one core.
    [[nodiscard]] Zone timed_zone(const std::string& label) const { return timed_zones(label).at(0); }
    [[nodiscard]] double latency_cycles(const std::string& label) const;
    [[nodiscard]] Cause limiter(const std::string& label) const { return timed_zone(label).ledger.limiter(); }

    /// Return the packets, and flits including headers, that one core sends or receives in the whole point.
    [[nodiscard]] std::uint64_t packets(const std::string& label) const;
    [[nodiscard]] std::uint64_t flits(const std::string& label) const;

private:
    /// Returns the calls of a core in the whole point.
    [[nodiscard]] std::uint64_t calls(const std::string& label) const;

    SweepPoint sweep_point_;
    std::unique_ptr<Device> device_;
    std::vector<ParameterDefinition> definitions_;  // of point_
    std::unique_ptr<Point> point_;
    std::vector<KernelReport> reports_;
    std::vector<KernelResult> results_;
};

/// Returns the error message for the parameters of a point.
std::string told_about(const std::string& test, const Parameters& parameters,
                       const SweepPoint& sweep_point = {"wormhole_b0", 4, 2048});

/// Additional kernel on a RISC unused by the primitive. It stores a word into its core's L1, either first or after all
/// other activity, which data checks must detect.
class Saboteur {
public:
    enum class When : std::uint8_t { at_once, in_the_end };

    Saboteur(Device& device, LogicalCoordinate core, int riscv, int noc, std::uint32_t address, When when);

private:
    Program program_;
};

/// Bytes of L1 around a buffer, which must not change.
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
