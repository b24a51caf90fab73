// Waits for the end of all writers.
#include "api/dataflow/dataflow_api.h"
#include "experimental/kernel_args.h"

void kernel_main() {
    noc_semaphore_wait(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(sem::all_done)),
                       get_arg(args::writers));
    DeviceTimestampedData("Test id", get_arg(args::test_id));
}
