"""Takes an answer apart: its claims and what each cites. Code, links, check-boxes, source lists do not count."""

from __future__ import annotations

import re
from dataclasses import dataclass

TAG = re.compile(r"\bctx-[0-9a-f]{4,16}\b")


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of the answer and the numbers that it cites, in order."""

    text: str
    cited: tuple[int, ...]


_FENCE = re.compile(
    r"^[ \t]*(?P<fence>```+|~~~+)[^\n]*\n.*?(?:^[ \t]*(?P=fence)[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)
_LINK = re.compile(r"!?\[(?P<text>[^\[\]\n]{0,300})\]\((?:[^()\n]|\([^()\n]*\)){0,800}\)")
_FOOTNOTE = re.compile(r"^[ \t]*\[\^?[\w-]+\]:[^\n]*$", re.MULTILINE)
_CHECK_BOX = re.compile(r"^([ \t]*(?:[-*+]|\d+[.)])[ \t]+)\[[ xX]\]", re.MULTILINE)
_SOURCES = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]*|\*{1,2})?(?:sources?|references?|citations?|quellen|footnotes?)"
    r"\*{0,2}[ \t]*:?\*{0,2}[ \t]*$"
    r".*?(?=^[ \t]*#{1,6}[ \t]|\Z)",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_INLINE_CODE = re.compile(r"(`+)(?P<code>.+?)\1")
_CITATION = re.compile(
    r"(?<!\\)\[\^?(?P<a>\d{1,3}(?:[ \t]*(?:,|;|-|–|and|&)[ \t]*\^?\d{1,3})*)\]|【(?P<b>\d{1,3})[^【】]{0,40}】"
)
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_SENTENCE_END = re.compile(
    rf"(?<=[.!?。！？;])[\"'”’)]*\s+(?=[A-Z0-9À-ÞА-Я{_CJK}\"'“`(\[*])|(?<=[。！？])(?=[\w\[【])|\n+"
)
_HIDDEN = "\ue000{}\ue001"
_SHOWN = re.compile("\ue000(\\d+)\ue001")
_ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|etc|vs|approx|Art|No|Nr|Ch|Fig|Dr|Mr|Ms|Mrs|min|max|a\.m|p\.m)\.$", re.IGNORECASE
)


def claims_of(answer: str) -> list[Claim]:
    """The sentences of an answer in order. A citation after a full stop belongs to the sentence before it."""
    text = _FENCE.sub("\n", answer)
    text = _SOURCES.sub("\n", text)
    text = _FOOTNOTE.sub("", text)
    text = _CHECK_BOX.sub(r"\1", text)
    text = _LINK.sub(lambda match: match["text"], text)
    codes: list[str] = []

    def hide(match: re.Match[str]) -> str:
        codes.append(match["code"])
        return _HIDDEN.format(len(codes) - 1)

    text = _INLINE_CODE.sub(hide, text)
    found = []
    for sentence in _sentences(text):
        cited = tuple(dict.fromkeys(n for match in _CITATION.finditer(sentence) for n in _numbers(match)))
        bare = _CITATION.sub(" ", sentence)
        bare = _SHOWN.sub(lambda match: codes[int(match[1])], bare)
        bare = re.sub(r"^[\s>]*(?:[-*+•]|\d+[.)]|#{1,6})\s+", "", bare)
        bare = " ".join(bare.replace("**", "").replace("__", "").split()).strip(" |")
        bare = re.sub(r" (?=[.,;:!?。，！？](?:\s|$))", "", bare)
        if re.search(r"\w", bare):
            found.append(Claim(text=bare, cited=cited))
        elif cited and found:
            found[-1] = Claim(text=found[-1].text, cited=tuple(dict.fromkeys((*found[-1].cited, *cited))))
    return found


def _sentences(text: str) -> list[str]:
    pieces: list[str] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        piece = text[start : match.start()]
        if "\n" not in match[0] and _ABBREVIATION.search(piece):
            continue
        pieces.append(piece)
        start = match.end()
    pieces.append(text[start:])
    return _with_their_citations(pieces)


def _with_their_citations(pieces: list[str]) -> list[str]:
    """Citations at the beginning of a piece, after a full stop, go to the piece before."""
    joined: list[str] = []
    for piece in pieces:
        led = re.match(rf"(?:\s*(?:{_CITATION.pattern.replace('?P<a>', '').replace('?P<b>', '')}))+", piece)
        if (
            led
            and joined
            and not re.match(r"\s*[-*+•]\s", piece)
            and joined[-1].rstrip().endswith(tuple(".!?。！？"))
        ):
            joined[-1] += f" {led[0]}"
            piece = piece[led.end() :].lstrip(" .")
        joined.append(piece)
    return joined


def _numbers(match: re.Match[str]) -> list[int]:
    """`1,3` is two numbers, `2-4` is three."""
    numbers: list[int] = []
    for part in re.split(r"[ \t]*(?:,|;|and|&)[ \t]*", match["a"] or match["b"]):
        ends = [int(n) for n in re.findall(r"\d+", part)]
        if len(ends) == 2 and ends[0] <= ends[1] <= ends[0] + 100:
            numbers += range(ends[0], ends[1] + 1)
        else:
            numbers += ends
    return numbers
