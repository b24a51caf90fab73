#include "tests/support/random_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <tuple>
#include <utility>

#include "kernels/tensix/dataflow_api.h"
#include "tests/support/multicast_geometry.h"

namespace nocbench::test {

using namespace nocbench::dataflow;

namespace {

using Action = RandomProgram::Action;
using Step = RandomProgram::Step;

// L1 layout of each core: bytes read by others, pages, words for private use, and areas that a single step writes.
constexpr std::uint32_t kSourceAddress = 0x20000;
constexpr std::uint32_t kSourceBytes = 0x10000;
constexpr std::uint32_t kPagesAddress = 0x30000;
constexpr std::uint32_t kPageBytes = 64;
constexpr std::uint32_t kNumPages = 3;
constexpr std::uint32_t kScratchAddress = 0x31000;
constexpr std::uint32_t kDestinationAddress = 0x32000;
constexpr std::uint32_t kDestinationEnd = 0x160000;

// DRAM layout.
constexpr std::uint32_t kNumBanks = 3;
constexpr std::uint32_t kDramDestinationAddress = 0x100000;

constexpr std::uint32_t kCircularBuffer = 4;
constexpr std::uint32_t kManyReads = 300;  // more than a NIU can have in flight
constexpr std::uint32_t kStride = 64;      // buffers begin at multiples of this, which satisfies any alignment

std::uint32_t round_up(std::uint32_t size) { return (size + kStride - 1) / kStride * kStride; }

/// Generator of a program's scripts and expected results.
class Author {
public:
    Author(Machine& machine, std::uint32_t seed) : machine_(machine), generator_(seed) {
        choose_cores();
        for (const LogicalCoordinate core : cores_) {
            sources_[core] = random_bytes(kSourceBytes, number(0, 0xffffff));
            machine.device().write_l1(core, kSourceAddress, sources_[core]);
            machine.program().add_circular_buffer(core, kCircularBuffer, kPagesAddress, kPageBytes, kNumPages);
        }
        for (std::uint32_t bank = 0; bank < kNumBanks; ++bank) {
            dram_sources_.push_back(random_bytes(kSourceBytes, number(0, 0xffffff)));
            machine.device().write_dram(bank, 0, dram_sources_.back());
        }
        for (const LogicalCoordinate core : cores_) {
            const int noc = static_cast<int>(number(0, 1));
            const bool has_both = number(0, 2) != 0;
            const std::uint32_t num_pages = has_both ? number(0, 6) : 0;
            write_script({core, 0, noc}, Action::pop_page, num_pages);
            if (has_both) {
                write_script({core, 1, 1 - noc}, Action::push_page, num_pages);
            }
        }
        for (RandomProgram::Script& script : scripts) {
            script.increments_to_wait_for = script.place.riscv == 0 ? increments_[script.place.core] : 0;
        }
    }

    [[nodiscard]] const std::vector<LogicalCoordinate>& cores() const { return cores_; }

    std::vector<RandomProgram::Script> scripts;
    std::vector<RandomProgram::Expectation> expectations;

private:
    std::uint32_t number(std::uint32_t least, std::uint32_t most) {
        return least + static_cast<std::uint32_t>(generator_()) % (most - least + 1);
    }

    template <class Value, std::size_t kCount>
    Value one_of(const std::array<Value, kCount>& values) {
        return values[number(0, kCount - 1)];
    }

    void choose_cores() {
        const Grid& grid = machine_.device().grid();
        const std::uint32_t count = number(1, 9);
        for (std::uint32_t index = 0; index < count; ++index) {
            const LogicalCoordinate core{
                static_cast<int>(number(0, static_cast<std::uint32_t>(grid.compute_columns()) - 1)),
                static_cast<int>(number(0, static_cast<std::uint32_t>(grid.compute_rows()) - 1))};
            if (std::ranges::find(cores_, core) == cores_.end()) {
                cores_.push_back(core);
            }
        }
    }

    void write_script(const Place& place, Action of_page, std::uint32_t num_pages) {
        RandomProgram::Script script{place, write_steps(place, number(5, 30), 0), 0};
        for (std::uint32_t page = 0; page < num_pages; ++page) {
            Step step;
            step.action = of_page;
            const std::uint32_t position = number(0, static_cast<std::uint32_t>(script.steps.size()));
            script.steps.insert(script.steps.begin() + position, step);
        }
        scripts.push_back(std::move(script));
    }

    std::vector<Step> write_steps(const Place& place, std::uint32_t count, int depth) {
        // Repeated entries give actions a higher probability.
        constexpr std::array kActions{Action::read,
                                      Action::read,
                                      Action::read,
                                      Action::read_one_packet,
                                      Action::write,
                                      Action::write,
                                      Action::write,
                                      Action::write_one_packet,
                                      Action::posted_write,
                                      Action::posted_write,
                                      Action::dram_read,
                                      Action::dram_write,
                                      Action::multicast,
                                      Action::multicast,
                                      Action::multicast_chain,
                                      Action::increment_multicast,
                                      Action::increment,
                                      Action::read_barrier,
                                      Action::write_barrier,
                                      Action::atomic_barrier,
                                      Action::full_barrier,
                                      Action::flush,
                                      Action::posted_flush,
                                      Action::load,
                                      Action::store,
                                      Action::argument,
                                      Action::zone,
                                      Action::zone};
        std::vector<Step> steps;
        for (std::uint32_t index = 0; index < count; ++index) {
            const Action action = number(0, 49) == 0 ? Action::many_reads : one_of(kActions);
            if (action == Action::zone) {
                Step zone;
                zone.action = Action::zone;
                if (depth < 3) {
                    zone.steps = write_steps(place, number(0, 6), depth + 1);
                }
                steps.push_back(std::move(zone));
            } else if (action == Action::multicast_chain) {
                steps.push_back(write_chain(place));
            } else {
                steps.push_back(write_step(place, action));
            }
        }
        return steps;
    }

    Step write_step(const Place& place, Action action) {
        // Mostly small sizes, sometimes several packets.
        constexpr std::array<std::uint32_t, 6> kLargest{4, 64, 64, 512, 2048, 40'000};
        Step step;
        step.action = action;
        step.core = one_of_cores();
        step.bank = number(0, kNumBanks - 1);
        step.virtual_channel = static_cast<std::uint8_t>(number(0, 3));
        step.size = number(1, one_of(kLargest));
        if (action == Action::read_one_packet || action == Action::write_one_packet) {
            step.size = std::min(step.size, machine_.packet_bytes());
        }
        const std::uint32_t offset = number(0, (kSourceBytes - step.size) / kStride) * kStride;
        const auto data = [&](const std::vector<std::byte>& source) {
            return std::vector<std::byte>(source.begin() + offset, source.begin() + offset + step.size);
        };
        switch (action) {
            case Action::read:
            case Action::read_one_packet:
                step.other_address = kSourceAddress + offset;
                step.own_address = l1_destination(place.core, step.size);
                expectations.push_back({false, place.core, 0, step.own_address, data(sources_[step.core])});
                break;
            case Action::dram_read:
                step.other_address = offset;
                step.own_address = l1_destination(place.core, step.size);
                expectations.push_back({false, place.core, 0, step.own_address, data(dram_sources_[step.bank])});
                break;
            case Action::write:
            case Action::write_one_packet:
            case Action::posted_write:
                step.own_address = kSourceAddress + offset;
                step.other_address = l1_destination(step.core, step.size);
                expectations.push_back({false, step.core, 0, step.other_address, data(sources_[place.core])});
                break;
            case Action::dram_write:
                step.own_address = kSourceAddress + offset;
                step.other_address = kDramDestinationAddress + next_in_bank_[step.bank];
                next_in_bank_[step.bank] += round_up(step.size);
                expectations.push_back({true, {}, step.bank, step.other_address, data(sources_[place.core])});
                break;
            case Action::increment:
                ++increments_[step.core];
                break;
            case Action::multicast:
                choose_rectangle(place, step);
                write_multicast(place, step);
                break;
            case Action::increment_multicast:
                choose_rectangle(place, step);
                step.includes_source = false;
                step.num_receivers = static_cast<std::uint32_t>(receivers(place, step).size());
                for (const PhysicalCoordinate receiver : receivers(place, step)) {
                    if (const auto core = machine_.device().grid().logical(receiver)) {
                        ++increments_[*core];
                    }
                }
                break;
            default:
                break;
        }
        return step;
    }

    /// Returns a chain of linked multicasts to one rectangle.
    Step write_chain(const Place& place) {
        Step chain;
        chain.action = Action::multicast_chain;
        chain.virtual_channel = static_cast<std::uint8_t>(number(4, 5));
        choose_rectangle(place, chain);
        const std::uint32_t length = number(2, 5);
        for (std::uint32_t index = 1; index <= length; ++index) {
            Step step = chain;
            step.action = Action::multicast;
            step.linked = index < length;
            step.size = number(1, number(0, 3) == 0 ? 20'000 : 600);
            write_multicast(place, step);
            chain.steps.push_back(step);
        }
        return chain;
    }

    /// Chooses a rectangle with at least one tile other than the source; occasionally one that wraps around an edge of
    /// the grid.
    void choose_rectangle(const Place& place, Step& step) {
        const Grid& grid = machine_.device().grid();
        const auto right = static_cast<std::uint32_t>(grid.compute_columns()) - 1;
        const auto bottom = static_cast<std::uint32_t>(grid.compute_rows()) - 1;
        step.virtual_channel = static_cast<std::uint8_t>(number(4, 5));
        do {
            int left_x = static_cast<int>(number(0, right));
            int right_x = static_cast<int>(number(0, right));
            int top_y = static_cast<int>(number(0, bottom));
            int bottom_y = static_cast<int>(number(0, bottom));
            if (number(0, 5) != 0) {
                std::tie(left_x, right_x) = std::minmax({left_x, right_x});
                std::tie(top_y, bottom_y) = std::minmax({top_y, bottom_y});
            }
            step.rectangle = {{left_x, top_y}, {right_x, bottom_y}};
            step.includes_source = false;
        } while (receivers(place, step).empty());
        step.includes_source =
            tensix_tiles_of(grid, step.rectangle).size() != receivers(place, step).size() && number(0, 1) == 0;
    }

    std::vector<PhysicalCoordinate> receivers(const Place& place, const Step& step) const {
        const Grid& grid = machine_.device().grid();
        std::vector<PhysicalCoordinate> tiles = tensix_tiles_of(grid, step.rectangle);
        if (!step.includes_source) {
            std::erase(tiles, grid.physical(place.core));
        }
        return tiles;
    }

    void write_multicast(const Place& place, Step& step) {
        const Grid& grid = machine_.device().grid();
        std::vector<LogicalCoordinate> cores;
        std::uint32_t address = kDestinationAddress;
        for (const PhysicalCoordinate receiver : receivers(place, step)) {
            ++step.num_receivers;
            if (const auto core = grid.logical(receiver)) {
                cores.push_back(*core);
                address = std::max(address, next_in_l1_.try_emplace(*core, kDestinationAddress).first->second);
            }
        }
        step.size = std::min(step.size, kDestinationEnd - address);
        step.own_address = kSourceAddress + number(0, (kSourceBytes - step.size) / kStride) * kStride;
        step.other_address = address;
        const std::vector<std::byte>& source = sources_[place.core];
        const auto begin = source.begin() + (step.own_address - kSourceAddress);
        for (const LogicalCoordinate core : cores) {
            next_in_l1_[core] = address + round_up(step.size);
            expectations.push_back({false, core, 0, address, {begin, begin + step.size}});
        }
    }

    LogicalCoordinate one_of_cores() { return cores_[number(0, static_cast<std::uint32_t>(cores_.size()) - 1)]; }

    /// Reserves space for a single writer; reduces the size of a step that does not fit.
    std::uint32_t l1_destination(LogicalCoordinate core, std::uint32_t& size) {
        std::uint32_t& next = next_in_l1_.try_emplace(core, kDestinationAddress).first->second;
        size = std::min(size, kDestinationEnd - next);
        const std::uint32_t address = next;
        next += round_up(size);
        return address;
    }

    Machine& machine_;
    std::mt19937 generator_;
    std::vector<LogicalCoordinate> cores_;
    std::map<LogicalCoordinate, std::vector<std::byte>> sources_;
    std::vector<std::vector<std::byte>> dram_sources_;
    std::map<LogicalCoordinate, std::uint32_t> next_in_l1_;
    std::map<std::uint32_t, std::uint32_t> next_in_bank_;
    std::map<LogicalCoordinate, std::uint32_t> increments_;
};

}  // namespace

RandomProgram::RandomProgram(const std::string& board, std::uint32_t seed, Cycle window_cycles_max,
                             const std::vector<Setting>& settings)
    : machine_(board, settings, window_cycles_max) {
    Author author(machine_, seed);
    scripts_ = std::move(author.scripts);
    expectations_ = std::move(author.expectations);
    semaphore_ = machine_.program().add_semaphore(author.cores(), 0);
    for (const Script& script : scripts_) {
        machine_.add_kernel(
            script.place, [this, &script] { execute(script); }, fmt::format("kernel {}", script.place.riscv));
        machine_.program().set_runtime_args(script.place.core, script.place.riscv, {1, 2, 3});
    }
}

void RandomProgram::execute(const Script& script) const {
    execute(script.steps);
    noc_async_full_barrier();
    if (script.increments_to_wait_for > 0) {
        noc_semaphore_wait_min(L1Pointer(get_semaphore(semaphore_)), script.increments_to_wait_for);
    }
}

void RandomProgram::execute(const std::vector<Step>& steps) const {
    for (const Step& step : steps) {
        execute(step);
    }
}

void RandomProgram::execute(const Step& step) const {
    const auto there = [&](std::uint32_t address) {
        return get_noc_addr(machine_.x(step.core), machine_.y(step.core), address);
    };
    const std::uint8_t vc = step.virtual_channel;
    switch (step.action) {
        case Action::read:
            noc_async_read(there(step.other_address), step.own_address, step.size, kNocOfKernel, vc);
            break;
        case Action::read_one_packet:
            noc_async_read_one_packet(there(step.other_address), step.own_address, step.size, kNocOfKernel, vc);
            break;
        case Action::write:
            noc_async_write(step.own_address, there(step.other_address), step.size, kNocOfKernel, vc);
            break;
        case Action::write_one_packet:
            noc_async_write_one_packet(step.own_address, there(step.other_address), step.size, kNocOfKernel, vc);
            break;
        case Action::posted_write:
            noc_async_write<true>(step.own_address, there(step.other_address), step.size, kNocOfKernel, vc);
            break;
        case Action::dram_read:
            noc_async_read(get_noc_addr_from_bank_id<true>(step.bank, step.other_address), step.own_address, step.size,
                           kNocOfKernel, vc);
            break;
        case Action::dram_write:
            noc_async_write(step.own_address, get_noc_addr_from_bank_id<true>(step.bank, step.other_address), step.size,
                            kNocOfKernel, vc);
            break;
        case Action::many_reads:
            for (std::uint32_t count = 0; count < kManyReads; ++count) {
                noc_async_read(there(kSourceAddress), kScratchAddress + kStride, 4, kNocOfKernel, vc);
            }
            break;
        case Action::increment:
            noc_semaphore_inc(there(get_semaphore(semaphore_)), 1, kNocOfKernel, vc);
            break;
        case Action::multicast:
            multicast(step);
            break;
        case Action::multicast_chain:
            execute(step.steps);
            break;
        case Action::increment_multicast:
            noc_semaphore_inc_multicast(multicast_address(machine_, step.rectangle, get_semaphore(semaphore_)), 1,
                                        step.num_receivers, kNocOfKernel, vc);
            break;
        case Action::read_barrier:
            noc_async_read_barrier();
            break;
        case Action::write_barrier:
            noc_async_write_barrier();
            break;
        case Action::atomic_barrier:
            noc_async_atomic_barrier();
            break;
        case Action::full_barrier:
            noc_async_full_barrier();
            break;
        case Action::flush:
            noc_async_writes_flushed();
            break;
        case Action::posted_flush:
            noc_async_posted_writes_flushed();
            break;
        case Action::load:
            static_cast<void>(load_l1_word(kScratchAddress));
            break;
        case Action::store:
            store_l1_word(kScratchAddress, step.size);
            break;
        case Action::argument:
            static_cast<void>(get_arg_val<std::uint32_t>(2));
            break;
        case Action::push_page:
            cb_reserve_back(kCircularBuffer, 1);
            cb_push_back(kCircularBuffer, 1);
            break;
        case Action::pop_page:
            cb_wait_front(kCircularBuffer, 1);
            cb_pop_front(kCircularBuffer, 1);
            break;
        case Action::zone: {
            DeviceZoneScopedN("zone");
            execute(step.steps);
            break;
        }
    }
}

void RandomProgram::multicast(const Step& step) const {
    const std::uint64_t there = multicast_address(machine_, step.rectangle, step.other_address);
    if (step.includes_source) {
        noc_async_write_multicast_loopback_src(step.own_address, there, step.size, step.num_receivers, step.linked,
                                               kNocOfKernel, step.virtual_channel);
    } else {
        noc_async_write_multicast(step.own_address, there, step.size, step.num_receivers, step.linked, kNocOfKernel,
                                  step.virtual_channel);
    }
}

std::string RandomProgram::misplaced_data() const {
    for (const Expectation& expectation : expectations_) {
        // Bytes behind the expected ones must be unchanged.
        std::vector<std::byte> expected = expectation.bytes;
        expected.resize(round_up(static_cast<std::uint32_t>(expected.size())));
        const std::vector<std::byte> found =
            expectation.in_dram ? machine_.device().read_dram(expectation.bank, expectation.address, expected.size())
                                : machine_.device().read_l1(expectation.core, expectation.address, expected.size());
        if (const std::string difference = first_difference(found, expected); !difference.empty()) {
            return fmt::format(
                "{} at 0x{:x}: {}",
                expectation.in_dram ? fmt::format("bank {}", expectation.bank) : to_string(expectation.core),
                expectation.address, difference);
        }
    }
    return {};
}

}  // namespace nocbench::test
