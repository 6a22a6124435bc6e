"""Builds an ONNX graph node by node: each method adds what it names and returns its output's name."""

import math

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Graph:
    """Transformer parts over weights that CTranslate2 names."""

    def __init__(self, weights, heads, width):
        self.weights = weights
        self.heads = heads
        self.width = width
        self._nodes = []
        self._constants = {}

    # Constants

    def constant(self, values, name):
        if name not in self._constants:
            self._constants[name] = numpy_helper.from_array(np.ascontiguousarray(values), name)
        return name

    def weight(self, name):
        return self.constant(self.weights[name], name)

    def integers(self, *values):
        name = "int_" + "_".join(str(value).replace("-", "minus") for value in values)
        return self.constant(np.array(values, np.int64), name)

    def integer(self, value):
        return self.constant(np.array(value, np.int64), f"scalar_{value}")

    def real(self, value):
        return self.constant(np.array(value, np.float32), f"real_{value}")

    # Nodes

    def add(self, kind, *inputs, output=None, **attributes):
        name = output or f"{kind}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, list(inputs), [name], name=f"{kind}_{len(self._nodes)}",
                                            **attributes))
        return name

    def slice(self, values, start, end, axis):
        return self.add("Slice", values, start, end, self.integers(axis))

    def length_of(self, values, axis):
        return self.slice(self.add("Shape", values), self.integers(axis), self.integers(axis + 1), 0)

    def linear(self, values, name, rows=None, scale=1.0):
        """x W' + b; `rows` takes a part of a fused projection, `scale` is folded into it."""
        matrix, bias = self.weights[name + "/weight"], self.weights[name + "/bias"]
        part = ""
        if rows is not None:
            matrix, bias, part = matrix[rows[0]:rows[1]], bias[rows[0]:rows[1]], f"/{rows[0]}"
        if scale != 1.0:
            matrix, bias = matrix * np.float32(scale), bias * np.float32(scale)
        product = self.add("MatMul", values, self.constant(matrix.T, name + part + "/matrix"))
        return self.add("Add", product, self.constant(bias, name + part + "/offset"))

    def layer_norm(self, values, name):
        return self.add("LayerNormalization", values, self.weight(name + "/gamma"),
                        self.weight(name + "/beta"), axis=-1, epsilon=1e-5)

    def gelu(self, values):
        error = self.add("Erf", self.add("Mul", values, self.real(1 / math.sqrt(2))))
        doubled = self.add("Mul", values, self.add("Add", error, self.real(1.0)))
        return self.add("Mul", doubled, self.real(0.5))

    def feed_forward(self, values, name):
        hidden = self.linear(self.layer_norm(values, name + "/layer_norm"), name + "/linear_0")
        return self.linear(self.gelu(hidden), name + "/linear_1")

    def attention(self, query, key, value, mask=None):
        """Scaled queries, keys and values of shape [batch, time, width]; so is the result."""
        split = self.integers(0, 0, self.heads, self.width // self.heads)
        q = self.add("Transpose", self.add("Reshape", query, split), perm=[0, 2, 1, 3])
        k = self.add("Transpose", self.add("Reshape", key, split), perm=[0, 2, 3, 1])
        v = self.add("Transpose", self.add("Reshape", value, split), perm=[0, 2, 1, 3])
        scores = self.add("MatMul", q, k)
        if mask:
            scores = self.add("Add", scores, mask)
        mixed = self.add("MatMul", self.add("Softmax", scores, axis=-1), v)
        joined = self.add("Transpose", mixed, perm=[0, 2, 1, 3])
        return self.add("Reshape", joined, self.integers(0, 0, self.width))

    def save(self, path, inputs, outputs, metadata):
        """Checks and writes the model; inputs and outputs are (name, type, shape)."""
        kinds = {"float": TensorProto.FLOAT, "int64": TensorProto.INT64}
        values = [[helper.make_tensor_value_info(name, kinds[kind], shape) for name, kind, shape in side]
                  for side in (inputs, outputs)]
        graph = helper.make_graph(self._nodes, "whisper", *values, list(self._constants.values()))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        for key, value in metadata.items():
            entry = model.metadata_props.add()
            entry.key, entry.value = key, str(value)
        onnx.checker.check_model(model)
        onnx.save(model, path)
