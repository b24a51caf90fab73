// Modeled Epiphany chip for tests, whose kernels are functions with captures.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "device_model/arch/setting.h"
#include "device_model/epiphany/epiphany_device.h"
#include "kernels/epiphany/epiphany_api.h"
#include "kernels/frame/epiphany/measurement.h"

namespace nocbench::test {

inline constexpr const char* kEpiphany = "epiphany_iii";

/// Returns the architecture with `settings` on `board`; an empty name stands for the default board.
const Architecture& epiphany(const std::vector<Setting>& settings = {}, const std::string& board = "");

class EpiphanyMachine {
public:
    explicit EpiphanyMachine(const std::vector<Setting>& settings = {}, const std::string& board = "");

    [[nodiscard]] EpiphanyDevice& device() { return device_; }

    void add_kernel(LogicalCoordinate core, std::function<void()> kernel, const std::string& name = "kernel") {
        device_.add_kernel(core, name, std::move(kernel));
    }
    void add_kernel_everywhere(const std::function<void(int core)>& kernel) {
        for (int core = 0; core < device_.num_cores(); ++core) {
            device_.add_kernel(device_.core_at(core), "kernel", [kernel, core] { kernel(core); });
        }
    }
    void run(Cycle cycles_max = kDefaultCyclesMax) { device_.run(cycles_max); }

    [[nodiscard]] std::vector<std::byte> bytes(LogicalCoordinate core, std::uint32_t offset, std::size_t size) const {
        return device_.read_memory(core, offset, size);
    }

private:
    EpiphanyDevice device_;
};

/// Returns `size` nonzero bytes; adjacent bytes differ.
inline std::vector<std::byte> distinct_bytes(std::size_t size, unsigned seed = 1) {
    std::vector<std::byte> bytes(size);
    for (std::size_t index = 0; index < size; ++index) {
        bytes[index] = static_cast<std::byte>((index * 7 + std::size_t{seed} * 31) % 255 + 1);
    }
    return bytes;
}

}  // namespace nocbench::test
