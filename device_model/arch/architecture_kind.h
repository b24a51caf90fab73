#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace nocbench {

/// Kind of machine. It determines the constants of a file, and the available tests.
enum class ArchitectureKind : std::uint8_t {
    tensix_torus,     // Tensix tiles and DRAM on two torus NoCs
    epiphany_mesh,    // Epiphany cores on a mesh of three planes, and an off-chip link
    wishbone_bridge,  // a host, a bridge, and an FPGA with a Wishbone bus
    plain_mesh,       // a mesh of routers, with sources and receivers of packets
};

std::span<const ArchitectureKind> architecture_kinds();

/// Returns the name of a kind in files.
std::string_view to_string(ArchitectureKind kind);

}  // namespace nocbench
