// printf formatting, with arguments in registers, on the stack, and in va_lists.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/sim/error.h"
#include "kernels/shmem/programs/formatted_output.h"

namespace nocbench::shmem {

namespace {

constexpr Address kStack = 0x400;
constexpr Address kTexts = 0x800;
constexpr std::size_t kMemoryBytes = 0x1000;

class FakeGuest final : public Guest {
public:
    [[nodiscard]] int number() const override { return 0; }
    void peek(Address address, std::span<std::byte> out) const override {
        require(address, out.size());
        std::memcpy(out.data(), memory.data() + address, out.size());
    }
    void poke(Address address, std::span<const std::byte> bytes) override {
        require(address, bytes.size());
        std::memcpy(memory.data() + address, bytes.data(), bytes.size());
    }
    [[nodiscard]] std::uint32_t memory_bytes() const override { return kMemoryBytes; }
    [[nodiscard]] Address program_end() const override { return 0; }
    [[nodiscard]] std::uint32_t stack_pointer() const override { return kStack; }
    [[nodiscard]] std::optional<Variable> variable_around(Address /*address*/) const override { return std::nullopt; }
    [[nodiscard]] std::string place() const override { return {}; }
    void print(Stream /*stream*/, std::string_view /*text*/) override {}

    std::vector<std::byte> memory{kMemoryBytes};

private:
    static void require(Address address, std::size_t bytes) {
        if (address + bytes > kMemoryBytes) {
            throw KernelError("there is no memory");
        }
    }
};

/// Call of printf, with arguments laid out as by compilers.
class Call {
public:
    Call& word(std::uint32_t value) {
        words_.push_back(value);
        return *this;
    }
    Call& dword(std::uint64_t value) {
        if ((words_.size() + 1) % 2 != 0) {  // the format precedes the arguments
            word(0xDEADBEEF);
        }
        return word(static_cast<std::uint32_t>(value)).word(static_cast<std::uint32_t>(value >> 32U));
    }
    Call& real(double value) { return dword(std::bit_cast<std::uint64_t>(value)); }
    Call& text(std::string_view value) {
        const Address address = next_text_;
        guest.poke(address, std::as_bytes(std::span(value)));
        next_text_ += static_cast<Address>(value.size()) + 1;
        return word(address);
    }
    Call& quad(std::uint64_t high, std::uint64_t low) {
        next_text_ = (next_text_ + 15) / 16 * 16;
        const std::array<std::uint64_t, 2> halves{low, high};
        guest.poke(next_text_, std::as_bytes(std::span(halves)));
        next_text_ += 16;
        return word(next_text_ - 16);
    }

    std::string print(std::string_view format) {
        GuestCall::Registers registers;
        registers.stack_pointer = kStack;
        for (std::size_t place = 0; place < words_.size(); ++place) {
            if (place + 1 < registers.integers.size()) {
                registers.integers[place + 1] = words_[place];
            } else {
                guest.poke(kStack + static_cast<Address>(place + 1 - registers.integers.size()) * 4,
                           std::as_bytes(std::span(&words_[place], 1)));
            }
        }
        GuestCall call(guest, registers);
        static_cast<void>(call.word());  // skips the format
        return formatted(guest, format, call);
    }

    FakeGuest guest;

private:
    std::vector<std::uint32_t> words_;
    Address next_text_ = kTexts;
};

std::string complaint(std::string_view format) {
    try {
        Call().word(0).word(0).print(format);
    } catch (const KernelError& error) {
        return error.what();
    }
    return "";
}

TEST(FormattedOutput, PrintsIntegersOfAllLengths) {
    EXPECT_EQ(Call().word(42).word(42).print("%d %x"), "42 2a");
    EXPECT_EQ(Call().word(0xFFFFFFFF).word(0xFFFFFFFF).print("%d %u"), "-1 4294967295");
    EXPECT_EQ(Call().word(0x1FF).word(0x1FF).word(0x18000).print("%hhd %hhu %hd"), "-1 255 -32768");
    EXPECT_EQ(Call().word(7).word(0xFFFFFFFE).print("%zu %ld"), "7 -2");
    EXPECT_EQ(Call().dword(0x8000000000000000).dword(1).print("%lld %jx"), "-9223372036854775808 1");
}

TEST(FormattedOutput, KnowsFlagsWidthsAndPrecisions) {
    EXPECT_EQ(Call().word(5).word(5).word(5).print("[%3d|%-3d|%03d]"), "[  5|5  |005]");
    EXPECT_EQ(Call().word(5).word(5).word(255).print("[%+d|% d|%#x]"), "[+5| 5|0xff]");
    EXPECT_EQ(Call().word(6).word(7).print("[%*d]"), "[     7]");
    EXPECT_EQ(Call().word(static_cast<std::uint32_t>(-4)).word(7).print("[%*d]"), "[7   ]");
    EXPECT_EQ(Call().word(3).word(7).print("[%.*d]"), "[007]");
    EXPECT_EQ(Call().word(0).print("[%.0d]"), "[]");
}

TEST(FormattedOutput, PrintsDoublesFromPairsOfRegistersAndFromTheStack) {
    EXPECT_EQ(Call().real(1.5).print("%f"), "1.500000");
    EXPECT_EQ(Call().word(3).real(0.1).print("%d %.17g"), "3 0.10000000000000001");
    EXPECT_EQ(Call().real(1).real(2).real(3).real(4).real(5).print("%g %g %g %g %g"), "1 2 3 4 5");
    EXPECT_EQ(Call().real(1).word(2).real(3).word(4).real(5).word(6).print("%g %d %g %d %g %d"), "1 2 3 4 5 6");
    EXPECT_EQ(Call().real(-0.0).real(std::numeric_limits<double>::infinity()).print("%g %F"), "-0 INF");
    EXPECT_EQ(Call().real(3).real(1e6).print("%a %.2E"), "0x1.8p+1 1.00E+06");
    EXPECT_EQ(Call().real(1e300).print("%.0f").size(), 301U);
}

TEST(FormattedOutput, PrintsLongDoublesByTheirAddress) {
    EXPECT_EQ(Call().quad(0x3FFF800000000000, 0).print("%Lg"), "1.5");
    EXPECT_EQ(Call().quad(0xC000000000000000, 0).word(8).print("%.1Lf %d"), "-2.0 8");
    EXPECT_EQ(Call().quad(0x7FFF000000000000, 0).print("%Lf"), "inf");
    EXPECT_EQ(Call().quad(0x7FFF800000000000, 0).print("%Lf"), "nan");
    EXPECT_EQ(Call().quad(0, 0).print("%Lg"), "0");
}

TEST(FormattedOutput, PrintsTextsCharactersAndPointers) {
    EXPECT_EQ(Call().text("abc").text("abc").text("abc").print("[%s|%5s|%-5s]"), "[abc|  abc|abc  ]");
    EXPECT_EQ(Call().text("abc").word(0).print("%.2s %s"), "ab (null)");
    EXPECT_EQ(Call().word('x').word(0x1234).print("%c %p %%"), "x 0x1234 %");
    EXPECT_EQ(Call().word(0).print("a%cb"), std::string("a\0b", 3));
}

TEST(FormattedOutput, StoresHowMuchWasPrinted) {
    Call call;
    call.text("abc").word(0xC00).print("%s%n");
    std::uint32_t length = 0;
    call.guest.peek(0xC00, std::as_writable_bytes(std::span(&length, 1)));
    EXPECT_EQ(length, 3U);
}

TEST(FormattedOutput, ReadsLists) {
    FakeGuest guest;
    const std::array<std::uint32_t, 4> list{7, 0, 0, 0x3FF80000};  // the double is at a multiple of 8
    guest.poke(0x900, std::as_bytes(std::span(list)));
    GuestCall call(guest, {});
    call.continue_at(0x900);
    EXPECT_EQ(formatted(guest, "%d %g", call), "7 1.5");
}

TEST(FormattedOutput, RefusesDirectivesThatThereAreNot) {
    EXPECT_EQ(complaint("100%"), "expected a conversion behind '%', found '%'");
    EXPECT_EQ(complaint("%5y"), "expected a conversion behind '%', found '%5y'");
    EXPECT_EQ(complaint("%ls"), "expected a length that goes with 's', found 'l' in '%ls'");
    EXPECT_EQ(complaint("%hf"), "expected a length that goes with 'f', found 'h' in '%hf'");
    EXPECT_EQ(complaint("%99999999999d"),
              "expected a width and precision of at most 65536 in '%99999999999d', found more");
}

}  // namespace

}  // namespace nocbench::shmem
