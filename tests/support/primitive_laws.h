// Laws of every primitive, as checks for its tests.
#pragma once

#include <string>
#include <vector>

#include "tests/support/finished_point.h"

namespace nocbench::test {

/// Size of a point.
struct Extent {
    std::size_t num_cores = 1;                // cores that run the kernel
    std::uint64_t calls_per_transaction = 1;  // calls by each core
};

/// Checks that data checks passed, every tick is booked, and run_point returns equal rows.
void expect_sound(const std::string& test, const SweepPoint& sweep_point, const FinishedPoint& point,
                  const Parameters& parameters = {}, const Extent& extent = {});

/// Returns the hops of a request and of its response between two cores.
int hops_there_and_back(const Grid& grid, LogicalCoordinate one, LogicalCoordinate other);

/// Checks the physical limits: at least a cycle per flit on a link, and at least the cost of each hop and call.
void expect_not_faster_than_physics(const FinishedPoint& point, const std::string& label,
                                    const TorusArchitecture& architecture, int ring_hops, Tick call_ticks);

/// Checks limiters: issue for many small calls, a link for many calls above `issue_up_to_bytes`, and the round trip for
/// a single small call.
void expect_plain_limiter(const FinishedPoint& point, const std::string& label, const SweepPoint& sweep_point,
                          std::uint32_t issue_up_to_bytes);

/// Checks that more transactions take longer.
void expect_latency_grows_with_transactions(const std::string& test, const std::string& architecture,
                                            const Parameters& parameters = {});

/// Checks that data arrive with each of `parameter_sets`, on the NoC and from the RISC named in the set.
void expect_data_arrive(const std::string& test, const SweepPoint& sweep_point,
                        const std::vector<Parameters>& parameter_sets);

/// Checks data arrival for calls of odd sizes.
void expect_calls_of_any_size_work(const std::string& test, const std::string& architecture,
                                   const std::vector<Parameters>& parameter_sets = {{}});

/// Checks that stateful calls cost a little at first, and then less than plain ones, if the RISC is the bottleneck. If
/// links are the bottleneck, times must be equal.
void expect_stateful_calls_are_issued_faster(const std::string& test, const std::string& architecture);

/// Checks that a wrong byte is detected: in the first, middle and last packet of the point and of each receiver.
void expect_tampering_is_noticed(const std::string& test, const SweepPoint& sweep_point,
                                 const Parameters& parameters = {});

/// Checks that a change of the source before sending is detected. The primitive must not use `saboteur_riscv`.
void expect_a_wrong_source_is_noticed(const std::string& test, const std::string& architecture, LogicalCoordinate core,
                                      std::uint32_t address, int saboteur_riscv);

/// Checks that a change of the data after arrival is detected.
void expect_a_change_at_the_destination_is_noticed(const std::string& test, const std::string& architecture,
                                                   LogicalCoordinate core, bool is_second_buffer, int saboteur_riscv);

}  // namespace nocbench::test
