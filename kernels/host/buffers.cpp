#include "nocbench/host/buffers.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "device_model/tenstorrent/device.h"
#include "kernels/host/chip.h"
#include "kernels/tensix/tensor_layout.h"
#include "nocbench/host/mesh.h"

namespace tt::tt_metal {

namespace {

using nocbench::PagePlace;
using nocbench::TensorLayout;

std::uint32_t ceil_div(std::uint32_t value, std::uint32_t divisor) { return (value + divisor - 1) / divisor; }

/// Returns the cores of a division into rectangles, and its shapes, as one in pages.
BufferDistributionSpec in_pages(const ShardSpecBuffer& spec) {
    const std::array<std::uint32_t, 2> shard = spec.shape_in_pages();
    return {{spec.tensor2d_shape_in_pages[0], spec.tensor2d_shape_in_pages[1]},
            {shard[0], shard[1]},
            spec.grid(),
            spec.orientation()};
}

/// Returns where the pages of a buffer are. Banks are those of the chip, or the cores that have shards, in order.
TensorLayout layout_of(const Buffer& buffer, host::Chip& chip) {
    if (const std::optional<BufferDistributionSpec> spec = buffer.buffer_distribution_spec(); spec.has_value()) {
        return {.tensor = spec->tensor_shape_in_pages(),
                .shard = spec->shard_shape_in_pages(),
                .num_banks = static_cast<std::uint32_t>(spec->num_cores())};
    }
    return {.tensor = {buffer.num_pages()},
            .shard = {},
            .num_banks = static_cast<std::uint32_t>(buffer.is_dram() ? chip.grid().dram_banks().size()
                                                                     : chip.l1_banks().size())};
}

/// Calls `act(bank, address, offset)` for each page: its address in its bank, and its offset in the content.
void for_each_page(const Buffer& buffer, host::Chip& chip,
                   const std::function<void(std::uint32_t, std::uint64_t, std::size_t)>& act) {
    std::size_t offset = 0;
    for (const PagePlace& place : layout_of(buffer, chip).places()) {
        act(place.bank, buffer.address() + place.row * buffer.aligned_page_size(), offset);
        offset += buffer.page_size();
    }
}

/// Core of a bank in L1 by number.
nocbench::LogicalCoordinate core_of_bank(const Buffer& buffer, host::Chip& chip, std::uint32_t bank,
                                         const host::Caller& caller) {
    const std::optional<BufferDistributionSpec> spec = buffer.buffer_distribution_spec();
    return spec.has_value() ? chip.core(spec->cores().at(bank), caller) : chip.l1_banks().at(bank);
}

/// Banks of DRAM, by the number that shards have for them.
std::size_t bank_of_dram(const Buffer& buffer, std::uint32_t bank) {
    const std::optional<BufferDistributionSpec> spec = buffer.buffer_distribution_spec();
    return spec.has_value() ? spec->cores().at(bank).x : bank;
}

}  // namespace

std::array<std::uint32_t, 2> ShardSpecBuffer::shape_in_pages() const {
    return {ceil_div(shape()[0], page_shape[0]), ceil_div(shape()[1], page_shape[1])};
}

DeviceAddr ShardSpecBuffer::num_pages() const {
    const std::array<std::uint32_t, 2> shape = shape_in_pages();
    return DeviceAddr{shape[0]} * shape[1];
}

BufferDistributionSpec::BufferDistributionSpec(Shape tensor_shape_in_pages, Shape shard_shape_in_pages,
                                               std::vector<CoreCoord> cores)
    : tensor_(std::move(tensor_shape_in_pages)), shard_(std::move(shard_shape_in_pages)), cores_(std::move(cores)) {
    TT_FATAL(tensor_.size() == shard_.size() && !cores_.empty(),
             "expected shapes of one number of dimensions and at least one core, found {}, {} and {}", tensor_.size(),
             shard_.size(), cores_.size());
}

BufferDistributionSpec::BufferDistributionSpec(Shape tensor_shape_in_pages, Shape shard_shape_in_pages,
                                               const CoreRangeSet& cores, ShardOrientation orientation,
                                               ShardDistributionStrategy)
    : BufferDistributionSpec(std::move(tensor_shape_in_pages), std::move(shard_shape_in_pages),
                             corerange_to_cores(cores, {}, orientation == ShardOrientation::ROW_MAJOR)) {}

Buffer::Buffer(IDevice* device, DeviceAddr size, DeviceAddr page_size, BufferType type,
               const BufferShardingArgs& sharding)
    : device_(device), size_(size), page_size_(page_size), type_(type), sharding_(sharding) {}

namespace {

/// Returns shards without the rows of pages that a buffer does not have: examples of tt-metal have given more.
BufferShardingArgs without_missing_rows(const BufferShardingArgs& sharding, DeviceAddr num_pages,
                                        const host::Caller& caller) {
    if (!sharding.shard_spec().has_value()) {
        return sharding;
    }
    ShardSpecBuffer spec = *sharding.shard_spec();
    auto& [rows, columns] = spec.tensor2d_shape_in_pages;
    if (columns == 0 || num_pages % columns != 0 || std::uint64_t{rows} * columns <= num_pages) {
        return sharding;
    }
    host::warn(caller,
               fmt::format("buffer: its shape has {} x {} pages, the buffer only {}", rows, columns, num_pages));
    rows = static_cast<std::uint32_t>(num_pages / columns);
    return {spec, sharding.buffer_layout()};
}

}  // namespace

std::shared_ptr<Buffer> Buffer::create(IDevice* device, DeviceAddr size, DeviceAddr page_size, BufferType type,
                                       const BufferShardingArgs& sharding, std::optional<bool> bottom_up,
                                       std::optional<DeviceAddr> address, host::Caller caller) {
    if (device == nullptr) {
        host::fail(caller, "buffer: expected a device, found none");
    }
    host::Chip& chip = device->chip(caller);
    if (page_size == 0 || size % page_size != 0) {
        host::fail(caller, fmt::format("buffer: expected whole pages, found {} bytes in pages of {}", size, page_size));
    }
    if (type != BufferType::DRAM && type != BufferType::L1) {
        host::fail(caller, "buffer: expected BufferType::DRAM or L1: other memories are not modeled");
    }
    std::shared_ptr<Buffer> buffer(
        new Buffer(device, size, page_size, type, without_missing_rows(sharding, size / page_size, caller)));
    buffer->chip_ = device->chip_pointer();
    if (const std::optional<BufferDistributionSpec> spec = buffer->buffer_distribution_spec(); spec.has_value()) {
        const std::size_t volume =
            std::accumulate(spec->tensor_shape_in_pages().begin(), spec->tensor_shape_in_pages().end(), std::size_t{1},
                            std::multiplies<>());
        if (volume != buffer->num_pages()) {
            host::fail(caller, fmt::format("buffer: expected {} pages, as its shape has them, found {}", volume,
                                           buffer->num_pages()));
        }
        for (const CoreCoord& core : spec->cores()) {
            if (type == BufferType::L1) {
                static_cast<void>(chip.core(core, caller));
            }
        }
    }
    if (address.has_value()) {
        buffer->address_ = *address;
    } else {
        nocbench::host::RangeAllocator& ranges = chip.ranges_of(type);
        const bool is_from_bottom = bottom_up.value_or(type == BufferType::DRAM);
        const std::uint64_t bytes = std::max<std::uint64_t>(buffer->aligned_size_per_bank(), 1);
        const std::optional<std::uint64_t> taken = ranges.take(bytes, chip.alignment_of_buffers(), is_from_bottom);
        if (!taken.has_value()) {
            host::fail(caller, fmt::format("buffer: expected at most {} bytes in each bank of {}, found {}",
                                           ranges.largest_gap(), type == BufferType::DRAM ? "DRAM" : "L1", bytes));
        }
        buffer->address_ = *taken;
        buffer->owns_its_range_ = true;
    }
    buffer->is_allocated_ = true;
    return buffer;
}

Buffer::~Buffer() { deallocate(); }

void Buffer::deallocate() {
    const std::shared_ptr<host::Chip> chip = chip_.lock();
    if (is_allocated_ && owns_its_range_ && chip) {
        chip->ranges_of(type_).release(address_);
    }
    is_allocated_ = false;
}

std::uint32_t Buffer::alignment() const { return device_->chip().alignment(type_); }

DeviceAddr Buffer::aligned_page_size() const { return tt::align(page_size_, alignment()); }

std::uint32_t Buffer::num_pages_per_bank() const { return layout_of(*this, device_->chip()).rows_per_bank(); }

const ShardSpecBuffer& Buffer::shard_spec() const {
    TT_FATAL(sharding_.shard_spec().has_value(), "the buffer has no shards");
    return *sharding_.shard_spec();
}

std::optional<std::uint32_t> Buffer::num_cores() const {
    const std::optional<BufferDistributionSpec> spec = buffer_distribution_spec();
    return spec.has_value() ? std::optional(static_cast<std::uint32_t>(spec->num_cores())) : std::nullopt;
}

std::optional<BufferDistributionSpec> Buffer::buffer_distribution_spec() const {
    if (sharding_.buffer_distribution_spec().has_value()) {
        return sharding_.buffer_distribution_spec();
    }
    return sharding_.shard_spec().has_value() ? std::optional(in_pages(*sharding_.shard_spec())) : std::nullopt;
}

CoreCoord Buffer::noc_coordinates(std::uint32_t bank) const {
    return is_dram()
               ? device_->virtual_core_from_logical_core({bank, 0}, CoreType::DRAM)
               : device_->worker_core_from_logical_core(device_->allocator()->get_logical_core_from_bank_id(bank));
}

void Buffer::write(std::span<const std::byte> bytes, host::Caller caller, DeviceAddr offset) {
    if (!is_allocated_) {
        host::fail(caller, "the buffer is deallocated");
    }
    if (offset + bytes.size() > size_) {
        host::fail(caller, fmt::format("expected at most {} bytes, the size of the buffer, found {}", size_,
                                       offset + bytes.size()));
    }
    host::Chip& chip = device_->chip(caller);
    for_each_page(*this, chip, [&](std::uint32_t bank, std::uint64_t address, std::size_t place) {
        if (place + page_size_ <= offset || place >= offset + bytes.size()) {
            return;
        }
        const std::size_t begin = std::max<std::size_t>(place, offset);
        const std::size_t end = std::min<std::size_t>(place + page_size_, offset + bytes.size());
        const auto page = bytes.subspan(begin - offset, end - begin);
        if (is_dram()) {
            chip.device().write_dram(bank_of_dram(*this, bank), address + begin - place, page);
        } else {
            chip.device().write_l1(core_of_bank(*this, chip, bank, caller), address + begin - place, page);
        }
    });
}

void Buffer::write_what_fits(std::span<const std::byte> bytes, host::Caller caller) {
    if (bytes.size() < size_) {
        host::warn(caller, fmt::format("the buffer has {} bytes, the data only {}", size_, bytes.size()));
    }
    write(bytes.first(std::min<std::size_t>(bytes.size(), size_)), caller);
}

void Buffer::read(std::span<std::byte> bytes, host::Caller caller, DeviceAddr offset) const {
    if (!is_allocated_) {
        host::fail(caller, "the buffer is deallocated");
    }
    host::Chip& chip = device_->chip(caller);
    for_each_page(*this, chip, [&](std::uint32_t bank, std::uint64_t address, std::size_t place) {
        if (place + page_size_ <= offset || place >= offset + bytes.size()) {
            return;
        }
        const std::size_t begin = std::max<std::size_t>(place, offset);
        const std::size_t end = std::min<std::size_t>(place + page_size_, offset + bytes.size());
        const std::vector<std::byte> page =
            is_dram()
                ? chip.device().read_dram(bank_of_dram(*this, bank), address + begin - place, end - begin)
                : chip.device().read_l1(core_of_bank(*this, chip, bank, caller), address + begin - place, end - begin);
        std::ranges::copy(page, bytes.begin() + static_cast<std::ptrdiff_t>(begin - offset));
    });
}

std::shared_ptr<Buffer> CreateBuffer(const InterleavedBufferConfig& config, host::Caller caller) {
    return Buffer::create(config.device, config.size, config.page_size, config.buffer_type, {}, {}, {}, caller);
}

std::shared_ptr<Buffer> CreateBuffer(const InterleavedBufferConfig& config, DeviceAddr address, host::Caller caller) {
    return Buffer::create(config.device, config.size, config.page_size, config.buffer_type, {}, {}, address, caller);
}

std::shared_ptr<Buffer> CreateBuffer(const ShardedBufferConfig& config, host::Caller caller) {
    return Buffer::create(config.device, config.size, config.page_size, config.buffer_type,
                          {config.shard_parameters, config.buffer_layout}, {}, {}, caller);
}

std::shared_ptr<Buffer> CreateBuffer(const ShardedBufferConfig& config, DeviceAddr address, host::Caller caller) {
    return Buffer::create(config.device, config.size, config.page_size, config.buffer_type,
                          {config.shard_parameters, config.buffer_layout}, {}, address, caller);
}

void DeallocateBuffer(Buffer& buffer) { buffer.deallocate(); }

namespace distributed {

std::shared_ptr<MeshBuffer> MeshBuffer::create(const MeshBufferConfig& config, const DeviceLocalBufferConfig& local,
                                               MeshDevice* device, std::optional<DeviceAddr> address,
                                               host::Caller caller) {
    const DeviceAddr size = std::holds_alternative<ReplicatedBufferConfig>(config)
                                ? std::get<ReplicatedBufferConfig>(config).size
                                : std::get<ShardedBufferConfig>(config).global_size;
    std::shared_ptr<Buffer> buffer = Buffer::create(device, size, local.page_size, local.buffer_type,
                                                    local.sharding_args, local.bottom_up, address, caller);
    return std::shared_ptr<MeshBuffer>(new MeshBuffer(config, local, device, std::move(buffer)));
}

}  // namespace distributed

namespace {

/// Returns the words of a layout with the bytes of a page, as releases from spring 2026 on have them. Kernels of
/// earlier releases do not use them.
std::vector<std::uint32_t> with_page_bytes(std::vector<std::uint32_t> words, std::uint32_t page_bytes) {
    words.insert(words.begin() + 1, page_bytes);
    return words;
}

}  // namespace

TensorAccessorArgs::TensorAccessorArgs(const Buffer& buffer) {
    host::Chip& chip = buffer.device()->chip();
    std::vector<std::uint32_t> banks;
    if (const std::optional<BufferDistributionSpec> spec = buffer.buffer_distribution_spec(); spec.has_value()) {
        for (const CoreCoord& core : spec->cores()) {
            const CoreCoord place = buffer.is_dram() ? core : buffer.device()->worker_core_from_logical_core(core);
            banks.push_back(
                nocbench::bank_word(static_cast<std::uint32_t>(place.x), static_cast<std::uint32_t>(place.y)));
        }
    }
    words_ = with_page_bytes(layout_of(buffer, chip).accessor_words(buffer.is_dram(), banks),
                             static_cast<std::uint32_t>(buffer.aligned_page_size()));
}

TensorAccessorArgs TensorAccessorArgs::create_dram_interleaved() {
    TensorAccessorArgs args;
    args.words_ = with_page_bytes(TensorLayout{}.accessor_words(true, {}), 0);
    return args;
}

TensorAccessorArgs TensorAccessorArgs::create_l1_interleaved() {
    TensorAccessorArgs args;
    args.words_ = with_page_bytes(TensorLayout{}.accessor_words(false, {}), 0);
    return args;
}

void TensorAccessorArgs::append_to(std::vector<std::uint32_t>& compile_time_args) const {
    compile_time_args.insert(compile_time_args.end(), words_.begin(), words_.end());
}

}  // namespace tt::tt_metal
