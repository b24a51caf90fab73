// Points of a primitive's tests, run with their device kept, and what holds for every one of them.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/primitive.h"

namespace nocbench::test {

struct SweepPoint {
    std::string architecture;
    std::uint32_t num_transactions = 0;
    std::uint32_t call_size_bytes = 0;
};

/// For the messages of failing tests.
void PrintTo(const SweepPoint& point, std::ostream* stream);

/// The points of the quick tier and the corners of the full one, on every architecture.
std::vector<SweepPoint> points_of(const std::string& test);

/// "wormhole_b0_16_of_2048"
std::string name_of(const testing::TestParamInfo<SweepPoint>& info);

class FinishedPoint {
public:
    using Parameters = std::map<std::string, std::string>;

    /// Runs the point; `before` has the device as it is before the primitive sets it up.
    FinishedPoint(const std::string& test, const SweepPoint& sweep_point, const Parameters& parameters = {},
                  const std::function<void(Device&)>& before = {});

    [[nodiscard]] Device& device() { return *device_; }
    [[nodiscard]] const std::vector<KernelReport>& reports() const { return reports_; }
    /// The bytes that the primitive put into the buffer it moves from.
    [[nodiscard]] std::vector<std::byte> sent() const;

    [[nodiscard]] const KernelReport& report(const std::string& label) const;
    [[nodiscard]] const Zone& timed_zone(const std::string& label) const;
    [[nodiscard]] double latency_cycles(const std::string& label) const;
    [[nodiscard]] Cause limiter(const std::string& label) const { return timed_zone(label).ledger.limiter(); }

    /// Packets, and flits with their headers, of all transactions of the point.
    [[nodiscard]] std::uint64_t packets() const;
    [[nodiscard]] std::uint64_t flits() const;

private:
    SweepPoint sweep_point_;
    std::unique_ptr<Device> device_;
    std::unique_ptr<Point> point_;
    std::vector<KernelReport> reports_;
    std::vector<KernelResult> results_;
};

/// Data checks passed, every tick booked, and the same row as run_point gives.
void expect_sound(const std::string& test, const SweepPoint& sweep_point, FinishedPoint& point);

/// No link brings a flit in less than a cycle, no hop and no call takes less than it does.
void expect_not_faster_than_physics(const FinishedPoint& point, const std::string& label,
                                    const Architecture& architecture, int ring_hops, Tick call_ticks);

/// More transactions take longer.
void expect_latency_grows_with_transactions(const std::string& test, const std::string& architecture);

/// Runs the point and returns what the user is told about its parameters.
std::string told_about(const std::string& test, const FinishedPoint::Parameters& parameters,
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
