// Counts what a program allocates. Linking this target replaces the allocator's entry points of the whole
// program, its libraries included, by ones that count and then call the C library's own.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Whether allocations can be counted here: with the GNU C library, without a sanitizer.
bool yoob_allocations_are_counted(void);

/// Memory blocks that the calling thread has asked for since it began.
uint64_t yoob_allocation_count(void);
