// Host of an Epiphany board: a processor outside the machine that accesses it through an uncached window.
//
// Accesses are made one at a time, without contention: a transfer takes the number of its accesses times the time of
// one.
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

/// Location in the memory of a core, or in external memory.
struct HostTarget {
    std::optional<LogicalCoordinate> core;  // none: external memory
    std::uint64_t offset = 0;
};

class EpiphanyHost final : public Processor {
public:
    /// Takes its `index` among the processors from the simulation.
    EpiphanyHost(EpiphanyState& state, Simulation& simulation, const std::string& name,
                 std::function<void(EpiphanyHost&)> kernel, Tick start);
    ~EpiphanyHost() override;
    EpiphanyHost(const EpiphanyHost&) = delete;
    EpiphanyHost& operator=(const EpiphanyHost&) = delete;

    /// Writes bytes `times` times in a row. Throws InputError if they exceed the memory.
    void write(const HostTarget& target, std::span<const std::byte> bytes, std::uint32_t times = 1);
    /// Reads bytes `times` times in a row, with the same errors.
    [[nodiscard]] std::vector<std::byte> read(const HostTarget& target, std::size_t size, std::uint32_t times = 1);

    [[nodiscard]] std::string waiting_description() const override;

private:
    void transfer(const HostTarget& target, bool reads, std::size_t size, std::uint32_t times);

    EpiphanyState& state_;
};

}  // namespace nocbench
