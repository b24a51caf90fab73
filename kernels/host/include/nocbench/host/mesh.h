// Meshes of one chip, their command queues, and workloads. Names follow tt-metal, release 0.66.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nocbench/host/buffers.h"
#include "nocbench/host/device.h"
#include "nocbench/host/mesh_coordinates.h"
#include "nocbench/host/program.h"

#pragma GCC visibility push(default)

namespace tt::tt_metal::distributed {

class MeshDevice;

class MeshWorkload {
public:
    void add_program(const MeshCoordinateRange& range, Program&& program) {
        programs_.insert_or_assign(range, std::move(program));
    }
    [[nodiscard]] std::unordered_map<MeshCoordinateRange, Program>& get_programs() { return programs_; }

private:
    std::unordered_map<MeshCoordinateRange, Program> programs_;
};

/// Content of one chip's part of a buffer, on the host.
class ShardDataTransfer {
public:
    explicit ShardDataTransfer(const MeshCoordinate& coordinate) : coordinate_(coordinate) {}
    [[nodiscard]] void* host_data() const { return data_; }
    [[nodiscard]] const std::optional<BufferRegion>& region() const { return region_; }
    ShardDataTransfer& host_data(void* data) {
        data_ = data;
        return *this;
    }
    ShardDataTransfer& region(std::optional<BufferRegion> region) {
        region_ = region;
        return *this;
    }

private:
    MeshCoordinate coordinate_;
    void* data_ = nullptr;
    std::optional<BufferRegion> region_;
};

struct MeshEvent {};

/// Commands are carried out when they are given, so that each of them is blocking.
class MeshCommandQueue {
public:
    explicit MeshCommandQueue(MeshDevice* device) : device_(device) {}
    MeshCommandQueue(const MeshCommandQueue&) = delete;
    MeshCommandQueue& operator=(const MeshCommandQueue&) = delete;

    [[nodiscard]] MeshDevice* device() const { return device_; }
    [[nodiscard]] std::uint32_t id() const { return 0; }
    void enqueue_mesh_workload(MeshWorkload& workload, bool blocking, host::Caller caller = host::Caller::current());
    void enqueue_write_mesh_buffer(const std::shared_ptr<MeshBuffer>& buffer, const void* data, bool blocking,
                                   host::Caller caller = host::Caller::current());
    void enqueue_read_mesh_buffer(void* data, const std::shared_ptr<MeshBuffer>& buffer, bool blocking,
                                  host::Caller caller = host::Caller::current());
    void enqueue_write_shards(const std::shared_ptr<MeshBuffer>& buffer,
                              const std::vector<ShardDataTransfer>& transfers, bool blocking,
                              host::Caller caller = host::Caller::current());
    void enqueue_read_shards(const std::vector<ShardDataTransfer>& transfers, const std::shared_ptr<MeshBuffer>& buffer,
                             bool blocking, host::Caller caller = host::Caller::current());
    MeshEvent enqueue_record_event() { return {}; }
    MeshEvent enqueue_record_event_to_host() { return {}; }
    void enqueue_wait_for_event(const MeshEvent&) {}
    void finish() {}

private:
    MeshDevice* device_;
};

class MeshDevice : public IDevice, public std::enable_shared_from_this<MeshDevice> {
public:
    static std::shared_ptr<MeshDevice> create_unit_mesh(
        int device_id, std::size_t l1_small_size = DEFAULT_L1_SMALL_SIZE,
        std::size_t trace_region_size = DEFAULT_TRACE_REGION_SIZE, std::size_t num_command_queues = 1,
        const DispatchCoreConfig& = {}, stl::Span<const std::uint32_t> l1_bank_remap = {},
        std::size_t worker_l1_size = DEFAULT_WORKER_L1_SIZE, host::Caller caller = host::Caller::current());
    static std::map<int, std::shared_ptr<MeshDevice>> create_unit_meshes(
        const std::vector<int>& device_ids, std::size_t l1_small_size = DEFAULT_L1_SMALL_SIZE,
        std::size_t trace_region_size = DEFAULT_TRACE_REGION_SIZE, std::size_t num_command_queues = 1,
        const DispatchCoreConfig& = {}, stl::Span<const std::uint32_t> l1_bank_remap = {},
        std::size_t worker_l1_size = DEFAULT_WORKER_L1_SIZE, host::Caller caller = host::Caller::current());
    /// Throws HostError for meshes of several chips.
    static std::shared_ptr<MeshDevice> create(const MeshDeviceConfig& config,
                                              std::size_t l1_small_size = DEFAULT_L1_SMALL_SIZE,
                                              std::size_t trace_region_size = DEFAULT_TRACE_REGION_SIZE,
                                              std::size_t num_command_queues = 1, const DispatchCoreConfig& = {},
                                              stl::Span<const std::uint32_t> l1_bank_remap = {},
                                              std::size_t worker_l1_size = DEFAULT_WORKER_L1_SIZE,
                                              host::Caller caller = host::Caller::current());

    /// Returns the same mesh. Throws HostError for meshes of several chips.
    std::shared_ptr<MeshDevice> create_submesh(const MeshShape& shape, const std::optional<MeshCoordinate>& = {},
                                               host::Caller caller = host::Caller::current());

    [[nodiscard]] MeshCommandQueue& mesh_command_queue(std::optional<std::uint8_t> id = {}) const;
    [[nodiscard]] const MeshShape& shape() const;
    [[nodiscard]] std::size_t num_devices() const { return 1; }
    [[nodiscard]] std::size_t num_rows() const { return 1; }
    [[nodiscard]] std::size_t num_cols() const { return 1; }
    [[nodiscard]] std::vector<IDevice*> get_devices() const { return {self()}; }
    [[nodiscard]] std::vector<int> get_device_ids() const { return {0}; }
    [[nodiscard]] IDevice* get_device(ChipId id, host::Caller caller = host::Caller::current()) const;
    [[nodiscard]] IDevice* get_device(const MeshCoordinate&) const { return self(); }
    [[nodiscard]] IDevice* get_device(std::size_t, std::size_t) const { return self(); }
    [[nodiscard]] bool is_local(const MeshCoordinate&) const { return true; }
    void quiesce_devices() {}
    /// The same, under the name by which releases since 2026 reach functions of single chips.
    [[nodiscard]] MeshDevice& impl() { return *this; }
    [[nodiscard]] const MeshDevice& impl() const { return *this; }

private:
    explicit MeshDevice(std::shared_ptr<host::Chip> chip);
    [[nodiscard]] IDevice* self() const { return const_cast<MeshDevice*>(this); }

    std::unique_ptr<MeshCommandQueue> queue_;
};

/// All chips of the machine.
class SystemMesh {
public:
    static SystemMesh& instance() {
        static SystemMesh mesh;
        return mesh;
    }
    [[nodiscard]] MeshShape shape() const { return {1, 1}; }
};

/// Runs the programs of a workload.
void EnqueueMeshWorkload(MeshCommandQueue& queue, MeshWorkload& workload, bool blocking,
                         host::Caller caller = host::Caller::current());
inline MeshWorkload CreateMeshWorkload() { return {}; }
inline void AddProgramToMeshWorkload(MeshWorkload& workload, Program&& program, const MeshCoordinateRange& range) {
    workload.add_program(range, std::move(program));
}
inline void Finish(MeshCommandQueue& queue) { queue.finish(); }
inline void Synchronize(MeshDevice*, std::optional<std::uint8_t> = {}) {}
inline void EventSynchronize(const MeshEvent&) {}
inline bool EventQuery(const MeshEvent&) { return true; }
inline bool UsingDistributedEnvironment() { return false; }

/// Writes `data`, which may be shorter than the buffer: what follows in the host's memory is not written here.
template <typename T>
void EnqueueWriteMeshBuffer(MeshCommandQueue&, const std::shared_ptr<MeshBuffer>& buffer, const std::vector<T>& data,
                            bool = false, host::Caller caller = host::Caller::current()) {
    buffer->get_reference_buffer()->write_what_fits(std::as_bytes(std::span(data)), caller);
}
template <typename T>
void EnqueueReadMeshBuffer(MeshCommandQueue& queue, std::vector<T>& data, const std::shared_ptr<MeshBuffer>& buffer,
                           bool = true, host::Caller caller = host::Caller::current()) {
    data.resize(buffer->size() / sizeof(T));
    queue.enqueue_read_mesh_buffer(data.data(), buffer, true, caller);
}
template <typename T>
void WriteShard(MeshCommandQueue& queue, const std::shared_ptr<MeshBuffer>& buffer, const std::vector<T>& data,
                const MeshCoordinate&, bool blocking = false, host::Caller caller = host::Caller::current()) {
    EnqueueWriteMeshBuffer(queue, buffer, data, blocking, caller);
}
template <typename T>
void ReadShard(MeshCommandQueue& queue, std::vector<T>& data, const std::shared_ptr<MeshBuffer>& buffer,
               const MeshCoordinate&, bool blocking = true, host::Caller caller = host::Caller::current()) {
    EnqueueReadMeshBuffer(queue, data, buffer, blocking, caller);
}

}  // namespace tt::tt_metal::distributed

namespace tt::tt_metal {

enum class ProfilerReadState : std::uint8_t { NORMAL, LAST_FD_READ, ONLY_DISPATCH_CORES };
/// Nothing to do: results are written as programs end.
inline void ReadMeshDeviceProfilerResults(distributed::MeshDevice&, ProfilerReadState = {}) {}

}  // namespace tt::tt_metal

#pragma GCC visibility pop
