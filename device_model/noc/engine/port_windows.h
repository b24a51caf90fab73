// Windows of output ports that serve one packet, computed without a loop over cycles where possible.
#pragma once

#include <algorithm>
#include <array>

#include "device_model/noc/engine/router.h"
#include "device_model/noc/engine/window_arithmetic.h"

namespace nocbench::engine {

using namespace window_arithmetic;

inline constexpr int kHeadsMax = 4;  // heads of packets in a window; with more, the window is stepped cycle by cycle

struct ActiveVcWindow {
    LinkWindow arriving;  // 1 in the byte of each cycle in which a flit arrives
    LinkWindow credits;   // 1 in the byte of each cycle in which a credit arrives
    LinkWindow sent;      // 1 in the byte of each cycle in which a flit is sent
    int flits;            // in the buffer
    int used;             // flits downstream
    int next_flits;       // of the packet behind it, if its flits may follow in the window; otherwise 0
};

/// Steady window of a router, by active VC. Arrays are not initialised: they are large, and few elements are used.
template <int kPorts>
struct SteadyWindow {
    /// Flits of a packet that requests a virtual channel.
    struct Waiting {
        std::uint8_t input_vc;
        std::uint8_t count;
    };

    /// Packet whose first flit arrives at the front of a buffer.
    struct Head {
        std::uint8_t input_vc;
        std::uint8_t count;   // flits of the packet that arrive
        LinkWindow arriving;  // 1 in the byte of each cycle in which a flit arrives
    };

    /// Credits of a virtual channel without active VC.
    struct Returned {
        std::uint8_t port;
        std::uint8_t channel;
        LinkWindow credits;  // 1 in the byte of each cycle in which a credit arrives
    };

    std::array<ActiveVcWindow, kActiveVcsMax> lanes;
    std::array<LinkWindow, kPorts> pool_credits{};  // those that free space of the pool, by cycle
    // Bit per output port: whether the shared pool downstream stays full, and whether that has been computed.
    mutable unsigned pools_that_stay_full = 0;
    mutable unsigned pools_known = 0;
    std::array<Waiting, at(kPorts) * at(Network::kWindowCyclesMax)> waiting;
    std::array<Returned, at(kPorts) * at(kPorts) * at(Network::kWindowCyclesMax)> returned;
    std::array<Head, kHeadsMax> heads;
    bool may_end = false;  // a packet may end
    int num_waiting = 0;
    int num_returned = 0;
    int num_heads = 0;
    LinkWindow injected = 0;  // flits read from the tile, with their stream, that arrive in a later window
};

template <int kPorts, int kVirtualChannels>
class PortWindows {
public:
    using State = RouterState<kPorts, kVirtualChannels>;
    using Node = State::Node;
    using ColdNode = State::ColdNode;
    using Step = State::Step;
    using SteadyWindow = engine::SteadyWindow<kPorts>;

    PortWindows(const Routers<kPorts, kVirtualChannels>& routers, LinkWindow window_mask)
        : routers_(routers), parameters_(routers.parameters), space_(routers.space), window_mask_(window_mask) {}

    /// Steps an output port that serves one packet through a window.
    [[gnu::always_inline]] void advance(Node& node, ColdNode& cold, Cycle start, LinkWindow& injected,
                                        const ActiveVc& active_vc, ActiveVcWindow& lane) const {
        if (active_vc.is_read_from_tile) {
            send_from_tile(node, cold.streams[active_vc.input_vc], start, injected, active_vc, lane);
        } else if (active_vc.port == kNiuPort) {
            eject(node, start, active_vc, lane);
        } else {
            send_through(node, start, active_vc, lane);
        }
    }
    /// Notes flits read from the tile in the cycles whose byte of `read` is 1.
    void note_read(int stream, LinkWindow& injected, LinkWindow read) const {
        const int late =
            8 * static_cast<int>(std::max<Cycle>(parameters_.window_cycles - parameters_.injection_cycles, 0));
        injected |= (read >> late << late) * (static_cast<LinkWindow>(stream) + 1);
    }
    /// Notes that a link has passed flits in the cycles whose byte of `sent` is 1.
    void note_sent_on_end(Node& node, int port, Cycle start, LinkWindow sent) const {
        if (!routers_.links_idle() || sent == 0) {
            return;
        }
        const auto cycles = static_cast<int>(parameters_.window_cycles);
        const int last = window_arithmetic::sent_last(sent, cycles);
        ConsecutiveFlits& link = node.link_use[at(port - 1)];
        link.set(start + cycles, last == cycles ? cycles + link.until(start) : last);
    }
    /// Sets the number of flits of an active VC that are downstream.
    void count_downstream(Node& node, ActiveVc& active_vc, int used) const {
        routers_.fill_pool(node, active_vc.port, active_vc.used, used);
        active_vc.used = as_byte(used);
    }
    template <class Send>
    static void send_and_free(ColdNode& cold, const ActiveVc& active_vc, LinkWindow sent, const Send& send) {
        if (active_vc.port != kNiuPort) {
            send(active_vc.flits_word, sent * (active_vc.channel + 1U));
        }
        if (active_vc.input_port != kNiuPort) {
            send(active_vc.credits_word, sent * (active_vc.input_vc % kVirtualChannels + 1U));
        } else if (!active_vc.is_read_from_tile) {
            Stream& stream = cold.streams[active_vc.input_vc];
            stream.in_buffer = static_cast<std::uint16_t>(stream.in_buffer - count_ones(sent));
        }
    }
    /// Returns whether an active VC can act in another window even if nothing arrives, provided that no pool is full.
    [[nodiscard]] bool may_send(const Node& node, const ActiveVc& active_vc) const {
        if (active_vc.flits == 0) {
            return false;
        }
        return active_vc.port == kNiuPort ? !is_blocked(node, active_vc) : active_vc.used < space_.channel_flits_max();
    }
    /// Returns whether flits and credits let an active VC send in this window. Does not consider the pool.
    [[nodiscard]] bool may_go(const Node& node, const ActiveVc& active_vc, const ActiveVcWindow& lane) const {
        if (lane.flits == 0 && lane.arriving == 0) {
            return false;
        }
        return active_vc.port == kNiuPort ? !is_blocked(node, active_vc)
                                          : lane.used - count_ones(lane.credits) < space_.channel_flits_max();
    }
    /// Returns whether flits of an active VC are for a tile that does not accept any.
    [[nodiscard]] static bool is_blocked(const Node& node, const ActiveVc& active_vc) {
        return active_vc.port == kNiuPort && (node.blocked_channels >> active_vc.channel & 1U) != 0;
    }
    /// Returns whether the shared pool downstream can become full within a window.
    [[nodiscard]] bool pool_can_fill(const Node& node, int port) const {
        return space_.is_pool_full(node.pool_used[at(port)] + static_cast<int>(parameters_.window_cycles));
    }
    /// Returns whether an active VC may send a flit in a window, provided that it has a flit.
    [[nodiscard]] bool can_go(const Node& node, const SteadyWindow& window, int number) const {
        const ActiveVc& active_vc = node.active_vcs[at(number)];
        return active_vc.port == kNiuPort ? !is_blocked(node, active_vc) : room_in_window(node, window, number) > 0;
    }
    /// Returns whether flits may be read from the tile in a window, for an active VC whose packet is being read.
    [[nodiscard]] bool reads_tile(const Step& step, const SteadyWindow& window, int number) const {
        const Stream& stream = step.cold.streams[step.node.active_vcs[at(number)].input_vc];
        return stream.in_buffer < parameters_.injection_buffer_flits || can_go(step.node, window, number);
    }
    /// Returns the maximum number of flits of an active VC that can be sent downstream in a window.
    [[nodiscard]] int room_in_window(const Node& node, const SteadyWindow& window, int number) const {
        const ActiveVc& active_vc = node.active_vcs[at(number)];
        const ActiveVcWindow& lane = window.lanes[at(number)];
        if ((window.pools_known >> active_vc.port & 1U) == 0) {
            // Credits of any virtual channel may free space of the shared pool.
            int pool_used = node.pool_used[active_vc.port] - count_ones(window.pool_credits[active_vc.port]);
            for (int other = 0; other < node.num_active_vcs; ++other) {
                pool_used -=
                    node.active_vcs[at(other)].port == active_vc.port ? count_ones(window.lanes[at(other)].credits) : 0;
            }
            window.pools_known |= 1U << active_vc.port;
            window.pools_that_stay_full |= space_.is_pool_full(pool_used) ? 1U << active_vc.port : 0;
        }
        const bool pool_stays_full = (window.pools_that_stay_full >> active_vc.port & 1U) != 0;
        const int flits_max = pool_stays_full ? std::max(lane.used, space_.private_flits) : space_.channel_flits_max();
        return flits_max - lane.used + count_ones(lane.credits);
    }

private:
    /// Steps a port to another router through a window. The packet is not read from the tile, and no pool becomes full.
    [[gnu::always_inline]] void send_through(Node& node, Cycle start, const ActiveVc& active_vc,
                                             ActiveVcWindow& lane) const {
        const int space = space_.channel_flits_max() - lane.used;
        lane.sent = sent_in_window(lane.flits, lane.arriving, space, lane.credits) & window_mask_;
        if (routers_.links_idle() && lane.sent != 0) {
            lane.sent = idle_in_window(node, start, active_vc.port, lane, space);
        }
        const int num_sent = count_ones(lane.sent);
        lane.flits += count_ones(lane.arriving) - num_sent;
        lane.used += num_sent - count_ones(lane.credits);
        std::uint8_t& last_sent = node.last_sent[active_vc.port];
        last_sent = lane.sent != 0 ? active_vc.channel : last_sent;
    }
    /// Steps a port whose packet is being read from the tile through a window. No other stream is read.
    void send_from_tile(Node& node, Stream& stream, Cycle start, LinkWindow& injected, const ActiveVc& active_vc,
                        ActiveVcWindow& lane) const {
        const bool is_tile = active_vc.port == kNiuPort;
        const int limit = is_blocked(node, active_vc) ? 0 : space_.channel_flits_max();
        const auto cycles = static_cast<int>(parameters_.window_cycles);
        const auto injection_cycles = static_cast<int>(parameters_.injection_cycles);
        if (stream.in_buffer >= parameters_.injection_buffer_flits && lane.used - count_ones(lane.credits) >= limit) {
            // Nothing can be sent, and therefore nothing can be read.
            lane.flits += count_ones(lane.arriving);
            lane.used -= count_ones(lane.credits);
            return;
        }
        int flits = lane.flits;
        int used = is_tile ? 0 : lane.used;
        LinkWindow arriving = lane.arriving;
        LinkWindow sent = 0;
        LinkWindow read = 0;
        const int until_idle = routers_.cycles_until_idle(node, active_vc.port, start);
        Tick tick = ticks_from_cycles(start);
        for (int cycle = 0; cycle < cycles; ++cycle, tick += kTicksPerCycle) {
            if (routers_.can_read(node, stream, tick)) {
                routers_.read_flit(node, active_vc.input_vc, stream, tick);
                read |= LinkWindow{1} << (8 * cycle);
                if (cycle + injection_cycles < cycles) {
                    arriving |= LinkWindow{1} << (8 * (cycle + injection_cycles));
                }
            }
            flits += static_cast<int>(arriving >> (8 * cycle) & 1);
            used -= static_cast<int>(lane.credits >> (8 * cycle) & 1);
            const bool idles = idles_in_window(cycle, until_idle, [sent] { return count_ones(sent); });
            if (flits > 0 && used < limit && !idles && (!is_tile || node.sink.allows(tick))) {
                --flits;
                --stream.in_buffer;
                sent |= LinkWindow{1} << (8 * cycle);
                if (is_tile) {
                    node.sink.take(tick, node.sink_ticks_per_data_flit);
                } else {
                    ++used;
                }
            }
        }
        if (!is_tile) {
            note_sent_on_end(node, active_vc.port, start, sent);
        }
        note_read(active_vc.input_vc, injected, read);
        node.last_sent[active_vc.port] = sent != 0 ? active_vc.channel : node.last_sent[active_vc.port];
        lane.arriving = arriving;
        lane.flits = flits;
        lane.used = used;
        lane.sent = sent;
    }
    /// Steps the port to the tile through a window.
    [[gnu::always_inline]] void eject(Node& node, Cycle start, const ActiveVc& active_vc, ActiveVcWindow& lane) const {
        if (is_blocked(node, active_vc)) {
            lane.flits += count_ones(lane.arriving);
            return;
        }
        const auto cycles = static_cast<int>(parameters_.window_cycles);
        LinkWindow arriving = lane.arriving;
        Tick tick = ticks_from_cycles(start);
        for (int offset = 0; offset < cycles; ++offset, tick += kTicksPerCycle, arriving >>= 8) {
            lane.flits += static_cast<int>(arriving & 1);
            if (lane.flits > 0 && node.sink.allows(tick)) {
                node.sink.take(tick, node.sink_ticks_per_data_flit);
                --lane.flits;
                lane.sent |= LinkWindow{1} << (8 * offset);
            }
        }
        if (lane.sent != 0) {
            node.last_sent[kNiuPort] = active_vc.channel;
        }
    }
    /// Returns the flits sent over a link that idles. `lane.sent` are those that it would send without idling; `space`
    /// is the space downstream in flits.
    LinkWindow idle_in_window(Node& node, Cycle start, int port, const ActiveVcWindow& lane, int space) const {
        const int until_idle = routers_.cycles_until_idle(node, port, start);
        LinkWindow sent = lane.sent;
        // The link idles in this cycle if it passes flits in all previous cycles, and could pass one in this cycle.
        if (until_idle < parameters_.window_cycles && sends_through(sent, until_idle)) {
            sent = sent_in_window(lane.flits, lane.arriving, space, lane.credits, cycles_until_without(until_idle)) &
                   window_mask_;
        }
        note_sent_on_end(node, port, start, sent);
        return sent;
    }

    const Routers<kPorts, kVirtualChannels>& routers_;
    const NetworkParameters& parameters_;
    const BufferSpace space_;
    const LinkWindow window_mask_;
};

}  // namespace nocbench::engine
