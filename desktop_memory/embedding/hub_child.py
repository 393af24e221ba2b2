"""Downloads a model from the hub by fastembed's own means, in a process that can be stopped; writes JSON lines."""

from __future__ import annotations

import json
import sys
from typing import Any


def main(name: str, cache: str) -> int:
    from fastembed import TextEmbedding

    known = next(
        (m for m in TextEmbedding.list_supported_models() if m["model"].lower() == name.lower()), None
    )
    if known is None:
        return _tell({"failed": "unknown"})
    _tell({"bytes": int(known["size_in_GB"] * 1e9)})
    model: Any = TextEmbedding(known["model"], cache_dir=cache, lazy_load=True, threads=1)
    return _tell(
        {
            "folder": str(model.model._model_dir),
            "name": known["model"],
            "weights": known["model_file"],
            "dimension": known["dim"],
            "license": known["license"],
        }
    )


def _tell(what: dict[str, Any]) -> int:
    print(json.dumps(what), flush=True)
    return 1 if "failed" in what else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
