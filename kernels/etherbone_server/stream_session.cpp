#include "kernels/etherbone_server/stream_session.h"

#include <memory>
#include <optional>
#include <utility>

namespace nocbench::etherbone_server {

using wishbone::Bytes;
using wishbone::ByteView;
using wishbone::Record;

namespace {

/// Whether bytes between two records are a header, as far as they go.
bool begins_with_header(ByteView bytes) {
    const std::optional<wishbone::Header> header = wishbone::decode_header(bytes);
    return header && header->version == wishbone::kVersion;
}

}  // namespace

void StreamSession::begin() {
    header_ = std::make_unique<wishbone::StreamHeader>(fpga_.slave());
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
        if (!header_->take(bytes, answer)) {
            is_useless_ = true;
            return false;
        }
        bytes = take_records(bytes, answer);
        if (!header_->format() || !may_begin_anew_ || !begins_with_header(bytes)) {
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
        bytes = header_->format() ? ByteView(pending_) : ByteView();  // half a header is the one's that is gone
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
    const std::optional<wishbone::WireFormat>& format = header_->format();
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

void StreamSession::carry_out(Bytes& answer) {
    const std::optional<wishbone::WireFormat>& format = header_->format();
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
