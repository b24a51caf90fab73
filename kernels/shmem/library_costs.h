// Costs of library routines on an Epiphany core in single-cycle instructions, without loads, stores and waits.
//
// Sources: "paper": Ross and Richie, An OpenSHMEM Implementation for the Adapteva Epiphany Coprocessor, 2016.
// "listing": the authors' hand-written loops, assembled for the chip and counted: USArmyResearchLab/openshmem-epiphany
// ed18554 of 2016 and c9dd0c5 of 2019.
// "estimate": counted by hand from the work of the routine.
#pragma once

namespace nocbench::shmem {

struct LibraryCosts {
    /// Computation of an address on another core, in a routine that moves data. Source: listing, about 13 with call and
    /// return, whose branches belong to the caller.
    int call = 5;

    // Copy loop: 8 instructions, four loads and four stores for 32 bytes (listing; paper: 2.4 GB/s).

    int copy_loop_instructions = 8;
    int copy_loop_elements = 4;
    /// Tests of alignment and size, and jump to the rest. Source: listing, 33 with the entry of the loop.
    int copy_entry = 26;
    /// Disabling and enabling of interrupts, address of the loop. The hardware loop has three more set-up instructions.
    int copy_loop_entry = 4;

    /// Get by interrupt, requesting core: addresses of the arguments. Estimate.
    int interrupt_request = 12;
    /// Get by interrupt, owner of the data: saving and restoring of registers, arguments. Estimate.
    int interrupt_service = 20;

    /// Element of a strided transfer: updates of two addresses and a count, without load, store and branch. Estimate.
    int strided_element = 3;

    /// Start of a DMA transfer: wait for the channel, descriptor of 24 bytes, start of the channel. Estimate. The paper
    /// calls this cost relatively high, so that a blocking transfer is often faster.
    int dma_start = 70;
    /// Quiet or fence without outstanding transfers. Estimate.
    int order = 2;

    /// Atomic operation under the lock of its type: addresses, comparison, operation. Source: listing, about 95 cycles
    /// in total on the adjacent core.
    int locked_atomic = 36;
    /// Atomic operation that is only a load or a store. Estimate.
    int plain_atomic = 8;

    /// Call of a barrier. Estimate. Rounds cost core.barrier_round_cycles of the architecture.
    int barrier_call = 3;
    /// Signal to another core in collective routines other than barriers: its address. Estimate.
    int signal = 3;

    /// Element of a reduction, per 32 bits of an integer or a float. Source: listing, about 8.
    int combine = 8;
    /// Element of a reduction in software: double. Estimate, for a routine of the compiler's library.
    int combine_double = 60;

    /// Set-up: PE number, arrays of the barrier, start of the heap. Estimate.
    int init = 120;
    /// Query. Estimate: a load or a few shifts.
    int query = 4;
    /// Move of the heap's pointer. Estimate.
    int heap = 20;
    /// Test in wait_until before it begins to spin. Estimate.
    int wait = 6;
};

}  // namespace nocbench::shmem
