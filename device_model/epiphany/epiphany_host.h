// The host of an Epiphany board: a processor that acts on the machine from outside, through its uncached window.
//
// Every access goes out by itself and nothing else uses the way: a transfer takes the number of its accesses times the
// time of one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device_model/sim/coordinate.h"
#include "device_model/sim/processor.h"

namespace nocbench {

class EpiphanyState;

/// A place in the memory of a core, or in external memory.
struct HostTarget {
    std::optional<LogicalCoordinate> core;  // none: external memory
    std::uint64_t offset = 0;
};

class EpiphanyHost final : public Processor {
public:
    /// `index`, of the processors, is given by the simulation.
    EpiphanyHost(EpiphanyState& state, Simulation& simulation, const std::string& name,
                 std::function<void(EpiphanyHost&)> kernel, Tick start);
    ~EpiphanyHost() override;
    EpiphanyHost(const EpiphanyHost&) = delete;
    EpiphanyHost& operator=(const EpiphanyHost&) = delete;

    /// Writes bytes, `times` times one after the other. Throws InputError if they are not within the memory.
    void write(const HostTarget& target, std::span<const std::byte> bytes, std::uint32_t times = 1);
    /// Reads bytes in the same way.
    [[nodiscard]] std::vector<std::byte> read(const HostTarget& target, std::size_t size, std::uint32_t times = 1);

    [[nodiscard]] std::string waiting_description() const override;

private:
    void transfer(const HostTarget& target, bool reads, std::size_t size, std::uint32_t times);

    EpiphanyState& state_;
};

}  // namespace nocbench
