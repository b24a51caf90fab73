// Device for tests whose kernels are functions with captures, which pass data to a kernel and return results.
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

/// Returns the architecture of `board`, read once per process.
const Architecture& architecture_of(const std::string& board, const std::vector<Setting>& settings = {});

/// Core, RISC and NoC of a kernel.
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

    /// Return the coordinates of a core as used in kernels.
    [[nodiscard]] std::uint32_t x(LogicalCoordinate core) const;
    [[nodiscard]] std::uint32_t y(LogicalCoordinate core) const;

    /// Adds a kernel. All kernels of the device must be added by this function.
    void add_kernel(const Place& place, std::function<void()> body, const std::string& name = "kernel",
                    const std::vector<std::uint32_t>& compile_time_args = {});

    void run(Cycle cycles_max = kCyclesMax);

    [[nodiscard]] KernelResult result(const std::string& name = "kernel") const;

    /// Adds a kernel on riscv_0 of core (0, 0) and NoC 0, and runs the device.
    void run_kernel(std::function<void()> body);

    // Limit for tests that hang; other tests need far less.
    static constexpr Cycle kCyclesMax = 20'000'000;

private:
    std::vector<std::function<void()>> bodies_;  // by index of the RISC; outlive the device, whose kernels call them
    Device device_;
    Program program_;
};

/// Returns a word of a core's L1.
std::uint32_t word_at(const Machine& machine, LogicalCoordinate core, std::uint32_t address);

/// Returns the duration of a zone in cycles.
double cycles(const Zone& zone);

/// Returns pseudorandom bytes, equal in every run and on every machine.
std::vector<std::byte> random_bytes(std::size_t size, std::uint32_t seed);

/// Describes the first difference; returns an empty string for equal bytes.
std::string first_difference(const std::vector<std::byte>& found, const std::vector<std::byte>& expected);

/// L1 address for tests, above the firmware's memory.
inline constexpr std::uint32_t kBuffer = 0x40000;

}  // namespace nocbench::test
