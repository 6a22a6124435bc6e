"""Trains the network: `fit.py DATA.pkl NET.pt EPOCHS`. An epoch takes about a minute on one core."""

import pickle
import sys
import time

import numpy as np
import torch
from torch import nn

import augment
import features
import score
from network import AHEAD, CLASS_WEIGHTS, Mouth

CHUNK, BATCH, SEED = 320, 48, 1
# Speech an epoch, and how many differently changed epochs are made before they come again.
MINUTES, POOLS = 150, 4
SILENT_SHARE = 0.07
LUNA_SHARE = 0.42


def utterances(entries, rng):
    """One epoch of (features, labels): speech of all voices, Luna's in a fixed share, and silence."""
    luna = [e for e in entries if e["voice"] == "luna"]
    others = [e for e in entries if e["voice"] != "luna"]
    crowd = [e["samples"] for e in entries]
    for group, share in ((luna, LUNA_SHARE), (others, 1 - LUNA_SHARE)):
        wanted = MINUTES * 60 * features.RATE * share
        order = rng.permutation(len(group))
        index = 0
        while wanted > 0:
            entry = group[order[index % len(order)]]
            index += 1
            wanted -= len(entry["samples"])
            samples, labels = augment.speech(entry["samples"], entry["labels"], rng, crowd)
            yield features.features(samples)[:len(labels)], labels
    for _ in range(int(MINUTES * 60 * SILENT_SHARE / 3.2)):
        samples = augment.silence(3.2, rng)
        frames = features.features(samples)
        yield frames, np.zeros(len(frames), np.int8)


def chunks(made):
    """Arrays (n x CHUNK x 40) and labels (n x CHUNK, delayed by AHEAD, -1 where unknown)."""
    inputs, targets = [], []
    for frames, labels in made:
        delayed = np.concatenate([np.full(AHEAD, -1, np.int8), labels])[:len(frames)]
        for start in range(0, len(frames), CHUNK):
            part, truth = frames[start:start + CHUNK], delayed[start:start + CHUNK]
            if len(part) < 60:
                continue
            missing = CHUNK - len(part)
            inputs.append(np.pad(part, ((0, missing), (0, 0)), mode="edge").astype(np.float16))
            targets.append(np.pad(truth, (0, missing), constant_values=-1))
    return np.array(inputs), np.array(targets)


def main():
    data_path, net_path, epochs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    rng = np.random.default_rng(SEED)
    with open(data_path, "rb") as file:
        entries = pickle.load(file)
    training = [e for e in entries if e["part"] == "train"]
    checks = [e for e in entries if e["part"] != "train"][::3]
    net = Mouth()
    print("parameters", sum(p.numel() for p in net.parameters()), flush=True)
    optimizer = torch.optim.Adam(net.parameters(), 2.5e-3)
    loss_of = nn.CrossEntropyLoss(weight=torch.tensor(CLASS_WEIGHTS, dtype=torch.float), ignore_index=-1)
    started, step, total, pools = time.time(), 0, None, []
    for epoch in range(epochs):
        if len(pools) < POOLS:
            pools.append(chunks(utterances(training, rng)))
        inputs, targets = pools[epoch % len(pools)] if len(pools) == POOLS else pools[-1]
        order = rng.permutation(len(inputs))
        total = total or epochs * (len(order) // BATCH)
        made, losses = time.time(), []
        net.train()
        for start in range(0, len(order) - BATCH + 1, BATCH):
            pick = order[start:start + BATCH]
            progress = min(1, step / total)
            rate = 2.5e-3 * min(1, (step + 20) / 200) * (0.5 + 0.5 * np.cos(np.pi * progress)) + 2e-5
            optimizer.param_groups[0]["lr"] = rate
            logits = net(torch.tensor(inputs[pick].astype(np.float32)))
            loss = loss_of(logits.reshape(-1, 15), torch.tensor(targets[pick].astype(np.int64)).reshape(-1))
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            losses.append(loss.item())
            step += 1
        torch.save(net.state_dict(), net_path)
        print("epoch %d loss %.3f, %d chunks, features until %.0f s, %.0f s" % (
            epoch + 1, np.mean(losses), len(order), made - started, time.time() - started), flush=True)
        net.eval()
        for line in score.table(net, checks):
            print(line, flush=True)


if __name__ == "__main__":
    main()
