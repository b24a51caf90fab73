// A device for a test, with kernels that are functions with captures, so that a test can hand data to a kernel and get
// answers back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "device_model/noc/network.h"
#include "device_model/sim/coordinate.h"
#include "device_model/tenstorrent/device.h"
#include "device_model/tenstorrent/grid.h"
#include "device_model/tenstorrent/transaction.h"
#include "kernels/tensix/program.h"

namespace nocbench::test {

/// Every modeled board: n150, n300, p100, p150.
std::vector<std::string> all_boards();

/// The architecture that has `board`, read once per process.
const Architecture& architecture_of(const std::string& board, const std::vector<Setting>& settings = {});

/// A core of a program: where a kernel runs and which NoC is its own.
struct Place {
    LogicalCoordinate core;
    int riscv = 0;
    int noc = 0;
};

class Machine {
public:
    explicit Machine(const std::string& board, const std::vector<Setting>& settings = {},
                     Cycle window_cycles_max = Network::kWindowCyclesMax);

    [[nodiscard]] Device& device() { return device_; }
    [[nodiscard]] const Device& device() const { return device_; }
    [[nodiscard]] Program& program() { return program_; }
    [[nodiscard]] const TorusArchitecture& architecture() const { return device_.architecture(); }
    [[nodiscard]] std::uint32_t flit_bytes() const;
    [[nodiscard]] std::uint32_t packet_bytes() const;

    /// What kernels call a core.
    [[nodiscard]] std::uint32_t x(LogicalCoordinate core) const;
    [[nodiscard]] std::uint32_t y(LogicalCoordinate core) const;

    /// All kernels of the device have to be added through here.
    void add_kernel(const Place& place, std::function<void()> body, const std::string& name = "kernel",
                    const std::vector<std::uint32_t>& compile_time_args = {});

    void run(Cycle cycles_max = kCyclesMax);

    /// Of the first kernel called `name`.
    [[nodiscard]] KernelResult result(const std::string& name = "kernel") const;

    /// Adds a kernel on riscv_0 of core (0, 0) and NoC 0, and runs the device.
    void run_kernel(std::function<void()> body);

    // Far beyond what any test needs, and soon reached by one that hangs.
    static constexpr Cycle kCyclesMax = 20'000'000;

private:
    std::vector<std::function<void()>> bodies_;  // by index of the RISC; outlive the device, whose kernels are them
    Device device_;
    Program program_;
};

/// The time in a zone, in cycles.
double cycles(const Zone& zone);

/// Bytes without a pattern in them, the same on every run and machine.
std::vector<std::byte> random_bytes(std::size_t size, std::uint32_t seed);

/// Where bytes are not as expected first, in words; empty if nowhere.
std::string first_difference(const std::vector<std::byte>& found, const std::vector<std::byte>& expected);

/// L1 for tests to use: as far above the firmware as all tests need.
inline constexpr std::uint32_t kBuffer = 0x40000;

}  // namespace nocbench::test
