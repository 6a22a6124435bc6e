"""The network: two causal convolutions and two GRUs, read by a softmax over the visemes and by a detector of
lip closures. Output t speaks about frame t - AHEAD."""

import numpy as np
import torch
from torch import nn

import gru
import visemes

AHEAD = 5
CHANNELS, FIRST, SECOND, HIDDEN, LAYERS = 128, 5, 3, 384, 2
OUTPUTS = 16
CLOSED = visemes.INDEX["PP"]

# Lip-on-teeth sounds are short and easily seen, so their errors count more.
CLASS_WEIGHTS = [1, 1.2, 1.4, 1.1, 1, 1, 1.1, 1, 1, 1, 1, 1, 1, 1, 1]


class Mouth(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv1d(40, CHANNELS, FIRST)
        self.second = nn.Conv1d(CHANNELS, CHANNELS, SECOND)
        self.recurrent = nn.GRU(CHANNELS, HIDDEN, LAYERS, batch_first=True)
        self.last = nn.Linear(HIDDEN, OUTPUTS)

    def forward(self, frames, dropout=0.0):
        """frames: batch x time x 40; logits: batch x time x 16, the closure's last."""
        x = nn.functional.pad(frames.transpose(1, 2), (FIRST - 1, 0))
        x = nn.functional.pad(torch.relu(self.first(x)), (SECOND - 1, 0))
        x = torch.relu(self.second(x)).transpose(1, 2)
        x = nn.functional.dropout(x, dropout, self.training)
        x = gru.run(self.recurrent, x, dropout, True) if self.training else self.recurrent(x)[0]
        return self.last(nn.functional.dropout(x, dropout, self.training))


def weights_from(logits):
    """Viseme weights (… x 15) of the 16 logits: the closure has its detector's weight, the rest is shared."""
    shown = torch.softmax(logits[..., :15], -1)
    closure = torch.sigmoid(logits[..., 15])
    others = 1 - shown[..., CLOSED]
    weights = shown * ((1 - closure) / others.clamp(min=1e-6))[..., None]
    weights[..., CLOSED] = torch.where(others > 1e-6, closure, torch.ones_like(closure))
    return weights


def predict(net, frames):
    """Viseme weights (frames x 15) of features whose end is followed by AHEAD frames that are dropped."""
    with torch.no_grad():
        return weights_from(net(torch.tensor(frames[None]))[0]).numpy()[AHEAD:]


def weights_of(net, samples):
    """Viseme weights of 16 kHz float samples, one row every 10 ms, as the Swift code gives them."""
    import features
    padded = np.concatenate([samples, np.zeros(AHEAD * features.HOP + features.WINDOW, np.float32)])
    count = -(-len(samples) // features.HOP)
    heard = features.log_mel(padded)[:count + AHEAD]
    weights = predict(net, features.normalize(heard))
    weights[features.at_rest(heard)[AHEAD:]] = [1] + [0] * 14
    return weights
