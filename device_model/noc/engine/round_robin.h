// Windows of output ports that serve packets round-robin, for one of these reasons: several packets have flits, the
// shared pool downstream may become full, an input port sends one flit per cycle, or several streams are read. Windows
// are stepped cycle by cycle, but all packets of a port at once: each has a byte of a 64-bit word.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "device_model/noc/engine/active_vcs.h"
#include "device_model/noc/engine/port_windows.h"

namespace nocbench::engine {

template <int kPorts, int kVirtualChannels>
class RoundRobinPorts {
public:
    using State = RouterState<kPorts, kVirtualChannels>;
    using Node = State::Node;
    using Step = State::Step;
    using SteadyWindow = engine::SteadyWindow<kPorts>;

    RoundRobinPorts(const Routers<kPorts, kVirtualChannels>& routers,
                    const PortWindows<kPorts, kVirtualChannels>& ports)
        : routers_(routers), parameters_(routers.parameters), space_(routers.space), ports_(ports) {}

    /// Steps the output port of the active VCs [`first`, `last`) through a window.
    void advance(Step& step, SteadyWindow& window, int first, int last) const {
        const Node& node = step.node;
        int read = -1;
        for (int number = first; number < last && node.num_read != 0; ++number) {
            const bool is_read =
                node.active_vcs[at(number)].is_read_from_tile && ports_.reads_tile(step, window, number);
            read = is_read ? number : read;
        }
        RoundRobin round_robin = begin(node, window, first, last, step.start);
        if (round_robin.port == kNiuPort) {
            serve<PortKind::tile>(round_robin, step, window, read);
        } else if (ports_.pool_can_fill(node, round_robin.port)) {
            serve<PortKind::link_with_full_pool>(round_robin, step, window, read);
        } else {
            serve<PortKind::link>(round_robin, step, window, read);
        }
        end(round_robin, step, window);
    }
    /// Steps the output ports of the mask `ports` together through a window. These ports share an input port, or send
    /// packets that are still being read from the tile.
    void advance_together(Step& step, SteadyWindow& window, unsigned ports) const {
        Node& node = step.node;
        std::array<RoundRobin, kPorts> served;
        std::array<std::uint8_t, kActiveVcsMax> served_of;  // index in `served`, by active VC
        int num_served = 0;
        std::uint64_t read = 0;  // mask of streams
        for (int first = 0, last = 0; first < node.num_active_vcs; first = last) {
            last = ActiveVcs<kPorts, kVirtualChannels>::end_of_port(node, first);
            if ((ports >> node.active_vcs[at(first)].port & 1U) == 0) {
                continue;
            }
            for (int number = first; number < last; ++number) {
                const ActiveVc& active_vc = node.active_vcs[at(number)];
                served_of[at(number)] = as_byte(num_served);
                read |= active_vc.is_read_from_tile ? bit(active_vc.input_vc) : 0;
            }
            served[at(num_served++)] = begin(node, window, first, last, step.start);
        }
        const auto cycles = static_cast<int>(parameters_.window_cycles);
        Tick tick = ticks_from_cycles(step.start);
        for (int cycle = 0; cycle < cycles; ++cycle, tick += kTicksPerCycle) {
            if (const int number = read == 0 ? -1 : routers_.next_stream(node, step.cold, read, tick); number >= 0) {
                const int active_vc = node.active_vc_of[State::of_input_vc(number)];
                read_flit(step, window, served[served_of[at(active_vc)]], active_vc, cycle);
            }
            unsigned used_inputs = 0;
            for (int place = 0; place < num_served; ++place) {
                RoundRobin& round_robin = served[at(place)];
                const LinkWindow excluded =
                    used_inputs == 0 ? 0 : nonzero_bytes(round_robin.inputs & used_inputs * kLowBits) * 0xff;
                const int sender =
                    round_robin.port == kNiuPort
                        ? serve_cycle<PortKind::tile>(round_robin, node, cycle, tick, excluded)
                        : serve_cycle<PortKind::link_with_full_pool>(round_robin, node, cycle, tick, excluded);
                if (sender < 0) {
                    continue;
                }
                const ActiveVc& active_vc = node.active_vcs[at(sender)];
                used_inputs |= parameters_.one_flit_per_input_port ? 1U << active_vc.input_port : 0;
                if (active_vc.is_read_from_tile) {
                    --step.cold.streams[active_vc.input_vc].in_buffer;
                }
            }
        }
        for (int place = 0; place < num_served; ++place) {
            end(served[at(place)], step, window);
        }
    }

private:
    /// Kind of output port: to the tile, to a link, or to a link whose downstream pool may become full.
    enum class PortKind : std::uint8_t { tile, link, link_with_full_pool };

    /// Active VCs of an output port. Each has a byte of a word, in the order of virtual channels. Not initialised:
    /// there is one per port, and few are used.
    struct RoundRobin {
        int port;
        int first;                // first active VC of the port
        int last;                 // number after the last active VC of the port
        int pool_used;            // flits in the pool downstream
        int until_idle;           // cycles until the link idles if it passes flits in all of them
        int last_sent;            // lowest bit of the active VC that sent the last flit of the window, or -1
        LinkWindow pool_credits;  // credits of other virtual channels that free space of the pool, by cycle
        LinkWindow inputs;        // mask of the input port
        LinkWindow flits;         // flits in buffers
        LinkWindow used;          // flits downstream
        LinkWindow arriving;      // bit for each cycle in which a flit arrives
        LinkWindow credits;       // bit for each cycle in which a credit arrives
        LinkWindow sent;          // bit for each cycle in which a flit is sent
        LinkWindow served;        // active VCs whose flits the port accepts
        LinkWindow after_last;    // all bits of the active VCs after the one that sent last
    };

    [[nodiscard]] RoundRobin begin(const Node& node, const SteadyWindow& window, int first, int last,
                                   Cycle start) const {
        const int port = node.active_vcs[at(first)].port;
        const int last_sent = node.last_sent[at(port)];
        RoundRobin round_robin{};
        round_robin.port = port;
        round_robin.first = first;
        round_robin.last = last;
        round_robin.pool_used = node.pool_used[at(port)];
        round_robin.until_idle = routers_.cycles_until_idle(node, port, start);
        round_robin.last_sent = -1;
        round_robin.pool_credits = window.pool_credits[at(port)];
        round_robin.served = kHighBits;
        for (int number = first; number < last; ++number) {
            const ActiveVc& active_vc = node.active_vcs[at(number)];
            const ActiveVcWindow& lane = window.lanes[at(number)];
            const int bits = 8 * (number - first);
            round_robin.inputs |= LinkWindow{1} << (bits + active_vc.input_port);
            round_robin.flits |= static_cast<LinkWindow>(lane.flits) << bits;
            round_robin.used |= static_cast<LinkWindow>(lane.used) << bits;
            round_robin.arriving |= bits_of_bytes(lane.arriving) << bits;
            round_robin.credits |= bits_of_bytes(lane.credits) << bits;
            round_robin.after_last |= active_vc.channel > last_sent ? LinkWindow{0xff} << bits : 0;
            round_robin.served &= ports_.is_blocked(node, active_vc) ? ~(LinkWindow{0xff} << bits) : ~LinkWindow{0};
        }
        return round_robin;
    }
    /// Reads a flit of an active VC from the tile in a cycle.
    void read_flit(const Step& step, SteadyWindow& window, RoundRobin& round_robin, int active_vc, int cycle) const {
        const int number = step.node.active_vcs[at(active_vc)].input_vc;
        routers_.read_flit(step.node, number, step.cold.streams[at(number)], ticks_from_cycles(step.start + cycle));
        if (const auto arrival = cycle + parameters_.injection_cycles; arrival < parameters_.window_cycles) {
            round_robin.arriving |= LinkWindow{1} << (8 * (active_vc - round_robin.first) + arrival);
        } else {
            window.injected |= in_cycle(cycle, number);
        }
    }
    /// Steps a port through a window. The port must not depend on other ports. `read` is the active VC whose packet is
    /// being read from the tile, or -1.
    template <PortKind kKind>
    void serve(RoundRobin& round_robin, Step& step, SteadyWindow& window, int read) const {
        RoundRobin now = round_robin;
        Stream* const stream = read < 0 ? nullptr : &step.cold.streams[step.node.active_vcs[at(read)].input_vc];
        Tick tick = ticks_from_cycles(step.start);
        for (int cycle = 0; cycle < parameters_.window_cycles; ++cycle, tick += kTicksPerCycle) {
            if (stream != nullptr && routers_.can_read(step.node, *stream, tick)) {
                read_flit(step, window, now, read, cycle);
            }
            if (serve_cycle<kKind>(now, step.node, cycle, tick, 0) == read && stream != nullptr) {
                --stream->in_buffer;
            }
        }
        round_robin = now;
    }
    /// Steps a port through a cycle, without the active VCs `excluded`. Returns the active VC that sends a flit, or -1.
    template <PortKind kKind>
    int serve_cycle(RoundRobin& round_robin, Node& node, int cycle, Tick tick, LinkWindow excluded) const {
        const int own = space_.private_flits;
        round_robin.flits += round_robin.arriving >> cycle & kLowBits;
        LinkWindow ready = bytes_from(round_robin.flits, 1) & ~excluded;
        if constexpr (kKind == PortKind::tile) {
            ready &= node.sink.allows(tick) ? round_robin.served : 0;
        } else {
            // Credits of all virtual channels come before flits are sent.
            const LinkWindow credits = round_robin.credits >> cycle & kLowBits;
            const auto fills_pool = [&] {
                round_robin.pool_used -= static_cast<int>(round_robin.pool_credits >> (8 * cycle) & 0xff) +
                                         count_ones(credits & bytes_from(round_robin.used, own + 1) >> 7);
                return round_robin.pool_used >= parameters_.shared_flits_per_input_port;
            };
            const bool pool_is_full = kKind == PortKind::link_with_full_pool && fills_pool();
            round_robin.used -= credits;
            ready &= ~bytes_from(round_robin.used, pool_is_full ? own : space_.channel_flits_max());
            if (idles_in_window(cycle, round_robin.until_idle, [&] { return std::popcount(round_robin.sent); })) {
                return -1;
            }
        }
        if (ready == 0) {
            return -1;
        }
        const LinkWindow later = ready & round_robin.after_last;
        const int bits = std::countr_zero(later != 0 ? later : ready) & ~7;
        const LinkWindow one = LinkWindow{1} << bits;
        round_robin.after_last = ~LinkWindow{0xff} << bits;
        round_robin.last_sent = bits;
        round_robin.flits -= one;
        round_robin.sent |= one << cycle;
        if constexpr (kKind == PortKind::tile) {
            node.sink.take(tick, node.sink_ticks_per_data_flit);
        } else {
            if constexpr (kKind == PortKind::link_with_full_pool) {
                round_robin.pool_used += static_cast<int>(round_robin.used >> bits & 0xff) >= own ? 1 : 0;
            }
            round_robin.used += one;
        }
        return round_robin.first + bits / 8;
    }
    void end(const RoundRobin& round_robin, const Step& step, SteadyWindow& window) const {
        Node& node = step.node;
        if (routers_.links_idle() && round_robin.port != kNiuPort) {
            ports_.note_sent_on_end(node, round_robin.port, step.start, bytes_of_bits(any_byte(round_robin.sent)));
        }
        for (int number = round_robin.first; number < round_robin.last; ++number) {
            ActiveVcWindow& lane = window.lanes[at(number)];
            const int bits = 8 * (number - round_robin.first);
            lane.flits = static_cast<int>(round_robin.flits >> bits & 0xff);
            lane.used = static_cast<int>(round_robin.used >> bits & 0xff);
            lane.sent = bytes_of_bits(round_robin.sent >> bits & 0xff);
        }
        if (round_robin.last_sent >= 0) {
            node.last_sent[at(round_robin.port)] =
                node.active_vcs[at(round_robin.first + round_robin.last_sent / 8)].channel;
        }
    }

    const Routers<kPorts, kVirtualChannels>& routers_;
    const NetworkParameters& parameters_;
    const BufferSpace space_;
    const PortWindows<kPorts, kVirtualChannels>& ports_;
};

}  // namespace nocbench::engine
