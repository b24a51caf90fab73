#include "tests/support/watched_machine.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace nocbench::test {

WatchedMachine::WatchedMachine(const std::string& board, const std::vector<Setting>& settings)
    : Machine(board, settings) {
    device().observers().finished = [this](const TransactionRecord& record) { records_.push_back(record); };
    device().observers().booked = [this](const BookedTime& stretch) { booked_.push_back(stretch); };
}

std::vector<TransactionRecord> WatchedMachine::records_of(LogicalCoordinate core) const {
    const auto node = static_cast<NodeIndex>(device().grid().node_index(device().grid().physical(core)));
    std::vector<TransactionRecord> records;
    std::ranges::copy_if(records_, std::back_inserter(records),
                         [&](const TransactionRecord& record) { return record.from == node; });
    std::ranges::stable_sort(records, {}, &TransactionRecord::accepted);
    return records;
}

TransactionRecord WatchedMachine::record_of(LogicalCoordinate core) const {
    const std::vector<TransactionRecord> records = records_of(core);
    if (records.size() != 1) {
        throw std::logic_error("expected one transaction from core " + to_string(core) + ", found " +
                               std::to_string(records.size()));
    }
    return records.front();
}

std::vector<BookedTime> WatchedMachine::booked(const std::string& name) const {
    const std::uint32_t risc = result(name).identity.index;
    std::vector<BookedTime> of_risc;
    std::ranges::copy_if(booked_, std::back_inserter(of_risc), [&](const BookedTime& stretch) {
        return stretch.risc == risc && stretch.begin != stretch.end;
    });
    std::ranges::stable_sort(of_risc, {}, &BookedTime::begin);
    std::vector<BookedTime> joined;
    for (const BookedTime& stretch : of_risc) {
        if (!joined.empty() && joined.back().cause == stretch.cause && joined.back().end == stretch.begin) {
            joined.back().end = stretch.end;
        } else {
            joined.push_back(stretch);
        }
    }
    return joined;
}

int WatchedMachine::hops(int noc, LogicalCoordinate from, LogicalCoordinate to) const {
    const Grid& grid = device().grid();
    const PhysicalCoordinate source = grid.physical(noc == 0 ? from : to);
    const PhysicalCoordinate destination = grid.physical(noc == 0 ? to : from);
    return (destination.x - source.x + grid.columns()) % grid.columns() +
           (destination.y - source.y + grid.rows()) % grid.rows();
}

Cycle moment(const TransactionRecord& record, const std::string& reached) {
    const Tick tick = record.moment(reached);
    if (tick < 0 || tick % kTicksPerCycle != 0) {
        throw std::logic_error("'" + reached + "' is at no cycle");
    }
    return cycle_containing(tick);
}

}  // namespace nocbench::test
