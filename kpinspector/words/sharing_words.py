"""What would leave the machine, in words: one answer for terminal, pages and window."""

from collections.abc import Iterator, Sequence
from math import inf, isnan
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.sharing.answer import Sharing, SharingGate, SharingState, Ways
from kpinspector.sharing.cleaning import PiiKind
from kpinspector.sharing.clear import FoundBy, InClear, masked_in, masked_parts
from kpinspector.sharing.found import KEPT_DAYS, SEARCHES, few_shot
from kpinspector.sharing.further import FurtherKind
from kpinspector.sharing.posting import CLEANED_FIELDS, NotPosted, Way
from kpinspector.words.explain.blocks import Cell, Column, Paragraph, Section, Sign, Table
from kpinspector.words.figures import (
    shown_count,
    shown_margin,
    shown_number,
    shown_pair,
)
from kpinspector.words.say import Names, say, say_count
from kpinspector.words.sentences import say_sentence

KIND_NAMES: Final = Names[PiiKind](
    {
        PiiKind.CONNECTION_STRING: Phrase("connection string"),
        PiiKind.BEARER_TOKEN: Phrase("bearer token"),
        PiiKind.API_KEY: Phrase("API key"),
        PiiKind.PASSWORD: Phrase("password"),
        PiiKind.EMAIL: Phrase("e-mail address"),
        PiiKind.PHONE: Phrase("phone number"),
        PiiKind.IP: Phrase("IP address"),
        PiiKind.FILEPATH: Phrase("home folder"),
    }
)
FURTHER_NAMES: Final = Names[FurtherKind](
    {
        FurtherKind.ANTHROPIC_KEY: Phrase("Anthropic key"),
        FurtherKind.OPENAI_KEY: Phrase("OpenAI key"),
        FurtherKind.GITHUB_TOKEN: Phrase("GitHub token"),
        FurtherKind.GITLAB_TOKEN: Phrase("GitLab token"),
        FurtherKind.AWS_KEY: Phrase("AWS key"),
        FurtherKind.AZURE_KEY: Phrase("Azure key"),
        FurtherKind.GOOGLE_KEY: Phrase("Google key"),
        FurtherKind.STRIPE_KEY: Phrase("Stripe key"),
        FurtherKind.NPM_TOKEN: Phrase("npm token"),
        FurtherKind.PYPI_TOKEN: Phrase("PyPI token"),
        FurtherKind.HUGGING_FACE_TOKEN: Phrase("Hugging Face token"),
        FurtherKind.SENDGRID_KEY: Phrase("SendGrid key"),
        FurtherKind.JWT: Phrase("JSON web token"),
        FurtherKind.PRIVATE_KEY: Phrase("private key"),
        FurtherKind.AUTHORIZATION: Phrase("authorization header"),
        FurtherKind.PASSWORD: Phrase("password"),
        FurtherKind.URL_PASSWORD: Phrase("password in a URL"),
        FurtherKind.USER_FOLDER: Phrase("home folder"),
    }
)
_GATE_NAMES: Final = Names[SharingGate](
    {
        SharingGate.READABLE: Phrase("Readable"),
        SharingGate.SCHEMA: Phrase("Schema"),
        SharingGate.SCORE: Phrase("Score"),
        SharingGate.CLEANED: Phrase("Cleaned"),
        SharingGate.REGISTRY: Phrase("Registry"),
    }
)
_STATE_SIGNS: Final = {
    SharingState.PASSED: Sign.ACCEPTED,
    SharingState.FAILED: Sign.REJECTED,
    SharingState.NOT_ASKED: Sign.NOT_REACHED,
    SharingState.NOT_KNOWN: Sign.NOT_REACHED,
}
_REASONS: Final = Names[NotPosted](
    {
        NotPosted.BELOW_THRESHOLD: Phrase("its score is below the threshold"),
        NotPosted.NO_SCORE: Phrase("the SDK throws an error while it scores"),
        NotPosted.NO_PLACE_FOR_SCORE: Phrase("the SDK throws an error when it notes the score"),
        NotPosted.NOT_CLEANABLE: Phrase("the SDK throws an error while it cleans"),
        NotPosted.NO_OUTCOME: Phrase("the recording does not say how the run ended; state it"),
        NotPosted.NO_CONTENT: Phrase("the recording left the texts out"),
    }
)
_MOST_ISSUES: Final = 3


def verdict_line(sharing: Sharing) -> str:
    """Whether anything would leave, and why not."""
    reason = sharing.posting.reason
    if reason is None:
        return say("Would be posted")
    if sharing.posting.at:
        return say(
            "Would not be posted: {reason} ({at})", reason=_REASONS[reason], at=sharing.posting.at
        )
    return say("Would not be posted: {reason}", reason=_REASONS[reason])


def both_ways(ways: Ways) -> str:
    """What either way does, in a line."""
    captured = ways.captured
    if not ways.contributed.is_posted:
        return say("By neither way, as it is no trace yet.")
    by_contribute = say("By contribute: as it is, whatever the score.")
    score = captured.score
    if captured.posting.reason is NotPosted.BELOW_THRESHOLD and score is not None:
        shown, needs = shown_pair(score, captured.threshold)
        by_capture = say("By capture: not posted, {score} of {needs}.", score=shown, needs=needs)
    elif captured.is_posted:
        by_capture = say("By capture: cleaned and posted.")
    else:
        by_capture = say("By capture: not posted, as {reason}.", reason=captured_reason(captured))
    return f"{by_contribute} {by_capture}"


def wrap_line(ways: Ways) -> str:
    """What a run that ``KPCapture.wrap()`` recorded can score; "" for any other trace."""
    best = ways.best_of_wrap
    if best is None:
        return ""
    score, needs = shown_pair(best.score, best.threshold)
    return say(
        "It has the shape of what KPCapture.wrap() records: at best {score} of {needs}, by profile"
        " {profile}.",
        score=score,
        needs=needs,
        profile=best.profile.name,
    )


def captured_reason(sharing: Sharing) -> str:
    """Why capture posts nothing."""
    reason = sharing.posting.reason
    return "" if reason is None else _REASONS[reason]


def sharing_sections(sharing: Sharing) -> tuple[Section, ...]:
    """All that is said of one way: gates, what is taken out, what leaves, who finds it."""
    parts = (_gates, _redacted, _clear, _warnings, _found, _body)
    return tuple(section for part in parts if (section := part(sharing)) is not None)


def _gates(sharing: Sharing) -> Section:
    rows = (
        (Cell(_GATE_NAMES[gate], sign=_STATE_SIGNS[state]), Cell(_gate_words(sharing, gate, state)))
        for gate, state in sharing.gates
    )
    return Section(say("Gates"), (Table((Column(), Column()), tuple(rows)),))


def _gate_words(sharing: Sharing, gate: SharingGate, state: SharingState) -> str:
    if state is SharingState.NOT_ASKED:
        return say("not asked")
    match gate:
        case SharingGate.REGISTRY:
            return say("not known here: key, write scope, reputation, rate limit")
        case SharingGate.SCHEMA:
            return _schema_words(sharing)
        case SharingGate.SCORE:
            return _score_words(sharing)
        case SharingGate.CLEANED:
            return _cleaned_words(sharing, state)
    return say("passed")


def _schema_words(sharing: Sharing) -> str:
    if not sharing.issues:
        return say("no issue")
    paths = [masked_in(one.path) or say("the record") for one in sharing.issues]
    shown = ", ".join(paths[:_MOST_ISSUES])
    if len(paths) > _MOST_ISSUES:
        more = shown_count(len(paths) - _MOST_ISSUES)
        return say("the registry refuses it: {paths} and {more} more", paths=shown, more=more)
    return say("the registry refuses it: {paths}", paths=shown)


def _score_words(sharing: Sharing) -> str:
    score = sharing.score
    if score is None:
        return say("the SDK throws an error")
    if isnan(score) or score == inf:
        return say("{score}: no threshold holds that back", score=shown_number(score))
    shown, needs = shown_pair(score, sharing.threshold)
    if sharing.score_of_cleaned is None:
        return say("{score}, needs {needs}", score=shown, needs=needs)
    return say(
        "{score}, needs {needs}; the cleaned text scores {cleaned}",
        score=shown,
        needs=needs,
        cleaned=shown_number(sharing.score_of_cleaned),
    )


def _cleaned_words(sharing: Sharing, state: SharingState) -> str:
    if state is SharingState.FAILED:
        return say("the SDK throws an error at {path}", path=sharing.posting.at)
    number = sum(count for _, _, count in sharing.posting.redactions)
    return say_count("{number} redacted, after scoring", "{number} redacted, after scoring", number)


def _redacted(sharing: Sharing) -> Section | None:
    rows = [
        (Cell(field.path), Cell(shown), Cell(one.replacement.strip()))
        for field in sharing.posting.fields
        if sharing.is_posted and not field.kept
        for one, shown in zip(
            field.cleaned.redactions,
            masked_parts(field.before, field.cleaned.redactions),
            strict=True,
        )
    ]
    if not rows:
        return None
    number = sum(count for _, _, count in sharing.posting.redactions)
    note = say_count("{number}, by the SDK", "{number}, by the SDK", number)
    columns = (Column(say("field")), Column(say("text")), Column(say("becomes")))
    return Section(say("Redacted"), (Table(columns, tuple(rows)),), note)


def _clear(sharing: Sharing) -> Section | None:
    found = [one for one in sharing.in_clear if one.by is FoundBy.SDK]
    rows = [(*_place(sharing, one), Cell(_why(sharing, one))) for one in found]
    note = shown_count(len(rows))
    columns = (Column(say("field")), Column(say("text")), Column(say("kind")), Column(say("why")))
    return Section(say("Leaves in clear"), (Table(columns, tuple(rows)),), note) if rows else None


def _place(sharing: Sharing, one: InClear) -> tuple[Cell, Cell, Cell]:
    return Cell(sharing.place(one)), Cell(one.masked), Cell(kind_name(one.kind))


def kind_name(kind: PiiKind | FurtherKind) -> str:
    """What was found, whoever found it."""
    return KIND_NAMES[kind] if isinstance(kind, PiiKind) else FURTHER_NAMES[kind]


def _why(sharing: Sharing, one: InClear) -> str:
    """Why the SDK's cleaner leaves what its own patterns find."""
    if sharing.posting.way is Way.CONTRIBUTE:
        return say("nothing is cleaned")
    steps, _, field, *_rest = (*one.path, "", "", "")
    if steps != "steps" or field not in CLEANED_FIELDS:
        return say("never cleaned")
    if one.path[:3] in sharing.kept:
        return say("kept: cleaned, it would be no JSON")
    return say("missed, or kept at this level")


def _warnings(sharing: Sharing) -> Section | None:
    found = [one for one in sharing.in_clear if one.by is FoundBy.KPINSPECTOR]
    rows = [_place(sharing, one) for one in found]
    if not rows:
        return None
    columns = (Column(say("field")), Column(say("text")), Column(say("kind")))
    note = say_count(
        "{number}, the SDK does not know it", "{number}, the SDK knows none of these", len(rows)
    )
    return Section(say("Warnings of kpinspector"), (Table(columns, tuple(rows)),), note)


def _found(sharing: Sharing) -> Section | None:
    quality = sharing.quality
    if sharing.body is None or sharing.issues or quality is None:
        return None
    rows = tuple(
        (
            Cell(one.name, sign=Sign.ACCEPTED if one in sharing.found_by else Sign.REJECTED),
            Cell(say("asks for {least}", least=f"{one.least:.2f}")),
            Cell(_margin(quality, one.least), quality - one.least),
        )
        for one in SEARCHES
    )
    table = Table((Column(), Column(), Column(figure=True)), rows)
    note = say(
        "recorded quality {quality}, kept {how_long}",
        quality=shown_number(quality),
        how_long=_kept(sharing),
    )
    return Section(say("Found again?"), (table,), note)


def _margin(quality: float, least: float) -> str:
    sign = "+" if quality >= least else "\N{MINUS SIGN}"
    return f"{sign}{shown_margin(quality, least)}"


def _kept(sharing: Sharing) -> str:
    metadata = {} if sharing.body is None else sharing.body["metadata"]
    seen = metadata.get("visibility") if isinstance(metadata, dict) else None
    days = KEPT_DAYS.get(seen) if isinstance(seen, str) else None
    return say("always") if days is None else say_count("{number} day", "{number} days", days)


def _body(sharing: Sharing) -> Section | None:
    body = sharing.body
    if body is None:
        return None
    note = say_count("{number} byte", "{number} bytes", sharing.body_bytes or 0)
    steps = body.get("steps")
    said = list(_received(steps)) if isinstance(steps, list) and not sharing.issues else []
    return Section(say("Body that would be posted"), tuple(said), note)


def _received(steps: Sequence[object]) -> Iterator[Paragraph]:
    """How many lines another agent receives; what stands in them may be secret."""
    empty = sum(not few_shot([step]).partition("] ")[2] for step in steps)  # type: ignore[list-item]
    lines = say_count("{number} line", "{number} lines", len(steps))
    yield Paragraph(
        say_sentence(
            "Another agent receives {lines}, {empty} of them empty.",
            lines=lines,
            empty=shown_count(empty),
        )
    )
