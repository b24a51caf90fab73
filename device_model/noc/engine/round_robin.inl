// Output ports whose packets are served round-robin, in windows of cycles in which nobody is chosen for a virtual
// channel: several of them have flits, the pool that their virtual channels share downstream is about to fill, an input
// port sends one flit per cycle, streams are read out of the tile in turn. Such a window is gone through cycle by
// cycle, but all packets of a port at once: each one's flits, and those downstream, are a byte of a 64-bit word.

#include <algorithm>
#include <bit>

#include "device_model/noc/engine/window_network.h"

namespace nocbench {

using window_arithmetic::any_byte;
using window_arithmetic::bits_of_bytes;
using window_arithmetic::bytes_from;
using window_arithmetic::bytes_of_bits;
using window_arithmetic::kHighBits;

/// The active VCs of an output port. Of a word, each of them has a byte, in the order of their virtual channels. Not
/// initialised, since there is one for each port, and few are used.
template <int kPorts, int kVirtualChannels>
struct WindowNetwork<kPorts, kVirtualChannels>::RoundRobin {
    int port;
    int first;                // its first active VC
    int last;                 // the one after the last
    int last_sent;            // lowest bit of the active VC that has sent a flit last in the window, or -1
    int pool_used;            // downstream
    int until_idle;           // cycles, if the link passes flits in all of them
    LinkWindow inputs;        // a bit for the input port
    LinkWindow flits;         // in buffers
    LinkWindow used;          // flits downstream
    LinkWindow arriving;      // a bit for each cycle in which a flit arrives
    LinkWindow credits;       // ... in which a credit arrives
    LinkWindow sent;          // ... in which a flit is sent
    LinkWindow pool_credits;  // those of other virtual channels that free room of the pool, by cycle
    LinkWindow served;        // active VCs whose flits the port takes
    LinkWindow after_last;    // all bits of the active VCs whose turn is after that of the one that sent last
};

template <int kPorts, int kVirtualChannels>
inline auto WindowNetwork<kPorts, kVirtualChannels>::begin_round_robin(const Node& node, const SteadyState& window,
                                                                       int first, int last, Cycle start) const
    -> RoundRobin {
    const int port = node.active_vcs[at(first)].port;
    const int last_sent = node.last_sent[at(port)];
    RoundRobin round_robin{.port = port,
                           .first = first,
                           .last = last,
                           .last_sent = -1,
                           .pool_used = node.pool_used[at(port)],
                           .until_idle = cycles_until_idle(node, port, start),
                           .inputs = 0,
                           .flits = 0,
                           .used = 0,
                           .arriving = 0,
                           .credits = 0,
                           .sent = 0,
                           .pool_credits = window.pool_credits[at(port)],
                           .served = kHighBits,
                           .after_last = 0};
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
        round_robin.served &= is_blocked(node, active_vc) ? ~(LinkWindow{0xff} << bits) : ~LinkWindow{0};
    }
    return round_robin;
}

/// A cycle of a port. Returns the active VC that sends a flit, or -1. Those of the active VCs `excluded` do not.
template <int kPorts, int kVirtualChannels>
template <WindowNetwork<kPorts, kVirtualChannels>::PortKind kKind>
inline int WindowNetwork<kPorts, kVirtualChannels>::serve_cycle(RoundRobin& round_robin, Node& node, int cycle,
                                                                Tick tick, LinkWindow excluded) const {
    const int own = space_.private_flits;
    round_robin.flits += round_robin.arriving >> cycle & kLowBits;
    LinkWindow ready = bytes_from(round_robin.flits, 1) & ~excluded;
    if constexpr (kKind == PortKind::tile) {
        ready &= node.sink.allows(tick) ? round_robin.served : 0;
    } else {
        // Credits come before flits go, of all virtual channels.
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

/// The window of a port that has to do with no other one. The packet of the active VC `read`, if there is one, is read
/// out of the tile.
template <int kPorts, int kVirtualChannels>
template <WindowNetwork<kPorts, kVirtualChannels>::PortKind kKind>
inline void WindowNetwork<kPorts, kVirtualChannels>::serve_round_robin(RoundRobin& round_robin, Step& step,
                                                                       SteadyState& window, int read) const {
    Node& node = step.node;
    RoundRobin now = round_robin;
    const auto cycles = static_cast<int>(parameters_.window_cycles);
    Tick tick = ticks_from_cycles(step.start);
    if (read < 0) {
        for (int cycle = 0; cycle < cycles; ++cycle, tick += kTicksPerCycle) {
            serve_cycle<kKind>(now, node, cycle, tick, 0);
        }
    } else {
        const int input_vc = node.active_vcs[at(read)].input_vc;
        const auto injection_cycles = static_cast<int>(parameters_.injection_cycles);
        Stream& stream = step.cold.streams[at(input_vc)];
        LinkWindow cycles_read = 0;
        for (int cycle = 0; cycle < cycles; ++cycle, tick += kTicksPerCycle) {
            if (can_read(node, stream, tick)) {
                read_flit(node, input_vc, stream, tick);
                cycles_read |= LinkWindow{1} << (8 * cycle);
                if (cycle + injection_cycles < cycles) {
                    now.arriving |= LinkWindow{1} << (8 * (read - now.first) + cycle + injection_cycles);
                }
            }
            stream.in_buffer =
                static_cast<std::uint16_t>(stream.in_buffer - (serve_cycle<kKind>(now, node, cycle, tick, 0) == read));
        }
        note_read(input_vc, window.injected, cycles_read);
    }
    round_robin = now;
}

template <int kPorts, int kVirtualChannels>
inline void WindowNetwork<kPorts, kVirtualChannels>::end_round_robin(const RoundRobin& round_robin, const Step& step,
                                                                     SteadyState& window) const {
    Node& node = step.node;
    if (links_idle() && round_robin.port != kNiuPort) {
        note_sent_on_end(node, round_robin.port, step.start, bytes_of_bits(any_byte(round_robin.sent)));
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

/// The window of the output port whose active VCs are those from `first` to before `last`. Flits of one of them at most
/// are read out of the tile.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::advance_round_robin(Step& step, SteadyState& window, int first,
                                                                  int last) {
    Node& node = step.node;
    int read = -1;
    for (int number = first; number < last && node.num_read != 0; ++number) {
        if (node.active_vcs[at(number)].is_read_from_tile && reads_tile(step, window, number)) {
            read = number;
        }
    }
    RoundRobin round_robin = begin_round_robin(node, window, first, last, step.start);
    switch (port_kind(node, round_robin.port)) {
        case PortKind::tile:
            serve_round_robin<PortKind::tile>(round_robin, step, window, read);
            break;
        case PortKind::link:
            serve_round_robin<PortKind::link>(round_robin, step, window, read);
            break;
        case PortKind::link_with_full_pool:
            serve_round_robin<PortKind::link_with_full_pool>(round_robin, step, window, read);
            break;
    }
    end_round_robin(round_robin, step, window);
}

/// The same for ports of which each cycle's flits depend on each other. `together`: bit per port.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::advance_together(Step& step, SteadyState& window, unsigned together) {
    Node& node = step.node;
    std::array<RoundRobin, kPorts> ports;
    std::array<std::uint8_t, kActiveVcsMax> port_of_active_vc;
    int num_ports = 0;
    std::uint64_t read = 0;  // streams
    for (int number = 0; number < node.num_active_vcs;) {
        const int first = number;
        const int port = node.active_vcs[at(first)].port;
        const bool is_one_of_them = (together >> port & 1U) != 0;
        for (; number < node.num_active_vcs && node.active_vcs[at(number)].port == port; ++number) {
            const ActiveVc& active_vc = node.active_vcs[at(number)];
            port_of_active_vc[at(number)] = static_cast<std::uint8_t>(num_ports);
            read |= is_one_of_them && active_vc.is_read_from_tile ? bit(active_vc.input_vc) : 0;
        }
        if (is_one_of_them) {
            ports[at(num_ports++)] = begin_round_robin(node, window, first, number, step.start);
        }
    }
    const auto cycles = static_cast<int>(parameters_.window_cycles);
    const auto injection_cycles = static_cast<int>(parameters_.injection_cycles);
    Tick tick = ticks_from_cycles(step.start);
    for (int cycle = 0; cycle < cycles; ++cycle, tick += kTicksPerCycle) {
        if (const int number = next_stream(node, step.cold, read, tick); number >= 0) {
            read_flit(node, number, step.cold.streams[at(number)], tick);
            const int active_vc = node.active_vc_of[of_input_vc(number)];
            if (const int arrival = cycle + injection_cycles; arrival < cycles) {
                RoundRobin& round_robin = ports[port_of_active_vc[at(active_vc)]];
                round_robin.arriving |= LinkWindow{1} << (8 * (active_vc - round_robin.first) + arrival);
            } else {
                window.injected |= in_cycle(cycle, number);
            }
        }
        unsigned used_inputs = 0;
        for (int port = 0; port < num_ports; ++port) {
            RoundRobin& round_robin = ports[at(port)];
            const LinkWindow excluded = parameters_.one_flit_per_input_port
                                            ? nonzero_bytes(round_robin.inputs & used_inputs * kLowBits) * 0xff
                                            : 0;
            const int sender =
                round_robin.port == kNiuPort
                    ? serve_cycle<PortKind::tile>(round_robin, node, cycle, tick, excluded)
                    : serve_cycle<PortKind::link_with_full_pool>(round_robin, node, cycle, tick, excluded);
            if (sender < 0) {
                continue;
            }
            const ActiveVc& active_vc = node.active_vcs[at(sender)];
            used_inputs |= 1U << active_vc.input_port;
            if (active_vc.is_read_from_tile) {
                --step.cold.streams[active_vc.input_vc].in_buffer;
            }
        }
    }
    for (int port = 0; port < num_ports; ++port) {
        end_round_robin(ports[at(port)], step, window);
    }
}

}  // namespace nocbench
