// Program on a core of an Epiphany machine, as seen by library routines.
//
// A routine runs on the core's processor at the time of the program's call. Its actions through the Epiphany API take
// time; those through this interface do not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace nocbench::shmem {

using Address = std::uint32_t;

// Parts of an address: a core's id above the offset in its memory. Without an id, the address is in the core's own
// memory.
inline constexpr unsigned kCoreIdShift = 20;
inline constexpr Address kOffsetMask = (Address{1} << kCoreIdShift) - 1;

struct Variable {
    std::string_view name;
    Address begin = 0;
    std::uint32_t bytes = 0;
};

enum class Stream : std::uint8_t { output, errors };

/// Thrown when a program calls exit.
class ProgramEnd : public std::exception {
public:
    explicit ProgramEnd(int exit_status) : exit_status_(exit_status) {}
    [[nodiscard]] int exit_status() const { return exit_status_; }

private:
    int exit_status_;
};

class Guest {
public:
    virtual ~Guest() = default;
    Guest(const Guest&) = delete;
    Guest& operator=(const Guest&) = delete;

    /// Returns the core's number; the programs of a run are counted from 0.
    [[nodiscard]] virtual int number() const = 0;

    // Access the memory of this core or, if the address contains an id, of any core. Throw KernelError for invalid
    // addresses.

    virtual void peek(Address address, std::span<std::byte> out) const = 0;
    virtual void poke(Address address, std::span<const std::byte> bytes) = 0;
    /// Returns the characters at `address` up to a zero byte, at most `bytes_max` of them.
    [[nodiscard]] std::string text_at(Address address, std::size_t bytes_max = SIZE_MAX) const;

    [[nodiscard]] virtual std::uint32_t memory_bytes() const = 0;
    /// Returns the end of the program's code and data, including the space charged for routines. The heap must not
    /// begin before that.
    [[nodiscard]] virtual Address program_end() const = 0;
    [[nodiscard]] virtual std::uint32_t stack_pointer() const = 0;
    /// Returns the variable of static storage that contains `address`; nothing if none does, or it is unknown.
    [[nodiscard]] virtual std::optional<Variable> variable_around(Address address) const = 0;
    /// Returns the program's current source line, "main.c:12 in main"; empty if unknown.
    [[nodiscard]] virtual std::string place() const = 0;

    virtual void print(Stream stream, std::string_view text) = 0;

    /// Ends the program: throws ProgramEnd.
    [[noreturn]] static void exit(int status);

protected:
    Guest() = default;
};

}  // namespace nocbench::shmem
