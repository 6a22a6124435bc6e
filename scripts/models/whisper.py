"""Whisper in CTranslate2's form to two ONNX graphs and a token list as sherpa-onnx has them.

    whisper.py SOURCE PREFIX OUTPUT

SOURCE holds model.bin, config.json and vocabulary.txt; OUTPUT gets PREFIX-encoder.int8.onnx,
PREFIX-decoder.int8.onnx and PREFIX-tokens.txt.
"""

import base64
import json
import logging
import math
import os
import sys

import numpy as np
from onnx import TensorProto
from onnxruntime.quantization import QuantType, quantize_dynamic

from ctranslate2 import read_tensors
from onnx_graph import Graph


class Whisper:
    """Weights and the numbers that follow from their shapes."""

    def __init__(self, source):
        self.weights = read_tensors(os.path.join(source, "model.bin"))
        self.heads = int(self.weights["encoder/num_heads"])
        self.width = self.weights["encoder/conv1/bias"].shape[0]
        self.bands = self.weights["encoder/conv1/weight"].shape[1]
        self.encoder_layers = self._count("encoder/layer_")
        self.decoder_layers = self._count("decoder/layer_")
        self.vocabulary_size = self.weights["decoder/embeddings/weight"].shape[0]
        self.text_context = self.weights["decoder/position_encodings/encodings"].shape[0]
        self.audio_context = self.weights["encoder/position_encodings/encodings"].shape[0]
        self.query_scale = 1 / math.sqrt(self.width // self.heads)
        with open(os.path.join(source, "config.json"), encoding="utf-8") as stream:
            self.suppressed = [t for t in json.load(stream).get("suppress_ids", []) if t >= 0]
        with open(os.path.join(source, "vocabulary.txt"), encoding="utf-8") as stream:
            self.vocabulary = [line.rstrip("\n") for line in stream]

    def _count(self, prefix):
        names = (name[len(prefix):].split("/")[0] for name in self.weights if name.startswith(prefix))
        return len({name for name in names if name.isdigit()})

    def graph(self):
        return Graph(self.weights, self.heads, self.width)

    def projections(self, graph, values, name):
        """Queries (scaled), keys and values of a fused self-attention projection."""
        width = self.width
        return (graph.linear(values, name, (0, width), self.query_scale),
                graph.linear(values, name, (width, 2 * width)),
                graph.linear(values, name, (2 * width, 3 * width)))

    def metadata(self, name):
        """What readers need, under sherpa-onnx's names."""
        index = {token: i for i, token in enumerate(self.vocabulary)}
        start = index["<|startoftranscript|>"]
        multilingual = self.vocabulary_size >= 51865
        sequence = [start, index["<|en|>"], index["<|transcribe|>"]] if multilingual else [start]
        languages = [(token[2:-2], i) for token, i in index.items()
                     if token.startswith("<|") and start < i < index["<|translate|>"]]
        return {
            "model_type": "whisper-" + name, "version": 1, "maintainer": "yoob",
            "n_mels": self.bands, "n_audio_ctx": self.audio_context, "n_audio_state": self.width,
            "n_audio_head": self.heads, "n_audio_layer": self.encoder_layers,
            "n_vocab": self.vocabulary_size, "n_text_ctx": self.text_context,
            "n_text_state": self.width, "n_text_head": self.heads,
            "n_text_layer": self.decoder_layers,
            "sot_sequence": _joined(sequence),
            "all_language_tokens": _joined(i for _, i in languages),
            "all_language_codes": _joined(code for code, _ in languages),
            "sot": start, "sot_index": 0, "eot": index["<|endoftext|>"], "blank_id": index["Ġ"],
            "is_multilingual": int(multilingual),
            "no_speech": index.get("<|nospeech|>", index.get("<|nocaptions|>")),
            "non_speech_tokens": _joined(self.suppressed),
            "transcribe": index["<|transcribe|>"], "translate": index["<|translate|>"],
            "sot_prev": index["<|startofprev|>"], "sot_lm": index["<|startoflm|>"],
            "no_timestamps": index["<|notimestamps|>"],
            # The decoder takes caches of any length, so that short texts copy little.
            "self_cache": "any",
        }


def _joined(values):
    return ",".join(map(str, values))


def write_tokens(model, path):
    """One `base64 index` line a token; byte-level BPE letters become the bytes they stand for."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters = {chr(byte): byte for byte in plain}
    others = (byte for byte in range(256) if byte not in letters.values())
    letters |= {chr(256 + i): byte for i, byte in enumerate(others)}
    special = model.vocabulary.index("<|endoftext|>")
    with open(path, "w", encoding="ascii") as stream:
        for i, token in enumerate(model.vocabulary):
            raw = token.encode() if i >= special else bytes(letters[letter] for letter in token)
            stream.write(f"{base64.b64encode(raw).decode()} {i}\n")


def write_encoder(model, path, metadata):
    """mel [N, bands, T] to the cross-attention keys and values of every decoder layer."""
    g = model.graph()
    x = "mel"
    for conv, stride in (("encoder/conv1", 1), ("encoder/conv2", 2)):
        x = g.gelu(g.add("Conv", x, g.weight(conv + "/weight"), g.weight(conv + "/bias"),
                         kernel_shape=[3], pads=[1, 1], strides=[stride]))
    x = g.add("Transpose", x, perm=[0, 2, 1])
    places = g.slice(g.weight("encoder/position_encodings/encodings"), g.integers(0),
                     g.length_of(x, 1), 0)
    x = g.add("Add", x, places)
    for layer in range(model.encoder_layers):
        name = f"encoder/layer_{layer}"
        y = g.layer_norm(x, name + "/self_attention/layer_norm")
        mixed = g.attention(*model.projections(g, y, name + "/self_attention/linear_0"))
        x = g.add("Add", x, g.linear(mixed, name + "/self_attention/linear_1"))
        x = g.add("Add", x, g.feed_forward(x, name + "/ffn"))
    x = g.layer_norm(x, "encoder/layer_norm")
    width = model.width
    for output, rows in (("n_layer_cross_k", (0, width)), ("n_layer_cross_v", (width, 2 * width))):
        layers = [g.linear(x, f"decoder/layer_{layer}/attention/linear_1", rows)
                  for layer in range(model.decoder_layers)]
        g.add("Concat", *(g.add("Unsqueeze", y, g.integers(0)) for y in layers), axis=0, output=output)
    shape = [model.decoder_layers, "N", "A", width]
    g.save(path, [("mel", "float", ["N", model.bands, "T"])],
           [("n_layer_cross_k", "float", shape), ("n_layer_cross_v", "float", shape)], metadata)


def write_decoder(model, path, metadata):
    """Tokens [N, n] at `offset`, with caches, to logits and the caches that follow."""
    g = model.graph()
    count = g.length_of("tokens", 1)
    offset = g.add("Reshape", "offset", g.integers(1))
    end = g.add("Add", offset, count)
    x = g.add("Add", _embedded(g, model),
              g.slice(g.weight("decoder/position_encodings/encodings"), offset, end, 0))
    mask = _causal_mask(g, offset, end)
    caches = {"k": [], "v": []}
    for layer in range(model.decoder_layers):
        name = f"decoder/layer_{layer}"
        y = g.layer_norm(x, name + "/self_attention/layer_norm")
        query, key, value = model.projections(g, y, name + "/self_attention/linear_0")
        seen = {}
        for kind, new in (("k", key), ("v", value)):
            seen[kind], cache = _extend_cache(g, model, f"in_n_layer_self_{kind}_cache", layer, new,
                                              offset, end)
            caches[kind].append(cache)
        mixed = g.attention(query, seen["k"], seen["v"], mask)
        x = g.add("Add", x, g.linear(mixed, name + "/self_attention/linear_1"))
        y = g.layer_norm(x, name + "/attention/layer_norm")
        query = g.linear(y, name + "/attention/linear_0", scale=model.query_scale)
        mixed = g.attention(query, _layer_of(g, "n_layer_cross_k", layer),
                            _layer_of(g, "n_layer_cross_v", layer))
        x = g.add("Add", x, g.linear(mixed, name + "/attention/linear_2"))
        x = g.add("Add", x, g.feed_forward(x, name + "/ffn"))
    x = g.layer_norm(x, "decoder/layer_norm")
    g.add("MatMul", x, g.constant(model.weights["decoder/embeddings/weight"].T, "projection"),
          output="logits")
    for kind, layers in caches.items():
        g.add("Concat", *layers, axis=0, output=f"out_n_layer_self_{kind}_cache")
    own = [model.decoder_layers, "N", "C", model.width]
    cross = [model.decoder_layers, "N", "A", model.width]
    g.save(
        path,
        [("tokens", "int64", ["N", "n"]), ("in_n_layer_self_k_cache", "float", own),
         ("in_n_layer_self_v_cache", "float", own), ("n_layer_cross_k", "float", cross),
         ("n_layer_cross_v", "float", cross), ("offset", "int64", [1])],
        [("logits", "float", ["N", "n", model.vocabulary_size]),
         ("out_n_layer_self_k_cache", "float", own), ("out_n_layer_self_v_cache", "float", own)],
        metadata)


def _embedded(g, model):
    """Embeddings of the tokens. They are held in 8 bits with a scale for each token: a quarter of the memory."""
    rows = model.weights["decoder/embeddings/weight"]
    scales = np.maximum(np.abs(rows).max(axis=1, keepdims=True), 1e-8) / 127
    steps = g.constant(np.round(rows / scales).astype(np.int8), "embedding_steps")
    scale = g.add("Gather", g.constant(scales.astype(np.float32), "embedding_scales"), "tokens")
    return g.add("Mul", g.add("Cast", g.add("Gather", steps, "tokens"), to=TensorProto.FLOAT), scale)


def _causal_mask(g, offset, end):
    """[n, end]: 0 where key j is not after token offset + i, else -1e9."""
    def scalar(value):
        return g.add("Squeeze", value, g.integers(0))
    rows = g.add("Range", scalar(offset), scalar(end), g.integer(1))
    columns = g.add("Range", g.integer(0), scalar(end), g.integer(1))
    allowed = g.add("LessOrEqual", g.add("Unsqueeze", columns, g.integers(0)),
                    g.add("Unsqueeze", rows, g.integers(1)))
    return g.add("Where", allowed, g.real(0.0), g.real(-1e9))


def _layer_of(g, values, layer):
    part = g.slice(values, g.integers(layer), g.integers(layer + 1), 0)
    return g.add("Squeeze", part, g.integers(0))


def _extend_cache(g, model, cache, layer, new, offset, end):
    """What attention sees (cache up to `offset`, then `new`), and the whole cache for next time."""
    old = _layer_of(g, cache, layer)
    seen = g.add("Concat", g.slice(old, g.integers(0), offset, 1), new, axis=1)
    rest = g.slice(old, end, g.integers(model.text_context), 1)
    return seen, g.add("Unsqueeze", g.add("Concat", seen, rest, axis=1), g.integers(0))


def convert(source, prefix, output, progress=lambda done, text: None):
    """Writes the three files; `progress` gets 0...1 and what is being done."""
    logging.disable(logging.WARNING)  # the quantizer advises a step that changes nothing here
    model = Whisper(source)
    metadata = model.metadata(prefix)
    write_tokens(model, os.path.join(output, prefix + "-tokens.txt"))
    for i, (part, write) in enumerate((("encoder", write_encoder), ("decoder", write_decoder))):
        progress(0.1 + 0.45 * i, f"converting the {part}")
        full = os.path.join(output, f"{part}.onnx")
        write(model, full, metadata)
        progress(0.3 + 0.4 * i, f"quantizing the {part}")
        quantize_dynamic(full, os.path.join(output, f"{prefix}-{part}.int8.onnx"),
                         op_types_to_quantize=["MatMul"], weight_type=QuantType.QInt8)
        os.remove(full)


if __name__ == "__main__":
    convert(*sys.argv[1:4], lambda done, text: print(f"[{int(done * 100)}/100] {text}", flush=True))
