// Connection of a stream's client: executes and answers its requests.
//
// The server buffers a bounded number of answer bytes that the client has not read. Beyond the bound, the server stops
// reading from the client, and drops it after some time. Exception: zeros that answer cycles without reads, which few
// clients read. Beyond the bound these are discarded, and the client's writes continue.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "device_model/wishbone/server/asio.h"
#include "device_model/wishbone/server/service.h"
#include "device_model/wishbone/server/stream_session.h"

namespace nocbench::etherbone_server {

/// Connection over `Stream`, a socket or descriptor of Boost.Asio.
template <typename Stream>
class StreamConnection : public std::enable_shared_from_this<StreamConnection<Stream>> {
public:
    /// Time limit for a client to read its answers.
    static constexpr std::chrono::seconds kWritePatience{10};
    /// Time limit for a client to complete a message. After that, the received part is executed.
    static constexpr std::chrono::milliseconds kMessagePatience{50};

    StreamConnection(Service& service, Stream stream, bool may_begin_anew)
        : service_(service),
          stream_(std::move(stream)),
          session_(service.fpga, may_begin_anew),
          message_timer_(service.io),
          write_timer_(service.io) {
        stream_.non_blocking(true);
    }

    /// Called after reading bytes. Returns whether a client has gone since the last call. May be empty.
    std::function<bool()> has_client_gone;
    /// Returns whether another client has followed the one that is gone. May be empty.
    std::function<bool()> is_next_client_there;
    /// Called when the client is gone, or dropped for a `reason`.
    std::function<void(std::string_view reason)> ended;
    /// Called to discard answers that a client has not read; may be empty.
    std::function<void()> forgot;

    [[nodiscard]] Stream& stream() { return stream_; }

    void read() {
        if (is_reading_) {
            return;
        }
        is_reading_ = true;
        stream_.async_wait(Stream::wait_read, [self = this->shared_from_this()](const ErrorCode& error) {
            self->is_reading_ = false;
            if (!error) {
                self->take_what_is_there();
            }
        });
    }

    /// Replaces a client that is gone: executes its last input, and continues with the next client, whose bytes may
    /// already have arrived.
    void change_clients() { change_clients({}); }

    /// Stops reading and answering until the client is gone.
    void ignore() {
        is_useless_ = true;
        forget_answers();
        read();
    }

    void close() {
        try {
            message_timer_.cancel();
            write_timer_.cancel();
        } catch (const std::exception&) {  // the timer then expires without effect
            is_useless_ = true;
        }
        ErrorCode ignored;
        stream_.close(ignored);
    }

private:
    using ErrorCode = boost::system::error_code;
    using Bytes = wishbone::Bytes;

    static constexpr std::size_t kBufferBytes = 16'384;
    /// Limit of answer bytes that the client has not read.
    static constexpr std::size_t kUnwrittenBytesMax = 262'144;
    /// Limit of the last bytes of a client. Exceeds the bytes of a client that the operating system buffers (Linux:
    /// 69,632 bytes of a pseudo terminal).
    static constexpr std::size_t kLastBytesMax = 131'072;

    static std::ptrdiff_t difference(std::size_t count) { return static_cast<std::ptrdiff_t>(count); }

    /// Replaces a client that is gone. `last` holds its bytes already read.
    void change_clients(Bytes last) {
        do {
            read_rest(last);
        } while (last.size() < kLastBytesMax && has_client_gone && has_client_gone());
        const std::int64_t begin_ns = service_.fpga.now_ns();
        Bytes answer;
        session_.change_clients(last, is_next_client_there && is_next_client_there(), answer);
        is_useless_ = false;
        forget_answers();
        hand_over(begin_ns, std::move(answer));
    }

    /// Appends available bytes.
    void read_rest(Bytes& last) {
        ErrorCode error;
        while (last.size() < kLastBytesMax) {
            const std::size_t count = stream_.read_some(asio::buffer(buffer_), error);
            if (count == 0) {
                return;
            }
            last.insert(last.end(), buffer_.begin(), buffer_.begin() + difference(count));
        }
    }

    void take_what_is_there() {
        ErrorCode error;
        const std::size_t count = stream_.read_some(asio::buffer(buffer_), error);
        if (has_client_gone && has_client_gone()) {
            change_clients(Bytes(buffer_.begin(), buffer_.begin() + difference(count)));
            return;
        }
        if (error == asio::error::would_block) {
            read();
            return;
        }
        const std::int64_t begin_ns = service_.fpga.now_ns();
        Bytes answer;
        if (error) {
            // A client may have closed only its sending half, and wait for the answer to an open cycle.
            session_.carry_out(answer);
            is_at_end_ = true;
            hand_over(begin_ns, std::move(answer));
            return;
        }
        if (is_useless_) {
            read();
            return;
        }
        message_timer_.cancel();
        if (!session_.take(wishbone::ByteView(buffer_).first(count), answer)) {
            end("what it says is no Etherbone");
            return;
        }
        if (session_.has_begun_anew()) {
            forget_answers();
        }
        if (session_.has_waiting_records()) {
            wait_for_end_of_message();
        }
        hand_over(begin_ns, std::move(answer));
    }

    void wait_for_end_of_message() {
        message_timer_.expires_after(kMessagePatience);
        message_timer_.async_wait([self = this->shared_from_this()](const ErrorCode& error) {
            if (error || self->is_useless_ || !self->session_.has_waiting_records()) {
                return;
            }
            const std::int64_t begin_ns = self->service_.fpga.now_ns();
            Bytes answer;
            self->session_.carry_out(answer);
            self->hand_over(begin_ns, std::move(answer));
        });
    }

    /// Writes an answer when it is due, then continues reading.
    void hand_over(std::int64_t begin_ns, Bytes answer) {
        if (answer.empty()) {
            write();
            return;
        }
        service_.release(begin_ns, [self = this->shared_from_this(), generation = generation_,
                                    is_awaited = session_.is_answer_awaited(), answer = std::move(answer)]() mutable {
            if (generation == self->generation_) {
                self->accept(answer, is_awaited);
                self->write();
            }
        });
    }

    void accept(const Bytes& answer, bool is_awaited) {
        if (!is_awaited && unwritten_.size() + answer.size() > kUnwrittenBytesMax) {
            return;
        }
        unwritten_.insert(unwritten_.end(), answer.begin(), answer.end());
        if (is_awaited) {
            awaited_bytes_ = unwritten_.size();
        }
    }

    void write() {
        ErrorCode error;
        std::size_t written = 0;
        while (!is_writing_ && written < unwritten_.size() && !error) {
            written +=
                stream_.write_some(asio::buffer(unwritten_.data() + written, unwritten_.size() - written), error);
        }
        unwritten_.erase(unwritten_.begin(), unwritten_.begin() + difference(written));
        awaited_bytes_ -= std::min(awaited_bytes_, written);
        if ((error && error != asio::error::would_block) || (unwritten_.empty() && is_at_end_)) {
            end({});
            return;
        }
        if (awaited_bytes_ == 0) {
            write_timer_.cancel();
            is_patient_ = false;
        } else if (written > 0 || !is_patient_) {
            be_patient();
        }
        if (!unwritten_.empty() && !is_writing_) {
            wait_until_client_takes_more();
        }
        if (!is_at_end_ && (awaited_bytes_ == 0 || unwritten_.size() < kUnwrittenBytesMax)) {
            read();
        }
    }

    void wait_until_client_takes_more() {
        is_writing_ = true;
        stream_.async_wait(Stream::wait_write,
                           [self = this->shared_from_this(), generation = generation_](const ErrorCode& failure) {
                               if (generation != self->generation_) {
                                   return;
                               }
                               self->is_writing_ = false;
                               if (!failure) {
                                   self->write();
                               }
                           });
    }

    void be_patient() {
        is_patient_ = true;
        write_timer_.expires_after(kWritePatience);
        write_timer_.async_wait([self = this->shared_from_this()](const ErrorCode& error) {
            if (!error && self->awaited_bytes_ > 0) {
                self->end("it reads no answers");
            }
        });
    }

    void forget_answers() {
        ++generation_;
        is_writing_ = false;
        is_patient_ = false;
        unwritten_.clear();
        awaited_bytes_ = 0;
        message_timer_.cancel();
        write_timer_.cancel();
        if (forgot) {
            forgot();
        }
    }

    void end(std::string_view reason) {
        if (ended) {
            ended(reason);
        }
    }

    Service& service_;
    Stream stream_;
    StreamSession session_;
    asio::steady_timer message_timer_;
    asio::steady_timer write_timer_;
    std::array<std::byte, kBufferBytes> buffer_{};
    Bytes unwritten_;
    std::size_t awaited_bytes_ = 0;  // of unwritten_, up to the last answer to a read
    std::uint64_t generation_ = 0;   // counts clients: outstanding work of an earlier one is discarded
    bool is_reading_ = false;
    bool is_writing_ = false;
    bool is_patient_ = false;
    bool is_useless_ = false;
    bool is_at_end_ = false;  // the client has stopped sending
};

}  // namespace nocbench::etherbone_server
