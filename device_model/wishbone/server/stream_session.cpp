#include "device_model/wishbone/server/stream_session.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace nocbench::etherbone_server {

using wishbone::Bytes;
using wishbone::ByteView;
using wishbone::Record;

namespace {

/// Returns whether bytes between two records are a header, possibly incomplete.
bool begins_with_header(ByteView bytes) {
    const std::optional<wishbone::Header> header = wishbone::decode_header(bytes);
    return header && header->version == wishbone::kVersion;
}

/// Returns the position of the first header at or after `from`; the length of `bytes` if there is none.
std::size_t find_header(ByteView bytes, std::size_t from) {
    std::size_t at = std::min(from, bytes.size());
    while (at < bytes.size() && !begins_with_header(bytes.subspan(at))) {
        ++at;
    }
    return at;
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
    is_answer_awaited_ = false;
    Bytes joined;
    if (!pending_.empty()) {
        joined = std::exchange(pending_, {});
        joined.insert(joined.end(), bytes.begin(), bytes.end());
        bytes = joined;
    }
    while (!bytes.empty()) {
        const std::size_t before = answer.size();
        if (!header_->take(bytes, answer)) {
            is_useless_ = true;
            return false;
        }
        is_answer_awaited_ = is_answer_awaited_ || answer.size() > before;  // to a probe
        bytes = take_records(bytes, answer);
        if (!header_->format() || !may_begin_anew_ || !begins_with_header(bytes)) {
            break;
        }
        carry_out_records(answer);
        begin();
        answer.clear();
        is_answer_awaited_ = false;
        has_begun_anew_ = true;
    }
    pending_ = Bytes(bytes.begin(), bytes.end());
    if (pending_.empty() && !records_.empty() && records_.back().ends_cycle) {
        carry_out_records(answer);
    }
    return true;
}

void StreamSession::change_clients(ByteView bytes, bool is_next_there, Bytes& answer) {
    const bool has_spoken = is_useless_ || header_->format() || !pending_.empty();
    std::size_t begin_of_next = bytes.size();
    if (is_next_there) {
        // A client without previous bytes begins with its own header, unless that belongs to the next client.
        begin_of_next = find_header(bytes, has_spoken ? 0 : 1);
        if (!has_spoken && begin_of_next == bytes.size()) {
            begin_of_next = 0;
        }
    }
    if (!is_useless_ && take(bytes.first(begin_of_next), answer)) {
        carry_out_records(answer);
    }
    begin();
    answer.clear();
    is_useless_ = !take(bytes.subspan(begin_of_next), answer);
    has_begun_anew_ = true;
}

/// Takes complete records. Returns the remaining bytes: an incomplete record, or the next client's bytes.
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
            carry_out_records(answer);
        }
    }
    return bytes;
}

void StreamSession::carry_out(Bytes& answer) {
    is_answer_awaited_ = false;
    carry_out_records(answer);
}

void StreamSession::carry_out_records(Bytes& answer) {
    const std::optional<wishbone::WireFormat>& format = header_->format();
    if (records_.empty() || !format) {
        return;
    }
    fpga_.slave().set_error_status(error_status_);
    is_answer_awaited_ = fpga_.answer_records(records_, *format, records_bytes_, answer) || is_answer_awaited_;
    error_status_ = fpga_.slave().error_status();
    records_.clear();
    records_bytes_ = 0;
}

}  // namespace nocbench::etherbone_server
