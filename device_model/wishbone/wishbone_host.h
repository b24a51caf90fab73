// Host: a processor on no tile, whose program writes messages to the FPGA and reads the answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

#include "device_model/sim/processor.h"
#include "device_model/wishbone/bridge_path.h"
#include "device_model/wishbone/etherbone_slave.h"

namespace nocbench {

class WishboneMachine;

class WishboneHost final : public Processor {
public:
    WishboneHost(WishboneMachine& machine, Simulation& simulation, const std::string& name,
                 std::function<void(WishboneHost&)> kernel, Tick start);
    ~WishboneHost() override;
    WishboneHost(const WishboneHost&) = delete;
    WishboneHost& operator=(const WishboneHost&) = delete;

    [[nodiscard]] const WishboneBoard& board() const;
    /// Returns whether messages are datagrams; otherwise writes form a stream.
    [[nodiscard]] bool sends_datagrams() const;
    /// Returns the maximum bytes of a datagram, or of one call on a stream.
    [[nodiscard]] std::size_t message_bytes_max() const;

    /// Spends computing time of the library.
    void compute_ns(std::int64_t nanoseconds);

    /// Writes a message with one system call. Throws KernelError if it is too long.
    void write(wishbone::ByteView message);

    /// Waits for an answer and reads it, with one system call each. Throws KernelError if no answer is outstanding.
    [[nodiscard]] wishbone::Bytes read();

    /// Returns nanoseconds since the machine started.
    [[nodiscard]] std::int64_t now_ns() const;

    [[nodiscard]] std::string waiting_description() const override;

private:
    friend class WishboneMachine;

    struct Answer {
        wishbone::Bytes bytes;
        wishbone::Passage passage;
    };

    void call_system();
    void catch_up_with(const wishbone::Passage& passage);

    /// Completes a message of this host at the slave.
    void finish(wishbone::Bytes answer, wishbone::Passage passage);

    WishboneMachine& machine_;
    wishbone::BridgePath path_;
    wishbone::EtherboneStream stream_;
    std::deque<wishbone::Bytes> under_way_;  // messages in flight to the slave
    std::deque<Answer> answers_;             // unread, some still in flight
    std::string_view waits_for_ = "nothing yet";
    bool waits_for_write_ = false;
    bool waits_for_answer_ = false;
    wishbone::Passage written_;  // of the message being written
};

}  // namespace nocbench
