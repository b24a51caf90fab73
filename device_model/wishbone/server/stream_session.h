// Stream of a client from its header on, in arbitrary pieces. Cycles sent at once form a message, which is executed
// when its last cycle is complete.
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
    /// Limit of a message. Longer messages are executed in parts, each as a message, to bound the server's memory per
    /// client.
    static constexpr std::size_t kMessageBytesMax = 65'536;

    /// With `may_begin_anew`, a header between two records begins the next client's stream. Sensible clients send no
    /// record that looks like a header: its select would be invalid.
    StreamSession(ServedFpga& fpga, bool may_begin_anew) : fpga_(fpga), may_begin_anew_(may_begin_anew) { begin(); }

    /// Ends the client with its last `bytes`: executes complete records, then forgets the client. With `is_next_there`,
    /// bytes from the next header on belong to the next client, whose answers are appended to `answer`.
    void change_clients(wishbone::ByteView bytes, bool is_next_there, wishbone::Bytes& answer);

    /// Returns whether the answers of the last call are for a different client than earlier answers.
    [[nodiscard]] bool has_begun_anew() const { return has_begun_anew_; }

    /// Returns whether a client waits for the answers of the last call: they are more than zeros of cycles without
    /// reads.
    [[nodiscard]] bool is_answer_awaited() const { return is_answer_awaited_; }

    /// Takes bytes. Appends the answers to all records if the bytes end with a cycle; otherwise the message continues.
    /// Returns false if the stream is not Etherbone: the connection is unusable from then on.
    [[nodiscard]] bool take(wishbone::ByteView bytes, wishbone::Bytes& answer);

    [[nodiscard]] bool has_waiting_records() const { return !records_.empty(); }

    /// Executes the waiting records: the client may wait for their answers before it sends more.
    void carry_out(wishbone::Bytes& answer);

private:
    void begin();
    void carry_out_records(wishbone::Bytes& answer);
    [[nodiscard]] wishbone::ByteView take_records(wishbone::ByteView bytes, wishbone::Bytes& answer);

    ServedFpga& fpga_;
    bool may_begin_anew_;
    std::unique_ptr<wishbone::StreamHeader> header_;
    wishbone::Bytes pending_;  // an incomplete record
    std::vector<wishbone::Record> records_;
    std::size_t records_bytes_ = 0;
    std::uint64_t error_status_ = 0;  // of this client
    bool is_useless_ = false;         // not Etherbone
    bool has_begun_anew_ = false;
    bool is_answer_awaited_ = false;
};

}  // namespace nocbench::etherbone_server
