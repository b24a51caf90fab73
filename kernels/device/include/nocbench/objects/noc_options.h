// SPDX-License-Identifier: Apache-2.0
// Options of transfers by a `Noc`: template arguments, in any order, and values.

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

}  // namespace nocbench

/// Options known at compile time.
enum class NocOptions : uint32_t {
    DEFAULT = 0,
    TXN_ID = 1 << 0,
    POSTED = 1 << 1,
    CUSTOM_VC = 1 << 2,
    MCAST_INCL_SRC = 1 << 3,
    INLINE_L1 = 1 << 4,
    INLINE_REG = 1 << 5,
};

constexpr NocOptions operator|(NocOptions first, NocOptions second) {
    return static_cast<NocOptions>(static_cast<uint32_t>(first) | static_cast<uint32_t>(second));
}

constexpr bool has_flag(NocOptions options, NocOptions flag) {
    return (static_cast<uint32_t>(options) & static_cast<uint32_t>(flag)) != 0;
}

/// Options known at run time.
struct NocOptVals {
    static constexpr uint32_t no_transaction_id = 0xFFFFFFFF;

    /// Virtual channel. Default of multicasts: the multicast channel.
    uint32_t vc = NOC_UNICAST_WRITE_VC;
    /// Transaction id, used with TXN_ID.
    uint32_t trid = no_transaction_id;
};

namespace nocbench {

constexpr NocOptions flag_of(NocOptions flag) { return flag; }
constexpr NocOptions flag_of(TxnIdMode mode) {
    return mode == TxnIdMode::ENABLED ? NocOptions::TXN_ID : NocOptions::DEFAULT;
}
constexpr NocOptions flag_of(BarrierMode mode) {
    return mode == BarrierMode::TXN_ID ? NocOptions::TXN_ID : NocOptions::DEFAULT;
}
constexpr NocOptions flag_of(ResponseMode mode) {
    return mode == ResponseMode::POSTED ? NocOptions::POSTED : NocOptions::DEFAULT;
}
constexpr NocOptions flag_of(McastMode mode) {
    return mode == McastMode::INCLUDE_SRC ? NocOptions::MCAST_INCL_SRC : NocOptions::DEFAULT;
}
constexpr NocOptions flag_of(VcSelection selection) {
    return selection == VcSelection::CUSTOM ? NocOptions::CUSTOM_VC : NocOptions::DEFAULT;
}
template <typename Other>
constexpr NocOptions flag_of(Other) {  // a size or a tracing flag
    return NocOptions::DEFAULT;
}

/// Returns the maximum page size given by a template argument.
constexpr uint32_t page_bytes_of_option(unsigned int bytes) { return bytes; }
constexpr uint32_t page_bytes_of_option(unsigned long bytes) { return bytes; }
constexpr uint32_t page_bytes_of_option(int bytes) { return bytes; }
template <typename Other>
constexpr uint32_t page_bytes_of_option(Other) {
    return NOC_MAX_BURST_SIZE + 1;
}

/// Combined meaning of the template arguments.
template <auto... options>
struct TransferOptions {
    static constexpr uint32_t flags = (0U | ... | static_cast<uint32_t>(flag_of(options)));
    static constexpr bool has(NocOptions flag) { return (flags & static_cast<uint32_t>(flag)) != 0; }

    static constexpr bool with_id = has(NocOptions::TXN_ID);
    static constexpr bool posted = has(NocOptions::POSTED);
    static constexpr bool with_source = has(NocOptions::MCAST_INCL_SRC);
    static constexpr bool custom_vc = has(NocOptions::CUSTOM_VC);

    static constexpr bool one_packet = ((page_bytes_of_option(options) <= NOC_MAX_BURST_SIZE) || ...);
};

}  // namespace nocbench
