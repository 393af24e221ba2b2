"""The model as JSON and back: dataclasses by name, times in RFC 3339. Nothing else can be sent."""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from collectors.collector import Place
from collectors.event import Event, Gap
from desktop_memory import model, receipts
from desktop_memory.asking import GraphStats
from desktop_memory.context.check import Checked, Finding
from desktop_memory.context.connections import Connections, Linked
from desktop_memory.context.did_i import DidI, Trace
from desktop_memory.context.report_wording import Wording
from desktop_memory.context.updates import Proposal, Update, Updates
from desktop_memory.project import Project, ProjectChange, ProjectPreview, ProjectRule
from desktop_memory.retrieval.topics import Topic
from desktop_memory.scopes import Scope
from desktop_memory.store.copies import SavedCopy
from desktop_memory.store.notes import ClientRead

_OTHERS = (
    Checked,
    ClientRead,
    Connections,
    DidI,
    Event,
    Finding,
    Gap,
    GraphStats,
    Linked,
    Place,
    Project,
    ProjectChange,
    ProjectPreview,
    ProjectRule,
    Proposal,
    SavedCopy,
    Scope,
    Topic,
    Trace,
    Update,
    Updates,
    Wording,
)

_KNOWN: dict[str, type[Any]] = {
    name: kind
    for module in (model, receipts)
    for name, kind in ((name, getattr(module, name)) for name in module.__all__)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind)
} | {kind.__name__: kind for kind in _OTHERS}


def encode(value: Any) -> bytes:
    """A message. Raises TypeError for what the other side could not make again."""
    return json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )


def decode(raw: bytes) -> Any:
    """The value in a message. Raises ValueError for anything malformed or unknown."""
    try:
        return _value(json.loads(raw.decode("utf-8", "surrogatepass")))
    except (TypeError, KeyError, RecursionError) as error:
        raise ValueError(f"not a message: {type(error).__name__}") from error


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, datetime):
        return {"$time": value.isoformat()}
    if isinstance(value, date):
        return {"$date": value.isoformat()}
    if isinstance(value, timedelta):
        return {"$span": value.total_seconds()}
    if isinstance(value, tuple):
        return {"$tuple": [_plain(item) for item in value]}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, (Mapping, types.MappingProxyType)):
        return {"$map": {str(key): _plain(item) for key, item in value.items()}}
    name = type(value).__name__
    if _KNOWN.get(name) is type(value):
        return {"$": name, **{f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}}
    raise TypeError(f"{name} cannot be sent")


def _value(plain: Any) -> Any:
    if isinstance(plain, list):
        return [_value(item) for item in plain]
    if not isinstance(plain, dict):
        return plain
    if "$time" in plain:
        return datetime.fromisoformat(plain["$time"])
    if "$date" in plain:
        return date.fromisoformat(plain["$date"])
    if "$span" in plain:
        return timedelta(seconds=plain["$span"])
    if "$tuple" in plain:
        return tuple(_value(item) for item in plain["$tuple"])
    if "$map" in plain:
        return {key: _value(item) for key, item in plain["$map"].items()}
    kind = _KNOWN[plain.pop("$")]
    return kind(**{name: _value(item) for name, item in plain.items()})
