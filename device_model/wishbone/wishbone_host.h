// A host: a processor on no tile, whose program writes messages to the FPGA and reads the answers.
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

    [[nodiscard]] const Board& board() const;
    /// Whether messages are datagrams; else what is written is a stream.
    [[nodiscard]] bool sends_datagrams() const;
    /// The longest datagram; of a stream, what is handed over at once.
    [[nodiscard]] std::size_t message_bytes_max() const;

    /// The library computes.
    void compute_ns(std::int64_t nanoseconds);

    /// Writes a message, with a call of the operating system. Throws KernelError if it is longer than a message may be.
    void write(wishbone::ByteView message);

    /// Waits until an answer is there and reads it, with a call for each. Throws KernelError if none will come.
    [[nodiscard]] wishbone::Bytes read();

    /// Nanoseconds since the machine has started.
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

    /// The slave is through with a message of this host.
    void finish(wishbone::Bytes answer, wishbone::Passage passage);

    WishboneMachine& machine_;
    wishbone::BridgePath path_;
    wishbone::EtherboneStream stream_;
    std::deque<wishbone::Bytes> under_way_;  // messages that the slave has not got yet
    std::deque<Answer> answers_;             // that have not been read, some of which are not there yet
    std::string_view waits_for_ = "nothing yet";
    bool waits_for_write_ = false;
    bool waits_for_answer_ = false;
    wishbone::Passage written_;  // of the message that is being written
};

}  // namespace nocbench
