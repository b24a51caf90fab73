// Packets of the network: destination, length and virtual channel. Only network interfaces know a packet's purpose.
#pragma once

#include <cstdint>

#include "device_model/sim/ids.h"
#include "device_model/sim/pool.h"

namespace nocbench {

using PacketId = std::uint32_t;

/// Number of a multicast tree of a network.
using TreeIndex = std::uint32_t;
inline constexpr TreeIndex kNoTree = ~TreeIndex{0};

/// Virtual channels as numbered by software; routers add the dateline bit.
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

/// Returns the name of a kind of packet in messages.
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
    std::uint16_t flits = 0;  // header and reservation flit included
    NodeIndex source = 0;
    NodeIndex destination = 0;   // of unicasts
    TreeIndex tree = kNoTree;    // of multicasts
    bool reserves_path = false;  // begins with a reservation flit
    bool keeps_path = false;     // leaves the tree reserved for the packet that is linked to this one
    PacketKind kind = PacketKind::read_request;
    std::uint8_t software_virtual_channel = 0;
    bool is_static = true;  // a dynamic packet may change to the buddy virtual channel at each hop
    TransactionId transaction = kNoTransaction;

    bool operator==(const Packet&) const = default;

    /// Returns the flits without the reservation flit.
    [[nodiscard]] int flits_from_header() const { return flits - (reserves_path ? 1 : 0); }
};

using PacketPool = Pool<Packet>;

}  // namespace nocbench
