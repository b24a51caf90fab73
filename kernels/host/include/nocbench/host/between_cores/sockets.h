// Sockets between cores of one chip: pairs of a sender and a receiver. Names follow tt-metal.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "nocbench/host/mesh.h"

#pragma GCC visibility push(default)

namespace tt::tt_metal::distributed {

/// Core of a chip in a mesh.
struct MeshCoreCoord {
    MeshCoordinate device_coord = MeshCoordinate(0);
    CoreCoord core_coord = {0, 0};
    bool operator==(const MeshCoreCoord&) const = default;
};

struct SocketConnection {
    MeshCoreCoord sender_core{};
    MeshCoreCoord receiver_core{};
    bool operator==(const SocketConnection&) const = default;
};

struct SocketMemoryConfig {
    BufferType socket_storage_type = BufferType::L1;
    std::uint32_t fifo_size = 0;
    std::optional<SubDeviceId> sender_sub_device{};
    std::optional<SubDeviceId> receiver_sub_device{};
};

struct SocketConfig {
    std::vector<SocketConnection> socket_connection_config{};
    SocketMemoryConfig socket_mem_config{};
};

enum class SocketEndpoint : std::uint8_t { SENDER, RECEIVER };

/// One end of all connections of a socket.
class MeshSocket {
public:
    /// Takes memory for a configuration on each core of both ends, and for data on each core or bank of the receiver's
    /// chip. Throws HostError if a receiver has two connections, or is on another chip than its sender.
    static std::pair<MeshSocket, MeshSocket> create_socket_pair(const std::shared_ptr<MeshDevice>& sender,
                                                                const std::shared_ptr<MeshDevice>& receiver,
                                                                const SocketConfig& config,
                                                                host::Caller caller = host::Caller::current());

    /// Returns the memory for data. Throws HostError for a sender, which has none.
    [[nodiscard]] std::shared_ptr<MeshBuffer> get_data_buffer(host::Caller caller = host::Caller::current()) const;
    [[nodiscard]] std::shared_ptr<MeshBuffer> get_config_buffer() const { return configs_; }
    [[nodiscard]] const SocketConfig& get_config() const { return config_; }
    [[nodiscard]] SocketEndpoint get_socket_endpoint_type() const { return endpoint_; }
    [[nodiscard]] std::vector<MeshCoreCoord> get_active_cores() const;
    [[nodiscard]] MeshDevice* get_mesh_device() const { return configs_->device(); }

private:
    MeshSocket(SocketEndpoint endpoint, const SocketConfig& config, std::shared_ptr<MeshBuffer> configs,
               std::shared_ptr<MeshBuffer> data)
        : endpoint_(endpoint), config_(config), configs_(std::move(configs)), data_(std::move(data)) {}

    SocketEndpoint endpoint_;
    SocketConfig config_;
    std::shared_ptr<MeshBuffer> configs_;
    std::shared_ptr<MeshBuffer> data_;
};

}  // namespace tt::tt_metal::distributed

#pragma GCC visibility pop
