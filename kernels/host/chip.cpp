#include "kernels/host/chip.h"

#include <algorithm>

#include "device_model/tenstorrent/l1_banks.h"
#include "kernels/host/session.h"
#include "kernels/tensix/program.h"

namespace tt::host {

namespace {

nocbench::Architecture load() {
    const nocbench::host::Session& session = nocbench::host::session();
    return nocbench::load_architecture(nocbench::find_architecture(session.arch), session.board, session.settings);
}

}  // namespace

Chip::Chip()
    : loaded_(load()),
      dispatch_(nocbench::host::session().dispatch),
      device_(std::make_unique<nocbench::Device>(loaded_, nocbench::host::session().board)),
      l1_banks_(nocbench::cores_of_l1_banks(device_->grid())),
      dram_(static_cast<std::uint64_t>(architecture().dram.unreserved_base_bytes),
            static_cast<std::uint64_t>(architecture().dram.bank_size_bytes)),
      l1_(static_cast<std::uint64_t>(architecture().l1.reserved_bytes),
          static_cast<std::uint64_t>(architecture().l1.size_bytes)) {
    nocbench::require_compilable(architecture());
}

nocbench::LogicalCoordinate Chip::core(CoreCoord core, const Caller& caller) const {
    const auto columns = static_cast<std::size_t>(grid().compute_columns());
    const auto rows = static_cast<std::size_t>(grid().compute_rows());
    if (core.x >= columns || core.y >= rows) {
        tt::host::fail(caller, fmt::format("expected a core from (0, 0) to ({}, {}) of {}, found ({}, {})", columns - 1,
                                           rows - 1, grid().board_name(), core.x, core.y));
    }
    return {static_cast<int>(core.x), static_cast<int>(core.y)};
}

std::uint32_t Chip::alignment(BufferType type) const {
    return static_cast<std::uint32_t>(type == BufferType::DRAM ? architecture().dram.read_alignment_bytes
                                                               : architecture().l1.alignment_bytes);
}

std::uint32_t Chip::alignment_of_buffers() const {
    return std::max(alignment(BufferType::DRAM), alignment(BufferType::L1));
}

void Chip::renew() {
    auto next = std::make_unique<nocbench::Device>(loaded_, nocbench::host::session().board);
    next->take_memory(*device_);
    device_ = std::move(next);
}

}  // namespace tt::host
