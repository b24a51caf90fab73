// Word count: each PE counts its words, and sends each count to the PE selected by the word's hash.
// pes: 1 4 16
// expect: PASS
#include <shmem.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

struct Message {
    char word[12];
    int count;
};
static Message inbox[128];
static int used;

static int total, part, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long sync_[SHMEM_REDUCE_SYNC_SIZE];

static int failures_of_large_tables() {
    std::unordered_map<int, double> squares;
    for (int i = 0; i < 100; ++i) squares[i * 7] = i * i;
    int failures = squares.size() != 100 || squares.bucket_count() < 100;
    squares.erase(7);
    squares.reserve(200);
    double sum = 0;
    for (const auto& [key, square] : squares) sum += square;
    failures += sum != 328349;
    const std::unordered_multiset<long> several{1, 1, 2};
    failures += several.count(1) != 2;
    const std::unordered_map<std::string, std::function<int(int)>> steps{{"more", [](int x) { return x + 1; }},
                                                                         {"twice", [](int x) { return x * 2; }}};
    failures += steps.at("twice")(steps.at("more")(3)) != 8;
    const auto shared = std::make_shared<int>(5);
    std::atomic<long long> wide{1LL << 40};
    wide.fetch_add(*shared);
    return failures + (wide.load() != (1LL << 40) + 5);
}

int main() {
    shmem_init();
    const int me = shmem_my_pe(), np = shmem_n_pes();
    static const char* text[] = {"the", "cat", "sat", "on", "the", "mat", "the", "dog", "sat", "on", "the", "log"};
    std::unordered_map<std::string, int> counts;
    for (const char* word : text) ++counts[word];
    shmem_barrier_all();
    for (auto& [word, count] : counts) {
        const int to = static_cast<int>(std::hash<std::string>{}(word) % np);
        Message message{};
        std::strncpy(message.word, word.c_str(), sizeof message.word - 1);
        message.count = count;
        const int at = shmem_int_fadd(&used, 1, to);
        if (at < 128) shmem_putmem(&inbox[at], &message, sizeof message, to);
    }
    shmem_barrier_all();
    std::unordered_map<std::string, int> mine;
    for (int i = 0; i < std::min(used, 128); ++i) mine[inbox[i].word] += inbox[i].count;
    int failures = failures_of_large_tables();
    if (const auto found = mine.find("the"); found != mine.end()) failures += found->second != 4 * np;
    for (const auto& entry : mine) part += entry.second;
    for (long& flag : sync_) flag = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    shmem_int_sum_to_all(&total, &part, 1, 0, 0, np, work, sync_);
    if (failures != 0 || total != 12 * np)
        std::printf("FAIL %d: %d, %d words\n", me, failures, total);
    else if (me == 0)
        std::printf("PASS\n");
    shmem_finalize();
}
