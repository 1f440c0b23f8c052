"""Secrets and identifiers that the SDK's patterns miss: a small table of our own.

For each entry a fixed word is looked for first, then the pattern; each pattern reads a text once.
The forms of tokens are those that their issuers document.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Self

from kpinspector.phrase import Phrase

# names in reports that are not made from the name shown
_REPORTED: Final = {
    "Azure signature in a URL": "azure_sas",
    "1Password token": "onepassword_token",
    "JSON web token": "jwt",
    "authorization header": "authorization",
    "password in a URL": "url_password",
}


class FurtherKind(str):
    """A kind that further patterns find: its name in reports; ``called``: its name for people."""

    __slots__ = ("called",)

    called: Phrase

    def __new__(cls, called: Phrase) -> Self:
        """The kind with this name for people."""
        kind = super().__new__(cls, _REPORTED.get(called, called.lower().replace(" ", "_")))
        kind.called = called
        return kind

    @property
    def is_secret(self) -> bool:
        """Whether the kind is a secret: all are, except user folders, which only name a person."""
        return self != "user_folder"


@dataclass(frozen=True, slots=True)
class FurtherMatch:
    """A part of a text that a further pattern finds, from ``start`` up to ``end``."""

    kind: FurtherKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Entry:
    """A pattern and a word without which it cannot match.

    ``word``: in lower case where the pattern begins with ``(?i)``. ``pattern``: its group ``found``
    is the secret, or else the whole match.
    """

    called: Phrase
    word: str
    pattern: str


def _behind(start: str = "") -> str:
    """A check put behind ``start``: no letter comes before it, but for an escaped line feed's."""
    return rf"(?:(?<![A-Za-z0-9_]{start})|(?<=\\[nrt]{start}))"


def _token(called: Phrase, start: str, rest: str) -> _Entry:
    """A token that begins with ``start``; what comes before is checked once that is found."""
    word = re.escape(start)
    return _Entry(called, start, f"{word}{_behind(word)}{rest}")


_NAMES: Final = (
    r"(?:(?P<password>password|passwd|passphrase|(?P<pwd>pwd))|secret"
    r"|(?:session|access|refresh|auth|id)?token|(?:api|private)[_-]?key|client[_-]?secret"
    r"|(?:access|secret(?:[_-]?access)?)[_-]?key)"
)
_FOLDER: Final = r"(?:[/~]|[A-Za-z]:[\\/])"
SECRET_NAME: Final = re.compile(
    rf"(?:[a-z0-9]{{1,40}}[_-]){{0,4}}(?:{_NAMES}|(?P<header>authorization))", re.ASCII | re.I
)
"""Names of members that hold a secret; a number is a secret only under a password's name."""

_CREDENTIALS: Final = re.compile(r"(?:basic|bearer|token|api-?key)\s+\S|(?=\S*\d)\S{8}", re.I)
"""The beginning of an authorization header's value; a word such as "none" does not match."""

_VALUE_STOP: Final = r"\s'\"`,;)}\[\]<>$&|"
_QUOTE: Final = r"\\{0,3}['\"]"
_SAYS_VALUE: Final = (
    rf"(?:,(?:\s|\\n){{0,20}}{_QUOTE}value{_QUOTE})?[ \t]{{0,9}}:"  # or is a member
)
_SAYS: Final = (
    rf"(?:[ \t]{{0,9}}[:=]|{_QUOTE}(?:{_SAYS_VALUE}|[ \t]{{0,9}}[=,]))[ \t]{{0,9}}(?:{_QUOTE})?"
)
_NEXT: Final = rf"(?:[ \t]{{1,9}}|{_QUOTE},[ \t]{{0,9}})(?:{_QUOTE})?"
"""What separates two words of a command, which may be written as a list."""


def _option(command: str, option: str) -> _Entry:
    """The password behind an option of a command; the command may be two words."""
    command, _, second = command.partition(" ")
    return _token(
        Phrase("password"),
        command,
        rf"{second and _NEXT}{second}\b[^\n|;&]{{0,200}}?[ \t'\"]{option}(?:{_QUOTE})?"
        rf"(?![\d.:]+(?:[{_VALUE_STOP}]|\Z))(?P<found>[^\\{_VALUE_STOP}]{{2,}})",
    )


_PLACEHOLDER: Final = re.compile(
    r"(?:\*+|x+|\.+|<.*|\{\{.*|%.*%|\$.*|\[?REDACTED.*|\[[A-Z_]+\]|none|null|true|false"
    r"|string|value|changeme"
    r"|your(?:[_ -]|api|key|token|secret|pass).*|change[_ -]me.*|example(?:[_ -].*)?"
    r"|(?:my[_-]?)?(?:pass|password|passwd|secret|token)"
    r"|(?:will|to|must)[_ ]be[_ ].*|.*(?:x{8}|your[_-]|placeholder|(?-i:EXAMPLE)).*"
    r"|[A-Za-z0-9_\-]{0,16}(?:\*{3,}|\u2022{3,}|\.{3,}|\u2026|(?<![A-Za-z0-9])x{4,})"
    r"[A-Za-z0-9]{0,6})?",
    re.ASCII | re.I | re.S,
)
"""Placeholders for a secret, and secrets that are masked already."""


def _password(word: str, pattern: str) -> _Entry:
    return _Entry(Phrase("password"), word, pattern)


_ENTRIES: Final = (
    _Entry(Phrase("Anthropic key"), "sk-ant-", r"sk-ant-[A-Za-z0-9_\-]{16,}"),
    _Entry(Phrase("OpenAI key"), "sk-", r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_\-]{20,}"),
    _token(Phrase("OpenRouter key"), "sk-or-", r"v1-[A-Za-z0-9]{32,}"),
    _token(Phrase("Groq key"), "gsk_", r"[A-Za-z0-9]{32,}"),
    _token(Phrase("Perplexity key"), "pplx-", r"[A-Za-z0-9]{40,}"),
    _token(Phrase("xAI key"), "xai-", r"[A-Za-z0-9]{40,}"),
    _token(Phrase("Replicate token"), "r8_", r"[A-Za-z0-9]{30,}"),
    _token(Phrase("Hugging Face token"), "hf_", r"[A-Za-z0-9]{30,}"),
    _token(Phrase("NVIDIA key"), "nvapi-", r"[A-Za-z0-9_\-]{40,}"),
    _token(Phrase("ElevenLabs key"), "sk_", r"[0-9a-f]{48}\b"),
    _token(Phrase("LangSmith key"), "lsv2_", r"(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}\b"),
    _token(Phrase("Langfuse key"), "sk-lf-", r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"),
    _token(Phrase("Tavily key"), "tvly-", r"(?:dev-|prod-)?[A-Za-z0-9]{20,}"),
    _Entry(Phrase("GitHub token"), "github_pat_", r"github_pat_[A-Za-z0-9_]{36,}"),
    _Entry(Phrase("GitHub token"), "gh", r"gh[ur]_[A-Za-z0-9]{36,}"),
    _token(
        Phrase("GitLab token"),
        "gl",
        r"(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_\-]{20,}"
        r"(?:\.[A-Za-z0-9_\-.]{5,40})?",
    ),
    _token(Phrase("GitLab token"), "GR1348941", r"[A-Za-z0-9_\-]{20,}"),
    _token(Phrase("Atlassian token"), "AT", r"(?:ATT3|CTT3|BB)[A-Za-z0-9_\-=]{24,}"),
    _token(Phrase("Sourcegraph token"), "sgp_", r"(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}\b"),
    _token(Phrase("Docker token"), "dckr_", r"[po]at_[A-Za-z0-9_\-]{20,}"),
    _token(Phrase("npm token"), "npm_", r"[A-Za-z0-9]{36}"),
    _Entry(Phrase("PyPI token"), "pypi-", r"pypi-AgE[A-Za-z0-9_\-]{50,}"),
    _token(Phrase("RubyGems key"), "rubygems_", r"[0-9a-f]{48}\b"),
    _token(Phrase("NuGet key"), "oy2", r"[a-z0-9]{43}\b"),
    _token(Phrase("JFrog key"), "AKCp", r"[A-Za-z0-9]{69}\b"),
    _token(Phrase("JFrog key"), "cmVmd", r"[A-Za-z0-9]{59}\b"),
    _token(Phrase("AWS key"), "A", r"(?:SIA|BIA|CCA)[A-Z2-7]{16}\b"),
    _token(Phrase("AWS key"), "ABSK", r"[A-Za-z0-9+/]{100,}={0,2}"),
    _Entry(
        Phrase("AWS key"),
        "secret",
        rf"(?i)secret[_-]?access[_-]?key{_SAYS}"
        r"(?P<found>[A-Za-z0-9+/]{16,}={0,2})",
    ),
    _Entry(
        Phrase("AWS key"),
        "session",
        rf"(?i)session[_-]?token{_SAYS}"
        r"(?P<found>[A-Za-z0-9+/]{60,}={0,2})",
    ),
    _Entry(
        Phrase("Azure key"), "Key=", r"(?:Account|Access)Key=(?P<found>[A-Za-z0-9+/]{40,}={0,2})"
    ),
    _Entry(
        Phrase("Azure key"),
        "Q~",
        rf"{_behind()}[A-Za-z0-9_~.]{{3}}\dQ~[A-Za-z0-9_~.\-]{{31,34}}(?![A-Za-z0-9_~\-])",
    ),
    _Entry(
        Phrase("Azure signature in a URL"),
        "sig=",
        r"(?:[?&;]|\\u0026)sig=(?P<found>[A-Za-z0-9%+/_\-]{40,}={0,2})",
    ),
    _token(Phrase("Google key"), "AIza", r"[A-Za-z0-9_\-]{35}"),
    _Entry(Phrase("Google key"), "GOCSPX-", r"GOCSPX-[A-Za-z0-9_\-]{20,}"),
    _token(Phrase("Google token"), "ya29.", r"[A-Za-z0-9_\-.]{20,}"),
    _token(Phrase("Google token"), "1//0", r"[A-Za-z0-9_\-]{40,}"),
    _token(Phrase("DigitalOcean token"), "do", r"[opr]_v1_[0-9a-f]{64}\b"),
    _token(Phrase("Alibaba key"), "LTAI", r"[A-Za-z0-9]{12,20}\b"),
    _token(Phrase("Cloudflare key"), "v1.0-", r"[0-9a-f]{24}-[0-9a-f]{146}\b"),
    _token(Phrase("Heroku key"), "HRKU-", r"[A-Za-z0-9_\-]{36,}"),
    _token(Phrase("Fly token"), "f", r"(?:o1_|m1[ar]_|m2_)[A-Za-z0-9+/_\-]{40,}={0,3}"),
    _token(Phrase("Vercel token"), "vc", r"[aciprk]_[A-Za-z0-9]{24,}"),
    _token(Phrase("Netlify token"), "nf", r"[pcoub]_[A-Za-z0-9]{30,}"),
    _token(
        Phrase("Supabase key"), "sb", r"(?:p_(?:oauth_)?[0-9a-f]{40}\b|_secret_[A-Za-z0-9_\-]{20,})"
    ),
    _token(Phrase("PlanetScale token"), "pscale_", r"(?:tkn|oauth|pw)_[A-Za-z0-9_=.\-]{32,}"),
    _token(Phrase("Databricks token"), "dapi", r"[0-9a-f]{32}(?:-\d)?\b"),
    _token(Phrase("OpenShift token"), "sha256~", r"[A-Za-z0-9_\-]{43}"),
    _token(Phrase("Tailscale key"), "tskey-", r"[a-z]{2,12}-[A-Za-z0-9\-]{20,}"),
    _token(Phrase("Vault token"), "hv", r"[sbr]\.[A-Za-z0-9_\-]{24,}"),
    _token(  # their older form; without a digit, or followed by a call, it is code
        Phrase("Vault token"),
        "s.",
        r"(?=[A-Za-z]{0,23}\d)(?=[a-z\d]{0,23}[A-Z])(?=[A-Z\d]{0,23}[a-z])"
        r"[A-Za-z0-9]{24}(?![\w(=.\[])",
    ),
    _Entry(
        Phrase("Terraform token"),
        ".atlasv1.",
        rf"{_behind()}[A-Za-z0-9]{{14}}\.atlasv1\.[A-Za-z0-9_=\-]{{60,}}",
    ),
    _token(Phrase("Pulumi token"), "pul-", r"[0-9a-f]{40}\b"),
    _token(Phrase("Doppler token"), "dp.", r"(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_\-.]{40,}"),
    _token(Phrase("1Password token"), "ops_eyJ", r"[A-Za-z0-9+/]{200,}={0,3}"),
    _token(Phrase("age key"), "AGE-SECRET-KEY-1", r"[0-9A-Z]{58}\b"),
    _token(Phrase("CircleCI token"), "CCI", r"(?:PAT|PRJ)_[A-Za-z0-9]{20,}_[0-9a-f]{40}\b"),
    _token(Phrase("SonarQube token"), "sq", r"[aup]_[0-9a-f]{40}\b"),
    _token(Phrase("Grafana token"), "glsa_", r"[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}\b"),
    _token(Phrase("Grafana token"), "glc_", r"[A-Za-z0-9+/]{32,}={0,2}"),
    _token(Phrase("Grafana token"), "eyJrIjoi", r"[A-Za-z0-9]{60,}={0,2}(?!\.)"),
    _token(Phrase("New Relic key"), "NRAK-", r"[A-Z0-9]{27}\b"),
    _token(Phrase("Sentry token"), "sntry", r"(?:s_eyJ[A-Za-z0-9+/=_\-]{40,}|[ui]_[0-9a-f]{64}\b)"),
    _token(Phrase("Dynatrace token"), "dt0c01.", r"[A-Z0-9]{24}\.[A-Z0-9]{64}\b"),
    _token(Phrase("Postman key"), "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}\b"),
    _token(Phrase("Slack token"), "xapp-", r"\d-[A-Z0-9]{5,40}-\d{5,20}-[A-Za-z0-9]{20,}"),
    _token(Phrase("Slack token"), "xox", r"(?:[cde]-|e\.xox[bp]-)[A-Za-z0-9%\-]{20,}"),
    _Entry(
        Phrase("Slack webhook"),
        "hooks.slack.com/",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<found>[A-Za-z0-9+/]{30,80})",
    ),
    _Entry(  # its first part is the base64 of a number
        Phrase("Discord token"),
        ".",
        rf"[MNO]{_behind('.')}[DTjz][A-Za-z0-9]{{22,26}}"
        r"\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,}",
    ),
    _Entry(
        Phrase("Discord webhook"),
        "/webhooks/",
        r"/api/(?:v\d{1,2}/)?webhooks/\d{17,20}/(?P<found>[A-Za-z0-9_\-]{60,})",
    ),
    _Entry(
        Phrase("Teams webhook"),
        "webhook.office.com/",
        r"webhook\.office\.com/webhookb2/(?P<found>[A-Za-z0-9@/\-]{60,})",
    ),
    _Entry(
        Phrase("Telegram token"), ":AA", r"(?<!\d)\d{8,10}:AA[A-Za-z0-9_\-]{33}(?![A-Za-z0-9_\-])"
    ),
    _token(Phrase("Twilio key"), "SK", r"[0-9a-f]{32}\b"),
    _token(
        Phrase("Twilio key"),
        "AC",
        r"[0-9a-f]{32}\\?['\"]?[ \t]{0,9}[:,][ \t]{0,9}\\?['\"]?(?P<found>[0-9a-f]{32})\b",
    ),
    _token(Phrase("SendGrid key"), "SG.", r"[A-Za-z0-9_\-]{20,24}\.[A-Za-z0-9_\-]{39,50}"),
    _token(Phrase("Mailgun key"), "key-", r"(?<![a-z]-key-)[0-9a-f]{32}\b"),
    _Entry(
        Phrase("Mailgun key"),
        "-",
        rf"[0-9a-f]{{32}}{_behind('.{32}')}(?:-[0-9a-f]{{8}}){{2}}(?![\w\-])",
    ),
    _Entry(Phrase("Mailchimp key"), "-us", rf"[0-9a-f]{{32}}{_behind('.{32}')}-us\d{{1,2}}\b"),
    _token(Phrase("Brevo key"), "xkeysib-", r"[0-9a-f]{64}-[A-Za-z0-9]{16}\b"),
    _token(Phrase("Resend key"), "re_", r"[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\b"),
    _token(Phrase("Stripe key"), "rk_", r"(?:live|test|prod)_[A-Za-z0-9]{10,}"),
    _token(Phrase("Stripe key"), "sk_", r"(?:live|test|prod)_[A-Za-z0-9]{10,}"),
    _token(Phrase("Square token"), "sq0", r"(?:atp|csp)-[A-Za-z0-9_\-]{22,}"),
    _token(Phrase("Square token"), "EAAA", r"[A-Za-z0-9_\-]{60}\b"),
    _Entry(
        Phrase("PayPal token"),
        "access_token$",
        r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
    ),
    _token(Phrase("Shopify token"), "shp", r"(?:at|ca|pa|ss|tka)_[A-Fa-f0-9]{32}\b"),
    _token(Phrase("webhook secret"), "whsec_", r"[A-Za-z0-9+/]{20,}={0,2}"),
    _token(Phrase("Linear key"), "lin_", r"(?:api|oauth)_[A-Za-z0-9]{32,}"),
    _token(Phrase("Notion token"), "ntn_", r"[A-Za-z0-9]{40,}"),
    _token(Phrase("Notion token"), "secret_", r"[A-Za-z0-9]{43}\b"),
    _token(Phrase("Figma token"), "fig", r"[dour]_[A-Za-z0-9_\-]{36,}"),
    _token(Phrase("Airtable token"), "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{64}\b"),
    _token(
        Phrase("HubSpot token"), "pat-", r"[a-z]{2}\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"
    ),
    _Entry(  # looks ahead from the start of a word, not from each hyphen in it
        Phrase("JSON web token"),
        "eyJ",
        r"(?<![A-Za-z0-9_\-])(?=[A-Za-z0-9_\-]{11,}\.eyJ[A-Za-z0-9_\-]{8,}\.)[A-Za-z0-9_\-]*?"
        r"(?:\b|(?<=\\[nrt]))(?P<found>eyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]*)",
    ),
    _Entry(  # may have headers within
        Phrase("private key"),
        "-----BEGIN ",
        r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?:\s|\\[nr]){1,4}[A-Z][A-Za-z\-]{2,30}: [^\n\\]{1,100}){0,6}"
        r"(?:[A-Za-z0-9+/=\s\\]{0,20000}(?:-----END [A-Z0-9 ]{1,60}-----)?)",
    ),
    _Entry(  # a private key encoded in base64 again, as in a kubeconfig
        Phrase("private key"),
        "LS0tLS1CRUdJTi",
        r"LS0tLS1CRUdJTi(?:BSU0EgUFJJVkFURSBLRVk|BFQyBQUklWQVRFIEtFWS|BQUklWQVRFIEtFWS"
        r"|BPUEVOU1NIIFBSSVZBVEUgS0VZ)[A-Za-z0-9+/]*={0,2}",
    ),
    _Entry(
        Phrase("private key"),
        "PrivateKey",
        r"PrivateKey[ \t]{0,9}=[ \t]{0,9}(?P<found>[A-Za-z0-9+/]{43}=)",
    ),
    _Entry(
        Phrase("authorization header"),
        "authorization",
        rf"(?i)authorization{_SAYS}(?:basic[ \t]{{1,9}}|(?:(?:token|api-?key)[ \t]{{1,9}}"
        r"|(?:[a-z\d\-]{1,20}[ \t]{1,9})?(?=[a-z\d_\-.~+/=]{16}))(?=[a-z_\-.~+/=]{0,99}\d))"
        r"(?P<found>[a-z\d_\-.~+/=]{8,}+)(?!\()",
    ),
    _Entry(
        Phrase("authorization header"),
        "bearer",
        r"(?i)\bbearer[ \t]{1,9}(?P<found>[A-Za-z0-9_\-.~+/=]{20,})",
    ),
    _Entry(  # a header; a value without a digit is prose
        Phrase("authorization header"),
        "-key",
        rf"(?i)(?:api|auth|access|subscription)-key(?::[ \t]{{0,9}}|{_QUOTE},[ \t]{{0,9}}{_QUOTE})"
        rf"(?=[^{_VALUE_STOP}]{{0,99}}\d)(?P<found>[^{_VALUE_STOP}]{{8,}})",
    ),
    _password(  # a password may be a number; a shell's PWD is a folder, not a secret
        "",
        rf"(?i)(?=[aciprst])(?<![A-Za-z0-9]){_NAMES}{_QUOTE}{_SAYS_VALUE}[ \t]{{0,9}}"
        rf"(?:{_QUOTE})?(?P<found>(?<=['\"])(?(pwd)(?!{_FOLDER}))[^'\"\\\n]{{1,200}}|(?(password)\d{{1,40}}|(?!)))",
    ),
    _password(
        "=",
        rf"(?:_(?:TOKEN|KEY)=(?:{_QUOTE})?(?=[^{_VALUE_STOP}]{{6}})"
        rf"|(?:PASSWORD|PASSWD|SECRET|SSHPASS)=(?:{_QUOTE})?|_PWD=(?:{_QUOTE})?(?!{_FOLDER}))"
        rf"(?P<found>[^{_VALUE_STOP}]+)",
    ),
    _password(  # YAML; without a digit it is a type or prose, unless a password ends its line
        ": ",
        r"(?:_(?:PASSWORD|PASSWD|SECRET|TOKEN(?!:[ \t]+\d+\b))|(?:API|SECRET|ACCESS|PRIVATE)_KEY)"
        rf":[ \t]{{1,9}}(?:(?=[^\\{_VALUE_STOP}]{{0,99}}\d)"
        r"|(?<=(?:WORD|SSWD): )(?!required|optional)(?=[a-z]{6,99}(?:\s*\Z|[ \t]*(?:\\[nr]|\n))))"
        rf"(?P<found>[^({{\\{_VALUE_STOP}]{{4,200}}+)(?!\()",
    ),
    _password(  # a setting or a query; without a digit, or followed by a call, it is code
        "token=",
        r"(?i)(?:access|refresh|session|auth|id)_?token="
        rf"(?=[^({_VALUE_STOP}]{{0,99}}\d)(?P<found>[^({_VALUE_STOP}]{{6,200}}+)(?![(\[])",
    ),
    _password(  # in a connection string
        "pwd=",
        rf"(?i)(?:(?<=;)|(?<=; )|{_behind()}(?=pwd=[^({_VALUE_STOP}]{{1,99}};))pwd=(?!{_FOLDER})"
        rf"(?P<found>[^({_VALUE_STOP}]{{2,}}+)(?!\()",
    ),
    _password(  # followed by a call, or named like the member, it is code
        "client",
        r"(?i)client[_-]?secret[ \t]{0,9}=[ \t]{0,9}['\"]?"
        rf"(?P<found>(?!client[_-]?secret)[^({_VALUE_STOP}]{{6,200}}+)(?![(\[])",
    ),
    _password(  # without a digit it is prose
        "--pass",
        rf"--pass(?:word|wd|phrase){_NEXT}"
        rf"(?=[^{_VALUE_STOP}]{{0,99}}\d)(?P<found>[^{_VALUE_STOP}\-][^{_VALUE_STOP}]{{3,}})",
    ),
    _option("sshpass", rf"-p(?:{_NEXT})?"),
    *(_option(command, "-p") for command in ("mysql", "mysqldump", "mysqladmin", "mariadb")),
    *(_option(f"{command} login", f"-p{_NEXT}") for command in ("docker", "podman")),
    _option("redis-cli", f"-a{_NEXT}"),
    _token(  # user:password; the line may continue behind a backslash, up to another curl
        Phrase("password"),
        "curl",
        r"\b(?:[^\n\\c \t'\"]|c(?!url\b)|[ \t'\"](?!{0})|\\(?:[^'\"]|(?=['\"])))*+[ \t'\"]{0}"
        r"(?:[ \t=]{{0,9}}(?:{1})?|{2})[^\s:'\"\\]{{1,100}}:(?P<found>[^\s'\"\\]{{2,200}})".format(
            r"(?:-[#\dBGIJLMNORSZafgijklnpqsv]{0,9}u|--user(?=[ =\t'\"\\]))", _QUOTE, _NEXT
        ),
    ),
    _password(  # .netrc
        "login",
        r"(?:machine{0}[^\s\\]{{1,200}}|default){0}login{0}[^\s\\]{{1,200}}{0}password{0}(?P<found>[^\s\\'\"]{{1,200}})".format(
            r"(?:\s|\\[nrt]){1,20}"
        ),
    ),
    _password(  # .pgpass; two ports in a row, or a number as a name, are something else
        ":",
        r":(?<!\b\d{4}:)(?<!\b\d{5}:)(?:\*|5432|5433|5439|6432|6543|25060)"
        r"(?::(?!\d+:)[^\s:/]{1,63}){2}:"
        r"(?P<found>[^\s:/'\"\\]{1,200})",
    ),
    _Entry(
        Phrase("password in a URL"),
        "://",
        r"://(?<=[A-Za-z0-9]://)[^\s/:@'\"<>]{1,100}:(?P<found>[^\s/:@'\"<>]{1,200})@[^\s/@]",
    ),
    _Entry(
        Phrase("user folder"),
        "sers",
        r"[A-Za-z]:(?:\\\\|/)Users(?:\\\\|/)(?P<found>[^\s\\/:*?\"<>|]{1,100})",
    ),
    _Entry(Phrase("user folder"), "/", r"/(?:home|Users)/(?P<found>[^\x00-\x7f][^\s/'\"]{0,100})"),
)


FURTHER_KINDS: Final = (*dict.fromkeys(FurtherKind(one.called) for one in _ENTRIES),)


def find_further(text: str) -> Iterator[FurtherMatch]:
    """The matches of the table in a text, entry by entry, without placeholders."""
    lower = text.lower() if text else ""
    for entry in _ENTRIES:
        if entry.word not in (lower if entry.pattern.startswith("(?i)") else text):
            continue
        # ``re`` compiles a pattern when it is first needed, and caches it
        for match in re.finditer(entry.pattern, text, re.ASCII):
            group = "found" if "found" in match.re.groupindex else 0
            if not _PLACEHOLDER.fullmatch(match[group]):
                yield FurtherMatch(FurtherKind(entry.called), *match.span(group))


def holds_secret(name: str, value: str | float) -> bool:
    """Whether a member's name says that its value is a secret, and the value is no placeholder."""
    found = SECRET_NAME.fullmatch(name)
    if found is None or isinstance(value, bool):
        return False
    if not isinstance(value, str):
        return found["password"] is not None
    if found["header"] and not _CREDENTIALS.match(value):
        return False
    folder = found["pwd"] and re.match(_FOLDER, value)
    return not folder and not _PLACEHOLDER.fullmatch(value)
