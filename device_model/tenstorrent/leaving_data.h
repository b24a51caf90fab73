// Data that leave L1 while the kernels of its tile, and other transactions, may change them. A network interface reads
// L1 as the flits leave: a packet carries each byte as it was in the cycle in which its flit was read.
// Source: Tenstorrent tt-metal, noc_async_writes_flushed(), which waits until data have been read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device_model/sim/ids.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

struct DeviceState;
struct Transaction;

/// Leaving data of all tiles. Memory has the bytes of the present; changes keep those that earlier flits have carried.
class LeavingData {
public:
    explicit LeavingData(DeviceState& state);

    /// Expects the data of a write or of a response to a read, before the tick of their first flit is simulated.
    void expect(TransactionId id);
    /// Notes the bytes that a write to L1 of `node` at `tick` replaces, in data that are expected or on their way out.
    void before_write(NodeIndex node, std::uint64_t address, std::size_t size, Tick tick) {
        if (!leaving_[node].empty()) {
            note_changes(node, address, size, tick);
        }
    }
    /// Finds out which bytes had left before the changes noted so far. The networks have been stepped up to these.
    void count_bytes_left();
    /// Reports that the last flit of the packet of `id` has been read from its tile.
    void sent(TransactionId id) { sent_.push_back(id); }
    /// Takes the data of packets sent in earlier steps into Transaction::payload. Changes of these steps are noted.
    void take_sent();
    /// Does the same for one packet that is about to be used.
    void take_sent(TransactionId id);

private:
    struct Change {
        TransactionId transaction = kNoTransaction;
        Tick tick = 0;
        std::size_t offset = 0;  // in the data
        std::vector<std::byte> replaced;
        bool is_counted = false;  // `replaced` holds no more than had left before
    };

    void note_changes(NodeIndex node, std::uint64_t address, std::size_t size, Tick tick);
    /// Returns the data that had left before the change.
    [[nodiscard]] std::size_t bytes_left(const Change& change) const;
    /// Keeps of a change the replaced bytes that had left before.
    void keep_bytes_left(Change& change) const;
    void take(TransactionId id);

    DeviceState& state_;
    std::vector<std::vector<TransactionId>> leaving_;  // by node
    std::vector<Change> changes_;                      // in order of time on each tile
    std::vector<TransactionId> sent_;                  // not taken yet
};

}  // namespace nocbench
