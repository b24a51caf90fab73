#include "device_model/tenstorrent/checks/bounds_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "device_model/tenstorrent/checks/access_site.h"
#include "device_model/tenstorrent/device_state.h"
#include "device_model/tenstorrent/risc.h"

namespace nocbench {

BoundsCheck::BoundsCheck(std::vector<NamedRange> ranges) : ranges_(std::move(ranges)) {
    std::ranges::sort(ranges_, {}, &NamedRange::begin);
}

void BoundsCheck::began(const Risc& risc, const Transaction& transaction) {
    const bool is_native = risc.program_counter() == 0;
    if (is_native || transaction.kind == TransactionKind::atomic_increment) {
        return;
    }
    if (!transaction.has_inline_data) {
        require_within(risc, transaction, transaction.requestor, transaction.requestor_address);
    }
    if (transaction.memory == MemoryKind::l1) {
        require_within(risc, transaction, transaction.responder, transaction.responder_address);
    }
}

void BoundsCheck::require_within(const Risc& risc, const Transaction& transaction, NodeIndex node,
                                 std::uint64_t begin) {
    const std::uint64_t end = begin + transaction.bytes;
    const auto behind = std::ranges::upper_bound(ranges_, begin, {}, &NamedRange::begin);
    if (behind == ranges_.begin()) {
        return;
    }
    const NamedRange& range = *std::prev(behind);
    if (begin >= range.end || end <= range.end) {
        return;
    }
    std::string text = fmt::format("a transfer of {} bytes runs over the end of {} by {}", transaction.bytes,
                                   range.name, end - range.end);
    Finding& finding = findings_[{risc.program_counter(), text}];
    if (++finding.count == 1) {
        finding.check = Check::bounds;
        finding.text = std::move(text);
        finding.second = site_of(risc, transaction);
        finding.node = node;
        finding.begin = begin;
        finding.end = end;
        finding.happened = true;
    }
}

std::vector<Finding> BoundsCheck::findings() const {
    const auto values = findings_ | std::views::values;
    return {values.begin(), values.end()};
}

}  // namespace nocbench
