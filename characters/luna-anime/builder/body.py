"""Background, arms, blouse, sailor collar, ribbon and skirt."""
import numpy as np

from . import palette as P
from .ink import clip, disc, fill, ink, linear, mirror, outline, radial, rgb, smooth, smoothstep, taper
from .part import Part


RISE = 1.045


def draw_background(c):
    c.rectangle(-44, -44, 1172, 2012)
    c.set_source(linear(0, 0, 260, 1920, (0, "#cfdcff"), (0.38, "#e3e2ff"), (0.68, "#f6e2f3"), (1,
                                                                                                "#ffe9e2")))
    c.fill()
    disc(c, 540, 700, 560, 560, radial(540, 700, 0, 560, (0, rgb("#ffffff", 0.75)), (0.6, rgb("#ffffff",
                                                                                              0.28)),
                                       (1, rgb("#ffffff", 0))))
    # The moon behind her.
    disc(c, 626, 604, 440, 440, radial(626, 604, 368, 440, (0, rgb("#fffdf4", 0.36)), (0.94, rgb("#fffdf4",
                                                                                                 0.46)),
                                       (1, rgb("#fffdf4", 0))))
    for x, y, r, a in ((120, 300, 84, 0.20), (940, 420, 120, 0.18), (990, 1040, 66, 0.2), (80, 900, 110,
                                                                                           0.16),
                       (190, 1380, 60, 0.2), (880, 190, 46, 0.24), (1010, 1560, 130, 0.15), (60, 1720, 90,
                                                                                             0.18)):
        disc(c, x, y, r, r, radial(x, y, r * 0.72, r, (0, rgb("#ffffff", a)), (1, rgb("#ffffff", 0))))


def background():
    # Wide enough that the blurred edge of its small picture stays outside the canvas.
    return Part("background", (-40, -40, 1120, 1960), draw_background, scale=0.25, cell=2000, z=0, head=0,
                body=0,
                flags=2, deform=None)


def body_weight(x, y):
    return 1 - 0.85 * smoothstep(y, 1250, 1900)


def both(points):
    return (1, np.array(points, float)), (-1, mirror(points))


ARM = [(836, 1250), (868, 1330), (886, 1450), (890, 1580), (884, 1700), (880, 1820), (876, 1945)]
ARM_IN = [(772, 1945), (776, 1820), (782, 1700), (772, 1590), (764, 1470), (752, 1360)]


def draw_arm(side):
    def draw(c):
        m = (lambda q: np.array(q, float)) if side > 0 else mirror
        p = np.concatenate([smooth(m(ARM)), smooth(m(ARM_IN))])
        fill(c, p, linear(0, 1300, 0, 1920, (0, P.SKIN_LIGHT), (1, P.SKIN)))
        clip(c, p)
        dark = [(862, 1400), (858, 1500), (860, 1600), (852, 1700), (850, 1820), (848, 1950)]
        if side > 0:
            fill(c, np.concatenate([smooth(dark), np.array([(960, 1950), (960, 1400)])]),
                 rgb(P.SKIN_SHADE, 0.75))
        else:
            inner = mirror([(802, 1360), (800, 1480), (806, 1600), (812, 1700), (804, 1820), (800, 1950)])
            fill(c, np.concatenate([smooth(inner), mirror([(700, 1950), (700, 1360)])]),
                 rgb(P.SKIN_SHADE, 0.75))
        # The shadow that the sleeve casts.
        fill(c, smooth(m([(740, 1400), (820, 1452), (900, 1440), (910, 1476), (820, 1490), (744, 1470)]),
                       closed=True), rgb(P.SKIN_DEEP, 0.55))
        c.restore()
        outline(c, smooth(m(ARM)), 3, P.SKIN_LINE, closed=False)
        outline(c, smooth(m(ARM_IN)), 2.8, P.SKIN_LINE, closed=False)
        taper(c, m([(776, 1606), (790, 1600), (806, 1604)]), 2.4, rgb(P.SKIN_LINE, 0.6))
    return draw


TORSO = [(640, 1096), (700, 1130), (770, 1180), (782, 1280), (756, 1390), (738, 1480), (716, 1570), (708,
                                                                                                     1650),
         (716, 1700)]


def draw_torso(c):
    right = smooth(TORSO)
    left = mirror(right)[::-1]
    # The opening shows neck and chest down to the knot of the ribbon.
    opening = smooth([(440, 1096), (478, 1160), (540, 1262)])
    opening2 = smooth([(540, 1262), (602, 1160), (640, 1096)])
    p = np.concatenate([right, np.array([(716, 1720), (364, 1720)]), left, opening, opening2])
    fill(c, p, linear(0, 1100, 0, 1700, (0, P.CLOTH), (1, "#f1f2fc")))
    clip(c, p)
    shade, deep = rgb(P.CLOTH_SHADE, 1), rgb(P.CLOTH_DEEP, 0.9)
    fill(c,
         np.concatenate([smooth([(800, 1180), (742, 1290), (706, 1400), (690, 1500), (672, 1600), (668,
                                                                                                   1720)]),
                            np.array([(820, 1720)])]), shade)
    fill(c,
         smooth([(330, 1330), (352, 1420), (372, 1500), (392, 1600), (396, 1720), (330, 1720), (300, 1400)],
                   closed=True), shade)
    # Under the bust, under the collar and the folds that gather at the waist.
    for side in (1, -1):
        m = (lambda k: k) if side > 0 else mirror
        fill(c, np.concatenate([smooth(m([(736, 1396), (690, 1432), (640, 1452), (580, 1452)])),
                                smooth(m([(580, 1452), (640, 1474), (700, 1462), (740, 1430)]))]), shade)
    for q in ([(420, 1700), (426, 1620), (416, 1530)], [(470, 1700), (474, 1640), (462, 1570)],
              [(612, 1700), (606, 1630), (622, 1550)], [(656, 1700), (650, 1610), (668, 1520)]):
        taper(c, q, 7, deep, start=1, end=0, peak=0.01)
    fill(c, smooth([(560, 1290), (600, 1330), (660, 1370), (730, 1380), (712, 1340), (660, 1300)],
                   closed=True),
         deep)
    fill(c, smooth([(520, 1290), (480, 1330), (420, 1370), (350, 1380), (368, 1330), (420, 1290)],
                   closed=True),
         shade)
    c.restore()
    # Front placket and buttons.
    taper(c, [(540, 1320), (540, 1500), (540, 1700)], 2.4, rgb(P.CLOTH_LINE, 0.7), start=0.6, end=0.8)
    for y in (1452, 1540, 1628):
        disc(c, 551, y, 7.5, 7.5, "#c7cfee")
        disc(c, 550, y - 1, 5.6, 5.6, "#ffffff")
    outline(c, smooth(TORSO[2:]), 3, P.CLOTH_LINE, closed=False)
    outline(c, mirror(smooth(TORSO[2:])), 3, P.CLOTH_LINE, closed=False)


SLEEVE = [(688, 1140), (760, 1160), (832, 1192), (880, 1262), (906, 1350), (908, 1424), (880, 1446), (820,
                                                                                                      1458),
          (764, 1448), (742, 1424), (748, 1350), (744, 1270), (724, 1196)]


def draw_sleeve(side):
    def draw(c):
        q = np.array(SLEEVE, float) if side > 0 else mirror(SLEEVE)
        m = (lambda k: np.array(k, float)) if side > 0 else mirror
        p = smooth(q, closed=True)
        fill(c, p, linear(0, 1140, 0, 1450, (0, P.CLOTH), (1, "#eef0fb")))
        clip(c, p)
        lit = side < 0
        if lit:
            fill(c,
                 smooth(m([(738, 1180), (770, 1260), (776, 1350), (790, 1430), (740, 1470), (720, 1300)]),
                           closed=True), rgb(P.CLOTH_SHADE))
        else:
            fill(c,
                 smooth(m([(834, 1190), (856, 1280), (862, 1370), (850, 1440), (930, 1460), (930, 1250)]),
                           closed=True), rgb(P.CLOTH_SHADE))
            fill(c, smooth(m([(738, 1200), (752, 1270), (756, 1350), (752, 1430), (730, 1400)]),
                           closed=True),
                 rgb(P.CLOTH_DEEP, 0.9))
        for f in ([(770, 1440), (778, 1390), (772, 1330)], [(812, 1448), (816, 1400), (808, 1350)],
                  [(858, 1440), (860, 1396), (852, 1346)]):
            taper(c, m(f), 8, rgb(P.CLOTH_DEEP, 0.9), start=1, end=0, peak=0.01)
        c.restore()
        outline(c, p, 3, P.CLOTH_LINE)
        taper(c, m([(726, 1200), (748, 1290), (748, 1380)]), 3, rgb(P.CLOTH_LINE), start=0.3)
        cuff = np.concatenate([smooth(m([(738, 1414), (790, 1438), (850, 1438), (912, 1410)])),
                               smooth(m([(914, 1450), (852, 1482), (788, 1482), (736, 1456)]))])
        fill(c, cuff, linear(0, 1410, 0, 1484, (0, P.NAVY_LIGHT), (1, P.NAVY_SHADE)))
        taper(c, m([(738, 1432), (790, 1456), (850, 1456), (912, 1428)]), 4, "#f2f4ff", start=1, end=1)
        outline(c, cuff, 2.8, P.NAVY_LINE)
    return draw


def draw_skirt(c):
    right = smooth([(714, 1712), (718, 1740), (742, 1800), (770, 1880), (784, 1945)])
    p = np.concatenate([right, mirror(right)[::-1]])
    fill(c, p, linear(0, 1710, 0, 1930, (0, P.NAVY), (1, P.NAVY_SHADE)))
    clip(c, p)
    for x0, x1 in ((420, 370), (480, 456), (600, 622), (660, 706)):
        fill(c, np.array([(x0, 1742), (x0 + 14, 1742), (x1 + 30, 1950), (x1 - 6, 1950)]), rgb(P.NAVY_LINE,
                                                                                              0.45))
        taper(c, [(x0, 1742), ((x0 + x1) / 2, 1840), (x1, 1948)], 2.6, P.NAVY_LINE, start=0.4, end=1)
    fill(c, np.concatenate([smooth([(690, 1670), (690, 1740), (716, 1850), (736, 1950)]),
                            np.array([(800, 1950), (800, 1670)])]), rgb(P.NAVY_LINE, 0.5))
    c.restore()
    band = np.concatenate([smooth([(367, 1668), (450, 1684), (540, 1688), (630, 1684), (713, 1668)]),
                           smooth([(720, 1738), (630, 1752), (540, 1756), (450, 1752), (360, 1738)])])
    fill(c, band, linear(364, 0, 716, 0, (0, P.NAVY_LIGHT), (0.5, P.NAVY), (1, P.NAVY_SHADE)))
    outline(c, band, 2.8, P.NAVY_LINE)
    outline(c, right, 3, P.NAVY_LINE, closed=False)
    outline(c, mirror(right), 3, P.NAVY_LINE, closed=False)
    for x in (486, 594):
        for y in (1708, 1736):
            disc(c, x, y, 9, 9, P.GOLD_LINE)
            disc(c, x - 0.5, y - 0.5, 7, 7, P.GOLD)
            disc(c, x - 2, y - 2.5, 2.6, 2.6, P.GOLD_LIGHT)


COLLAR = [(590, 1048), (640, 1082), (716, 1120), (782, 1166), (764, 1226), (690, 1262), (610, 1278), (540,
                                                                                                      1290)]
COLLAR_IN = [(540, 1262), (580, 1196), (604, 1130), (606, 1074), (590, 1048)]


def draw_collar(c):
    for side, q in both(COLLAR):
        m = (lambda k: np.array(k, float)) if side > 0 else mirror
        p = np.concatenate([smooth(q[:4]), smooth(q[3:]), smooth(m(COLLAR_IN))])
        fill(c, p, linear(0, 1050, 0, 1290, (0, P.NAVY_LIGHT), (1, P.NAVY)))
        clip(c, p)
        if side > 0:
            fill(c, smooth([(640, 1076), (690, 1140), (704, 1200), (690, 1300), (820, 1300), (820, 1120)],
                           closed=True), rgb(P.NAVY_SHADE, 0.6))
        else:
            fill(c,
                 smooth(mirror([(604, 1060), (630, 1130), (612, 1200), (560, 1290), (530, 1280), (590,
                                                                                                  1130)]),
                           closed=True), rgb(P.NAVY_SHADE, 0.5))
        c.restore()
        stripe = [(652, 1096), (708, 1132), (756, 1168), (744, 1208), (684, 1238), (616, 1254), (566, 1262)]
        ink(c, np.concatenate([smooth(m(stripe[:3])), smooth(m(stripe[2:]))]), 4.4, "#f4f6ff")
        stripe = [(646, 1106), (700, 1140), (740, 1170), (730, 1198), (676, 1226), (612, 1242), (572, 1248)]
        ink(c, np.concatenate([smooth(m(stripe[:3])), smooth(m(stripe[2:]))]), 2.2, P.GOLD)
        outline(c, p, 3, P.NAVY_LINE)


def draw_collar_back(c):
    p = np.concatenate([smooth([(452, 1080), (470, 1030), (540, 1016), (610, 1030), (628, 1080)]),
                        np.array([(600, 1120), (480, 1120)])])
    fill(c, p, linear(0, 1016, 0, 1110, (0, P.NAVY_SHADE), (1, P.NAVY_LINE)))
    outline(c, p, 3, P.NAVY_LINE)


def ribbon_loop(side):
    def draw(c):
        m = (lambda k: np.array(k, float)) if side > 0 else mirror
        p = np.concatenate([smooth(m([(540, 1272), (586, 1238), (640, 1222), (674, 1236)])),
                            smooth(m([(674, 1236), (682, 1280), (668, 1326)])),
                            smooth(m([(668, 1326), (632, 1330), (580, 1308), (540, 1292)]))])
        fill(c, p, linear(0, 1220, 0, 1332, (0, P.ROSE_LIGHT), (0.4, P.ROSE), (1, P.ROSE)))
        clip(c, p)
        fill(c, smooth(m([(540, 1284), (600, 1280), (640, 1292), (676, 1300), (690, 1340), (540, 1340)]),
                       closed=True), rgb(P.ROSE_SHADE, 0.85))
        fill(c, smooth(m([(640, 1234), (664, 1244), (668, 1278), (654, 1310), (650, 1270)]), closed=True),
             rgb(P.ROSE_SHADE, 0.75))
        c.restore()
        taper(c, m([(556, 1272), (590, 1262), (626, 1264)]), 2.6, P.ROSE_LINE, start=0.8, end=0, peak=0.1)
        taper(c, m([(556, 1290), (590, 1294), (618, 1304)]), 2.6, P.ROSE_LINE, start=0.8, end=0, peak=0.1)
        outline(c, p, 3, P.ROSE_LINE)
    return draw


def ribbon_tail(side):
    def draw(c):
        m = (lambda k: np.array(k, float)) if side > 0 else mirror
        p = np.concatenate([smooth(m([(538, 1290), (560, 1340), (584, 1392), (606, 1446)])),
                            smooth(m([(606, 1446), (590, 1436), (576, 1446)])),
                            smooth(m([(576, 1446), (562, 1456), (552, 1458)])),
                            smooth(m([(552, 1458), (546, 1400), (530, 1340), (524, 1300)]))])
        fill(c, p, linear(0, 1290, 0, 1460, (0, P.ROSE_SHADE), (0.35, P.ROSE), (1, P.ROSE_LIGHT)))
        clip(c, p)
        fill(c, smooth(m([(548, 1300), (570, 1370), (592, 1450), (560, 1470), (556, 1400)]), closed=True),
             rgb(P.ROSE_SHADE, 0.65))
        c.restore()
        outline(c, p, 3, P.ROSE_LINE)
    return draw


def draw_knot(c):
    p = smooth([(516, 1262), (540, 1256), (564, 1262), (570, 1284), (562, 1306), (540, 1312), (518, 1306),
                (510, 1284)], closed=True)
    fill(c, p, linear(0, 1256, 0, 1312, (0, P.ROSE_LIGHT), (0.5, P.ROSE), (1, P.ROSE_SHADE)))
    taper(c, [(524, 1270), (520, 1284), (526, 1300)], 3, rgb("#ffd0d6", 0.9))
    outline(c, p, 3, P.ROSE_LINE)


def raised(y):
    """The body is drawn on a canvas that ends at 1920 and stretched a little up to the chin."""
    return 1920 - (1920 - y) * RISE


def fixed(name, box, draw, cell=72.0, z=0.0, **more):
    def stretched(c):
        c.translate(0, raised(0))
        c.scale(1, RISE)
        draw(c)
    x0, y0, x1, y1 = box
    return Part(name, (x0, raised(y0), x1, raised(y1)), stretched, cell=cell, z=z, head=0, body=body_weight,
                **more)


def build():
    """(parts behind the neck, parts before it, springs)."""
    def from_knot(reach):
        return lambda x, y: np.clip(np.hypot(x - 540, y - raised(1284)) / reach, 0, 1) ** 1.3

    behind = [fixed("collarBack", (440, 1004, 640, 1130), draw_collar_back)]
    sides = lambda x0, x1: ((-1, "Right", 1080 - x1, 1080 - x0), (1, "Left", x0, x1))
    arms = [fixed("arm" + word, (a, 1230, b, 1950), draw_arm(side), scale=0.8)
            for side, word, a, b in sides(740, 906)]
    sleeves = [fixed("sleeve" + word, (a, 1110, b, 1496), draw_sleeve(side))
               for side, word, a, b in sides(676, 922)]
    before = [*arms, fixed("torso", (280, 1080, 800, 1730), draw_torso),
              fixed("skirt", (280, 1656, 800, 1950), draw_skirt),
              *sleeves, fixed("collar", (284, 1036, 796, 1304), draw_collar)]
    springs = []
    for side, word in ((-1, "Right"), (1, "Left")):
        box = (520, 1280, 616, 1468) if side > 0 else (464, 1280, 560, 1468)
        name = "ribbonTail" + word
        before.append(fixed(name, box, ribbon_tail(side), cell=48, spring=name, sway=from_knot(180)))
        springs.append((name, 540, raised(1286), 0.0, 0.0, 180, 70, 5.0, 0.16))
    for side, word in ((-1, "Right"), (1, "Left")):
        box = (530, 1210, 694, 1342) if side > 0 else (386, 1210, 550, 1342)
        name = "ribbonLoop" + word
        before.append(fixed(name, box, ribbon_loop(side), cell=48, spring=name, sway=from_knot(160)))
        springs.append((name, 540, raised(1286), 0.0, 0.0, 140, 160, 8.0, 0.07))
    before.append(fixed("ribbonKnot", (500, 1246, 580, 1322), draw_knot, cell=48))
    return behind, before, springs
