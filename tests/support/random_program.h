// Randomly generated programs: many kernels that use the whole kernel API in random order, without circular waits. They
// test properties of all kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/tensix/rectangle.h"
#include "tests/support/machine.h"

namespace nocbench::test {

class RandomProgram {
public:
    RandomProgram(const std::string& board, std::uint32_t seed, Cycle window_cycles_max = Network::kWindowCyclesMax,
                  const std::vector<Setting>& settings = {});

    void run() { machine_.run(); }

    [[nodiscard]] Machine& machine() { return machine_; }

    /// Describes misplaced data; returns an empty string if all data are in place.
    [[nodiscard]] std::string misplaced_data() const;

    enum class Action : std::uint8_t {
        read,
        read_one_packet,
        write,
        write_one_packet,
        posted_write,
        dram_read,
        dram_write,
        many_reads,
        increment,
        multicast,
        multicast_chain,
        increment_multicast,
        read_barrier,
        write_barrier,
        atomic_barrier,
        full_barrier,
        flush,
        posted_flush,
        load,
        store,
        argument,
        push_page,
        pop_page,
        zone,
    };

    struct Step {
        Action action = Action::load;
        LogicalCoordinate core;  // core at the other end
        std::uint32_t bank = 0;  // used instead of a core
        std::uint32_t own_address = 0;
        std::uint32_t other_address = 0;
        std::uint32_t size = 0;
        std::uint8_t virtual_channel = 0;
        LogicalRectangle rectangle;  // of a multicast
        bool includes_source = false;
        bool linked = false;
        std::uint32_t num_receivers = 0;
        std::vector<Step> steps;  // inner steps of a zone or a chain
    };

    struct Script {
        Place place;
        std::vector<Step> steps;
        std::uint32_t increments_to_wait_for = 0;  // increments awaited at the end
    };

    /// Bytes expected at the end.
    struct Expectation {
        bool in_dram = false;
        LogicalCoordinate core;
        std::uint32_t bank = 0;
        std::uint32_t address = 0;
        std::vector<std::byte> bytes;
    };

private:
    void execute(const Script& script) const;
    void execute(const std::vector<Step>& steps) const;
    void execute(const Step& step) const;
    void multicast(const Step& step) const;

    Machine machine_;
    std::vector<Script> scripts_;
    std::vector<Expectation> expectations_;
    std::uint32_t semaphore_ = 0;
};

}  // namespace nocbench::test
