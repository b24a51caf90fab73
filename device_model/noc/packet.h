// Packets as the network sees them: where to, how long, on which virtual channel. What a packet is for is known to the
// network interfaces only.
#pragma once

#include <cstdint>

#include "device_model/sim/ids.h"
#include "device_model/sim/pool.h"

namespace nocbench {

using PacketId = std::uint32_t;

/// A multicast tree that a network knows, by number.
using TreeIndex = std::uint32_t;
inline constexpr TreeIndex kNoTree = ~TreeIndex{0};

/// Virtual channels as software numbers them; the dateline bit is added by the routers.
/// 0 to 3 are unicast requests, 4 and 5 broadcast requests, 6 and 7 responses.
/// Source: Tenstorrent ISA documentation, NoC routing paths; field NOC_CMD_STATIC_VC.
inline constexpr int kNumSoftwareVirtualChannels = 8;
inline constexpr int kFirstBroadcastVirtualChannel = 4;
inline constexpr int kFirstResponseVirtualChannel = 6;

enum class PacketKind : std::uint8_t {
    read_request,
    read_response,
    write_request,
    write_ack,
    atomic_request,
    atomic_response
};

/// What it is called in messages.
constexpr const char* packet_kind_name(PacketKind kind) {
    switch (kind) {
        case PacketKind::read_request:
            return "read request";
        case PacketKind::read_response:
            return "read response";
        case PacketKind::write_request:
            return "write request";
        case PacketKind::write_ack:
            return "acknowledgement of a write";
        case PacketKind::atomic_request:
            return "atomic request";
        case PacketKind::atomic_response:
            return "atomic response";
    }
    return "";
}

struct Packet {
    std::uint16_t flits = 0;  // header included; of a multicast that reserves its path, the reservation, too
    NodeIndex source = 0;
    NodeIndex destination = 0;   // of a unicast
    TreeIndex tree = kNoTree;    // of a multicast
    bool reserves_path = false;  // begins with a flit that reserves the tree
    bool keeps_path = false;     // leaves the tree reserved for the packet that follows: it is linked
    PacketKind kind = PacketKind::read_request;
    std::uint8_t software_virtual_channel = 0;
    bool is_static = true;  // a dynamic packet may change to the buddy virtual channel at each hop
    TransactionId transaction = kNoTransaction;

    bool operator==(const Packet&) const = default;

    /// Flits from the header on: all but the one that reserves the path.
    [[nodiscard]] int flits_from_header() const { return flits - (reserves_path ? 1 : 0); }
};

using PacketPool = Pool<Packet>;

}  // namespace nocbench
