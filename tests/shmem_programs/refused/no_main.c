// The main function is missing.
#include <shmem.h>

int Main(void) { return shmem_my_pe(); }
