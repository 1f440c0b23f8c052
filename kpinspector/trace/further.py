"""Secrets and identifiers that the SDK's patterns miss: a small table of our own.

Each entry is looked for by a word first, then by its pattern; each pattern reads a text once. The
shapes of tokens are those that their issuers document.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self

from kpinspector.phrase import Phrase


class FurtherKind(StrEnum):
    """What only further patterns find, each with what it is called."""

    called: Phrase

    def __new__(cls, value: str, called: Phrase) -> Self:
        """A kind by its name in reports, and by the one that is shown."""
        kind = str.__new__(cls, value)
        kind._value_, kind.called = value, called
        return kind

    ANTHROPIC_KEY = "anthropic_key", Phrase("Anthropic key")
    OPENAI_KEY = "openai_key", Phrase("OpenAI key")
    OPENROUTER_KEY = "openrouter_key", Phrase("OpenRouter key")
    GROQ_KEY = "groq_key", Phrase("Groq key")
    PERPLEXITY_KEY = "perplexity_key", Phrase("Perplexity key")
    XAI_KEY = "xai_key", Phrase("xAI key")
    REPLICATE_TOKEN = "replicate_token", Phrase("Replicate token")
    HUGGING_FACE_TOKEN = "hugging_face_token", Phrase("Hugging Face token")
    NVIDIA_KEY = "nvidia_key", Phrase("NVIDIA key")
    ELEVENLABS_KEY = "elevenlabs_key", Phrase("ElevenLabs key")
    LANGSMITH_KEY = "langsmith_key", Phrase("LangSmith key")
    LANGFUSE_KEY = "langfuse_key", Phrase("Langfuse key")
    TAVILY_KEY = "tavily_key", Phrase("Tavily key")
    GITHUB_TOKEN = "github_token", Phrase("GitHub token")
    GITLAB_TOKEN = "gitlab_token", Phrase("GitLab token")
    ATLASSIAN_TOKEN = "atlassian_token", Phrase("Atlassian token")
    SOURCEGRAPH_TOKEN = "sourcegraph_token", Phrase("Sourcegraph token")
    DOCKER_TOKEN = "docker_token", Phrase("Docker token")
    NPM_TOKEN = "npm_token", Phrase("npm token")
    PYPI_TOKEN = "pypi_token", Phrase("PyPI token")
    RUBYGEMS_KEY = "rubygems_key", Phrase("RubyGems key")
    NUGET_KEY = "nuget_key", Phrase("NuGet key")
    JFROG_KEY = "jfrog_key", Phrase("JFrog key")
    AWS_KEY = "aws_key", Phrase("AWS key")
    AZURE_KEY = "azure_key", Phrase("Azure key")
    AZURE_SAS = "azure_sas", Phrase("Azure signature in a URL")
    GOOGLE_KEY = "google_key", Phrase("Google key")
    GOOGLE_TOKEN = "google_token", Phrase("Google token")
    DIGITALOCEAN_TOKEN = "digitalocean_token", Phrase("DigitalOcean token")
    ALIBABA_KEY = "alibaba_key", Phrase("Alibaba key")
    CLOUDFLARE_KEY = "cloudflare_key", Phrase("Cloudflare key")
    HEROKU_KEY = "heroku_key", Phrase("Heroku key")
    FLY_TOKEN = "fly_token", Phrase("Fly token")
    VERCEL_TOKEN = "vercel_token", Phrase("Vercel token")
    NETLIFY_TOKEN = "netlify_token", Phrase("Netlify token")
    SUPABASE_KEY = "supabase_key", Phrase("Supabase key")
    PLANETSCALE_TOKEN = "planetscale_token", Phrase("PlanetScale token")
    DATABRICKS_TOKEN = "databricks_token", Phrase("Databricks token")
    OPENSHIFT_TOKEN = "openshift_token", Phrase("OpenShift token")
    TAILSCALE_KEY = "tailscale_key", Phrase("Tailscale key")
    VAULT_TOKEN = "vault_token", Phrase("Vault token")
    TERRAFORM_TOKEN = "terraform_token", Phrase("Terraform token")
    PULUMI_TOKEN = "pulumi_token", Phrase("Pulumi token")
    DOPPLER_TOKEN = "doppler_token", Phrase("Doppler token")
    ONEPASSWORD_TOKEN = "onepassword_token", Phrase("1Password token")
    AGE_KEY = "age_key", Phrase("age key")
    CIRCLECI_TOKEN = "circleci_token", Phrase("CircleCI token")
    SONARQUBE_TOKEN = "sonarqube_token", Phrase("SonarQube token")
    GRAFANA_TOKEN = "grafana_token", Phrase("Grafana token")
    NEW_RELIC_KEY = "new_relic_key", Phrase("New Relic key")
    SENTRY_TOKEN = "sentry_token", Phrase("Sentry token")
    DYNATRACE_TOKEN = "dynatrace_token", Phrase("Dynatrace token")
    POSTMAN_KEY = "postman_key", Phrase("Postman key")
    SLACK_TOKEN = "slack_token", Phrase("Slack token")
    SLACK_WEBHOOK = "slack_webhook", Phrase("Slack webhook")
    DISCORD_TOKEN = "discord_token", Phrase("Discord token")
    DISCORD_WEBHOOK = "discord_webhook", Phrase("Discord webhook")
    TEAMS_WEBHOOK = "teams_webhook", Phrase("Teams webhook")
    TELEGRAM_TOKEN = "telegram_token", Phrase("Telegram token")
    TWILIO_KEY = "twilio_key", Phrase("Twilio key")
    SENDGRID_KEY = "sendgrid_key", Phrase("SendGrid key")
    MAILGUN_KEY = "mailgun_key", Phrase("Mailgun key")
    MAILCHIMP_KEY = "mailchimp_key", Phrase("Mailchimp key")
    BREVO_KEY = "brevo_key", Phrase("Brevo key")
    RESEND_KEY = "resend_key", Phrase("Resend key")
    STRIPE_KEY = "stripe_key", Phrase("Stripe key")
    SQUARE_TOKEN = "square_token", Phrase("Square token")
    PAYPAL_TOKEN = "paypal_token", Phrase("PayPal token")
    SHOPIFY_TOKEN = "shopify_token", Phrase("Shopify token")
    WEBHOOK_SECRET = "webhook_secret", Phrase("webhook secret")
    LINEAR_KEY = "linear_key", Phrase("Linear key")
    NOTION_TOKEN = "notion_token", Phrase("Notion token")
    FIGMA_TOKEN = "figma_token", Phrase("Figma token")
    AIRTABLE_TOKEN = "airtable_token", Phrase("Airtable token")
    HUBSPOT_TOKEN = "hubspot_token", Phrase("HubSpot token")
    JWT = "jwt", Phrase("JSON web token")
    PRIVATE_KEY = "private_key", Phrase("private key")
    AUTHORIZATION = "authorization", Phrase("authorization header")
    PASSWORD = "password", Phrase("password")
    URL_PASSWORD = "url_password", Phrase("password in a URL")
    USER_FOLDER = "user_folder", Phrase("user folder")

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
        word: In lower case where the pattern ignores case.
        pattern: What is secret in it is its group ``found``, else all of it.
    """

    kind: FurtherKind
    word: str
    pattern: str
    flags: re.RegexFlag = re.NOFLAG


def _behind(start: str = "") -> str:
    """Behind a pattern: it begins behind no letter but that of an escaped line feed."""
    return rf"(?:(?<![A-Za-z0-9_]{start})|(?<=\\[nrt]{start}))"


def _token(kind: FurtherKind, start: str, rest: str) -> _Entry:
    """What begins with a word; what stands before that is looked at where it is found."""
    word = re.escape(start)
    return _Entry(kind, start, f"{word}{_behind(word)}{rest}")


_NAMES: Final = (
    r"(?:(?P<password>password|passwd|passphrase|(?P<pwd>pwd))|secret"
    r"|(?:session|access|refresh|auth|id)?token|(?:api|private)[_-]?key|client[_-]?secret"
    r"|(?:access|secret(?:[_-]?access)?)[_-]?key)"
)
_FOLDER: Final = r"(?:[/~]|[A-Za-z]:[\\/])"
SECRET_NAME: Final = re.compile(
    rf"(?:[a-z0-9]{{1,40}}[_-]){{0,4}}(?:{_NAMES}|(?P<header>authorization))", re.ASCII | re.I
)
"""A member with such a name holds a secret; a number is one where it is called a password."""

_CREDENTIALS: Final = re.compile(r"(?:basic|bearer|token|api-?key)\s+\S|(?=\S*\d)\S{8}", re.I)
"""So begins the value of an authorization header, unlike a word that says whether there is one."""

_VALUE_STOP: Final = r"\s'\"`,;)}\[\]<>$&|"
_QUOTE: Final = r"\\{0,3}['\"]"
_SAYS_VALUE: Final = (
    rf"(?:,(?:\s|\\n){{0,20}}{_QUOTE}value{_QUOTE})?[ \t]{{0,9}}:"  # or is a member
)
_SAYS: Final = (
    rf"(?:[ \t]{{0,9}}[:=]|{_QUOTE}(?:{_SAYS_VALUE}|[ \t]{{0,9}}[=,]))[ \t]{{0,9}}(?:{_QUOTE})?"
)
_NEXT: Final = rf"(?:[ \t]{{1,9}}|{_QUOTE},[ \t]{{0,9}})(?:{_QUOTE})?"
"""Between two words of a command, which may be a list."""


def _option(command: str, option: str) -> _Entry:
    """The password behind an option of a command, which may have a second word."""
    command, _, second = command.partition(" ")
    return _token(
        FurtherKind.PASSWORD,
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
"""What stands where a secret belongs, or is masked already."""

_K: Final = FurtherKind
_ENTRIES: Final = (
    _Entry(_K.ANTHROPIC_KEY, "sk-ant-", r"sk-ant-[A-Za-z0-9_\-]{16,}"),
    _Entry(_K.OPENAI_KEY, "sk-", r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_\-]{20,}"),
    _token(_K.OPENROUTER_KEY, "sk-or-", r"v1-[A-Za-z0-9]{32,}"),
    _token(_K.GROQ_KEY, "gsk_", r"[A-Za-z0-9]{32,}"),
    _token(_K.PERPLEXITY_KEY, "pplx-", r"[A-Za-z0-9]{40,}"),
    _token(_K.XAI_KEY, "xai-", r"[A-Za-z0-9]{40,}"),
    _token(_K.REPLICATE_TOKEN, "r8_", r"[A-Za-z0-9]{30,}"),
    _token(_K.HUGGING_FACE_TOKEN, "hf_", r"[A-Za-z0-9]{30,}"),
    _token(_K.NVIDIA_KEY, "nvapi-", r"[A-Za-z0-9_\-]{40,}"),
    _token(_K.ELEVENLABS_KEY, "sk_", r"[0-9a-f]{48}\b"),
    _token(_K.LANGSMITH_KEY, "lsv2_", r"(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}\b"),
    _token(_K.LANGFUSE_KEY, "sk-lf-", r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"),
    _token(_K.TAVILY_KEY, "tvly-", r"(?:dev-|prod-)?[A-Za-z0-9]{20,}"),
    _Entry(_K.GITHUB_TOKEN, "github_pat_", r"github_pat_[A-Za-z0-9_]{36,}"),
    _Entry(_K.GITHUB_TOKEN, "gh", r"gh[ur]_[A-Za-z0-9]{36,}"),
    _token(
        _K.GITLAB_TOKEN,
        "gl",
        r"(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_\-]{20,}"
        r"(?:\.[A-Za-z0-9_\-.]{5,40})?",
    ),
    _token(_K.GITLAB_TOKEN, "GR1348941", r"[A-Za-z0-9_\-]{20,}"),
    _token(_K.ATLASSIAN_TOKEN, "AT", r"(?:ATT3|CTT3|BB)[A-Za-z0-9_\-=]{24,}"),
    _token(_K.SOURCEGRAPH_TOKEN, "sgp_", r"(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}\b"),
    _token(_K.DOCKER_TOKEN, "dckr_", r"[po]at_[A-Za-z0-9_\-]{20,}"),
    _token(_K.NPM_TOKEN, "npm_", r"[A-Za-z0-9]{36}"),
    _Entry(_K.PYPI_TOKEN, "pypi-", r"pypi-AgE[A-Za-z0-9_\-]{50,}"),
    _token(_K.RUBYGEMS_KEY, "rubygems_", r"[0-9a-f]{48}\b"),
    _token(_K.NUGET_KEY, "oy2", r"[a-z0-9]{43}\b"),
    _token(_K.JFROG_KEY, "AKCp", r"[A-Za-z0-9]{69}\b"),
    _token(_K.JFROG_KEY, "cmVmd", r"[A-Za-z0-9]{59}\b"),
    _token(_K.AWS_KEY, "A", r"(?:SIA|BIA|CCA)[A-Z2-7]{16}\b"),
    _token(_K.AWS_KEY, "ABSK", r"[A-Za-z0-9+/]{100,}={0,2}"),
    _Entry(
        _K.AWS_KEY,
        "secret",
        rf"secret[_-]?access[_-]?key{_SAYS}"
        r"(?P<found>[A-Za-z0-9+/]{16,}={0,2})",
        re.IGNORECASE,
    ),
    _Entry(
        _K.AWS_KEY,
        "session",
        rf"session[_-]?token{_SAYS}"
        r"(?P<found>[A-Za-z0-9+/]{60,}={0,2})",
        re.IGNORECASE,
    ),
    _Entry(_K.AZURE_KEY, "Key=", r"(?:Account|Access)Key=(?P<found>[A-Za-z0-9+/]{40,}={0,2})"),
    _Entry(
        _K.AZURE_KEY,
        "Q~",
        rf"{_behind()}[A-Za-z0-9_~.]{{3}}\dQ~[A-Za-z0-9_~.\-]{{31,34}}(?![A-Za-z0-9_~\-])",
    ),
    _Entry(_K.AZURE_SAS, "sig=", r"(?:[?&;]|\\u0026)sig=(?P<found>[A-Za-z0-9%+/_\-]{40,}={0,2})"),
    _token(_K.GOOGLE_KEY, "AIza", r"[A-Za-z0-9_\-]{35}"),
    _Entry(_K.GOOGLE_KEY, "GOCSPX-", r"GOCSPX-[A-Za-z0-9_\-]{20,}"),
    _token(_K.GOOGLE_TOKEN, "ya29.", r"[A-Za-z0-9_\-.]{20,}"),
    _token(_K.GOOGLE_TOKEN, "1//0", r"[A-Za-z0-9_\-]{40,}"),
    _token(_K.DIGITALOCEAN_TOKEN, "do", r"[opr]_v1_[0-9a-f]{64}\b"),
    _token(_K.ALIBABA_KEY, "LTAI", r"[A-Za-z0-9]{12,20}\b"),
    _token(_K.CLOUDFLARE_KEY, "v1.0-", r"[0-9a-f]{24}-[0-9a-f]{146}\b"),
    _token(_K.HEROKU_KEY, "HRKU-", r"[A-Za-z0-9_\-]{36,}"),
    _token(_K.FLY_TOKEN, "f", r"(?:o1_|m1[ar]_|m2_)[A-Za-z0-9+/_\-]{40,}={0,3}"),
    _token(_K.VERCEL_TOKEN, "vc", r"[aciprk]_[A-Za-z0-9]{24,}"),
    _token(_K.NETLIFY_TOKEN, "nf", r"[pcoub]_[A-Za-z0-9]{30,}"),
    _token(_K.SUPABASE_KEY, "sb", r"(?:p_(?:oauth_)?[0-9a-f]{40}\b|_secret_[A-Za-z0-9_\-]{20,})"),
    _token(_K.PLANETSCALE_TOKEN, "pscale_", r"(?:tkn|oauth|pw)_[A-Za-z0-9_=.\-]{32,}"),
    _token(_K.DATABRICKS_TOKEN, "dapi", r"[0-9a-f]{32}(?:-\d)?\b"),
    _token(_K.OPENSHIFT_TOKEN, "sha256~", r"[A-Za-z0-9_\-]{43}"),
    _token(_K.TAILSCALE_KEY, "tskey-", r"[a-z]{2,12}-[A-Za-z0-9\-]{20,}"),
    _token(_K.VAULT_TOKEN, "hv", r"[sbr]\.[A-Za-z0-9_\-]{24,}"),
    _token(  # as they once were; what has no digit, or is called, is code
        _K.VAULT_TOKEN,
        "s.",
        r"(?=[A-Za-z]{0,23}\d)(?=[a-z\d]{0,23}[A-Z])(?=[A-Z\d]{0,23}[a-z])"
        r"[A-Za-z0-9]{24}(?![\w(=.\[])",
    ),
    _Entry(
        _K.TERRAFORM_TOKEN,
        ".atlasv1.",
        rf"{_behind()}[A-Za-z0-9]{{14}}\.atlasv1\.[A-Za-z0-9_=\-]{{60,}}",
    ),
    _token(_K.PULUMI_TOKEN, "pul-", r"[0-9a-f]{40}\b"),
    _token(_K.DOPPLER_TOKEN, "dp.", r"(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_\-.]{40,}"),
    _token(_K.ONEPASSWORD_TOKEN, "ops_eyJ", r"[A-Za-z0-9+/]{200,}={0,3}"),
    _token(_K.AGE_KEY, "AGE-SECRET-KEY-1", r"[0-9A-Z]{58}\b"),
    _token(_K.CIRCLECI_TOKEN, "CCI", r"(?:PAT|PRJ)_[A-Za-z0-9]{20,}_[0-9a-f]{40}\b"),
    _token(_K.SONARQUBE_TOKEN, "sq", r"[aup]_[0-9a-f]{40}\b"),
    _token(_K.GRAFANA_TOKEN, "glsa_", r"[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}\b"),
    _token(_K.GRAFANA_TOKEN, "glc_", r"[A-Za-z0-9+/]{32,}={0,2}"),
    _token(_K.GRAFANA_TOKEN, "eyJrIjoi", r"[A-Za-z0-9]{60,}={0,2}(?!\.)"),
    _token(_K.NEW_RELIC_KEY, "NRAK-", r"[A-Z0-9]{27}\b"),
    _token(_K.SENTRY_TOKEN, "sntry", r"(?:s_eyJ[A-Za-z0-9+/=_\-]{40,}|[ui]_[0-9a-f]{64}\b)"),
    _token(_K.DYNATRACE_TOKEN, "dt0c01.", r"[A-Z0-9]{24}\.[A-Z0-9]{64}\b"),
    _token(_K.POSTMAN_KEY, "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}\b"),
    _token(_K.SLACK_TOKEN, "xapp-", r"\d-[A-Z0-9]{5,40}-\d{5,20}-[A-Za-z0-9]{20,}"),
    _token(_K.SLACK_TOKEN, "xox", r"(?:[cde]-|e\.xox[bp]-)[A-Za-z0-9%\-]{20,}"),
    _Entry(
        _K.SLACK_WEBHOOK,
        "hooks.slack.com/",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<found>[A-Za-z0-9+/]{30,80})",
    ),
    _Entry(  # its first part is the base64 of a number
        _K.DISCORD_TOKEN,
        ".",
        rf"[MNO]{_behind('.')}[DTjz][A-Za-z0-9]{{22,26}}"
        r"\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,}",
    ),
    _Entry(
        _K.DISCORD_WEBHOOK,
        "/webhooks/",
        r"/api/(?:v\d{1,2}/)?webhooks/\d{17,20}/(?P<found>[A-Za-z0-9_\-]{60,})",
    ),
    _Entry(
        _K.TEAMS_WEBHOOK,
        "webhook.office.com/",
        r"webhook\.office\.com/webhookb2/(?P<found>[A-Za-z0-9@/\-]{60,})",
    ),
    _Entry(_K.TELEGRAM_TOKEN, ":AA", r"(?<!\d)\d{8,10}:AA[A-Za-z0-9_\-]{33}(?![A-Za-z0-9_\-])"),
    _token(_K.TWILIO_KEY, "SK", r"[0-9a-f]{32}\b"),
    _token(
        _K.TWILIO_KEY,
        "AC",
        r"[0-9a-f]{32}\\?['\"]?[ \t]{0,9}[:,][ \t]{0,9}\\?['\"]?(?P<found>[0-9a-f]{32})\b",
    ),
    _token(_K.SENDGRID_KEY, "SG.", r"[A-Za-z0-9_\-]{20,24}\.[A-Za-z0-9_\-]{39,50}"),
    _token(_K.MAILGUN_KEY, "key-", r"(?<![a-z]-key-)[0-9a-f]{32}\b"),
    _Entry(
        _K.MAILGUN_KEY, "-", rf"[0-9a-f]{{32}}{_behind('.{32}')}(?:-[0-9a-f]{{8}}){{2}}(?![\w\-])"
    ),
    _Entry(_K.MAILCHIMP_KEY, "-us", rf"[0-9a-f]{{32}}{_behind('.{32}')}-us\d{{1,2}}\b"),
    _token(_K.BREVO_KEY, "xkeysib-", r"[0-9a-f]{64}-[A-Za-z0-9]{16}\b"),
    _token(_K.RESEND_KEY, "re_", r"[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\b"),
    _token(_K.STRIPE_KEY, "rk_", r"(?:live|test|prod)_[A-Za-z0-9]{10,}"),
    _token(_K.STRIPE_KEY, "sk_", r"(?:live|test|prod)_[A-Za-z0-9]{10,}"),
    _token(_K.SQUARE_TOKEN, "sq0", r"(?:atp|csp)-[A-Za-z0-9_\-]{22,}"),
    _token(_K.SQUARE_TOKEN, "EAAA", r"[A-Za-z0-9_\-]{60}\b"),
    _Entry(
        _K.PAYPAL_TOKEN,
        "access_token$",
        r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
    ),
    _token(_K.SHOPIFY_TOKEN, "shp", r"(?:at|ca|pa|ss|tka)_[A-Fa-f0-9]{32}\b"),
    _token(_K.WEBHOOK_SECRET, "whsec_", r"[A-Za-z0-9+/]{20,}={0,2}"),
    _token(_K.LINEAR_KEY, "lin_", r"(?:api|oauth)_[A-Za-z0-9]{32,}"),
    _token(_K.NOTION_TOKEN, "ntn_", r"[A-Za-z0-9]{40,}"),
    _token(_K.NOTION_TOKEN, "secret_", r"[A-Za-z0-9]{43}\b"),
    _token(_K.FIGMA_TOKEN, "fig", r"[dour]_[A-Za-z0-9_\-]{36,}"),
    _token(_K.AIRTABLE_TOKEN, "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{64}\b"),
    _token(_K.HUBSPOT_TOKEN, "pat-", r"[a-z]{2}\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"),
    _Entry(  # looks ahead from the start of a word, not from each hyphen in it
        _K.JWT,
        "eyJ",
        r"(?<![A-Za-z0-9_\-])(?=[A-Za-z0-9_\-]{11,}\.eyJ[A-Za-z0-9_\-]{8,}\.)[A-Za-z0-9_\-]*?"
        r"(?:\b|(?<=\\[nrt]))(?P<found>eyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]*)",
    ),
    _Entry(  # may have headers of its own
        _K.PRIVATE_KEY,
        "-----BEGIN ",
        r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?:\s|\\[nr]){1,4}[A-Z][A-Za-z\-]{2,30}: [^\n\\]{1,100}){0,6}"
        r"(?:[A-Za-z0-9+/=\s\\]{0,20000}(?:-----END [A-Z0-9 ]{1,60}-----)?)",
    ),
    _Entry(  # the same once more in base64, as in a kubeconfig
        _K.PRIVATE_KEY,
        "LS0tLS1CRUdJTi",
        r"LS0tLS1CRUdJTi(?:BSU0EgUFJJVkFURSBLRVk|BFQyBQUklWQVRFIEtFWS|BQUklWQVRFIEtFWS"
        r"|BPUEVOU1NIIFBSSVZBVEUgS0VZ)[A-Za-z0-9+/]*={0,2}",
    ),
    _Entry(
        _K.PRIVATE_KEY,
        "PrivateKey",
        r"PrivateKey[ \t]{0,9}=[ \t]{0,9}(?P<found>[A-Za-z0-9+/]{43}=)",
    ),
    _Entry(
        _K.AUTHORIZATION,
        "authorization",
        rf"authorization{_SAYS}(?:basic[ \t]{{1,9}}|(?:(?:token|api-?key)[ \t]{{1,9}}"
        r"|(?:[a-z\d\-]{1,20}[ \t]{1,9})?(?=[a-z\d_\-.~+/=]{16}))(?=[a-z_\-.~+/=]{0,99}\d))"
        r"(?P<found>[a-z\d_\-.~+/=]{8,}+)(?!\()",
        re.IGNORECASE,
    ),
    _Entry(
        _K.AUTHORIZATION,
        "bearer",
        r"\bbearer[ \t]{1,9}(?P<found>[A-Za-z0-9_\-.~+/=]{20,})",
        re.IGNORECASE,
    ),
    _Entry(  # a header; what has no digit is prose
        _K.AUTHORIZATION,
        "-key",
        rf"(?:api|auth|access|subscription)-key(?::[ \t]{{0,9}}|{_QUOTE},[ \t]{{0,9}}{_QUOTE})"
        rf"(?=[^{_VALUE_STOP}]{{0,99}}\d)(?P<found>[^{_VALUE_STOP}]{{8,}})",
        re.IGNORECASE,
    ),
    _Entry(  # of a password a number as well; what a shell calls its folder is none
        _K.PASSWORD,
        "",
        rf"(?=[aciprst])(?<![A-Za-z0-9]){_NAMES}{_QUOTE}{_SAYS_VALUE}[ \t]{{0,9}}"
        rf"(?:{_QUOTE})?(?P<found>(?<=['\"])(?(pwd)(?!{_FOLDER}))[^'\"\\\n]{{1,200}}|(?(password)\d{{1,40}}|(?!)))",
        re.IGNORECASE,
    ),
    _Entry(
        _K.PASSWORD,
        "=",
        rf"(?:_(?:TOKEN|KEY)=(?:{_QUOTE})?(?=[^{_VALUE_STOP}]{{6}})"
        rf"|(?:PASSWORD|PASSWD|SECRET|SSHPASS)=(?:{_QUOTE})?|_PWD=(?:{_QUOTE})?(?!{_FOLDER}))"
        rf"(?P<found>[^{_VALUE_STOP}]+)",
    ),
    _Entry(  # YAML; what has no digit is a type or prose, but for a password that ends its line
        _K.PASSWORD,
        ": ",
        r"(?:_(?:PASSWORD|PASSWD|SECRET|TOKEN(?!:[ \t]+\d+\b))|(?:API|SECRET|ACCESS|PRIVATE)_KEY)"
        rf":[ \t]{{1,9}}(?:(?=[^\\{_VALUE_STOP}]{{0,99}}\d)"
        r"|(?<=(?:WORD|SSWD): )(?!required|optional)(?=[a-z]{6,99}(?:\s*\Z|[ \t]*(?:\\[nr]|\n))))"
        rf"(?P<found>[^({{\\{_VALUE_STOP}]{{4,200}}+)(?!\()",
    ),
    _Entry(  # a setting or a query; what has no digit, or is called, is code
        _K.PASSWORD,
        "token=",
        r"(?:access|refresh|session|auth|id)_?token="
        rf"(?=[^({_VALUE_STOP}]{{0,99}}\d)(?P<found>[^({_VALUE_STOP}]{{6,200}}+)(?![(\[])",
        re.IGNORECASE,
    ),
    _Entry(  # in a connection string
        _K.PASSWORD,
        "pwd=",
        rf"(?:(?<=;)|(?<=; )|{_behind()}(?=pwd=[^({_VALUE_STOP}]{{1,99}};))pwd=(?!{_FOLDER})"
        rf"(?P<found>[^({_VALUE_STOP}]{{2,}}+)(?!\()",
        re.IGNORECASE,
    ),
    _Entry(  # what is called, or of the same name, is code
        _K.PASSWORD,
        "client",
        r"client[_-]?secret[ \t]{0,9}=[ \t]{0,9}['\"]?"
        rf"(?P<found>(?!client[_-]?secret)[^({_VALUE_STOP}]{{6,200}}+)(?![(\[])",
        re.IGNORECASE,
    ),
    _Entry(  # what has no digit is prose
        _K.PASSWORD,
        "--pass",
        rf"--pass(?:word|wd|phrase){_NEXT}"
        rf"(?=[^{_VALUE_STOP}]{{0,99}}\d)(?P<found>[^{_VALUE_STOP}\-][^{_VALUE_STOP}]{{3,}})",
    ),
    _option("sshpass", rf"-p(?:{_NEXT})?"),
    *(_option(command, "-p") for command in ("mysql", "mysqldump", "mysqladmin", "mariadb")),
    *(_option(f"{command} login", f"-p{_NEXT}") for command in ("docker", "podman")),
    _option("redis-cli", f"-a{_NEXT}"),
    _token(  # with its user; a line may go on behind a backslash, and ends at the next curl
        _K.PASSWORD,
        "curl",
        r"\b(?:[^\n\\c \t'\"]|c(?!url\b)|[ \t'\"](?!{0})|\\(?:[^'\"]|(?=['\"])))*+[ \t'\"]{0}"
        r"(?:[ \t=]{{0,9}}(?:{1})?|{2})[^\s:'\"\\]{{1,100}}:(?P<found>[^\s'\"\\]{{2,200}})".format(
            r"(?:-[#\dBGIJLMNORSZafgijklnpqsv]{0,9}u|--user(?=[ =\t'\"\\]))", _QUOTE, _NEXT
        ),
    ),
    _Entry(  # .netrc
        _K.PASSWORD,
        "login",
        r"(?:machine{0}[^\s\\]{{1,200}}|default){0}login{0}[^\s\\]{{1,200}}{0}password{0}(?P<found>[^\s\\'\"]{{1,200}})".format(
            r"(?:\s|\\[nrt]){1,20}"
        ),
    ),
    _Entry(  # .pgpass; what begins with two ports, or has a number for a name, is none
        _K.PASSWORD,
        ":",
        r":(?<!\b\d{4}:)(?<!\b\d{5}:)(?:\*|5432|5433|5439|6432|6543|25060)"
        r"(?::(?!\d+:)[^\s:/]{1,63}){2}:"
        r"(?P<found>[^\s:/'\"\\]{1,200})",
    ),
    _Entry(
        _K.URL_PASSWORD,
        "://",
        r"://(?<=[A-Za-z0-9]://)[^\s/:@'\"<>]{1,100}:(?P<found>[^\s/:@'\"<>]{1,200})@[^\s/@]",
    ),
    _Entry(
        _K.USER_FOLDER,
        "sers",
        r"[A-Za-z]:(?:\\\\|/)Users(?:\\\\|/)(?P<found>[^\s\\/:*?\"<>|]{1,100})",
    ),
    _Entry(_K.USER_FOLDER, "/", r"/(?:home|Users)/(?P<found>[^\x00-\x7f][^\s/'\"]{0,100})"),
)


def find_further(text: str) -> Iterator[FurtherMatch]:
    """What the table finds in a text, entry by entry; placeholders are none."""
    lower = text.lower() if text else ""
    for entry in _ENTRIES:
        if entry.word not in (lower if entry.flags & re.IGNORECASE else text):
            continue
        # compiled when it is first needed, and kept by re
        for match in re.finditer(entry.pattern, text, re.ASCII | entry.flags):
            group = "found" if "found" in match.re.groupindex else 0
            if not _PLACEHOLDER.fullmatch(match[group]):
                yield FurtherMatch(entry.kind, *match.span(group))


def holds_secret(name: str, value: str | float) -> bool:
    """Whether a member of an object is a secret by its name, and no placeholder."""
    found = SECRET_NAME.fullmatch(name)
    if found is None or isinstance(value, bool):
        return False
    if not isinstance(value, str):
        return found["password"] is not None
    if found["header"] and not _CREDENTIALS.match(value):
        return False
    folder = found["pwd"] and re.match(_FOLDER, value)
    return not folder and not _PLACEHOLDER.fullmatch(value)
