#include "bindings/trace.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "device_model/sim/error.h"
#include "device_model/sim/observers.h"
#include "device_model/tenstorrent/device.h"
#include "device_model/tenstorrent/grid.h"
#include "device_model/tenstorrent/transaction.h"

namespace py = pybind11;

namespace nocbench::bindings {

namespace {

/// What is kept of a transaction after it has ended.
struct TransactionRecord {
    TransactionTimes times;
    bool posted = false;
    bool linked = false;
    std::uint16_t num_receivers = 0;  // of a multicast
    std::uint32_t bytes = 0;
    PhysicalCoordinate requestor;
    PhysicalCoordinate responder;
};

/// Watches a device and keeps the first records of each kind: they come in the order of simulated time, near enough.
class Recorder {
public:
    explicit Recorder(std::size_t max_records) : max_records_(max_records) {}

    void watch(Device& device) {
        device.observers().finished = [this, &grid = device.grid()](const Transaction& transaction) {
            ++num_transactions_;
            if (transactions_.size() < max_records_) {
                transactions_.push_back({transaction.times(), transaction.posted, transaction.linked,
                                         transaction.num_receivers, transaction.bytes,
                                         grid.place_of_node(transaction.requestor),
                                         grid.place_of_node(transaction.responder)});
            }
        };
        device.observers().booked = [this](const BookedTime& stretch) { add(stretch); };
    }

    [[nodiscard]] const std::vector<TransactionRecord>& transactions() const { return transactions_; }
    [[nodiscard]] std::size_t num_transactions() const { return num_transactions_; }
    [[nodiscard]] std::size_t num_stretches() const { return num_stretches_; }

    /// What was kept of one kernel, in the order of simulated time.
    [[nodiscard]] std::vector<BookedTime> stretches(std::uint32_t risc) const {
        if (risc >= stretches_.size()) {
            return {};
        }
        std::vector<BookedTime> in_order = stretches_[risc];
        std::ranges::sort(in_order, {}, &BookedTime::begin);
        std::vector<BookedTime> joined;
        for (const BookedTime& stretch : in_order) {
            if (!joined.empty() && continues(joined.back(), stretch)) {
                joined.back().end = stretch.end;
            } else {
                joined.push_back(stretch);
            }
        }
        return joined;
    }

private:
    static bool continues(const BookedTime& earlier, const BookedTime& later) {
        return earlier.cause == later.cause && earlier.end == later.begin;
    }

    void add(const BookedTime& stretch) {
        if (stretch.begin == stretch.end) {
            return;
        }
        stretches_.resize(std::max<std::size_t>(stretches_.size(), stretch.risc + 1));
        std::vector<BookedTime>& of_risc = stretches_[stretch.risc];
        // A kernel spends its time in many small pieces of the same cause.
        if (!of_risc.empty() && continues(of_risc.back(), stretch)) {
            of_risc.back().end = stretch.end;
            return;
        }
        if (++num_stretches_ <= max_records_) {
            of_risc.push_back(stretch);
        }
    }

    std::size_t max_records_;
    std::size_t num_transactions_ = 0;
    std::size_t num_stretches_ = 0;
    std::vector<TransactionRecord> transactions_;
    std::vector<std::vector<BookedTime>> stretches_;  // by RISC
};

std::string_view to_string(TransactionKind kind) {
    switch (kind) {
        case TransactionKind::read:
            return "read";
        case TransactionKind::write:
            return "write";
        case TransactionKind::atomic_increment:
            return "atomic increment";
    }
    return "";
}

py::dict describe(const TransactionRecord& transaction) {
    const TransactionTimes& times = transaction.times;
    py::dict entry;
    entry["kind"] = std::string(to_string(times.kind));
    entry["noc"] = static_cast<int>(times.noc);
    entry["posted"] = transaction.posted;
    entry["linked"] = transaction.linked;
    entry["num_receivers"] = transaction.num_receivers;
    entry["bytes"] = transaction.bytes;
    entry["from"] = py::make_tuple(transaction.requestor.x, transaction.requestor.y);
    entry["to"] = py::make_tuple(transaction.responder.x, transaction.responder.y);
    entry["request_hops"] = times.request_hops;
    entry["response_hops"] = times.response_hops;
    entry["start_cause"] = std::string(nocbench::to_string(times.start_cause));
    entry["accepted"] = times.accepted;
    entry["started"] = times.started;
    entry["path_requested"] = times.path_requested;
    entry["path_reserved"] = times.path_reserved;
    entry["request_head"] = times.request_head;
    entry["request_arrived"] = times.request_arrived;
    entry["service_expected"] = times.service_expected;
    entry["response_started"] = times.response_started;
    entry["response_head"] = times.response_head;
    entry["response_arrived"] = times.response_arrived;
    return entry;
}

py::dict describe(const KernelResult& kernel, const std::vector<BookedTime>& stretches) {
    py::list zones;
    for (const Zone& zone : kernel.zones) {
        zones.append(py::make_tuple(zone.name, cycles_from_ticks(zone.start), cycles_from_ticks(zone.end)));
    }
    py::list waits;
    for (const BookedTime& stretch : stretches) {
        waits.append(py::make_tuple(std::string(nocbench::to_string(stretch.cause)), cycles_from_ticks(stretch.begin),
                                    cycles_from_ticks(stretch.end)));
    }
    py::dict entry;
    entry["kernel"] = kernel.identity.kernel;
    entry["x"] = kernel.identity.core.x;
    entry["y"] = kernel.identity.core.y;
    entry["physical_x"] = kernel.identity.physical.x;
    entry["physical_y"] = kernel.identity.physical.y;
    entry["riscv"] = kernel.identity.processor;
    entry["zones"] = zones;
    entry["stretches"] = waits;
    return entry;
}

}  // namespace

py::dict trace_point(const std::string& test_name, const std::string& arch, const std::string& board,
                     const Parameters& parameters, const Settings& settings, std::size_t max_records) {
    const TestDefinition& test = find_test(test_name);
    if (test.run == nullptr) {
        throw InputError(
            fmt::format("test '{}' runs no kernels on RISCs of a torus: there is nothing to trace", test.name));
    }
    Recorder recorder(max_records);
    PointResult point;
    {
        const py::gil_scoped_release release;
        point = run_point(test, arch, board, parameters, settings, [&](Device& device) { recorder.watch(device); });
    }
    py::list kernels;
    for (const KernelResult& kernel : point.kernels) {
        kernels.append(describe(kernel, recorder.stretches(kernel.identity.index)));
    }
    py::list transactions;
    for (const TransactionRecord& transaction : recorder.transactions()) {
        transactions.append(describe(transaction));
    }
    py::dict result = describe_result(test, point);
    result["kernels"] = kernels;
    result["transactions"] = transactions;
    result["num_transactions"] = recorder.num_transactions();
    result["num_stretches"] = recorder.num_stretches();
    return result;
}

}  // namespace nocbench::bindings
