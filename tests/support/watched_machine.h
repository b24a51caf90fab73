// A machine that keeps what its observers see: transactions that have ended, and where the time of its kernels went.
#pragma once

#include <string>
#include <vector>

#include "device_model/sim/observers.h"
#include "tests/support/machine.h"

namespace nocbench::test {

class WatchedMachine : public Machine {
public:
    explicit WatchedMachine(const std::string& board, const std::vector<Setting>& settings = {});

    /// Those from the tile of `core`, in the order in which they were accepted.
    [[nodiscard]] std::vector<TransactionRecord> records_of(LogicalCoordinate core) const;
    /// The one transaction from there.
    [[nodiscard]] TransactionRecord record_of(LogicalCoordinate core) const;

    /// What the kernel called `name` was booked for, in the order of time, without what took no time; neighbours of one
    /// cause are one.
    [[nodiscard]] std::vector<BookedTime> booked(const std::string& name = "kernel") const;

    /// Links from `from` to `to` on NoC `noc`, which leads right and down, or left and up, around the edges.
    [[nodiscard]] int hops(int noc, LogicalCoordinate from, LogicalCoordinate to) const;

private:
    std::vector<TransactionRecord> records_;
    std::vector<BookedTime> booked_;
};

/// A moment of a transaction, in cycles.
Cycle moment(const TransactionRecord& record, const std::string& reached);

}  // namespace nocbench::test
