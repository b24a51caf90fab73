#include "tests/support/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <span>
#include <stdexcept>
#include <utility>

#include "device_model/arch/architecture.h"
#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/risc.h"

namespace nocbench::test {

namespace {

/// Kernels are plain functions, so bodies with captures are looked up by the running RISC.
thread_local const std::vector<std::function<void()>>* running_bodies = nullptr;

void run_body() { running_bodies->at(Risc::current().identity().index)(); }

}  // namespace

std::vector<std::string> all_boards() { return {"n150", "n300", "p100", "p150"}; }

const Architecture& architecture_of(const std::string& board, const std::vector<Setting>& settings) {
    static std::map<std::pair<std::string, std::vector<Setting>>, Architecture> cache;
    const auto key = std::pair(board, settings);
    if (const auto found = cache.find(key); found != cache.end()) {
        return found->second;
    }
    const std::string name = board.starts_with('n') ? "wormhole_b0" : "blackhole";
    return cache.emplace(key, load_architecture(find_architecture(name), board, settings)).first->second;
}

Machine::Machine(const std::string& board, const std::vector<Setting>& settings, Cycle window_cycles_max)
    : device_(architecture_of(board, settings), board, window_cycles_max), program_(device_) {}

std::uint32_t Machine::flit_bytes() const { return static_cast<std::uint32_t>(architecture().router.flit_bytes); }

std::uint32_t Machine::packet_bytes() const {
    return flit_bytes() * static_cast<std::uint32_t>(architecture().router.max_packet_data_flits);
}

std::uint32_t Machine::x(LogicalCoordinate core) const {
    return static_cast<std::uint32_t>(device_.grid().translated(core).x);
}

std::uint32_t Machine::y(LogicalCoordinate core) const {
    return static_cast<std::uint32_t>(device_.grid().translated(core).y);
}

void Machine::add_kernel(const Place& place, std::function<void()> body, const std::string& name,
                         const std::vector<std::uint32_t>& compile_time_args) {
    program_.add_kernel({place.core}, {name, &run_body, place.riscv, place.noc, compile_time_args});
    bodies_.push_back(std::move(body));
}

void Machine::run(Cycle cycles_max) {
    running_bodies = &bodies_;
    program_.run(cycles_max);
}

KernelResult Machine::result(const std::string& name) const {
    for (const KernelResult& result : device_.kernel_results()) {
        if (result.identity.kernel == name) {
            return result;
        }
    }
    throw std::logic_error("no kernel is called " + name);
}

void Machine::run_kernel(std::function<void()> body) {
    add_kernel({{0, 0}, 0, 0}, std::move(body));
    run();
}

std::uint32_t word_at(const Machine& machine, LogicalCoordinate core, std::uint32_t address) {
    std::uint32_t word = 0;
    const std::vector<std::byte> bytes = machine.device().read_l1(core, address, sizeof(word));
    std::ranges::copy(bytes, std::as_writable_bytes(std::span(&word, 1)).begin());
    return word;
}

double cycles(const Zone& zone) { return cycles_from_ticks(zone.end - zone.start); }

std::vector<std::byte> random_bytes(std::size_t size, std::uint32_t seed) {
    std::mt19937 generator(seed);
    std::vector<std::byte> bytes(size);
    std::ranges::generate(bytes, [&] { return static_cast<std::byte>(generator() >> 24); });
    return bytes;
}

std::string first_difference(const std::vector<std::byte>& found, const std::vector<std::byte>& expected) {
    if (found.size() != expected.size()) {
        return fmt::format("expected {} bytes, found {}", expected.size(), found.size());
    }
    const auto place = std::ranges::mismatch(found, expected);
    if (place.in1 == found.end()) {
        return {};
    }
    return fmt::format("byte {} of {}: expected 0x{:02x}, found 0x{:02x}", place.in1 - found.begin(), found.size(),
                       std::to_integer<int>(*place.in2), std::to_integer<int>(*place.in1));
}

}  // namespace nocbench::test
