"""A part: a picture drawn in canvas coordinates, its mesh, and how it moves."""
import math

import cairo
import numpy as np

from . import space


class Part:
    """One mesh with its own picture; the same mesh may be drawn by several layers.

    `draw(c)` paints in canvas coordinates. `deform(params, part)` returns x and y of every vertex for a
    set of morph weights; it defaults to the place where the picture was drawn. `z`, `head`, `body` and
    `sway` are functions of the drawn x and y.
    """

    def __init__(self, name, box, draw, *, scale=1.0, cell=36.0, grid=None, deform=None, z=0.0, head=1.0,
                 body=1.0, spring=None, sway=None, morphs=(), layers=None, **layer):
        self.name, self.box, self.draw, self.scale, self.cell = name, box, draw, scale, cell
        self.grid, self.deform, self.z, self.head, self.body = grid, deform, z, head, body
        self.spring, self.sway, self.morphs = spring, sway, tuple(morphs)
        self.layers = layers or [dict(name=name, **layer)]
        self.aux = {}

    def render(self):
        x0, y0, x1, y1 = self.box
        w, h = (int(math.ceil((b - a) * self.scale)) for a, b in ((x0, x1), (y0, y1)))
        surface = cairo.ImageSurface(cairo.FORMAT_ARGB32, w, h)
        c = cairo.Context(surface)
        c.scale(self.scale, self.scale)
        c.translate(-x0, -y0)
        self.draw(c)
        surface.flush()
        self.pixels = np.ndarray((h, surface.get_stride() // 4, 4), np.uint8,
                                 surface.get_data())[:, :w].copy()

    def mesh(self):
        if self.grid is not None:
            self.x, self.y, self.tri, self.aux = self.grid
        else:
            self.x, self.y, self.tri = self._cells()
        self.u = (self.x - self.box[0]) * self.scale
        self.v = (self.y - self.box[1]) * self.scale

    def _cells(self):
        """A regular grid of the cells that hold paint."""
        x0, y0, x1, y1 = self.box
        nx, ny = (max(1, round((b - a) / self.cell)) for a, b in ((x0, x1), (y0, y1)))
        h, w = self.pixels.shape[:2]
        inked = np.argwhere(self.pixels[..., 3] > 0)
        keep = np.zeros((ny, nx), bool)
        for dy in (-2, 2):
            for dx in (-2, 2):
                j = np.clip((inked[:, 0] + dy) * ny // h, 0, ny - 1)
                i = np.clip((inked[:, 1] + dx) * nx // w, 0, nx - 1)
                keep[j, i] = True
        ids, xs, ys, tri = {}, [], [], []

        def vertex(i, j):
            if (i, j) not in ids:
                ids[i, j] = len(xs)
                xs.append(x0 + (x1 - x0) * i / nx)
                ys.append(y0 + (y1 - y0) * j / ny)
            return ids[i, j]

        for j, i in np.argwhere(keep):
            a, b, c, d = vertex(i, j), vertex(i + 1, j), vertex(i, j + 1), vertex(i + 1, j + 1)
            left = (i + 0.5) * 2 < nx
            tri += [(a, b, c), (b, d, c)] if left else [(a, b, d), (a, d, c)]
        return np.array(xs), np.array(ys), np.array(tri)

    def value(self, f, x, y):
        return np.broadcast_to(np.asarray(f(x, y) if callable(f) else f, float), x.shape).copy()

    def place(self, params):
        """Rest coordinates (x, y, z) of every vertex with these morph weights."""
        x, y = self.deform(params, self) if self.deform else (self.x, self.y)
        z = self.value(self.z, x, y)
        px, py = space.unproject(x, y, z, self.head_weight)
        return np.stack([px, py, z], 1)

    def finish(self):
        self.head_weight = self.value(self.head, self.x, self.y)
        self.body_weight = self.value(self.body, self.x, self.y)
        self.sway_weight = np.clip(self.value(self.sway, self.x, self.y), 0, 1) if self.sway \
            else np.zeros_like(self.x)
        self.rest = self.place({})


def strip(columns, rows, shape):
    """A mesh of `columns` x `rows` parameters; `shape(t, s)` gives the place of drawing."""
    t, s = np.meshgrid(columns, rows)
    nx, ny = len(columns), len(rows)
    tri = []
    for j in range(ny - 1):
        for i in range(nx - 1):
            a, b, c, d = j * nx + i, j * nx + i + 1, (j + 1) * nx + i, (j + 1) * nx + i + 1
            tri += [(a, b, c), (b, d, c)] if i * 2 < nx - 1 else [(a, b, d), (a, d, c)]
    t, s = t.ravel(), s.ravel()
    x, y = shape(t, s)
    return np.asarray(x, float), np.asarray(y, float), np.array(tri), dict(t=t, s=s)
