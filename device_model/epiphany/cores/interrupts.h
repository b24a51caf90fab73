// User interrupts of Epiphany cores. A handler is called between two actions of its core; without one, only idle()
// takes interrupts.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "device_model/epiphany/arch/constants.h"
#include "device_model/epiphany/cores/epiphany_cores.h"
#include "device_model/epiphany/epiphany_core.h"
#include "device_model/epiphany/memory/epiphany_memory.h"

namespace nocbench {

class EpiphanyInterrupts {
public:
    EpiphanyInterrupts(const EpiphanyCoreConstants& constants, const EpiphanyCores& cores, const EpiphanyMemory& memory,
                       std::size_t num_nodes)
        : constants_(constants), cores_(cores), memory_(memory), nodes_(num_nodes) {}

    /// Sets the handler, called after the current instruction, access or copy. Empty: none.
    void set_handler(const EpiphanyCore& core, std::function<void()> handler);
    [[nodiscard]] bool has_handler(const EpiphanyCore& core) const;
    /// True if the core has to take an interrupt.
    [[nodiscard]] bool is_due(const EpiphanyCore& core) const;
    /// Calls the handler between two actions of the core if an interrupt is pending.
    void take(EpiphanyCore& core);
    /// Requests an interrupt of the core at `node`.
    void request(NodeIndex node, Tick tick);

    /// Waits until an interrupt is pending, then for the time to take it.
    void idle(EpiphanyCore& core, std::string_view call);
    /// Spends computing time, taking interrupts meanwhile.
    void compute(EpiphanyCore& core, Tick ticks);

    /// Sleeps for `ticks`, taking interrupts meanwhile. False if wake() ended that.
    bool sleep(EpiphanyCore& core, Tick ticks);
    /// Stalls a core that polls every `period` until wake(), then until its next poll. Takes interrupts meanwhile.
    void skip_polls(EpiphanyCore& core, const Stall& stall, Tick period);
    /// Ends a core's sleep, or its skipping of polls.
    void wake(NodeIndex node, Tick tick);

    /// Stalls a core until go_on(). False if an interrupt came first, for the core to take.
    [[nodiscard]] bool stall(EpiphanyCore& core, const Stall& stall);
    /// True if the core is in stall() and no interrupt has ended that.
    [[nodiscard]] bool stalls(NodeIndex node) const { return nodes_[node].stalls; }
    void go_on(NodeIndex node, Tick tick);

private:
    struct Node {
        std::function<void()> handler;
        bool is_pending = false;
        bool is_in_handler = false;
        bool stalls = false;           // at the latest until an interrupt
        bool was_interrupted = false;  // during such a stall
        bool computes = false;         // until its own time, or an interrupt
        bool is_idle = false;
        bool sleeps = false;
        bool was_woken = false;  // from sleeping, or skipping polls
        Tick polls_since = 0;
        Tick poll_period = 0;  // of skipped polls; 0: none
    };

    /// Lets time pass, taking interrupts meanwhile, unless wake() ends a sleep.
    void pass(EpiphanyCore& core, Tick ticks);

    const EpiphanyCoreConstants& constants_;
    const EpiphanyCores& cores_;
    const EpiphanyMemory& memory_;
    std::vector<Node> nodes_;
};

}  // namespace nocbench
