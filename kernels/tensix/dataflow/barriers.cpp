#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "device_model/tenstorrent/niu/network_interfaces.h"
#include "device_model/tenstorrent/risc.h"
#include "kernels/tensix/dataflow/caller.h"
#include "kernels/tensix/dataflow_api.h"

namespace nocbench::dataflow {

namespace {

/// Waits for a NIU counter to reach the kernel's issued count, less an allowed rest.
class CounterCondition final : public WaitCondition {
public:
    CounterCondition(const char* call, const char* what, const std::uint64_t& counter, std::uint64_t wanted)
        : call_(call), what_(what), counter_(counter), wanted_(wanted) {}
    [[nodiscard]] bool is_met() const override { return counter_ >= wanted_; }
    [[nodiscard]] std::string description() const override {
        return fmt::format("{} for {} {} ({} have)", call_, wanted_, what_, counter_);
    }

private:
    const char* call_;
    const char* what_;
    const std::uint64_t& counter_;
    std::uint64_t wanted_;
};

void wait_for_counter(const Caller& caller, const char* what, const std::uint64_t& counter, std::uint64_t wanted) {
    const RiscConstants& cost = caller.cost();
    caller.risc.wait_until(CounterCondition(caller.call, what, counter, wanted), Cause::round_trip,
                           cost.register_load_ticks, cost.barrier_poll_ticks);
    caller.risc.spend(cost.barrier_exit_ticks);
}

const NiuCounters& counters(const Caller& caller, int noc) {
    const Processor::Identity& identity = caller.risc.identity();
    return caller.state.interfaces[static_cast<std::size_t>(noc)]
        ->initiator(identity.node)
        .counters(identity.processor);
}

}  // namespace

void noc_async_read_barrier(std::uint8_t noc) {
    const Caller caller("noc_async_read_barrier");
    const int number = caller.noc(noc);
    caller.show("READ_BARRIER_START", number);
    wait_for_counter(caller, "reads to complete", counters(caller, number).reads_completed,
                     caller.issued(number).reads);
    caller.show("READ_BARRIER_END", number);
}

void noc_async_read_inc_num_issued(std::uint32_t count, std::uint8_t noc) {
    const Caller caller("noc_async_read_inc_num_issued");
    caller.issued(caller.noc(noc)).reads += count;
}

void noc_async_writes_flushed(std::uint8_t noc) {
    const Caller caller("noc_async_writes_flushed");
    const int number = caller.noc(noc);
    caller.show("WRITE_FLUSH", number);
    wait_for_counter(caller, "writes to be sent", counters(caller, number).writes_sent, caller.issued(number).writes);
}

void noc_async_posted_writes_flushed(std::uint8_t noc) {
    const Caller caller("noc_async_posted_writes_flushed");
    const int number = caller.noc(noc);
    wait_for_counter(caller, "posted writes to be sent", counters(caller, number).posted_writes_sent,
                     caller.issued(number).posted_writes);
}

void noc_async_write_barrier(std::uint8_t noc) {
    const Caller caller("noc_async_write_barrier");
    const int number = caller.noc(noc);
    caller.show("WRITE_BARRIER_START", number);
    wait_for_counter(caller, "writes to be acknowledged", counters(caller, number).writes_acknowledged,
                     caller.issued(number).writes_to_be_acknowledged);
    caller.show("WRITE_BARRIER_END", number);
}

void noc_async_atomic_barrier(std::uint8_t noc) {
    const Caller caller("noc_async_atomic_barrier");
    const int number = caller.noc(noc);
    caller.show("ATOMIC_BARRIER", number);
    wait_for_counter(caller, "atomics to complete", counters(caller, number).atomics_completed,
                     caller.issued(number).atomics);
}

void limit_outstanding_reads(std::uint64_t packets, std::uint8_t noc) {
    const Caller caller("limit_outstanding_reads");
    const int number = caller.noc(noc);
    const std::uint64_t issued = caller.issued(number).reads;
    wait_for_counter(caller, "reads to complete", counters(caller, number).reads_completed,
                     issued - std::min(issued, packets));
}

void limit_outstanding_writes(std::uint64_t packets, std::uint8_t noc) {
    const Caller caller("limit_outstanding_writes");
    const int number = caller.noc(noc);
    const std::uint64_t issued = caller.issued(number).writes_to_be_acknowledged;
    wait_for_counter(caller, "writes to be acknowledged", counters(caller, number).writes_acknowledged,
                     issued - std::min(issued, packets));
}

void noc_async_full_barrier(std::uint8_t noc) {
    noc_async_read_barrier(noc);
    noc_async_writes_flushed(noc);
    noc_async_write_barrier(noc);
    noc_async_atomic_barrier(noc);
    noc_async_posted_writes_flushed(noc);
}

}  // namespace nocbench::dataflow
