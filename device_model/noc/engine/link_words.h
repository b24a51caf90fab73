// Words that links carry in a window of cycles: a byte per cycle, 0 or the virtual channel + 1.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "device_model/noc/bits.h"
#include "device_model/noc/network.h"

namespace nocbench::engine {

using network_detail::at;
using network_detail::bit;
using network_detail::first_bit;
using network_detail::SetBits;
using network_detail::without_first_bit;

using LinkWindow = std::uint64_t;
static_assert(Network::kWindowCyclesMax == sizeof(LinkWindow));

/// Narrows a number of a port, virtual channel or word to a byte.
constexpr std::uint8_t as_byte(auto value) { return static_cast<std::uint8_t>(value); }

/// Returns the word of a flit or credit of `channel` in a cycle of a window.
constexpr LinkWindow in_cycle(int offset, int channel) { return static_cast<LinkWindow>(channel + 1) << (8 * offset); }

/// Returns the virtual channel of the flit or credit in a cycle of a window.
constexpr int channel_in(LinkWindow bytes, int offset) { return static_cast<int>(bytes >> (8 * offset) & 0xff) - 1; }

/// Numbers of words. Several flits from one input port can leave a router in one cycle; credits therefore have lanes.
template <int kPorts>
struct LinkWords {
    static constexpr int flits(int port) { return port; }
    /// Returns the word of the credits of a port and lane; the port to the tile has none. The first lanes share a cache
    /// line with flits.
    static constexpr int credits(int port, int lane) { return kPorts + lane * (kPorts - 1) + port - 1; }
    /// Returns the mask of the credit words of a port.
    static constexpr std::uint32_t credit_words(int port) {
        constexpr std::uint32_t kOfPort1 = [] {
            std::uint32_t words = 0;
            for (int lane = 0; lane < kPorts; ++lane) {
                words |= std::uint32_t{1} << credits(1, lane);
            }
            return words;
        }();
        return kOfPort1 << (port - 1);
    }
    static constexpr int port(int word) { return word < kPorts ? word : (word - kPorts) % (kPorts - 1) + 1; }
    static constexpr int kNumWords = kPorts + kPorts * (kPorts - 1);
    static_assert(kNumWords <= 32);

    // Credits of a cycle as bits of a few bytes. The first byte has the first lanes.
    static constexpr int kLanesOfByte = std::min(8 / (kPorts - 1), kPorts);
    static constexpr int kCreditBytes = (kPorts + kLanesOfByte - 1) / kLanesOfByte;
    static constexpr int credit_bit(int port, int lane) { return lane % kLanesOfByte * (kPorts - 1) + port - 1; }
    static constexpr int port_of_credit_bit(int bit) { return bit % (kPorts - 1) + 1; }
    static constexpr int lane_of_credit_bit(int byte, int bit) { return byte * kLanesOfByte + bit / (kPorts - 1); }

    /// Words below this number are the most frequent; branch prediction cannot tell which of them are present.
    static constexpr int kOften = kPorts + 4;
};

/// Words that links bring to a router in a window.
template <int kPorts>
struct alignas(64) Traffic : LinkWords<kPorts> {
    using LinkWords<kPorts>::kOften;
    std::uint32_t present = 0;  // bit per word that is not 0
    std::array<LinkWindow, LinkWords<kPorts>::kNumWords> words;

    Traffic() { words.fill(0); }
    void add(int word, LinkWindow bytes) {
        words[at(word)] |= bytes;
        present |= std::uint32_t{1} << word;
    }
    void clear() {
        network_detail::clear_words(words, std::make_index_sequence<kOften>());
        for (const int rest : SetBits(present >> kOften)) {
            words[at(kOften + rest)] = 0;
        }
        present = 0;
    }
};

/// Words that a router sends in a window, by its own ports. Flits of port 0 are those read from its tile.
template <int kPorts>
struct Sent {
    static constexpr int kOften = LinkWords<kPorts>::kOften;
    std::uint32_t present = 0;                                   // bit per word that is not 0
    std::array<LinkWindow, LinkWords<kPorts>::kNumWords> words;  // from kOften on, only present words are initialised

    Sent() { network_detail::clear_words(words, std::make_index_sequence<kOften>()); }
    void add(int word, LinkWindow bytes) {
        LinkWindow& sent = words[at(word)];
        const bool is_new = word >= kOften && (present >> word & 1U) == 0;
        sent = (is_new ? 0 : sent) | bytes;
        present |= std::uint32_t{1} << word;
    }
};

}  // namespace nocbench::engine
