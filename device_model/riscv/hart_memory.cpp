// Loads and stores of a hart outside its private memory, and atomic operations.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "device_model/riscv/guest_fault.h"
#include "device_model/riscv/hart.h"
#include "device_model/riscv/isa/arithmetic.h"

namespace nocbench::riscv {

void Hart::fail_access(std::uint32_t address, std::uint32_t bytes, const char* what) const {
    std::string regions = fmt::format("private memory 0x{:x} to 0x{:x}", memory_begin_, memory_begin_ + memory_.size());
    for (const Region& region : regions_) {
        if (region.contains(address)) {
            throw GuestFault(
                fmt::format("{} of {} bytes at 0x{:x}: it runs over the end of {}", what, bytes, address, region.name));
        }
        regions += fmt::format(", {} 0x{:x} to 0x{:x}", region.name, region.begin, region.begin + region.bytes);
    }
    throw GuestFault(
        fmt::format("{} of {} bytes at 0x{:x}: nothing is there; there are {}", what, bytes, address, regions));
}

const Region& Hart::region_of(std::uint32_t address, std::uint32_t bytes, const char* what) {
    if (last_region_ == nullptr || !last_region_->contains(address)) {
        const auto found =
            std::ranges::find_if(regions_, [&](const Region& region) { return region.contains(address); });
        if (found == regions_.end()) {
            fail_access(address, bytes, what);
        }
        last_region_ = &*found;
    }
    if (last_region_->bytes - (address - last_region_->begin) < bytes) {
        fail_access(address, bytes, what);
    }
    return *last_region_;
}

void Hart::fail_stack(std::uint32_t stack_pointer) const {
    const std::uint32_t variables = stack_limit_ - memory_begin_;
    throw GuestFault(
        fmt::format("stack overflow: the stack pointer is {} bytes below the end of the program's variables, which "
                    "take {} of the {} bytes of private memory and leave {} for the stack",
                    stack_limit_ - stack_pointer, variables, memory_.size(), memory_.size() - variables));
}

std::uint32_t Hart::load_elsewhere(std::uint32_t address, std::uint32_t bytes, std::uint8_t destination) {
    timing_.wait_for_stores_to(address);
    std::uint32_t value = 0;
    if (has_private(address, bytes)) {
        std::memcpy(&value, &memory_[address - memory_begin_], bytes);
        timing_.fast_load(destination, constants_.private_load_cycles);
        return value;
    }
    const Region& region = region_of(address, bytes, "load");
    if (region.is_checked(address)) {
        bus_.check_load(region, address);
    }
    if (!region.is_cached || !cache_.is_on()) {
        timing_.begin_slow_load();
        value = sample(region, address, bytes, nullptr);
        timing_.end_slow_load(destination, region.load_cycles);
        return value;
    }
    const std::uint32_t offset = address % DataCache::kLineBytes;
    if (const DataCache::Line* const line = cache_.find(address)) {
        std::memcpy(&value, &(*line)[offset], bytes);
        if (region.reports_hits) {
            bus_.hit_cache(region, address, std::span(*line).subspan(offset, bytes), timing_.now());
        }
        timing_.fast_load(destination, constants_.cache_hit_cycles);
        cached_pc_ = pc();
        return value;
    }
    timing_.begin_slow_load();
    value = sample(region, address, bytes, &cache_.replace(address));
    timing_.end_slow_load(destination, region.load_cycles);
    return value;
}

std::uint32_t Hart::sample(const Region& region, std::uint32_t address, std::uint32_t bytes, DataCache::Line* line) {
    const Cycle cycle = timing_.now() + region.sample_cycles;
    const std::uint32_t line_begin = address - address % DataCache::kLineBytes;
    Sample sample{address, bytes, 0, {}, 0, 0};
    bool is_replayed = false;
    if (next_replayed_ < replayed_.size()) {
        const Sample& before = replayed_[next_replayed_++];
        if (before.address != address || before.bytes != bytes) {
            next_replayed_ = replayed_.size();  // has seen the change and leaves the recorded path
        } else if (cycle + before.taken_after < replayed_until_) {
            sample = before;
            replayed_meeting_ = std::max(replayed_meeting_, cycle + before.met_after);
            is_replayed = true;
        }
    }
    if (!is_replayed) {
        if (replayed_meeting_ >= 0) {
            bus_.meet(std::exchange(replayed_meeting_, -1));
        }
        sample.taken_after =
            bus_.load(region, address, std::as_writable_bytes(std::span(&sample.value, 1)).first(bytes), cycle) - cycle;
        if (line != nullptr) {
            bus_.load(region, line_begin, sample.line, cycle);
        }
        sample.met_after = bus_.met_until() - cycle;
    }
    if (line != nullptr) {
        *line = sample.line;
    }
    if (snapshot_.is_valid) {
        constexpr std::uint32_t kWordBytes = 4;
        const std::size_t num_watches = 1 + (line != nullptr ? DataCache::kLineBytes / kWordBytes : 0);
        if (watches_.size() + num_watches <= kWatchesMax && bus_.can_be_watched(region, address)) {
            // Later loads of the loop may hit the rest of the line.
            for (std::uint32_t offset = 0; line != nullptr && offset < DataCache::kLineBytes; offset += kWordBytes) {
                Watch watch{&region, line_begin + offset, kWordBytes, 0, pc(), true};
                std::memcpy(&watch.value, &(*line)[offset], kWordBytes);
                watches_.push_back(watch);
            }
            watches_.push_back({&region, address, bytes, sample.value, pc(), false});
            samples_.push_back(sample);
            last_sample_ = std::max(last_sample_, cycle + sample.taken_after);
        } else {
            is_watched_ = false;
        }
    }
    return sample.value;
}

void Hart::store_elsewhere(std::uint32_t address, std::uint32_t bytes, std::uint32_t value) {
    if (has_private(address, bytes)) {
        if (std::memcmp(&memory_[address - memory_begin_], &value, bytes) != 0) {
            std::memcpy(&memory_[address - memory_begin_], &value, bytes);
            ++effects_;
        }
        timing_.store(address, 1);
        return;
    }
    const Region& region = region_of(address, bytes, "store");
    if (address + bytes > code_.base() && address < code_.base() + code_.bytes()) {
        fail_own_code("store", address, bytes);
    }
    ++effects_;
    const Cycle cycle = timing_.store(address, region.store_interval_cycles);
    const auto data = std::as_bytes(std::span(&value, 1)).first(bytes);
    if (region.is_cached && cache_.is_on()) {
        cache_.write_through(address, data);
    }
    bus_.store(region, address, data, cycle);
}

std::uint32_t Hart::atomic(const Instruction& instruction) {
    const std::uint32_t address = registers_[instruction.source1];
    const std::uint32_t operand = registers_[instruction.source2];
    constexpr std::uint32_t kBytes = 4;
    if (address % kBytes != 0) {
        throw GuestFault(
            fmt::format("{} at 0x{:x}: expected a multiple of 4", to_string(instruction.operation), address));
    }
    ++effects_;
    const bool is_private = has_private(address, kBytes);
    const Region* const region = is_private ? nullptr : &region_of(address, kBytes, "atomic access");
    if (region != nullptr && region->is_checked(address)) {
        bus_.check_load(*region, address);
    }
    const Cycle latency = is_private ? constants_.private_load_cycles : constants_.atomic_cycles;
    std::uint32_t old = 0;
    const auto bytes = std::as_writable_bytes(std::span(&old, 1));
    timing_.wait_for_stores_to(address);
    timing_.begin_slow_load();
    const Cycle cycle = timing_.now() + latency / 2;
    if (is_private) {
        std::memcpy(&old, &memory_[address - memory_begin_], kBytes);
    } else {
        bus_.load(*region, address, bytes, cycle);
    }
    const auto [stored, result, stores] = reservation_.execute(instruction.operation, address, old, operand);
    if (stores) {
        const auto data = std::as_bytes(std::span(&stored, 1));
        if (is_private) {
            std::memcpy(&memory_[address - memory_begin_], data.data(), kBytes);
        } else {
            bus_.store(*region, address, data, cycle);
        }
    }
    cache_.flush();
    timing_.end_slow_load(instruction.destination, latency);
    return result;
}

}  // namespace nocbench::riscv
