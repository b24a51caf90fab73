// RISCs for tests of checks, which are told of instructions and transactions one by one, without a run.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "device_model/riscv/code.h"
#include "device_model/tenstorrent/device_state.h"
#include "device_model/tenstorrent/risc.h"
#include "tests/riscv/assembler.h"
#include "tests/support/machine.h"

namespace nocbench::test {

/// riscv_0 of cores (0, 0), (1, 0) and (2, 0). The source line of an instruction is its address.
class CheckedRiscs {
public:
    static constexpr std::size_t kNumRiscs = 3;

    explicit CheckedRiscs(const std::string& board = "n150") : device_(architecture_of(board), board) {
        for (std::size_t index = 0; index < kNumRiscs; ++index) {
            device_.add_kernel({static_cast<int>(index), 0}, 0, "kernel", [] {});
            device_.state().riscs[index]->set_program(
                {[this, index] { return program_counters_[index]; }, where, [] { return 0U; }});
        }
    }

    [[nodiscard]] Device& device() { return device_; }
    [[nodiscard]] DeviceState& state() { return device_.state(); }
    [[nodiscard]] const riscv::Code& code() const { return code_; }
    static std::string where(std::uint32_t address) { return std::to_string(address); }

    /// Returns a RISC that executes the instruction of a line.
    Risc& at(std::size_t index, std::uint32_t line) {
        program_counters_[index] = line;
        return *device_.state().riscs[index];
    }
    [[nodiscard]] NodeIndex node(std::size_t index) { return device_.state().riscs[index]->identity().node; }

    /// Returns a transaction between the L1 of two of the cores, of 8 bytes: a word alone would be a signal.
    Transaction transaction(TransactionKind kind, std::size_t requestor, std::size_t responder, std::uint64_t from,
                            std::uint64_t to) {
        Transaction transaction;
        transaction.kind = kind;
        transaction.requestor = node(requestor);
        transaction.issuer = static_cast<std::uint32_t>(requestor);
        transaction.responder = node(responder);
        transaction.requestor_address = from;
        transaction.responder_address = to;
        transaction.bytes = 8;
        return transaction;
    }

private:
    Device device_;
    std::array<std::uint32_t, kNumRiscs> program_counters_{};
    riscv::Code code_{kCodeBegin, assembled("addi a0, a0, 0"), kAllExtensions};
};

}  // namespace nocbench::test
