"""Borders of Luna's phones where an aligner that was trained on people puts them, and the model that finds them
again from her sound alone."""

import numpy as np

import features
import visemes

# Frames, relative to the one that is scored, that a score reads, and the parts of a phone that have one each.
CONTEXT, PARTS = (-4, -2, 0, 2, 4), 3
# Seconds beyond which the aligner's border is not believed, and by which two phones may lie apart at a cost of 1.
FAR, SPREAD = 0.08, 0.06
HOP = features.HOP / features.RATE
VOWELS = {visemes.VISUAL[visemes.INDEX[name]] for name in ("aa", "E", "ih", "oh", "ou")}
ARPABET = {name.upper(): shown for name, shown in visemes.ARPABET.items()}


def _shape(shown):
    """Number of the viseme that a phone begins with; an /h/ counts as the vowel `aa`."""
    return visemes.INDEX.get(shown[0], visemes.INDEX["aa"])


def _unlike(a, b):
    """Cost of taking a phone that begins with viseme `a` for one that begins with `b`."""
    if a == b:
        return 0
    first, second = visemes.VISUAL[a], visemes.VISUAL[b]
    if first == second:
        return 0.4
    return 0.8 if a and b and (first in VOWELS) == (second in VOWELS) else 2.5


def _pairs(phones, heard):
    """{index in `phones`: index in `heard`} of the phones that are the same, by dynamic programming.

    `phones`: [(symbol, start, end)] of the voice; `heard`: [(start, end, ARPAbet)] of the aligner."""
    shapes = [0 if name in ("", " ") else _shape(visemes.of_ipa(name)) for name, _, _ in phones]
    others = [_shape(ARPABET.get(name, ["sil"])) for _, _, name in heard]
    rows, columns = len(phones), len(heard)
    cost = np.full((rows + 1, columns + 1), np.inf)
    way = np.zeros((rows + 1, columns + 1), int)
    cost[0, 0] = 0
    for i in range(rows + 1):
        for j in range(columns + 1):
            steps = []
            if i and j:
                apart = abs(sum(phones[i - 1][1:]) - sum(heard[j - 1][:2])) / 2
                steps.append((cost[i - 1, j - 1] + _unlike(shapes[i - 1], others[j - 1]) + min(2, apart / SPREAD), 0))
            if i:
                steps.append((cost[i - 1, j] + (1.3 if shapes[i - 1] else 0.5), 1))
            if j:
                steps.append((cost[i, j - 1] + (1.3 if others[j - 1] else 0.5), 2))
            if steps:
                cost[i, j], way[i, j] = min(steps)
    i, j, pairs = rows, columns, {}
    while i or j:
        if way[i, j] == 0:
            i, j = i - 1, j - 1
            pairs[i] = j
        elif way[i, j] == 1:
            i -= 1
        else:
            j -= 1
    return pairs


def corrected(phones, heard):
    """The voice's phones with the aligner's border wherever both have the same two phones side by side."""
    pairs = _pairs(phones, heard)
    borders = [phones[0][1]]
    for index in range(1, len(phones)):
        border = phones[index][1]
        before = index - 2 if phones[index - 1][0] == " " else index - 1
        after = index + 1 if phones[index][0] == " " else index
        if before in pairs and pairs.get(after) == pairs[before] + 1:
            found = heard[pairs[after]][0]
            border = found if abs(found - border) <= FAR else border
        borders.append(max(border, borders[-1]))
    borders.append(phones[-1][2])
    return [(name, start, end) for (name, _, _), start, end in zip(phones, borders, borders[1:])]


def _stack(frames):
    places = np.arange(len(frames))
    return np.concatenate([frames[np.clip(places + shift, 0, len(frames) - 1)] for shift in CONTEXT], 1)


def _parts(first, last):
    """Beginning, middle and end of the frames `first` ..< `last`, which share frames when those are few."""
    third = max(1, (last - first) // PARTS)
    if last - first < PARTS:
        return [(first, first + 1), (first, last), (last - 1, last)]
    return [(first, first + third), (first + third, last - third), (last - third, last)]


def fit(spoken):
    """[(symbol, [(weights, bias)] of its parts)] by symbol: Gaussians with one covariance for all.

    `spoken`: [(16 kHz float samples, phones as `corrected` gives them)]."""
    groups = {}
    for samples, phones in spoken:
        frames = _stack(features.features(samples))
        for name, start, end in phones:
            first, last = (min(int(round(at / HOP)), len(frames)) for at in (start, end))
            if last > first and name != " ":
                for part, (a, b) in enumerate(_parts(first, last)):
                    groups.setdefault((name, part), []).append(frames[a:b])
    means, scatter, total = {}, 0, 0
    for key, pieces in groups.items():
        data = np.concatenate(pieces).astype(np.float64)
        means[key] = data.mean(0)
        centred = data - means[key]
        scatter, total = scatter + centred.T @ centred, total + len(data)
    precision = np.linalg.inv(scatter / total + 1e-3 * np.eye(len(scatter)))
    for name in sorted({name for name, _ in means}):
        rows = []
        for part in range(PARTS):
            weights = precision @ means[name, part]
            rows.append((weights.astype(np.float32), float(-0.5 * weights @ means[name, part])))
        yield name, rows
