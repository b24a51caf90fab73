// SPDX-License-Identifier: Apache-2.0
// How a transfer of a `Noc` is to be done: what kernels give as template arguments, in any order, and as options.

#pragma once

#include <stdint.h>

#include "noc_nonblocking_api.h"
#include "nocbench/objects/noc_traits.h"

namespace nocbench {

enum class TxnIdMode : uint8_t { ENABLED, DISABLED };
enum class ResponseMode : uint8_t { NON_POSTED, POSTED };
enum class BarrierMode : uint8_t { TXN_ID, FULL };
enum class McastMode : uint8_t { INCLUDE_SRC, EXCLUDE_SRC };
enum class VcSelection : uint8_t { DEFAULT, CUSTOM };

enum class TransferFlag : uint32_t {
    DEFAULT = 0,
    TXN_ID = 1 << 0,
    POSTED = 1 << 1,
    MCAST_INCL_SRC = 1 << 2,
    CUSTOM_VC = 1 << 3,
};

constexpr TransferFlag operator|(TransferFlag first, TransferFlag second) {
    return static_cast<TransferFlag>(static_cast<uint32_t>(first) | static_cast<uint32_t>(second));
}

}  // namespace nocbench

/// The options of a transfer that are not known when the kernel is compiled.
struct NocOptions {
    using Flag = nocbench::TransferFlag;
    static constexpr Flag DEFAULT = Flag::DEFAULT;
    static constexpr Flag TXN_ID = Flag::TXN_ID;
    static constexpr Flag POSTED = Flag::POSTED;
    static constexpr Flag MCAST_INCL_SRC = Flag::MCAST_INCL_SRC;
    static constexpr Flag CUSTOM_VC = Flag::CUSTOM_VC;

    static constexpr uint32_t no_transaction_id = 0xFFFFFFFF;

    /// The virtual channel; of a multicast the one for multicasts unless another one is given.
    uint32_t vc = NOC_UNICAST_WRITE_VC;
    /// The transaction id, with TXN_ID.
    uint32_t trid = no_transaction_id;
};
using NocOptVals = NocOptions;

namespace nocbench {

constexpr TransferFlag flag_of(TransferFlag flag) { return flag; }
constexpr TransferFlag flag_of(TxnIdMode mode) {
    return mode == TxnIdMode::ENABLED ? TransferFlag::TXN_ID : TransferFlag::DEFAULT;
}
constexpr TransferFlag flag_of(BarrierMode mode) {
    return mode == BarrierMode::TXN_ID ? TransferFlag::TXN_ID : TransferFlag::DEFAULT;
}
constexpr TransferFlag flag_of(ResponseMode mode) {
    return mode == ResponseMode::POSTED ? TransferFlag::POSTED : TransferFlag::DEFAULT;
}
constexpr TransferFlag flag_of(McastMode mode) {
    return mode == McastMode::INCLUDE_SRC ? TransferFlag::MCAST_INCL_SRC : TransferFlag::DEFAULT;
}
constexpr TransferFlag flag_of(VcSelection selection) {
    return selection == VcSelection::CUSTOM ? TransferFlag::CUSTOM_VC : TransferFlag::DEFAULT;
}
template <typename Other>
constexpr TransferFlag flag_of(Other) {  // a size, or whether to trace
    return TransferFlag::DEFAULT;
}

/// The greatest size of a page that a template argument tells.
constexpr uint32_t page_bytes_of_option(unsigned int bytes) { return bytes; }
constexpr uint32_t page_bytes_of_option(unsigned long bytes) { return bytes; }
constexpr uint32_t page_bytes_of_option(int bytes) { return bytes; }
template <typename Other>
constexpr uint32_t page_bytes_of_option(Other) {
    return NOC_MAX_BURST_SIZE + 1;
}

/// What template arguments say together.
template <auto... options>
struct TransferOptions {
    static constexpr uint32_t flags = (0U | ... | static_cast<uint32_t>(flag_of(options)));
    static constexpr bool has(TransferFlag flag) { return (flags & static_cast<uint32_t>(flag)) != 0; }

    static constexpr bool with_id = has(TransferFlag::TXN_ID);
    static constexpr bool posted = has(TransferFlag::POSTED);
    static constexpr bool with_source = has(TransferFlag::MCAST_INCL_SRC);
    static constexpr bool custom_vc = has(TransferFlag::CUSTOM_VC);

    static constexpr bool one_packet = ((page_bytes_of_option(options) <= NOC_MAX_BURST_SIZE) || ...);
};

}  // namespace nocbench
