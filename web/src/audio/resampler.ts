/** Zero crossings of the kernel on each side, at the lower of the two rates. */
const CROSSINGS = 16;
const KAISER_BETA = 8;
const MAX_PHASES = 1024;

/**
 * Converts a stream of mono samples from one rate to another, with state across packets.
 *
 * A Kaiser-windowed sinc cut at 0.47 of the lower rate; the output is delayed by half a kernel
 * (`delay` input samples), which `flush()` pushes out.
 */
export class PcmResampler {
  readonly from: number;
  readonly to: number;
  /** Input samples between a sample's arrival and its place in the output. */
  readonly delay: number;
  private readonly up: number;
  private readonly down: number;
  private readonly phases: number;
  private readonly taps: number;
  private readonly table: Float32Array;
  private history: Float32Array;
  /** Position of the next output sample: whole input samples into `history`, and a fraction of `up`. */
  private index = 0;
  private fraction = 0;

  constructor(from: number, to: number) {
    if (!(from > 0) || !(to > 0) || !Number.isInteger(from) || !Number.isInteger(to)) {
      throw new RangeError("Sample rates are whole numbers above zero.");
    }
    this.from = from;
    this.to = to;
    const divisor = greatestCommonDivisor(from, to);
    this.up = to / divisor;
    this.down = from / divisor;
    this.phases = Math.min(this.up, MAX_PHASES);
    const scale = Math.min(1, to / from);
    this.delay = from === to ? 0 : Math.ceil(CROSSINGS / scale);
    this.taps = this.delay * 2;
    this.table = from === to ? new Float32Array(0) : kernel(this.phases, this.delay, 0.47 * scale);
    this.history = new Float32Array(Math.max(0, this.taps - 1));
  }

  /** The output that `input` completes; its length varies by one from call to call. */
  process(input: Float32Array): Float32Array {
    if (this.from === this.to) return input.slice();
    const joined = new Float32Array(this.history.length + input.length);
    joined.set(this.history);
    joined.set(input, this.history.length);
    const { taps, table, up, down, phases } = this;
    const last = joined.length - taps;
    const room = last < this.index ? 0 : Math.ceil(((last - this.index + 1) * up - this.fraction) / down);
    const output = new Float32Array(Math.max(0, room));
    let index = this.index;
    let fraction = this.fraction;
    let count = 0;
    while (index <= last && count < output.length) {
      const row = (up === phases ? fraction : Math.floor((fraction * phases) / up)) * taps;
      let sum = 0;
      for (let k = 0; k < taps; k++) sum += (table[row + k] as number) * (joined[index + k] as number);
      output[count++] = sum;
      fraction += down;
      index += Math.floor(fraction / up);
      fraction %= up;
    }
    const drop = Math.min(index, joined.length);
    this.history = joined.slice(drop);
    this.index = index - drop;
    this.fraction = fraction;
    return count === output.length ? output : output.slice(0, count);
  }

  /** The output that is still held back; the stream ends and the next call starts a new one. */
  flush(): Float32Array {
    const tail = this.process(new Float32Array(this.delay));
    this.reset();
    return tail;
  }

  /** Forgets the stream. */
  reset(): void {
    this.history = new Float32Array(Math.max(0, this.taps - 1));
    this.index = 0;
    this.fraction = 0;
  }
}

/** Rows of taps, one for each fraction of an input sample; each row sums to one. */
function kernel(phases: number, half: number, cutoff: number): Float32Array {
  const taps = half * 2;
  const table = new Float32Array(phases * taps);
  const norm = bessel(KAISER_BETA);
  for (let phase = 0; phase < phases; phase++) {
    let sum = 0;
    for (let k = 0; k < taps; k++) {
      const t = k - (half - 1) - phase / phases;
      const x = t / half;
      const window = Math.abs(x) >= 1 ? 0 : bessel(KAISER_BETA * Math.sqrt(1 - x * x)) / norm;
      const angle = 2 * Math.PI * cutoff * t;
      const value = (t === 0 ? 1 : Math.sin(angle) / angle) * window;
      table[phase * taps + k] = value;
      sum += value;
    }
    for (let k = 0; k < taps; k++) table[phase * taps + k] = (table[phase * taps + k] as number) / sum;
  }
  return table;
}

/** Modified Bessel function of the first kind, order zero. */
function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; k < 40; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
