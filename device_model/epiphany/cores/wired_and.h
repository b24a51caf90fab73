// Barrier of all Epiphany cores by a wired-AND signal, which interrupts them when all have set it.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "device_model/epiphany/arch/constants.h"
#include "device_model/epiphany/cores/epiphany_cores.h"
#include "device_model/epiphany/cores/interrupts.h"
#include "device_model/epiphany/epiphany_core.h"

namespace nocbench {

class WiredAnd {
public:
    WiredAnd(const EpiphanyCoreConstants& constants, const EpiphanyCores& cores, EpiphanyInterrupts& interrupts,
             std::size_t num_nodes)
        : constants_(constants), cores_(cores), interrupts_(interrupts), is_set_(num_nodes) {}

    /// Signals arrival, and waits for the interrupt that ends the barrier.
    void wait(EpiphanyCore& core, std::string_view call);
    /// Releases the cores that wait, after the barrier's completion time.
    void release(EpiphanyCore& core);

private:
    const EpiphanyCoreConstants& constants_;
    const EpiphanyCores& cores_;
    EpiphanyInterrupts& interrupts_;
    std::vector<bool> is_set_;  // by node
};

}  // namespace nocbench
