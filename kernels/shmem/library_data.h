// Where the library keeps, in the memory of each core, what others write to.
#pragma once

#include "kernels/shmem/pe.h"

namespace nocbench::shmem::library_data {

inline constexpr Address kWordBytes = 4;

/// Flags of the barrier of all PEs: two bytes for each of up to eight rounds.
inline constexpr Address kBarrierFlags = kLibraryData;
/// A word for each AtomicType.
inline constexpr Address kAtomicLocks = 0x50;
inline constexpr Address kNumAtomicLocks = 5;
/// Set where the program has been ended by another PE.
inline constexpr Address kEnd = kAtomicLocks + kNumAtomicLocks * kWordBytes;
/// A descriptor for each DMA channel.
inline constexpr Address kDescriptors = 0x68;
inline constexpr Address kDescriptorStride = 0x18;
/// A lock, and the request of the PE that holds it: for a get by interrupt, on the owner of the data.
inline constexpr Address kInterruptLock = kDescriptors + 2 * kDescriptorStride;
inline constexpr Address kInterruptArguments = kInterruptLock + kWordBytes;
inline constexpr Address kNumInterruptArguments = 4;
/// On the one who asks: set when the data are there.
inline constexpr Address kInterruptDone = kInterruptArguments + kNumInterruptArguments * kWordBytes;

/// Rounds that have flags in a synchronization array.
inline constexpr int kRoundsMax = 4;

/// Places in a synchronization array.
inline constexpr Address kBroadcastFlagsEnd = 16;
inline constexpr Address kFurtherFlagsOffset = 16;
inline constexpr Address kShortSyncBytes = 4 * kWordBytes;
inline constexpr Address kLongSyncBytes = 6 * kWordBytes;

}  // namespace nocbench::shmem::library_data
