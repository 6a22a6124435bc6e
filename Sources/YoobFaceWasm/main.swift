// wasm
