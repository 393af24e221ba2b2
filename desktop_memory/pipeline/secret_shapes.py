"""What secrets look like by themselves: tokens whose issuers gave them a shape, keys in blocks.

Each shape has a sign and needles, one of which the text in small letters must hold before its pattern is tried, and
a pattern whose group `s` is what is masked. Every pattern starts at a boundary and repeats only within bounds or
possessively, so that the time grows with the text's length and no faster.
"""

# ruff: noqa: E501 - patterns are read best on one line
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Sign = Literal["token", "option", "name", ""]
"""What a text has wherever a shape matches: `ANY_TOKEN`, an `OPTION`, a word of `ANNOUNCING`; or nothing that is quick
to see. Most texts have none of it, so that few needles are looked for."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape: what it is a kind of, what must be there, and the pattern."""

    kind: str
    needles: tuple[str, ...]
    pattern: re.Pattern[str]
    sign: Sign


_START = r"(?<![A-Za-z0-9])"
_END = r"(?![A-Za-z0-9])"


def _shape(kind: str, needles: str, pattern: str) -> Shape:
    return Shape(kind, tuple(needles.split()), re.compile(f"{_START}(?P<s>{pattern}){_END}"), "token")


def _within(kind: str, needles: str, pattern: str, sign: Sign = "") -> Shape:
    """A shape that tells what is around the secret itself."""
    return Shape(kind, tuple(needles.split()), re.compile(pattern), sign)


SHAPES: tuple[Shape, ...] = (
    # Keys in blocks, to their end or, when they were cut, to the end of the text.
    _within(
        "key",
        "-----begin",
        r"(?P<s>-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}-----|\Z))",
        "name",
    ),
    _shape("key", "age-secret-key", r"AGE-SECRET-KEY-1[A-Z0-9]{20,}+"),
    _within("key", "puttygen putty-user-key", rf"{_START}(?P<s>Private-Lines: \d+\s[\s\S]{{0,8000}}+){_END}"),
    # Clouds.
    _shape("key", "akia asia agpa aida aroa anpa anva aipa", r"(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ANVA|AIPA)[A-Z2-7]{16}"),
    _shape("key", "aiza", r"AIza[\w-]{35}(?![\w-])"),
    _shape("token", "ya29.", r"ya29\.[\w-]{20,}+"),
    _shape("token", "1//", r"1//0[\w-]{30,}+"),
    _shape("key", "gocspx-", r"GOCSPX-[\w-]{20,}+"),
    _shape("key", "ltai", r"LTAI[A-Za-z0-9]{12,26}"),
    _shape("key", "akid", r"AKID[A-Za-z0-9]{32}"),
    _within("key", "accountkey=", r"(?i:AccountKey)=(?P<s>[A-Za-z0-9+/]{40,}+={0,2})", "name"),
    _within("key", "sharedaccesskey=", r"(?i:SharedAccessKey)=(?P<s>[A-Za-z0-9+/]{20,}+={0,2})", "name"),
    _shape("token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[a-f0-9]{40,}+"),
    _shape("token", "hvs. hvb. hvr.", r"hv[sbr]\.[\w-]{20,}+"),
    _shape("token", ".atlasv1.", r"[A-Za-z0-9]{10,20}\.atlasv1\.[\w-]{40,}+"),
    _shape("token", "fo1_", r"fo1_[\w-]{30,}+"),
    _within("token", "flyv1", rf"{_START}(?P<s>FlyV1 fm\d?_[\w+/=,-]{{30,}}+){_END}"),
    _shape("token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{30,}+"),
    _shape("token", "pul-", r"pul-[a-f0-9]{40}"),
    _shape("token", "dapi", r"dapi[a-f0-9]{32}(?:-\d)?"),
    _shape("token", "dt0c01.", r"dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _shape("token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[\w.-]{30,}+"),
    _shape("token", "sbp_ sb_secret_", r"(?:sbp_[a-f0-9]{40}|sb_secret_[\w-]{20,}+)"),
    _shape("token", "nfp_", r"nfp_[A-Za-z0-9]{36,}+"),
    _shape("token", "rnd_", r"rnd_[A-Za-z0-9]{28,}+"),
    _shape("token", "hrku-", r"HRKU-[\w-]{36,}+"),
    # Code and packages.
    _shape("token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{30,}+"),
    _shape("token", "github_pat_", r"github_pat_\w{36,}+"),
    _shape("token", "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- gloas- glimt- glagent-",
           r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|oas|imt|agent)-[\w.-]{20,}+"),
    _shape("token", "atbb", r"ATBB[A-Za-z0-9]{24,}+"),
    _shape("token", "atatt3 atctt3", r"AT[AC]TT3x[\w+/=-]{50,}+"),
    _shape("token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    _shape("token", "pypi-", r"pypi-AgE[\w-]{50,}+"),
    _shape("token", "rubygems_", r"rubygems_[a-f0-9]{48}"),
    _shape("token", "cio", r"cio[A-Za-z0-9]{32}"),
    _shape("token", "oy2", r"oy2[a-z0-9]{43}"),
    _shape("token", "dckr_pat_ dckr_oat_", r"dckr_[po]at_[\w-]{24,}+"),
    _shape("key", "pmak-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    _shape("key", "nrak- nrra- nrii-", r"NR(?:AK|RA|II)-[A-Za-z0-9_-]{27,}+"),
    _shape("token", "sntrys_ sntryu_", r"sntry[su]_[\w+/=]{40,}+"),
    _shape("token", "glsa_ glc_", r"gl(?:sa|c)_[\w+/=-]{32,}+"),
    _shape("token", "lin_api_ lin_oauth_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}+"),
    _shape("token", "ntn_ secret_", r"(?:ntn_[A-Za-z0-9]{40,}+|secret_[A-Za-z0-9]{43})"),
    _shape("token", "figd_", r"figd_[\w-]{30,}+"),
    _shape("token", "pat", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    _shape("token", "sq0atp- sq0csp- eaaa", r"(?:sq0(?:atp|csp)-[\w-]{22,}+|EAAA[A-Za-z0-9_-]{56,}+)"),
    # Models.
    _shape("key", "sk-ant-", r"sk-ant-[\w-]{20,}+"),
    _shape("key", "sk-or-", r"sk-or-v1-[a-f0-9]{40,}+"),
    _shape("key", "sk-", r"sk-(?:proj|svcacct|admin|None)-[\w-]{20,}+"),
    _shape("key", "sk-", r"sk-[A-Za-z0-9]{32,}+"),
    _shape("token", "hf_", r"hf_[A-Za-z0-9]{30,}+"),
    _shape("token", "r8_", r"r8_[A-Za-z0-9]{36,40}"),
    _shape("key", "gsk_ xai- pplx- csk- fw_ tgp_v1_",
           r"(?:gsk_|xai-|pplx-|csk-|fw_|tgp_v1_)[A-Za-z0-9_-]{24,}+"),
    _shape("key", "tskey-", r"tskey-[a-z]{3,10}-[\w-]{20,}+"),
    _shape("token", "eaa", r"EAA(?=[A-Za-z0-9]{0,300}\d)[A-Za-z0-9]{40,}+"),
    # Chat, mail, telephone.
    _shape("token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxc- xoxd- xoxe xapp-",
           r"(?:xox[abcdeprs](?:\.xox[bp])?-[\w%-]{10,}+|xapp-\d-[\w-]{10,}+)"),
    _within("token", "hooks.slack.com",
           r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<s>[\w/-]{20,}+)"),
    _within("token", "/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/\d{10,20}/(?P<s>[\w-]{40,}+)"),
    _within("token", ".webhook.office.com", r"\.webhook\.office\.com/(?P<s>webhookb2/[\w@/-]{40,}+)"),
    _shape("token", "mfa. mt ot nd mz nz od",
           r"(?:mfa\.[\w-]{60,}+|[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,}+)"),
    _within("token", ":aa", r"(?<!\d)(?P<s>\d{8,10}:AA[\w-]{32,34})(?![\w-])"),
    _shape("key", "sg.", r"SG\.[\w-]{16,32}\.[\w-]{16,64}"),
    _shape("key", "key-", r"key-[a-f0-9]{32}"),
    _shape("key", "-us", r"[a-f0-9]{32}-us\d{1,2}"),
    _shape("key", "xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    _shape("key", "sk ac", r"(?:SK|AC)[a-f0-9]{32}"),
    # Money and shops.
    _shape("key", "sk_live_ sk_test_ rk_live_ rk_test_ whsec_",
           r"(?:[sr]k_(?:live|test)_[A-Za-z0-9]{10,}+|whsec_[A-Za-z0-9+/=]{16,}+)"),
    _shape("key", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    _shape("key", "rzp_live_ rzp_test_", r"rzp_(?:live|test)_[A-Za-z0-9]{14,}+"),
    _shape("key", "flwseck", r"FLWSECK(?:_TEST)?-[a-zA-Z0-9]{12,}+(?:-X)?"),
    _shape("token", "access-production- access-sandbox- access-development-",
           r"access-(?:production|sandbox|development)-[a-f0-9-]{36}"),
    _shape("token", "sk.eyj tk.eyj", r"[st]k\.eyJ[\w-]{20,}+\.[\w-]{10,}+"),
    # Signed tokens: three parts, or two while a title was cut.
    _shape("token", "eyj", r"eyJ[\w-]{8,}+\.eyJ[\w-]{8,}+(?:\.[\w-]{0,2000})?"),
    _shape("token", "eyj", r"eyJ[\w-]{16,}+\.[\w-]{0,1000}\.[\w-]{16,}+(?:\.[\w-]{4,}+){0,2}"),
)  # fmt: skip


def _unnamed(shape: Shape) -> str:
    return shape.pattern.pattern.removeprefix(_START).replace("(?P<s>", "(?:", 1)


OPTION = re.compile(r"\s--?\w")
_TOKENS = "|".join(_unnamed(shape) for shape in SHAPES if shape.sign == "token")
ANY_TOKEN = re.compile(rf"{_START}(?=\S{{15}})(?:{_TOKENS})")
"""Whether one of the shapes with that sign is there at all: it is made of them. None is shorter, or has a space."""
