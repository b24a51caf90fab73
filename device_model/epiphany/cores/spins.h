// Epiphany cores that spin on a word of their own memory: they stall instead, until a write makes the word what they
// wait for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "device_model/epiphany/arch/constants.h"
#include "device_model/epiphany/cores/epiphany_cores.h"
#include "device_model/epiphany/cores/interrupts.h"
#include "device_model/epiphany/epiphany_core.h"
#include "device_model/epiphany/memory/epiphany_addresses.h"
#include "device_model/epiphany/memory/epiphany_memory.h"

namespace nocbench {

class EpiphanySpins {
public:
    EpiphanySpins(const EpiphanyCoreConstants& constants, const EpiphanyCores& cores,
                  const EpiphanyAddresses& addresses, const EpiphanyMemory& memory, EpiphanyInterrupts& interrupts,
                  std::size_t num_nodes)
        : constants_(constants),
          cores_(cores),
          addresses_(addresses),
          memory_(memory),
          interrupts_(interrupts),
          loops_(num_nodes) {}

    /// Spins until `is_met(value)`, one iteration every `period`. Returns the value.
    std::uint32_t spin(EpiphanyCore& core, std::string_view call, std::uint64_t address, Tick period,
                       const std::function<bool(std::uint32_t)>& is_met,
                       std::string_view waiting_for = "another core to write there");
    /// True if the core there spins on one of these bytes.
    [[nodiscard]] bool watches(const EpiphanyPlace& place, std::size_t bytes) const;
    /// Notes that the memory at `node` changed at `tick`.
    void notify(NodeIndex node, Tick tick);

private:
    struct Loop {
        const std::function<bool(std::uint32_t)>* is_met = nullptr;  // null: no loop
        EpiphanyPlace place;
        Tick since = 0;
        Tick period = 0;
    };

    [[nodiscard]] std::uint32_t word(const EpiphanyPlace& place) const {
        return static_cast<std::uint32_t>(memory_.read_word(place, sizeof(std::uint32_t)));
    }

    const EpiphanyCoreConstants& constants_;
    const EpiphanyCores& cores_;
    const EpiphanyAddresses& addresses_;
    const EpiphanyMemory& memory_;
    EpiphanyInterrupts& interrupts_;
    std::vector<Loop> loops_;  // by node
};

}  // namespace nocbench
