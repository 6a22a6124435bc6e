"""The mouth: one parametric shape; interior, tongue, teeth and lip lines follow it."""
import math

import numpy as np

from .ink import disc, fill, ink, linear, rgb, smooth, taper
from .part import Part, strip
from .space import face_z

X, Y, HALF = 540.0, 893.0, 45.0
MORPHS = ("jawOpen mouthClose mouthFunnel mouthPucker mouthStretchLeft mouthStretchRight mouthSmileLeft "
          "mouthSmileRight mouthFrownLeft mouthFrownRight mouthPressLeft mouthPressRight mouthRollLower "
          "mouthRollUpper mouthUpperUpLeft mouthUpperUpRight mouthLowerDownLeft mouthLowerDownRight "
          "tongueOut cheekPuff").split()
# The pose in which the pictures are drawn.
WIDE_OPEN = {"jawOpen": 1.0}
TUCKED = {"jawOpen": 0.07, "mouthRollLower": 0.6}


def beyond(t):
    """How far outside the mouth: meshes reach past its corners, so that their ends are transparent."""
    return 60 * (t - np.clip(t, -1, 1))


def past(columns):
    """The columns and one more at each side."""
    return np.concatenate([[-1.05], columns, [1.05]])


def weights(p, t):
    """(weight of a morph, weight of a left and right pair at t)."""
    side = np.clip(t * 4, -1, 1) * 0.5 + 0.5
    g = lambda n: p.get(n, 0.0)
    pair = lambda n: p.get(n + "Left", 0.0) * side + p.get(n + "Right", 0.0) * (1 - side)
    return g, pair


def curves(p, t):
    """Upper and lower inner lip (x, yUpper, yLower) at t in -1...1, right to left of the character."""
    t = np.clip(t, -1, 1)
    g, pair = weights(p, t)
    jaw, pucker, funnel = g("jawOpen"), g("mouthPucker"), g("mouthFunnel")
    smile, stretch, frown, press = (pair("mouth" + n) for n in ("Smile", "Stretch", "Frown", "Press"))

    narrow = (1 - 0.54 * pucker) * (1 - 0.30 * funnel)
    width = HALF * narrow * (1 + 0.34 * stretch + 0.24 * smile + 0.04 * press - 0.06 * frown
                             - 0.10 * g("cheekPuff")) + 3 * jaw * (1 - pucker)
    round_ = np.clip(pucker + 0.7 * funnel, 0, 1)
    bow = np.maximum(1e-9, 1 - np.abs(t) ** (2.5 - 0.5 * round_)) ** (0.72 - 0.22 * round_)
    soft = 1 - t * t
    # A lower lip under the teeth leaves the corners shut.
    bite = soft ** 1.6
    corner = np.abs(t) ** 2.2

    rest = corner * (4 * jaw - 10 * (1 - 0.9 * round_) - 17 * smile + 21 * frown) + press * (14 * corner - 0.9)
    opened = jaw * (1 - g("mouthClose"))
    arch = soft * (1 - round_) + bow * round_
    # A small, puckered mouth is as high as it is wide.
    tall = 20 * opened * pucker * bow
    upper = (-tall - opened * (11 + 10 * round_) * arch - 9 * pair("mouthUpperUp") * soft - 7 * funnel * bow
             + 5 * g("mouthRollUpper") * soft - 5 * g("mouthRollLower") * bite - 3 * pucker * bow)
    lower = (tall + opened * (66 - 8 * round_ - 14 * stretch) * bow + 11 * pair("mouthLowerDown") * soft
             + 7 * funnel * bow + 3 * g("mouthRollLower") * bite + 3 * pucker * bow)
    middle = Y + rest + 22 * jaw * g("mouthClose")
    return X + t * width, middle + upper, middle + lower


def edge_shape(p, which, width):
    """A band along one lip: s in -1...1 runs across it."""
    pick = 1 if which == "upper" else 2

    def shape(t, s):
        inside = np.clip(t, -1, 1)
        near, far = curves(p, inside - 0.012), curves(p, inside + 0.012)
        here = curves(p, t)
        dx, dy = far[0] - near[0], far[pick] - near[pick]
        length = np.maximum(np.hypot(dx, dy), 1e-3)
        dx, dy, end = dx / length, dy / length, beyond(t)
        return here[0] + dx * end - dy * s * width, here[pick] + dy * end + dx * s * width
    return shape


def tuck_shape(p):
    """The red of a lower lip that is rolled in under the teeth."""
    def shape(t, s):
        x, _, low = curves(p, t)
        return x + beyond(t), low + s * 8
    return shape


def interior_shape(p):
    def shape(t, s):
        x, up, low = curves(p, t)
        y = np.where(s < 0, up + s * 3, np.where(s > 1, low + (s - 1) * 3, up + (low - up) * s))
        return x + beyond(t), y
    return shape


def teeth_upper_shape(p):
    """Teeth stay with the skull: only their width and a share of the lip's rise follow."""
    def shape(t, s):
        x, up, _ = curves(p, t)
        g, pair = weights(p, t)
        # Rounded lips hide the teeth altogether: a sliver of them would look like a stray line.
        tall = (4 + 8 * g("jawOpen") + 3 * pair("mouthStretch") + 30 * pair("mouthUpperUp")
                + 9 * g("mouthRollLower") - 14 * g("mouthPucker") + 10 * g("jawOpen") * g("mouthFunnel"))
        t_in = np.clip(t, -1, 1)
        return X + (x - X) * 0.96 + beyond(t), up - 4 + (tall + 4 - 4 * np.abs(t_in) ** 3) * s
    return shape


def teeth_lower_shape(p):
    """Below the lower lip until the lips part widely."""
    def shape(t, s):
        x, _, _ = curves(p, t)
        _, _, low = curves(p, np.zeros_like(t))
        g, pair = weights(p, t)
        rise = 6 * pair("mouthLowerDown") + 4 * pair("mouthStretch") - 2
        return X + (x - X) * 0.72 + beyond(t), low + 9 - (9 + rise * (1 - g("mouthPucker"))) * s - 3 * t * t
    return shape


def tongue_shape(p):
    """A dome that rests on the floor of the mouth; its tip rises behind the upper teeth."""
    def shape(t, s):
        x, _, _ = curves(p, t)
        _, up, low = curves(p, np.zeros_like(t))
        t, end = np.clip(t, -1, 1), beyond(t)
        g, _ = weights(p, t)
        lift = g("tongueOut")
        tall = (low - up) * (0.44 + 0.8 * lift) + 8 * lift
        top = low + 3 - (tall + 3) * (1 - np.abs(t) ** 2.6)
        return X + (x - X) * (0.86 - 0.12 * lift) + end, low + 12 + (top - low - 12) * s
    return shape


def under_lip(p, part):
    """Follows the middle of the lower lip."""
    _, _, low = curves(p, np.array([0.0]))
    _, _, rest = curves({}, np.array([0.0]))
    g, _ = weights(p, 0.0)
    press = p.get("mouthPressLeft", 0.0) / 2 + p.get("mouthPressRight", 0.0) / 2
    k = 1 - 0.35 * g("mouthPucker") + 0.3 * press
    return X + (part.x - X) * k, part.y + (low - rest) * 0.86 + 2 * g("mouthPucker") - 5 * press


def follow_lips(p, part):
    """Moves with the lips, between which it is drawn."""
    t = (part.x - X) / HALF
    x, up, low = curves(p, t)
    x_rest, up_rest, low_rest = curves({}, t)
    return part.x + x - x_rest, part.y + (up + low - up_rest - low_rest) / 2


def box_of(shape, columns, rows, margin=6):
    t, s = np.meshgrid(columns, rows)
    x, y = shape(t.ravel(), s.ravel())
    return (np.floor(x.min() - margin), np.floor(y.min() - margin),
            np.ceil(x.max() + margin), np.ceil(y.max() + margin))


def band(name, shape, columns, rows, draw, lift, pose=WIDE_OPEN, **layer):
    ref = shape(pose)
    return Part(name, box_of(ref, columns, rows), draw, scale=2.0, grid=strip(columns, rows, ref),
                deform=lambda p, part: shape(p)(part.aux["t"], part.aux["s"]),
                z=lambda x, y: face_z(x, y) + lift, morphs=MORPHS, **layer)


def parts():
    cols = np.sin(np.linspace(-1, 1, 27) * math.pi / 2)
    x, up, low = curves(WIDE_OPEN, cols)
    # Corner by corner as the mesh is, and a little inside it: when the mouth shuts, the margin is squeezed
    # less than the opening, and paint in it would show as fringes. The lip lines cover the difference.
    x = X + (x - X) * 0.994
    up, low = np.minimum(up + 0.6, (up + low) / 2), np.maximum(low - 0.6, (up + low) / 2)
    opening = np.concatenate([np.stack([x, up], 1), np.stack([x, low], 1)[::-1]])
    y0, y1 = up.min(), low.max()

    def draw_interior(c):
        fill(c, opening, linear(0, y0, 0, y1, (0, "#4a1020"), (0.5, "#7c1f33"), (1, "#a83a4d")))

    def draw_tongue(c):
        s = np.linspace(-1, 1, 41)
        tx, ty = tongue_shape(WIDE_OPEN)(s, np.ones_like(s))
        bx, by = tongue_shape(WIDE_OPEN)(s, np.zeros_like(s))
        p = np.concatenate([np.stack([tx, ty], 1), np.stack([bx, by + 2], 1)[::-1]])
        fill(c, p, linear(0, ty.min(), 0, by.max(), (0, "#f9a3a4"), (0.5, "#ef7f88"), (1, "#d9606f")))
        disc(c, X - 9, ty.min() + 8, 10, 3.2, rgb("#ffd0cf", 0.75), -0.12)
        ink(c, smooth([(X, ty.min() + 9), (X + 1, ty.min() + 24)]), 1.6, rgb("#c9525f", 0.6))

    def draw_teeth(shape, low_edge, colours):
        def draw(c):
            s = np.linspace(-1, 1, 61)
            ax, ay = shape(WIDE_OPEN)(s, np.zeros_like(s))
            bx, by = shape(WIDE_OPEN)(s, np.ones_like(s) * 0.96)
            p = np.concatenate([np.stack([ax, ay], 1), np.stack([bx, by], 1)[::-1]])
            fill(c, p, linear(0, min(ay.min(), by.min()), 0, max(ay.max(), by.max()), *colours))
            ink(c, np.stack([bx, by], 1), 1.1, rgb("#b9a3b8", 0.55))
        return draw

    def draw_lip(which, width, colour, ends):
        def draw(c):
            s = np.sin(np.linspace(-1, 1, 161) * math.pi / 2)
            px, py = edge_shape(WIDE_OPEN, which, 7)(s, np.zeros_like(s))
            u = np.clip(1 - np.abs(s) ** 5, 0, 1)
            mid = 1 - 0.22 * np.exp(-(s / 0.25) ** 2) if which == "upper" else 1.0
            ink(c, np.stack([px, py], 1), width * (ends + (1 - ends) * u) * mid, colour)
        return draw

    def draw_under(c):
        p = smooth([(X - 17, Y + 25), (X - 6, Y + 28.5), (X + 7, Y + 28.5), (X + 18, Y + 25)])
        q = smooth([(X + 18, Y + 25), (X + 6, Y + 33), (X - 7, Y + 33), (X - 17, Y + 25)])
        fill(c, np.vstack([p, q]), rgb("#e8a18f", 0.75))

    def draw_press(c):
        # Lips rolled in: their red swells on both sides of the line, and the corners dig in.
        s = np.sin(np.linspace(-1, 1, 61) * math.pi / 2)
        px, up, _ = curves({}, s)
        swell = np.maximum(0, 1 - s * s)
        for reach, colour in ((-7.5 * swell ** 0.8 * (1 - 0.35 * np.exp(-(s / 0.22) ** 2)), "#e58f88"),
                              (9.5 * swell ** 0.9, "#ea988d")):
            fill(c, np.concatenate([np.stack([px, up], 1), np.stack([px, up + reach], 1)[::-1]]), colour)
        for side in (-1, 1):
            taper(c, [(X + side * 48.5, Y - 18), (X + side * 52, Y - 11), (X + side * 49.5, Y - 4)], 2.8,
                  "#8f3c45")

    def draw_tuck(c):
        s = np.sin(np.linspace(-1, 1, 61) * math.pi / 2)
        edge = tuck_shape(TUCKED)
        top, low = edge(s, np.zeros_like(s)), edge(s, np.maximum(0, 1 - s * s) ** 0.7)
        fill(c, np.concatenate([np.stack(top, 1), np.stack(low, 1)[::-1]]), "#e58f88")

    return [
        Part("press", (X - 60, Y - 30, X + 60, Y + 16), draw_press, scale=2.0, deform=follow_lips,
             grid=strip(np.linspace(-60, 60, 9), [-30, 16], lambda x, y: (X + x, Y + y)),
             z=lambda x, y: face_z(x, y) + 2, morphs=MORPHS, shown_by="mouthPressLeft"),
        band("tuck", tuck_shape, past(cols[::3]), [-0.4, 1.4], draw_tuck, 2, pose=TUCKED,
             shown_by="mouthRollLower"),
        band("mouthInterior", interior_shape, past(cols), [-1, 0, 1, 2], draw_interior, 2, mask=1),
        band("teethLower", teeth_lower_shape, past(np.linspace(-1, 1, 9)), [0, 1, 1.25],
             draw_teeth(teeth_lower_shape, True, ((0, "#e9e4ee"), (1, "#fbf9fb"))), 2, clip=1),
        band("tongue", tongue_shape, past(np.linspace(-1, 1, 11)), [0, 1, 1.15], draw_tongue, 2, clip=1),
        band("teethUpper", teeth_upper_shape, past(np.linspace(-1, 1, 13)), [0, 1, 1.25],
             draw_teeth(teeth_upper_shape, False, ((0, "#d9d2e2"), (0.45, "#ffffff"), (1, "#ffffff"))), 2,
             clip=1),
        band("lipLower", lambda p: edge_shape(p, "lower", 7), past(cols), [-1, 0, 1],
             draw_lip("lower", 2.8, rgb("#9c4049"), 0.3), 4),
        band("lipUpper", lambda p: edge_shape(p, "upper", 7), past(cols), [-1, 0, 1],
             draw_lip("upper", 3.7, rgb("#7a2c38"), 0.35), 4.5),
        Part("underLip", (X - 24, Y + 18, X + 24, Y + 40), draw_under, scale=1.5, cell=24, deform=under_lip,
             z=lambda x, y: face_z(x, y) + 3, morphs=MORPHS, hidden_by="jawOpen"),
    ]


def landmarks():
    """Inner lips and corners, on the lip lines."""
    x, up, low = curves({}, np.array([-1.0, 0.0, 1.0]))
    return [("lipUpper", "lipUpper", X, up[1]), ("lipLower", "lipLower", X, low[1]),
            ("mouthLeft", "lipUpper", x[2], up[2]), ("mouthRight", "lipUpper", x[0], up[0])]
