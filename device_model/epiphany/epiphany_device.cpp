#include "device_model/epiphany/epiphany_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "device_model/epiphany/epiphany_state.h"

namespace nocbench {

EpiphanyDevice::EpiphanyDevice(const EpiphanyConstants& constants, const EpiphanyShape& shape)
    : shape_(shape), state_(std::make_unique<EpiphanyState>(constants, shape)) {}

EpiphanyDevice::~EpiphanyDevice() = default;

std::uint32_t EpiphanyDevice::global_address(LogicalCoordinate core, std::uint32_t offset) const {
    return shape_.global_address(core, offset);
}

int EpiphanyDevice::hops(LogicalCoordinate from, LogicalCoordinate to) {
    return std::abs(from.x - to.x) + std::abs(from.y - to.y);
}

void EpiphanyDevice::write_memory(LogicalCoordinate core, std::uint64_t offset, std::span<const std::byte> bytes) {
    write({core, offset}, bytes);
}

std::vector<std::byte> EpiphanyDevice::read_memory(LogicalCoordinate core, std::uint64_t offset,
                                                   std::size_t size) const {
    return read({core, offset}, size);
}

void EpiphanyDevice::write_external(std::uint64_t offset, std::span<const std::byte> bytes) {
    write({std::nullopt, offset}, bytes);
}

std::vector<std::byte> EpiphanyDevice::read_external(std::uint64_t offset, std::size_t size) const {
    return read({std::nullopt, offset}, size);
}

void EpiphanyDevice::write(const HostTarget& target, std::span<const std::byte> bytes) {
    state_->memory.write(state_->addresses.place_of(target, bytes.size()), bytes);
}

std::vector<std::byte> EpiphanyDevice::read(const HostTarget& target, std::size_t size) const {
    const EpiphanyPlace place = state_->addresses.place_of(target, size);
    std::vector<std::byte> bytes(size);
    state_->memory.read(place, bytes);
    return bytes;
}

void EpiphanyDevice::add_kernel(LogicalCoordinate core, const std::string& name, std::function<void()> kernel,
                                Tick start) {
    state_->add_kernel(core, name, std::move(kernel), start);
}

void EpiphanyDevice::add_host_kernel(const std::string& name, std::function<void(EpiphanyHost&)> kernel, Tick start) {
    state_->add_host_kernel(name, std::move(kernel), start);
}

FloorPlan EpiphanyDevice::floor_plan() const {
    FloorPlan plan;
    plan.columns = shape_.columns + 1;
    plan.rows = shape_.rows;
    plan.flit_bytes = MeshPlane::kFlitBytes;
    const PhysicalCoordinate elink = place_of_node(state_->wiring.edge_node);
    for (int y = 0; y < shape_.rows; ++y) {
        for (int x = 0; x < shape_.columns; ++x) {
            plan.tiles.push_back({{.x = x, .y = y}, "core", LogicalCoordinate{.x = x, .y = y}});
        }
        if (y == elink.y) {
            plan.tiles.push_back({elink, "eLink", std::nullopt});
        }
    }
    for (const char* name : {"cMesh", "xMesh", "rMesh"}) {
        plan.networks.push_back({name,
                                 {Direction::east, Direction::west, Direction::south, Direction::north},
                                 false,
                                 static_cast<int>(MeshPlane::kNetworkCyclesPerCycle)});
    }
    return plan;
}

std::vector<TileDeliveries> EpiphanyDevice::deliveries() const {
    std::vector<TileDeliveries> deliveries;
    const std::vector<std::uint64_t>& bytes = state_->deliveries.bytes_delivered();
    for (std::size_t node = 0; node < bytes.size(); ++node) {
        if (bytes[node] != 0) {
            deliveries.push_back({place_of_node(static_cast<NodeIndex>(node)), bytes[node]});
        }
    }
    std::ranges::sort(deliveries, {}, [](const TileDeliveries& each) { return std::pair(each.tile.y, each.tile.x); });
    return deliveries;
}

PhysicalCoordinate EpiphanyDevice::place_of_node(NodeIndex node) const { return shape_.place_of_node(node); }
std::vector<LinkUse> EpiphanyDevice::link_use() const { return state_->mesh.link_use(shape_); }
std::vector<LinkUse> EpiphanyDevice::injection_use() const { return state_->mesh.injection_use(shape_); }
std::uint64_t EpiphanyDevice::flit_hops() const { return state_->mesh.flit_hops(); }

Simulation& EpiphanyDevice::simulation() { return *state_; }
const Simulation& EpiphanyDevice::simulation() const { return *state_; }
Tick EpiphanyDevice::next_step() const { return state_->next_step(); }

void EpiphanyDevice::stop_when(std::function<bool(Tick)> is_enough) { state_->is_enough = std::move(is_enough); }

void EpiphanyDevice::step(Tick begin) {
    if (state_->is_to_stop(begin)) {
        throw Interruption(fmt::format("interrupted after {} cycles{}", cycle_containing(begin), unfinished()));
    }
    state_->step(begin);
    extend_to(cycle_at_or_after(state_->window_end));
}

}  // namespace nocbench
