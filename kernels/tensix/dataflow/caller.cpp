#include "kernels/tensix/dataflow/caller.h"

#include <fmt/format.h>

#include "kernels/tensix/dataflow_api.h"

namespace nocbench::dataflow {

Caller::Caller(const char* call_)
    : risc(Risc::current()), context(*static_cast<KernelContext*>(risc.context())), state(risc.state()), call(call_) {}

int Caller::noc(std::uint8_t noc) const {
    if (noc == kNocOfKernel) {
        return context.noc;
    }
    const int nocs = state.architecture.num_nocs();
    if (noc >= nocs) {
        fail(fmt::format("expected NoC 0{}, found {}", nocs == 1 ? ", the only one" : " or 1", noc));
    }
    return noc;
}

std::uint8_t Caller::multicast_channel(std::uint8_t vc) const {
    return vc == NOC_MULTICAST_WRITE_VC
               ? static_cast<std::uint8_t>(state.architecture.router.first_broadcast_virtual_channel)
               : vc;
}

void Caller::show(std::string_view event, int noc, std::uint64_t noc_address, std::uint32_t bytes,
                  std::uint8_t virtual_channel, bool posted) const {
    if (state.observers.called) {
        state.observers.called({risc.identity().index, event, static_cast<std::uint8_t>(noc), virtual_channel, posted,
                                bytes, noc_address, risc.now()});
    }
}

void Caller::fail(const std::string& message) const {
    throw KernelError(fmt::format("{}: {}: {}", risc.name(), call, message));
}

void Caller::require_no_owner(int noc) const {
    if (state.architecture.niu.has_registers_per_risc != 0) {
        return;
    }
    for (const int index : state.riscs_of_node(risc.identity().node)) {
        if (index < 0) {
            continue;
        }
        const Risc& other = *state.riscs[static_cast<std::size_t>(index)];
        const auto* const its_context = static_cast<const KernelContext*>(other.context());
        if (&other != &risc && its_context != nullptr && its_context->noc == noc) {
            fail(fmt::format("expected a NoC that no other RISC of the tile uses, found NoC {}, which {} has", noc,
                             other.name()));
        }
    }
}

void Caller::check_l1(const char* what, std::uint64_t address, std::uint64_t size) const {
    const L1Constants& l1 = state.architecture.l1;
    const std::uint64_t begin = semaphore_address(state.architecture, 0);
    const auto end = static_cast<std::uint64_t>(l1.size_bytes);
    if (address < begin || address > end || size > end - address) {
        fail(fmt::format("{}: expected a range within 0x{:x} to 0x{:x} of L1, found 0x{:x} to 0x{:x}", what, begin, end,
                         address, address + size));
    }
}

void Caller::check_alignment(const char* what, std::uint64_t address, std::int64_t alignment) const {
    if (address % static_cast<std::uint64_t>(alignment) != 0) {
        fail(fmt::format("{}: expected a multiple of {}, found 0x{:x}", what, alignment, address));
    }
}

}  // namespace nocbench::dataflow
