// A chip, as host programs see it. Names follow tt-metal, release 0.66, and what of earlier ones is still in use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "nocbench/host/cores.h"
#include "nocbench/host/data_formats.h"
#include "nocbench/host/log.h"
#include "nocbench/host/mesh_coordinates.h"

#pragma GCC visibility push(default)

namespace tt::host {
class Chip;
}  // namespace tt::host

namespace tt::tt_metal {

class Allocator;
class IDevice;

struct DispatchCoreConfig {};
enum class DispatchCoreType : std::uint8_t { WORKER, ETH };
struct SubDeviceId {
    std::uint8_t value = 0;
};

/// Order of commands in releases before meshes. Commands are carried out when they are given.
class CommandQueue {
public:
    explicit CommandQueue(IDevice* device) : device_(device) {}
    [[nodiscard]] IDevice* device() const { return device_; }
    [[nodiscard]] std::uint32_t id() const { return 0; }

private:
    IDevice* device_;
};

/// The one chip of a machine. All of its functions throw HostError once it is closed.
class IDevice {
public:
    IDevice(const IDevice&) = delete;
    IDevice& operator=(const IDevice&) = delete;
    virtual ~IDevice() = default;

    [[nodiscard]] ARCH arch() const;
    [[nodiscard]] ChipId id() const { return 0; }
    [[nodiscard]] ChipId build_id() const { return 0; }
    [[nodiscard]] std::uint8_t num_hw_cqs() const { return 1; }
    [[nodiscard]] CommandQueue& command_queue(std::size_t /*id*/ = 0) { return command_queue_; }
    [[nodiscard]] bool is_initialized() const { return chip_ != nullptr; }
    [[nodiscard]] bool is_mmio_capable() const { return true; }
    [[nodiscard]] int num_dram_channels() const;
    [[nodiscard]] int get_clock_rate_mhz() const;
    [[nodiscard]] std::uint32_t l1_size_per_core() const;
    [[nodiscard]] std::uint32_t dram_size_per_channel() const;
    /// Columns and rows of all tiles, of the cores for programs, and of the banks of DRAM.
    [[nodiscard]] CoreCoord grid_size() const;
    [[nodiscard]] CoreCoord logical_grid_size() const { return compute_with_storage_grid_size(); }
    [[nodiscard]] CoreCoord compute_with_storage_grid_size() const;
    [[nodiscard]] CoreCoord dram_grid_size() const;
    [[nodiscard]] CoreRangeSet worker_cores(HalProgrammableCoreType type = {}, SubDeviceId id = {}) const;

    // Coordinates by which kernels address a tile.

    [[nodiscard]] CoreCoord worker_core_from_logical_core(const CoreCoord& core,
                                                          host::Caller caller = host::Caller::current()) const;
    [[nodiscard]] std::vector<CoreCoord> worker_cores_from_logical_cores(
        const std::vector<CoreCoord>& cores, host::Caller caller = host::Caller::current()) const;
    [[nodiscard]] CoreCoord virtual_core_from_logical_core(const CoreCoord& core, CoreType type,
                                                           host::Caller caller = host::Caller::current()) const;
    [[nodiscard]] CoreCoord virtual_noc0_coordinate(std::uint8_t noc, CoreCoord coordinate) const;
    [[nodiscard]] CoreCoord logical_core_from_dram_channel(std::uint32_t channel) const { return {channel, 0}; }
    [[nodiscard]] std::uint32_t dram_channel_from_logical_core(const CoreCoord& core) const {
        return static_cast<std::uint32_t>(core.x);
    }
    [[nodiscard]] std::vector<CoreCoord> get_optimal_dram_bank_to_logical_worker_assignment(NOC noc) const;
    /// Return these coordinates in the form of the upper half of a NoC address.
    [[nodiscard]] std::uint32_t get_noc_unicast_encoding(std::uint8_t noc, const CoreCoord& core) const;
    [[nodiscard]] std::uint32_t get_noc_multicast_encoding(std::uint8_t noc, const CoreRange& cores) const;

    /// None: Ethernet cores are not modeled.
    [[nodiscard]] std::unordered_set<CoreCoord> get_active_ethernet_cores(bool = false) const { return {}; }

    [[nodiscard]] HalProgrammableCoreType get_programmable_core_type(CoreCoord /*core*/) const {
        return HalProgrammableCoreType::TENSIX;
    }
    /// Returns where a part of a core's L1 begins, and its bytes.
    [[nodiscard]] std::uint64_t get_dev_addr(CoreCoord core, HalL1MemAddrType type) const;
    [[nodiscard]] std::uint64_t get_dev_size(CoreCoord core, HalL1MemAddrType type) const;

    [[nodiscard]] const std::unique_ptr<Allocator>& allocator() const;
    [[nodiscard]] std::uint32_t get_allocator_alignment() const;
    /// Returns the lowest address of L1 that a buffer has; none without buffers in L1.
    [[nodiscard]] std::optional<DeviceAddr> lowest_occupied_compute_l1_address() const;

    bool close();
    void enable_program_cache() {}
    void clear_program_cache() {}
    void disable_and_clear_program_cache() {}
    [[nodiscard]] std::size_t num_program_cache_entries() const { return 0; }
    [[nodiscard]] std::vector<SubDeviceId> get_sub_device_ids() const { return {{}}; }

    /// For the implementation only. Throws HostError if the chip is closed.
    [[nodiscard]] host::Chip& chip(host::Caller caller = host::Caller::current()) const;
    [[nodiscard]] const std::shared_ptr<host::Chip>& chip_pointer() const { return chip_; }

protected:
    explicit IDevice(std::shared_ptr<host::Chip> chip);

    std::shared_ptr<host::Chip> chip_;

private:
    CommandQueue command_queue_{this};
};

/// Facts of the memories that buffers are placed in.
class Allocator {
public:
    explicit Allocator(const IDevice& device) : device_(device) {}
    [[nodiscard]] std::uint32_t get_num_banks(BufferType type) const;
    [[nodiscard]] DeviceAddr get_bank_size(BufferType type) const;
    [[nodiscard]] std::uint32_t get_alignment(BufferType type) const;
    [[nodiscard]] DeviceAddr get_base_allocator_addr(HalMemType type) const;
    [[nodiscard]] std::uint32_t get_dram_channel_from_bank_id(std::uint32_t bank) const { return bank; }
    [[nodiscard]] CoreCoord get_logical_core_from_bank_id(std::uint32_t bank) const;

private:
    const IDevice& device_;
};

std::size_t GetNumAvailableDevices();
std::size_t GetNumPCIeDevices();
bool IsGalaxyCluster();
IDevice* CreateDevice(ChipId device_id, std::uint8_t num_hw_cqs = 1, std::size_t l1_small_size = DEFAULT_L1_SMALL_SIZE,
                      std::size_t trace_region_size = DEFAULT_TRACE_REGION_SIZE, const DispatchCoreConfig& = {},
                      const std::vector<std::uint32_t>& l1_bank_remap = {}, std::size_t worker_l1_size = 0,
                      host::Caller caller = host::Caller::current());
IDevice* CreateDeviceMinimal(ChipId device_id, std::uint8_t num_hw_cqs = 1, const DispatchCoreConfig& = {},
                             host::Caller caller = host::Caller::current());
bool CloseDevice(IDevice* device);

namespace detail {

std::map<ChipId, IDevice*> CreateDevices(const std::vector<ChipId>& device_ids, std::uint8_t num_hw_cqs = 1,
                                         std::size_t l1_small_size = DEFAULT_L1_SMALL_SIZE,
                                         std::size_t trace_region_size = DEFAULT_TRACE_REGION_SIZE,
                                         const DispatchCoreConfig& = {}, host::Caller caller = host::Caller::current());
void CloseDevices(const std::map<ChipId, IDevice*>& devices);
std::string get_platform_architecture_name();

}  // namespace detail

/// Tiles by their kind, with the coordinates by which kernels address them.
class metal_SocDescriptor {
public:
    [[nodiscard]] std::vector<CoreCoord> get_cores(CoreType type, CoordSystem = CoordSystem::TRANSLATED) const;
};

/// Facts of the machine beyond one device, and barriers of the host's writes, which here are done at once.
class MetalContext {
public:
    class Hal {
    public:
        [[nodiscard]] std::uint64_t get_dev_addr(HalDramMemAddrType type) const;
        [[nodiscard]] std::uint32_t get_dev_size(HalDramMemAddrType type) const;
        [[nodiscard]] std::uint64_t get_dev_addr(HalProgrammableCoreType core, HalL1MemAddrType type) const;
        [[nodiscard]] std::uint32_t get_dev_size(HalProgrammableCoreType core, HalL1MemAddrType type) const;
        [[nodiscard]] std::uint32_t get_alignment(HalMemType type) const;
        [[nodiscard]] std::uint32_t get_arch_num_circular_buffers() const { return NUM_CIRCULAR_BUFFERS; }
    };
    class Cluster {
    public:
        void l1_barrier(ChipId) const {}
        void dram_barrier(ChipId) const {}
        [[nodiscard]] std::size_t number_of_devices() const { return 1; }
        [[nodiscard]] std::vector<ChipId> user_exposed_chip_ids() const { return {0}; }
        [[nodiscard]] metal_SocDescriptor get_soc_desc(ChipId) const { return {}; }
        [[nodiscard]] std::uint64_t get_pcie_base_addr_from_device(ChipId) const { return 0; }
        [[nodiscard]] ARCH arch() const;
    };
    class DispatchQueryManager {
    public:
        /// None: cores that dispatch programs are not modeled, and lie outside of the grid.
        [[nodiscard]] std::vector<CoreCoord> get_logical_dispatch_cores_on_user_chips() const { return {}; }
    };

    static MetalContext& instance();
    [[nodiscard]] Hal& hal() { return hal_; }
    [[nodiscard]] Cluster& get_cluster() { return cluster_; }
    [[nodiscard]] DispatchQueryManager& get_dispatch_query_manager() { return dispatch_query_manager_; }

private:
    Hal hal_;
    Cluster cluster_;
    DispatchQueryManager dispatch_query_manager_;
};

namespace hal {

std::uint32_t get_l1_alignment();
std::uint32_t get_dram_alignment();
std::uint32_t get_pcie_alignment();
std::uint32_t get_arch_num_circular_buffers();

}  // namespace hal

}  // namespace tt::tt_metal

namespace tt::test_utils {

/// Returns the name of the modeled chip: "wormhole_b0" or "blackhole".
std::string get_umd_arch_name();

}  // namespace tt::test_utils

namespace tt::umd {

using tt::tt_metal::CoreCoord;

}  // namespace tt::umd

using tt::tt_metal::metal_SocDescriptor;

#pragma GCC visibility pop
