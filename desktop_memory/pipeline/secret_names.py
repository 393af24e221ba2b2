"""Which names announce a secret (`DB_PASSWORD`, `--api-key`, `access_token`), and which values are none."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PASSWORD = _words(
    "password passwd passphrase pwd pass passcode pw storepass keypass srcstorepass deststorepass userpass dbpass "
    "adminpass rootpass ftppass smtppass mypass kennwort passwort motdepasse authpass privpass"
)
_ABROAD = _words(
    "senha parola hasło haslo heslo wachtwoord lösenord losenord salasana adgangskode passord passe şifre sifre jelszó "
    "contraseña contrasena пароль пароля 密码 密碼 口令 パスワード 暗証番号 비밀번호 סיסמה"
)
_TOKEN = _words("token jwt bearer pat otp totp authtoken sessionid sid session cookie csrf xsrf")
_SECRET = _words("secret secrets credential credentials creds apikey authkey secretkey accesskey privatekey")
_KEY_BEFORE = _words(
    "api secret access private encryption decryption signing auth master app application account storage shared "
    "client server service license licence deploy deployment admin service subscription consumer webhook hmac crypto "
    "cipher session cookie jwt aes rsa"
)
_PLAIN_KEYS = _words(
    "primary sort foreign partition cache public row group order index unique range hash routing lookup hot short "
    "arrow enter escape shift control meta host known natural surrogate composite join dedup dedupe idempotency "
    "object s3 map dict registry message leader function return backspace"
)
_SUFFIXES = _words("prod dev test old new live staging base b64 base64 value string 1 2 3 default current")
_MERE_OPTIONS = _words(
    "no show print use with prompt ask generate rotate list get enable disable revoke max min num count skip has is "
    "reset forgot change new require requires need needs check validate verify"
)
_SIGNED = _words("sig signature x-amz-signature x-amz-security-token x-goog-signature hmac")
_ENDS = (
    "password",
    "passwd",
    "passphrase",
    "passwort",
    "secret",
    "token",
    "apikey",
    "secretkey",
    "accesskey",
)
_WEAK = _words(
    "key auth code session cookie sid csrf xsrf pass pin creds credentials pat otp bearer secrets pw"
)


_OTHERS = _words("key pin auth code sig")


def _shortest(words: Iterable[str]) -> tuple[str, ...]:
    """Of these words those that hold none of the others."""
    kept: list[str] = []
    for word in sorted(words, key=len):
        if not any(shorter in word for shorter in kept):
            kept.append(word)
    return tuple(kept)


ANNOUNCING = _shortest({*_PASSWORD, *_ABROAD, *_TOKEN, *_SECRET, *_SIGNED, *_ENDS, *_OTHERS})
"""Every name that announces a secret holds one of these, in small letters."""

_LOOKED_AT = 200


@lru_cache(maxsize=4_096)
def kind_of(name: str) -> tuple[str, bool]:
    """The kind of secret that a value of this name is, and whether the name alone is enough to say so.

    Empty for a name that announces none. When the name is not enough ("key", "code"), the value must look
    like a secret too.
    """
    if name.lower() in _SIGNED:
        return "token", True
    if re.split(r"[_.-]", name.lower())[-1] in _ABROAD:
        return "password", True
    parts = [part.lower() for part in _PARTS.findall(name)]
    while len(parts) > 1 and parts[-1] in _SUFFIXES:
        parts.pop()
    if not parts or parts[0] in _MERE_OPTIONS:
        return "", False
    last, before = parts[-1], parts[-2] if len(parts) > 1 else ""
    if name.upper().endswith("KEY_BASE"):
        return "key", True
    if last == "key":
        return _key(name, before)
    return _word(last), last not in _WEAK or (
        last in ("pass", "pin", "auth", "pat", "creds") and before != ""
    )


def _key(name: str, before: str) -> tuple[str, bool]:
    if before in _PLAIN_KEYS:
        return "", False
    shouted = name.isupper() and before != ""
    return "key", before in _KEY_BEFORE or shouted


def _word(last: str) -> str:
    if last in _PASSWORD or last == "pin":
        return "password"
    if last in _TOKEN or last in ("auth", "code", "sig"):
        return "token"
    if last in _SECRET:
        return "key"
    for ending in _ENDS:
        if last.endswith(ending):
            return {
                "password": "password",
                "passwd": "password",
                "passphrase": "password",
                "passwort": "password",
            }.get(ending, "token" if ending == "token" else "key")
    return ""


_REFERENCE = re.compile(
    r"\$(?:\w+|\{\w+\}|env:\w+)$|\$$|\$\(|`|%\w+%$|\{\{|\$\{\{|<[\w -]+>?$|\*+$|x{3,}$|\.{3}|…|\[redacted:|!\{|@\{|op://",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"(?:your|my|the|some|insert|enter|replace)[-_ ]|changeme_please|placeholder|redacted|example$", re.I
)
_NOTHING = _words(
    "true false yes no on off none null nil undefined nan void empty optional required default ''"
)
_CODE = re.compile(r"[A-Za-z_]\w*(?:(?:\.[A-Za-z_]\w*)+[,)\]}:]*$|(?:\.[A-Za-z_]\w*)*\[)")
_PATH = re.compile(
    r"(?:~|\.{1,2})?/[\w.@+-]+(?:/[\w.@+-]*)*$|[A-Za-z]:[\\/]|~[\\/]?|file:|\.{1,2}[\\/]|@[./~]"
)


def harmless(name: str, value: str, after: str = "") -> bool:
    """Whether the value stands for something else: a variable, a placeholder, a path, a call, a switch.

    `after` is the character that follows it. Only the head of a long value is looked at.
    """
    value = value[:_LOOKED_AT]
    if not value or _REFERENCE.match(value) or _PLACEHOLDER.match(value):
        return True
    if value.rstrip(",;:)]}").lower() in _NOTHING or (value.isdigit() and len(value) <= 2):
        return True
    if value == name and value.islower():
        return True
    if after == "(" and re.match(r"[\w.]+$", value):
        return True
    if _CODE.match(value) and not any(c.isdigit() for c in value):
        return True
    return bool(_PATH.match(value)) or value.startswith(
        ("ssh-rsa", "ssh-ed25519", "ecdsa-sha2", "http://", "https://")
    )


def looks_random(value: str, least: int = 12) -> bool:
    """Whether the value has the length and the mixture of a generated secret, and is neither hash nor id."""
    value = value[:_LOOKED_AT]
    if len(value) < least or not re.match(r"[\w+/=.~:%!@#$^*?-]+$", value):
        return False
    digits = sum(c.isdigit() for c in value)
    letters = sum(c.isalpha() for c in value)
    if digits and letters:
        return not _IDENTIFIER.match(value)
    return letters >= 24 and not value.islower() and not value.isupper()


_IDENTIFIER = re.compile(
    r"(?:[A-Z][A-Z0-9]{1,9}-\d+|v?\d+(?:\.\d+)+(?:[-+.]\w+)*|\d{4}-\d\d-\d\d[\w:.+-]*|[a-z]+(?:[-_.][a-z]+)*[-_.]?\d{1,4})$",
)


def secretish(value: str) -> bool:
    """Whether a bare value after a colon reads like a password rather than a word of prose."""
    if len(value) < 6 or value.endswith((":", ",")):
        return False
    has_letter = any(c.isalpha() for c in value)
    has_other = any(c.isdigit() or c in "!@#$%^&*_+=~" for c in value)
    return has_letter and has_other and not _IDENTIFIER.match(value)
