// Synthetic traffic: random numbers and patterns, loads on networks, and points of the tests.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/sim/random_numbers.h"
#include "kernels/frame/primitive.h"
#include "synthetic/arrival_check.h"
#include "synthetic/geometric_gaps.h"
#include "synthetic/network_plan.h"
#include "synthetic/open_loop.h"
#include "synthetic/pattern.h"
#include "synthetic/saturation.h"
#include "tests/support/error_message.h"
#include "tests/support/finished_point.h"
#include "tests/support/thinning.h"

namespace nocbench::synthetic {

namespace {

TEST(SyntheticRandomNumbers, AreThoseOfSplitMix64) {
    RandomNumbers random(1234567);
    for (const std::uint64_t expected : {6457827717110365317U, 3203168211198807973U, 9817491932198370423U,
                                         4593380528125082431U, 16408922859458223821U}) {
        EXPECT_EQ(random.next(), expected);
    }
}

TEST(SyntheticRandomNumbers, BelowALimitAllAreEquallyLikely) {
    RandomNumbers random(1);
    std::array<int, 10> counts{};
    for (int draw = 0; draw < 100'000; ++draw) {
        ++counts.at(random.below(10));
    }
    for (const int count : counts) {
        EXPECT_NEAR(count, 10'000, 400);
    }
}

TEST(SyntheticRandomNumbers, GapsAreThoseOfASourceThatDrawsInEveryCycle) {
    constexpr int kDraws = 200'000;
    for (const double probability : {0.02, 0.3, 0.5, 0.9}) {
        const GeometricGaps gaps(probability);
        RandomNumbers random(7);
        std::map<Cycle, int> counts;
        double sum = 0;
        for (int draw = 0; draw < kDraws; ++draw) {
            const Cycle gap = gaps.next(random);
            ASSERT_GE(gap, 1);
            ++counts[gap];
            sum += static_cast<double>(gap);
        }
        EXPECT_NEAR(sum / kDraws * probability, 1, 0.01);
        for (Cycle gap = 1; gap <= 8; ++gap) {
            const double expected = kDraws * probability * std::pow(1 - probability, static_cast<double>(gap - 1));
            EXPECT_NEAR(counts[gap], expected, 5 * std::sqrt(expected) + 1) << "gap " << gap << " of " << probability;
        }
    }
}

TEST(SyntheticRandomNumbers, GapsOfASourceThatAlwaysSendsAreOneCycle) {
    RandomNumbers random(1);
    for (int draw = 0; draw < 100; ++draw) {
        EXPECT_EQ(GeometricGaps(1).next(random), 1);
    }
}

TEST(SyntheticRandomNumbers, GapsCanBeLong) {
    RandomNumbers random(3);
    double sum = 0;
    for (int draw = 0; draw < 10'000; ++draw) {
        sum += static_cast<double>(GeometricGaps(1e-7).next(random));
    }
    EXPECT_NEAR(sum / 10'000 * 1e-7, 1, 0.05);
}

int destination(PatternKind kind, Shape shape, int source) {
    RandomNumbers random(1);
    return Pattern(kind, shape).destination(source, random);
}

TEST(SyntheticPattern, EveryPlaceReceivesOnceFromAFixedPattern) {
    for (const Shape shape : {Shape{8, 8}, Shape{10, 10}, Shape{11, 10}, Shape{3, 5}, Shape{1, 1}}) {
        for (const PatternKind kind :
             {PatternKind::transpose, PatternKind::bit_complement, PatternKind::tornado, PatternKind::neighbour}) {
            std::set<int> destinations;
            for (int source = 0; source < shape.size(); ++source) {
                destinations.insert(destination(kind, shape, source));
            }
            EXPECT_EQ(destinations.size(), static_cast<std::size_t>(shape.size()));
            EXPECT_EQ(*destinations.begin(), 0);
            EXPECT_EQ(*destinations.rbegin(), shape.size() - 1);
        }
    }
}

TEST(SyntheticPattern, FixedPatternsAreTheUsualOnes) {
    const Shape shape{8, 8};
    const auto place = [](int x, int y) { return 8 * y + x; };
    EXPECT_EQ(destination(PatternKind::transpose, shape, place(2, 5)), place(5, 2));
    EXPECT_EQ(destination(PatternKind::bit_complement, shape, place(2, 5)), place(5, 2));
    EXPECT_EQ(destination(PatternKind::bit_complement, shape, place(1, 5)), place(6, 2));
    EXPECT_EQ(destination(PatternKind::tornado, shape, place(2, 6)), place(5, 1));
    EXPECT_EQ(destination(PatternKind::tornado, {7, 7}, 0), 3 * 7 + 3);
    EXPECT_EQ(destination(PatternKind::neighbour, shape, place(7, 3)), place(0, 4));
    for (int source = 0; source < shape.size(); ++source) {
        EXPECT_EQ(destination(PatternKind::bit_complement, shape, source), ~source & 63);
    }
}

std::vector<int> counts_of(const Pattern& pattern, Shape shape, int draws) {
    RandomNumbers random(5);
    std::vector<int> counts(static_cast<std::size_t>(shape.size()));
    for (int draw = 0; draw < draws; ++draw) {
        ++counts[static_cast<std::size_t>(pattern.destination(draw % shape.size(), random))];
    }
    return counts;
}

TEST(SyntheticPattern, UniformTrafficGoesEverywhere) {
    const Shape shape{4, 3};
    for (const int count : counts_of(Pattern(PatternKind::uniform, shape), shape, 120'000)) {
        EXPECT_NEAR(count, 10'000, 500);
    }
}

TEST(SyntheticPattern, AHotspotGetsItsShareAndMore) {
    const Shape shape{4, 3};
    const std::vector<int> counts =
        counts_of(Pattern(PatternKind::hotspot, shape, {.place = 6, .percent = 28}), shape, 120'000);
    for (std::size_t place = 0; place < counts.size(); ++place) {
        EXPECT_NEAR(counts[place], place == 6 ? 33'600 + 7'200 : 7'200, 500);
    }
}

TEST(SyntheticArrivalCheck, FindsNothingWrongWithWhatIsRight) {
    ArrivalCheck check(true);
    for (int turn = 0; turn < 2; ++turn) {  // ids are reused
        check.sent(3, 1, 2, 3);
        check.header_arrived(3, 2);
        check.data_flits_arrived(3, 2, 1);
        check.data_flits_arrived(3, 2, 1);
        EXPECT_EQ(check.num_under_way(), 1U);
        check.packet_arrived(3, 2);
        EXPECT_EQ(check.num_under_way(), 0U);
    }
    EXPECT_EQ(check.fault(), "");
}

/// Returns the fault for a packet of two flits from node 1 to node 2 whose arrival is simulated by `arrive`.
std::string found(const std::function<void(ArrivalCheck&)>& arrive) {
    ArrivalCheck check(true);
    check.sent(0, 1, 2, 2);
    arrive(check);
    return check.fault();
}

TEST(SyntheticArrivalCheck, FindsWhatIsWrong) {
    const auto arrive_at = [](NodeIndex node) {
        return [node](ArrivalCheck& check) {
            check.header_arrived(0, node);
            check.data_flits_arrived(0, node, 1);
            check.packet_arrived(0, node);
        };
    };
    const std::string packet = "packet from node 1 to node 2: ";
    EXPECT_EQ(found(arrive_at(2)), "");
    EXPECT_EQ(found(arrive_at(1)), packet + "its header arrived at another node; seen at node 1");
    EXPECT_EQ(found([](ArrivalCheck&) {}), "1 packets never arrived, such as one from node 1 to node 2");
    EXPECT_EQ(found([&](ArrivalCheck& check) {
                  arrive_at(2)(check);
                  arrive_at(2)(check);
              }),
              packet + "its header arrived once more; seen at node 2");
    EXPECT_EQ(found([&](ArrivalCheck& check) {
                  arrive_at(2)(check);
                  check.packet_arrived(0, 2);
              }),
              packet + "it arrived once more; seen at node 2");
    EXPECT_EQ(found([](ArrivalCheck& check) {
                  check.header_arrived(0, 2);
                  check.packet_arrived(0, 2);
              }),
              packet + "it arrived with 1 flits instead of 2; seen at node 2");
    EXPECT_EQ(found([](ArrivalCheck& check) { check.data_flits_arrived(0, 2, 1); }),
              packet + "a flit arrived before its header; seen at node 2");
    EXPECT_EQ(found([](ArrivalCheck& check) {
                  check.header_arrived(0, 2);
                  check.data_flits_arrived(0, 3, 1);
              }),
              packet + "a flit arrived at another node; seen at node 3");
    EXPECT_EQ(found([](ArrivalCheck& check) {
                  check.header_arrived(0, 2);
                  check.data_flits_arrived(0, 2, 1);
                  check.data_flits_arrived(0, 2, 1);
                  check.packet_arrived(0, 2);
              }),
              packet + "it arrived with 3 flits instead of 2; seen at node 2");
}

struct NamedNetwork {
    std::string name;
    NetworkPlan plan;
};

NetworkPlan plain(PlainTopology topology, Shape shape, int virtual_channels = 4, int buffer_flits = 8) {
    return plain_network(
        {.topology = topology, .shape = shape, .virtual_channels = virtual_channels, .buffer_flits = buffer_flits});
}

NetworkPlan of_chip(const std::string& name, int noc) {
    const Architecture architecture = load_architecture(find_architecture(name));
    return modeled_network(architecture, Grid(torus_of(architecture), torus_of(architecture.board(""))), noc, 4);
}

class SyntheticLoad : public testing::TestWithParam<std::string> {
protected:
    static NetworkPlan network() {
        static const std::map<std::string, std::function<NetworkPlan()>> networks{
            {"Mesh", [] { return plain(PlainTopology::mesh, {5, 4}); }},
            {"Torus", [] { return plain(PlainTopology::torus, {5, 4}); }},
            {"UnidirectionalTorus", [] { return plain(PlainTopology::unidirectional_torus, {5, 4}); }},
            {"Wormhole0", [] { return of_chip("wormhole_b0", 0); }},
            {"Blackhole1", [] { return of_chip("blackhole", 1); }},
        };
        return networks.at(GetParam())();
    }

    static Load load(const NetworkPlan& network, PatternKind kind, double rate, int packet_flits,
                     std::uint32_t packets = 100) {
        Load load{.pattern = Pattern(kind, network.shape, {.place = 3, .percent = 10})};
        load.flits_per_source_and_cycle = rate;
        load.packet_flits = packet_flits;
        load.warmup_cycles = 1000;
        load.measured_flits_per_source = std::int64_t{packets} * packet_flits;
        return load;
    }
};

INSTANTIATE_TEST_SUITE_P(Network, SyntheticLoad,
                         testing::ValuesIn(test::thinned(std::vector<std::string>{"Wormhole0", "Mesh",
                                                                                  "UnidirectionalTorus", "Blackhole1",
                                                                                  "Torus"},
                                                         2)),
                         [](const auto& test) { return test.param; });

TEST_P(SyntheticLoad, APacketByItselfTakesItsWayAndItsLength) {
    const NetworkPlan plan = network();
    for (const int flits : {1, 2, 3, 32, 100}) {
        Load alone = load(plan, PatternKind::uniform, 0.01, flits);
        alone.sources = {plan.shape.size() / 2};
        alone.flits_per_source_and_cycle = 0.0002;
        const Outcome outcome = run_open_loop(plan, alone);
        EXPECT_EQ(outcome.fault, "");
        EXPECT_GT(outcome.packets, 50U);
        EXPECT_DOUBLE_EQ(outcome.mean_latency_cycles, outcome.mean_unhindered_cycles) << flits << " flits";
    }
}

TEST_P(SyntheticLoad, EveryPacketArrivesWhateverTheLoad) {
    const NetworkPlan plan = network();
    const std::uint32_t packets_per_source = plan.shape.size() > 50 ? 3 : 30;
    for (int kind = 0; kind < static_cast<int>(kPatternNames.size()); ++kind) {
        for (const double rate : {0.02, 0.15, 0.8}) {
            for (const int flits : {1, 7, 64}) {
                Load load = SyntheticLoad::load(plan, static_cast<PatternKind>(kind), rate, flits, packets_per_source);
                load.warmup_cycles = 200;
                const Outcome outcome = run_open_loop(plan, load);
                ASSERT_EQ(outcome.fault, "") << kPatternNames.at(static_cast<std::size_t>(kind)) << " at " << rate;
                const auto sum = [](const std::vector<std::uint64_t>& counts) {
                    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
                };
                const std::uint64_t flits_sent = outcome.packets_sent * static_cast<std::uint64_t>(flits);
                const auto sum_of_links = [](const std::vector<LinkUse>& links) {
                    return std::accumulate(
                        links.begin(), links.end(), std::uint64_t{0},
                        [](std::uint64_t sum_so_far, const LinkUse& link) { return sum_so_far + link.flits; });
                };
                ASSERT_EQ(sum_of_links(outcome.injections), flits_sent);
                ASSERT_EQ(sum(outcome.flits_received), flits_sent);
                ASSERT_EQ(sum_of_links(outcome.links), outcome.flit_hops);
                ASSERT_EQ(outcome.flit_hops, outcome.packet_hops * static_cast<std::uint64_t>(flits));
                std::uint64_t measured = 0;
                for (const Outcome::Source& source : outcome.sources) {
                    measured += source.packets;
                }
                ASSERT_EQ(measured, outcome.packets);
            }
        }
    }
}

TEST_P(SyntheticLoad, WhatIsOfferedIsAcceptedBelowSaturation) {
    const NetworkPlan plan = network();
    const Outcome outcome = run_open_loop(plan, load(plan, PatternKind::uniform, 0.08, 4, 1000));
    EXPECT_NEAR(outcome.offered_flits_per_source_and_cycle, 0.08, 0.002);
    EXPECT_NEAR(outcome.accepted_flits_per_source_and_cycle, outcome.offered_flits_per_source_and_cycle, 0.001);
    EXPECT_FALSE(is_saturated(outcome));
}

TEST_P(SyntheticLoad, LatencyGrowsWithLoad) {
    const NetworkPlan plan = network();
    double before = 0;
    for (const double rate : {0.01, 0.05, 0.1, 0.15, 0.6}) {
        const Outcome outcome = run_open_loop(plan, load(plan, PatternKind::uniform, rate, 8, 200));
        EXPECT_GT(outcome.mean_latency_cycles, before);
        EXPECT_GE(outcome.mean_latency_cycles, outcome.mean_unhindered_cycles);
        EXPECT_GE(static_cast<double>(outcome.p99_latency_cycles), outcome.mean_latency_cycles);
        EXPECT_GE(outcome.max_latency_cycles, outcome.p99_latency_cycles);
        before = outcome.mean_latency_cycles;
    }
}

TEST_P(SyntheticLoad, WindowsAcceleratorsAndCountingFlitsChangeNothing) {
    const NetworkPlan plan = network();
    for (const double rate : {0.1, 0.8}) {  // the second rate is beyond saturation
        SCOPED_TRACE(rate);
        Load usual = load(plan, PatternKind::hotspot, rate, 5);
        const Outcome expected = run_open_loop(plan, usual);
        const auto expect_same = [&](const Outcome& outcome) {
            EXPECT_EQ(outcome.packets, expected.packets);
            EXPECT_EQ(outcome.mean_latency_cycles, expected.mean_latency_cycles);
            EXPECT_EQ(outcome.p99_latency_cycles, expected.p99_latency_cycles);
            EXPECT_EQ(outcome.max_latency_cycles, expected.max_latency_cycles);
            EXPECT_EQ(outcome.accepted_flits_per_source_and_cycle, expected.accepted_flits_per_source_and_cycle);
        };
        NetworkPlan shorter = plan;
        shorter.parameters.window_cycles = 1;
        expect_same(run_open_loop(shorter, usual));
        usual.counts_flits = false;
        expect_same(run_open_loop(plan, usual));
        usual.accelerators = kNoAccelerators;
        expect_same(run_open_loop(plan, usual));
    }
}

TEST_P(SyntheticLoad, TheSeedDecides) {
    const NetworkPlan plan = network();
    Load first = load(plan, PatternKind::uniform, 0.1, 3);
    const Outcome outcome = run_open_loop(plan, first);
    EXPECT_EQ(run_open_loop(plan, first).mean_latency_cycles, outcome.mean_latency_cycles);
    first.seed = 2;
    EXPECT_NE(run_open_loop(plan, first).mean_latency_cycles, outcome.mean_latency_cycles);
}

TEST_P(SyntheticLoad, SaturationIsTheHighestLoadWithAModerateLatency) {
    const NetworkPlan plan = network();
    const Load any = load(plan, PatternKind::uniform, 0, 4, 150);
    const Saturation saturation = find_saturation(plan, any);
    EXPECT_FALSE(is_saturated(saturation.outcome));
    EXPECT_GT(saturation.flits_per_source_and_cycle, 0.1);
    Load more = any;
    more.flits_per_source_and_cycle = 1.1 * saturation.flits_per_source_and_cycle;
    EXPECT_TRUE(is_saturated(run_open_loop(plan, more)));
}

TEST_P(SyntheticLoad, GivesUpIfAndOnlyIfTheLatencyIsTooHigh) {
    const NetworkPlan plan = network();
    for (const PatternKind kind : {PatternKind::uniform, PatternKind::hotspot}) {
        Load patient = load(plan, kind, 0.2, 4, 150);
        const Outcome whole = run_open_loop(plan, patient);
        ASSERT_FALSE(whole.gave_up);
        const double factor = whole.mean_latency_cycles / whole.mean_unhindered_cycles;

        patient.latency_factor_max = 1.0001 * factor;
        const Outcome same = run_open_loop(plan, patient);
        EXPECT_FALSE(same.gave_up);
        EXPECT_EQ(same.mean_latency_cycles, whole.mean_latency_cycles);
        EXPECT_EQ(same.elapsed_cycles, whole.elapsed_cycles);

        patient.latency_factor_max = 0.9999 * factor;
        EXPECT_TRUE(run_open_loop(plan, patient).gave_up);
    }
}

TEST_P(SyntheticLoad, APacketThatIsLedAstrayIsNoticed) {
    NetworkPlan plan = network();
    const NodeIndex from = plan.nodes[0];
    const NodeIndex to = plan.nodes[1];
    Topology& topology = plan.topology;
    topology.towards[from * static_cast<std::size_t>(topology.num_lines) + topology.positions[to].column] =
        Topology::kTakenFirst + kNiuPort;
    const Load uniform = load(plan, PatternKind::uniform, 0.1, 2);
    EXPECT_NE(run_open_loop(plan, uniform).fault.find("its header arrived at another node"), std::string::npos);
}

TEST(SyntheticLargeNetworks, PacketsGoTheirWays) {
    // More pairs of nodes than ways are kept.
    for (const PlainTopology topology : {PlainTopology::mesh, PlainTopology::torus}) {
        const NetworkPlan plan = plain_network({.topology = topology, .shape = {.columns = 128, .rows = 3}});
        Load load{.pattern = Pattern(PatternKind::uniform, plan.shape)};
        load.flits_per_source_and_cycle = 0.01;
        load.packet_flits = 2;
        load.measured_flits_per_source = 40;
        EXPECT_EQ(run_open_loop(plan, load).fault, "");
    }
}

// Published latencies in cycles at three loads, and saturation, of BookSim2 with an equal network. Packets have equal
// lengths and uniform traffic; router details are from BookSim2's source.

struct Published {
    int packet_flits = 1;
    std::int64_t measured_flits = 1;                           // per source
    double saturation = 0;                                     // flits per node and cycle
    std::array<std::pair<double, double>, 3> latency_of_rate;  // pairs of rate and cycles
};

void PrintTo(const Published& published, std::ostream* stream) { *stream << published.packet_flits << " flits"; }

class SyntheticMeshOfThePeer : public testing::TestWithParam<Published> {};

INSTANTIATE_TEST_SUITE_P(Packets, SyntheticMeshOfThePeer,
                         testing::ValuesIn(test::thinned(
                             std::vector{Published{1, 1000, 0.414, {{{0.083, 33.8}, {0.207, 35.2}, {0.373, 45.0}}}},
                                         Published{32, 5000, 0.302, {{{0.060, 72.8}, {0.151, 91.2}, {0.272, 153}}}},
                                         Published{256, 10'000, 0.213, {{{0.043, 334}, {0.107, 444}, {0.192, 724}}}}},
                             3)),
                         [](const auto& test) { return "Of" + std::to_string(test.param.packet_flits) + "Flits"; });

TEST_P(SyntheticMeshOfThePeer, HasItsLatencyAndItsSaturation) {
    const NetworkPlan plan = plain(PlainTopology::mesh, {8, 8});
    Load load{.pattern = Pattern(PatternKind::uniform, plan.shape)};
    load.packet_flits = GetParam().packet_flits;
    load.measured_flits_per_source = GetParam().measured_flits;
    for (const auto& [rate, latency_cycles] : GetParam().latency_of_rate) {
        load.flits_per_source_and_cycle = rate;
        const Outcome outcome = run_open_loop(plan, load);
        EXPECT_EQ(outcome.fault, "");
        EXPECT_NEAR(outcome.mean_latency_cycles / latency_cycles, 1, 0.2) << "at " << rate;
    }
    EXPECT_NEAR(find_saturation(plan, load).flits_per_source_and_cycle / GetParam().saturation, 1, 0.1);
}

// Points as run by the command line.

const std::string kTest = "Synthetic Traffic";

PointResult run(const std::string& test, std::map<std::string, std::string> parameters,
                const std::string& arch = "wormhole_b0", const std::vector<Setting>& settings = {}) {
    parameters.try_emplace("num_transactions", "5");
    parameters.try_emplace("call_size", "64");
    return run_point(find_test(test), arch, "", parameters, settings);
}

double statistic(const PointResult& point, const std::string& name) {
    const auto found = std::ranges::find(point.statistics, name, &Statistic::name);
    return found != point.statistics.end() ? found->value : std::nan("");
}

TEST(SyntheticPoint, EveryTestRunsItsQuickTier) {
    for (const std::string& arch : test::architectures_of(ArchitectureKind::tensix_torus)) {
        int num_tests = 0;
        for (const TestDefinition& test : all_tests()) {
            if (test.primitive != "synthetic" || test.kind != ArchitectureKind::tensix_torus) {
                continue;
            }
            ++num_tests;
            const Sweep sweep = test.sweep_on(arch, Tier::quick);
            for (const std::string& pattern : sweep.parameters.at(0).values) {
                for (const std::string& rate : sweep.parameters.at(1).values) {
                    const PointResult point = run(test.name, {{"pattern", pattern}, {"injection_rate", rate}}, arch);
                    ASSERT_EQ(point.rows.size(), 1U);
                    EXPECT_TRUE(point.rows[0].data_ok);
                    EXPECT_EQ(point.rows[0].kernel, "Source");
                    EXPECT_GT(point.rows[0].latency_cycles, 0);
                    EXPECT_EQ(point.params, fmt::format("pattern={};injection_rate={}", pattern, rate));
                }
            }
        }
        EXPECT_EQ(num_tests, 4);
    }
}

TEST(SyntheticPoint, RowsHaveMeanLatencyAndWhatIsAccepted) {
    const PointResult point = run("Synthetic Traffic on a Mesh", {{"size", "4x4"}, {"num_transactions", "100"}});
    const ResultRow& row = point.rows.at(0);
    EXPECT_EQ(row.num_cores, 16U);
    EXPECT_EQ(row.transaction_size_bytes, 64U);
    EXPECT_NEAR(row.bandwidth_bytes_per_cycle, 0.1 * 32, 0.1);
    EXPECT_EQ(row.latency_cycles, statistic(point, "mean_latency_cycles"));
    EXPECT_EQ(row.bandwidth_bytes_per_cycle, 32 * statistic(point, "accepted_flits_per_node_and_cycle"));
    EXPECT_GE(row.latency_cycles, statistic(point, "mean_unhindered_latency_cycles"));
    EXPECT_LE(row.latency_cycles, statistic(point, "p99_latency_cycles"));
    EXPECT_LE(statistic(point, "p99_latency_cycles"), statistic(point, "max_latency_cycles"));
    constexpr int kPackets = 16 * 100 * 8 / 2;  // packets of 2 flits, 8 flits per transaction
    EXPECT_NEAR(statistic(point, "measured_packets"), kPackets, 300);
    EXPECT_EQ(row.limiter, Cause::round_trip);
}

TEST(SyntheticPoint, TurnsAndReleasesOfAPlainNetworkTakeTime) {
    const auto run_mesh = [](std::map<std::string, std::string> parameters) {
        parameters.insert({{"size", "4x4"}, {"injection_rate", "0.05"}, {"num_transactions", "100"}});
        return run("Synthetic Traffic on a Mesh", parameters);
    };
    const auto latency = [&](const std::map<std::string, std::string>& parameters) {
        return run_mesh(parameters).rows.at(0).latency_cycles;
    };
    const auto unhindered = [&](const std::map<std::string, std::string>& parameters) {
        return statistic(run_mesh(parameters), "mean_unhindered_latency_cycles");
    };
    // Most packets turn out of their source tile and into another tile; 9 of 16 also turn between a row and a column.
    EXPECT_NEAR(unhindered({{"turn_cycles", "10"}}) - unhindered({}), 10 * (15.0 / 16 * 2 + 1.0 / 16 + 9.0 / 16), 0.3);
    EXPECT_GE(latency({{"turn_cycles", "10"}}), unhindered({{"turn_cycles", "10"}}));
    EXPECT_EQ(latency({{"release_cycles", "1"}}), latency({}));
    EXPECT_GT(latency({{"release_cycles", "50"}}), latency({}));
    EXPECT_NE(latency({{"rests_at_straight_input", "1"}, {"virtual_channels", "1"}}),
              latency({{"virtual_channels", "1"}}));
}

TEST(SyntheticPoint, SaturationIsARate) {
    const PointResult point = run("Synthetic Traffic on a Mesh", {{"injection_rate", "saturation"}, {"size", "4x4"}});
    const double rate = statistic(point, "injection_rate_flits_per_node_and_cycle");
    EXPECT_GT(rate, 0.3);
    EXPECT_LT(rate, 1.0);
    EXPECT_NEAR(point.rows.at(0).bandwidth_bytes_per_cycle, 32 * rate, 3.2);
    EXPECT_LE(point.rows.at(0).latency_cycles, kSaturationFactor * statistic(point, "mean_unhindered_latency_cycles"));
}

TEST(SyntheticPoint, OverloadIsContention) {
    const PointResult point = run(kTest, {{"injection_rate", "0.9"}, {"noc", "1"}, {"pattern", "hotspot"}});
    EXPECT_EQ(point.rows.at(0).limiter, Cause::contention);
    EXPECT_EQ(point.rows.at(0).noc, 1);
    EXPECT_TRUE(point.rows.at(0).data_ok);
}

TEST(SyntheticPoint, TheNocOfAChipIsOnItsFloorPlan) {
    const PointResult point = run(kTest, {{"pattern", "neighbour"}});
    EXPECT_EQ(point.cores.size(), point.rows.at(0).num_cores);
    EXPECT_EQ(point.deliveries.size(), point.rows.at(0).num_cores);
    std::uint64_t flit_hops = 0;
    for (const LinkUse& link : point.links) {
        flit_hops += link.flits;
    }
    EXPECT_EQ(flit_hops, point.flit_hops);
    for (const CoreResult& core : point.cores) {
        EXPECT_EQ(core.ledger.total(), core.latency);
        EXPECT_GT(core.latency, 0);
    }
}

TEST(SyntheticPoint, APacketOfAChipIsSlowerThanItsLink) {
    // A tile reads or writes a data flit about every 1.02 cycles; see niu in the architecture file.
    const PointResult as_built = run(kTest, {{"call_size", "8192"}, {"injection_rate", "0.001"}});
    const PointResult ideal =
        run(kTest, {{"call_size", "8192"}, {"injection_rate", "0.001"}}, "wormhole_b0",
            {{"niu.source_cycles_per_data_flit", "1,1"}, {"niu.sink_cycles_per_data_flit", "1,1"}});
    EXPECT_NEAR(
        statistic(as_built, "mean_unhindered_latency_cycles") - statistic(ideal, "mean_unhindered_latency_cycles"), 5,
        1);
    EXPECT_EQ(ideal.params,
              "pattern=uniform;injection_rate=0.001;niu.source_cycles_per_data_flit=1,1;"
              "niu.sink_cycles_per_data_flit=1,1");
}

std::string complaint(const std::map<std::string, std::string>& parameters) {
    return test::error_message([&] { run(kTest, parameters); });
}

TEST(SyntheticParameters, AreCheckedAndNamed) {
    EXPECT_EQ(complaint({{"pattern", "random"}}),
              "parameter pattern: expected uniform or transpose or bit_complement or tornado or neighbour or hotspot, "
              "found 'random'");
    EXPECT_EQ(complaint({{"injection_rate", "1.5"}}),
              "parameter injection_rate: expected a number from 0.0001 to 1 or saturation, found '1.5'");
    EXPECT_EQ(complaint({{"injection_rate", "nan"}}),
              "parameter injection_rate: expected a number from 0.0001 to 1 or saturation, found 'nan'");
    EXPECT_EQ(complaint({{"topology", "ring"}}),
              "parameter topology: expected noc or mesh or torus or unidirectional_torus, found 'ring'");
    EXPECT_EQ(complaint({{"topology", "mesh"}, {"size", "8"}}),
              "parameter size: expected columns and rows, at most 128x128, such as 8x8, found '8'");
    EXPECT_EQ(complaint({{"topology", "mesh"}, {"size", "129x1"}}),
              "parameter size: expected columns and rows, at most 128x128, such as 8x8, found '129x1'");
    EXPECT_EQ(complaint({{"topology", "torus"}, {"virtual_channels", "1"}}),
              "parameter virtual_channels: expected 2 or 4 or 8, found '1'");
    EXPECT_EQ(complaint({{"virtual_channels", "5"}}),
              "parameter virtual_channels: expected a whole number from 1 to 4, found '5'");
    EXPECT_EQ(complaint({{"topology", "mesh"}, {"noc", "1"}}),
              "parameter noc: it is for topology=noc; a plain network is one by itself");
    EXPECT_EQ(complaint({{"buffer_flits", "4"}}),
              "parameter buffer_flits: it is for plain networks; a NoC is as its architecture has it, which --set "
              "changes");
    EXPECT_EQ(complaint({{"topology", "mesh"}, {"size", "4x4"}, {"pattern", "hotspot"}, {"hotspot", "4,0"}}),
              "parameter hotspot: expected column and row of one of 4x4 receivers, such as 0,0, found '4,0'");
    EXPECT_EQ(complaint({{"call_size", "8256"}}),
              "parameter call_size: expected at most 8224 bytes, a packet of 257 flits, found 8256");
    EXPECT_EQ(complaint({{"topology", "mesh"}, {"size", "1x1"}, {"num_transactions", "1"}, {"call_size", "8192"}}),
              "parameter num_transactions: 1 for each of 1 nodes are too few to measure anything");
    EXPECT_EQ(complaint({{"vc", "1"}}),
              "parameter vc: this test has no such parameter; it has num_transactions, call_size, pattern, "
              "injection_rate, topology, size, virtual_channels, buffer_flits, hop_cycles, credit_return_cycles, "
              "turn_cycles, release_cycles, rests_at_straight_input, noc, hotspot, hotspot_percent, warmup_cycles, "
              "measured_cycles, arrivals, seed");
    EXPECT_EQ(complaint({{"turn_cycles", "1"}}),
              "parameter turn_cycles: it is for plain networks; a NoC is as its architecture has it, which --set "
              "changes");
    EXPECT_EQ(complaint({{"arrivals", "one_generator"}, {"injection_rate", "saturation"}}),
              "parameter arrivals: the search for saturation needs own_generators");
}

}  // namespace

}  // namespace nocbench::synthetic
