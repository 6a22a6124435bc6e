"""Face, ears, neck and the soft shadows on them."""
import numpy as np

from .ink import clip, disc, fill, linear, mirror, outline, radial, rgb, smooth, smoothstep, taper
from .palette import SKIN, SKIN_DEEP, SKIN_LIGHT, SKIN_LINE, SKIN_SHADE
from .part import Part
from .space import face_z

CHIN = (540.0, 981.0)
MORPHS = ("jawOpen cheekPuff mouthSmileLeft mouthSmileRight cheekSquintLeft cheekSquintRight mouthPressLeft "
          "mouthPressRight").split()


def half_outline():
    """Right of the viewer, from the chin up to the middle of the forehead."""
    return [(540, 981), (562, 978), (590, 966), (640, 933), (692, 886), (732, 834), (757, 780), (767, 726),
            (770, 676), (766, 610), (748, 530), (700, 460), (620, 420), (540, 410)]


def outline_points():
    right = half_outline()
    left = [tuple(q) for q in mirror(right)]
    return smooth(right[:-1] + [right[-1]] + left[::-1][1:-1], closed=True, steps=8)


def move(p, part):
    """The jaw, the cheeks."""
    x, y = part.x, part.y
    jaw, puff = p.get("jawOpen", 0.0), p.get("cheekPuff", 0.0)
    w = smoothstep(y, 838, 990)
    dy = 30 * jaw * w
    dx = -(x - 540) * 0.05 * jaw * smoothstep(y, 800, 930)
    press = (p.get("mouthPressLeft", 0.0) + p.get("mouthPressRight", 0.0)) / 2
    dy = dy - 5 * press * smoothstep(y, 920, 985)
    puff = puff + 0.3 * press
    for side, word in ((1, "Left"), (-1, "Right")):
        near = np.exp(-(((x - 540 - side * 165) / 85) ** 2 + ((y - 880) / 75) ** 2))
        dx = dx + side * 20 * puff * near
        dy = dy - 5 * p.get("mouthSmile" + word, 0.0) * near - 5 * p.get("cheekSquint" + word, 0.0) * near
    return x + dx, y + dy


def draw_face(c):
    shape = outline_points()
    fill(c, shape, linear(0, 560, 0, 1000, (0, SKIN_LIGHT), (0.6, SKIN), (1, "#fcd9c8")))
    clip(c, shape)
    # Cel shade along the cheek that faces away from the light, and under the jaw line.
    inner = [(770, 640), (756, 722), (742, 778), (716, 830), (676, 880), (622, 928), (578, 960), (545, 990)]
    fill(c, np.vstack([smooth(inner), smooth([(545, 990), (700, 1010), (810, 850), (790, 640)])]),
         rgb(SKIN_SHADE, 0.55))
    left = [(312, 660), (322, 740), (342, 795), (372, 845), (340, 850), (296, 760)]
    fill(c, smooth(left, closed=True), rgb(SKIN_SHADE, 0.35))
    c.translate(540, 950)
    c.scale(1, 0.5)
    disc(c, 0, 0, 60, 60, radial(0, 0, 0, 60, (0, rgb("#fff6ee", 0.7)), (1, rgb("#fff6ee", 0))))
    c.restore()
    outline(c, shape, 2.8, SKIN_LINE, vary=0.35)


def draw_hair_shadow(c):
    from .hair import bangs
    for lock in bangs():
        p = lock.polygon() + np.array([-5, 17])
        fill(c, p, rgb("#efab98", 1))
    fill(c, smooth([(300, 400), (780, 400), (772, 560), (540, 590), (308, 560)], closed=True),
         rgb("#efab98", 1))
    for sg in (-1, 1):
        q = [(540 + sg * a, b) for a, b in ((236, 520), (205, 600), (206, 700), (214, 790), (222, 850),
                                            (270, 850), (280, 600))]
        fill(c, smooth(q, closed=True), rgb("#efab98", 1))


def blush(side):
    x, y = 540 + side * 152, 846

    def draw(c):
        c.save()
        c.translate(x, y)
        c.scale(1, 0.58)
        disc(c, 0, 0, 62, 62, radial(0, 0, 4, 60, (0, rgb("#ff7d7f", 0.50)), (0.55, rgb("#ff8b88", 0.28)),
                                     (1, rgb("#ff9a90", 0))))
        c.restore()
        for k in (-1, 0, 1):
            taper(c, [(x + k * 15 + 5, y - 9), (x + k * 15 - 5, y + 9)], 2.6, rgb("#f0686f", 0.55))
    return Part("blush" + ("Left" if side > 0 else "Right"), (x - 66, y - 40, x + 66, y + 40), draw,
                cell=44,
                deform=move, z=lambda px, py: face_z(px, py) + 1, morphs=MORPHS, clip=4)


def draw_nose(c):
    fill(c, np.vstack([smooth([(543, 826), (548, 834), (549, 841)]),
                       smooth([(549, 841), (542, 844), (535, 842)])]), rgb(SKIN_DEEP, 0.6))
    taper(c, [(534, 841), (540, 845), (548, 842)], 2.8, rgb("#b4655c", 0.9), start=0.2, end=0.1)
    disc(c, 537, 828, 3.2, 6, rgb("#ffffff", 0.7), 0.15)


def ear(side):
    def points(q):
        return [(540 + side * (238 + (a - 238) * 0.85), 736 + (b - 745) * 0.85) for a, b in q]

    shape = points([(214, 700), (238, 702), (257, 716), (262, 745), (254, 785), (240, 818), (224, 828),
                    (208, 815)])

    def draw(c):
        p = smooth(shape, closed=True)
        fill(c, p, linear(0, 700, 0, 830, (0, SKIN), (1, "#fbd0bd")))
        fill(c, smooth(points([(226, 728), (246, 730), (249, 752), (238, 785), (228, 800), (232, 765)]),
                       closed=True), rgb(SKIN_SHADE, 0.9))
        outline(c, p, 2.8, SKIN_LINE)
        taper(c, points([(228, 724), (248, 730), (246, 760), (236, 782)]), 2.6, rgb(SKIN_LINE, 0.7))
    x0, x1 = sorted((540 + side * 200, 540 + side * 272))
    return Part("ear" + ("Left" if side > 0 else "Right"), (x0, 690, x1, 838), draw, cell=40,
                z=lambda x, y: 15 - 0.35 * (np.abs(x - 540) - 214))


NECK = [(600, 870), (601, 940), (603, 990), (616, 1028), (664, 1062), (720, 1090)]


def neck_outline():
    left = mirror(NECK)[::-1]
    return np.vstack([smooth(NECK), smooth([(720, 1090), (640, 1280), (540, 1330), (440, 1280),
                                              (360, 1090)]), smooth(left)])


def draw_neck(c):
    p = neck_outline()
    right = NECK[:5]
    fill(c, p, linear(0, 960, 0, 1300, (0, "#fbd3c1"), (0.4, SKIN), (1, SKIN_LIGHT)))
    clip(c, p)
    fill(c, np.vstack([smooth([(604, 870), (582, 970), (588, 1024), (644, 1080)]),
                       np.array([(720, 1090), (640, 870)])]), rgb(SKIN_SHADE, 0.6))
    c.restore()
    outline(c, smooth(right), 2.8, SKIN_LINE,
            closed=False)
    outline(c, mirror(smooth(right)), 2.8, SKIN_LINE,
            closed=False)
    # Collarbones and the hollow between them.
    for sg in (-1, 1):
        taper(c, [(540 + sg * 16, 1094), (540 + sg * 46, 1082), (540 + sg * 92, 1076)], 3,
              rgb("#d9917f", 0.7), start=0.3)
    taper(c, [(532, 1098), (540, 1108), (548, 1098)], 2.6, rgb("#d9917f", 0.7))


def draw_neck_shadow(c):
    p = smooth([(430, 850), (650, 850), (644, 980), (608, 1022), (566, 1042), (540, 1044), (512, 1038),
                (470, 1014), (436, 970)], closed=True)
    fill(c, p, linear(0, 930, 0, 1044, (0, rgb("#dd8f80", 0.95)), (1, rgb("#eba898", 0.85))))


def neck_head(x, y):
    return 0.6 * (1 - smoothstep(y, 900, 1050))


def neck_parts():
    return [
        Part("neck", (350, 862, 730, 1340), draw_neck, cell=44, z=-10, head=neck_head, mask=4),
        Part("neckShadow", (420, 842, 660, 1052), draw_neck_shadow, cell=44, deform=move,
             z=20.0, head=lambda x, y: 0.75 * (1 - smoothstep(y, 960, 1090)), clip=4,
             blend=0, opacity=0.8, morphs=["jawOpen"]),
    ]


def face_parts():
    z = lambda x, y: face_z(x, y)
    return [
        ear(-1), ear(1),
        Part("face", (298, 400, 782, 1000), draw_face, cell=34, deform=move, z=z, morphs=MORPHS,
             mask=4),
        Part("hairShadow", (290, 400, 790, 870), draw_hair_shadow, scale=0.75, cell=44,
             z=lambda x, y: face_z(x, y) + 1, clip=4, opacity=0.62),
        blush(-1), blush(1),
        Part("nose", (520, 806, 560, 856), draw_nose, scale=1.5, cell=26, z=lambda x, y: face_z(x, y) + 26),
    ]
