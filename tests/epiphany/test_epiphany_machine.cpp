// An Epiphany device through the common machine interface: observers, link use, and deadlock reports.
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "device_model/epiphany/epiphany_host.h"
#include "device_model/sim/error.h"
#include "device_model/sim/machine.h"
#include "tests/epiphany/epiphany_machine.h"
#include "tests/support/error_message.h"

namespace nocbench {

namespace {

using namespace epiphany;
using test::distinct_bytes;
using test::EpiphanyMachine;
using test::error_message;

constexpr Address kOwnBuffer = 0x2000;
constexpr Address kOtherBuffer = 0x4000;

/// Adds copies on all cores: by cores and by DMA, on the chip and off it, and loads.
void add_copies(EpiphanyMachine& machine) {
    machine.add_kernel_everywhere([](int core) {
        const int next = (core + 1) % num_cores();
        copy(global_address(next, kOtherBuffer), kOwnBuffer, 64);
        copy(external_address(static_cast<std::uint32_t>(core) * 1024), kOwnBuffer, 64);
        copy(kOtherBuffer + 1024, global_address(next, kOwnBuffer), 64);
        dma_copy(global_address(next, kOtherBuffer + 512), kOwnBuffer, 64);
        dma_copy(kOtherBuffer + 2048, external_address(static_cast<std::uint32_t>(core) * 1024), 64);
        test_and_set(global_address(next, kOtherBuffer + 3072));
    });
}

TEST(EpiphanyAsAMachine, ShowsEveryTransaction) {
    EpiphanyMachine epiphany;
    add_copies(epiphany);
    Machine& machine = epiphany.device();
    std::map<std::string, int> kinds;
    std::set<NodeIndex> sources;
    machine.observers().finished = [&](const TransactionRecord& record) {
        ++kinds[std::string(record.kind)];
        sources.insert(record.from);
        EXPECT_LE(record.accepted, record.started()) << record.kind;
        EXPECT_EQ(record.started(), record.moment(record.posted ? "left" : record.phases[0].kind->reached));
        for (std::size_t phase = 1; phase < record.phases.size(); ++phase) {
            EXPECT_LE(record.phases[phase - 1].end, record.phases[phase].end)
                << record.kind << ", " << record.phases[phase].kind->name;
        }
        EXPECT_GT(record.ended(), record.started());
    };
    bool has_ended = false;
    machine.observers().ended = [&](const Machine& ended) { has_ended = &ended == &machine; };
    machine.run();
    EXPECT_TRUE(has_ended);
    EXPECT_EQ(sources.size(), 16U);
    EXPECT_EQ(kinds["write"], 16 * 16);  // dwords to the next core and to external memory
    EXPECT_EQ(kinds["read"], 16 * 8);
    EXPECT_EQ(kinds["DMA write"], 16 * 8);
    EXPECT_EQ(kinds["DMA read"], 16 * 8);
    EXPECT_EQ(kinds["test and set"], 16);
}

TEST(EpiphanyAsAMachine, ShowsWhereTheTimeOfKernelsGoes) {
    EpiphanyMachine epiphany;
    add_copies(epiphany);
    Machine& machine = epiphany.device();
    std::map<std::uint32_t, Ledger> ledgers;
    machine.observers().booked = [&](const BookedTime& stretch) {
        ledgers[stretch.risc].book(stretch.cause, stretch.end - stretch.begin);
    };
    machine.run();
    const std::vector<KernelResult> kernels = machine.kernel_results();
    ASSERT_EQ(kernels.size(), 16U);
    for (const KernelResult& kernel : kernels) {
        EXPECT_EQ(ledgers[kernel.identity.index].total(), kernel.zones.front().end - kernel.zones.front().start);
    }
}

TEST(EpiphanyAsAMachine, IsNotChangedByWhoWatches) {
    const auto elapsed = [](bool is_watched) {
        EpiphanyMachine epiphany;
        add_copies(epiphany);
        Machine& machine = epiphany.device();
        if (is_watched) {
            machine.observers().finished = [](const TransactionRecord&) {};
            machine.observers().booked = [](const BookedTime&) {};
        }
        machine.run();
        return std::pair(machine.elapsed_cycles(), machine.flit_hops());
    };
    EXPECT_EQ(elapsed(true), elapsed(false));
}

TEST(EpiphanyAsAMachine, CountsWhatIsOnItsLinks) {
    EpiphanyMachine epiphany;
    add_copies(epiphany);
    Machine& machine = epiphany.device();
    machine.run();
    const FloorPlan plan = machine.floor_plan();
    EXPECT_EQ(plan.tiles.size(), 17U);
    ASSERT_EQ(plan.networks.size(), 3U);
    const auto sum = [](const std::vector<LinkUse>& links, int noc, std::optional<Direction> direction) {
        std::uint64_t flits = 0;
        for (const LinkUse& link : links) {
            flits += link.noc == noc && (!direction || link.direction == *direction) ? link.flits : 0;
        }
        return flits;
    };
    std::uint64_t flits = 0;
    for (int noc = 0; noc < 3; ++noc) {
        // Every flit that a tile sends into a plane leaves the plane into a tile.
        EXPECT_EQ(sum(machine.injection_use(), noc, {}), sum(machine.link_use(), noc, Direction::to_tile));
        EXPECT_GT(sum(machine.injection_use(), noc, {}), 0U);
        flits += sum(machine.link_use(), noc, {});
    }
    EXPECT_EQ(flits, machine.flit_hops());
    std::uint64_t delivered = 0;
    for (const TileDeliveries& tile : machine.deliveries()) {
        if (tile.tile == PhysicalCoordinate{.x = 4, .y = 1}) {
            EXPECT_EQ(tile.bytes, 16U * 64);  // external memory
        }
        delivered += tile.bytes;
    }
    EXPECT_GE(delivered, 16U * 5 * 64);
}

TEST(EpiphanyAsAMachine, ReportsADeadlock) {
    EpiphanyMachine epiphany;
    epiphany.add_kernel({.x = 2, .y = 1}, [] { wait_for_interrupt(); }, "sleeper");
    epiphany.add_kernel({.x = 0, .y = 0}, [] { store<std::uint32_t>(global_address(5, kOtherBuffer), 1); }, "other");
    Machine& machine = epiphany.device();
    const std::string message = error_message([&] { machine.run(); });
    EXPECT_TRUE(message.starts_with("deadlock: nothing moves any more after cycle ")) << message;
    EXPECT_TRUE(
        message.ends_with("\n  kernel 'sleeper' on core (2, 1) waits since cycle 0 in wait_for_interrupt, for "
                          "an interrupt"))
        << message;
}

TEST(EpiphanyAsAMachine, GivesUpAfterALimit) {
    EpiphanyMachine epiphany;
    epiphany.add_kernel({.x = 0, .y = 0}, [] {
        while (true) {
            load<std::uint32_t>(global_address(1, kOwnBuffer));
        }
    });
    Machine& machine = epiphany.device();
    EXPECT_TRUE(error_message([&] { machine.run(1000); }).starts_with("the program still runs after 1000 cycles"));
}

TEST(EpiphanyAsAMachine, ASleepIsNoRunaway) {
    EpiphanyMachine epiphany;
    epiphany.add_kernel({.x = 0, .y = 0}, [] {
        for (int turn = 0; turn < 3; ++turn) {
            EXPECT_TRUE(sleep(1'000'000'000'000));
        }
    });
    epiphany.device().run(1'000'000);
    EXPECT_GE(epiphany.device().elapsed_cycles(), 3'000'000'000'000);
}

TEST(EpiphanyAsAMachine, ALoopOfSleepsIs) {
    EpiphanyMachine epiphany;
    epiphany.add_kernel_everywhere([](int core) {
        while (true) {
            static_cast<void>(sleep(1000 + core));
        }
    });
    Machine& machine = epiphany.device();
    EXPECT_NE(error_message([&] { machine.run(100'000); }).find("still runs after 100000 cycles"), std::string::npos);
}

TEST(EpiphanyAsAMachine, CanBeInterrupted) {
    EpiphanyMachine epiphany;
    epiphany.add_kernel({.x = 0, .y = 0}, [] {
        while (true) {
            load<std::uint32_t>(global_address(1, kOwnBuffer));
        }
    });
    Tick asked_at = 0;
    epiphany.device().stop_when([&](Tick now) {
        EXPECT_GT(now, asked_at);
        asked_at = now;
        return now > ticks_from_cycles(100'000);
    });
    Machine& machine = epiphany.device();
    const std::string message = error_message([&] { machine.run(); });
    EXPECT_TRUE(message.starts_with("interrupted after 1")) << message;
    EXPECT_NE(message.find("\n  kernel 'kernel' on core (0, 0) "), std::string::npos) << message;
}

TEST(EpiphanyHost, ActsFromOutside) {
    EpiphanyMachine epiphany;
    const std::vector<std::byte> bytes = distinct_bytes(64);
    std::vector<std::byte> found;
    epiphany.device().add_host_kernel("host", [&](EpiphanyHost& host) {
        host.write({.core = LogicalCoordinate{.x = 1, .y = 0}, .offset = kOtherBuffer}, bytes);
        found = host.read({.core = std::nullopt, .offset = 128}, 8);
    });
    // A core waits for the host's write.
    std::uint64_t seen = 0;
    epiphany.add_kernel({.x = 1, .y = 0}, [&] {
        while (load<std::uint64_t>(kOtherBuffer + 56) == 0) {
        }
        seen = timer();
    });
    epiphany.device().write_external(128, distinct_bytes(8, 2));
    Machine& machine = epiphany.device();
    std::vector<TransactionRecord> records;
    machine.observers().finished = [&](const TransactionRecord& record) {
        if (record.from == kOutside) {
            records.push_back(record);
        }
    };
    machine.run();
    EXPECT_EQ(epiphany.bytes({.x = 1, .y = 0}, kOtherBuffer, 64), bytes);
    EXPECT_EQ(found, distinct_bytes(8, 2));
    EXPECT_GT(seen, 0U);
    ASSERT_EQ(records.size(), 2U);
    EXPECT_EQ(records[0].kind, "host write");
    EXPECT_EQ(records[0].ended(), records[1].accepted);
    const KernelResult host = machine.kernel_results().front();
    EXPECT_TRUE(host.identity.is_outside());
    EXPECT_EQ(host.identity.name(), "kernel 'host' on the host");
    EXPECT_EQ(host.zones.front().ledger.limiter(), Cause::host);
    EXPECT_EQ(host.zones.front().end, records[1].ended());
}

TEST(EpiphanyHost, StaysWithinMemories) {
    EpiphanyMachine epiphany;
    epiphany.device().add_host_kernel("host", [](EpiphanyHost& host) {
        host.write({.core = LogicalCoordinate{.x = 4, .y = 0}, .offset = 0}, distinct_bytes(8));
    });
    EXPECT_EQ(error_message([&] { epiphany.run(); }), "core (4, 0): expected x from 0 to 3 and y from 0 to 3");
}

}  // namespace

}  // namespace nocbench
