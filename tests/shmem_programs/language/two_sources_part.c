// Second source of two_sources.c.
#include <shmem.h>

#include "two_sources.h"

int shared_value;

int fetch_scaled(int pe) { return SCALE * shmem_int_g(&shared_value, pe); }
