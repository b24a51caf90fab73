#include "kernels/etherbone_server/stream_session.h"

#include <memory>
#include <optional>
#include <utility>

namespace nocbench::etherbone_server {

using wishbone::Bytes;
using wishbone::ByteView;
using wishbone::Record;

namespace {

/// A header has no operations.
class NoPacing final : public wishbone::Pacing {
public:
    void pass(std::size_t /*bytes*/) override {}
    std::int64_t begin_operation(bool /*is_read*/, std::size_t /*bytes*/) override { return 0; }
    void end_operation(Cycle /*acknowledge_cycles*/) override {}
    void end_cycle() override {}
};

/// Whether bytes between two records are a header, as far as they go.
bool begins_with_header(ByteView bytes) {
    const std::optional<wishbone::Header> header = wishbone::decode_header(bytes);
    return header && header->version == wishbone::kVersion;
}

}  // namespace

void StreamSession::begin() {
    stream_ = std::make_unique<wishbone::EtherboneStream>(fpga_.slave());
    pending_.clear();
    records_.clear();
    records_bytes_ = 0;
    error_status_ = 0;
    is_useless_ = false;
}

bool StreamSession::take(ByteView bytes, Bytes& answer) {
    has_begun_anew_ = false;
    Bytes joined;
    if (!pending_.empty()) {
        joined = std::exchange(pending_, {});
        joined.insert(joined.end(), bytes.begin(), bytes.end());
        bytes = joined;
    }
    while (!bytes.empty()) {
        if (!take_header(bytes, answer)) {
            is_useless_ = true;
            return false;
        }
        bytes = take_records(bytes, answer);
        if (!may_begin_anew_ || !begins_with_header(bytes)) {
            break;
        }
        carry_out(answer);
        begin();
        answer.clear();
        has_begun_anew_ = true;
    }
    pending_ = Bytes(bytes.begin(), bytes.end());
    if (pending_.empty() && !records_.empty() && records_.back().ends_cycle) {
        carry_out(answer);
    }
    return true;
}

void StreamSession::change_clients(ByteView bytes, Bytes& answer) {
    if (!is_useless_ && take(bytes, answer)) {
        if (has_begun_anew_) {
            return;
        }
        carry_out(answer);
        bytes = pending_;
    }
    const Bytes rest(bytes.begin(), bytes.end());
    begin();
    answer.clear();
    for (ByteView left = rest; left.size() >= wishbone::kShortHeaderBytes; left = left.subspan(1)) {
        if (begins_with_header(left)) {
            is_useless_ = !take(left, answer);
            break;
        }
    }
    has_begun_anew_ = true;
}

/// Returns what is no whole record, or is the next client's.
ByteView StreamSession::take_records(ByteView bytes, Bytes& answer) {
    const std::optional<wishbone::WireFormat>& format = stream_->format();
    while (format && !(may_begin_anew_ && begins_with_header(bytes))) {
        std::optional<Record> record = wishbone::decode_record(bytes, *format);
        if (!record) {
            break;
        }
        const std::size_t length = wishbone::record_bytes(*record, *format);
        bytes = bytes.subspan(length);
        records_bytes_ += length;
        records_.push_back(*std::move(record));
        if (records_bytes_ >= kMessageBytesMax) {
            carry_out(answer);
        }
    }
    return bytes;
}

/// Takes the header away from the front of `bytes`, one byte after the other: what comes behind it is not for the
/// stream's own parser, which would carry records out one by one.
bool StreamSession::take_header(ByteView& bytes, Bytes& answer) {
    NoPacing pacing;
    while (!stream_->format() && !bytes.empty()) {
        if (!stream_->take(bytes.first(1), answer, pacing)) {
            return false;
        }
        bytes = bytes.subspan(1);
    }
    return true;
}

void StreamSession::carry_out(Bytes& answer) {
    const std::optional<wishbone::WireFormat>& format = stream_->format();
    if (records_.empty() || !format) {
        return;
    }
    fpga_.slave().set_error_status(error_status_);
    fpga_.answer_records(records_, *format, records_bytes_, answer);
    error_status_ = fpga_.slave().error_status();
    records_.clear();
    records_bytes_ = 0;
}

}  // namespace nocbench::etherbone_server
