"""The network: two causal convolutions, one GRU, one linear layer. Output t speaks about frame t - AHEAD."""

import numpy as np
import torch
from torch import nn

AHEAD = 6
CHANNELS, FIRST, SECOND, HIDDEN = 96, 5, 3, 160

# Lip closures and lip-on-teeth sounds are short and easily seen, so their errors count more.
CLASS_WEIGHTS = [1, 1.5, 1.4, 1.1, 1, 1, 1.1, 1, 1, 1, 1, 1, 1, 1, 1]


class Mouth(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv1d(40, CHANNELS, FIRST)
        self.second = nn.Conv1d(CHANNELS, CHANNELS, SECOND)
        self.recurrent = nn.GRU(CHANNELS, HIDDEN, batch_first=True)
        self.last = nn.Linear(HIDDEN, 15)

    def forward(self, frames):
        """frames: batch x time x 40; logits: batch x time x 15."""
        x = nn.functional.pad(frames.transpose(1, 2), (FIRST - 1, 0))
        x = nn.functional.pad(torch.relu(self.first(x)), (SECOND - 1, 0))
        x = torch.relu(self.second(x))
        return self.last(self.recurrent(x.transpose(1, 2))[0])


def predict(net, frames):
    """Viseme weights (frames x 15) of features whose end is followed by AHEAD frames that are dropped."""
    with torch.no_grad():
        logits = net(torch.tensor(frames[None]))[0]
        return torch.softmax(logits, 1).numpy()[AHEAD:]


def weights_of(net, samples):
    """Viseme weights of 16 kHz float samples, one row every 10 ms, as the Swift code gives them."""
    import features
    padded = np.concatenate([samples, np.zeros(AHEAD * features.HOP + features.WINDOW, np.float32)])
    count = -(-len(samples) // features.HOP)
    heard = features.log_mel(padded)[:count + AHEAD]
    weights = predict(net, features.normalize(heard))
    weights[features.at_rest(heard)[AHEAD:]] = [1] + [0] * 14
    return weights
