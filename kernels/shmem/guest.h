// A program on a core of an Epiphany machine, as the routines of its libraries see it.
//
// A routine runs on the core's own processor, at the time at which the program called it: what it does through the
// Epiphany API takes time, what it does through this interface takes none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>

namespace nocbench::shmem {

using Address = std::uint32_t;

// An address has a core's id above its offset in the core's memory; without an id it is the own memory's.
inline constexpr unsigned kCoreIdShift = 20;
inline constexpr Address kOffsetMask = (Address{1} << kCoreIdShift) - 1;

enum class Stream : std::uint8_t { output, errors };

/// Thrown where a program has called exit.
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

    /// Among the programs of a run, from 0 on: the core's number.
    [[nodiscard]] virtual int number() const = 0;

    // Accesses to the core's memory, or to any core's if the address holds its id. They throw KernelError where there
    // is no memory.

    virtual void peek(Address address, std::span<std::byte> out) const = 0;
    virtual void poke(Address address, std::span<const std::byte> bytes) = 0;
    /// The characters at `address` up to a zero byte, or the first `bytes_max` of them.
    [[nodiscard]] std::string text_at(Address address, std::size_t bytes_max = SIZE_MAX) const;

    [[nodiscard]] virtual std::uint32_t memory_bytes() const = 0;
    /// The end of the program's own code and data, and of what is charged for the code of routines. The heap begins
    /// there or behind.
    [[nodiscard]] virtual Address program_end() const = 0;
    [[nodiscard]] virtual std::uint32_t stack_pointer() const = 0;

    virtual void print(Stream stream, std::string_view text) = 0;

    /// Ends the program: throws ProgramEnd.
    [[noreturn]] static void exit(int status);

protected:
    Guest() = default;
};

}  // namespace nocbench::shmem
