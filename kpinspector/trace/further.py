"""Secrets and identifiers that the SDK's patterns miss: a small table of our own.

Each entry is looked for by a word first, then by its pattern; each pattern reads a text once. The
shapes of tokens are those that their issuers document.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class FurtherKind(StrEnum):
    """What only further patterns find."""

    ANTHROPIC_KEY = "anthropic_key"
    OPENAI_KEY = "openai_key"
    GITHUB_TOKEN = "github_token"  # noqa: S105 - names, no passwords
    GITLAB_TOKEN = "gitlab_token"  # noqa: S105
    AWS_KEY = "aws_key"
    AZURE_KEY = "azure_key"
    GOOGLE_KEY = "google_key"
    STRIPE_KEY = "stripe_key"
    NPM_TOKEN = "npm_token"  # noqa: S105
    PYPI_TOKEN = "pypi_token"  # noqa: S105
    HUGGING_FACE_TOKEN = "hugging_face_token"  # noqa: S105
    SENDGRID_KEY = "sendgrid_key"
    JWT = "jwt"
    PRIVATE_KEY = "private_key"
    AUTHORIZATION = "authorization"
    PASSWORD = "password"  # noqa: S105
    URL_PASSWORD = "url_password"  # noqa: S105
    USER_FOLDER = "user_folder"

    @property
    def is_secret(self) -> bool:
        """All but what only names a person."""
        return self is not FurtherKind.USER_FOLDER


@dataclass(frozen=True, slots=True)
class FurtherMatch:
    """A part of a text that a further pattern finds, from ``start`` up to ``end``."""

    kind: FurtherKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Entry:
    """A pattern and a word without which it cannot match.

    Attributes:
        any_case: The word stands there in upper or lower case.
        group: What is secret in a match.
    """

    kind: FurtherKind
    word: str
    pattern: re.Pattern[str]
    any_case: bool
    group: str | int


def _entry(kind: FurtherKind, word: str, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> _Entry:
    found = re.compile(pattern, re.ASCII | flags)
    # asked once: the entries are tried on every text
    any_case = re.IGNORECASE in flags
    return _Entry(kind, word, found, any_case, "found" if "found" in found.groupindex else 0)


_NAMES: Final = (
    r"(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|apikey|private[_-]?key"
    r"|client[_-]?secret|access[_-]?key)"
)
SECRET_NAME: Final = re.compile(rf"(?:[a-z0-9]{{1,40}}[_-]){{0,4}}{_NAMES}", re.ASCII | re.I)
"""A member of an object with such a name holds a secret."""

_NUMBERED: Final = re.compile(
    r"(?:[a-z0-9]{1,40}[_-]){0,4}(?:password|passwd|passphrase|pwd)", re.ASCII | re.I
)
"""Even a number is a secret in a member with such a name; a token may be one of a model."""

_VALUE_STOP: Final = r"\s'\"`,;)}\[\]<>$&|"

_PLACEHOLDER: Final = re.compile(
    r"(?:\*+|x+|\.+|<.*>|\$\{?.*|\[REDACTED.*|none|null|true|false|your[_-].*|changeme)?",
    re.ASCII | re.I | re.S,
)

_ENTRIES: Final = (
    _entry(FurtherKind.ANTHROPIC_KEY, "sk-ant-", r"sk-ant-[A-Za-z0-9_\-]{16,}"),
    _entry(FurtherKind.OPENAI_KEY, "sk-", r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_\-]{20,}"),
    _entry(FurtherKind.GITHUB_TOKEN, "github_pat_", r"github_pat_[A-Za-z0-9_]{36,}"),
    _entry(FurtherKind.GITHUB_TOKEN, "gh", r"gh[ur]_[A-Za-z0-9]{36,}"),
    _entry(FurtherKind.GITLAB_TOKEN, "glpat-", r"glpat-[A-Za-z0-9_\-]{20,}"),
    _entry(FurtherKind.AWS_KEY, "A", r"\b(?:ASIA|ABIA|ACCA)[A-Z2-7]{16}\b"),
    _entry(FurtherKind.AZURE_KEY, "AccountKey=", r"AccountKey=(?P<found>[A-Za-z0-9+/]{40,}={0,2})"),
    _entry(FurtherKind.GOOGLE_KEY, "AIza", r"\bAIza[A-Za-z0-9_\-]{35}"),
    _entry(FurtherKind.GOOGLE_KEY, "GOCSPX-", r"GOCSPX-[A-Za-z0-9_\-]{20,}"),
    _entry(FurtherKind.STRIPE_KEY, "k_", r"\b[rs]k_(?:live|test|prod)_[A-Za-z0-9]{10,}"),
    _entry(FurtherKind.NPM_TOKEN, "npm_", r"\bnpm_[A-Za-z0-9]{36}"),
    _entry(FurtherKind.PYPI_TOKEN, "pypi-", r"pypi-AgE[A-Za-z0-9_\-]{50,}"),
    _entry(FurtherKind.HUGGING_FACE_TOKEN, "hf_", r"\bhf_[A-Za-z]{30,}"),
    _entry(FurtherKind.SENDGRID_KEY, "SG.", r"\bSG\.[A-Za-z0-9_\-]{20,24}\.[A-Za-z0-9_\-]{39,50}"),
    _entry(  # looks ahead from the start of a word, not from each hyphen in it
        FurtherKind.JWT,
        "eyJ",
        r"(?<![A-Za-z0-9_\-])(?=[A-Za-z0-9_\-]{11,}\.eyJ[A-Za-z0-9_\-]{8,}\.)[A-Za-z0-9_\-]*?"
        r"\b(?P<found>eyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]*)",
    ),
    _entry(
        FurtherKind.PRIVATE_KEY,
        "-----BEGIN ",
        r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:[A-Za-z0-9+/=\s\\]{0,20000}(?:-----END [A-Z0-9 ]{1,60}-----)?)",
    ),
    _entry(
        FurtherKind.AUTHORIZATION,
        "basic",
        r"\bauthorization['\"]?[ \t]{0,9}[:=][ \t]{0,9}['\"]?basic[ \t]{1,9}"
        r"(?P<found>[A-Za-z0-9+/]{8,}={0,2})",
        re.IGNORECASE,
    ),
    _entry(
        FurtherKind.AUTHORIZATION,
        "bearer",
        r"\bbearer[ \t]{1,9}(?P<found>[A-Za-z0-9_\-.~+/=]{20,})",
        re.IGNORECASE,
    ),
    _entry(
        FurtherKind.PASSWORD,
        "",
        rf"(?<![A-Za-z0-9]){_NAMES}\\?['\"][ \t]{{0,9}}:[ \t]{{0,9}}"
        r"\\?['\"](?P<found>[^'\"\\\s]{1,200})",
        re.IGNORECASE,
    ),
    _entry(
        FurtherKind.PASSWORD,
        "",
        r"(?<![A-Za-z0-9])(?:password|passwd|passphrase|pwd)\\?['\"][ \t]{0,9}:[ \t]{0,9}"
        r"(?P<found>\d{1,40})",
        re.IGNORECASE,
    ),
    _entry(
        FurtherKind.PASSWORD,
        "=",
        r"(?<![A-Za-z0-9])[A-Za-z0-9_]{0,60}_(?:TOKEN|KEY)="
        rf"['\"]?(?P<found>[^{_VALUE_STOP}]{{6,}})",
    ),
    _entry(
        FurtherKind.PASSWORD,
        "=",
        r"(?<![A-Za-z0-9])[A-Za-z0-9_]{0,60}_(?:PASSWORD|PASSWD|PWD|SECRET)="
        rf"['\"]?(?P<found>[^{_VALUE_STOP}]+)",
    ),
    _entry(  # what is called, or of the same name, is code
        FurtherKind.PASSWORD,
        "client",
        r"client[_-]?secret[ \t]{0,9}=[ \t]{0,9}['\"]?"
        rf"(?P<found>(?!client[_-]?secret)[^({_VALUE_STOP}]{{6,200}}+)(?![(\[])",
        re.IGNORECASE,
    ),
    _entry(
        FurtherKind.AWS_KEY,
        "secret",
        r"secret[_-]?access[_-]?key['\"]?[ \t]{0,9}[:=][ \t]{0,9}['\"]?"
        r"(?P<found>[A-Za-z0-9+/]{16,}={0,2})",
        re.IGNORECASE,
    ),
    _entry(
        FurtherKind.URL_PASSWORD,
        "://",
        r"\b[a-z][a-z0-9+.\-]{1,19}://[^\s/:@'\"<>]{1,100}:(?P<found>[^\s/:@'\"<>]{1,200})@[^\s/@]",
        re.IGNORECASE,
    ),
    _entry(
        FurtherKind.USER_FOLDER,
        "sers",
        r"[A-Za-z]:(?:\\\\|/)Users(?:\\\\|/)(?P<found>[^\s\\/:*?\"<>|]{1,100})",
    ),
    _entry(
        FurtherKind.USER_FOLDER, "/", r"/(?:home|Users)/(?P<found>[^\x00-\x7f][^\s/'\"]{0,100})"
    ),
)


def find_further(text: str) -> Iterator[FurtherMatch]:
    """What the table finds in a text, entry by entry; placeholders are none."""
    lower = text.lower() if text else ""
    for entry in _ENTRIES:
        if entry.word not in (lower if entry.any_case else text):
            continue
        for match in entry.pattern.finditer(text):
            if not _PLACEHOLDER.fullmatch(match[entry.group]):
                yield FurtherMatch(entry.kind, *match.span(entry.group))


def holds_secret(name: str, value: str | float) -> bool:
    """Whether a member of an object is a secret by its name, and no placeholder."""
    if isinstance(value, str):
        return SECRET_NAME.fullmatch(name) is not None and not _PLACEHOLDER.fullmatch(value)
    return not isinstance(value, bool) and _NUMBERED.fullmatch(name) is not None
