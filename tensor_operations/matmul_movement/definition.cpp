// Movement of the operands of a matrix product. In 2-D products, cores with blocks of an operand multicast them along
// rows and columns. In 1-D products, one core multicasts one operand to all others, and each core reads the other
// operand from DRAM.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "device_model/sim/error.h"
#include "kernels/frame/data_check.h"
#include "kernels/frame/pages/page_buffer.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/primitive.h"
#include "kernels/tensix/program.h"

namespace nocbench::matmul_movement {

namespace {

/// Maximum number of distinct blocks of an operand on a core; larger transfers repeat these blocks.
constexpr std::uint32_t kBlocksMax = 4;

constexpr const char* kSenderSource = "tensor_operations/matmul_movement/kernels/device/multicast_sender.cpp";
constexpr const char* kReceiverSource = "tensor_operations/matmul_movement/kernels/device/multicast_receiver.cpp";
constexpr const char* kReaderSource = "tensor_operations/matmul_movement/kernels/device/block_reader.cpp";

/// Properties of an operand's movement: name in rows, RISC and NoC.
struct Operand {
    const char* name;
    int riscv = 0;
    int noc = 0;
    std::uint32_t index = 0;  // index of the operand's blocks in L1
};

constexpr Operand kIn0{.name = "In0", .riscv = 1, .noc = 0, .index = 0};
constexpr Operand kIn1{.name = "In1", .riscv = 0, .noc = 1, .index = 1};

class Movement {
public:
    explicit Movement(const Point& point)
        : point_(point),
          rectangle_(point.rectangle()),
          cores_(cores_of(rectangle_)),
          places_(std::min(point.num_transactions(), kBlocksMax)),
          check_(point),
          program_(point.device()) {
        if (cores_.size() == 1) {
            throw InputError("parameter grid or rectangle: expected more than one core, found one");
        }
        static_cast<void>(point.l1_buffer(2 * kBlocksMax - 1));  // throws if the blocks do not fit L1
    }

    /// Adds the two semaphores of an operand: receivers increment the first, and the second announces a block.
    std::uint32_t add_semaphores() {
        const std::uint32_t first = program_.add_semaphore(cores_, 0);
        program_.add_semaphore(cores_, 0);
        return first;
    }

    /// Multicasts blocks from the first core of `group` to the other cores.
    void multicast(const Operand& operand, const LogicalRectangle& group, std::uint32_t semaphores) {
        const std::vector<LogicalCoordinate> members = cores_of(group);
        if (members.size() == 1) {
            return;
        }
        const Grid& grid = point_.device().grid();
        const LogicalCoordinate sender = group.first;
        const TranslatedCoordinate first = grid.translated(group.first);
        const TranslatedCoordinate last = grid.translated(group.last);
        const auto word = [](int coordinate) { return static_cast<std::uint32_t>(coordinate); };
        for (std::uint32_t block = 0; block < places_; ++block) {
            const MemoryPlace source = place(operand, sender, block);
            const DataCheck::Data data = check_.fill(source, pattern(operand, source.tile, block));
            for (const LogicalCoordinate member : members) {
                if (member != sender) {
                    check_.expect({name(operand, "Sender"), TransactionKind::write, source,
                                   place(operand, member, block), data, times(block)});
                }
            }
        }
        program_.add_kernel(
            {sender},
            {name(operand, "Sender"), nullptr, operand.riscv, operand.noc, {point_.call_size_bytes()}, kSenderSource});
        program_.set_runtime_args(
            sender, operand.riscv,
            {point_.num_transactions(), places_, address(operand, 0), word(first.x), word(first.y), word(last.x),
             word(last.y), static_cast<std::uint32_t>(members.size() - 1), semaphores, semaphores + 1});
        for (const LogicalCoordinate member : members) {
            if (member != sender) {
                program_.add_kernel(
                    {member}, {name(operand, "Receiver"), nullptr, operand.riscv, operand.noc, {}, kReceiverSource});
                program_.set_runtime_args(
                    member, operand.riscv,
                    {point_.num_transactions(), word(first.x), word(first.y), semaphores, semaphores + 1});
            }
        }
    }

    void read_from_dram(const Operand& operand) {
        const auto num_cores = static_cast<std::uint32_t>(cores_.size());
        const PageBuffer buffer(point_.device(), BankMemory::dram,
                                first_bank_address(point_.device(), BankMemory::dram, 0), point_.call_size_bytes(),
                                num_cores * places_);
        std::vector<std::uint32_t> constants{point_.call_size_bytes()};
        const std::vector<std::uint32_t> layout = buffer.layout();
        constants.insert(constants.end(), layout.begin(), layout.end());
        for (std::uint32_t core = 0; core < num_cores; ++core) {
            for (std::uint32_t block = 0; block < places_; ++block) {
                const std::uint32_t page = core * places_ + block;
                const MemoryPlace source = buffer.place(page, operand.noc);
                const DataCheck::Data data = check_.fill(source, pattern(operand, static_cast<NodeIndex>(core), block));
                check_.expect({name(operand, "Reader"), TransactionKind::read, source,
                               place(operand, cores_[core], block), data, times(block)});
            }
            program_.add_kernel({cores_[core]}, {name(operand, "Reader"), nullptr, operand.riscv, operand.noc,
                                                 constants, kReaderSource});
            program_.set_runtime_args(
                cores_[core], operand.riscv,
                {point_.num_transactions(), places_, buffer.address(), core * places_, address(operand, 0)});
        }
    }

    void run() { program_.run(); }

    [[nodiscard]] const LogicalRectangle& rectangle() const { return rectangle_; }

    /// Reports the kernel with the given `role`, as in the row's label. All data of a multicast count as its sender's.
    [[nodiscard]] KernelReport report(const Operand& operand, const std::string& role) const {
        const bool is_read = role == "Reader";
        return {.label = name(operand, role),
                .kernel = name(operand, role),
                .zone = is_read            ? "READ"
                        : role == "Sender" ? "SEND"
                                           : "RECEIVE",
                .riscv = operand.riscv,
                .noc = operand.noc,
                .transaction_size_bytes = point_.call_size_bytes(),
                .data_fault = check_.fault(name(operand, is_read ? "Reader" : "Sender"))};
    }

private:
    static std::string name(const Operand& operand, const std::string& role) {
        return fmt::format("{} {}", operand.name, role);
    }

    [[nodiscard]] std::uint32_t address(const Operand& operand, std::uint32_t block) const {
        return point_.l1_buffer(operand.index * kBlocksMax + block);
    }

    [[nodiscard]] MemoryPlace place(const Operand& operand, LogicalCoordinate core, std::uint32_t block) const {
        return l1_place(point_.device().grid(), core, address(operand, block));
    }

    [[nodiscard]] NodeIndex pattern(const Operand& operand, NodeIndex owner, std::uint32_t block) const {
        const std::uint32_t set = operand.index * kBlocksMax + block;
        return static_cast<NodeIndex>(static_cast<std::uint32_t>(point_.device().grid().num_nodes()) * (1 + set) +
                                      owner);
    }

    [[nodiscard]] std::uint64_t times(std::uint32_t block) const {
        return point_.num_transactions() / places_ + (block < point_.num_transactions() % places_ ? 1 : 0);
    }

    const Point& point_;
    LogicalRectangle rectangle_;
    std::vector<LogicalCoordinate> cores_;
    std::uint32_t places_;
    DataCheck check_;
    Program program_;
};

std::vector<KernelReport> run_1d(const Point& point) {
    Movement movement(point);
    movement.multicast(kIn0, movement.rectangle(), movement.add_semaphores());
    movement.read_from_dram(kIn1);
    movement.run();
    return {movement.report(kIn0, "Sender"), movement.report(kIn0, "Receiver"), movement.report(kIn1, "Reader")};
}

std::vector<KernelReport> run_2d(const Point& point) {
    Movement movement(point);
    const auto [first, last] = std::pair(movement.rectangle().first, movement.rectangle().last);
    if (first.x == last.x || first.y == last.y) {
        throw InputError("parameter grid or rectangle: expected two columns and two rows at least, found fewer");
    }
    const std::uint32_t in0_semaphores = movement.add_semaphores();
    const std::uint32_t in1_semaphores = movement.add_semaphores();
    for (int y = first.y; y <= last.y; ++y) {
        movement.multicast(kIn0, {.first = {first.x, y}, .last = {last.x, y}}, in0_semaphores);
    }
    for (int x = first.x; x <= last.x; ++x) {
        movement.multicast(kIn1, {.first = {x, first.y}, .last = {x, last.y}}, in1_semaphores);
    }
    movement.run();
    return {movement.report(kIn0, "Sender"), movement.report(kIn0, "Receiver"), movement.report(kIn1, "Sender"),
            movement.report(kIn1, "Receiver")};
}

Sweep sweep(const Architecture& /*architecture*/, Tier tier) {
    return tier == Tier::quick ? Sweep{{1, 16}, {2048, 16384}}
                               : Sweep{{1, 4, 16, 64, 256}, {1024, 2048, 4096, 8192, 16384, 32768, 65536}};
}

TestDefinition test(int id, const std::string& shape, const std::string& description, std::vector<std::string> kernels,
                    std::vector<KernelReport> (*run_point)(const Point&)) {
    return {.id = id,
            .name = fmt::format("Matmul {} Operand Movement", shape),
            .primitive = "matmul_movement",
            .description = description,
            .headings = {"Matmul Operand Movement", shape},
            .kernels = std::move(kernels),
            .parameters = area_parameters("all", ""),
            .sweep = &sweep,
            .run = run_point,
            .kernels_are_compiled = true,
            .has_long_streams = true};
}

const RegisterTests registration{{
    test(
        1000, "1D",
        "One core multicasts the blocks of one operand to all others, and each reads those of the other one from DRAM.",
        {"In0 Sender", "In0 Receiver", "In1 Reader"}, &run_1d),
    test(1001, "2D",
         "The first core of each row multicasts the blocks of one operand along it, that of each column those of the "
         "other.",
         {"In0 Sender", "In0 Receiver", "In1 Sender", "In1 Receiver"}, &run_2d),
}};

}  // namespace

}  // namespace nocbench::matmul_movement
