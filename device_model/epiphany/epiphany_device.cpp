#include "device_model/epiphany/epiphany_device.h"

#include <cstdlib>
#include <utility>

#include "device_model/epiphany/epiphany_state.h"

namespace nocbench {

EpiphanyDevice::EpiphanyDevice(const EpiphanyConstants& constants, const EpiphanyShape& shape)
    : shape_(shape), state_(std::make_unique<EpiphanyState>(constants, shape)) {}

EpiphanyDevice::~EpiphanyDevice() = default;

std::uint32_t EpiphanyDevice::global_address(LogicalCoordinate core, std::uint32_t offset) const {
    return state_->global_address(core, offset);
}

int EpiphanyDevice::hops(LogicalCoordinate from, LogicalCoordinate to) {
    return std::abs(from.x - to.x) + std::abs(from.y - to.y);
}

void EpiphanyDevice::write_memory(LogicalCoordinate core, std::uint64_t offset, std::span<const std::byte> bytes) {
    state_->write_memory(core, offset, bytes);
}

std::vector<std::byte> EpiphanyDevice::read_memory(LogicalCoordinate core, std::uint64_t offset,
                                                   std::size_t size) const {
    return state_->read_memory(core, offset, size);
}

void EpiphanyDevice::write_external(std::uint64_t offset, std::span<const std::byte> bytes) {
    state_->write_external(offset, bytes);
}

std::vector<std::byte> EpiphanyDevice::read_external(std::uint64_t offset, std::size_t size) const {
    return state_->read_external(offset, size);
}

void EpiphanyDevice::add_kernel(LogicalCoordinate core, const std::string& name, std::function<void()> kernel,
                                Tick start) {
    state_->add_kernel(core, name, std::move(kernel), start);
}

void EpiphanyDevice::add_host_kernel(const std::string& name, std::function<void(EpiphanyHost&)> kernel, Tick start) {
    state_->add_host_kernel(name, std::move(kernel), start);
}

FloorPlan EpiphanyDevice::floor_plan() const { return state_->floor_plan(); }
PhysicalCoordinate EpiphanyDevice::place_of_node(NodeIndex node) const { return state_->place_of_node(node); }
std::vector<LinkUse> EpiphanyDevice::link_use() const { return state_->link_use(); }
std::vector<LinkUse> EpiphanyDevice::injection_use() const { return state_->injection_use(); }
std::vector<TileDeliveries> EpiphanyDevice::deliveries() const { return state_->deliveries(); }
std::uint64_t EpiphanyDevice::flit_hops() const { return state_->flit_hops(); }

Simulation& EpiphanyDevice::simulation() { return *state_; }
const Simulation& EpiphanyDevice::simulation() const { return *state_; }
Tick EpiphanyDevice::next_step() const { return state_->next_step(); }

void EpiphanyDevice::step(Tick begin) {
    state_->step(begin);
    extend_to(cycle_at_or_after(state_->window_end));
}

}  // namespace nocbench
