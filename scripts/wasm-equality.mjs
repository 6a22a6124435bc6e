#!/usr/bin/env node
// Plays one scenario through the native face and through the WebAssembly face and compares every number
// bit for bit: positions, visemes, draw commands, lips and level of each frame.
//
//   scripts/wasm-equality [--pack DIR] [--no-build]
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const args = process.argv.slice(2)
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined)
const pack = option('--pack') ?? join(root, 'characters/luna-anime/pack')
const triple = 'wasm32-unknown-none-wasm'
const wasmFile = join(root, '.build/wasm', triple, 'release/YoobFaceWasm.wasm')
const native = join(root, '.build/debug/YoobFaceGolden')

function build() {
  const run = (...more) => execFileSync('swift', ['build', '--package-path', root, ...more], { stdio: 'inherit' })
  run('--product', 'YoobFaceGolden')
  run('-c', 'release', '--triple', triple, '--toolset', join(root, 'scripts/wasm.toolset.json'),
    '--product', 'YoobFaceWasm', '--scratch-path', join(root, '.build/wasm'))
}

// Six seconds at 24 kHz: buzzing vowels, hiss and silence, made with integers so that it is the same everywhere.
function sound() {
  const samples = new Float32Array(6 * 24000)
  let noise = 12345
  for (let i = 0; i < samples.length; i++) {
    noise = (Math.imul(noise, 1664525) + 1013904223) | 0
    const part = Math.floor(i / 3600) % 5
    const buzz = (i % (120 + 30 * part)) / (120 + 30 * part) - 0.5
    samples[i] = part === 4 ? 0 : part === 3 ? (noise >> 20) / 16384 : buzz * 0.5
  }
  return samples
}

class Face {
  constructor(puppet, mouth) {
    const module = new WebAssembly.Module(readFileSync(wasmFile))
    const imports = WebAssembly.Module.imports(module)
    if (imports.length > 0) throw new Error(`the module has imports: ${imports.map((i) => i.name)}`)
    this.x = new WebAssembly.Instance(module, {}).exports
    const p = this.copy(puppet)
    const m = this.copy(mouth)
    this.handle = this.x.face_create(p, puppet.length, m, mouth.length, 11)
    this.x.face_free(p)
    this.x.face_free(m)
    if (!this.handle) throw new Error(`face_create refused the pack with code ${this.x.face_error()}`)
  }
  copy(bytes) {
    const at = this.x.face_alloc(bytes.length)
    new Uint8Array(this.x.memory.buffer, at, bytes.length).set(bytes)
    return at
  }
  send(call, floats, number) {
    const at = this.copy(new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength))
    call(this.handle, at, floats.length, number)
    this.x.face_free(at)
  }
  frame() {
    const { x, handle: h } = this
    const part = (at, count) => new Uint8Array(x.memory.buffer, at, count).slice()
    const level = new Uint8Array(new Float32Array([x.face_level(h), 0]).buffer)
    return Buffer.concat([
      part(x.face_positions(h), x.face_vertex_count(h) * 8), part(x.face_visemes_now(h), 60),
      part(x.face_draws(h), x.face_draw_count(h) * 32), part(x.face_lips(h), 8), level,
    ])
  }
}

function play(face, audio, times) {
  const { x, handle: h } = face
  const frames = []
  x.face_begin(h)
  let pushed = 0
  for (let step = 0; step < 240; step++) {
    if (step === 40) x.face_state(h, 1)
    if (step === 60) x.face_emotion(h, 1, 0.75)
    if (step === 80) x.face_state(h, 2)
    if (step === 100) x.face_gaze(h, 3, 0.5, -0.25)
    if (step === 120) x.face_calm(h, 1)
    if (step === 140) x.face_calm(h, 0)
    if (step === 150) x.face_gesture(h, 0)
    if (step === 160) x.face_gaze(h, 0, 0, 0)
    if (step === 170) x.face_emotion(h, 4, 1)
    if (step === 180) {
      const known = new Float32Array(30 * 15)
      for (let f = 0; f < 30; f++) known[f * 15 + (f < 15 ? 10 : 14)] = 1
      face.send(x.face_visemes, known, 520)
    }
    if (step === 20) {
      // A melody of two accents and a question over the first three seconds.
      const melody = new Float32Array(150 * 2)
      for (let f = 0; f < 150; f++) {
        const part = f % 50
        melody[2 * f] = part < 8 ? 0 : part < 20 ? 180 + 8 * (part - 8) : part < 32 ? 276 - 8 * (part - 20) : 180
        melody[2 * f + 1] = f >= 130 ? 2 : part >= 14 && part < 22 ? 1 : 0
      }
      face.send(x.face_prosody, melody, 0)
    }
    while (pushed < audio.length && pushed < (step + 10) * 800) {
      const end = Math.min(audio.length, pushed + 800)
      face.send(x.face_push, audio.slice(pushed, end), 24000)
      pushed = end
      if (pushed === audio.length) x.face_end(h)
    }
    const start = performance.now()
    x.face_advance(h, step / 30, step < 20 ? -1 : (step - 20) / 30)
    times.push(performance.now() - start)
    frames.push(face.frame())
  }
  return frames
}

if (!args.includes('--no-build')) build()
const folder = mkdtempSync(join(tmpdir(), 'yoob-equality-'))
try {
  const audio = sound()
  const audioFile = join(folder, 'audio.f32')
  const goldenFile = join(folder, 'golden.bin')
  writeFileSync(audioFile, new Uint8Array(audio.buffer))
  const mouthFile = join(pack, 'mouth.bin')
  const hasMouth = existsSync(mouthFile)
  execFileSync(native, [join(pack, 'puppet.bin'), hasMouth ? mouthFile : '-', audioFile, goldenFile], { stdio: 'inherit' })
  const golden = readFileSync(goldenFile)
  const face = new Face(readFileSync(join(pack, 'puppet.bin')), hasMouth ? readFileSync(mouthFile) : Buffer.alloc(0))
  let passed = 0
  let failed = 0
  let at = 0
  const times = []
  for (const [step, frame] of play(face, audio, times).entries()) {
    const same = frame.equals(golden.subarray(at, at + frame.length))
    at += frame.length
    if (same) passed++
    else if (failed++ < 5) console.error(`frame ${step} differs`)
  }
  if (at !== golden.length) {
    failed++
    console.error(`lengths differ: ${golden.length} bytes native, ${at} bytes WebAssembly`)
  }
  console.log(`wasm equality: ${golden.length / 4} numbers${hasMouth ? '' : ', no mouth.bin in the pack'}`)
  times.sort((a, b) => a - b)
  const rank = (share) => times[Math.ceil(share * times.length) - 1].toFixed(2)
  console.log(`a frame's positions and draw list in WebAssembly: p50 ${rank(0.5)} ms, p95 ${rank(0.95)} ms`)
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed ? 1 : 0
} finally {
  rmSync(folder, { recursive: true })
}
