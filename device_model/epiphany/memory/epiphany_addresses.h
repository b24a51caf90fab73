// The address space of an Epiphany machine: what each core's addresses refer to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "device_model/epiphany/arch/constants.h"
#include "device_model/epiphany/cores/epiphany_cores.h"
#include "device_model/epiphany/epiphany_host.h"
#include "device_model/epiphany/epiphany_shape.h"
#include "device_model/sim/ids.h"

namespace nocbench {

/// Location in the memory or the registers of a core, or in external memory.
struct EpiphanyPlace {
    bool is_external = false;
    NodeIndex node = 0;
    std::uint64_t offset = 0;

    [[nodiscard]] bool is_of(NodeIndex core) const { return !is_external && node == core; }
    [[nodiscard]] bool is_register() const { return !is_external && offset >= kRegisterOffset; }
};

class EpiphanyAddresses {
public:
    /// `edge_node`: the node behind which external memory is.
    EpiphanyAddresses(const EpiphanyConstants& constants, const EpiphanyShape& shape, const EpiphanyCores& cores,
                      NodeIndex edge_node)
        : constants_(constants), shape_(shape), cores_(cores), edge_node_(edge_node) {}

    // Return the location of an access by the core at `node`. Throw KernelError that names kernel and `call`, the
    // function of the kernel API, if it is not allowed. Sizes are 1, 2, 4 or 8 bytes.

    [[nodiscard]] EpiphanyPlace place_of(NodeIndex node, std::uint64_t address, std::size_t size,
                                         std::string_view call) const;
    [[nodiscard]] EpiphanyPlace writable_place_of(NodeIndex node, std::uint64_t address, std::size_t size,
                                                  std::string_view call) const;

    /// Returns the location in a core's memory of a core's access to any number of bytes. Throws KernelError if they
    /// are not there.
    [[nodiscard]] EpiphanyPlace core_memory_at(NodeIndex node, std::uint64_t address, std::size_t bytes) const;

    /// Returns the location of an access from outside. Throws InputError if the memory has no such bytes.
    [[nodiscard]] EpiphanyPlace place_of(const HostTarget& target, std::size_t bytes) const;

private:
    const EpiphanyConstants& constants_;
    const EpiphanyShape& shape_;
    const EpiphanyCores& cores_;
    NodeIndex edge_node_;
};

}  // namespace nocbench
