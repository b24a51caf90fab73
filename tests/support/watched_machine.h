// Machine that records the reports of its observers: completed transactions, and the booked time of its kernels.
#pragma once

#include <string>
#include <vector>

#include "device_model/sim/observers.h"
#include "tests/support/machine.h"

namespace nocbench::test {

class WatchedMachine : public Machine {
public:
    explicit WatchedMachine(const std::string& board, const std::vector<Setting>& settings = {});

    /// Returns transactions from the tile of `core`, in the order of acceptance.
    [[nodiscard]] std::vector<TransactionRecord> records_of(LogicalCoordinate core) const;
    /// Returns the only transaction from the tile of `core`.
    [[nodiscard]] TransactionRecord record_of(LogicalCoordinate core) const;

    /// Returns the bookings of the kernel named `name`, in time order, without empty ones. Adjacent bookings of one
    /// cause are merged.
    [[nodiscard]] std::vector<BookedTime> booked(const std::string& name = "kernel") const;

    /// Returns the number of links from `from` to `to` on NoC `noc`: right and down, or left and up, wrapping at edges.
    [[nodiscard]] int hops(int noc, LogicalCoordinate from, LogicalCoordinate to) const;

private:
    std::vector<TransactionRecord> records_;
    std::vector<BookedTime> booked_;
};

/// Returns the cycle in which a transaction has `reached` a stage.
Cycle moment(const TransactionRecord& record, const std::string& reached);

}  // namespace nocbench::test
