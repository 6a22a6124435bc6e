/* The elementwise part of a gated recurrent layer, forward and back, with values in 16 bits (bfloat16) and the
   running state in 32. Gates lie reset, keep, fresh, as torch orders them. Written so that a compiler makes vectors
   of every loop. */

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MOST = 1024 };

static void widen(const uint16_t *restrict from, float *restrict to, int count) {
  uint32_t bits[4 * MOST];
  for (int i = 0; i < count; i++) bits[i] = (uint32_t)from[i] << 16;
  memcpy(to, bits, count * sizeof *to);
}

static void shorten(const float *restrict from, uint16_t *restrict to, int count) {
  uint32_t bits[4 * MOST];
  memcpy(bits, from, count * sizeof *from);
  for (int i = 0; i < count; i++) to[i] = (uint16_t)((bits[i] + 0x7FFF + ((bits[i] >> 16) & 1)) >> 16);
}

/* e to the x within 1e-6 of it. */
static inline float power(float x) {
  float scaled = fminf(fmaxf(x, -80), 80) * 1.44269504f, whole = rintf(scaled), part = scaled - whole;
  float series = 1 + part * (0.69314718f + part * (0.24022651f + part * (0.05550411f + part * (0.00961813f
                   + part * 0.00133336f))));
  union {
    int32_t bits;
    float number;
  } scale = {.bits = ((int32_t)whole + 127) << 23};
  return series * scale.number;
}

static inline float sigmoid(float x) { return 1 / (1 + power(-x)); }
static inline float squash(float x) { return 2 / (1 + power(-2 * x)) - 1; }

/* One step of `rows` streams of at most MOST units: `x` and `h` are the gates' sums from below and from the last
   state; `saved` gets reset, keep, fresh and h's part of fresh; `out` the new state. */
void gru_forward(int rows, int units, const uint16_t *x, const uint16_t *h, const float *restrict bias_x,
                 const float *restrict bias_h, float *restrict state, uint16_t *saved, uint16_t *out) {
  float gx[3 * MOST], gh[3 * MOST], kept[4 * MOST];
  for (int row = 0; row < rows; row++, state += units) {
    widen(x + (long)row * 3 * units, gx, 3 * units);
    widen(h + (long)row * 3 * units, gh, 3 * units);
    for (int i = 0; i < 2 * units; i++) kept[i] = sigmoid(gx[i] + bias_x[i] + gh[i] + bias_h[i]);
    float *fresh = kept + 2 * units, *part = kept + 3 * units;
    for (int i = 0; i < units; i++) part[i] = gh[2 * units + i] + bias_h[2 * units + i];
    for (int i = 0; i < units; i++)
      fresh[i] = squash(gx[2 * units + i] + bias_x[2 * units + i] + kept[i] * part[i]);
    for (int i = 0; i < units; i++) state[i] = fresh[i] + kept[units + i] * (state[i] - fresh[i]);
    shorten(kept, saved + (long)row * 4 * units, 4 * units);
    shorten(state, out + (long)row * units, units);
  }
}

/* The same step back: `wanted` is the gradient of this step's state from above, `later` what came through the next
   step's gates, `carry` through its state. */
void gru_backward(int rows, int units, const uint16_t *wanted, const uint16_t *later, const uint16_t *saved,
                  const uint16_t *before, float *restrict carry, uint16_t *to_x, uint16_t *to_h) {
  float above[MOST], through[MOST], last[MOST], kept[4 * MOST], gates[4 * MOST];
  for (int row = 0; row < rows; row++, carry += units) {
    widen(wanted + (long)row * units, above, units);
    widen(later + (long)row * units, through, units);
    widen(before + (long)row * units, last, units);
    widen(saved + (long)row * 4 * units, kept, 4 * units);
    const float *keep = kept + units, *fresh = kept + 2 * units, *part = kept + 3 * units;
    for (int i = 0; i < units; i++) {
      float gradient = above[i] + through[i] + carry[i], reset = kept[i];
      float for_fresh = gradient * (1 - keep[i]) * (1 - fresh[i] * fresh[i]);
      gates[i] = for_fresh * part[i] * reset * (1 - reset);
      gates[units + i] = gradient * (last[i] - fresh[i]) * keep[i] * (1 - keep[i]);
      gates[2 * units + i] = for_fresh;
      gates[3 * units + i] = for_fresh * reset;
      carry[i] = gradient * keep[i];
    }
    shorten(gates, to_x + (long)row * 3 * units, 3 * units);
    memcpy(gates + 2 * units, gates + 3 * units, units * sizeof *gates);
    shorten(gates, to_h + (long)row * 3 * units, 3 * units);
  }
}
