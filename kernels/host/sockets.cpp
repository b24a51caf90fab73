#include "nocbench/host/between_cores/sockets.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <ranges>
#include <set>
#include <span>

#include "kernels/device/include/nocbench/socket_layout.h"
#include "kernels/host/pages_on_cores.h"

namespace tt::tt_metal::distributed {

namespace {

constexpr std::uint32_t kAlignmentBytes = 16;  // of what another core writes
constexpr std::uint32_t kSenderBytes = tt::align(std::uint32_t{sizeof(sender_socket_md)}, kAlignmentBytes);
constexpr std::uint32_t kAcknowledgedBytes = kAlignmentBytes;
constexpr std::uint32_t kEncodingBytes = sizeof(sender_downstream_encoding);

/// Receivers by sender, in the order of the connections.
using Receivers = std::map<CoreCoord, std::vector<CoreCoord>>;

Receivers receivers_of(const SocketConfig& config, const host::Caller& caller) {
    host::require(!config.socket_connection_config.empty(), caller,
                  "socket: expected at least one connection, found none");
    Receivers receivers;
    std::set<CoreCoord> taken;
    for (const auto& [sender, receiver] : config.socket_connection_config) {
        for (const MeshCoreCoord& core : {sender, receiver}) {
            host::require(std::ranges::all_of(core.device_coord, [](std::uint32_t number) { return number == 0; }),
                          caller, "socket: expected both ends on one chip: several chips are not modeled");
        }
        host::require(taken.insert(receiver.core_coord).second, caller,
                      "socket: expected one connection for each receiver, found core ({}, {}) again",
                      receiver.core_coord.x, receiver.core_coord.y);
        receivers[sender.core_coord].push_back(receiver.core_coord);
    }
    return receivers;
}

std::shared_ptr<MeshBuffer> buffer_on(MeshDevice* device, const CoreRangeSet& cores, std::uint32_t page_bytes,
                                      BufferType type, const host::Caller& caller) {
    return MeshBuffer::create(
        ReplicatedBufferConfig{DeviceAddr{page_bytes} * cores.num_cores()},
        {.page_size = page_bytes, .buffer_type = type, .sharding_args = host::one_page_on_each(cores)}, device, {},
        caller);
}

CoreRangeSet set_of(const std::set<CoreCoord>& cores) {
    std::vector<CoreRange> ranges(cores.begin(), cores.end());
    return {ranges};
}

/// Returns the cores or banks that have memory for data: all, since programs choose among them.
CoreRangeSet data_cores(const MeshDevice& device, BufferType type) {
    const CoreCoord size = type == BufferType::DRAM ? device.dram_grid_size() : device.compute_with_storage_grid_size();
    return {CoreRange(CoreCoord(0, 0), CoreCoord(size.x - 1, size.y - 1))};
}

/// Pages of a buffer on the host, by core.
class Pages {
public:
    explicit Pages(const MeshBuffer& buffer)
        : buffer_(*buffer.get_reference_buffer()), cores_(host::cores_with_pages(buffer_)), bytes_(buffer_.size()) {}

    template <typename Value>
    void set(const CoreCoord& core, std::size_t offset, const Value& value) {
        const auto page = static_cast<std::size_t>(std::ranges::find(cores_, core) - cores_.begin());
        std::ranges::copy(std::as_bytes(std::span(&value, 1)), &bytes_[page * buffer_.page_size() + offset]);
    }
    void write(const host::Caller& caller) { buffer_.write(bytes_, caller); }

private:
    Buffer& buffer_;
    std::vector<CoreCoord> cores_;
    std::vector<std::byte> bytes_;
};

}  // namespace

std::pair<MeshSocket, MeshSocket> MeshSocket::create_socket_pair(const std::shared_ptr<MeshDevice>& sender,
                                                                 const std::shared_ptr<MeshDevice>& receiver,
                                                                 const SocketConfig& config, host::Caller caller) {
    const Receivers receivers = receivers_of(config, caller);
    std::set<CoreCoord> receiver_cores;
    std::size_t receivers_max = 0;
    for (const auto& its : std::views::values(receivers)) {
        receiver_cores.insert(its.begin(), its.end());
        receivers_max = std::max(receivers_max, its.size());
    }
    const auto sender_keys = std::views::keys(receivers);
    const std::uint32_t page_bytes =
        kSenderBytes + static_cast<std::uint32_t>(receivers_max) * (kAcknowledgedBytes + kEncodingBytes);
    const std::shared_ptr<MeshBuffer> of_senders =
        buffer_on(sender.get(), set_of({sender_keys.begin(), sender_keys.end()}), page_bytes, BufferType::L1, caller);
    const std::shared_ptr<MeshBuffer> of_receivers =
        buffer_on(receiver.get(), set_of(receiver_cores), sizeof(receiver_socket_md), BufferType::L1, caller);
    const auto [type, fifo_bytes, sender_sub_device, receiver_sub_device] = config.socket_mem_config;
    const std::shared_ptr<MeshBuffer> data =
        buffer_on(receiver.get(), data_cores(*receiver, type), fifo_bytes, type, caller);
    const auto fifo_address = static_cast<std::uint32_t>(data->address());

    Pages sender_pages(*of_senders);
    Pages receiver_pages(*of_receivers);
    for (const auto& [core, its] : receivers) {
        const auto num_receivers = static_cast<std::uint32_t>(its.size());
        sender_pages.set(
            core, 0,
            sender_socket_md{.bytes_sent = 0,
                             .num_downstreams = num_receivers,
                             .write_ptr = 0,
                             .downstream_bytes_sent_addr = static_cast<std::uint32_t>(of_receivers->address()),
                             .downstream_fifo_addr = fifo_address,
                             .downstream_fifo_total_size = fifo_bytes,
                             .is_d2h = 0});
        const CoreCoord from = sender->worker_core_from_logical_core(core, caller);
        for (std::uint32_t number = 0; number < num_receivers; ++number) {
            const CoreCoord to = receiver->worker_core_from_logical_core(its[number], caller);
            const std::uint32_t acknowledged_offset = kSenderBytes + number * kAcknowledgedBytes;
            sender_pages.set(core, kSenderBytes + num_receivers * kAcknowledgedBytes + number * kEncodingBytes,
                             d2d_sender_socket_md{.downstream_mesh_id = 0,
                                                  .downstream_chip_id = 0,
                                                  .downstream_noc_y = static_cast<std::uint32_t>(to.y),
                                                  .downstream_noc_x = static_cast<std::uint32_t>(to.x)});
            receiver_pages.set(its[number], 0,
                               receiver_socket_md{.bytes_sent = 0,
                                                  .read_ptr = fifo_address,
                                                  .fifo_addr = fifo_address,
                                                  .fifo_total_size = fifo_bytes,
                                                  .bytes_acked = 0,
                                                  .is_h2d = 0,
                                                  .d2d = {.upstream_mesh_id = 0,
                                                          .upstream_chip_id = 0,
                                                          .upstream_noc_y = static_cast<std::uint32_t>(from.y),
                                                          .upstream_noc_x = static_cast<std::uint32_t>(from.x),
                                                          .upstream_bytes_acked_addr =
                                                              static_cast<std::uint32_t>(of_senders->address()) +
                                                              acknowledged_offset}});
        }
    }
    sender_pages.write(caller);
    receiver_pages.write(caller);
    return {MeshSocket(SocketEndpoint::SENDER, config, of_senders, nullptr),
            MeshSocket(SocketEndpoint::RECEIVER, config, of_receivers, data)};
}

std::shared_ptr<MeshBuffer> MeshSocket::get_data_buffer(host::Caller caller) const {
    host::require(data_ != nullptr, caller, "socket: expected the end of the receiver, which has the memory for data");
    return data_;
}

std::vector<MeshCoreCoord> MeshSocket::get_active_cores() const {
    std::vector<MeshCoreCoord> cores;
    cores.reserve(config_.socket_connection_config.size());
    for (const auto& [sender, receiver] : config_.socket_connection_config) {
        cores.push_back(endpoint_ == SocketEndpoint::SENDER ? sender : receiver);
    }
    return cores;
}

}  // namespace tt::tt_metal::distributed
