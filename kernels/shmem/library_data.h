// Layout of the library's data in each core's memory that other cores write.
#pragma once

#include "kernels/shmem/pe.h"

namespace nocbench::shmem::library_data {

inline constexpr Address kWordBytes = 4;

/// Flags of the barrier of all PEs: two bytes for each of up to eight rounds.
inline constexpr Address kBarrierFlags = kLibraryData;
/// One word per AtomicType.
inline constexpr Address kAtomicLocks = 0x50;
inline constexpr Address kNumAtomicLocks = 5;
/// Flag that another PE has ended the program.
inline constexpr Address kEnd = kAtomicLocks + kNumAtomicLocks * kWordBytes;
/// One descriptor per DMA channel.
inline constexpr Address kDescriptors = 0x68;
inline constexpr Address kDescriptorStride = 0x18;
/// Get by interrupt, on the owner of the data: a lock, and the request of the PE that holds the lock.
inline constexpr Address kInterruptLock = kDescriptors + 2 * kDescriptorStride;
inline constexpr Address kInterruptArguments = kInterruptLock + kWordBytes;
inline constexpr Address kNumInterruptArguments = 4;
/// Get by interrupt, on the requesting PE: flag that the data have arrived.
inline constexpr Address kInterruptDone = kInterruptArguments + kNumInterruptArguments * kWordBytes;

/// Maximum number of rounds whose flags fit into a synchronization array.
inline constexpr int kRoundsMax = 4;

/// Offsets in a synchronization array.
inline constexpr Address kBroadcastFlagsEnd = 16;
inline constexpr Address kFurtherFlagsOffset = 16;
inline constexpr Address kShortSyncBytes = 4 * kWordBytes;
inline constexpr Address kLongSyncBytes = 6 * kWordBytes;

}  // namespace nocbench::shmem::library_data
