#include "device_model/tenstorrent/compute/compute_unit.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <utility>

#include "device_model/tenstorrent/checks/race_check.h"
#include "device_model/tenstorrent/checks/sync_check.h"
#include "device_model/tenstorrent/compute/column_sort.h"
#include "device_model/tenstorrent/compute/tile_arithmetic.h"
#include "device_model/tenstorrent/compute/vector_functions.h"
#include "device_model/tenstorrent/device_state.h"
#include "device_model/tenstorrent/risc.h"
#include "device_model/tenstorrent/tile/page_counts.h"

namespace nocbench {

namespace {

constexpr std::size_t kSourcesMax = 2;

// Instructions of the matrix unit for a tile, each on 8 rows of 16 values; a product of tiles has 16 for each phase.
// Source: Tenstorrent ISA documentation, MatrixUnit.md, ELWADD.md, MVMUL.md.
constexpr int kInstructionsOfTile = 8;
constexpr int kInstructionsOfProduct = 16;
constexpr int kVectorSteps = 32;  // a tile has 32 times the 32 lanes of the vector unit

constexpr std::uint64_t kOperationsOfProduct = 2 * kTileSide * kTileSide * kTileSide;  // multiplications and additions

TileInL1 tile_in_l1(std::uint32_t byte) { return {static_cast<TileFormat>(format_number(byte)), rows_of_tile(byte)}; }
TileInL1 tile_of_a(const ComputeCommand& command) { return tile_in_l1(field(command.words[2], 0, 0xFF)); }
TileInL1 tile_of_b(const ComputeCommand& command) { return tile_in_l1(field(command.words[2], 8, 0xFF)); }
TileInL1 packed_tile(const ComputeCommand& command) { return tile_in_l1(field(command.words[2], 0, 0xFF)); }

/// Returns the value that joins with another one to that other one.
float identity(Pooling pool) {
    const float worst = std::numeric_limits<float>::infinity();
    return pool == Pooling::maximum ? -worst : pool == Pooling::minimum ? worst : 0.0F;
}

Tick ticks(Tick of_one, std::uint64_t count) { return of_one * static_cast<Tick>(count); }

/// Returns the time of `bytes` at a rate; a started cycle counts.
Tick transfer_ticks(std::uint64_t bytes, std::int64_t bytes_per_cycle) {
    return ticks_from_cycles(static_cast<Cycle>((bytes + static_cast<std::uint64_t>(bytes_per_cycle) - 1) /
                                                static_cast<std::uint64_t>(bytes_per_cycle)));
}

/// Returns the arithmetic operations of a command. Functions count as one operation for each value.
std::uint64_t operations_of(const ComputeCommand& command) {
    switch (command.operation) {
        case ComputeOperation::multiply_matrices:
            return kOperationsOfProduct;
        case ComputeOperation::combine:
            return (command.flags & kAdds) != 0 ? 2 * kTileValues : kTileValues;
        case ComputeOperation::copy:
        case ComputeOperation::transpose:
            return 0;
        default:
            return num_dst_tiles_of(command.operation) == 0 ? 0 : kTileValues;
    }
}

}  // namespace

double product_operations_per_cycle(const ComputeConstants& constants, int fidelity_phases) {
    const int instructions = kInstructionsOfProduct * fidelity_phases;
    return static_cast<double>(kOperationsOfProduct) /
           (instructions * cycles_from_ticks(constants.matrix_instruction_ticks));
}

double element_operations_per_cycle(const ComputeConstants& constants) {
    return static_cast<double>(kTileValues) /
           (kInstructionsOfTile * cycles_from_ticks(constants.matrix_instruction_ticks));
}

ComputeUnit::ComputeUnit(DeviceState& state, Memory& streams, NodeIndex node)
    : state_(state), streams_(streams), node_(node) {}

void ComputeUnit::configure(std::uint32_t word) {
    if (dst_.empty()) {
        configuration_ = word;
        contract_.configure(word);
        dst_.resize(std::size_t{contract_.num_sections()} * contract_.tiles_of_section());
    }
}

bool ComputeUnit::has_room(ComputeThread thread) const {
    return queue(thread).commands.size() < static_cast<std::size_t>(state_.architecture.compute.commands_ahead_max);
}

void ComputeUnit::give(Risc& risc, const ComputeCommand& command, const CallContract::Buffers& buffers) {
    if (command.operation == ComputeOperation::configure) {
        configure(command.words[0]);
        return;
    }
    const auto thread = static_cast<ComputeThread>(risc.identity().processor - state_.architecture.num_riscs());
    for (std::string& text : contract_.take(thread, command, buffers)) {
        if (state_.sync_check) {
            state_.sync_check->misuses(risc, std::move(text));
        } else {
            warnings_[static_cast<std::size_t>(thread)].emplace(risc.program_counter(), std::move(text));
        }
    }
    if (is_note(command.operation)) {
        return;
    }
    if (command.operation == ComputeOperation::send) {
        for (const ComputeThread other : {ComputeThread::math, ComputeThread::pack}) {
            queue(other).mailbox.push_back({command.words[0], hand_on(risc)});
        }
        state_.notify_tile(node_, risc.now(), nullptr);
        return;
    }
    risc.count_operations(operations_of(command), math_ticks(command));
    queue(thread).commands.push_back({command, &risc, risc.program_counter(), risc.return_address()});
    go_on(risc.now());
}

std::vector<std::pair<std::uint32_t, std::string>> ComputeUnit::warnings(ComputeThread thread) const {
    const auto& its = warnings_[static_cast<std::size_t>(thread)];
    return {its.begin(), its.end()};
}

std::uint32_t ComputeUnit::take_mail(ComputeThread thread, const Risc& risc) {
    std::deque<Mail>& mailbox = queue(thread).mailbox;
    const Mail mail = mailbox.front();
    mailbox.pop_front();
    take(risc, mail.handed_on);
    return mail.word;
}

bool ComputeUnit::can_begin(const ComputeCommand& command) const {
    switch (command.operation) {
        case ComputeOperation::unpack:
            return sources_.size() < kSourcesMax;
        case ComputeOperation::acquire:
            return sections_filled_ < contract_.num_sections();
        case ComputeOperation::wait:
        case ComputeOperation::release:
            return sections_filled_ > 0;
        default:
            return !takes_operand(command.operation) || !sources_.empty();
    }
}

ComputeThread ComputeUnit::waits_for(ComputeThread thread) const {
    const Queue& its = queue(thread);
    if (its.is_running || its.commands.empty()) {
        return thread;
    }
    switch (its.commands.front().command.operation) {
        case ComputeOperation::acquire:
            return ComputeThread::pack;
        case ComputeOperation::unpack:
        case ComputeOperation::wait:
        case ComputeOperation::release:
            return ComputeThread::math;
        default:
            return ComputeThread::unpack;
    }
}

std::optional<ComputeThread> ComputeUnit::busy_for(ComputeThread thread) const {
    // Each thread waits for another one; of three, the third is the last.
    for (std::size_t step = 0; step < kNumComputeThreads; ++step) {
        if (queue(thread).is_running) {
            return thread;
        }
        if (queue(thread).commands.empty()) {
            return std::nullopt;
        }
        thread = waits_for(thread);
    }
    return std::nullopt;
}

std::string_view ComputeUnit::describe_wait(ComputeThread thread) const {
    const ComputeThread other = waits_for(thread);
    return other == thread                  ? "its units to end a command"
           : other == ComputeThread::pack   ? "pack to release Dst"
           : other == ComputeThread::unpack ? "unpack to fill the source registers"
           : thread == ComputeThread::pack  ? "math to commit Dst"
                                            : "math to use the source registers";
}

Tick ComputeUnit::math_ticks(const ComputeCommand& command) const {
    const ComputeConstants& cost = state_.architecture.compute;
    const auto vector = [&](FunctionLength length) {
        const std::int64_t steps = length == FunctionLength::simple       ? cost.simple_function_steps
                                   : length == FunctionLength::polynomial ? cost.polynomial_function_steps
                                                                          : cost.iterative_function_steps;
        return ticks_from_cycles(kVectorSteps * steps);
    };
    const auto matrix = [&](int instructions) {
        return ticks(cost.matrix_instruction_ticks, static_cast<std::uint64_t>(instructions));
    };
    const auto phases = static_cast<int>(field(configuration_, kFidelityShift, 7));
    switch (command.operation) {
        case ComputeOperation::copy:
        case ComputeOperation::transpose:
            return matrix(kInstructionsOfTile);
        case ComputeOperation::combine:
            return matrix(static_cast<Arithmetic>(field(command.flags, kArithmeticShift)) == Arithmetic::multiply
                              ? kInstructionsOfTile * phases
                              : kInstructionsOfTile);
        case ComputeOperation::multiply_matrices:
            return matrix(kInstructionsOfProduct * phases);
        case ComputeOperation::reduce:
            return matrix(kInstructionsOfTile * phases);
        case ComputeOperation::unary:
            return vector(unary_of(command).length);
        case ComputeOperation::binary:
            return vector(binary_of(command).length);
        case ComputeOperation::ternary:
            return vector(ternary_of(command).length);
        case ComputeOperation::reduce_dst:
        case ComputeOperation::accumulate_rows:
            return vector(FunctionLength::simple);
        case ComputeOperation::sort:
            return 2 * static_cast<Tick>(command.words[5]) * vector(FunctionLength::simple);
        case ComputeOperation::gather: {
            // A row is a step of the vector unit; so is what is done once with all columns.
            const StatisticsStep step = statistics_step(command);
            const std::size_t rows = has_rows(step) ? RowRange(command.words[1]).count : 1;
            const std::int64_t steps = (step == StatisticsStep::add_rows ? 2 : 1) * cost.simple_function_steps;
            return ticks_from_cycles(static_cast<Cycle>(rows) * steps);
        }
        default:
            return 0;
    }
}

Tick ComputeUnit::duration(const ComputeCommand& command) const {
    const ComputeConstants& cost = state_.architecture.compute;
    switch (command.operation) {
        case ComputeOperation::unpack: {
            const std::uint64_t a = (command.flags & kUnpackA) != 0 ? tile_bytes(tile_of_a(command)) : 0;
            const std::uint64_t b = (command.flags & kUnpackB) != 0 ? tile_bytes(tile_of_b(command)) : 0;
            const Tick longer = transfer_ticks(std::max(a, b), cost.unpack_bytes_per_cycle);
            const Tick both = transfer_ticks(a + b, cost.unpack_bytes_per_cycle_in_all);
            return cost.unpack_call_ticks + std::max(longer, both);
        }
        case ComputeOperation::pack:
            return cost.pack_call_ticks + transfer_ticks(tile_bytes(packed_tile(command)), cost.pack_bytes_per_cycle);
        default: {
            const Tick work = math_ticks(command);
            return work == 0 || (command.flags & kContinues) != 0 ? work : work + cost.math_call_ticks;
        }
    }
}

void ComputeUnit::go_on(Tick tick) {
    bool has_changed = true;
    bool has_ended = false;
    while (has_changed) {
        has_changed = false;
        for (std::size_t index = 0; index < kNumComputeThreads; ++index) {
            Queue& its = queues_[index];
            if (its.is_running || its.commands.empty() || !can_begin(its.commands.front().command)) {
                continue;
            }
            const Given& given = its.commands.front();
            const Tick length = duration(given.command);
            begin(given);
            has_changed = true;
            if (length == 0) {
                end(given, tick);
                its.commands.pop_front();
                has_ended = true;
                continue;
            }
            its.is_running = true;
            state_.events.push({.tick = tick + length,
                                .place = static_cast<std::uint32_t>(node_),
                                .kind = EventKind::end_compute_command,
                                .subject = static_cast<std::uint32_t>(index),
                                .skew = state_.skew_of_tile[node_]});
        }
    }
    if (has_ended) {
        state_.notify_tile(node_, tick, nullptr);
    }
}

void ComputeUnit::end_command(ComputeThread thread, Tick tick) {
    Queue& its = queue(thread);
    end(its.commands.front(), tick);
    its.commands.pop_front();
    its.is_running = false;
    go_on(tick);
    state_.notify_tile(node_, tick, nullptr);
}

void ComputeUnit::begin(const Given& given) {
    if (given.command.operation == ComputeOperation::unpack) {
        unpack(given);
    } else if (num_dst_tiles_of(given.command.operation) != 0) {
        compute(given.command);
    } else if (given.command.operation == ComputeOperation::gather) {
        gather_statistics(given.command);
    }
}

void ComputeUnit::end(const Given& given, Tick tick) {
    switch (given.command.operation) {
        case ComputeOperation::seed:
            random_ = RandomNumbers(given.command.words[0]);
            break;
        case ComputeOperation::unpack:
            sources_.push_back(last_);
            sources_.back().handed_on = hand_on(*given.risc);
            break;
        case ComputeOperation::pop:
            change_pages(given, kPagesAcknowledged);
            break;
        case ComputeOperation::acquire:
            take(*given.risc, released_[math_section_]);
            break;
        case ComputeOperation::commit:
            committed_[math_section_] = hand_on(*given.risc);
            ++sections_filled_;
            math_section_ = (math_section_ + 1) % contract_.num_sections();
            break;
        case ComputeOperation::wait:
            take(*given.risc, committed_[pack_section_]);
            break;
        case ComputeOperation::release:
            released_[pack_section_] = hand_on(*given.risc);
            for (std::uint32_t tile = 0; tile < contract_.tiles_of_section(); ++tile) {
                dst_of(pack_section_, tile).is_clear = true;
            }
            --sections_filled_;
            pack_section_ = (pack_section_ + 1) % contract_.num_sections();
            break;
        case ComputeOperation::pack:
            write_packed(given, tick);
            break;
        case ComputeOperation::push:
            change_pages(given, kPagesReceived);
            break;
        default:
            if (takes_operand(given.command.operation)) {
                take(*given.risc, sources_.front().handed_on);
                sources_.pop_front();
            }
            break;
    }
}

template <typename Report>
void ComputeUnit::report(const Given& given, const Report& to_check) const {
    if (state_.race_check) {
        given.risc->appear_at(Risc::CallPlace{given.program_counter, given.return_address});
        to_check(*state_.race_check);
        given.risc->appear_at({});
    }
}

Moment ComputeUnit::hand_on(const Risc& risc) const {
    return state_.race_check ? state_.race_check->hands_on(risc) : Moment{};
}

void ComputeUnit::take(const Risc& risc, const Moment& handed_on) const {
    if (state_.race_check && handed_on.clock != nullptr) {
        state_.race_check->takes(risc, handed_on);
    }
}

void ComputeUnit::change_pages(const Given& given, std::uint32_t offset) {
    const std::uint32_t place = given.command.words[0] * kStreamBytes + offset;
    report(given, [&](RaceCheck& check) { check.stored_stream(*given.risc, place); });
    std::uint32_t pages = 0;
    streams_.read(place, std::as_writable_bytes(std::span(&pages, 1)));
    pages += given.command.words[1];
    streams_.write(place, std::as_bytes(std::span(&pages, 1)));
}

SharedTile ComputeUnit::read(const Given& given, std::uint32_t address, TileInL1 stored, bool is_row_major,
                             bool is_exact) const {
    const auto [format, rows] = stored;
    const Memory& memory = state_.tile_memory[node_];
    auto tile = std::make_shared<TileValues>();
    const auto load = [&](std::uint32_t from, std::span<std::byte> out) {
        report(given, [&](RaceCheck& check) { check.loaded(*given.risc, from, out.size()); });
        memory.read(from, out);
    };
    if (is_row_major) {
        const std::size_t row_bytes = kTileSide * value_bytes(format);
        const auto stride = static_cast<std::uint32_t>(row_bytes) * given.command.words[3];
        for (std::uint32_t row = 0; row < rows; ++row) {
            const std::span<std::byte> out = std::span(bytes_).first(row_bytes);
            load(address + row * stride, out);
            read_values(out, format, std::span(*tile).subspan(row * kTileSide, kTileSide));
        }
    } else {
        const std::span<std::byte> out = std::span(bytes_).first(tile_bytes(stored));
        load(address, out);
        read_tile(out, stored, *tile);
    }
    if (format == TileFormat::float32 && !is_exact) {
        std::ranges::transform(*tile, tile->begin(),
                               (configuration_ & kWideDst) != 0 ? rounded_to_tf32 : rounded_to_bfloat16);
    }
    return tile;
}

void ComputeUnit::unpack(const Given& given) {
    const ComputeCommand& command = given.command;
    const auto turned = [](const SharedTile& tile) {
        const auto turned_tile = std::make_shared<TileValues>(*tile);
        transpose(*turned_tile);
        return turned_tile;
    };
    if ((command.flags & kKeepA) == 0) {
        last_.a.reset();
    }
    last_.b.reset();
    if ((command.flags & kUnpackA) != 0) {
        const TileInL1 stored = tile_of_a(command);
        last_.a = read(given, command.words[0] << kAddressShift, stored, (command.flags & kTilizeA) != 0,
                       (command.flags & kExactA) != 0);
        last_.rows_of_a = stored.rows;
        if ((command.flags & kTransposeA) != 0) {
            last_.a = turned(last_.a);
            last_.rows_of_a = kTileSide;
        }
    }
    if ((command.flags & kUnpackB) != 0) {
        last_.b = read(given, command.words[1] << kAddressShift, tile_of_b(command), false, false);
        if ((command.flags & kTransposeB) != 0) {
            last_.b = turned(last_.b);
        }
    }
}

ComputeUnit::DstTile& ComputeUnit::dst_of(std::uint32_t section, std::uint32_t tile) {
    return dst_[section * contract_.tiles_of_section() + tile];
}

void ComputeUnit::store_in_dst(DstTile& tile, bool is_exact) const {
    tile.is_clear = false;
    if ((configuration_ & kWideDst) == 0 && !is_exact) {
        std::ranges::transform(tile.values, tile.values.begin(), rounded_to_bfloat16);
    }
}

ComputeUnit::DstTile& ComputeUnit::tile_to_change(std::uint32_t tile, bool is_of_pack) {
    DstTile& its = dst_of(is_of_pack ? pack_section_ : math_section_, tile);
    if (its.is_clear) {
        its.values.fill(0);
    }
    return its;
}

void ComputeUnit::gather_statistics(const ComputeCommand& command) {
    const StatisticsStep step = statistics_step(command);
    const std::uint32_t first = command.words[0];
    const auto tiles = tiles_of(step);
    DstTile& left = tile_to_change(tiles == 0 ? 0 : first);
    DstTile& right = tile_to_change(tiles < 2 ? 0 : first + 1);
    statistics_.take(step, (command.flags & kStatisticsFlag) != 0, std::span(command.words).subspan(1), left.values,
                     right.values);
    if (tiles >= 1) {
        store_in_dst(left);
    }
    if (tiles >= 2) {
        store_in_dst(right);
    }
}

void ComputeUnit::compute(const ComputeCommand& command) {
    static const auto kNothing = std::make_shared<const TileValues>();
    const bool is_of_pack = command.operation == ComputeOperation::unary && (command.flags & kInPack) != 0;
    DstTile& dst = tile_to_change(command.words[0], is_of_pack);
    const auto source = [&](SharedTile Sources::* which) {
        const SharedTile& tile = sources_.front().*which;
        return tile == nullptr ? kNothing : tile;
    };
    const auto kind = static_cast<Broadcast>(field(command.flags, kBroadcastShift));
    switch (command.operation) {
        case ComputeOperation::copy:
            dst.values = *source((command.flags & kFromB) != 0 ? &Sources::b : &Sources::a);
            broadcast(dst.values, kind, command.words[1]);
            store_in_dst(dst, true);  // as it was unpacked
            return;
        case ComputeOperation::combine: {
            left_ = (command.flags & kDstAsA) != 0 ? dst.values : *source(&Sources::a);
            right_ = (command.flags & kDstAsB) != 0 ? dst.values : *source(&Sources::b);
            broadcast(right_, kind, command.words[1]);
            combine(left_, right_, static_cast<Arithmetic>(field(command.flags, kArithmeticShift)),
                    (command.flags & kAdds) != 0, dst.values);
            break;
        }
        case ComputeOperation::multiply_matrices:
            add_product(*source(&Sources::a), *source(&Sources::b), dst.values);
            break;
        case ComputeOperation::reduce: {
            const auto pool = static_cast<Pooling>(field(command.flags, kPoolShift));
            const auto dimension = static_cast<ReducedDimension>(field(command.flags, kDimensionShift));
            if (dst.is_clear) {
                dst.values.fill(identity(pool));
            }
            left_ = *source(&Sources::a);
            scale(left_, *source(&Sources::b), dimension);
            reduce(std::span(left_).first(sources_.front().rows_of_a * kTileSide), 1, pool, dimension, dst.values);
            break;
        }
        case ComputeOperation::transpose:
            transpose(dst.values);
            store_in_dst(dst, true);
            return;
        case ComputeOperation::unary: {
            const UnaryFunction& function = unary_of(command);
            FunctionParameters parameters{command.words[2], command.words[3], command.words[4]};
            for (float& value : dst.values) {
                if (function.is_random) {
                    parameters.random = static_cast<std::uint32_t>(random_.next() >> 32);
                }
                value = function.apply(value, parameters);
            }
            store_in_dst(dst, function.is_exact);
            return;
        }
        case ComputeOperation::binary: {
            const BinaryFunction& function = binary_of(command);
            const TileValues& left = dst.values;
            right_ = tile_to_change(command.words[1]).values;
            broadcast(right_, kind);
            DstTile& result = dst_of(math_section_, command.words[2]);
            const FunctionParameters parameters{command.words[4], command.words[5]};
            std::ranges::transform(left, right_, result.values.begin(),
                                   [&](float a, float b) { return function.apply(a, b, parameters); });
            store_in_dst(result, function.is_exact);
            return;
        }
        case ComputeOperation::ternary: {
            const TernaryFunction& function = ternary_of(command);
            const TileValues& first = dst.values;
            const TileValues& second = tile_to_change(command.words[1]).values;
            const TileValues& third = tile_to_change(command.words[2]).values;
            DstTile& result = dst_of(math_section_, command.words[3]);
            for (std::size_t i = 0; i < kTileValues; ++i) {
                result.values[i] = function.apply(first[i], second[i], third[i], command.words[5]);
            }
            store_in_dst(result, function.is_exact);
            return;
        }
        case ComputeOperation::reduce_dst: {
            const auto pool = static_cast<Pooling>(field(command.flags, kPoolShift));
            left_ = dst.values;
            dst.values.fill(identity(pool));
            reduce(left_, pool == Pooling::average ? 1.0F / kTileSide : 1.0F, pool,
                   static_cast<ReducedDimension>(field(command.flags, kDimensionShift)), dst.values);
            break;
        }
        case ComputeOperation::sort: {
            SortedTiles tiles{};
            for (std::size_t i = 0; i < tiles.size(); ++i) {
                DstTile& tile = tile_to_change(command.words[i]);
                store_in_dst(tile, true);
                tiles[i] = &tile.values;
            }
            const auto act = sort_of(command) == Sort::merge ? merge_runs : sort_runs;
            act(tiles, ColumnRuns(command.words[4]), (command.flags & kIsAscending) != 0,
                static_cast<Ties>(field(command.flags, kTiesShift)));
            return;
        }
        case ComputeOperation::accumulate_rows:
            if ((command.flags & kIsFirst) != 0) {
                last_row_.fill(0);
            }
            for (std::size_t i = 0; i < kTileValues; ++i) {
                float& sum = last_row_[i % kTileSide];
                sum += dst.values[i];
                dst.values[i] = sum;
            }
            break;
        default:
            return;
    }
    store_in_dst(dst);
}

void ComputeUnit::write_packed(const Given& given, Tick tick) {
    const ComputeCommand& command = given.command;
    const TileInL1 stored = packed_tile(command);
    const auto [format, rows] = stored;
    const DstTile& dst = dst_of(pack_section_, command.words[0]);
    TileValues& values = left_;
    values = dst.values;
    if (dst.is_clear) {
        values.fill(0);
    }
    enum Relu : std::uint32_t { none, zero, above, below };
    const std::uint32_t relu = field(command.flags, kReluShift);
    if (relu != none && !is_integer(format)) {
        const auto threshold = relu == zero ? 0.0F : std::bit_cast<float>(command.words[4]);
        for (float& value : values) {
            value = relu == below ? std::clamp(value, 0.0F, threshold) : value > threshold ? value : 0.0F;
        }
    }
    const Memory& memory = state_.tile_memory[node_];
    const auto store = [&](std::uint32_t address, std::span<const std::byte> out) {
        report(given, [&](RaceCheck& check) { check.stored(*given.risc, address, out); });
        state_.write_memory(node_, address, out, tick);
    };
    const std::uint32_t address = command.words[1] << kAddressShift;
    if ((command.flags & kUntilize) != 0) {
        const std::size_t row_bytes = kTileSide * value_bytes(format);
        const auto stride = static_cast<std::uint32_t>(row_bytes) * command.words[3];
        for (std::uint32_t row = 0; row < rows; ++row) {
            const std::span<std::byte> out = std::span(bytes_).first(row_bytes);
            write_values(std::span(values).subspan(row * kTileSide, kTileSide), format, out);
            store(address + row * stride, out);
        }
        return;
    }
    const std::span<std::byte> out = std::span(bytes_).first(tile_bytes(stored));
    if ((command.flags & kAddsToL1) != 0) {
        report(given, [&](RaceCheck& check) { check.loaded(*given.risc, address, out.size()); });
        memory.read(address, out);
        read_tile(out, stored, right_);
        std::ranges::transform(values, right_, values.begin(), std::plus<>());
    }
    write_tile(values, stored, out);
    store(address, out);
}

}  // namespace nocbench
