// Costs of the library's routines on an Epiphany core: instructions that take a cycle each. Loads, stores and waits
// come on top of them.
//
// Sources: "paper": Ross and Richie, An OpenSHMEM Implementation for the Adapteva Epiphany Coprocessor, 2016.
// "listing": the loops that its authors wrote by hand, assembled for the chip and
// counted: USArmyResearchLab/openshmem-epiphany ed18554 of 2016 and c9dd0c5 of 2019.
// "estimate": counted by hand from what the routine has to do.
#pragma once

namespace nocbench::shmem {

struct LibraryCosts {
    /// The address on the other core, in a routine that moves data. Source: listing, about 13 with the call and the
    /// return, whose branches are the caller's.
    int call = 5;

    // The copy loop: 8 instructions, four loads and four stores, for 32 bytes (listing; paper: 2.4 GB/s).

    int copy_loop_instructions = 8;
    int copy_loop_elements = 4;
    /// Tests of alignment and size, jump into the rest. Source: listing, 33 with the entry of the loop.
    int copy_entry = 26;
    /// Interrupts off and on, address of the loop; three more instructions set the hardware loop up.
    int copy_loop_entry = 4;

    /// A get by interrupt, on the core that asks: addresses of the arguments. Estimate.
    int interrupt_request = 12;
    /// The same on the owner of the data: registers to the stack and back, arguments. Estimate.
    int interrupt_service = 20;

    /// One element of a strided transfer, besides load, store and branch: two addresses and a count. Estimate.
    int strided_element = 3;

    /// Wait for the channel, descriptor of 24 bytes, start. Source: estimate; the paper has it relatively high, so that
    /// a blocking transfer is often faster.
    int dma_start = 70;
    /// A quiet or fence that finds nothing to wait for. Estimate.
    int order = 2;

    /// An atomic operation under the lock of its type: addresses, comparison, operation. Source: listing, about 95
    /// cycles for the whole of it on the next core.
    int locked_atomic = 36;
    /// One that is a load or a store only. Estimate.
    int plain_atomic = 8;

    /// Call of a barrier. Estimate. What a round of it costs is core.barrier_round_cycles of the architecture.
    int barrier_call = 3;
    /// A signal to another core in other collective routines: its address. Estimate.
    int signal = 3;

    /// One element of a reduction, per 32 bits of an integer or a float. Source: listing, about 8.
    int combine = 8;
    /// The same where software computes: double. Estimate, of a routine of the compiler's library.
    int combine_double = 60;

    /// Set-up: PE number, arrays of the barrier, start of the heap. Estimate.
    int init = 120;
    /// A query. Estimate: a load or a few shifts.
    int query = 4;
    /// A move of the heap's pointer. Estimate.
    int heap = 20;
    /// A test by wait_until before it begins to spin. Estimate.
    int wait = 6;
};

}  // namespace nocbench::shmem
