"""Hair: back mass and strands, crown, bangs, side locks, ahoge and the crescent clip."""
import math

import cairo
import numpy as np

from . import palette as P
from .ink import arc_position, clip, disc, fill, ink, linear, outline, rgb, smooth, smoothstep, taper
from .part import Part
from .space import hair_z, long_hair_head

ROOT = (556.0, 338.0)


class Lock:
    """A tapered lock of hair along a centre line, root first."""

    def __init__(self, name, centre, widths, spring=(150, 90, 6, 0.12), shade=1, sway_from=0.1, lift=20.0):
        self.name, self.spring, self.shade, self.sway_from, self.lift = name, spring, shade, sway_from, lift
        self.line = smooth(centre, steps=12)
        u = arc_position(self.line)
        v = np.linspace(0, 1, len(widths))
        w = smooth(np.stack([v, widths], 1), steps=12)
        self.half = np.maximum(np.interp(u, w[:, 0], w[:, 1]) / 2, 0)
        d = np.gradient(self.line, axis=0)
        d /= np.maximum(np.hypot(d[:, 0], d[:, 1]), 1e-9)[:, None]
        self.normal = np.stack([-d[:, 1], d[:, 0]], 1)
        self.u = u

    def edge(self, side):
        """Points along one edge; side -1...1 across the lock."""
        return self.line + self.normal * (self.half * side)[:, None]

    def polygon(self):
        return np.concatenate([self.edge(-1), self.edge(1)[::-1]])

    def box(self, m=6):
        p = self.polygon()
        return (np.floor(p[:, 0].min() - m), np.floor(p[:, 1].min() - m),
                np.ceil(p[:, 0].max() + m), np.ceil(p[:, 1].max() + m))

    def sway(self, x, y):
        """Position along the lock of the nearest point of its centre line, eased from the root."""
        d = (x[:, None] - self.line[:, 0]) ** 2 + (y[:, None] - self.line[:, 1]) ** 2
        u = self.u[d.argmin(1)]
        return np.clip((u - self.sway_from) / (1 - self.sway_from), 0, 1) ** 1.5

    def draw(self, base, shade_colour, line_colour, width=2.8, ring=True, strands=2, fade=(0.02, 0.3),
             light_colour=P.HAIR_LIGHT, blend=0):
        def paint(c):
            p = self.polygon()
            fill(c, p, base())
            clip(c, p)
            right = self.shade
            grow = smoothstep(self.u, fade[0] + 0.08, fade[1] + 0.3)
            band = self.line + self.normal * (self.half * right * (1 - 0.62 * grow))[:, None]
            fill(c, np.concatenate([band, self.edge(right * 1.2)[::-1]]), shade_colour)
            light = self.line - self.normal * (self.half * right * (1 - 0.20 * grow))[:, None]
            fill(c, np.concatenate([light, self.edge(-right * 1.2)[::-1]]), rgb(light_colour, 0.55))
            for k in range(strands):
                s = -0.35 + 0.5 * k
                q = self.line + self.normal * (self.half * s)[:, None]
                n = len(q)
                a, b = int(n * (0.18 + 0.1 * k)), int(n * (0.86 - 0.08 * k))
                taper(c, q[a:b:4], 2.0, rgb(P.HAIR_DEEP, 0.42))
            if ring:
                draw_ring(c)
            c.restore()
            for side in (-1, 1):
                e = self.edge(side)
                u = self.u
                w = width * smoothstep(u, *fade) * (1.15 if side == right else 0.85)
                w = w * (1 - 0.55 * smoothstep(u, 0.75, 1))
                ink(c, e, w, line_colour)
            if blend:
                # The root melts into the hair below it.
                d = self.line[1] - self.line[0]
                d = d / np.hypot(*d) * blend
                a, b = self.line[0], self.line[0] + d
                c.save()
                c.set_operator(cairo.OPERATOR_DEST_OUT)
                c.set_source(linear(*a, *b, (0, (0, 0, 0, 1)), (0.15, (0, 0, 0, 1)), (1, (0, 0, 0, 0))))
                c.paint()
                c.restore()
        return paint


def hair_gradient():
    return linear(0, 330, 0, 1280, (0, P.HAIR_LIGHT), (0.10, P.HAIR), (0.36, P.HAIR), (0.62, P.HAIR_LOW),
                  (1, P.HAIR_TIP))


def back_gradient():
    return linear(0, 330, 0, 1540, (0, P.BACK_TOP), (0.4, P.BACK), (0.75, P.BACK), (1, P.BACK_TIP))


def ring_height(x):
    return 462 + 0.0007 * (x - 540) ** 2


def draw_ring(c):
    """The band of light across crown and bangs: streaks along the fall of the hair."""
    edges = (288, 352, 366, 470, 484, 552, 562, 652, 664, 702, 712, 792)
    blades = []
    for k in range(84):
        x = 286 + k * 6.1
        span = [(a, b) for a, b in zip(edges[::2], edges[1::2]) if a <= x <= b]
        if not span:
            continue
        group = math.sin(math.pi * (x - span[0][0] + 3) / (span[0][1] - span[0][0] + 6)) ** 0.6
        wave = 0.5 + 0.5 * math.sin(k * 2.399) * math.cos(k * 0.7)
        d = np.array([x, ring_height(x)]) - ROOT
        d = d / np.hypot(*d) * 0.45 + np.array([0, 0.55])
        mid = np.array([x, ring_height(x) + 3 * wave])
        blades.append((span[0], mid, d, group * (10 + 2 * wave), group * (17 + 30 * wave ** 2)))
    for more, width, colour in ((4, 12, P.RING_SOFT), (0, 9.5, P.RING)):
        for _, mid, d, up, down in blades:
            taper(c, [mid - d * up * 0.5, mid, mid + d * (down + 2 * more)], width, rgb(colour), peak=0.3)
        # One even edge along the top, where the points of the blades would look torn.
        for span in sorted({b[0] for b in blades}):
            own = [b for b in blades if b[0] == span]
            top = [mid - d * (up + more) for _, mid, d, up, _ in own]
            low = [mid + d * (up + more) * 0.6 for _, mid, d, up, _ in own]
            fill(c, np.vstack([smooth(top), smooth(low[::-1])]), rgb(colour))


def bangs():
    """Front locks, from the outside in, so that the middle ones lie on top."""
    s = (190, 85, 6.5, 0.10)
    make = lambda name, tip, mid, upper, w, shade=1: Lock(
        name, [root_at(upper), upper, mid, tip], w, s, shade, 0.16, 26)
    return [
        make("bangA", (336, 738), (322, 600), (380, 440), [40, 104, 108, 66, 0]),
        make("bangG", (752, 742), (762, 600), (706, 440), [40, 104, 108, 66, 0]),
        make("bangB", (412, 692), (384, 584), (432, 432), [40, 104, 116, 78, 0]),
        make("bangF", (674, 696), (704, 584), (660, 432), [40, 104, 116, 78, 0]),
        make("bangE", (614, 676), (634, 580), (612, 430), [36, 84, 92, 54, 0]),
        make("bangC", (494, 726), (452, 590), (490, 430), [36, 96, 108, 72, 0]),
        make("bangD", (570, 712), (538, 590), (556, 430), [34, 82, 90, 58, 0]),
        make("bangH", (718, 700), (736, 610), (700, 470), [14, 26, 34, 22, 0]),
    ]


def root_at(upper):
    """Roots lie on a small arc round the whorl."""
    return 0.72 * upper[0] + 0.28 * ROOT[0], 0.72 * upper[1] + 0.28 * ROOT[1]


def flyaways():
    """Short strands that break the silhouette at the temples."""
    out = []
    for side, word in ((-1, "Right"), (1, "Left")):
        m = lambda q: [(540 + side * a, b) for a, b in q]
        out.append(Lock("flyaway" + word, m([(286, 560), (308, 660), (318, 750), (342, 826), (372, 860)]),
                        [30, 40, 38, 24, 0], (260, 70, 5.0, 0.16), side, 0.2))
    return out


def side_locks():
    out = []
    for side, word in ((-1, "Right"), (1, "Left")):
        m = lambda q: [(540 + side * a, b) for a, b in q]
        out.append(Lock("sideLong" + word, m([(214, 520), (262, 640), (280, 800), (274, 960), (258, 1110),
                                              (268, 1230), (246, 1350)]),
                        [70, 92, 88, 78, 74, 62, 46, 0], (520, 42, 4.5, 0.13), side, 0.28, 34))
        out.append(Lock("sideShort" + word, m([(206, 500), (240, 620), (242, 750), (230, 880), (240, 968),
                                               (212, 1050)]),
                        [60, 76, 70, 58, 44, 24, 0], (380, 60, 5.5, 0.13), side, 0.25, 42))
    return out


def crown_outline():
    return smooth([(228, 720), (222, 640), (232, 560), (262, 468), (322, 386), (408, 334), (500, 313),
                   (584, 312), (674, 333), (758, 386), (818, 468), (848, 560), (858, 640), (852, 720)])


def draw_crown(c):
    top = crown_outline()
    low = smooth([(852, 720), (806, 640), (784, 560), (700, 520), (540, 505), (380, 520), (296, 560), (274,
                                                                                                       640),
                  (228, 720)])
    p = np.concatenate([top, low])
    fill(c, p, hair_gradient())
    clip(c, p)
    # The side away from the light.
    fill(c, np.concatenate([smooth([(660, 322), (748, 400), (800, 500), (816, 600), (822, 740)]),
                            np.array([(900, 740), (900, 300)])]), rgb(P.HAIR_SHADE, 0.55))
    fill(c, np.concatenate([smooth([(246, 740), (252, 640), (262, 560), (290, 480)]),
                            smooth([(290, 480), (246, 560), (228, 640), (200, 740)])]), rgb(P.HAIR_LIGHT,
                                                                                            0.5))
    for x, y, w in ((246, 590, 2.8), (268, 500, 2.4), (812, 500, 2.4), (840, 600, 2.8)):
        line = smooth([ROOT, ((ROOT[0] + x) / 2 + (x - 540) * 0.10, (ROOT[1] + y) / 2 - 40), (x, y + 26)])
        taper(c, line[8::5], w, rgb(P.HAIR_DEEP, 0.5))
    for k, x in enumerate((316, 352, 392, 436, 476, 512, 546, 580, 616, 654, 694, 732, 768)):
        end = np.array([x, 436 + abs(x - 545) * 0.12])
        bend = np.array([ROOT[0] + (x - ROOT[0]) * 0.78, 352 + abs(x - 545) * 0.10])
        u = np.linspace(0.22, 1.0, 9)[:, None]
        line = (1 - u) ** 2 * np.array(ROOT) + 2 * u * (1 - u) * bend + u ** 2 * end
        if k % 3 == 1:
            taper(c, line[2:], 5, rgb(P.RING_SOFT, 0.26), peak=0.6)
        else:
            taper(c, line, 2.2, rgb(P.HAIR_DEEP, 0.34), peak=0.6)
    draw_ring(c)
    c.restore()
    outline(c, top, 3.2, P.HAIR_LINE, vary=0.3, closed=False)
    taper(c, [(549, 318), ROOT, (556, 362)], 2.4, rgb(P.HAIR_LINE, 0.6), start=0.6)


def back_locks():
    out = []
    for side, word in ((-1, "Right"), (1, "Left")):
        m = lambda q: [(540 + side * a, b) for a, b in q]
        out += [
            Lock("backOuter" + word, m([(236, 560), (264, 720), (292, 900), (318, 1070), (350, 1230),
                                        (392, 1370), (372, 1530)]), [60, 104, 142, 146, 136, 96, 0],
                 (640, 30, 3.6, 0.12), side, 0.3),
            Lock("backCurl" + word, m([(250, 900), (284, 1060), (308, 1220), (346, 1370), (384, 1480),
                                       (396, 1622)]), [70, 120, 124, 112, 74, 0],
                 (600, 28, 3.4, 0.13), side, 0.2),
            Lock("backMid" + word, m([(180, 700), (206, 900), (214, 1100), (222, 1260), (236, 1340),
                                      (206, 1430)]), [120, 150, 156, 140, 110, 70, 0],
                 (700, 26, 3.4, 0.11), side, 0.35),
            Lock("backInner" + word, m([(90, 760), (106, 960), (112, 1140), (112, 1280), (126, 1380),
                                        (104, 1500)]), [140, 170, 160, 150, 120, 80, 0],
                 (720, 24, 3.4, 0.10), side, 0.4),
        ]
    return out


def draw_back(c):
    right = [(540, 316), (640, 326), (756, 384), (826, 474), (858, 590), (868, 740), (866, 900), (846,
                                                                                                  1060),
             (800, 1190), (700, 1260), (540, 1290)]
    p = smooth(right[:-1] + [(540, 1290)] + [(1080 - x, y) for x, y in right[1:-1]][::-1], closed=True)
    fill(c, p, back_gradient())
    clip(c, p)
    disc(c, 540, 1010, 250, 240, rgb(P.HAIR_LINE, 0.38))
    for k in range(-5, 6):
        x = 540 + k * 56
        taper(c, [(540 + k * 46, 520), (x, 860), (x + k * 4, 1260)], 2.4, rgb(P.HAIR_LINE, 0.5))
    for k in (-4.5, -3.4, -2.2, 2.3, 3.5, 4.4):
        taper(c, [(540 + k * 48, 640), (540 + k * 60, 900), (540 + k * 62, 1240)], 12, rgb(P.BACK_TOP, 0.6))
    c.restore()
    outline(c, p, 3.2, P.HAIR_LINE, vary=0.2)


def back_z(x, y):
    """Behind the head, but level with the crown along the upper silhouette."""
    deep = -118 + 95 * smoothstep(np.abs(x - 540), 190, 320)
    deep = deep + (-45 - deep) * smoothstep(y, 980, 1350)
    return deep * smoothstep(y, 560, 860) + 4


def ahoge():
    return Lock("ahoge", [(548, 345), (530, 292), (552, 244), (610, 232), (648, 262)],
                [26, 30, 26, 16, 0], (130, 150, 5.0, 0.30), 1, 0.15, 0)


def draw_clip(c):
    """A crescent moon and a small star."""
    x, y, r = 704, 560, 29
    c.save()
    c.translate(x, y)
    c.rotate(0.42)
    a = np.linspace(math.radians(52), math.radians(308), 40)
    outer = np.stack([r * np.cos(a), r * np.sin(a)], 1)
    b = np.linspace(math.radians(292), math.radians(68), 40)
    inner = np.stack([12 + 23 * np.cos(b) * 1.0, 22.5 * np.sin(b)], 1)
    p = np.concatenate([outer, inner])
    fill(c, p, linear(-r, -r, r * 0.4, r, (0, P.GOLD_LIGHT), (0.35, P.GOLD), (1, P.GOLD_SHADE)))
    outline(c, p, 2.6, P.GOLD_LINE, vary=0.2)
    taper(c, [(-21, -9), (-24, 2), (-19, 14)], 3.2, rgb("#fffbe6", 0.9))
    c.restore()
    star = []
    for k in range(10):
        q = -math.pi / 2 + 0.3 + k * math.pi / 5
        m = 13 if k % 2 == 0 else 5.6
        star.append((x + 13 + m * math.cos(q), y - 2 + m * math.sin(q)))
    fill(c, np.array(star), linear(0, y - 14, 0, y + 12, (0, P.GOLD_LIGHT), (1, P.GOLD)))
    outline(c, np.array(star), 2.2, P.GOLD_LINE, vary=0.1)


def spring_of(lock, z, head):
    x, y = lock.line[int(len(lock.line) * lock.sway_from)]
    length, stiffness, damping, limit = lock.spring
    return (lock.name, x, y, z, head, length, stiffness, damping, limit)


def build():
    """(back parts, front parts, springs)."""
    springs, back, front = [], [], []
    back.append(Part("backHair", (200, 304, 880, 1300), draw_back, scale=0.7, cell=66, z=back_z,
                     head=lambda x, y: long_hair_head(y)))
    for lock in back_locks():
        back.append(Part(lock.name, lock.box(), lock.draw(back_gradient, rgb("#262e70", 0.9), P.HAIR_LINE,
                                                          ring=False, strands=3,
                                                          light_colour=P.BACK_TOP), scale=0.75, cell=64,
                         z=lambda x, y: back_z(x, y) + 6, head=lambda x, y: long_hair_head(y),
                         spring=lock.name, sway=lock.sway))
        y = lock.line[0][1]
        springs.append(spring_of(lock, -60.0, 1.0))
    hz = lambda lift: lambda x, y: hair_z(x, y) + lift
    front.append(Part("crown", (206, 302, 874, 730), draw_crown, cell=40, z=hz(0)))
    lock = ahoge()
    springs.append(spring_of(lock, 40.0, 1.0))
    hair_tip = Part("ahoge", lock.box(), lock.draw(hair_gradient, rgb(P.HAIR_SHADE, 0.9), P.HAIR_LINE,
                                                   ring=False, strands=1), cell=26, z=40.0,
                    spring="ahoge", sway=lock.sway)
    for lock in flyaways():
        front.append(side_part(lock, blend=90, z=hz(-8)))
        springs.append(spring_of(lock, 30.0, 1.0))
    sides = side_locks()
    for lock in [k for k in sides if "Long" in k.name]:
        front.append(side_part(lock))
        springs.append(spring_of(lock, float(side_z(*map(np.array, lock.line[10]))), 1.0))
    for lock in [k for k in sides if "Short" in k.name]:
        front.append(side_part(lock))
        springs.append(spring_of(lock, float(side_z(*map(np.array, lock.line[10]))), 1.0))
    for k, lock in enumerate(bangs()):
        # The outer locks are seen from the side when the head turns, at half their width: finer pictures and
        # lines would fall apart into dots.
        outer = min(1.0, max(0.0, abs(lock.line[-1, 0] - 545) - 80) / 60)
        front.append(Part(lock.name, lock.box(), lock.draw(hair_gradient, rgb(P.HAIR_SHADE, 0.72),
                                                           P.HAIR_LINE, 2.8 + 0.7 * outer, fade=(0.16, 0.48),
                                                           blend=56), scale=1 - 0.28 * outer,
                          cell=34, z=hz(lock.lift + k), spring=lock.name, sway=lock.sway))
        springs.append(spring_of(lock, 200.0, 1.0))
    front.append(Part("clip", (660, 518, 748, 602), draw_clip, scale=1.25, cell=44, z=hz(44)))
    front.append(hair_tip)
    return back, front, springs


def lock_shadows():
    """What the long side locks cast on collar and sleeves."""
    def shadow(lock):
        def paint(c):
            fill(c, lock.polygon() + np.array([13, 16]), rgb("#2a2f72", 0.26))
        x0, _, x1, y1 = lock.box(24)
        return Part("shadow" + lock.name[4:], (x0, 1000, x1, y1), paint, scale=0.6, cell=64,
                    z=lambda x, y: side_z(x, y) - 20, head=lambda x, y: long_hair_head(y, 0.55, 900, 1350),
                    spring=lock.name, sway=lock.sway)
    return [shadow(k) for k in side_locks() if "Long" in k.name]


def side_z(x, y):
    return 50 + 40 * np.exp(-((y - 640) / 200) ** 2) - 0.25 * np.maximum(0, np.abs(x - 540) - 250)


def side_part(lock, blend=0, z=None):
    return Part(lock.name, lock.box(), lock.draw(hair_gradient, rgb(P.HAIR_SHADE, 0.8), P.HAIR_LINE,
                                                 ring=False, blend=blend), cell=44, z=z or side_z,
                head=lambda x, y: long_hair_head(y, 0.55, 900, 1350), spring=lock.name, sway=lock.sway)
