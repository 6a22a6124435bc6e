// The C functions that Embedded Swift expects of a platform, for WebAssembly without an operating system.
// Elsewhere this library is empty. See runtime.c.

#ifndef CWASM_RUNTIME_H
#define CWASM_RUNTIME_H

#include <stddef.h>

#if defined(__wasm__)
void *malloc(size_t count);
void free(void *memory);
int posix_memalign(void **result, size_t alignment, size_t count);
#endif

#endif
