// Allocator and memory primitives for WebAssembly without a system library.
