#include "nocbench/host/device.h"

#include <algorithm>

#include "device_model/sim/error.h"
#include "device_model/tenstorrent/tile/niu_command.h"
#include "kernels/frame/tensix/cores_next_to_banks.h"
#include "kernels/host/chip.h"
#include "kernels/host/session.h"
#include "nocbench/host/mesh.h"

namespace tt::tt_metal {

namespace {

using host::Chip;

/// The chip, made when first asked for.
std::shared_ptr<Chip>& the_chip() { return nocbench::host::in_session<std::shared_ptr<Chip>>(); }

/// Number by which a program knows the chip. Programs have the numbers of their machines.
struct DeviceNumber {
    std::optional<int> value;
};

/// Opens the chip anew. Throws HostError if the program has opened it by another number.
std::shared_ptr<Chip> open_chip(int device_id, const host::Caller& caller) {
    std::optional<int>& known = nocbench::host::in_session<DeviceNumber>().value;
    host::require(known.value_or(device_id) == device_id, caller,
                  "expected device {}, the first that was opened and the only one that is modeled, found device {}",
                  known.value_or(device_id), device_id);
    known = device_id;
    the_chip() = host::at(caller, "device", [] { return std::make_shared<Chip>(); });
    return the_chip();
}

/// Returns the open chip, or one that only tells facts.
Chip& known_chip() {
    if (!the_chip()) {
        the_chip() = std::make_shared<Chip>();
    }
    return *the_chip();
}

/// Returns the name of the chip, also for an architecture that is based on it.
const std::string& chip_name() { return known_chip().architecture().root; }

std::uint64_t l1_begin(const Chip& chip) { return static_cast<std::uint64_t>(chip.architecture().l1.reserved_bytes); }
std::uint64_t l1_bytes(const Chip& chip) {
    return static_cast<std::uint64_t>(chip.architecture().l1.size_bytes) - l1_begin(chip);
}

constexpr unsigned kCoordinateBits = 6;

}  // namespace

IDevice::IDevice(std::shared_ptr<host::Chip> chip) : chip_(std::move(chip)) {}

host::Chip& IDevice::chip(host::Caller caller) const {
    if (chip_ == nullptr) {
        host::fail(caller, "the device is closed");
    }
    return *chip_;
}

ARCH IDevice::arch() const { return get_arch_from_string(chip_name()); }

int IDevice::num_dram_channels() const { return static_cast<int>(chip().grid().dram_banks().size()); }

int IDevice::get_clock_rate_mhz() const {
    constexpr std::int64_t kHzPerMhz = 1'000'000;
    return static_cast<int>(chip().device().board().clock_hz / kHzPerMhz);
}

std::uint32_t IDevice::l1_size_per_core() const {
    return static_cast<std::uint32_t>(chip().architecture().l1.size_bytes);
}

std::uint32_t IDevice::dram_size_per_channel() const {
    return static_cast<std::uint32_t>(chip().architecture().dram.bank_size_bytes);
}

CoreCoord IDevice::grid_size() const {
    const nocbench::Grid& grid = chip().grid();
    return {static_cast<std::size_t>(grid.columns()), static_cast<std::size_t>(grid.rows())};
}

CoreCoord IDevice::compute_with_storage_grid_size() const {
    const nocbench::Grid& grid = chip().grid();
    return {static_cast<std::size_t>(grid.compute_columns()), static_cast<std::size_t>(grid.compute_rows())};
}

CoreCoord IDevice::dram_grid_size() const { return {static_cast<std::size_t>(num_dram_channels()), 1}; }

CoreRangeSet IDevice::worker_cores(HalProgrammableCoreType, SubDeviceId) const {
    const CoreCoord size = compute_with_storage_grid_size();
    const CoreRange all({0, 0}, {size.x - 1, size.y - 1});
    return {all};
}

CoreCoord IDevice::worker_core_from_logical_core(const CoreCoord& core, host::Caller caller) const {
    Chip& its = chip(caller);
    const nocbench::TranslatedCoordinate place = its.grid().translated(its.core(core, caller));
    return {static_cast<std::size_t>(place.x), static_cast<std::size_t>(place.y)};
}

std::vector<CoreCoord> IDevice::worker_cores_from_logical_cores(const std::vector<CoreCoord>& cores,
                                                                host::Caller caller) const {
    std::vector<CoreCoord> places;
    places.reserve(cores.size());
    for (const CoreCoord& core : cores) {
        places.push_back(worker_core_from_logical_core(core, caller));
    }
    return places;
}

CoreCoord IDevice::virtual_core_from_logical_core(const CoreCoord& core, CoreType type, host::Caller caller) const {
    if (type == CoreType::WORKER) {
        return worker_core_from_logical_core(core, caller);
    }
    if (type != CoreType::DRAM || core.x >= chip(caller).grid().dram_banks().size()) {
        host::fail(caller, fmt::format("expected a core of the compute grid, or a channel of DRAM from 0 to {}",
                                       chip(caller).grid().dram_banks().size() - 1));
    }
    const nocbench::TranslatedCoordinate place =
        chip(caller).grid().translated(chip(caller).grid().dram_banks()[core.x].endpoint.front());
    return {static_cast<std::size_t>(place.x), static_cast<std::size_t>(place.y)};
}

CoreCoord IDevice::virtual_noc0_coordinate(std::uint8_t, CoreCoord coordinate) const { return coordinate; }

std::vector<CoreCoord> IDevice::get_optimal_dram_bank_to_logical_worker_assignment(NOC noc) const {
    std::vector<CoreCoord> cores;
    for (const nocbench::LogicalCoordinate core : nocbench::cores_next_to_banks(chip().grid(), noc)) {
        cores.emplace_back(static_cast<std::size_t>(core.x), static_cast<std::size_t>(core.y));
    }
    return cores;
}

std::uint32_t IDevice::get_noc_unicast_encoding(std::uint8_t, const CoreCoord& core) const {
    return static_cast<std::uint32_t>(core.y << kCoordinateBits | core.x);
}

std::uint32_t IDevice::get_noc_multicast_encoding(std::uint8_t noc, const CoreRange& cores) const {
    // NoC 1 counts from the opposite corner, and so its rectangle begins at the other one.
    const auto& [first, last] =
        noc == 0 ? std::pair(cores.start_coord, cores.end_coord) : std::pair(cores.end_coord, cores.start_coord);
    return get_noc_unicast_encoding(noc, first) << 2 * kCoordinateBits | get_noc_unicast_encoding(noc, last);
}

std::uint64_t IDevice::get_dev_addr(CoreCoord, HalL1MemAddrType) const { return l1_begin(chip()); }

std::uint64_t IDevice::get_dev_size(CoreCoord, HalL1MemAddrType) const { return l1_bytes(chip()); }

const std::unique_ptr<Allocator>& IDevice::allocator() const {
    static std::unique_ptr<Allocator> allocator;
    allocator = std::make_unique<Allocator>(*this);
    return allocator;
}

std::uint32_t IDevice::get_allocator_alignment() const { return allocator()->get_alignment(BufferType::DRAM); }

std::optional<DeviceAddr> IDevice::lowest_occupied_compute_l1_address() const {
    return chip().ranges_of(BufferType::L1).lowest();
}

bool IDevice::close() {
    chip_ = nullptr;
    the_chip() = nullptr;
    return true;
}

std::uint32_t Allocator::get_num_banks(BufferType type) const {
    return static_cast<std::uint32_t>(type == BufferType::DRAM ? device_.chip().grid().dram_banks().size()
                                                               : device_.chip().l1_banks().size());
}

DeviceAddr Allocator::get_bank_size(BufferType type) const {
    const nocbench::host::RangeAllocator& ranges = device_.chip().ranges_of(type);
    return ranges.end() - ranges.begin();
}

std::uint32_t Allocator::get_alignment(BufferType type) const { return device_.chip().alignment(type); }

DeviceAddr Allocator::get_base_allocator_addr(HalMemType type) const {
    return device_.chip().ranges_of(type == HalMemType::DRAM ? BufferType::DRAM : BufferType::L1).begin();
}

CoreCoord Allocator::get_logical_core_from_bank_id(std::uint32_t bank) const {
    const nocbench::LogicalCoordinate core = device_.chip().l1_banks().at(bank);
    return {static_cast<std::size_t>(core.x), static_cast<std::size_t>(core.y)};
}

std::size_t GetNumAvailableDevices() { return 1; }
std::size_t GetNumPCIeDevices() { return 1; }
bool IsGalaxyCluster() { return false; }

namespace {

/// Devices that were made by number, for programs that keep a bare pointer.
std::vector<std::shared_ptr<distributed::MeshDevice>>& numbered_devices() {
    return nocbench::host::in_session<std::vector<std::shared_ptr<distributed::MeshDevice>>>();
}

}  // namespace

IDevice* CreateDevice(ChipId device_id, std::uint8_t, std::size_t, std::size_t, const DispatchCoreConfig&,
                      const std::vector<std::uint32_t>&, std::size_t, host::Caller caller) {
    return numbered_devices()
        .emplace_back(distributed::MeshDevice::create_unit_mesh(device_id, 0, 0, 1, {}, {}, 0, caller))
        .get();
}

IDevice* CreateDeviceMinimal(ChipId device_id, std::uint8_t, const DispatchCoreConfig&, host::Caller caller) {
    return CreateDevice(device_id, 1, 0, 0, {}, {}, 0, caller);
}

bool CloseDevice(IDevice* device) { return device->close(); }

namespace detail {

std::map<ChipId, IDevice*> CreateDevices(const std::vector<ChipId>& device_ids, std::uint8_t, std::size_t, std::size_t,
                                         const DispatchCoreConfig&, host::Caller caller) {
    std::map<ChipId, IDevice*> devices;
    for (const ChipId id : device_ids) {
        devices[id] = CreateDevice(id, 1, 0, 0, {}, {}, 0, caller);
    }
    return devices;
}

void CloseDevices(const std::map<ChipId, IDevice*>& devices) {
    for (const auto& [id, device] : devices) {
        device->close();
    }
}

std::string get_platform_architecture_name() { return chip_name(); }

}  // namespace detail

MetalContext& MetalContext::instance() {
    static MetalContext context;
    return context;
}

std::uint64_t MetalContext::Hal::get_dev_addr(HalDramMemAddrType) const {
    return known_chip().ranges_of(BufferType::DRAM).begin();
}

std::uint32_t MetalContext::Hal::get_dev_size(HalDramMemAddrType) const {
    const nocbench::host::RangeAllocator& ranges = known_chip().ranges_of(BufferType::DRAM);
    return static_cast<std::uint32_t>(ranges.end() - ranges.begin());
}

std::uint64_t MetalContext::Hal::get_dev_addr(HalProgrammableCoreType, HalL1MemAddrType) const {
    return l1_begin(known_chip());
}

std::uint32_t MetalContext::Hal::get_dev_size(HalProgrammableCoreType, HalL1MemAddrType) const {
    return static_cast<std::uint32_t>(l1_bytes(known_chip()));
}

std::uint32_t MetalContext::Hal::get_alignment(HalMemType type) const {
    return known_chip().alignment(type == HalMemType::L1 ? BufferType::L1 : BufferType::DRAM);
}

std::vector<CoreCoord> metal_SocDescriptor::get_cores(CoreType type, CoordSystem) const {
    const nocbench::Grid& grid = known_chip().grid();
    std::vector<CoreCoord> cores;
    const auto add = [&](nocbench::PhysicalCoordinate tile) {
        const nocbench::TranslatedCoordinate place = grid.translated(tile);
        cores.emplace_back(static_cast<std::size_t>(place.x), static_cast<std::size_t>(place.y));
    };
    if (type == CoreType::PCIE) {
        if (const std::optional<nocbench::PhysicalCoordinate> host = grid.host_tile(); host.has_value()) {
            add(*host);
        }
    } else if (type == CoreType::WORKER) {
        std::ranges::for_each(grid.live_tensix(), add);
    } else if (type == CoreType::DRAM) {
        for (const nocbench::DramBank& bank : grid.dram_banks()) {
            add(bank.endpoint.front());
        }
    }
    return cores;
}

ARCH MetalContext::Cluster::arch() const { return get_arch_from_string(chip_name()); }

namespace hal {

std::uint32_t get_l1_alignment() { return known_chip().alignment(BufferType::L1); }
std::uint32_t get_dram_alignment() { return known_chip().alignment(BufferType::DRAM); }
std::uint32_t get_pcie_alignment() { return get_dram_alignment(); }
std::uint32_t get_arch_num_circular_buffers() { return NUM_CIRCULAR_BUFFERS; }

}  // namespace hal

namespace distributed {

MeshDevice::MeshDevice(std::shared_ptr<host::Chip> chip)
    : IDevice(std::move(chip)), queue_(std::make_unique<MeshCommandQueue>(this)) {}

std::shared_ptr<MeshDevice> MeshDevice::create_unit_mesh(int device_id, std::size_t, std::size_t, std::size_t,
                                                         const DispatchCoreConfig&, stl::Span<const std::uint32_t>,
                                                         std::size_t, host::Caller caller) {
    return std::shared_ptr<MeshDevice>(new MeshDevice(open_chip(device_id, caller)));
}

std::map<int, std::shared_ptr<MeshDevice>> MeshDevice::create_unit_meshes(const std::vector<int>& device_ids,
                                                                          std::size_t, std::size_t, std::size_t,
                                                                          const DispatchCoreConfig&,
                                                                          stl::Span<const std::uint32_t>, std::size_t,
                                                                          host::Caller caller) {
    std::map<int, std::shared_ptr<MeshDevice>> devices;
    for (const int id : device_ids) {
        devices[id] = create_unit_mesh(id, 0, 0, 1, {}, {}, 0, caller);
    }
    return devices;
}

namespace {

void require_one_chip(const MeshShape& shape, const host::Caller& caller) {
    host::require(shape.mesh_size() == 1, caller,
                  "expected a mesh of one chip, found one of {}: several chips are not modeled", shape.mesh_size());
}

}  // namespace

std::shared_ptr<MeshDevice> MeshDevice::create(const MeshDeviceConfig& config, std::size_t, std::size_t, std::size_t,
                                               const DispatchCoreConfig&, stl::Span<const std::uint32_t>, std::size_t,
                                               host::Caller caller) {
    require_one_chip(config.mesh_shape(), caller);
    return create_unit_mesh(0, 0, 0, 1, {}, {}, 0, caller);
}

std::shared_ptr<MeshDevice> MeshDevice::create_submesh(const MeshShape& shape, const std::optional<MeshCoordinate>&,
                                                       host::Caller caller) {
    require_one_chip(shape, caller);
    return shared_from_this();
}

MeshCommandQueue& MeshDevice::mesh_command_queue(std::optional<std::uint8_t>) const { return *queue_; }

const MeshShape& MeshDevice::shape() const {
    static const MeshShape shape(1, 1);
    return shape;
}

IDevice* MeshDevice::get_device(ChipId id, host::Caller caller) const {
    if (id != 0) {
        host::fail(caller, fmt::format("expected device 0, the only one, found device {}", id));
    }
    return self();
}

}  // namespace distributed

}  // namespace tt::tt_metal

namespace tt::test_utils {

std::string get_umd_arch_name() { return tt_metal::detail::get_platform_architecture_name(); }

}  // namespace tt::test_utils
