"""Trains the network: `fit.py DATA.pkl NET.pt EPOCHS [FROM.pt]`. An epoch takes about 80 seconds of a free core, two
minutes of a busy one.

With FROM.pt, what an earlier training wrote is trained on, at half the rate and with other copies of the speech.

`NET.pt` is written after every epoch; it holds the running mean of the weights, which scores better than the
last ones. In the end it holds the mean of those of half-time and of the end: the rate of half-time keeps the network
from learning the few real speakers by heart, the end is surer of closures, and what lies between them has both.
"""

import pickle
import sys
import time

import numpy as np
import torch
from torch import nn

import pools
import score
from network import CLASS_WEIGHTS, CLOSED, Mouth

BATCH, SEED, RATE, POOLS = 48, 1, 1.6e-3, 20
DROPOUT, MEAN_DECAY = 0.05, 0.998
# How much of a frame's target its neighbours have: the mouth is on its way at a border.
NEIGHBOUR = 0.12
# The closure's part of the loss, and how much a missed closure counts beside an invented one.
CLOSURE, MISSED = 0.6, 1.3


def soft(targets):
    """Viseme weights (batch x time x 15) that targets -1, 0…14 ask for, zero where unknown."""
    known = (targets >= 0).float()[..., None]
    hard = nn.functional.one_hot(targets.clamp(min=0), 15).float() * known
    before = torch.cat([hard[:, :1], hard[:, :-1]], 1)
    after = torch.cat([hard[:, 1:], hard[:, -1:]], 1)
    mixed = hard * (1 - 2 * NEIGHBOUR) + (before + after) * NEIGHBOUR
    total = mixed.sum(2, keepdim=True)
    return mixed / total.clamp(min=1e-6) * known


def closure_weights(targets):
    """1 for frames that are surely closed or open, less beside a border of a closure, 0 where unknown."""
    closed = (targets == CLOSED).float()
    edge = torch.zeros_like(closed)
    change = (closed[:, 1:] != closed[:, :-1]).float()
    edge[:, 1:] += change
    edge[:, :-1] += change
    return (targets >= 0).float() * (1 - 0.6 * edge.clamp(max=1))


class Loss:
    def __init__(self):
        self._classes = torch.tensor(CLASS_WEIGHTS, dtype=torch.float)
        self._missed = torch.tensor(MISSED)

    def __call__(self, logits, targets):
        wanted = soft(targets) * self._classes
        shapes = -(wanted * torch.log_softmax(logits[..., :15], 2)).sum() / wanted.sum().clamp(min=1)
        weights = closure_weights(targets)
        closure = nn.functional.binary_cross_entropy_with_logits(
            logits[..., 15], (targets == CLOSED).float(), weights, pos_weight=self._missed, reduction="sum")
        return shapes + CLOSURE * 4 * closure / weights.sum().clamp(min=1)


class Mean:
    """Running mean of a network's weights."""

    def __init__(self, net):
        self.net, self._steps = Mouth(), 0
        self.net.load_state_dict(net.state_dict())

    def update(self, net):
        self._steps += 1
        decay = min(MEAN_DECAY, self._steps / (self._steps + 10))
        with torch.no_grad():
            for mean, value in zip(self.net.parameters(), net.parameters()):
                mean.mul_(decay).add_(value, alpha=1 - decay)


def train(entries, checks, epochs, folder, path, begin=None):
    net, loss_of = Mouth(), Loss()
    if begin:
        net.load_state_dict(torch.load(begin))
    top, seed = (RATE / 2, SEED + 1) if begin else (RATE, SEED)
    mean = Mean(net)
    print("parameters", sum(p.numel() for p in net.parameters()), flush=True)
    optimizer = torch.optim.Adam(net.parameters(), top)
    made = pools.Pools(entries, folder, min(POOLS, epochs), seed)
    rng = np.random.default_rng(seed)
    started, step, total, halfway = time.time(), 0, None, None
    for epoch in range(epochs):
        inputs, targets, number = made.next()
        order = rng.permutation(len(inputs))
        total = total or epochs * (len(order) // BATCH)
        losses, begun = [], time.time()
        net.train()
        for start in range(0, len(order) - BATCH + 1, BATCH):
            pick = order[start:start + BATCH]
            progress = min(1, step / total)
            optimizer.param_groups[0]["lr"] = (
                top * min(1, (step + 20) / 200) * (0.5 + 0.5 * np.cos(np.pi * progress)) + 2e-5)
            logits = net(torch.tensor(inputs[pick].astype(np.float32)), DROPOUT)
            loss = loss_of(logits, torch.tensor(targets[pick].astype(np.int64)))
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            mean.update(net)
            losses.append(loss.item())
            step += 1
        torch.save(mean.net.state_dict(), path)
        if epoch + 1 == epochs // 2:
            halfway = {name: value.clone() for name, value in mean.net.state_dict().items()}
        print("epoch %d of %d: loss %.3f, pool %d, %d chunks in %.0f s, %.0f s in all" % (
            epoch + 1, epochs, np.mean(losses), number, len(order), time.time() - begun, time.time() - started),
            flush=True)
        mean.net.eval()
        for line in score.table(mean.net, checks):
            print(line, flush=True)
    if halfway:
        last = mean.net.state_dict()
        torch.save({name: (value + halfway[name]) / 2 for name, value in last.items()}, path)
    made.close()


def main():
    data_path, net_path, epochs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    with open(data_path, "rb") as file:
        entries = pickle.load(file)
    training = [entry for entry in entries if entry["part"] == "train"]
    checks = [entry for entry in entries if entry["part"] != "train"][::3]
    train(training, checks, epochs, net_path + ".pools", net_path, (sys.argv[4:] or [None])[0])


if __name__ == "__main__":
    main()
