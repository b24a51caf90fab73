// Buffers in DRAM and L1: interleaved over all banks, or divided into shards. Names follow tt-metal, release 0.66.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "nocbench/host/cores.h"
#include "nocbench/host/data_formats.h"
#include "nocbench/host/device.h"

#pragma GCC visibility push(default)

namespace tt::tt_metal {

/// Cores that each have a rectangle of a tensor's values.
struct ShardSpec {
    CoreRangeSet grid;
    std::array<std::uint32_t, 2> shape;
    ShardOrientation orientation = ShardOrientation::ROW_MAJOR;

    ShardSpec(const CoreRangeSet& cores, const std::array<std::uint32_t, 2>& shard_shape,
              ShardOrientation shard_orientation = ShardOrientation::ROW_MAJOR)
        : grid(cores), shape(shard_shape), orientation(shard_orientation) {}
    [[nodiscard]] std::uint32_t num_cores() const { return grid.num_cores(); }
    [[nodiscard]] std::uint32_t numel() const { return shape[0] * shape[1]; }
    bool operator==(const ShardSpec&) const = default;
};

/// The same with the shape of a page in values, and of the tensor in pages.
struct ShardSpecBuffer {
    ShardSpec tensor_shard_spec;
    std::array<std::uint32_t, 2> page_shape;
    std::array<std::uint32_t, 2> tensor2d_shape_in_pages;

    ShardSpecBuffer(const CoreRangeSet& cores, const std::array<std::uint32_t, 2>& shard_shape,
                    ShardOrientation orientation, const std::array<std::uint32_t, 2>& page,
                    const std::array<std::uint32_t, 2>& tensor)
        : ShardSpecBuffer(ShardSpec(cores, shard_shape, orientation), page, tensor) {}
    ShardSpecBuffer(const ShardSpec& spec, const std::array<std::uint32_t, 2>& page,
                    const std::array<std::uint32_t, 2>& tensor)
        : tensor_shard_spec(spec), page_shape(page), tensor2d_shape_in_pages(tensor) {}
    [[nodiscard]] CoreRangeSet grid() const { return tensor_shard_spec.grid; }
    [[nodiscard]] std::array<std::uint32_t, 2> shape() const { return tensor_shard_spec.shape; }
    [[nodiscard]] ShardOrientation orientation() const { return tensor_shard_spec.orientation; }
    [[nodiscard]] std::array<std::uint32_t, 2> shape_in_pages() const;
    [[nodiscard]] DeviceAddr num_pages() const;
};

/// Sizes, one for each dimension.
class Shape : public std::vector<std::uint32_t> {
public:
    using std::vector<std::uint32_t>::vector;
    Shape(std::initializer_list<std::uint32_t> sizes) : std::vector<std::uint32_t>(sizes) {}
    [[nodiscard]] std::size_t rank() const { return size(); }
};

/// Pages in any number of dimensions, whose shards go round a list of cores.
class BufferDistributionSpec {
public:
    BufferDistributionSpec(Shape tensor_shape_in_pages, Shape shard_shape_in_pages, std::vector<CoreCoord> cores);
    BufferDistributionSpec(Shape tensor_shape_in_pages, Shape shard_shape_in_pages, const CoreRangeSet& cores,
                           ShardOrientation orientation,
                           ShardDistributionStrategy strategy = ShardDistributionStrategy::ROUND_ROBIN_1D);
    [[nodiscard]] const Shape& tensor_shape_in_pages() const { return tensor_; }
    [[nodiscard]] const Shape& shard_shape_in_pages() const { return shard_; }
    [[nodiscard]] const std::vector<CoreCoord>& cores() const { return cores_; }
    [[nodiscard]] std::size_t num_cores() const { return cores_.size(); }

private:
    Shape tensor_;
    Shape shard_;
    std::vector<CoreCoord> cores_;
};

class BufferShardingArgs {
public:
    BufferShardingArgs() = default;
    BufferShardingArgs(std::nullopt_t) {}
    BufferShardingArgs(BufferDistributionSpec spec)
        : distribution_(std::move(spec)), layout_(TensorMemoryLayout::BLOCK_SHARDED) {}
    BufferShardingArgs(std::optional<ShardSpecBuffer> spec, TensorMemoryLayout layout)
        : shards_(std::move(spec)), layout_(layout) {}
    [[nodiscard]] const std::optional<BufferDistributionSpec>& buffer_distribution_spec() const {
        return distribution_;
    }
    [[nodiscard]] const std::optional<ShardSpecBuffer>& shard_spec() const { return shards_; }
    [[nodiscard]] TensorMemoryLayout buffer_layout() const { return layout_; }

private:
    std::optional<BufferDistributionSpec> distribution_;
    std::optional<ShardSpecBuffer> shards_;
    TensorMemoryLayout layout_ = TensorMemoryLayout::INTERLEAVED;
};

struct BufferConfig {
    IDevice* device = nullptr;
    DeviceAddr size = 0;
    DeviceAddr page_size = 0;
    BufferType buffer_type = BufferType::DRAM;
};
using InterleavedBufferConfig = BufferConfig;

struct ShardedBufferConfig {
    IDevice* device = nullptr;
    DeviceAddr size = 0;
    DeviceAddr page_size = 0;
    BufferType buffer_type = BufferType::L1;
    TensorMemoryLayout buffer_layout = TensorMemoryLayout::HEIGHT_SHARDED;
    ShardSpecBuffer shard_parameters;
};

struct BufferRegion {
    DeviceAddr offset = 0;
    DeviceAddr size = 0;
};

/// Range of memory in each of its banks, taken until it is deallocated or destroyed.
class Buffer {
public:
    /// Throws HostError if the size is not a multiple of the page, or the memory has no room.
    static std::shared_ptr<Buffer> create(IDevice* device, DeviceAddr size, DeviceAddr page_size, BufferType type,
                                          const BufferShardingArgs& sharding = {}, std::optional<bool> bottom_up = {},
                                          std::optional<DeviceAddr> address = {},
                                          host::Caller caller = host::Caller::current());
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer();

    [[nodiscard]] IDevice* device() const { return device_; }
    [[nodiscard]] std::uint32_t address() const { return static_cast<std::uint32_t>(address_); }
    [[nodiscard]] DeviceAddr size() const { return size_; }
    [[nodiscard]] DeviceAddr page_size() const { return page_size_; }
    /// Bytes from one page of a bank to its next.
    [[nodiscard]] DeviceAddr aligned_page_size() const;
    [[nodiscard]] DeviceAddr aligned_size() const { return num_pages() * aligned_page_size(); }
    [[nodiscard]] std::uint32_t alignment() const;
    [[nodiscard]] std::uint32_t num_pages() const { return static_cast<std::uint32_t>(size_ / page_size_); }
    [[nodiscard]] std::uint32_t num_dev_pages() const { return num_pages(); }
    /// Pages and bytes of a bank.
    [[nodiscard]] std::uint32_t num_pages_per_bank() const;
    [[nodiscard]] DeviceAddr aligned_size_per_bank() const { return num_pages_per_bank() * aligned_page_size(); }
    [[nodiscard]] BufferType buffer_type() const { return type_; }
    [[nodiscard]] TensorMemoryLayout buffer_layout() const { return sharding_.buffer_layout(); }
    [[nodiscard]] bool is_dram() const { return type_ == BufferType::DRAM; }
    [[nodiscard]] bool is_l1() const { return type_ == BufferType::L1 || type_ == BufferType::L1_SMALL; }
    [[nodiscard]] bool is_allocated() const { return is_allocated_; }
    [[nodiscard]] CoreType core_type() const { return is_dram() ? CoreType::DRAM : CoreType::WORKER; }
    [[nodiscard]] const ShardSpecBuffer& shard_spec() const;
    [[nodiscard]] bool has_shard_spec() const { return sharding_.shard_spec().has_value(); }
    [[nodiscard]] std::optional<std::uint32_t> num_cores() const;
    /// Returns the coordinates by which kernels address a bank.
    [[nodiscard]] CoreCoord noc_coordinates(std::uint32_t bank = 0) const;
    /// Returns the shapes and cores of a divided buffer; none for an interleaved one.
    [[nodiscard]] std::optional<BufferDistributionSpec> buffer_distribution_spec() const;

    // For the implementation: content in order of pages. Throw HostError if the buffer is deallocated.

    void write(std::span<const std::byte> bytes, host::Caller caller, DeviceAddr offset = 0);
    /// Writes data that may be shorter than the buffer, with a warning, or longer.
    void write_what_fits(std::span<const std::byte> bytes, host::Caller caller);
    void read(std::span<std::byte> bytes, host::Caller caller, DeviceAddr offset = 0) const;
    void deallocate();

private:
    Buffer(IDevice* device, DeviceAddr size, DeviceAddr page_size, BufferType type, const BufferShardingArgs& sharding);

    IDevice* device_;
    std::weak_ptr<host::Chip> chip_;
    DeviceAddr size_;
    DeviceAddr page_size_;
    BufferType type_;
    BufferShardingArgs sharding_;
    DeviceAddr address_ = 0;
    bool is_allocated_ = false;
    bool owns_its_range_ = false;
};

std::shared_ptr<Buffer> CreateBuffer(const InterleavedBufferConfig& config,
                                     host::Caller caller = host::Caller::current());
std::shared_ptr<Buffer> CreateBuffer(const InterleavedBufferConfig& config, DeviceAddr address,
                                     host::Caller caller = host::Caller::current());
std::shared_ptr<Buffer> CreateBuffer(const ShardedBufferConfig& config, host::Caller caller = host::Caller::current());
std::shared_ptr<Buffer> CreateBuffer(const ShardedBufferConfig& config, DeviceAddr address,
                                     host::Caller caller = host::Caller::current());
void DeallocateBuffer(Buffer& buffer);

struct Shape2D {
    std::size_t height_ = 0;
    std::size_t width_ = 0;

    constexpr Shape2D(std::size_t height, std::size_t width) : height_(height), width_(width) {}
    template <typename T>
    constexpr Shape2D(const std::pair<T, T>& shape) : height_(shape.first), width_(shape.second) {}
    template <typename T>
    constexpr Shape2D(const std::array<T, 2>& shape) : height_(shape[0]), width_(shape[1]) {}
    [[nodiscard]] constexpr std::size_t height() const { return height_; }
    [[nodiscard]] constexpr std::size_t width() const { return width_; }
};

namespace distributed {

class MeshDevice;

struct DeviceLocalBufferConfig {
    DeviceAddr page_size = 0;
    BufferType buffer_type = BufferType::DRAM;
    BufferShardingArgs sharding_args{};
    std::optional<bool> bottom_up{};
    std::optional<SubDeviceId> sub_device_id{};
};

struct ReplicatedBufferConfig {
    DeviceAddr size = 0;
};

/// Division of a buffer among the chips of a mesh: on one chip, all of it.
struct ShardedBufferConfig {
    DeviceAddr global_size = 0;
    Shape2D global_buffer_shape = {0, 0};
    Shape2D shard_shape = {0, 0};
    ShardOrientation shard_orientation = ShardOrientation::ROW_MAJOR;
};

enum class MeshBufferLayout : std::uint8_t { REPLICATED, SHARDED };
using MeshBufferConfig = std::variant<ReplicatedBufferConfig, ShardedBufferConfig>;

/// Buffer on each chip of a mesh, at the same address.
class MeshBuffer {
public:
    static std::shared_ptr<MeshBuffer> create(const MeshBufferConfig& config, const DeviceLocalBufferConfig& local,
                                              MeshDevice* device, std::optional<DeviceAddr> address = {},
                                              host::Caller caller = host::Caller::current());
    [[nodiscard]] MeshDevice* device() const { return device_; }
    [[nodiscard]] DeviceAddr address() const { return buffer_->address(); }
    [[nodiscard]] DeviceAddr size() const { return buffer_->size(); }
    [[nodiscard]] DeviceAddr device_local_size() const { return buffer_->size(); }
    [[nodiscard]] std::uint32_t page_size() const { return static_cast<std::uint32_t>(buffer_->page_size()); }
    [[nodiscard]] std::uint32_t num_pages() const { return buffer_->num_pages(); }
    [[nodiscard]] bool is_allocated() const { return buffer_->is_allocated(); }
    void deallocate() { buffer_->deallocate(); }
    [[nodiscard]] MeshBufferLayout global_layout() const {
        return std::holds_alternative<ReplicatedBufferConfig>(config_) ? MeshBufferLayout::REPLICATED
                                                                       : MeshBufferLayout::SHARDED;
    }
    [[nodiscard]] const MeshBufferConfig& global_config() const { return config_; }
    [[nodiscard]] const DeviceLocalBufferConfig& device_local_config() const { return local_; }
    [[nodiscard]] Buffer* get_device_buffer(const MeshCoordinate&) const { return buffer_.get(); }
    [[nodiscard]] Buffer* get_reference_buffer() const { return buffer_.get(); }
    [[nodiscard]] Buffer* get_backing_buffer() const { return buffer_.get(); }

private:
    MeshBuffer(MeshBufferConfig config, DeviceLocalBufferConfig local, MeshDevice* device,
               std::shared_ptr<Buffer> buffer)
        : config_(std::move(config)), local_(std::move(local)), device_(device), buffer_(std::move(buffer)) {}

    MeshBufferConfig config_;
    DeviceLocalBufferConfig local_;
    MeshDevice* device_;
    std::shared_ptr<Buffer> buffer_;
};

}  // namespace distributed

/// Compile-time arguments that tell a kernel's TensorAccessor how a buffer is laid out.
class TensorAccessorArgs {
public:
    TensorAccessorArgs() = default;
    explicit TensorAccessorArgs(const Buffer& buffer);
    explicit TensorAccessorArgs(const Buffer* buffer) : TensorAccessorArgs(*buffer) {}
    explicit TensorAccessorArgs(const std::shared_ptr<Buffer>& buffer) : TensorAccessorArgs(*buffer) {}
    explicit TensorAccessorArgs(const distributed::MeshBuffer& buffer)
        : TensorAccessorArgs(*buffer.get_reference_buffer()) {}
    explicit TensorAccessorArgs(const distributed::MeshBuffer* buffer) : TensorAccessorArgs(*buffer) {}
    explicit TensorAccessorArgs(const std::shared_ptr<distributed::MeshBuffer>& buffer) : TensorAccessorArgs(*buffer) {}
    static TensorAccessorArgs create_dram_interleaved();
    static TensorAccessorArgs create_l1_interleaved();

    void append_to(std::vector<std::uint32_t>& compile_time_args) const;
    void append_to(std::vector<std::uint32_t>& compile_time_args, std::vector<std::uint32_t>&) const {
        append_to(compile_time_args);
    }
    [[nodiscard]] std::vector<std::uint32_t> get_compile_time_args() const { return words_; }
    [[nodiscard]] std::vector<std::uint32_t> get_common_runtime_args() const { return {}; }

private:
    std::vector<std::uint32_t> words_;
};

}  // namespace tt::tt_metal

#pragma GCC visibility pop
