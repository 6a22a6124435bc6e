"""Drawing primitives on cairo: smooth curves, tapered ink lines, gradients."""
import math

import cairo
import numpy as np


def rgb(text, alpha=1.0):
    """'#rrggbb' as a cairo colour with alpha."""
    text = text.lstrip("#")
    return tuple(int(text[i:i + 2], 16) / 255 for i in (0, 2, 4)) + (alpha,)


def smooth(points, closed=False, steps=14):
    """Samples a Catmull-Rom curve through the points; an (n, 2) array."""
    p = np.asarray(points, float)
    n = len(p)
    if n < 3 and not closed:
        u = np.linspace(0, 1, steps + 1)[:, None]
        return p[0] * (1 - u) + p[-1] * u
    out = []
    for i in range(n if closed else n - 1):
        if closed:
            a, b, c, d = (p[(i + k) % n] for k in (-1, 0, 1, 2))
        else:
            b, c = p[i], p[i + 1]
            a = p[i - 1] if i > 0 else 2 * b - c
            d = p[i + 2] if i + 2 < n else 2 * c - b
        u = np.linspace(0, 1, steps, endpoint=False)[:, None]
        out.append(0.5 * (2 * b + (c - a) * u + (2 * a - 5 * b + 4 * c - d) * u ** 2
                          + (3 * b - a - 3 * c + d) * u ** 3))
    if not closed:
        out.append(p[-1:])
    return np.vstack(out)


def runs(*parts):
    """Joins smooth runs by corners into one polygon."""
    return np.vstack([smooth(part) for part in parts])


def mirror(points, x=540.0):
    """The same points on the other side of the vertical line at x."""
    p = np.array(points, float)
    p[:, 0] = 2 * x - p[:, 0]
    return p


def linear(x0, y0, x1, y1, *stops):
    g = cairo.LinearGradient(x0, y0, x1, y1)
    for offset, colour in stops:
        g.add_color_stop_rgba(offset, *(rgb(colour) if isinstance(colour, str) else colour))
    return g


def radial(x, y, r0, r1, *stops):
    g = cairo.RadialGradient(x, y, r0, x, y, r1)
    for offset, colour in stops:
        g.add_color_stop_rgba(offset, *(rgb(colour) if isinstance(colour, str) else colour))
    return g


def source(c, colour):
    if isinstance(colour, str):
        c.set_source_rgba(*rgb(colour))
    elif isinstance(colour, tuple):
        c.set_source_rgba(*colour)
    else:
        c.set_source(colour)


def trace(c, polygon):
    c.new_path()
    c.move_to(*polygon[0])
    for x, y in polygon[1:]:
        c.line_to(x, y)
    c.close_path()


def fill(c, polygon, colour):
    trace(c, polygon)
    source(c, colour)
    c.fill()


def clip(c, polygon):
    """Saves the state and clips to the polygon; the caller restores."""
    c.save()
    trace(c, polygon)
    c.clip()


def disc(c, x, y, rx, ry, colour, angle=0.0):
    c.save()
    c.translate(x, y)
    c.rotate(angle)
    c.scale(rx, ry)
    c.new_path()
    c.arc(0, 0, 1, 0, 2 * math.pi)
    c.restore()
    source(c, colour)
    c.fill()


def ink(c, line, widths, colour, closed=False):
    """A line of varying width, filled at once so that overlaps leave no seams."""
    p = np.asarray(line, float)
    w = np.broadcast_to(np.asarray(widths, float), (len(p),)) / 2
    if closed:
        p, w = np.vstack([p, p[:1]]), np.append(w, w[0])
    c.new_path()
    for (a, b, wa, wb) in zip(p[:-1], p[1:], w[:-1], w[1:]):
        d = b - a
        length = math.hypot(*d)
        if length < 1e-6:
            continue
        n = np.array([-d[1], d[0]]) / length
        quad = [a + n * wa, a - n * wa, b - n * wb, b + n * wb]
        area = sum(q[0] * r[1] - r[0] * q[1] for q, r in zip(quad, quad[1:] + quad[:1]))
        if area < 0:
            quad.reverse()
        c.move_to(*quad[0])
        for q in quad[1:]:
            c.line_to(*q)
        c.close_path()
    for (x, y), r in zip(p, w):
        if r > 0.3:
            c.new_sub_path()
            c.arc(x, y, r, 0, 2 * math.pi)
            c.close_path()
    c.set_fill_rule(cairo.FILL_RULE_WINDING)
    source(c, colour)
    c.fill()


def arc_position(line):
    """Position along a polyline, 0...1."""
    p = np.asarray(line, float)
    s = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(p, axis=0).T))])
    return s / max(s[-1], 1e-9)


def taper(c, points, width, colour, start=0.0, end=0.0, peak=0.5, steps=14):
    """A tapered stroke: `start` and `end` are the shares of the width left at the ends."""
    p = smooth(points, steps=steps)
    u = arc_position(p)
    rise = np.clip(u / max(peak, 1e-6), 0, 1)
    fall = np.clip((1 - u) / max(1 - peak, 1e-6), 0, 1)
    shape = np.where(u < peak, start + (1 - start) * np.sin(rise * math.pi / 2),
                     end + (1 - end) * np.sin(fall * math.pi / 2))
    ink(c, p, width * shape, colour)


def outline(c, polygon, width, colour, light=(-0.6, -0.8), vary=0.45, closed=True):
    """A silhouette line, thinner where the edge faces the light."""
    p = np.asarray(polygon, float)
    nxt = np.roll(p, -1, 0) - np.roll(p, 1, 0)
    if not closed:
        nxt[0], nxt[-1] = p[1] - p[0], p[-1] - p[-2]
    area = np.sum(p[:, 0] * np.roll(p[:, 1], -1) - np.roll(p[:, 0], -1) * p[:, 1])
    n = np.stack([nxt[:, 1], -nxt[:, 0]], 1) * (1 if area > 0 else -1)
    n /= np.maximum(np.hypot(n[:, 0], n[:, 1]), 1e-9)[:, None]
    facing = n @ np.array(light)
    w = width * (1 - vary * facing)
    k = np.array([1, 2, 3, 4, 3, 2, 1]) / 16
    w = np.convolve(np.concatenate([w[-3:], w, w[:3]]), k, "valid")
    ink(c, p, w, colour, closed=closed)


def smoothstep(x, a, b):
    u = np.clip((np.asarray(x, float) - a) / (b - a), 0, 1)
    return u * u * (3 - 2 * u)


def through(ts, ys):
    """A smooth function of t through the given points."""
    line = smooth(np.stack([ts, ys], 1), steps=24)
    order = np.argsort(line[:, 0], kind="stable")
    xs, vs = line[order, 0], line[order, 1]
    return lambda t: np.interp(t, xs, vs)
