// The stream of one client, from its header on, in bytes that come cut anywhere. Cycles that a client sends at once are
// a message, which is carried out when its last cycle is complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "device_model/wishbone/etherbone_codec.h"
#include "device_model/wishbone/etherbone_slave.h"
#include "device_model/wishbone/server/served_fpga.h"

namespace nocbench::etherbone_server {

class StreamSession {
public:
    /// A longer message is carried out in parts, each a message by itself. This bounds what the server keeps of a
    /// client.
    static constexpr std::size_t kMessageBytesMax = 65'536;

    /// With `may_begin_anew`, a header between two records begins the next client's stream. No client of sense sends a
    /// record that looks like a header, since its select would not be valid.
    StreamSession(ServedFpga& fpga, bool may_begin_anew) : fpga_(fpga), may_begin_anew_(may_begin_anew) { begin(); }

    /// The client is gone, and these bytes came last: carries out what is complete, and forgets the client. With
    /// `is_next_there`, the bytes from the next header on are the next client's, and `answer` has the answers to that
    /// one.
    void change_clients(wishbone::ByteView bytes, bool is_next_there, wishbone::Bytes& answer);

    /// Whether the answers of the last call are to another client than those before.
    [[nodiscard]] bool has_begun_anew() const { return has_begun_anew_; }

    /// Whether a client waits for the answers of the last call: they are not only the zeros of cycles without reads.
    [[nodiscard]] bool is_answer_awaited() const { return is_answer_awaited_; }

    /// Takes bytes, and appends the answers to all records if the bytes end with a cycle. If they do not, more is to
    /// come of what the client sends at once. Returns false if this is no Etherbone: the connection is of no use any
    /// more.
    [[nodiscard]] bool take(wishbone::ByteView bytes, wishbone::Bytes& answer);

    /// Whether there are records that have not been carried out.
    [[nodiscard]] bool has_waiting_records() const { return !records_.empty(); }

    /// Carries these records out: the client may wait for their answers before it sends more.
    void carry_out(wishbone::Bytes& answer);

private:
    void begin();
    void carry_out_records(wishbone::Bytes& answer);
    [[nodiscard]] wishbone::ByteView take_records(wishbone::ByteView bytes, wishbone::Bytes& answer);

    ServedFpga& fpga_;
    bool may_begin_anew_;
    std::unique_ptr<wishbone::StreamHeader> header_;
    wishbone::Bytes pending_;  // less than a record
    std::vector<wishbone::Record> records_;
    std::size_t records_bytes_ = 0;
    std::uint64_t error_status_ = 0;  // of this client
    bool is_useless_ = false;         // what it says is no Etherbone
    bool has_begun_anew_ = false;
    bool is_answer_awaited_ = false;
};

}  // namespace nocbench::etherbone_server
