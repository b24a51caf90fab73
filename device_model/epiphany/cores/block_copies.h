// Copies of blocks by Epiphany cores, simulated by the machine while the core is suspended: as many switches of stacks
// fewer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "device_model/epiphany/arch/constants.h"
#include "device_model/epiphany/cores/core_accesses.h"
#include "device_model/epiphany/cores/epiphany_cores.h"
#include "device_model/epiphany/cores/interrupts.h"
#include "device_model/epiphany/cores/undisturbed_copies.h"
#include "device_model/epiphany/memory/epiphany_addresses.h"

namespace nocbench {

class BlockCopies {
public:
    BlockCopies(const EpiphanyCoreConstants& constants, const EpiphanyCores& cores, const EpiphanyAddresses& addresses,
                EpiphanyInterrupts& interrupts, CoreAccesses& accesses, UndisturbedCopies& undisturbed,
                std::size_t num_nodes)
        : constants_(constants),
          cores_(cores),
          addresses_(addresses),
          interrupts_(interrupts),
          accesses_(accesses),
          undisturbed_(undisturbed),
          loops_(num_nodes) {}

    /// Copies `count` elements of `size` bytes as alternating loads and stores would.
    void copy(EpiphanyCore& core, std::string_view call, std::uint64_t destination, std::uint64_t source,
              std::uint32_t count, std::size_t size, CoreAccesses::ReadKind kind);
    /// Continues a core's copy until it needs events; the core must be resumed at its own time. True if there is none,
    /// or it is done.
    bool go_on(NodeIndex node) { return !loops_[node].core_stands_still || go_on_copying(node); }

private:
    /// A copy under way, and its progress.
    struct Loop {
        enum class Stage : std::uint8_t {
            begin_load,
            load,         // from own memory
            undisturbed,  // several elements, in one go
            await_value,  // from other memory
            stall_for_value,
            take_value,
            begin_store,
            store,  // to own memory
            await_room,
            stall_for_room,
            send,
            next
        };

        std::string_view call;
        std::uint32_t left = 0;      // remaining elements; 0: no copy
        std::uint32_t retry = 0;     // copied in one go when so many elements are left, or fewer
        std::uint32_t patience = 0;  // elements to simulate before trying again
        std::size_t size = 0;
        CoreAccesses::ReadKind kind = CoreAccesses::ReadKind::load;
        bool reads_elsewhere = false;
        bool core_stands_still = false;  // suspended until the copy ends
        Stage stage = Stage::begin_load;
        std::uint64_t source_address = 0;
        std::uint64_t destination_address = 0;
        EpiphanyPlace source;
        EpiphanyPlace destination;
        std::uint64_t value = 0;
    };

    static void advance(Loop& copy, std::uint32_t elements);
    bool go_on_copying(NodeIndex node);
    /// Makes a step of the copy, at the core's time. False if it has to wait.
    bool step(EpiphanyCore& core, Loop& copy);
    /// Begins to copy elements in one go, if possible.
    bool begins_undisturbed(EpiphanyCore& core, Loop& copy);
    void end_undisturbed(EpiphanyCore& core, Loop& copy);

    const EpiphanyCoreConstants& constants_;
    const EpiphanyCores& cores_;
    const EpiphanyAddresses& addresses_;
    EpiphanyInterrupts& interrupts_;
    CoreAccesses& accesses_;
    UndisturbedCopies& undisturbed_;
    std::vector<Loop> loops_;  // by node
};

}  // namespace nocbench
