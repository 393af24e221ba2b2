"""What runs the model has no address to report to."""

from __future__ import annotations

import importlib.util
from pathlib import Path

REPORTS_TO = (b"events.data.microsoft.com", b"OneCollector")


def test_the_installed_runtime_carries_no_telemetry():
    spec = importlib.util.find_spec("onnxruntime")
    assert spec is not None
    assert spec.origin is not None
    libraries = [
        path
        for path in Path(spec.origin).parent.rglob("*")
        if path.suffix in (".so", ".dll", ".dylib", ".pyd")
    ]

    assert libraries
    for library in libraries:
        raw = library.read_bytes()
        assert not any(address in raw for address in REPORTS_TO), library.name
