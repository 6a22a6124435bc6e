// The baseline of `yoob bench face --baseline`: a plain triangle rasterizer in C, one core.
//
// A warped grid of 2,592 triangles, affine bilinear RGBA8, 720 x 720. Each number on standard input is a
// number of frames to draw; the answer is one line with the milliseconds of processor time of each frame.
//
//   cc -O2 rb.c -o rb -lm && echo 50 | ./rb

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SIDE 720
#define CELLS 36

static uint8_t texture[SIDE * SIDE * 4], frame[SIDE * SIDE * 4];

static void triangle(float *a, float *b, float *c, float *ta, float *tb, float *tc) {
  float d = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
  if (fabsf(d) < 1e-4) return;
  float id = 1 / d;
  float mx = fminf(a[0], fminf(b[0], c[0])), Mx = fmaxf(a[0], fmaxf(b[0], c[0]));
  float my = fminf(a[1], fminf(b[1], c[1])), My = fmaxf(a[1], fmaxf(b[1], c[1]));
  int x0 = fmaxf(0, floorf(mx)), x1 = fminf(SIDE - 1, ceilf(Mx));
  int y0 = fmaxf(0, floorf(my)), y1 = fminf(SIDE - 1, ceilf(My));
  float e1x = (c[1] - a[1]) * id, e1y = -(c[0] - a[0]) * id;
  float e2x = -(b[1] - a[1]) * id, e2y = (b[0] - a[0]) * id;
  for (int y = y0; y <= y1; y++)
    for (int x = x0; x <= x1; x++) {
      float px = x + .5f - a[0], py = y + .5f - a[1];
      float w1 = px * e1x + py * e1y, w2 = px * e2x + py * e2y, w0 = 1 - w1 - w2;
      if (w0 < 0 || w1 < 0 || w2 < 0) continue;
      float u = w0 * ta[0] + w1 * tb[0] + w2 * tc[0], v = w0 * ta[1] + w1 * tb[1] + w2 * tc[1];
      if (u < 0) u = 0;
      if (v < 0) v = 0;
      if (u > SIDE - 1.01f) u = SIDE - 1.01f;
      if (v > SIDE - 1.01f) v = SIDE - 1.01f;
      int ui = u, vi = v;
      int fu = (u - ui) * 256, fv = (v - vi) * 256;
      uint8_t *p = texture + (vi * SIDE + ui) * 4, *q = p + SIDE * 4, *o = frame + (y * SIDE + x) * 4;
      for (int k = 0; k < 3; k++) {
        int t = p[k] * (256 - fu) + p[k + 4] * fu, bb = q[k] * (256 - fu) + q[k + 4] * fu;
        o[k] = (t * (256 - fv) + bb * fv) >> 16;
      }
    }
}

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

int main(void) {
  static float seen[(CELLS + 1) * (CELLS + 1) * 2], place[(CELLS + 1) * (CELLS + 1) * 2];
  for (int i = 0; i < SIDE * SIDE * 4; i++) texture[i] = rand();
  for (int j = 0; j <= CELLS; j++)
    for (int i = 0; i <= CELLS; i++) {
      int k = (j * (CELLS + 1) + i) * 2;
      place[k] = i * (SIDE / (float)CELLS);
      place[k + 1] = j * (SIDE / (float)CELLS);
      seen[k] = place[k] + 4 * sinf(j * .7f);
      seen[k + 1] = place[k + 1] + 4 * cosf(i * .9f);
    }
  int frames;
  while (scanf("%d", &frames) == 1) {
    for (int r = 0; r < frames; r++) {
      double start = milliseconds();
      for (int j = 0; j < CELLS; j++)
        for (int i = 0; i < CELLS; i++) {
          int k = (j * (CELLS + 1) + i) * 2, down = (CELLS + 1) * 2;
          float *P = seen + k, *T = place + k;
          triangle(P, P + 2, P + down, T, T + 2, T + down);
          triangle(P + 2, P + down + 2, P + down, T + 2, T + down + 2, T + down);
        }
      printf("%.4f%s", milliseconds() - start, r + 1 < frames ? " " : "");
    }
    printf("\n");
    fflush(stdout);
  }
  return 0;
}
