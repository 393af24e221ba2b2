"""Opposites: a claim that takes one side where its record takes only the other is contradicted."""

from __future__ import annotations

_PAIRS = {
    "passed/failed": (
        (
            "pass passed passes passing succeed succeeded succeeds success successful successfully "
            "green ok worked"
        ),
        "fail failed fails failing failure error errors red broke broken crashed unsuccessful",
    ),
    "added/removed": (
        "add added adds adding addition insert inserted create created new",
        "remove removed removes removing delete deleted dropped drop",
    ),
    "before/after": (
        "before earlier prior",
        "after afterwards following since",
    ),
    "started/stopped": (
        "start started starts begin began open opened enter entered",
        "stop stopped ended end ends finish finished close closed leave left",
    ),
    "more/less": (
        "increase increased increases raise raised rose grew up higher more",
        "decrease decreased reduces reduce reduced lower lowered fell down less fewer",
    ),
    "on/off": (
        "enable enabled enables allow allowed on",
        "disable disabled disables forbid forbidden off",
    ),
    "accepted/rejected": (
        "accept accepted approve approved merged",
        "reject rejected decline declined refused",
    ),
    "upgraded/downgraded": (
        "upgrade upgraded",
        "downgrade downgraded",
    ),
    "with/without": (
        "with",
        "without",
    ),
    "locked/unlocked": (
        "lock locked locks",
        "unlock unlocked unlocks release released",
    ),
    "downloaded/uploaded": (
        "download downloaded",
        "upload uploaded",
    ),
    "online/offline": (
        "online",
        "offline",
    ),
    "encrypted/decrypted": (
        "encrypt encrypted",
        "decrypt decrypted",
    ),
    "imported/exported": (
        "import imported",
        "export exported",
    ),
    "pushed/pulled": (
        "push pushed",
        "pull pulled fetched",
    ),
    "encoded/decoded": (
        "encoded encode",
        "decoded decode",
    ),
    "most/least": (
        "maximum longest most largest",
        "minimum shortest least smallest",
    ),
    "sent/received": (
        "sent send",
        "received receive",
    ),
    "north/south": (
        "north northern",
        "south southern",
    ),
    "east/west": (
        "east eastern",
        "west western",
    ),
    "left/right": (
        "left",
        "right",
    ),
    "inside/outside": (
        "internal inside indoor",
        "external outside outdoor",
    ),
    "public/private": (
        "public",
        "private",
    ),
    "bought/sold": (
        "buy bought purchased",
        "sell sold",
    ),
    "incoming/outgoing": (
        "import imports incoming",
        "outgoing",
    ),
    "hot/cold": (
        "hot warm",
        "cold cool",
    ),
    "cheap/expensive": (
        "cheaper",
        "dearer expensive",
    ),
}

NAMES = tuple(_PAIRS)
OPPOSITES: tuple[tuple[frozenset[str], frozenset[str]], ...] = tuple(
    (frozenset(one.split()), frozenset(other.split())) for one, other in _PAIRS.values()
)
CANONICAL = {
    word: f"={number}.{side}"
    for number, pair in enumerate(OPPOSITES)
    for side, words in enumerate(pair)
    for word in words
}
"""What says the same of a pair counts as the same word: "succeeded" is "passed"."""
