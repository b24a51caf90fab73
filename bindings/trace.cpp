#include "bindings/trace.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/compiled_program.h"
#include "bindings/flow_table.h"
#include "bindings/from_python.h"
#include "bindings/shmem_program.h"
#include "device_model/sim/error.h"
#include "device_model/sim/machine.h"
#include "device_model/sim/observers.h"
#include "device_model/tenstorrent/device.h"
#include "device_model/tenstorrent/device_state.h"
#include "device_model/tenstorrent/grid.h"
#include "device_model/tenstorrent/tile/niu_command.h"
#include "device_model/wishbone/wishbone_machine.h"

namespace py = pybind11;

namespace nocbench::bindings {

namespace {

/// Recorded transaction with the positions of its tiles.
struct KeptTransaction {
    TransactionRecord record;
    std::optional<PhysicalCoordinate> from;  // none: from outside the machine
    PhysicalCoordinate to;
    Tick offset = 0;  // start of its run, relative to the first run
};

/// Ended kernel and its booked time.
struct KeptKernel {
    KernelResult result;
    std::vector<BookedTime> stretches;
    Tick offset = 0;
};

/// Message between a host and its FPGA.
struct KeptFrame {
    int host = 0;
    bool is_request = false;
    std::int64_t nanoseconds = 0;
    wishbone::Bytes bytes;
};

/// Recorder of the machines of a point, which run one after the other. Keeps the first records of each kind, which come
/// approximately in order of simulated time.
class Recorder {
public:
    explicit Recorder(std::size_t max_records) : max_records_(max_records) {}

    void watch(Machine& machine) {
        stretches_.clear();
        floor_plan_ = machine.floor_plan();
        machine.count_packets();
        machine.observers().finished = [this, &machine](const TransactionRecord& record) {
            ++num_transactions_;
            if (transactions_.size() < max_records_) {
                std::optional<PhysicalCoordinate> from;
                if (record.from != kOutside) {
                    from = machine.place_of_node(record.from);
                }
                transactions_.push_back({record, from, machine.place_of_node(record.to), offset_});
            }
        };
        if (auto* const bridge = dynamic_cast<WishboneMachine*>(&machine)) {
            frames_are_datagrams_ = bridge->board().wishbone.bridge.carries_datagrams != 0;
            bridge->framed = [this, bridge](const EtherboneFrame& frame) {
                if (++num_frames_ <= max_records_) {
                    frames_.push_back({frame.host, frame.is_request, bridge->clock().nanoseconds(offset_ + frame.tick),
                                       wishbone::Bytes(frame.bytes.begin(), frame.bytes.end())});
                }
            };
        }
        machine.observers().booked = [this](const BookedTime& stretch) { add(stretch); };
        machine.observers().ended = [this](const Machine& ended) {
            for (KernelResult& kernel : ended.kernel_results()) {
                std::vector<BookedTime> stretches = stretches_of(kernel.identity.index);
                kernels_.push_back({std::move(kernel), std::move(stretches), offset_});
            }
            offset_ += ticks_from_cycles(ended.elapsed_cycles());
        };
    }

    [[nodiscard]] const std::vector<KeptTransaction>& transactions() const { return transactions_; }
    [[nodiscard]] const std::vector<KeptKernel>& kernels() const { return kernels_; }
    [[nodiscard]] const FloorPlan& floor_plan() const { return floor_plan_; }
    [[nodiscard]] std::size_t num_transactions() const { return num_transactions_; }
    [[nodiscard]] std::size_t num_stretches() const { return num_stretches_; }
    [[nodiscard]] const std::vector<KeptFrame>& frames() const { return frames_; }
    [[nodiscard]] std::size_t num_frames() const { return num_frames_; }
    [[nodiscard]] bool frames_are_datagrams() const { return frames_are_datagrams_; }

private:
    static bool continues(const BookedTime& earlier, const BookedTime& later) {
        return earlier.cause == later.cause && earlier.end == later.begin;
    }

    /// Returns the booked intervals of one kernel, in order of simulated time.
    [[nodiscard]] std::vector<BookedTime> stretches_of(std::uint32_t processor) const {
        if (processor >= stretches_.size()) {
            return {};
        }
        std::vector<BookedTime> in_order = stretches_[processor];
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

    void add(const BookedTime& stretch) {
        if (stretch.begin == stretch.end) {
            return;
        }
        stretches_.resize(std::max<std::size_t>(stretches_.size(), stretch.risc + 1));
        std::vector<BookedTime>& of_processor = stretches_[stretch.risc];
        // Merges the many short adjacent intervals of one cause.
        if (!of_processor.empty() && continues(of_processor.back(), stretch)) {
            of_processor.back().end = stretch.end;
            return;
        }
        if (++num_stretches_ <= max_records_) {
            of_processor.push_back(stretch);
        }
    }

    std::size_t max_records_;
    std::size_t num_transactions_ = 0;
    std::size_t num_stretches_ = 0;
    std::size_t num_frames_ = 0;
    bool frames_are_datagrams_ = true;
    Tick offset_ = 0;
    FloorPlan floor_plan_;
    std::vector<KeptTransaction> transactions_;
    std::vector<KeptKernel> kernels_;
    std::vector<KeptFrame> frames_;
    std::vector<std::vector<BookedTime>> stretches_;  // of the running machine, by processor
};

/// Kinds of phases, each described once: transactions refer to kinds by number.
class PhaseKinds {
public:
    int number(const PhaseKind* kind) {
        const auto [found, is_new] = numbers_.emplace(kind, static_cast<int>(numbers_.size()));
        if (is_new) {
            kinds_.append(
                py::make_tuple(std::string(kind->name), std::string(kind->sentence), std::string(kind->reached)));
        }
        return found->second;
    }
    [[nodiscard]] const py::list& kinds() const { return kinds_; }

private:
    std::map<const PhaseKind*, int> numbers_;
    py::list kinds_;
};

py::object place(const std::optional<PhysicalCoordinate>& tile) {
    return tile ? py::object(py::make_tuple(tile->x, tile->y)) : py::none();
}

py::dict describe(const KeptTransaction& transaction, PhaseKinds& phase_kinds) {
    const TransactionRecord& record = transaction.record;
    const auto cycles = [&](Tick tick) { return cycles_from_ticks(transaction.offset + tick); };
    py::list phases;
    for (const Phase& phase : record.phases) {
        phases.append(py::make_tuple(phase_kinds.number(phase.kind), cycles(phase.end)));
    }
    py::dict entry;
    entry["kind"] = std::string(record.kind);
    entry["noc"] = static_cast<int>(record.noc);
    entry["posted"] = record.posted;
    entry["linked"] = record.linked;
    entry["num_receivers"] = record.num_receivers;
    entry["bytes"] = record.bytes;
    entry["from"] = place(transaction.from);
    entry["to"] = place(transaction.to);
    entry["hops"] = record.hops;
    entry["response_hops"] = record.response_hops;
    entry["start_cause"] = std::string(to_string(record.start_cause));
    entry["accepted"] = cycles(record.accepted);
    entry["phases"] = phases;
    return entry;
}

py::dict describe(const KeptKernel& kernel) {
    const auto cycles = [&](Tick tick) { return cycles_from_ticks(kernel.offset + tick); };
    py::list zones;
    for (const Zone& zone : kernel.result.zones) {
        zones.append(py::make_tuple(zone.name, cycles(zone.start), cycles(zone.end)));
    }
    py::list waits;
    for (const BookedTime& stretch : kernel.stretches) {
        waits.append(py::make_tuple(std::string(to_string(stretch.cause)), cycles(stretch.begin), cycles(stretch.end)));
    }
    py::dict entry;
    entry["kernel"] = kernel.result.identity.kernel;
    add_identity(entry, kernel.result.identity);
    entry["riscv"] = kernel.result.identity.processor;
    entry["zones"] = zones;
    entry["stretches"] = waits;
    return entry;
}

py::tuple describe(const KeptFrame& frame) {
    return py::make_tuple(frame.nanoseconds, frame.is_request, frame.host, to_python(frame.bytes));
}

void add_records(const py::dict& result, const Recorder& recorder) {
    py::list kernels;
    for (const KeptKernel& kernel : recorder.kernels()) {
        kernels.append(describe(kernel));
    }
    PhaseKinds phase_kinds;
    py::list transactions;
    for (const KeptTransaction& transaction : recorder.transactions()) {
        transactions.append(describe(transaction, phase_kinds));
    }
    py::list frames;
    for (const KeptFrame& frame : recorder.frames()) {
        frames.append(describe(frame));
    }
    result["frames"] = frames;
    result["num_frames"] = recorder.num_frames();
    result["frames_are_datagrams"] = recorder.frames_are_datagrams();
    result["kernels"] = kernels;
    result["transactions"] = transactions;
    result["phase_kinds"] = phase_kinds.kinds();
    result["num_transactions"] = recorder.num_transactions();
    result["num_stretches"] = recorder.num_stretches();
    result["floor_plan"] = describe_floor_plan(recorder.floor_plan());
}

}  // namespace

py::dict trace_point(const std::string& test_name, const std::string& arch, const std::string& board,
                     const Parameters& parameters, const Settings& settings, std::size_t max_records) {
    const TestDefinition& test = find_test(test_name);
    Recorder recorder(max_records);
    PointResult point;
    {
        const py::gil_scoped_release release;
        point = run_point(test, arch, board, parameters, settings, [&](Machine& machine) { recorder.watch(machine); });
    }
    py::dict result = describe_result(test, point);
    add_records(result, recorder);
    return result;
}

namespace {

/// Returns the tiles of a kernel's NoC address.
std::vector<PhysicalCoordinate> tiles_of(const Grid& grid, std::uint64_t noc_address) {
    std::vector<PhysicalCoordinate> tiles;
    if (has_rectangle(noc_address)) {
        tiles.push_back(grid.physical(noc_address_coordinates(noc_address, kNocFirstCornerBit)));
    }
    if (noc_address != 0) {
        tiles.push_back(grid.physical(noc_address_coordinates(noc_address, kNocAddressBits)));
    }
    return tiles;
}

}  // namespace

py::dict record_point(const std::string& test_name, const std::string& arch, const std::string& board,
                      const Parameters& parameters, const Settings& settings) {
    const TestDefinition& test = find_test(test_name);
    struct Recorded {
        NocCall call;
        PhysicalCoordinate tile;
        int riscv = 0;
        std::vector<PhysicalCoordinate> tiles;
    };
    std::vector<Recorded> calls;
    PointResult point;
    {
        const py::gil_scoped_release release;
        point = run_point(test, arch, board, parameters, settings, [&](Machine& machine) {
            auto* const device = dynamic_cast<Device*>(&machine);
            if (device == nullptr) {
                throw InputError(test_name +
                                 ": expected a test with kernels of Tensix tiles, whose calls are recorded");
            }
            machine.observers().called = [device, &calls](const NocCall& call) {
                const Processor::Identity& identity = device->state().processors[call.processor]->identity();
                calls.push_back(
                    {call, identity.physical, identity.processor, tiles_of(device->grid(), call.noc_address)});
            };
        });
    }
    py::list described;
    for (const Recorded& one : calls) {
        py::list tiles;
        for (const PhysicalCoordinate tile : one.tiles) {
            tiles.append(py::make_tuple(tile.x, tile.y));
        }
        described.append(py::make_tuple(py::make_tuple(one.tile.x, one.tile.y), one.riscv, std::string(one.call.event),
                                        one.call.noc, one.call.virtual_channel, one.call.posted, one.call.bytes, tiles,
                                        one.call.noc_address & kNocAddressMask, cycles_from_ticks(one.call.tick)));
    }
    py::dict result = describe_result(test, point);
    result["calls"] = described;
    return result;
}

RunRecorder record_run(std::size_t max_records) {
    const auto recorder = std::make_shared<Recorder>(max_records);
    return {.watch = [recorder](Machine& machine) { recorder->watch(machine); },
            .add_to =
                [recorder](const py::dict& result) {
                    if (!result.contains("failure")) {
                        result["runs"] = result["kernels"];
                        add_records(result, *recorder);
                    }
                }};
}

py::dict trace_compiled_program(const py::dict& program, const std::string& arch, const std::string& board,
                                const Settings& settings, std::size_t max_records) {
    const RunRecorder recorder = record_run(max_records);
    py::dict result = run_watched(program, arch, board, settings, recorder.watch);
    recorder.add_to(result);
    return result;
}

py::dict trace_flow_table(const py::dict& table, const std::string& arch, const std::string& board,
                          const Settings& settings, std::size_t max_records) {
    Recorder recorder(max_records);
    py::dict result =
        run_flow_table_watched(table, arch, board, settings, [&](Machine& machine) { recorder.watch(machine); });
    add_records(result, recorder);
    return result;
}

py::dict trace_shmem_program(const py::dict& program, const std::string& arch, const std::string& board,
                             const Settings& settings, std::size_t max_records) {
    Recorder recorder(max_records);
    py::dict result =
        run_shmem_watched(program, arch, board, settings, [&](Machine& machine) { recorder.watch(machine); });
    add_records(result, recorder);
    return result;
}

}  // namespace nocbench::bindings
