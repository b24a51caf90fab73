#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace nocbench {

/// Kind of machine. It decides which constants a file has, and which tests there are.
enum class ArchitectureKind : std::uint8_t {
    tensix_torus,     // Tensix tiles and DRAM on two torus NoCs
    epiphany_mesh,    // Epiphany cores on a mesh of three planes, and an off-chip link
    wishbone_bridge,  // a host, a bridge, and an FPGA with a Wishbone bus
    plain_mesh,       // a mesh of routers, with sources and receivers of packets
};

std::span<const ArchitectureKind> architecture_kinds();

/// A kind as files name it.
std::string_view to_string(ArchitectureKind kind);

}  // namespace nocbench
