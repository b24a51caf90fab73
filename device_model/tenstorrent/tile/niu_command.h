// Commands to a network interface (NIU) from either source: the kernel API of native kernels, or the registers that
// compiled kernels write. The only definition of their rules and effects.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "device_model/noc/packet.h"
#include "device_model/sim/coordinate.h"
#include "device_model/sim/ids.h"
#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/endpoints/memory_endpoint.h"
#include "device_model/tenstorrent/transaction.h"

namespace nocbench {

class Risc;
struct DeviceState;

// Layout of a NoC address in kernels: the address on a tile, then the coordinates of the tile or of the two corners of
// a rectangle. Source: tt-metal, noc_parameters.h.
inline constexpr unsigned kNocAddressBits = 36;
inline constexpr unsigned kNocCoordinateBits = 6;
inline constexpr std::uint64_t kNocAddressMask = (std::uint64_t{1} << kNocAddressBits) - 1;
inline constexpr std::uint64_t kNocCoordinateMask = (1U << kNocCoordinateBits) - 1;
/// First bit of the first corner of a rectangle.
inline constexpr unsigned kNocFirstCornerBit = kNocAddressBits + 2 * kNocCoordinateBits;
inline constexpr std::uint64_t kNocFirstCornerMask = ((std::uint64_t{1} << 2 * kNocCoordinateBits) - 1)
                                                     << kNocFirstCornerBit;

/// True for the NoC address of a multicast. Chips may use bits above the corners for host memory.
constexpr bool has_rectangle(std::uint64_t noc_address) { return (noc_address & kNocFirstCornerMask) != 0; }

/// Returns the coordinates encoded in a NoC address from `bit` on.
TranslatedCoordinate noc_address_coordinates(std::uint64_t noc_address, unsigned bit);

/// Returns the NoC address of `address` on a tile, or on a rectangle whose corners are in the order of the NoC.
std::uint64_t noc_address_of(TranslatedCoordinate tile, std::uint64_t address);
std::uint64_t noc_address_of(TranslatedCoordinate first, TranslatedCoordinate last, std::uint64_t address);

/// Target of a command: a tile or a rectangle of tiles.
struct CommandTarget {
    PhysicalCoordinate place;  // of a multicast: the last corner of its rectangle
    NodeIndex node = 0;
    std::uint64_t address = 0;
    MemoryKind memory = MemoryKind::l1;

    // For multicasts:
    TreeIndex tree = kNoTree;
    std::uint16_t num_receivers = 0;
    bool linked = false;
};

/// Returns the translated coordinate of the PCIe tile that maps host memory. Throws InputError if there is none.
TranslatedCoordinate host_tile(const DeviceState& state);

/// Returns the NoC address bit that selects host memory.
std::uint64_t host_bit(const DeviceState& state);

/// Returns the first NoC address bit held in the NIU's coordinate register. The register includes the host memory bit
/// on chips where that lies below the coordinates. Source: tt-metal, noc_parameters.h, NOC_ADDR_COORD_SHIFT.
unsigned encoding_bit(const DeviceState& state);

/// Returns the tile of a NoC address. Throws InputError if no tile there takes commands.
CommandTarget unicast_target(const DeviceState& state, std::uint64_t noc_address);

/// Returns the tiles of a rectangle on `noc` that a command of `source` reaches. Throws InputError if a corner is not a
/// live Tensix tile, or if there are no receivers.
CommandTarget multicast_target(DeviceState& state, NodeIndex source, int noc, std::uint64_t noc_address,
                               bool includes_source, bool linked);

/// True if `node` is a receiver of the multicast.
bool reaches(const DeviceState& state, int noc, const CommandTarget& target, NodeIndex node);

/// Returns "rectangle (1, 1) to (2, 2) on NoC 0", for error messages.
std::string rectangle_name(const DeviceState& state, int noc, std::uint64_t noc_address);

struct NiuCommand {
    TransactionKind kind = TransactionKind::read;
    std::uint8_t buffer = 0;  // command buffer
    std::uint8_t virtual_channel = 0;
    bool is_dynamic = false;
    int noc = 0;
    bool posted = false;
    std::uint8_t id = 0;           // transaction id, for barriers on some transactions only
    std::uint32_t operand = 0;     // of an atomic, or inline data
    bool has_inline_data = false;  // writes `bytes` bytes of `operand`
    bool names_tile = true;        // coordinates rewritten for this command, even if unchanged
    std::uint32_t bytes = 0;
    std::uint64_t own_address = 0;
    CommandTarget target;
};

// The checks throw InputError that says what was expected and found.

/// Checks that a range lies within the target's memory; `what` names the range: "source".
void require_target_range(const DeviceState& state, std::string_view what, const CommandTarget& target,
                          std::uint64_t bytes);

/// Checks alignment: the NIU does not shift data. Source: Tenstorrent ISA documentation, NoC alignment.
void require_alignment(const DeviceState& state, const NiuCommand& command);

/// Checks that the virtual channel is one for unicasts, or one for multicasts.
void require_virtual_channel(const DeviceState& state, const NiuCommand& command);

/// Enforces that the NIU of an open chain of linked multicasts takes only the chain's next call. That call ends the
/// chain unless linked itself. Source: Tenstorrent ISA documentation, NoC memory map, NOC_CMD_VC_LINKED.
void keep_chain(Risc& risc, const NiuCommand& command);

/// Gives a checked command to the NIU at the time of `risc`.
void submit_command(Risc& risc, const NiuCommand& command);

}  // namespace nocbench
