"""Moves the phone borders of Luna's voice to where the sound changes.

The voice's own durations come in steps of 25 ms and name a phone about 55 ms after it sounds. One
Gaussian a phone with a shared covariance is fitted to the current borders and the borders are then
moved by dynamic programming near the voice's times; three rounds settle it.
"""

import numpy as np

import features

LAG = 0.055
STRESS = "ˈˌ"
REACH = 9
ROUNDS = 3
SHORTEST = 2


def phones_of(symbols, units, seconds):
    """[(symbol, start, end)] in seconds: stress marks join the phone after them, marks of length and
    everything that is no sound become ''."""
    found, time, waiting = [], 0.0, None
    for symbol, count in zip(symbols, units):
        start, time = time, time + count * seconds
        if symbol and symbol in STRESS:
            waiting = start if waiting is None else waiting
            continue
        name = symbol if symbol.isalpha() or symbol == "ᵊ" else " " if symbol == " " else ""
        begin = start if waiting is None else waiting
        waiting = None
        if name == "" and found and found[-1][0] == "":
            found[-1] = ("", found[-1][1], time)
        elif name == "" and found and found[-1][0] == " ":
            found[-1] = ("", found[-1][1], time)
        elif name == " " and found and found[-1][0] == "":
            found[-1] = ("", found[-1][1], time)
        else:
            found.append((name, begin, time))
    return found


def _stack(frames):
    """Each frame with the ones 30 ms before and after it."""
    before = np.concatenate([np.repeat(frames[:1], 3, 0), frames[:-3]])
    after = np.concatenate([frames[3:], np.repeat(frames[-1:], 3, 0)])
    return np.concatenate([before, frames, after], 1)


class Aligner:
    """Aligns many utterances of one voice, or of alike ones: give all, then take the result.

    `reach`: how many frames a border may move."""

    def __init__(self, reach=REACH):
        self._utterances, self._reach = [], reach

    def add(self, samples, phones):
        """16 kHz samples and the phones as `phones_of` gives them."""
        frames = _stack(features.features(samples))
        hop = features.HOP / features.RATE
        borders = [int(round((start - LAG) / hop)) for _, start, _ in phones] + [len(frames)]
        borders[0] = 0
        for index in range(1, len(borders)):
            borders[index] = min(max(borders[index], borders[index - 1]), len(frames))
        self._utterances.append([frames, [name for name, _, _ in phones], borders, list(borders)])

    def run(self, log=print):
        """Moves the borders; afterwards `result(index)` is final."""
        for turn in range(ROUNDS):
            self._fit()
            moved = []
            for utterance in self._utterances:
                old = utterance[3]
                utterance[3] = self._place(utterance)
                moved.append(np.mean(np.abs(np.array(old) - utterance[3])))
            log("align: round %d moved borders by %.1f ms on average" % (turn + 1, 10 * np.mean(moved)))

    def result(self, index):
        """[(symbol, start, end)] in seconds."""
        _, names, _, borders = self._utterances[index]
        hop = features.HOP / features.RATE
        return [(name, a * hop, b * hop) for name, a, b in zip(names, borders, borders[1:])]

    def _fit(self):
        groups = {}
        for frames, names, _, borders in self._utterances:
            for name, a, b in zip(names, borders, borders[1:]):
                if b > a:
                    groups.setdefault(name, []).append(frames[a:b])
        self._means, scatter, total = {}, 0, 0
        for name, pieces in groups.items():
            data = np.concatenate(pieces).astype(np.float64)
            self._means[name] = data.mean(0)
            centred = data - self._means[name]
            scatter, total = scatter + centred.T @ centred, total + len(data)
        covariance = scatter / total + 1e-3 * np.eye(len(scatter))
        self._precision = np.linalg.inv(covariance)

    def _place(self, utterance):
        frames, names, first, _ = utterance
        count, states = len(frames), len(names)
        means = np.array([self._means.get(name, self._means[""]) for name in names])
        projected = means @ self._precision
        scores = frames @ projected.T - 0.5 * np.sum(projected * means, 1)
        totals = np.vstack([np.zeros(states), np.cumsum(scores, 0)])
        # best[b]: score of the phones so far when the last of them ends at frame b.
        best = np.full(count + 1, -np.inf)
        best[0] = 0
        back = np.zeros((states, count + 1), np.int32)
        for state in range(states):
            short = 0 if names[state] == " " else SHORTEST
            open_score = best - totals[:, state]
            running = np.maximum.accumulate(open_score)
            place = np.maximum.accumulate(
                np.where(open_score >= running, np.arange(count + 1), 0))
            fresh = np.full(count + 1, -np.inf)
            low = max(short, first[state + 1] - self._reach) if state < states - 1 else count
            high = min(count, first[state + 1] + self._reach) if state < states - 1 else count
            for end in range(low, high + 1):
                if end - short >= 0:
                    fresh[end] = running[end - short] + totals[end, state]
                    back[state, end] = place[end - short]
            best = fresh
        if not np.isfinite(best[count]):
            return list(utterance[3])
        borders = [count]
        for state in range(states - 1, -1, -1):
            borders.append(int(back[state, borders[-1]]))
        return borders[::-1]
