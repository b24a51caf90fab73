#include "kernels/shmem/native/native_guest.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "device_model/epiphany/epiphany_state.h"

namespace nocbench::shmem {

NativeGuest::NativeGuest(int number, const NativeLayout& layout)
    : core_(EpiphanyCore::current()), number_(number), layout_(layout) {}

std::uint32_t NativeGuest::memory_bytes() const {
    return static_cast<std::uint32_t>(core_.state().constants.core.memory_bytes);
}

void NativeGuest::print(Stream /*stream*/, std::string_view text) { printed_ += text; }

std::optional<int> NativeGuest::run(const std::function<void()>& program) {
    try {
        program();
    } catch (const ProgramEnd& end) {
        return end.exit_status();
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
                              run.exit_statuses[index] = NativeGuest::run([&] {
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
