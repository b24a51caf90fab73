// A device for tests, with kernels that are functions with captures, to pass data to a kernel and results back.
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

/// Returns all modeled boards: n150, n300, p100, p150.
std::vector<std::string> all_boards();

/// Returns the architecture that has `board`, read once per process.
const Architecture& architecture_of(const std::string& board, const std::vector<Setting>& settings = {});

/// Location of a kernel, and its NoC.
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

    /// Return the coordinates of a core in kernels.
    [[nodiscard]] std::uint32_t x(LogicalCoordinate core) const;
    [[nodiscard]] std::uint32_t y(LogicalCoordinate core) const;

    /// Adds a kernel. All kernels of the device must be added here.
    void add_kernel(const Place& place, std::function<void()> body, const std::string& name = "kernel",
                    const std::vector<std::uint32_t>& compile_time_args = {});

    void run(Cycle cycles_max = kCyclesMax);

    /// Returns the result of the first kernel called `name`.
    [[nodiscard]] KernelResult result(const std::string& name = "kernel") const;

    /// Adds a kernel on riscv_0 of core (0, 0) and NoC 0, and runs the device.
    void run_kernel(std::function<void()> body);

    // Far beyond any test's needs, and soon reached by one that hangs.
    static constexpr Cycle kCyclesMax = 20'000'000;

private:
    std::vector<std::function<void()>> bodies_;  // by index of the RISC; outlive the device, whose kernels call them
    Device device_;
    Program program_;
};

/// Returns the time in a zone, in cycles.
double cycles(const Zone& zone);

/// Returns pseudorandom bytes, the same on every run and machine.
std::vector<std::byte> random_bytes(std::size_t size, std::uint32_t seed);

/// Describes the first difference; empty if there is none.
std::string first_difference(const std::vector<std::byte>& found, const std::vector<std::byte>& expected);

/// L1 for tests, far enough above the firmware for all of them.
inline constexpr std::uint32_t kBuffer = 0x40000;

}  // namespace nocbench::test
