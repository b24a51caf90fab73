#include "kernels/shmem/native/native_guest.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "device_model/epiphany/epiphany_state.h"

namespace nocbench::shmem {

namespace {

/// Ends a program, from wherever it has called exit.
struct ProgramEnd : std::exception {
    explicit ProgramEnd(int exit_status) : status(exit_status) {}
    int status;
};

}  // namespace

NativeGuest::NativeGuest(int number, const NativeLayout& layout)
    : core_(EpiphanyCore::current()), number_(number), layout_(layout) {}

void NativeGuest::peek(Address address, std::span<std::byte> out) const {
    const auto [core, offset] = core_.state().core_memory_at(core_.identity().node, address, out.size());
    std::ranges::copy(core_.state().read_memory(core, offset, out.size()), out.begin());
}

void NativeGuest::poke(Address address, std::span<const std::byte> bytes) {
    const auto [core, offset] = core_.state().core_memory_at(core_.identity().node, address, bytes.size());
    core_.state().write_memory(core, offset, bytes);
}

std::string NativeGuest::text_at(Address address, std::size_t bytes_max) const {
    std::string text;
    for (std::byte next{}; text.size() < bytes_max; text += static_cast<char>(next)) {
        peek(address + static_cast<Address>(text.size()), std::span(&next, 1));
        if (next == std::byte{0}) {
            break;
        }
    }
    return text;
}

std::uint32_t NativeGuest::memory_bytes() const {
    return static_cast<std::uint32_t>(core_.state().constants().core.memory_bytes);
}

void NativeGuest::print(Stream /*stream*/, std::string_view text) { printed_ += text; }

void NativeGuest::exit(int status) { throw ProgramEnd(status); }

std::optional<int> NativeGuest::run(const std::function<void()>& program) {
    try {
        program();
    } catch (const ProgramEnd& end) {
        return end.status;
    }
    return std::nullopt;
}

NativeRun run_native(EpiphanyDevice& device, const NativeProgram& program) {
    NativeRun run;
    run.exit_statuses.resize(static_cast<std::size_t>(program.num_pes));
    run.printed.resize(static_cast<std::size_t>(program.num_pes));
    Job job(program.num_pes, program.options);
    for (int number = 0; number < program.num_pes; ++number) {
        device.add_kernel(device.core_at(number), fmt::format("{}, PE {}", program.name, number),
                          [&program, &run, &job, number] {
                              NativeGuest guest(number, program.layout);
                              Pe pe(job, guest);
                              const auto index = static_cast<std::size_t>(number);
                              run.exit_statuses[index] = guest.run([&] {
                                  if (program.sets_up) {
                                      pe.begin_before_init("shmem_init");
                                      pe.init();
                                  }
                                  program.run(pe);
                              });
                              run.printed[index] = guest.printed();
                              pe.end();
                          });
    }
    device.run();
    run.warnings = job.warnings();
    return run;
}

}  // namespace nocbench::shmem
