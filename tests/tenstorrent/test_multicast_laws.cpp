// Times of multicasts. The laws were found on silicon, on both chips, and follow from the map of the chip, so they hold
// for any source and rectangle. Source: tt-metal data-movement tests, see docs/model.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/tensix/dataflow_api.h"
#include "tests/support/machine.h"
#include "tests/support/multicast_geometry.h"
#include "tests/support/thinning.h"

namespace nocbench {

namespace {

using namespace nocbench::dataflow;
using test::Chip;
using test::cycles;
using test::kBuffer;
using test::Machine;
using test::multicast_address;
using test::MulticastGeometry;
using test::MulticastMap;

constexpr double kToleranceCycles = 2;

class MulticastLaws : public testing::TestWithParam<Chip> {
protected:
    [[nodiscard]] static std::vector<MulticastGeometry> geometries() {
        return test::thinned(test::geometries(Machine(GetParam().board, GetParam().settings).device().grid()), 4);
    }

    [[nodiscard]] static MulticastMap map(const MulticastGeometry& geometry) {
        return {Machine(GetParam().board, GetParam().settings).device().grid(), GetParam().noc, geometry, false};
    }

    [[nodiscard]] static double issue_interval() {
        const Machine machine(GetParam().board, GetParam().settings);
        return static_cast<double>(machine.architecture().risc.write_call_ticks) / kTicksPerCycle;
    }

    struct LinkedLaw {
        double cycles = 0;
        double cycles_with_rests = 0;  // on busy links, including those with acknowledgements
        std::string reasons;
    };

    /// Returns the expected time per linked packet. The limit is the issue of packets, L1 reads, ejection of
    /// acknowledgements at the source, or the busiest link with data and acknowledgements. L1 and receivers move
    /// slightly less than a flit per cycle.
    [[nodiscard]] static LinkedLaw linked_law(const MulticastGeometry& geometry, std::uint32_t data_flits) {
        const Machine machine(GetParam().board, GetParam().settings);
        const NiuConstants& niu = machine.architecture().niu;
        const auto noc = static_cast<std::size_t>(GetParam().noc);
        const auto flits_at = [&](Tick ticks_per_flit) {
            return data_flits * static_cast<double>(ticks_per_flit) / kTicksPerCycle;
        };
        const MulticastMap on_map = map(geometry);
        const int shared = on_map.acknowledgements_on_busiest_shared_link();
        const double reading = flits_at(niu.source_ticks_per_data_flit[noc]) + 1;
        const double link = flits_at(niu.multicast_sink_ticks_per_data_flit[noc]) + 1 + shared;
        const double limit_of_links = std::max(static_cast<double>(on_map.num_receivers()), link);
        const double rests = 1 + 1.0 / static_cast<double>(machine.architecture().router.link_flits_on_end_max);
        const double cycles = std::max({issue_interval(), reading, limit_of_links});
        return {cycles, std::max(cycles, limit_of_links * rests),
                fmt::format("{}, {} receivers, {} acknowledgements on a link, {} flits",
                            testing::PrintToString(geometry), on_map.num_receivers(), shared, data_flits)};
    }

    /// Returns the cycles between packets of many multicasts of `data_flits` each, whose source is not a receiver.
    [[nodiscard]] static double interval(const MulticastGeometry& geometry, std::uint32_t data_flits, bool linked) {
        Machine machine(GetParam().board, GetParam().settings);
        const std::uint32_t num_receivers = map(geometry).num_receivers();
        const std::uint32_t size = data_flits * machine.flit_bytes();
        const auto multicasts = [&](const char* zone, std::uint32_t count) {
            const std::uint64_t there = multicast_address(machine, geometry.rectangle, kBuffer);
            DeviceZoneScopedN(zone);
            for (std::uint32_t number = 1; number <= count; ++number) {
                noc_async_write_multicast(kBuffer, there, size, num_receivers, linked && number < count);
            }
            noc_async_write_barrier();
        };
        constexpr std::uint32_t kFew = 32;
        constexpr std::uint32_t kMany = 80;
        machine.add_kernel({geometry.source, 0, GetParam().noc}, [&] {
            multicasts("first calls", kFew);
            multicasts("few", kFew);
            multicasts("many", kMany);
        });
        machine.run();
        const KernelResult result = machine.result();
        return (cycles(result.zone("many")) - cycles(result.zone("few"))) / (kMany - kFew);
    }
};

INSTANTIATE_TEST_SUITE_P(Chips, MulticastLaws, testing::ValuesIn(test::chips()),
                         [](const auto& chip) { return chip.param.name; });

/// Each packet reserves the whole tree, waits for the answer, and is then sent, without overlap between packets. For an
/// adjacent tile this takes less time than the call that issues the packet.
TEST_P(MulticastLaws, SmallUnlinkedPacketsTakeSixteenCyclesPerHopOfTheirTree) {
    for (const MulticastGeometry& geometry : geometries()) {
        const int depth = map(geometry).depth();
        for (const std::uint32_t data_flits : {1U, 8U}) {
            const double reserved = 16 * depth + static_cast<double>(data_flits) + (depth % 2 == 0 ? 6 : 4);
            EXPECT_NEAR(interval(geometry, data_flits, false), std::max(issue_interval(), reserved), kToleranceCycles)
                << testing::PrintToString(geometry) << ", depth " << depth << ", " << data_flits << " flits";
        }
    }
}

TEST_P(MulticastLaws, LinkedPacketsAreLimitedByIssueOrAcknowledgementsOrALink) {
    for (const MulticastGeometry& geometry : geometries()) {
        for (const std::uint32_t data_flits : {2U, 8U, 16U}) {
            const LinkedLaw law = linked_law(geometry, data_flits);
            const double found = interval(geometry, data_flits, true);
            EXPECT_GE(found, law.cycles - kToleranceCycles) << law.reasons;
            EXPECT_LE(found, law.cycles_with_rests + kToleranceCycles) << law.reasons;
        }
    }
}

}  // namespace

}  // namespace nocbench
