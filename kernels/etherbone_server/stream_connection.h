// A client of a stream: what it sends is carried out and answered. The next bytes are read when the answers to those
// before have been written, so that a client that reads no answers makes the server keep no more than one buffer of
// them; after some time it is dropped.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "kernels/etherbone_server/asio.h"
#include "kernels/etherbone_server/service.h"
#include "kernels/etherbone_server/stream_session.h"

namespace nocbench::etherbone_server {

/// `Stream` is a socket or a descriptor of Boost.Asio.
template <typename Stream>
class StreamConnection : public std::enable_shared_from_this<StreamConnection<Stream>> {
public:
    /// A client may take so long to read its answers.
    static constexpr std::chrono::seconds kWritePatience{10};
    /// A client may take so long to complete a message. Then the part that is there is carried out.
    static constexpr std::chrono::milliseconds kMessagePatience{50};

    StreamConnection(Service& service, Stream stream, bool may_begin_anew)
        : service_(service),
          stream_(std::move(stream)),
          session_(service.fpga, may_begin_anew),
          message_timer_(service.io),
          write_timer_(service.io) {
        stream_.non_blocking(true);
    }

    /// Called before bytes are read; may be left empty.
    std::function<void()> before_read;
    /// Called when the client is gone, or is dropped: it says what is no Etherbone, or reads no answers.
    std::function<void(bool is_dropped)> ended;
    /// Called when the answers that a client has not read are for nobody any more; may be left empty.
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

    /// The client is gone: carries out what has come in of it, and is there for the next one, of whom there may be
    /// bytes already.
    void change_clients() {
        ErrorCode error;
        Bytes last;
        while (last.size() < kLastBytesMax) {
            const std::size_t count = stream_.read_some(asio::buffer(buffer_), error);
            if (count == 0) {
                break;
            }
            last.insert(last.end(), buffer_.begin(), buffer_.begin() + difference(count));
        }
        const std::int64_t begin_ns = service_.fpga.now_ns();
        Bytes answer;
        session_.change_clients(last, answer);
        is_useless_ = false;
        forget_answers();
        hand_over(begin_ns, std::move(answer));
    }

    /// Reads no further and answers nothing until the client is gone.
    void ignore() {
        is_useless_ = true;
        forget_answers();
        read();
    }

    void close() {
        try {
            message_timer_.cancel();
            write_timer_.cancel();
        } catch (const std::exception&) {  // it goes off then, and finds nothing to do
            is_useless_ = true;
        }
        ErrorCode ignored;
        stream_.close(ignored);
    }

private:
    using ErrorCode = boost::system::error_code;
    using Bytes = wishbone::Bytes;

    static constexpr std::size_t kBufferBytes = 16'384;
    static constexpr std::size_t kLastBytesMax = 65'536;

    static std::ptrdiff_t difference(std::size_t count) { return static_cast<std::ptrdiff_t>(count); }

    void take_what_is_there() {
        if (before_read) {
            before_read();
        }
        ErrorCode error;
        const std::size_t count = stream_.read_some(asio::buffer(buffer_), error);
        if (error == asio::error::would_block) {
            read();
            return;
        }
        if (error) {
            Bytes answer;
            session_.carry_out(answer);
            end(false);
            return;
        }
        if (is_useless_) {
            read();
            return;
        }
        message_timer_.cancel();
        const std::int64_t begin_ns = service_.fpga.now_ns();
        Bytes answer;
        if (!session_.take(wishbone::ByteView(buffer_).first(count), answer)) {
            end(true);
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

    /// Writes an answer when it is due, and reads on afterwards.
    void hand_over(std::int64_t begin_ns, Bytes answer) {
        if (answer.empty()) {
            read();
            return;
        }
        service_.release(begin_ns, [self = this->shared_from_this(), generation = generation_,
                                    answer = std::move(answer)]() mutable {
            if (generation == self->generation_) {
                self->unwritten_.insert(self->unwritten_.end(), answer.begin(), answer.end());
                self->write();
            }
        });
    }

    void write() {
        if (is_writing_) {
            return;
        }
        ErrorCode error;
        std::size_t written = 0;
        while (written < unwritten_.size() && !error) {
            written +=
                stream_.write_some(asio::buffer(unwritten_.data() + written, unwritten_.size() - written), error);
        }
        unwritten_.erase(unwritten_.begin(), unwritten_.begin() + difference(written));
        if (unwritten_.empty()) {
            write_timer_.cancel();
            read();
            return;
        }
        if (error != asio::error::would_block) {
            end(false);
            return;
        }
        if (written > 0 || !is_patient_) {
            be_patient();
        }
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
            self->is_patient_ = false;
            if (!error && !self->unwritten_.empty()) {
                self->end(true);
            }
        });
    }

    void forget_answers() {
        ++generation_;
        is_writing_ = false;
        unwritten_.clear();
        message_timer_.cancel();
        write_timer_.cancel();
        if (forgot) {
            forgot();
        }
    }

    void end(bool is_dropped) {
        if (ended) {
            ended(is_dropped);
        }
    }

    Service& service_;
    Stream stream_;
    StreamSession session_;
    asio::steady_timer message_timer_;
    asio::steady_timer write_timer_;
    std::array<std::byte, kBufferBytes> buffer_{};
    Bytes unwritten_;
    std::uint64_t generation_ = 0;  // of clients: what is still under way for an earlier one is for nobody
    bool is_reading_ = false;
    bool is_writing_ = false;
    bool is_patient_ = false;
    bool is_useless_ = false;
};

}  // namespace nocbench::etherbone_server
