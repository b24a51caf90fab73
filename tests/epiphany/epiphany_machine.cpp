#include "tests/epiphany/epiphany_machine.h"

#include <map>
#include <utility>

#include "device_model/arch/architecture.h"
#include "device_model/epiphany/arch/constants.h"

namespace nocbench::test {

const Architecture& epiphany(const std::vector<Setting>& settings, const std::string& board) {
    static std::map<std::pair<std::string, std::vector<Setting>>, Architecture> cache;
    const auto key = std::pair(board, settings);
    if (const auto found = cache.find(key); found != cache.end()) {
        return found->second;
    }
    return cache.emplace(key, load_architecture(find_architecture(kEpiphany), board, settings)).first->second;
}

EpiphanyMachine::EpiphanyMachine(const std::vector<Setting>& settings, const std::string& board)
    : device_(epiphany_of(epiphany(settings, board)), shape_of(epiphany(settings, board).board(board))) {}

}  // namespace nocbench::test
