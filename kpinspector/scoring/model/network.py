"""The model's network in the ONNX runtime. Importing this module is slow."""

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kpinspector.errors import ModelError
from kpinspector.phrase import Phrase
from kpinspector.scoring.model.vectors import Vector

# The runtime's wheel reports to its vendor unless this is set when it is imported. It is set here,
# whatever the user's environment says, and no other module imports the runtime.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime as ort
from onnxruntime.capi import onnxruntime_pybind11_state as ort_state

__all__ = ["embedding", "open_session", "ort", "ort_state"]

_MOST_THREADS = 4  # more do not pay for one text of at most 512 tokens

# the runtime's own errors have no common parent
_RUNTIME_ERRORS = tuple(
    kind
    for kind in vars(ort_state).values()
    if isinstance(kind, type) and issubclass(kind, Exception)
)
_QUIET = 4  # the runtime's log level for fatal errors alone


def embedding(session: ort.InferenceSession, ids: Sequence[int]) -> Vector:
    """The embedding of token ids, shape (384,), of length 1."""
    given = np.asarray([ids], dtype=np.int64)
    vector: Vector = session.run(None, {"input_ids": given})[0][0]
    return vector


def open_session(graph: Path) -> ort.InferenceSession:
    """Load an ONNX file with its weights beside it; threads may run the session at the same time.

    Threads wait without spinning: the window and other programs need the cores too. Measured on two
    cores over texts of mostly 512 tokens: 2 % slower than with spinning. Runs side by side share
    the threads, and the last one has all of them.

    Raises:
        ModelError: the runtime refuses the graph.
    """
    options = ort.SessionOptions()
    options.intra_op_num_threads = min(_MOST_THREADS, os.cpu_count() or 1)
    options.inter_op_num_threads = 1
    options.log_severity_level = _QUIET  # other errors are raised
    # the level above rearranges convolutions, of which there are none
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return ort.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    except _RUNTIME_ERRORS as error:
        raise ModelError(Phrase("The embedding model could not be loaded."), str(error)) from error
