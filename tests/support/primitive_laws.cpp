#include "tests/support/primitive_laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "device_model/sim/error.h"
#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "tests/support/thinning.h"

namespace nocbench::test {

namespace {

std::string text_of(const Parameters& parameters) {
    std::string text;
    for (const auto& [name, value] : parameters) {
        text += fmt::format("{}={} ", name, value);
    }
    return text;
}

/// Returns the median; for an even number of values, the mean of the middle two.
double median(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace

void expect_sound(const std::string& test, const SweepPoint& sweep_point, const FinishedPoint& point,
                  const Parameters& parameters, const Extent& extent) {
    EXPECT_EQ(point.data_faults(), "");
    const PointResult again =
        run_point(find_test(test), sweep_point.architecture, "", with_axes(sweep_point, parameters));
    ASSERT_EQ(again.rows.size(), point.reports().size());
    for (std::size_t index = 0; index < again.rows.size(); ++index) {
        const ResultRow& row = again.rows[index];
        const KernelReport& report = point.reports()[index];
        const std::uint64_t bytes = extent.calls_per_transaction * sweep_point.call_size_bytes;
        EXPECT_EQ(report.transaction_size_bytes, bytes) << report.label;
        EXPECT_EQ(row.kernel, report.label);
        EXPECT_EQ(row.kernel, find_test(test).kernels.at(index));
        EXPECT_TRUE(row.data_ok);
        EXPECT_EQ(row.num_cores, extent.num_cores);
        std::vector<double> latencies;
        std::vector<double> bandwidths;
        for (const Zone& zone : point.timed_zones(report.label)) {
            EXPECT_EQ(zone.ledger.total(), zone.end - zone.start) << report.label;
            latencies.push_back(cycles_from_ticks(zone.end - zone.start));
            bandwidths.push_back(static_cast<double>(bytes * sweep_point.num_transactions) / latencies.back());
        }
        EXPECT_EQ(latencies.size(), extent.num_cores);
        EXPECT_EQ(row.latency_cycles, median(latencies));
        EXPECT_DOUBLE_EQ(row.bandwidth_bytes_per_cycle, median(bandwidths));
        if (extent.num_cores == 1) {
            EXPECT_EQ(row.limiter, point.limiter(report.label));
        }
    }
}

int hops_there_and_back(const Grid& grid, LogicalCoordinate one, LogicalCoordinate other) {
    return grid.hops(0, grid.physical(one), grid.physical(other)) +
           grid.hops(0, grid.physical(other), grid.physical(one));
}

void expect_not_faster_than_physics(const FinishedPoint& point, const std::string& label,
                                    const TorusArchitecture& architecture, int ring_hops, Tick call_ticks) {
    const auto hops = static_cast<double>(ring_hops * architecture.router.hop_cycles);
    EXPECT_GE(point.latency_cycles(label), static_cast<double>(point.flits(label)) + hops);
    const Tick issue = static_cast<Tick>(point.packets(label)) * call_ticks;
    EXPECT_GE(point.latency_cycles(label), cycles_from_ticks(issue) + hops);
}

void expect_plain_limiter(const FinishedPoint& point, const std::string& label, const SweepPoint& sweep_point,
                          std::uint32_t issue_up_to_bytes) {
    if (sweep_point.num_transactions >= 64) {
        const bool is_small = sweep_point.call_size_bytes <= issue_up_to_bytes;
        EXPECT_EQ(to_string(point.limiter(label)), is_small ? "issue" : "link");
    } else if (sweep_point.num_transactions == 1 && sweep_point.call_size_bytes < 1024) {
        EXPECT_EQ(to_string(point.limiter(label)), "round_trip");
    }
}

void expect_latency_grows_with_transactions(const std::string& test, const std::string& architecture,
                                            const Parameters& parameters) {
    const Sweep sweep = find_test(test).sweep_on(architecture, Tier::full);
    constexpr std::int64_t kBytesMax = thinned(std::int64_t{4 * 1024 * 1024}, std::int64_t{16});
    const std::int64_t middle = sweep.call_size_bytes[sweep.call_size_bytes.size() / 2];
    for (const std::int64_t size : {sweep.call_size_bytes.front(), middle, sweep.call_size_bytes.back()}) {
        std::map<std::string, double> shorter;
        for (const std::int64_t count : sweep.num_transactions) {
            if (count * size > kBytesMax) {
                break;  // larger transfers only take longer to check
            }
            const PointResult point =
                run_point(find_test(test), architecture, "",
                          with_axes({architecture, static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(size)},
                                    parameters));
            for (const ResultRow& row : point.rows) {
                EXPECT_GT(row.latency_cycles, shorter[row.kernel]) << row.kernel << ", " << count << " of " << size;
                shorter[row.kernel] = row.latency_cycles;
            }
        }
    }
}

void expect_data_arrive(const std::string& test, const SweepPoint& sweep_point,
                        const std::vector<Parameters>& parameter_sets) {
    for (const Parameters& parameters : parameter_sets) {
        SCOPED_TRACE(text_of(parameters));
        const FinishedPoint point(test, sweep_point, parameters);
        EXPECT_EQ(point.data_faults(), "");
        for (const KernelReport& report : point.reports()) {
            if (const auto noc = parameters.find("noc"); noc != parameters.end()) {
                EXPECT_EQ(std::to_string(report.noc), noc->second);
            }
            if (const auto riscv = parameters.find("riscv"); riscv != parameters.end()) {
                EXPECT_EQ(std::to_string(report.riscv), riscv->second);
            }
        }
    }
}

void expect_calls_of_any_size_work(const std::string& test, const std::string& architecture,
                                   const std::vector<Parameters>& parameter_sets) {
    for (const std::uint32_t size : {1U, 17U, 100U, 1000U, 8195U, 40001U}) {
        SCOPED_TRACE(size);
        expect_data_arrive(test, {architecture, 3, size}, parameter_sets);
    }
}

void expect_stateful_calls_are_issued_faster(const std::string& test, const std::string& architecture) {
    const auto latency = [&](std::uint32_t num_transactions, std::uint32_t size, const char* stateful) {
        const FinishedPoint point(test, {architecture, num_transactions, size}, {{"stateful", stateful}});
        return point.latency_cycles(find_test(test).kernels.front());
    };
    EXPECT_GT(latency(1, 64, "1"), latency(1, 64, "0"));
    const double more = latency(65, 64, "1") - latency(1, 64, "1");
    const double plain_more = latency(65, 64, "0") - latency(1, 64, "0");
    EXPECT_LT(more, 0.98 * plain_more);
    EXPECT_NEAR(latency(16, 65536, "1"), latency(16, 65536, "0"), 0.01 * latency(16, 65536, "0"));
}

void expect_tampering_is_noticed(const std::string& test, const SweepPoint& sweep_point, const Parameters& parameters) {
    // Records the receivers of packets in order, and then repeats the point for each packet to corrupt.
    std::vector<NodeIndex> receivers;
    const FinishedPoint intact(test, sweep_point, parameters, [&](Device& device) {
        device.observers().tamper = [&](const Delivery& delivery, std::span<std::byte>) {
            receivers.push_back(delivery.destination);
        };
    });
    ASSERT_EQ(intact.data_faults(), "");
    ASSERT_FALSE(receivers.empty());
    std::set<std::size_t> wrong{0, receivers.size() / 2, receivers.size() - 1};
    std::map<NodeIndex, std::vector<std::size_t>> packets_of;
    for (std::size_t packet = 0; packet < receivers.size(); ++packet) {
        packets_of[receivers[packet]].push_back(packet);
    }
    for (const auto& [receiver, packets] : packets_of) {
        wrong.insert({packets.front(), packets[packets.size() / 2], packets.back()});
    }
    for (const std::size_t packet : wrong) {
        std::size_t seen = 0;
        const FinishedPoint point(test, sweep_point, parameters, [&](Device& device) {
            device.observers().tamper = [&](const Delivery&, std::span<std::byte> bytes) {
                if (seen++ == packet) {
                    std::byte& byte = bytes[packet * 7 % bytes.size()];
                    byte = ~byte;
                }
            };
        });
        EXPECT_NE(point.data_faults(), "") << "packet " << packet << " of " << receivers.size();
    }
}

void expect_a_wrong_source_is_noticed(const std::string& test, const std::string& architecture, LogicalCoordinate core,
                                      std::uint32_t address, int saboteur_riscv) {
    for (const std::uint32_t size : {64U, 2048U, 16384U}) {
        std::optional<Saboteur> saboteur;
        const FinishedPoint point(test, {architecture, 4, size}, {}, [&](Device& device) {
            saboteur.emplace(device, core, saboteur_riscv, saboteur_riscv, address + size - 4, Saboteur::When::at_once);
        });
        EXPECT_NE(point.data_faults(), "") << size;
    }
}

void expect_a_change_at_the_destination_is_noticed(const std::string& test, const std::string& architecture,
                                                   LogicalCoordinate core, bool is_second_buffer, int saboteur_riscv) {
    constexpr std::uint32_t kSize = 2048;
    const std::uint32_t address = kL1BufferAddress + (is_second_buffer ? kSize : 0);
    for (const std::uint32_t offset : {0U, 1024U, kSize - 4}) {
        std::optional<Saboteur> saboteur;
        const FinishedPoint point(test, {architecture, 1, kSize}, {}, [&](Device& device) {
            saboteur.emplace(device, core, saboteur_riscv, saboteur_riscv, address + offset,
                             Saboteur::When::in_the_end);
        });
        EXPECT_NE(point.data_faults(), "") << offset;
    }
}

}  // namespace nocbench::test
