"""A small reference renderer, to look at the puppet without the product."""
import math

import numpy as np

from . import puppet_file as pf
from .space import CAMERA


BACKGROUND = 2


class Preview:
    """Draws frames of a puppet on the CPU; slow and simple."""

    def __init__(self, puppet, sheet):
        self.numbers, self.size, self.t = pf.read(puppet)
        s = sheet.astype(np.float32) / 255
        s[..., :3] *= s[..., 3:]
        self.sheet = s
        self.morphs = [m["name"].decode() for m in self.t["morphs"]]

    def positions(self, weights=None, yaw=0.0, pitch=0.0, roll=0.0, breath=0.0, sway=None):
        """Canvas positions; angles in degrees; `sway` maps a spring's name to radians."""
        weights, sway = weights or {}, sway or {}
        v = self.t["vertices"]
        p = np.stack([v["x"], v["y"], v["z"]], 1).astype(float)
        for m, name in zip(self.t["morphs"], self.morphs):
            w = math.prod(weights.get(n, 0.0) for n in name.split("*"))
            if w:
                d = self.t["deltas"][m["first"]:m["first"] + m["count"]]
                np.add.at(p, d["vertex"], w * np.stack([d["dx"], d["dy"], d["dz"]], 1))
        for k, s in enumerate(self.t["springs"]):
            angle = sway.get(s["name"].decode(), sway.get("*", 0.0))
            if angle:
                own = v["spring"] == k
                a = angle * v["sway"][own]
                x, y = p[own, 0] - s["x"], p[own, 1] - s["y"]
                p[own, 0] = s["x"] + x * np.cos(a) - y * np.sin(a)
                p[own, 1] = s["y"] + x * np.sin(a) + y * np.cos(a)
        pivot = np.array(self.numbers[5:8])
        q = p - pivot
        a, b, r = (math.radians(k) for k in (yaw, pitch, roll))
        x, z = q[:, 0] * math.cos(a) + q[:, 2] * math.sin(a), q[:, 2] * math.cos(a) - q[:, 0] * math.sin(a)
        y, z = q[:, 1] * math.cos(b) - z * math.sin(b), z * math.cos(b) + q[:, 1] * math.sin(b)
        x, y = x * math.cos(r) - y * math.sin(r), x * math.sin(r) + y * math.cos(r)
        k = 1 / (1 - z / CAMERA)
        turned = np.stack([pivot[0] + x * k, pivot[1] + y * k], 1)
        out = p[:, :2] + v["head"][:, None] * (turned - p[:, :2])
        out[:, 1] -= v["body"] * breath * self.numbers[8]
        return out

    def frame(self, crop=None, size=None, paper=(1, 1, 1), only=None, **pose):
        """An (h, w, 3) picture of `crop` (x, y, w, h) scaled by size / w; `only` the "scene" or the "figure"."""
        x0, y0, w, h = crop or (0, 0, self.numbers[0], self.numbers[1])
        scale = (size or w) / w
        width, height = round(w * scale), round(h * scale)
        p = (self.positions(**pose) - (x0, y0)) * scale
        weights = pose.get("weights") or {}
        out = np.empty((height, width, 3), np.float32)
        out[:] = paper
        masks = np.zeros((5, height, width), np.float32)
        v = self.t["vertices"]
        uv = np.stack([v["u"] * self.size[0], v["v"] * self.size[1]], 1)
        for layer in self.t["layers"]:
            if only is not None and (only == "scene") != bool(layer["flags"] & BACKGROUND):
                continue
            opacity = float(layer["opacity"])
            if layer["opacityMorph"] != 0xFFFF:
                k = weights.get(self.morphs[layer["opacityMorph"]], 0.0)
                opacity *= 1 - k if layer["opacityInverse"] else k
            index = self.t["indices"][layer["first"]:layer["first"] + layer["count"]].reshape(-1, 3)
            colour = np.zeros((height, width, 4), np.float32)
            covered = np.zeros((height, width), bool)
            box = self._layer(p, uv, index, colour, covered)
            if box is None:
                continue
            ya, yb, xa, xb = box
            part, cov = colour[ya:yb, xa:xb] * opacity, covered[ya:yb, xa:xb]
            if layer["mask"]:
                m = masks[layer["mask"], ya:yb, xa:xb]
                m[cov] = part[cov][:, 3]
            if layer["flags"] & 1:
                continue
            if layer["clip"]:
                part = part * masks[layer["clip"], ya:yb, xa:xb, None]
            o = out[ya:yb, xa:xb]
            if layer["blend"] == 1:
                o[:] = o * (part[..., :3] + 1 - part[..., 3:])
            elif layer["blend"] == 2:
                o[:] = o + part[..., :3]
            else:
                o[:] = part[..., :3] + o * (1 - part[..., 3:])
        return np.clip(out * 255 + 0.5, 0, 255).astype(np.uint8)

    def _layer(self, p, uv, index, colour, covered):
        h, w = covered.shape
        sheet = self.sheet
        sh, sw = sheet.shape[:2]
        a, b, c = p[index[:, 0]], p[index[:, 1]], p[index[:, 2]]
        det = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (c[:, 0] - a[:, 0]) * (b[:, 1] - a[:, 1])
        low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
        lo = np.maximum(np.floor(low - 0.5), 0).astype(int)
        hi = np.minimum(np.ceil(high + 0.5), (w, h)).astype(int)
        ok = (np.abs(det) > 1e-6) & (hi > lo).all(1)
        if not ok.any():
            return None
        for k in np.flatnonzero(ok):
            (x0, y0), (x1, y1) = lo[k], hi[k]
            ty, tx = np.mgrid[y0:y1, x0:x1] + 0.5
            dx, dy = tx - a[k, 0], ty - a[k, 1]
            w1 = (dx * (c[k, 1] - a[k, 1]) - dy * (c[k, 0] - a[k, 0])) / det[k]
            w2 = (dy * (b[k, 0] - a[k, 0]) - dx * (b[k, 1] - a[k, 1])) / det[k]
            inside = (w1 >= 0) & (w2 >= 0) & (w1 + w2 <= 1)
            if not inside.any():
                continue
            j, i = np.nonzero(inside)
            w1, w2 = w1[j, i, None], w2[j, i, None]
            ia, ib, ic = index[k]
            t = uv[ia] * (1 - w1 - w2) + uv[ib] * w1 + uv[ic] * w2 - 0.5
            ti = np.floor(t).astype(int)
            f = (t - ti).astype(np.float32)
            xa, xb = np.clip(ti[:, 0], 0, sw - 1), np.clip(ti[:, 0] + 1, 0, sw - 1)
            ya, yb = np.clip(ti[:, 1], 0, sh - 1), np.clip(ti[:, 1] + 1, 0, sh - 1)
            fx, fy = f[:, :1], f[:, 1:]
            texel = (sheet[ya, xa] * (1 - fx) + sheet[ya, xb] * fx) * (1 - fy) \
                + (sheet[yb, xa] * (1 - fx) + sheet[yb, xb] * fx) * fy
            colour[y0 + j, x0 + i] = texel
            covered[y0 + j, x0 + i] = True
        return lo[ok, 1].min(), hi[ok, 1].max(), lo[ok, 0].min(), hi[ok, 0].max()
