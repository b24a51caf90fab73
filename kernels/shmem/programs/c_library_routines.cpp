// Parts of the C library that the simulator executes: output, modeled time, and the end of programs. On the board,
// output is a call to the host, too, and takes no memory of the core.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/sim/error.h"
#include "kernels/epiphany/epiphany_api.h"
#include "kernels/shmem/pe.h"
#include "kernels/shmem/programs/formatted_output.h"
#include "kernels/shmem/routine.h"

namespace nocbench::shmem {

namespace {

// Cost of passing a request to the host. The board's time for a request is unknown and not counted: printing does not
// slow programs down.
constexpr int kCallInstructions = 13;
// Timer read, and the division into seconds. Source: estimate.
constexpr int kTimeInstructions = 100;
// Parsing a real number, per number and per character. Source: estimate, for software doubles.
constexpr int kParseInstructions = 200;
constexpr int kDigitInstructions = 20;

// Numbered as in <stdio.h> and <unistd.h>.
constexpr std::uint32_t kStandardOutput = 2;
constexpr std::uint32_t kStandardError = 3;
constexpr std::uint32_t kOutputFile = 1;
constexpr std::uint32_t kErrorFile = 2;

constexpr std::uint64_t kMicrosecondsPerSecond = 1'000'000;
constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;

/// Lets other cores see all earlier effects. The routine then acts instantaneously.
Guest& begin(Pe& pe, int instructions = kCallInstructions) {
    epiphany::instructions(instructions);
    epiphany::synchronize();
    return pe.guest();
}

void store_word(Guest& guest, Address address, std::uint32_t value) {
    guest.poke(address, std::as_bytes(std::span(&value, 1)));
}

// Output

Stream stream_of(std::uint32_t stream) {
    if (stream == kStandardOutput) {
        return Stream::output;
    }
    if (stream == kStandardError) {
        return Stream::errors;
    }
    throw KernelError(fmt::format("expected stdout or stderr, found 0x{:x}: there are no other streams", stream));
}

Stream file_of(std::uint32_t file) {
    if (file == kOutputFile) {
        return Stream::output;
    }
    if (file == kErrorFile) {
        return Stream::errors;
    }
    throw KernelError(fmt::format("expected file 1 or 2, found {}: there are no others", file));
}

enum class Arguments : std::uint8_t { variadic, list };

std::string text_of(Guest& guest, GuestCall& call, Arguments arguments) {
    const std::string format = guest.text_at(call.word());
    if (arguments == Arguments::list) {
        call.continue_at(call.word());
    }
    return formatted(guest, format, call);
}

void print(Guest& guest, GuestCall& call, Stream stream, const std::string& text) {
    guest.print(stream, text);
    call.give_word(static_cast<std::uint32_t>(text.size()));
}

template <Arguments kArguments>
void print_formatted(Pe& pe, GuestCall& call) {
    Guest& guest = begin(pe);
    print(guest, call, Stream::output, text_of(guest, call, kArguments));
}

template <Arguments kArguments>
void print_to_stream(Pe& pe, GuestCall& call) {
    Guest& guest = begin(pe);
    const Stream stream = stream_of(call.word());
    print(guest, call, stream, text_of(guest, call, kArguments));
}

template <Arguments kArguments>
void print_to_file(Pe& pe, GuestCall& call) {
    Guest& guest = begin(pe);
    const Stream stream = file_of(call.word());
    print(guest, call, stream, text_of(guest, call, kArguments));
}

void store_text(Guest& guest, GuestCall& call, Address destination, std::uint64_t size, const std::string& text) {
    if (size > 0) {
        const std::size_t kept = std::min<std::size_t>(text.size(), size - 1);
        guest.poke(destination, std::as_bytes(std::span(text.c_str(), kept)));
        guest.poke(destination + static_cast<Address>(kept), std::array{std::byte{0}});
    }
    call.give_word(static_cast<std::uint32_t>(text.size()));
}

template <Arguments kArguments>
void print_to_text(Pe& pe, GuestCall& call) {
    Guest& guest = begin(pe);
    const Address destination = call.word();
    store_text(guest, call, destination, std::numeric_limits<std::uint64_t>::max(), text_of(guest, call, kArguments));
}

template <Arguments kArguments>
void print_to_limited_text(Pe& pe, GuestCall& call) {
    Guest& guest = begin(pe);
    const Address destination = call.word();
    const std::uint32_t size = call.word();
    store_text(guest, call, destination, size, text_of(guest, call, kArguments));
}

void put_line(Pe& pe, GuestCall& call) {
    Guest& guest = begin(pe);
    print(guest, call, Stream::output, guest.text_at(call.word()) + '\n');
}

void put_text(Pe& pe, GuestCall& call) {
    Guest& guest = begin(pe);
    const std::string text = guest.text_at(call.word());
    print(guest, call, stream_of(call.word()), text);
}

void put_character(Guest& guest, GuestCall& call, std::uint32_t character, Stream stream) {
    const auto value = static_cast<char>(character);
    guest.print(stream, std::string_view(&value, 1));
    call.give_word(static_cast<unsigned char>(value));
}

void put_character_to_output(Pe& pe, GuestCall& call) { put_character(begin(pe), call, call.word(), Stream::output); }

void put_character_to_stream(Pe& pe, GuestCall& call) {
    const std::uint32_t character = call.word();
    put_character(begin(pe), call, character, stream_of(call.word()));
}

std::uint64_t print_bytes(Guest& guest, Stream stream, Address address, std::uint64_t size) {
    if (size > guest.memory_bytes()) {
        throw KernelError(fmt::format("expected bytes in memory, found {}", size));
    }
    std::string text(size, '\0');
    guest.peek(address, std::as_writable_bytes(std::span(text.data(), text.size())));
    guest.print(stream, text);
    return size;
}

void write_items(Pe& pe, GuestCall& call) {
    Guest& guest = begin(pe);
    const Address items = call.word();
    const std::uint64_t size = call.word();
    const std::uint32_t count = call.word();
    print_bytes(guest, stream_of(call.word()), items, size * count);
    call.give_word(size == 0 ? 0 : count);
}

void write_to_file(Pe& pe, GuestCall& call) {
    Guest& guest = begin(pe);
    const Stream stream = file_of(call.word());
    const Address bytes = call.word();
    call.give_word(static_cast<std::uint32_t>(print_bytes(guest, stream, bytes, call.word())));
}

/// Succeeds without effect, for routines that set buffering: output is unbuffered.
void succeed(Pe& pe, GuestCall& call) {
    begin(pe);
    call.give_word(0);
}

// Parsing

/// Parses a real number to the nearest value. As instructions of the core, the parser would take kilobytes.
double parse(Guest& guest, GuestCall& call, bool has_end) {
    const Address address = call.word();
    const std::string text = guest.text_at(address);
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    const auto length = static_cast<Address>(end - text.c_str());
    epiphany::instructions(static_cast<int>(length) * kDigitInstructions);
    if (const Address place = has_end ? call.word() : 0; place != 0) {
        store_word(guest, place, address + length);
    }
    return value;
}

template <bool kHasEnd>
void parse_double(Pe& pe, GuestCall& call) {
    call.give_dword(std::bit_cast<std::uint64_t>(parse(begin(pe, kParseInstructions), call, kHasEnd)));
}

void parse_float(Pe& pe, GuestCall& call) {
    const double value = parse(begin(pe, kParseInstructions), call, true);
    call.give_single(std::bit_cast<std::uint32_t>(static_cast<float>(value)));
}

// Time

std::uint64_t cycles_per_second() { return static_cast<std::uint64_t>(epiphany::clock_hz()); }

/// Returns the time since the start of the programs. Separates whole seconds first, to avoid overflow.
std::uint64_t now_in(std::uint64_t units_per_second) {
    const std::uint64_t now = epiphany::timer();
    return now / cycles_per_second() * units_per_second +
           now % cycles_per_second() * units_per_second / cycles_per_second();
}

void store_time(Guest& guest, Address result, std::uint64_t time, std::uint64_t units_per_second) {
    if (result != 0) {
        store_word(guest, result, static_cast<std::uint32_t>(time / units_per_second));
        store_word(guest, result + 4, static_cast<std::uint32_t>(time % units_per_second));
    }
}

void get_time_of_day(Pe& pe, GuestCall& call) {
    Guest& guest = begin(pe, kTimeInstructions);
    store_time(guest, call.word(), now_in(kMicrosecondsPerSecond), kMicrosecondsPerSecond);
    call.give_word(0);
}

void get_clock(Pe& pe, GuestCall& call) {
    Guest& guest = begin(pe, kTimeInstructions);
    static_cast<void>(call.word());  // clock id: all clocks are equal
    store_time(guest, call.word(), now_in(kNanosecondsPerSecond), kNanosecondsPerSecond);
    call.give_word(0);
}

void get_clock_resolution(Pe& pe, GuestCall& call) {
    Guest& guest = begin(pe);
    static_cast<void>(call.word());
    const std::uint64_t cycle = (kNanosecondsPerSecond + cycles_per_second() - 1) / cycles_per_second();
    store_time(guest, call.word(), cycle, kNanosecondsPerSecond);
    call.give_word(0);
}

void get_time_spec(Pe& pe, GuestCall& call) {
    Guest& guest = begin(pe, kTimeInstructions);
    store_time(guest, call.word(), now_in(kNanosecondsPerSecond), kNanosecondsPerSecond);
    call.give_word(call.word());  // the requested base
}

void get_seconds(Pe& pe, GuestCall& call) {
    Guest& guest = begin(pe, kTimeInstructions);
    const auto seconds = static_cast<std::uint32_t>(now_in(1));
    if (const Address result = call.word(); result != 0) {
        store_word(guest, result, seconds);
    }
    call.give_word(seconds);
}

void get_microseconds(Pe& pe, GuestCall& call) {
    begin(pe, kTimeInstructions);
    call.give_word(static_cast<std::uint32_t>(now_in(kMicrosecondsPerSecond)));
}

Cycle cycles_of(std::uint64_t duration, std::uint64_t units_per_second) {
    return static_cast<Cycle>(duration / units_per_second * cycles_per_second() +
                              duration % units_per_second * cycles_per_second() / units_per_second);
}

template <std::uint64_t kUnitsPerSecond>
void sleep_for(Pe& pe, GuestCall& call) {
    begin(pe);
    pe.sleep(cycles_of(call.word(), kUnitsPerSecond));
    call.give_word(0);
}

void sleep_for_time(Pe& pe, GuestCall& call) {
    Guest& guest = begin(pe);
    std::array<std::uint32_t, 2> parts{};
    guest.peek(call.word(), std::as_writable_bytes(std::span(parts)));
    pe.sleep(cycles_of(parts[0], 1) + cycles_of(parts[1], kNanosecondsPerSecond));
    store_time(guest, call.word(), 0, kNanosecondsPerSecond);
    call.give_word(0);
}

// The end

void end_program(Pe& pe, GuestCall& call) {
    begin(pe);
    Guest::exit(call.signed_word());
}

void abort_program(Pe& pe, GuestCall& /*call*/) {
    begin(pe);
    throw KernelError("the program has given up");
}

void fail_assertion(Pe& pe, GuestCall& call) {
    const Guest& guest = begin(pe);
    const std::string file = guest.text_at(call.word());
    const std::uint32_t line = call.word();
    const Address function = call.word();
    const std::string expression = guest.text_at(call.word());
    const std::string where = function == 0 ? "" : fmt::format(" in {}", guest.text_at(function));
    throw KernelError(fmt::format("{}:{}{}: the assertion '{}' does not hold", file, line, where, expression));
}

// The table

template <auto kRun>
void run_named(Pe& pe, GuestCall& call) {
    try {
        kRun(pe, call);
    } catch (const KernelError& error) {
        throw KernelError(fmt::format("{}: {}", pe.routine(), error.what()));
    }
}

template <auto kRun>
Routine routine(std::string_view name) {
    return {name, 0, run_named<kRun>, false};
}

}  // namespace

std::span<const Routine> c_library_routines() {
    static const std::vector<Routine> routines{
        routine<print_formatted<Arguments::variadic>>("printf"),
        routine<print_formatted<Arguments::list>>("vprintf"),
        routine<print_formatted<Arguments::variadic>>("host_printf"),
        routine<print_formatted<Arguments::list>>("host_vprintf"),
        routine<print_to_stream<Arguments::variadic>>("fprintf"),
        routine<print_to_stream<Arguments::list>>("vfprintf"),
        routine<print_to_file<Arguments::variadic>>("dprintf"),
        routine<print_to_file<Arguments::list>>("vdprintf"),
        routine<print_to_text<Arguments::variadic>>("sprintf"),
        routine<print_to_text<Arguments::list>>("vsprintf"),
        routine<print_to_limited_text<Arguments::variadic>>("snprintf"),
        routine<print_to_limited_text<Arguments::list>>("vsnprintf"),
        routine<put_line>("puts"),
        routine<put_text>("fputs"),
        routine<put_character_to_output>("putchar"),
        routine<put_character_to_stream>("putc"),
        routine<put_character_to_stream>("fputc"),
        routine<write_items>("fwrite"),
        routine<write_to_file>("write"),
        routine<succeed>("fflush"),
        routine<succeed>("setvbuf"),
        routine<succeed>("setbuf"),
        routine<succeed>("setlinebuf"),

        routine<parse_double<true>>("strtod"),
        routine<parse_double<false>>("atof"),
        routine<parse_float>("strtof"),

        routine<get_time_of_day>("gettimeofday"),
        routine<get_clock>("clock_gettime"),
        routine<get_clock_resolution>("clock_getres"),
        routine<get_time_spec>("timespec_get"),
        routine<get_seconds>("time"),
        routine<get_microseconds>("clock"),
        routine<sleep_for<1>>("sleep"),
        routine<sleep_for<kMicrosecondsPerSecond>>("usleep"),
        routine<sleep_for_time>("nanosleep"),

        routine<end_program>("exit"),
        routine<end_program>("_exit"),
        routine<end_program>("_Exit"),
        routine<end_program>("quick_exit"),
        routine<abort_program>("abort"),
        routine<fail_assertion>("__assert_func"),
    };
    return routines;
}

}  // namespace nocbench::shmem
