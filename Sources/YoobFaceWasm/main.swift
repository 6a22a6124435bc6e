import CWasmRuntime
import YoobFace

// The functions of this file are the whole interface of YoobFaceWasm.wasm. A face is known by a handle
// above 0; a handle that is not alive is ignored, and questions about it answer 0. Pointers into a face
// stay valid until it is destroyed; memory may move for JavaScript when it grows, so views on it are made
// anew after every call that can allocate.

/// Bytes of memory for the caller, aligned to 16.
@_expose(wasm, "face_alloc") @_cdecl("face_alloc")
public func faceAlloc(_ count: Int32) -> UnsafeMutableRawPointer {
  .allocate(byteCount: Int(max(count, 1)), alignment: 16)
}

/// Gives memory of `face_alloc` back.
@_expose(wasm, "face_free") @_cdecl("face_free")
public func faceFree(_ memory: UnsafeMutableRawPointer?) { memory?.deallocate() }

/// A face from the bytes of puppet.bin and mouth.bin; 0 if they are refused (`face_error` says why).
@_expose(wasm, "face_create") @_cdecl("face_create")
public func faceCreate(
  _ puppet: UnsafePointer<UInt8>?, _ puppetCount: Int32, _ mouth: UnsafePointer<UInt8>?,
  _ mouthCount: Int32, _ seed: UInt32
) -> Int32 {
  let puppetBytes = [UInt8](UnsafeBufferPointer(start: puppet, count: Int(max(0, puppetCount))))
  let mouthBytes = [UInt8](UnsafeBufferPointer(start: mouth, count: Int(max(0, mouthCount))))
  do throws(FaceError) {
    let engine = try FaceEngine(puppet: puppetBytes, mouth: mouthBytes, seed: UInt64(seed))
    faces.error = 0
    return faces.add(engine)
  } catch {
    faces.error = Int32(error.code)
    return 0
  }
}

/// Why the last `face_create` failed: 0 it did not, 1...7 the puppet, 11...14 the mouth.
@_expose(wasm, "face_error") @_cdecl("face_error")
public func faceError() -> Int32 { faces.error }

/// Ends a face and frees its memory.
@_expose(wasm, "face_destroy") @_cdecl("face_destroy")
public func faceDestroy(_ handle: Int32) { faces.remove(handle) }

/// Starts an utterance.
@_expose(wasm, "face_begin") @_cdecl("face_begin")
public func faceBegin(_ handle: Int32) { faces[handle]?.beginUtterance() }

/// The next samples of the utterance, mono, -1...1.
@_expose(wasm, "face_push") @_cdecl("face_push")
public func facePush(
  _ handle: Int32, _ samples: UnsafePointer<Float>?, _ count: Int32, _ sampleRate: Int32
) {
  faces[handle]?.appendAudio(
    UnsafeBufferPointer(start: samples, count: Int(max(0, count))), sampleRate: Int(sampleRate))
}

/// Known mouth shapes: `count` floats, 15 a frame, from frame `startFrame` on.
@_expose(wasm, "face_visemes") @_cdecl("face_visemes")
public func faceVisemes(
  _ handle: Int32, _ frames: UnsafePointer<Float>?, _ count: Int32, _ startFrame: Int32
) {
  faces[handle]?.appendVisemes(
    UnsafeBufferPointer(start: frames, count: Int(max(0, count))), startFrame: Int(startFrame))
}

/// The melody of the voice: `count` floats, Hz and mark for each 20 ms, from frame `startFrame` on.
@_expose(wasm, "face_prosody") @_cdecl("face_prosody")
public func faceProsody(
  _ handle: Int32, _ frames: UnsafePointer<Float>?, _ count: Int32, _ startFrame: Int32
) {
  faces[handle]?.appendProsody(
    UnsafeBufferPointer(start: frames, count: Int(max(0, count))), startFrame: Int(startFrame))
}

/// The utterance has no more sound.
@_expose(wasm, "face_end") @_cdecl("face_end")
public func faceEnd(_ handle: Int32) { faces[handle]?.endUtterance() }

/// 0 idle, 1 listening, 2 thinking, 3 speaking.
@_expose(wasm, "face_state") @_cdecl("face_state")
public func faceState(_ handle: Int32, _ state: Int32) {
  guard let state = FaceState(rawValue: UInt8(truncatingIfNeeded: state)) else { return }
  faces[handle]?.state = state
}

/// 0 neutral, 1 happy, 2 sad, 3 angry, 4 surprised, 5 thinking; intensity 0...1.
@_expose(wasm, "face_emotion") @_cdecl("face_emotion")
public func faceEmotion(_ handle: Int32, _ emotion: Int32, _ intensity: Float) {
  guard let emotion = FaceEmotion(rawValue: UInt8(truncatingIfNeeded: emotion)) else { return }
  faces[handle]?.setEmotion(emotion, intensity: intensity)
}

/// 1 moves less.
@_expose(wasm, "face_calm") @_cdecl("face_calm")
public func faceCalm(_ handle: Int32, _ calm: Int32) { faces[handle]?.calm = calm != 0 }

/// 0 automatic, 1 viewer, 2 away, 3 the point x (right), y (up) in -1...1.
@_expose(wasm, "face_gaze") @_cdecl("face_gaze")
public func faceGaze(_ handle: Int32, _ mode: Int32, _ x: Float, _ y: Float) {
  guard let face = faces[handle] else { return }
  switch mode {
  case 1: face.gaze = .viewer
  case 2: face.gaze = .away
  case 3: face.gaze = .point(x: x, y: y)
  default: face.gaze = .automatic
  }
}

/// 0 nod, 1 shake, 2 tilt, 3 wink.
@_expose(wasm, "face_gesture") @_cdecl("face_gesture")
public func faceGesture(_ handle: Int32, _ gesture: Int32) {
  guard let gesture = FaceGesture(rawValue: UInt8(truncatingIfNeeded: gesture)) else { return }
  faces[handle]?.perform(gesture)
}

/// Computes the face at a time in seconds; `playhead` is how much was heard, below 0 for no voice.
@_expose(wasm, "face_advance") @_cdecl("face_advance")
public func faceAdvance(_ handle: Int32, _ time: Double, _ playhead: Double) {
  guard let face = faces[handle] else { return }
  face.advance(to: time, playhead: playhead >= 0 ? playhead : nil)
  faces.refresh(handle)
}

@_expose(wasm, "face_vertex_count") @_cdecl("face_vertex_count")
public func faceVertexCount(_ handle: Int32) -> Int32 { Int32(faces[handle]?.positions.count ?? 0) }

/// x and y of each vertex in canvas units, f32.
@_expose(wasm, "face_positions") @_cdecl("face_positions")
public func facePositions(_ handle: Int32) -> UnsafeRawPointer? {
  UnsafeRawPointer(faces[handle]?.positions.baseAddress)
}

/// u and v of each vertex, f32, 0...1.
@_expose(wasm, "face_uvs") @_cdecl("face_uvs")
public func faceUVs(_ handle: Int32) -> UnsafeRawPointer? {
  UnsafeRawPointer(faces[handle]?.uvs.baseAddress)
}

@_expose(wasm, "face_index_count") @_cdecl("face_index_count")
public func faceIndexCount(_ handle: Int32) -> Int32 { Int32(faces[handle]?.indices.count ?? 0) }

/// u16, three to a triangle.
@_expose(wasm, "face_indices") @_cdecl("face_indices")
public func faceIndices(_ handle: Int32) -> UnsafeRawPointer? {
  UnsafeRawPointer(faces[handle]?.indices.baseAddress)
}

@_expose(wasm, "face_draw_count") @_cdecl("face_draw_count")
public func faceDrawCount(_ handle: Int32) -> Int32 { Int32(faces[handle]?.draws.count ?? 0) }

/// 32 bytes a command: u32 firstIndex, indexCount, blend, clip, mask, flags, f32 opacity, u32 0.
@_expose(wasm, "face_draws") @_cdecl("face_draws")
public func faceDraws(_ handle: Int32) -> UnsafeRawPointer? {
  UnsafeRawPointer(faces[handle]?.draws.baseAddress)
}

/// The 15 viseme weights at the playhead, f32.
@_expose(wasm, "face_visemes_now") @_cdecl("face_visemes_now")
public func faceVisemesNow(_ handle: Int32) -> UnsafeRawPointer? {
  UnsafeRawPointer(faces[handle]?.visemes.baseAddress)
}

/// Gap and width of the lips in canvas units, f32.
@_expose(wasm, "face_lips") @_cdecl("face_lips")
public func faceLips(_ handle: Int32) -> UnsafeRawPointer? { faces.values(handle, Faces.lips) }

/// Canvas width and height, and the square crop's x, y and size, f32.
@_expose(wasm, "face_canvas") @_cdecl("face_canvas")
public func faceCanvas(_ handle: Int32) -> UnsafeRawPointer? { faces.values(handle, Faces.canvas) }

/// Loudness of the voice at the playhead, 0...1.
@_expose(wasm, "face_level") @_cdecl("face_level")
public func faceLevel(_ handle: Int32) -> Float { faces[handle]?.voiceLevel ?? 0 }
