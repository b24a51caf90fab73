#include "kernels/frame/epiphany/shmem_program.h"

#include <fmt/format.h>

#include "device_model/arch/architecture.h"
#include "device_model/epiphany/arch/constants.h"
#include "device_model/sim/error.h"
#include "kernels/frame/epiphany/measurement.h"

namespace nocbench {

ShmemProgramResult run_shmem_program(const shmem::Program& program, const std::string& arch,
                                     const std::string& board_name, const std::vector<Setting>& settings,
                                     const MachineWatcher& watcher) {
    const Architecture architecture = load_architecture(find_architecture(arch), board_name, settings);
    if (architecture.kind != ArchitectureKind::epiphany_mesh) {
        throw InputError(fmt::format("{}: programs of OpenSHMEM run on Epiphany machines", architecture.name));
    }
    const Board& board = architecture.board(board_name);
    EpiphanyDevice device(epiphany_of(architecture), shape_of(board));
    if (watcher) {
        watcher(device);
    }
    ShmemProgramResult result;
    result.run = shmem::run_program(device, epiphany_of(architecture), program);
    PointResult& point = result.point;
    point.kernels = device.kernel_results();
    for (const KernelResult& kernel : point.kernels) {
        const Zone& whole = kernel.zones.front();
        // An open zone belongs to a PE that waits forever.
        const Tick end = whole.is_closed() ? whole.end : ticks_from_cycles(device.elapsed_cycles());
        point.cores.push_back({kPeLabel, kernel.identity, 0, end - whole.start, 0, whole.ledger, whole.name});
    }
    KernelReport report;
    report.label = kPeLabel;
    if (result.run.error.empty()) {
        point.rows.push_back(row_of_cores(report, point.cores));
    }
    set_use(point, device);
    point.floor_plan = device.floor_plan();
    point.arch = architecture.name;
    point.board = board.name;
    point.clock_hz = board.clock_hz;
    add_settings(point, settings);
    return result;
}

}  // namespace nocbench
