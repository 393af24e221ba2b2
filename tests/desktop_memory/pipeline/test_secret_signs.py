"""Looking only where a secret can be finds what looking everywhere would find."""

from __future__ import annotations

import importlib.util
import re
from collections import Counter
from pathlib import Path

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from desktop_memory.pipeline import secrets
from desktop_memory.pipeline.secret_commands import COMMANDS
from desktop_memory.pipeline.secret_names import ANNOUNCING, kind_of
from desktop_memory.pipeline.secret_shapes import ANY_TOKEN, OPTION, SHAPES, Shape

_spec = importlib.util.spec_from_file_location("secret_corpus", Path(__file__).with_name("secret_corpus.py"))
assert _spec is not None
assert _spec.loader is not None
corpus = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(corpus)

ALL = (*SHAPES, *COMMANDS)
TEXTS = [*(text for text, _ in corpus.SECRETS), *corpus.HARMLESS]
PIECES = sorted({piece for text in TEXTS for piece in re.findall(r"\s+|[\w-]+|.", text)})
NAMES = [
    "path",
    "PAT",
    "patHmac",
    "otPath",
    "my_pat_new",
    "KEY_BASE",
    "x-amz-signature",
    "PATH",
    "sid",
    "Pin",
]


def looked_everywhere(text: str) -> tuple[str, dict[str, int]]:
    masked: Counter[str] = Counter()
    if len(text) < 6:
        return text, {}
    low = text.lower()
    for shape in ALL:
        if any(needle in low for needle in shape.needles):
            text = secrets._replace(text, secrets._by_shape(text, shape), masked)
    for look in (secrets._in_addresses, secrets._assigned, secrets._options):
        text = secrets._replace(text, look(text), masked)
    return text, masked


def likenesses(shape: Shape) -> st.SearchStrategy[str]:
    """What the shape's pattern matches, and any letters around it."""
    with_plain_repeats = re.sub(r"(?<!\\)([+*}])\+", r"\1", shape.pattern.pattern)
    return st.from_regex(re.compile(with_plain_repeats, shape.pattern.flags))


texts_of_pieces = st.lists(st.sampled_from(PIECES + NAMES), min_size=1, max_size=25).map("".join)
changed_texts = st.tuples(
    st.sampled_from(TEXTS), st.sampled_from(["", " ", "\n", "\xa0", ";", "path", "K"]), st.sampled_from(TEXTS)
).map("".join)


@given(texts_of_pieces | changed_texts | st.text(max_size=80))
@settings(deadline=None, max_examples=300)
def test_a_text_is_masked_as_if_everything_had_been_looked_for(text: str):
    assert secrets._masked(text) == looked_everywhere(text)


@given(st.sampled_from(ALL).flatmap(lambda shape: st.tuples(st.just(shape), likenesses(shape))))
@settings(deadline=None, max_examples=300)
def test_wherever_a_shape_matches_its_sign_is_seen(found: tuple[Shape, str]):
    shape, text = found
    assume(shape.pattern.search(text))

    sign = {
        "": True,
        "token": ANY_TOKEN.search(text),
        "option": OPTION.search(text),
        "name": secrets._announces(text.lower()),
    }[shape.sign]

    assert sign


@given(
    st.lists(st.sampled_from([*ANNOUNCING, *NAMES, "new", "2", "_", "-", ".", "Key", "h", "at"]), max_size=6)
)
@settings(max_examples=300)
def test_a_name_that_announces_a_secret_is_seen(parts: list[str]):
    name = "".join(parts)

    assert secrets._announces(name.lower()) or not kind_of(name)[0]
