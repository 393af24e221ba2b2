"""What the code below the screens says to a person, found in its text: errors, advice and reasons."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import desktop_memory

ROOT = Path(desktop_memory.__file__).parents[1]
_DEEP = 4
"""Steps from an error to its text: a name, a branch, a function of the same file."""


def trees() -> Iterator[tuple[str, ast.Module]]:
    """Each file of the product, by its path from the root. None is kept: so many would slow every collection of
    garbage in the tests after these."""
    for package in ("collectors", "desktop_memory"):
        for file in sorted((ROOT / package).rglob("*.py")):
            path = file.relative_to(ROOT).as_posix()
            yield path, tree_of(path)


def tree_of(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def template(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.sub(r"\{\w+\}", "{}", node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return None


def told(tree: ast.Module) -> set[str]:
    """The templates that a file hands to errors, as advice, and as what it skips."""
    named = _named(tree)
    found: set[str] = set()
    for node in _given(tree):
        found |= _texts(node, named, _DEEP)
    return {text for text in found if re.search(r"[A-Za-z]{3}", text)}


def returned(tree: ast.Module, function: str) -> set[str]:
    """The templates that these functions of a file answer with."""
    return {text for node in _named(tree).get(function, []) if (text := template(node))}


@cache
def _errors() -> frozenset[str]:
    """The names of all errors whose text a person reads."""
    bases = {
        node.name: {getattr(base, "id", "") for base in node.bases}
        for _, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    known = {"KnownError", "Unavailable", "Broken"}
    while more := {name for name, over in bases.items() if over & known} - known:
        known |= more
    return frozenset(known)


@cache
def _constants() -> dict[str, set[str]]:
    """The texts that files have a name for, for those that import it."""
    found: dict[str, set[str]] = {}
    for _, tree in trees():
        for node in tree.body:
            if isinstance(node, ast.Assign) and (text := template(node.value)) is not None:
                found.setdefault(_name(node.targets[0]), set()).add(text)
    return found


def _given(tree: ast.Module) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if _name(node.func) in _errors():
                yield from node.args
            yield from (word.value for word in node.keywords if word.arg in ("advice", "problem"))
        elif isinstance(node, ast.Assign):
            if any(_name(to) == "advice" for to in node.targets):
                yield node.value
        elif isinstance(node, ast.Subscript) and _name(node.value).endswith("skipped"):
            yield node.slice


def _name(node: ast.AST) -> str:
    return str(getattr(node, "id", getattr(node, "attr", "")))


def _named(tree: ast.Module) -> dict[str, list[ast.AST]]:
    """What the names of a file stand for: what is assigned to them, and what functions return."""
    found: dict[str, list[ast.AST]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for to in node.targets:
                if isinstance(to, ast.Name):
                    found.setdefault(to.id, []).append(node.value)
        elif isinstance(node, ast.FunctionDef):
            answers = (one.value for one in ast.walk(node) if isinstance(one, ast.Return))
            found.setdefault(node.name, []).extend(answer for answer in answers if answer)
        elif isinstance(node, ast.ImportFrom):
            for name in node.names:
                texts = _constants().get(name.name, set())
                found.setdefault(name.name, []).extend(map(ast.Constant, texts))
    return found


def _texts(node: ast.AST, named: dict[str, list[ast.AST]], deep: int) -> set[str]:
    text = template(node)
    if text is not None or not deep:
        return {text or ""}
    return {text for part in _parts(node, named) for text in _texts(part, named, deep - 1)}


def _parts(node: ast.AST, named: dict[str, list[ast.AST]]) -> list[ast.AST]:
    """What a value may turn out to be."""
    match node:
        case ast.Name(id=name) | ast.Call(func=ast.Name(id=name)):
            return named.get(name, [])
        case ast.IfExp(body=body, orelse=other):
            return [body, other]
        case ast.BoolOp(values=values) | ast.Dict(values=values):
            return [*values]
        case ast.Tuple(elts=values):
            return [*values]
        case ast.Starred(value=value):
            return [value]
        case ast.Call(func=ast.Attribute(attr="get" | "format", value=value), args=arguments):
            return [value, *arguments]
    return []
