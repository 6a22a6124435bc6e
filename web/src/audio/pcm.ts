import { YoobError } from "../errors.js";

/** Samples in -1...1 of mono PCM16 (little-endian); throws `invalid-audio` for half a sample. */
export function floatsFromPcm(pcm: Int16Array | ArrayBuffer): Float32Array<ArrayBuffer> {
  if (pcm instanceof ArrayBuffer && pcm.byteLength % 2 !== 0) {
    throw new YoobError("invalid-audio", "The sound has an odd number of bytes; PCM16 has two a sample.");
  }
  const samples = pcm instanceof ArrayBuffer ? new Int16Array(pcm) : pcm;
  const floats = new Float32Array(samples.length);
  for (let i = 0; i < samples.length; i++) floats[i] = (samples[i] as number) / 32768;
  return floats;
}

/** PCM16 of samples in -1...1; louder ones are clipped. */
export function pcmFromFloats(samples: Float32Array): Int16Array<ArrayBuffer> {
  const pcm = new Int16Array(samples.length);
  for (let i = 0; i < samples.length; i++) {
    const value = Math.round((samples[i] as number) * 32767);
    pcm[i] = value < -32768 ? -32768 : value > 32767 ? 32767 : value;
  }
  return pcm;
}

/** Base64 of the bytes of `pcm`. */
export function base64FromPcm(pcm: Int16Array): string {
  const bytes = new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) {
    text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  }
  return btoa(text);
}

/** The bytes of a base64 text; throws `invalid-audio` when it is not base64. */
export function bytesFromBase64(text: string): ArrayBuffer {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    throw new YoobError("invalid-audio", "The server sent sound that is not base64.");
  }
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}
