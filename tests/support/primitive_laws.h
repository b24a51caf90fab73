// What holds for every primitive, and how the tests of each of them show it.
#pragma once

#include <string>
#include <vector>

#include "tests/support/finished_point.h"

namespace nocbench::test {

/// What a point consists of.
struct Extent {
    std::size_t num_cores = 1;                // that run the kernel
    std::uint64_t calls_per_transaction = 1;  // of each of them
};

/// Data checks passed, every tick booked, and the same rows as run_point gives.
void expect_sound(const std::string& test, const SweepPoint& sweep_point, const FinishedPoint& point,
                  const Parameters& parameters = {}, const Extent& extent = {});

/// No link brings a flit in less than a cycle, no hop and no call takes less than it does.
void expect_not_faster_than_physics(const FinishedPoint& point, const std::string& label,
                                    const TorusArchitecture& architecture, int ring_hops, Tick call_ticks);

/// Many small calls are limited by their issue, many larger ones than `issue_up_to_bytes` by a link, and a single small
/// one by the way there and back.
void expect_plain_limiter(const FinishedPoint& point, const std::string& label, const SweepPoint& sweep_point,
                          std::uint32_t issue_up_to_bytes);

/// More transactions take longer.
void expect_latency_grows_with_transactions(const std::string& test, const std::string& architecture,
                                            const Parameters& parameters = {});

/// Data arrive with each of `parameter_sets`, on the NoC and from the RISC that they name.
void expect_data_arrive(const std::string& test, const SweepPoint& sweep_point,
                        const std::vector<Parameters>& parameter_sets);

/// The same for calls of no special size.
void expect_calls_of_any_size_work(const std::string& test, const std::string& architecture,
                                   const std::vector<Parameters>& parameter_sets = {{}});

/// Stateful calls cost a little at first and then less than plain ones, unless it is not the RISC that limits them.
/// Where links do, nothing changes.
void expect_stateful_calls_are_issued_faster(const std::string& test, const std::string& architecture);

/// A wrong byte in any one of the packets of a point is noticed: in the first, middle and last ones of all, and of each
/// receiver.
void expect_tampering_is_noticed(const std::string& test, const SweepPoint& sweep_point,
                                 const Parameters& parameters = {});

/// A source that is changed before it is sent is noticed. `saboteur_riscv` is left alone by the primitive.
void expect_a_wrong_source_is_noticed(const std::string& test, const std::string& architecture, LogicalCoordinate core,
                                      std::uint32_t address, int saboteur_riscv);

/// Data that change where they have arrived are noticed.
void expect_a_change_at_the_destination_is_noticed(const std::string& test, const std::string& architecture,
                                                   LogicalCoordinate core, bool is_second_buffer, int saboteur_riscv);

}  // namespace nocbench::test
