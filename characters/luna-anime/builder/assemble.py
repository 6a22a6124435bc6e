"""Turns parts into the tables of puppet.bin and the atlas."""
import numpy as np

from . import atlas, puppet_file as pf, space

ATLAS = (2048, 3072)
SMALLEST = 0.03


def morph_deltas(part, name):
    """Displacement of every vertex at weight 1; a corrective is what the linear sum lacks."""
    both = name.split("*")
    if len(both) == 1:
        return part.place({name: 1.0}) - part.rest
    a, b = both
    return part.place({a: 1.0, b: 1.0}) - part.place({a: 1.0}) - part.place({b: 1.0}) + part.rest


def assemble(parts, springs, landmarks, morph_names):
    """(puppet bytes, atlas pixels) of the parts in drawing order.

    `springs` are (name, x, y, length, stiffness, damping, max angle) in drawn coordinates,
    `landmarks` are (name, part name, x, y).
    """
    for part in parts:
        part.render()
        part.mesh()
        part.finish()
    places = atlas.pack([p.pixels.shape[1::-1] for p in parts], *ATLAS)
    sheet = np.zeros((ATLAS[1], ATLAS[0], 4), np.uint8)
    for part, (x, y) in zip(parts, places):
        h, w = part.pixels.shape[:2]
        sheet[y:y + h, x:x + w] = part.pixels
        part.u, part.v = part.u + x, part.v + y

    spring_index = {s[0]: k for k, s in enumerate(springs)}
    vertices, index, layers, first = [], [], [], {}
    base = 0
    for part in parts:
        n = len(part.x)
        table = np.zeros(n, pf.VERTEX)
        table["x"], table["y"], table["z"] = part.rest.T
        table["u"], table["v"] = part.u / ATLAS[0], part.v / ATLAS[1]
        table["head"], table["body"], table["sway"] = part.head_weight, part.body_weight, part.sway_weight
        table["spring"] = spring_index[part.spring] if part.spring else 0xFFFF
        vertices.append(table)
        start = sum(len(i) for i in index)
        index.append((part.tri + base).ravel())
        first[part.name] = (base, start, part.tri.size)
        base += n
    deltas, morphs = [], []
    for name in morph_names:
        start = sum(len(d) for d in deltas)
        both = name.split("*")
        for part in parts:
            if not set(both) <= set(part.morphs) or not part.deform:
                continue
            d = morph_deltas(part, name)
            moved = np.flatnonzero(np.abs(d).max(1) > SMALLEST)
            table = np.zeros(len(moved), pf.DELTA)
            table["vertex"] = moved + first[part.name][0]
            table["dx"], table["dy"], table["dz"] = d[moved].T
            deltas.append(table)
        count = sum(len(d) for d in deltas) - start
        if count or len(both) == 1:
            morphs.append((name.encode(), start, count))
    names = [m[0].decode() for m in morphs]

    for part in parts:
        for layer in part.layers:
            o = dict(blend=0, clip=0, mask=0, flags=0, opacity=1.0, shown_by=None, hidden_by=None,
                     order=None)
            o.update(layer)
            by = o["shown_by"] or o["hidden_by"]
            order = o["order"] if o["order"] is not None else parts.index(part)
            layers.append((order, (o["name"].encode(), first[part.name][1], first[part.name][2], o["blend"],
                                   o["clip"], o["mask"], o["flags"], o["opacity"],
                                   names.index(by) if by else 0xFFFF, 1 if o["hidden_by"] else 0, 0)))
    layers.sort(key=lambda pair: pair[0])

    def landmark(name, part_name, x, y):
        part = next(p for p in parts if p.name == part_name)
        k = int(np.argmin((part.x_rest - x) ** 2 + (part.y_rest - y) ** 2))
        return name.encode(), k + first[part_name][0], 0

    for part in parts:
        part.x_rest, part.y_rest = part.deform({}, part) if part.deform else (part.x, part.y)
    tables = dict(
        vertices=np.concatenate(vertices), indices=np.concatenate(index).astype("<u2"),
        layers=np.array([l for _, l in layers], pf.LAYER), morphs=np.array(morphs, pf.MORPH),
        deltas=np.concatenate(deltas),
        springs=np.array([spring_row(*s) for s in springs], pf.SPRING),
        landmarks=np.array([landmark(*m) for m in landmarks], pf.LANDMARK))
    numbers = (space.WIDTH, space.HEIGHT, *space.CROP, *space.PIVOT, space.BREATH)
    return pf.write(numbers, ATLAS, tables), atlas.straight(sheet)


def spring_row(name, x, y, z, head, length, stiffness, damping, limit):
    px, py = space.unproject(np.array(float(x)), np.array(float(y)), z, head)
    return name.encode(), px, py, z, length, stiffness, damping, limit
