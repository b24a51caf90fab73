#include "kernels/shmem/native_guest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <string>
#include <vector>

#include "kernels/epiphany/epiphany_api.h"

namespace nocbench::shmem {

namespace {

/// Ends a program, from wherever it has called exit.
class ProgramEnd : public std::exception {};

constexpr unsigned kCoreIdShift = 20;
constexpr Address kOffsetMask = (1U << kCoreIdShift) - 1;

class NativeGuest final : public Guest {
public:
    NativeGuest(EpiphanyDevice& device, int number, const NativeMemory& memory)
        : device_(device), number_(number), memory_(memory) {}

    [[nodiscard]] int number() const override { return number_; }
    void peek(Address address, std::span<std::byte> out) const override {
        const std::vector<std::byte> bytes = device_.read_memory(core_at(address), address & kOffsetMask, out.size());
        std::ranges::copy(bytes, out.begin());
    }
    void poke(Address address, std::span<const std::byte> bytes) override {
        device_.write_memory(core_at(address), address & kOffsetMask, bytes);
    }
    [[nodiscard]] std::string text_at(Address address, std::size_t bytes_max) const override {
        std::string text;
        for (std::byte next{1}; text.size() < bytes_max; text += static_cast<char>(next)) {
            peek(address + static_cast<Address>(text.size()), std::span(&next, 1));
            if (next == std::byte{0}) {
                break;
            }
        }
        return text;
    }
    [[nodiscard]] std::uint32_t memory_bytes() const override { return memory_.stack_pointer; }
    [[nodiscard]] Address program_end() const override { return memory_.program_end; }
    [[nodiscard]] std::uint32_t stack_pointer() const override { return memory_.stack_pointer; }
    void print(Stream /*stream*/, std::string_view /*text*/) override {}
    [[noreturn]] void exit(int /*status*/) override { throw ProgramEnd(); }

private:
    [[nodiscard]] LogicalCoordinate core_at(Address address) const {
        for (int core = 0; core < device_.num_cores(); ++core) {
            if (device_.global_address(device_.core_at(core), 0) >> kCoreIdShift == address >> kCoreIdShift) {
                return device_.core_at(core);
            }
        }
        return device_.core_at(number_);
    }

    EpiphanyDevice& device_;
    int number_;
    NativeMemory memory_;
};

}  // namespace

void add_native_pes(EpiphanyDevice& device, Job& job, const std::function<void(Pe&)>& kernel,
                    const NativeMemory& memory) {
    for (int number = 0; number < job.num_pes(); ++number) {
        device.add_kernel(device.core_at(number), fmt::format("PE {}", number),
                          [&device, &job, kernel, memory, number] {
                              NativeGuest guest(device, number, memory);
                              Pe pe(job, guest);
                              pe.begin_before_init("shmem_init");
                              pe.init();
                              try {
                                  kernel(pe);
                              } catch (const ProgramEnd&) {
                                  return;
                              }
                          });
    }
}

void call_routine(Pe& pe, std::string_view name, const std::function<void()>& routine) {
    constexpr int kArgumentInstructions = 4;
    epiphany::instructions(kArgumentInstructions);
    epiphany::taken_branch();
    pe.begin(name);
    routine();
    epiphany::taken_branch();
}

}  // namespace nocbench::shmem
