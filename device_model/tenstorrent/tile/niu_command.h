// What a command asks of a network interface (NIU), whoever gives it: the kernel API of native kernels, or the
// registers that a compiled kernel writes. One definition of what a command may be, and of what it does.
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

// A NoC address as kernels hold it: the address on a tile, and above it the coordinates of the tile, or of the two
// corners of a rectangle. Source: tt-metal, noc_parameters.h.
inline constexpr unsigned kNocAddressBits = 36;
inline constexpr unsigned kNocCoordinateBits = 6;
inline constexpr std::uint64_t kNocAddressMask = (std::uint64_t{1} << kNocAddressBits) - 1;
inline constexpr std::uint64_t kNocCoordinateMask = (1U << kNocCoordinateBits) - 1;
/// Where the first corner of a rectangle begins.
inline constexpr unsigned kNocFirstCornerBit = kNocAddressBits + 2 * kNocCoordinateBits;
inline constexpr std::uint64_t kNocFirstCornerMask = ((std::uint64_t{1} << 2 * kNocCoordinateBits) - 1)
                                                     << kNocFirstCornerBit;

/// Whether a NoC address is that of a multicast. Above the corners, chips may have the bit of host memory.
constexpr bool has_rectangle(std::uint64_t noc_address) { return (noc_address & kNocFirstCornerMask) != 0; }

/// The tile whose coordinates are in a NoC address from `bit` on.
TranslatedCoordinate noc_address_coordinates(std::uint64_t noc_address, unsigned bit);

/// The NoC address of `address` on a tile, or on the tiles of a rectangle, whose corners are in the order of the NoC.
std::uint64_t noc_address_of(TranslatedCoordinate tile, std::uint64_t address);
std::uint64_t noc_address_of(TranslatedCoordinate first, TranslatedCoordinate last, std::uint64_t address);

/// The other side of a command: a tile, or the tiles of a rectangle.
struct CommandTarget {
    PhysicalCoordinate place;  // of a multicast: the last corner of its rectangle
    NodeIndex node = 0;
    std::uint64_t address = 0;
    MemoryKind memory = MemoryKind::l1;

    // Of a multicast:
    TreeIndex tree = kNoTree;
    std::uint16_t num_receivers = 0;
    bool linked = false;
};

/// What kernels call the PCIe tile behind which the memory of the host is. Throws InputError if there is none.
TranslatedCoordinate host_tile(const DeviceState& state);

/// The bit of a NoC address that means memory of the host.
std::uint64_t host_bit(const DeviceState& state);

/// Where in a NoC address that register of the NIU begins that has the coordinates of a tile: where the bit above is
/// below the coordinates, it has that bit, too. Source: tt-metal, noc_parameters.h, NOC_ADDR_COORD_SHIFT.
unsigned encoding_bit(const DeviceState& state);

/// The tile of a NoC address. Throws InputError if there is none that takes commands.
CommandTarget unicast_target(const DeviceState& state, std::uint64_t noc_address);

/// The tiles of a rectangle on `noc`, as a command of `source` reaches them. Throws InputError if a corner is no live
/// Tensix tile, or if there is nobody to send to.
CommandTarget multicast_target(DeviceState& state, NodeIndex source, int noc, std::uint64_t noc_address,
                               bool includes_source, bool linked);

/// Whether `node` is one of the receivers of a multicast.
bool reaches(const DeviceState& state, int noc, const CommandTarget& target, NodeIndex node);

/// "rectangle (1, 1) to (2, 2) on NoC 0", for complaints.
std::string rectangle_name(const DeviceState& state, int noc, std::uint64_t noc_address);

struct NiuCommand {
    TransactionKind kind = TransactionKind::read;
    std::uint8_t buffer = 0;  // command buffer
    std::uint8_t virtual_channel = 0;
    bool is_dynamic = false;
    int noc = 0;
    bool posted = false;
    std::uint8_t id = 0;           // of the transaction, for kernels that wait for some of them
    std::uint32_t operand = 0;     // of an atomic, or inline data
    bool has_inline_data = false;  // a write of `bytes` of `operand`
    bool names_tile = true;        // its kernel wrote the coordinates anew, even if they are those of the one before
    std::uint32_t bytes = 0;
    std::uint64_t own_address = 0;
    CommandTarget target;
};

// All of these throw InputError, with a message that says what was expected and found.

/// A range within the memory of the target; `what` names it: "source".
void require_target_range(const DeviceState& state, std::string_view what, const CommandTarget& target,
                          std::uint64_t bytes);

/// Data are not shifted on their way. Source: Tenstorrent ISA documentation, NoC alignment.
void require_alignment(const DeviceState& state, const NiuCommand& command);

/// Virtual channels are for unicasts, or for multicasts.
void require_virtual_channel(const NiuCommand& command);

/// While a chain of linked multicasts is open, its NIU takes its next call only, and that call ends it unless it is
/// linked, too. Source: Tenstorrent ISA documentation, NoC memory map, NOC_CMD_VC_LINKED.
void keep_chain(Risc& risc, const NiuCommand& command);

/// Gives a command, which has been checked, to the NIU at the time of `risc`.
void submit_command(Risc& risc, const NiuCommand& command);

}  // namespace nocbench
