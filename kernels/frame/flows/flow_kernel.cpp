#include "kernels/frame/flows/flow_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <queue>
#include <utility>

#include "device_model/noc/network.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/checks/sync_check.h"
#include "device_model/tenstorrent/device_state.h"
#include "device_model/tenstorrent/risc.h"
#include "device_model/tenstorrent/tile/niu_command.h"
#include "kernels/tensix/dataflow_api.h"
#include "kernels/tensix/program.h"

namespace nocbench {

namespace {

// Kernels of different tiles are simulated in order of time only up to a window. With a faster signal, results would
// depend on the length of windows.
static_assert(kSignalCycles >= 4 * Network::kWindowCyclesMax);

class GroupCondition final : public WaitCondition {
public:
    GroupCondition(const std::string& name, const std::size_t& num_running) : name_(name), num_running_(num_running) {}
    [[nodiscard]] bool is_met() const override { return num_running_ == 0; }
    [[nodiscard]] std::string description() const override {
        return fmt::format("a flow that starts after '{}' ({} of these flows have not ended)", name_, num_running_);
    }

private:
    const std::string& name_;
    const std::size_t& num_running_;
};

class FlowKernel {
public:
    FlowKernel(FlowRun& run, std::span<const PlacedFlow> flows)
        : run_(run), flows_(flows), addresses_(flows.size()), risc_(Risc::current()) {}

    void carry_out() {
        SyncCheck* const check = risc_.state().sync_check.get();
        if (check != nullptr) {
            const auto where = [](std::uint32_t flow) { return fmt::format("flow {}", flow); };
            risc_.set_program({[this] { return program_counter_; }, where, {}});
            check->runs(risc_, where, [](TransactionKind, int) { return std::nullopt; });
        }
        for (std::size_t begin = 0; begin < flows_.size();) {
            std::size_t end = begin + 1;
            if (flow(begin).call_interval > 0) {
                while (end < flows_.size() && flow(end).call_interval > 0 && flow(end).after == flow(begin).after) {
                    ++end;
                }
            }
            carry_out_in_turn(begin, end);
            begin = end;
        }
        make_barriers();
        leave_zone();
        if (check != nullptr) {
            check->ends(risc_);
            risc_.set_program({});
        }
    }

private:
    /// Kinds of calls that a barrier waits for.
    enum class Outstanding : std::uint8_t { reads, writes, posted_writes, atomics };
    static constexpr std::array kAllKinds{Outstanding::reads, Outstanding::writes, Outstanding::posted_writes,
                                          Outstanding::atomics};

    /// Returns the kind of barrier for a flow's calls, if any.
    static std::optional<Outstanding> outstanding(Flow::Kind kind) {
        switch (kind) {
            case Flow::Kind::read:
                return Outstanding::reads;
            case Flow::Kind::write:
            case Flow::Kind::inline_write:
                return Outstanding::writes;
            case Flow::Kind::posted_write:
                return Outstanding::posted_writes;
            case Flow::Kind::increment:
                return Outstanding::atomics;
            default:
                return std::nullopt;
        }
    }

    [[nodiscard]] const Flow& flow(std::size_t number) const { return run_.table().flows[flows_[number].index]; }

    /// Issues calls of several flows in the order of their planned times.
    void carry_out_in_turn(std::size_t begin, std::size_t end) {
        const Tick origin = origin_of(flow(begin));
        using Planned = std::pair<Tick, std::size_t>;  // next call of a flow
        std::priority_queue<Planned, std::vector<Planned>, std::greater<>> next;
        std::vector<std::uint64_t> num_issued(end - begin);
        for (std::size_t number = begin; number < end; ++number) {
            next.emplace(origin + flow(number).start, number);
        }
        while (!next.empty()) {
            const auto [planned, number] = next.top();
            next.pop();
            const Flow& its_flow = flow(number);
            std::uint64_t& call = num_issued[number - begin];
            enter_zone(its_flow.group, planned);
            if (call == 0) {
                previous_begin_ = risc_.now();
                run_.begin(flows_[number].index, risc_.now());
            }
            do {
                issue(number, call);
                ++call;
            } while (its_flow.call_interval == 0 && call < its_flow.num_calls);
            previous_end_ = risc_.now();
            if (call < its_flow.num_calls) {
                next.emplace(planned + its_flow.call_interval, number);
            }
        }
    }

    /// Returns the reference time of the flow's `start`.
    Tick origin_of(const Flow& flow) {
        if (!flow.after.has_value()) {
            return flow.origin == Flow::Origin::run              ? 0
                   : flow.origin == Flow::Origin::previous_begin ? previous_begin_
                                                                 : previous_end_;
        }
        make_barriers();  // other kernels may wait for these flows
        if (zone_ != flow.group) {
            leave_zone();
        }
        return run_.wait_for(*flow.after);
    }

    /// Enters the zone of a flow's group. Consecutive flows of a group share a zone.
    void enter_zone(std::size_t group, Tick not_before) {
        if (zone_ != group) {
            leave_zone();
        }
        if (not_before > risc_.now()) {
            risc_.spend(not_before - risc_.now());
        }
        if (!zone_.has_value()) {
            risc_.open_zone(run_.table().groups[group]);
            zone_ = group;
        }
    }

    void leave_zone() {
        if (zone_.has_value()) {
            risc_.close_zone();
            zone_.reset();
        }
    }

    void issue(std::size_t number, std::uint64_t call) {
        const Flow& its_flow = flow(number);
        const PlacedFlow& placed = flows_[number];
        program_counter_ = program_counter_of(placed.index);
        if (!placed.targets.empty() && (call == 0 || placed.targets.size() > 1)) {
            addresses_[number] = address(its_flow, placed.targets[call % placed.targets.size()]);
        }
        const std::optional<Outstanding> kind = outstanding(its_flow.kind);
        if (!kind.has_value()) {
            call_other(its_flow, addresses_[number]);
            end_flows({placed.index});
            return;
        }
        limit_outstanding(its_flow, placed);
        transfer(its_flow, placed, addresses_[number]);
        const bool is_last = call + 1 == its_flow.num_calls;
        if (is_last) {
            unended(*kind, its_flow.noc).push_back(placed.index);
        }
        if (its_flow.barrier_interval != Flow::kNoBarrier &&
            (is_last || (its_flow.barrier_interval != 0 && (call + 1) % its_flow.barrier_interval == 0))) {
            make_barrier(*kind, its_flow.noc);
        }
    }

    [[nodiscard]] static std::uint64_t address(const Flow& flow, const PlacedFlow::Target& target) {
        if (!flow.computes_addresses) {
            TranslatedCoordinate first{static_cast<int>(target.first_x), static_cast<int>(target.first_y)};
            TranslatedCoordinate last{static_cast<int>(target.last_x), static_cast<int>(target.last_y)};
            if (flow.noc == 1) {
                std::swap(first, last);  // like get_noc_multicast_addr()
            }
            return flow.partner == Flow::Partner::rectangle ? noc_address_of(first, last, target.address)
                                                            : noc_address_of(last, target.address);
        }
        return flow.partner == Flow::Partner::rectangle
                   ? dataflow::get_noc_multicast_addr(target.first_x, target.first_y, target.last_x, target.last_y,
                                                      target.address, noc(flow))
                   : dataflow::get_noc_addr(target.first_x, target.first_y, target.address, noc(flow));
    }

    static std::uint8_t noc(const Flow& flow) { return static_cast<std::uint8_t>(flow.noc); }

    static std::uint8_t channel(const Flow& flow) {
        return flow.virtual_channel.value_or(flow.partner == Flow::Partner::rectangle ? dataflow::NOC_MULTICAST_WRITE_VC
                                                                                      : dataflow::NOC_UNICAST_WRITE_VC);
    }

    static void limit_outstanding(const Flow& flow, const PlacedFlow& placed) {
        if (flow.window == 0) {
            return;
        }
        const std::uint32_t packet_bytes = dataflow::noc_max_burst_size();
        const std::uint64_t packets = (flow.call_bytes + packet_bytes - 1) / packet_bytes;
        const std::uint64_t others = (flow.window - 1) * packets * placed.num_receivers;
        if (flow.kind == Flow::Kind::read) {
            dataflow::limit_outstanding_reads(others, noc(flow));
        } else {
            dataflow::limit_outstanding_writes(others, noc(flow));
        }
    }

    static void transfer(const Flow& flow, const PlacedFlow& placed, std::uint64_t address) {
        using namespace dataflow;
        const std::uint32_t own = placed.own_address;
        const bool is_multicast = flow.partner == Flow::Partner::rectangle;
        if (flow.stateful) {
            transfer_with_state(flow, own, static_cast<std::uint32_t>(address));
            return;
        }
        switch (flow.kind) {
            case Flow::Kind::write:
                if (is_multicast) {
                    noc_async_write_multicast(own, address, flow.call_bytes, placed.num_receivers, false, noc(flow),
                                              channel(flow));
                } else {
                    noc_async_write(own, address, flow.call_bytes, noc(flow), channel(flow));
                }
                break;
            case Flow::Kind::posted_write:
                noc_async_write<true>(own, address, flow.call_bytes, noc(flow), channel(flow));
                break;
            case Flow::Kind::read:
                noc_async_read(address, own, flow.call_bytes, noc(flow), channel(flow));
                break;
            case Flow::Kind::inline_write:
                noc_inline_dw_write(address, kInlineWord, noc(flow), channel(flow));
                break;
            default:
                if (is_multicast) {
                    noc_semaphore_inc_multicast(address, 1, placed.num_receivers, noc(flow), channel(flow));
                } else {
                    noc_semaphore_inc(address, 1, noc(flow), channel(flow));
                }
        }
    }

    static void transfer_with_state(const Flow& flow, std::uint32_t own, std::uint32_t address) {
        switch (flow.kind) {
            case Flow::Kind::read:
                dataflow::noc_async_read_one_packet_with_state(address, own, noc(flow));
                break;
            case Flow::Kind::posted_write:
                dataflow::noc_async_write_one_packet_with_state<true>(own, address, noc(flow));
                break;
            default:
                dataflow::noc_async_write_one_packet_with_state(own, address, noc(flow));
        }
    }

    void call_other(const Flow& flow, std::uint64_t address) {
        using namespace dataflow;
        switch (flow.kind) {
            case Flow::Kind::read_barrier:
                make_barrier(Outstanding::reads, flow.noc);
                break;
            case Flow::Kind::write_barrier:
                make_barrier(Outstanding::writes, flow.noc);
                break;
            case Flow::Kind::atomic_barrier:
                make_barrier(Outstanding::atomics, flow.noc);
                break;
            case Flow::Kind::full_barrier:
                for (const Outstanding kind : kAllKinds) {
                    make_barrier(kind, flow.noc);
                }
                break;
            case Flow::Kind::flush:
                noc_async_writes_flushed(noc(flow));
                break;
            case Flow::Kind::limit_reads:
                limit_outstanding_reads(flow.operand, noc(flow));
                break;
            case Flow::Kind::limit_writes:
                limit_outstanding_writes(flow.operand, noc(flow));
                break;
            case Flow::Kind::set_read_state:
                noc_async_read_one_packet_set_state(address, flow.call_bytes, noc(flow), channel(flow));
                break;
            case Flow::Kind::set_write_state:
                if (flow.operand != 0) {  // posted
                    noc_async_write_one_packet_set_state<true>(address, flow.call_bytes, noc(flow), channel(flow));
                } else {
                    noc_async_write_one_packet_set_state(address, flow.call_bytes, noc(flow), channel(flow));
                }
                break;
            case Flow::Kind::wait:
                noc_semaphore_wait_min(L1Pointer(increment_word(risc_.state().architecture)),
                                       static_cast<std::uint32_t>(flow.operand));
                break;
            case Flow::Kind::store:
                noc_semaphore_set(L1Pointer(stored_word(risc_.state().architecture)), 1);
                break;
            default:
                break;
        }
    }

    /// Ends all flows with barriers. Barriers for flows of other groups are outside the open zone.
    void make_barriers() {
        const auto make_those = [&](const auto& is_meant) {
            for (int noc = 0; noc < kNumNocs; ++noc) {
                for (const Outstanding kind : kAllKinds) {
                    if (std::ranges::any_of(unended(kind, noc), is_meant)) {
                        make_barrier(kind, noc);
                    }
                }
            }
        };
        make_those([&](std::size_t index) { return run_.table().flows[index].group == zone_; });
        if (std::ranges::any_of(unended_, [](const auto& of_kind) { return !of_kind.empty(); })) {
            leave_zone();
            make_those([](std::size_t) { return true; });
        }
    }

    void make_barrier(Outstanding kind, int noc_number) {
        const auto noc = static_cast<std::uint8_t>(noc_number);
        switch (kind) {
            case Outstanding::reads:
                dataflow::noc_async_read_barrier(noc);
                break;
            case Outstanding::writes:
                dataflow::noc_async_write_barrier(noc);
                break;
            case Outstanding::posted_writes:
                dataflow::noc_async_posted_writes_flushed(noc);
                break;
            case Outstanding::atomics:
                dataflow::noc_async_atomic_barrier(noc);
                break;
        }
        end_flows(std::exchange(unended(kind, noc_number), {}));
    }

    void end_flows(const std::vector<std::size_t>& indices) {
        if (!indices.empty()) {
            risc_.synchronize();
            for (const std::size_t index : indices) {
                run_.end(index, risc_.now());
            }
        }
    }

    /// Returns the flows that have issued all calls and wait for a barrier.
    std::vector<std::size_t>& unended(Outstanding kind, int noc) {
        return unended_[static_cast<std::size_t>(kind) * kNumNocs + static_cast<std::size_t>(noc)];
    }

    FlowRun& run_;
    std::span<const PlacedFlow> flows_;
    std::vector<std::uint64_t> addresses_;  // by flow: address of its current target
    Risc& risc_;
    std::uint32_t program_counter_ = 0;  // for checks: the flow of the present call
    std::optional<std::size_t> zone_;    // group of the open zone
    std::array<std::vector<std::size_t>, kAllKinds.size() * kNumNocs> unended_;
    Tick previous_begin_ = 0;
    Tick previous_end_ = 0;
};

}  // namespace

FlowRun::FlowRun(const FlowTable& table) : table_(table), times_(table.flows.size()), groups_(table.groups.size()) {
    for (const Flow& flow : table.flows) {
        ++groups_[flow.group].num_running;
    }
}

void FlowRun::end(std::size_t flow, Tick tick) {
    times_[flow].end = tick;
    Group& group = groups_[table_.flows[flow].group];
    group.ended = std::max(group.ended, tick);
    --group.num_running;
    if (group.num_running == 0) {
        for (Risc* const risc : std::exchange(group.waiting, {})) {
            const Tick seen_after = risc->state().architecture.risc.register_return_ticks;
            risc->notify(group.ended + ticks_from_cycles(kSignalCycles) - seen_after, nullptr);
        }
    }
}

Tick FlowRun::wait_for(std::size_t group_index) {
    Group& group = groups_[group_index];
    Risc& risc = Risc::current();
    risc.synchronize();
    if (group.num_running > 0) {
        group.waiting.push_back(&risc);
        risc.wait_until(GroupCondition(table_.groups[group_index], group.num_running), Cause::semaphore, 0, 0);
    }
    const Tick signalled = group.ended + ticks_from_cycles(kSignalCycles);
    if (risc.now() < signalled) {
        risc.spend(signalled - risc.now(), Cause::semaphore);
    }
    return signalled;
}

std::uint32_t increment_word(const TorusArchitecture& architecture) { return semaphore_address(architecture, 0); }
std::uint32_t inline_word(const TorusArchitecture& architecture) { return semaphore_address(architecture, 1); }
std::uint32_t stored_word(const TorusArchitecture& architecture) { return semaphore_address(architecture, 2); }

void run_flows(FlowRun& run, std::span<const PlacedFlow> flows) { FlowKernel(run, flows).carry_out(); }

}  // namespace nocbench
