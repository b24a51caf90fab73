// A transaction on the mesh of an Epiphany machine.
#pragma once

#include <cstdint>

#include "device_model/epiphany/memory/epiphany_addresses.h"
#include "device_model/epiphany/mesh/mesh_plane.h"
#include "device_model/sim/ids.h"

namespace nocbench {

struct MeshTransaction {
    enum class Kind : std::uint8_t { write, read, testset } kind = Kind::write;
    bool is_dma = false;
    bool is_reply = false;
    std::uint8_t channel = 0;
    std::uint8_t size = 0;
    NodeIndex requester = 0;
    EpiphanyPlace reply_to;  // of a read: destination of the data
    EpiphanyPlace target;
    std::uint64_t data = 0;
    std::uint64_t writes_before = 0;  // of a read: writes of its requester to the same memory

    /// Returns the plane on which it goes to its target.
    [[nodiscard]] Plane plane() const {
        return kind != Kind::write ? Plane::read_request
                                   : (target.is_external ? Plane::off_chip_write : Plane::on_chip_write);
    }
};

}  // namespace nocbench
