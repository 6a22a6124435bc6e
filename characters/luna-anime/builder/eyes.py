"""One eye: white (mask), iris, catchlights, lid shadow, lashes, crease and brow."""
import math

import cairo
import numpy as np

from .ink import disc, fill, ink, linear, radial, rgb, smooth, taper, through
from .palette import BROW, LASH, WING
from .part import Part, strip
from .space import face_z

OFFSET, Y, HALF = 118.0, 752.0, 60.0
IRIS = (-2.0, -3.0, 43.0, 52.0)

UPPER = through([-1, -0.86, -0.55, -0.1, 0.3, 0.66, 0.9, 1], [8, -16, -44, -60, -61, -52, -36, -20])
LOWER = through([-1, -0.86, -0.46, 0.0, 0.42, 0.75, 0.93, 1], [8, 32, 47, 52, 50, 40, 20, -20])


def closed(t):
    return 26 + 15 * (1 - t * t) - 6 * t


def happy(t):
    return 24 - 22 * (1 - t * t) - 3 * t


class Eye:
    """The shapes of the eye on one side; side +1 is the character's left, at the viewer's right."""

    def __init__(self, side):
        self.side = side
        self.word = "Left" if side > 0 else "Right"
        self.x0 = 540 + side * OFFSET
        names = ("eyeBlink eyeSquint eyeWide eyeLookUp eyeLookDown eyeLookIn eyeLookOut cheekSquint").split()
        self.morphs = [n + self.word for n in names]
        self.brow_morphs = ["browInnerUp", "browDown" + self.word, "browOuterUp" + self.word]

    def get(self, p, name):
        return p.get(name + self.word, 0.0)

    def lids(self, p, t):
        """y of the upper and lower lid at t (-1 inner corner, 1 outer corner), relative to Y."""
        t = np.clip(t, -1, 1)
        soft = 1 - t * t
        g = lambda n: self.get(p, n)
        up = UPPER(t) - 6 * g("eyeWide") * soft + 13 * g("eyeSquint") * soft + 9 * g("eyeLookDown") * soft \
            - 4 * g("eyeLookUp") * soft + 5 * g("cheekSquint") * soft
        low = LOWER(t) + 2 * g("eyeWide") * soft - 11 * g("eyeSquint") * soft - 15 * g("cheekSquint") * soft \
            + 2 * g("eyeLookDown") * soft
        smile = np.clip(g("cheekSquint"), 0, 1)
        shut = closed(t) * (1 - smile) + happy(t) * smile
        b = g("eyeBlink")
        return up + (shut - up) * b, low + (shut - low) * b

    def at(self, t, y):
        return self.x0 + self.side * (HALF * t + 1), Y + y

    def white_shape(self, p):
        def shape(t, s):
            up, low = self.lids(p, t)
            x, y = self.at(t, up + (low - up) * np.clip(s, 0, 1))
            above = self.lash_shape(p, "upper")(t, -2.0)
            below = self.lash_shape(p, "lower")(t, 4.0)
            return (np.where(s < 0, above[0], np.where(s > 1, below[0], x)),
                    np.where(s < 0, above[1], np.where(s > 1, below[1], y)))
        return shape

    def lash_shape(self, p, which):
        """s is an offset in pixels across the lid; negative is upwards."""
        def shape(t, s):
            k = np.clip(t, -1, 1)
            a, b = np.clip(k - 0.03, -1, 1), np.clip(k + 0.03, -1, 1)
            pick = 0 if which == "upper" else 1
            y, ya, yb = (self.lids(p, q)[pick] for q in (k, a, b))
            dx, dy = HALF * (b - a), yb - ya
            length = np.hypot(dx, dy)
            dx, dy = dx / length, dy / length
            past = (t - k) * HALF
            return self.at(k + (-dy * s + dx * past) / HALF, y + dx * s + dy * past)
        return shape

    def shadow_shape(self, p):
        def shape(t, s):
            up, _ = self.lids(p, t)
            return self.at(t, up + s)
        return shape

    def move_wing(self, p, part):
        """The flicks follow the end of the lash and fold flat as the eye closes."""
        x, y = part.aux["t"], part.aux["s"]
        t = np.clip(x / HALF, -1, 1)
        up, rest = self.lids(p, t)[0], self.lids({}, t)[0]
        flat = 1 - 0.62 * self.get(p, "eyeBlink") * np.clip((x - 36) / 24, 0, 1)
        return self.at(x / HALF, up + (y - rest) * flat)

    def crease_shape(self, p):
        def shape(t, s):
            up, _ = self.lids(p, t)
            rest, _ = self.lids({}, t)
            return self.at(t, rest - 19 + (up - rest) * 0.4 + s)
        return shape

    def gaze(self, p, share):
        g = lambda n: self.get(p, n)
        inward = g("eyeLookIn") - g("eyeLookOut")
        return (-self.side * inward * 21 * share,
                (g("eyeLookDown") * 15 - g("eyeLookUp") * 17 + g("eyeBlink") * 6) * share)

    def move_iris(self, share):
        def deform(p, part):
            dx, dy = self.gaze(p, share)
            return part.x + dx, part.y + dy
        return deform

    def move_brow(self, p, part):
        inner = p.get("browInnerUp", 0.0)
        down, outer = self.get(p, "browDown"), self.get(p, "browOuterUp")
        t = (part.x - self.x0) * self.side / HALF
        toward = np.clip((0.9 - t) / 1.8, 0, 1)
        away = np.clip((t + 0.4) / 1.5, 0, 1)
        dy = -20 * inner * toward + down * (5 + 19 * toward) - 17 * outer * away
        dx = -self.side * 5 * down * toward
        return part.x + dx, part.y + dy

    def polygon(self, grow=0.0):
        t = np.linspace(-1, 1, 81)
        up, low = self.lids({}, t)
        ux, uy = self.at(t, up - grow)
        lx, ly = self.at(t, low + grow)
        return np.concatenate([np.stack([ux, uy], 1), np.stack([lx, ly], 1)[::-1]])

    def draw_white(self, c):
        fill(c, self.polygon(), linear(0, Y - 55, 0, Y + 48, (0, "#dfe1f4"), (0.4, "#fbfaff"), (1,
                                                                                                "#ffffff")))

    def draw_iris(self, c):
        x, y = self.at(0, 0)
        x, y = x + self.side * IRIS[0], y + IRIS[1]
        rx, ry = IRIS[2], IRIS[3]
        disc(c, x, y, rx, ry, "#1b1f5a")
        disc(c, x, y, rx - 2.4, ry - 2.4, linear(0, y - ry, 0, y + ry, (0, "#1c2270"), (0.3, "#2f3fb4"),
                                                  (0.56, "#4a6fe6"), (0.78, "#62b4fa"), (1, "#a5f0ff")))
        c.save()
        c.translate(x, y)
        c.scale(rx - 2.4, ry - 2.4)
        c.arc(0, 0, 1, 0, 2 * math.pi)
        c.restore()
        c.save()
        c.clip()
        # Streaks that fan out from the pupil.
        for k in range(26):
            a = math.pi * (0.06 + 0.88 * k / 25)
            r0, r1 = 0.5, 0.80 + 0.12 * ((k * 7) % 5) / 4
            p = [(x + rx * r * math.cos(a), y + ry * r * math.sin(a)) for r in (r0, r1)]
            ink(c, np.array(p), [1.6, 0.5], rgb("#d4f6ff" if k % 2 else "#27358f", 0.30))
        # A crescent of light along the lower rim.
        c.push_group()
        disc(c, x, y + 4, rx * 0.80, ry * 0.80, rgb("#c9fbff", 0.85))
        c.set_operator(cairo.OPERATOR_DEST_OUT)
        disc(c, x, y - 7, rx * 0.86, ry * 0.80, (0, 0, 0, 1))
        c.set_operator(cairo.OPERATOR_OVER)
        c.pop_group_to_source()
        c.paint_with_alpha(0.8)
        # A violet glow at one side.
        disc(c, x + 15, y + 17, 20, 22, radial(x + 15, y + 17, 0, 22, (0, rgb("#b48bff", 0.5)),
                                              (1, rgb("#b48bff", 0))))
        disc(c, x, y - ry, rx * 1.15, ry * 0.95, linear(0, y - ry, 0, y - 2, (0, rgb("#12164a", 0.85)),
                                                        (1, rgb("#12164a", 0))))
        c.restore()
        disc(c, x, y - 1, rx * 0.44, ry * 0.47, "#0e1240")
        disc(c, x, y + 6, rx * 0.30, ry * 0.26, linear(0, y - 6, 0, y + 18, (0, rgb("#0e1240", 0)),
                                                       (1, rgb("#3a4cc0", 0.8))))

    def draw_lights(self, c):
        # The light comes from the viewer's upper left for both eyes.
        x, y = self.at(0, 0)
        x, y = x + self.side * IRIS[0], y + IRIS[1]
        disc(c, x - 14, y - 20, 12.5, 14.5, rgb("#ffffff"), -0.3)
        disc(c, x + 15, y + 17, 6.2, 7.4, rgb("#ffffff", 0.92), -0.3)
        disc(c, x + 3, y + 29, 3.2, 2.6, rgb("#ffffff", 0.7))
        disc(c, x + 17, y - 27, 3.4, 3.4, rgb("#ffffff", 0.75))

    def draw_shadow(self, c):
        t = np.linspace(-1, 1, 61)
        up, _ = self.lids({}, t)
        depth = 17 * (1 - np.abs(t) ** 2.5) + 2
        ax, ay = self.at(t, up - 6)
        bx, by = self.at(t, up + depth)
        p = np.concatenate([np.stack([ax, ay], 1), np.stack([bx, by], 1)[::-1]])
        fill(c, p, linear(0, Y - 58, 0, Y - 10, (0, rgb("#3b357c", 0.62)), (1, rgb("#5a55a8", 0.25))))

    def draw_upper(self, c):
        thick = through([-1, -0.8, -0.3, 0.3, 0.75, 1], [0.8, 4, 9, 13, 14, 6])
        s = np.linspace(-1, 1.04, 101)
        band = self.lash_shape({}, "upper")
        # Both edges meet at the inner corner.
        a = np.stack(band(s, 2.6 - 2.8 * np.clip((-0.8 - s) / 0.2, 0, 1)), 1)
        b = np.stack(band(s, -thick(np.clip(s, -1, 1))), 1)
        x0, x1 = self.x0 - self.side * HALF, self.x0 + self.side * HALF
        fill(c, np.concatenate([a, b[::-1]]), linear(x0, 0, x1, 0, (0, "#553353"), (0.35, LASH), (1, WING)))
        # A warm edge where lash meets skin at the inner side.
        k = np.linspace(-0.75, 0.1, 9)
        taper(c, np.stack(band(k, -thick(k) + 1.2), 1), 2.4, rgb("#9a79b4", 0.6))

    def draw_wing(self, c):
        pt = lambda x, y: self.at(x / HALF, y)
        wings = [([(42, -60), (62, -52), (77, -47), (93, -53)], [(93, -53), (81, -37), (59, -20)]),
                 ([(58, -36), (69, -28), (82, -26)], [(82, -26), (71, -19), (58, -14)])]
        for a, b in wings:
            fill(c, np.vstack([smooth([pt(*q) for q in a]), smooth([pt(*q) for q in b])]), WING)

    def draw_lower(self, c):
        t = np.sin(np.linspace(math.asin(-0.55), math.pi / 2, 61))
        u = np.linspace(0, 1, 61)
        x, y = self.lash_shape({}, "lower")(t, np.full_like(t, 1.0))
        ink(c, np.stack([x, y], 1),
            3.5 * np.sin(np.pi / 2 * np.clip(u * 1.5, 0, 1)) ** 1.4 * (1 - 0.35 * u),
            rgb("#6d4257", 0.9))
        for k in (0.45, 0.68):
            a = self.at(k, float(LOWER(np.array(k))) + 1)
            taper(c, [a, (a[0] + self.side * 5, a[1] + 4), (a[0] + self.side * 9, a[1] + 6)], 2.6,
                  rgb("#6d4257", 0.8), start=1, end=0, peak=0.05)

    def draw_crease(self, c):
        t = np.linspace(-0.62, 0.86, 41)
        up, _ = self.lids({}, t)
        u = (t + 0.62) / 1.48
        ink(c, np.stack(self.at(t, up - 19 - 2 * u), 1), 3.0 * np.sin(np.pi * u) ** 0.7,
            rgb("#b4776f", 0.85))

    def brow_line(self):
        q = [(-50, -99), (-20, -106), (14, -107), (46, -99), (66, -86)]
        return [(self.x0 + self.side * a, Y + b) for a, b in q]

    def draw_brow(self, c):
        taper(c, self.brow_line(), 9.5, BROW, start=0.2, end=0.05, peak=0.35)

    def box(self, shape, cols, rows, m=5):
        t, s = np.meshgrid(cols, rows)
        x, y = shape(t.ravel(), s.ravel())
        return (math.floor(x.min() - m), math.floor(y.min() - m), math.ceil(x.max() + m),
                math.ceil(y.max() + m))

    def strip(self, name, shape, cols, rows, draw, lift, **layer):
        ref = shape({})
        return Part(name + self.word, self.box(ref, cols, rows), draw, scale=1.5,
                    grid=strip(cols, rows, ref), deform=lambda p, q: shape(p)(q.aux["t"], q.aux["s"]),
                    z=lambda x, y: face_z(x, y) + lift, morphs=self.morphs, **layer)

    def parts(self):
        channel = 2 if self.side > 0 else 3
        x, y = self.at(0, 0)
        iris = (x - 50, y - 62, x + 50, y + 58)
        cols = 0.5 * np.linspace(-1, 1, 19) + 0.5 * np.sin(np.linspace(-1, 1, 19) * math.pi / 2)
        wide = np.concatenate([[-1.06], cols, [1.08]])
        wx0, wx1 = sorted((self.x0 + self.side * 34, self.x0 + self.side * 102))
        wing = (wx0 - 4, Y - 72, wx1 + 4, Y + 10)
        z = lambda lift: lambda px, py: face_z(px, py) + lift
        bx0, bx1 = sorted((self.x0 - self.side * 62, self.x0 + self.side * 74))
        brow = dict(draw=self.draw_brow, scale=1.5, cell=22, deform=self.move_brow, z=z(8),
                    morphs=self.brow_morphs)
        name = "brow" + self.word
        return [
            self.strip("eyeWhite", self.white_shape, cols, [-1, 0, 0.5, 1, 2], self.draw_white, 2,
                       mask=channel),
            Part("iris" + self.word, iris, self.draw_iris, scale=1.6, cell=34, deform=self.move_iris(1.0),
                 z=z(3), morphs=self.morphs, clip=channel),
            self.strip("lidShadow", self.shadow_shape, cols, [-8, 10, 32],
                       self.draw_shadow, 3, clip=channel),
            Part("lights" + self.word, iris, self.draw_lights, scale=1.5, cell=50,
                 deform=self.move_iris(0.7), z=z(5), morphs=self.morphs, clip=channel),
            self.strip("lashLower", lambda p: self.lash_shape(p, "lower"), cols, [-4, 3, 12],
                       self.draw_lower, 4, hidden_by="eyeBlink" + self.word),
            Part("wing" + self.word, wing, self.draw_wing, scale=1.5, deform=self.move_wing, z=z(6),
                 grid=strip([34, 44, 52, 60, 78, 102], [-70, -50, -34, -20, 8], lambda a,
                            b: self.at(a / HALF, b)),
                 morphs=self.morphs),
            self.strip("lashUpper", lambda p: self.lash_shape(p, "upper"), wide, [-19, -8, 6],
                       self.draw_upper, 6),
            self.strip("crease", self.crease_shape, np.linspace(-1, 1, 11), [-6, 6], self.draw_crease, 4,
                       hidden_by="eyeBlink" + self.word),
            Part(name, (bx0, Y - 122, bx1, Y - 74),
                 layers=[dict(name=name), dict(name="browOver" + self.word, opacity=0.62, order=1000)],
                 **brow),
        ]

    def correctives(self):
        w = self.word
        return [f"eyeBlink{w}*{n}{w}" for n in ("eyeSquint", "eyeWide", "eyeLookUp", "eyeLookDown",
                                                "cheekSquint")]

    def landmark(self):
        return "eye" + self.word, "iris" + self.word, *self.at(0, 0)
