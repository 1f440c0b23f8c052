"""What would leave the machine, in words: one answer for terminal, pages and window."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, isfinite, isnan
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.sharing.answer import Sharing, Ways, place_of
from kpinspector.sharing.parts import few_shot
from kpinspector.sharing.posting import CLEANED_FIELDS, NotPosted, Way
from kpinspector.trace.cleaning import KEEPS_IDENTIFIERS, PiiKind
from kpinspector.trace.clear import LOOKED_FOR, FoundBy, InClear
from kpinspector.trace.further import FurtherKind
from kpinspector.trace.javascript import JsonValue
from kpinspector.words import page
from kpinspector.words.figures import shown_count, shown_number, shown_pair, shown_score
from kpinspector.words.page import Cell, Section, Sign, count_cell, figures, pairs, paragraph, table
from kpinspector.words.say import Names, in_words, say, say_count, say_list
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
_AT_SCORE: Final = {NotPosted.BELOW_THRESHOLD, NotPosted.NO_SCORE, NotPosted.NO_PLACE_FOR_SCORE}
WAY_NAMES: Final = Names[Way](
    {Way.CONTRIBUTE: Phrase("contribute"), Way.CAPTURE: Phrase("KPCapture")}
)
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
_BESIDE_STEP: Final = 2
_MOST: Final = 20


@dataclass(frozen=True, slots=True)
class SharedPart:
    """A part of a trace that is redacted, or leaves in clear; listed by its ``masked`` form only.

    ``place``: its path in the body, with secret names masked. ``field``: its path within the step,
    or the last name of ``place``. ``becomes``: its replacement. ``why``: why it is not redacted.
    """

    place: str
    masked: str
    becomes: str = ""
    kind: str = ""
    why: str = ""
    step: int | None = None
    field: str = ""


@dataclass(frozen=True, slots=True)
class SharedParts:
    """Parts under a title; ``note`` stands beside it, ``more`` are not listed."""

    title: str
    note: str
    parts: tuple[SharedPart, ...]
    more: int = 0


def headline(sharing: Sharing) -> tuple[Sign, str, str]:
    """The result as a shape and a phrase (a warning if anything leaves in clear), and details."""
    if not sharing.is_posted:
        return Sign.REJECTED, say("Would not be posted"), _reason(sharing)
    redacted = say_count("{number} redacted", "{number} redacted", _taken(sharing))
    if sharing.in_clear:
        second = say("Would be posted, {redacted}", redacted=redacted)
        return Sign.NOT_SCORABLE, _clear_words(sharing), second
    second = say("{redacted}, nothing leaves in clear", redacted=redacted)
    return Sign.ACCEPTED, say("Would be posted"), second


def _clear_words(sharing: Sharing) -> str:
    clear = len(sharing.in_clear)
    return say_count("{number} leaves in clear", "{number} leave in clear", clear)


def _reason(sharing: Sharing) -> str:
    reason = sharing.posting.reason
    return "" if reason is None else _REASONS[reason]


def both_ways(ways: Ways) -> str:
    """What would be posted by each of the two ways, in a line."""
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
        by_capture = say("By capture: not posted, as {reason}.", reason=_reason(captured))
    return f"{by_contribute} {by_capture}"


def looked_for_line() -> str:
    """How much is looked for in a body."""
    return say_count(
        "Looked for {number} kind of secrets and identifiers.",
        "Looked for {number} kinds of secrets and identifiers.",
        len(LOOKED_FOR),
    )


def looked_for_names() -> str:
    """The names of all kinds of secrets and identifiers that are looked for."""
    return say_list(map(kind_name, LOOKED_FOR))


def wrap_line(ways: Ways) -> str:
    """The best score of a trace with the shape of ``KPCapture.wrap()``; "" for any other."""
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


def private_line(sharing: Sharing) -> str:
    """A warning that private traces are uploaded as well; "" for any other body."""
    if _level_of(sharing) != KEEPS_IDENTIFIERS:
        return ""
    if sharing.posting.way is Way.CONTRIBUTE:
        return say("A private trace is uploaded like any other.")
    return say("A private trace is uploaded like any other; only secrets are taken out of it.")


def _level_of(sharing: Sharing) -> JsonValue:
    metadata = None if sharing.body is None else sharing.body.get("metadata")
    return metadata.get("privacy_level") if isinstance(metadata, dict) else None


def gates_section(sharing: Sharing) -> Section:
    """What stands between a trace and the registry, in this order, each with its state."""
    rows = ((Cell(name, sign=sign), said) for name, sign, said in _gates(sharing))
    return Section(say("Gates"), (pairs(rows),))


def _gates(sharing: Sharing) -> Iterator[tuple[str, Sign, str]]:
    passed, failed, not_asked = Sign.ACCEPTED, Sign.REJECTED, (Sign.NOT_REACHED, say("not asked"))
    yield say("Readable"), passed, say("passed")
    paths = [one.path or say("the record") for one in sharing.issues]
    shown, more = say_list(paths[:_MOST_ISSUES]), len(paths) - _MOST_ISSUES
    if more > 0:
        shown = say("{paths} and {more} more", paths=shown, more=shown_count(more))
    refused = failed, say("the registry refuses it: {paths}", paths=shown)
    asked = refused if paths else (passed, say("no issue"))
    yield say("Schema"), *(not_asked if sharing.body is None else asked)
    captures, at_score = sharing.posting.way is Way.CAPTURE, sharing.posting.reason in _AT_SCORE
    score = failed if at_score else passed, _score_words(sharing)
    yield say("Score"), *(score if captures else not_asked)
    cleaned = passed, say("{number} redacted, after scoring", number=shown_count(_taken(sharing)))
    if not sharing.is_posted:
        cleaned = failed, say("the SDK throws an error at {path}", path=sharing.posting.at)
    yield say("Cleaned"), *(cleaned if captures and not at_score else not_asked)
    unknown = say("not known here: key, scope, reputation, rate limit")  # they depend on an account
    yield say("Registry"), Sign.NOT_REACHED, unknown


def _taken(sharing: Sharing) -> int:
    return sum(count for _, _, count in sharing.posting.redactions)


def score_figure(sharing: Sharing) -> str:
    """The SDK's own number, on its side of the threshold; "" where it throws an error."""
    score = sharing.score
    if score is None:
        return ""
    return shown_score(score, sharing.threshold) if isfinite(score) else shown_number(score)


def _score_words(sharing: Sharing) -> str:
    score = sharing.score
    if score is None:
        return say("the SDK throws an error")
    if sharing.posting.reason is NotPosted.NO_PLACE_FOR_SCORE:
        return say("the SDK throws an error at {path}", path=sharing.posting.at)
    if isnan(score) or score == inf:
        return say("{score}: no threshold holds that back", score=shown_number(score))
    shown, needs = shown_pair(score, sharing.threshold)
    return say("{score}, needs {needs}", score=shown, needs=needs)


def shared_parts(sharing: Sharing, most: int | None = None) -> Iterator[SharedParts]:
    """The redacted parts; those in clear that the SDK finds; those that further patterns find."""
    parts = tuple(
        SharedPart(
            place=one.field.path,
            masked=one.masked,
            becomes=one.redaction.replacement.strip(),
            step=one.field.step,
            field=one.field.name,
        )
        for one in sharing.redacted[:most]
    )
    note = say_count("{number}, by the SDK", "{number}, by the SDK", _taken(sharing))
    yield SharedParts(say("Redacted"), note, parts, len(sharing.redacted) - len(parts))
    found = [one for one in sharing.in_clear if one.by is FoundBy.SDK]
    note = shown_count(len(found))
    if sharing.posting.way is Way.CONTRIBUTE:
        note = say_count("{number}, nothing is cleaned", "{number}, nothing is cleaned", len(found))
    yield _parts(sharing, say("Leaves in clear"), note, found, most)
    found = [one for one in sharing.in_clear if one.by is FoundBy.KPINSPECTOR]
    note = say_count(
        "{number}, the SDK does not know it", "{number}, the SDK knows none of these", len(found)
    )
    yield _parts(sharing, say("Warnings of kpinspector"), note, found, most)


def _parts(
    sharing: Sharing, title: str, note: str, found: Sequence[InClear], most: int | None
) -> SharedParts:
    parts = []
    for one in found[:most]:
        path, inside = one.path, one.path[0] == "steps" and len(one.path) > _BESIDE_STEP
        step = path[1] if inside and isinstance(path[1], int) else None
        field = place_of(path[-1:] if step is None else path[_BESIDE_STEP:])
        why, kind = _why(sharing, one), kind_name(one.kind)
        part = SharedPart(place_of(path), one.masked, "", kind, why, step, field)
        parts.append(part)
    return SharedParts(title, note, tuple(parts), len(found) - len(parts))


def kind_name(kind: PiiKind | FurtherKind) -> str:
    """The name of a kind, the SDK's or our own."""
    return KIND_NAMES[kind] if isinstance(kind, PiiKind) else in_words(kind.called)


def _listed(found: SharedParts) -> Section:
    """Parts as a table, without columns that would be empty."""
    heads = (say("field"), say("text"), say("becomes"), say("kind"), say("why"))
    rows = [(one.place, one.masked, one.becomes, one.kind, one.why) for one in found.parts]
    said = [at for at, texts in enumerate(zip(*rows, strict=True)) if any(texts)]
    kept = [[row[at] for at in said] for row in rows]
    return Section(found.title, (table([heads[at] for at in said], kept),), found.note)


def _why(sharing: Sharing, one: InClear) -> str:
    """Why the SDK's cleaner leaves what its own patterns find; "" if not by capture, or not so."""
    if sharing.posting.way is Way.CONTRIBUTE or one.by is not FoundBy.SDK:
        return ""
    steps, _, field, *_rest = (*one.path, "", "", "")
    if steps != "steps" or field not in CLEANED_FIELDS:
        return say("never cleaned")
    if one.path[:3] in sharing.kept:
        return say("kept: cleaned, it would be no JSON")
    kept = _level_of(sharing) == KEEPS_IDENTIFIERS and not one.kind.is_secret
    return say("kept at this level") if kept else say("missed")


def size_words(sharing: Sharing) -> str:
    """The size of the body that would be posted."""
    return say_count("{number} byte", "{number} bytes", sharing.body_bytes or 0)


def _body(sharing: Sharing) -> Iterator[Section]:
    if sharing.body is None:
        return
    said: list[page.Block] = []
    if (steps := received_steps(sharing)) is not None:
        lines, empty = _lines(steps)
        sentence = say_sentence(
            "Another agent receives {lines}, {empty} of them empty.", lines=lines, empty=empty
        )
        said.append(paragraph(sentence))
    yield Section(say("Body that would be posted"), tuple(said), size_words(sharing))


def received_steps(sharing: Sharing) -> Sequence[JsonValue] | None:
    """The steps, each of which another agent receives as a line; None where nothing is stored."""
    steps = None if sharing.body is None else sharing.body.get("steps")
    return steps if isinstance(steps, list) and not sharing.issues else None


def received_note(steps: Sequence[JsonValue]) -> str:
    """How many lines another agent receives, and how many of them are empty."""
    lines, empty = _lines(steps)
    return say("{lines}, {empty} of them empty", lines=lines, empty=empty)


def _lines(steps: Sequence[JsonValue]) -> tuple[str, str]:
    empty = sum(not few_shot([step]).partition("] ")[2] for step in steps)
    return say_count("{number} line", "{number} lines", len(steps)), shown_count(empty)


def sharing_section(ways: Ways) -> Section:
    """Both ways, and how often each secret or identifier would leave in clear by each way."""
    posted, leaks = ways.contributed.is_posted, ways.contributed.in_clear
    note = say("nothing leaves in clear") if posted and not leaks else ""
    blocks: list[page.Block] = []
    if leaks:
        clear = say(
            "{clear} by contribute, {captured} by capture",
            clear=_clear_words(ways.contributed),
            captured=shown_count(len(ways.captured.in_clear)),
        )
        warning = Cell(say("Warning"), sign=Sign.NOT_SCORABLE)
        blocks.append(pairs([(warning, Cell(clear, strong=True))]))
    blocks += map(paragraph, filter(None, (both_ways(ways), wrap_line(ways))))
    counts = [
        Counter((place_of(one.path), one.masked, kind_name(one.kind)) for one in way.in_clear)
        for way in (ways.contributed, ways.captured)
    ]
    found = [*dict.fromkeys(one for by in counts for one in by)]
    if found:
        heads = (say("field"), say("text"), say("kind"))
        ends = figures(say("by contribute"), say("by capture"))
        rows = ((*map(Cell, one), *(count_cell(by[one]) for by in counts)) for one in found[:_MOST])
        blocks.append(table((*heads, *ends), rows))
    if len(found) > _MOST:
        more = say_count("{number} more row.", "{number} more rows.", len(found) - _MOST)
        blocks.append(paragraph(more, second=True))
    return Section(say("Sharing"), tuple(blocks), note)


def sharing_answer(name: str, ways: Ways, way: Way) -> page.Answer:
    """The answer for one trace, with one way in full: gates, what is redacted, what leaves."""
    sharing = ways.by(way)
    reason, at, first = _reason(sharing), sharing.posting.at, say("Would be posted")
    if reason:
        reason = f"{reason} ({at})" if at else reason
        first = say("Would not be posted: {reason}", reason=reason)
    elif sharing.in_clear:
        first = say("Warning: {clear}. Would be posted", clear=_clear_words(sharing))
    score = sharing.score_of_cleaned  # None where nothing is redacted
    shown = "" if score is None else shown_number(score)
    cleaned = shown and say("The cleaned text scores {score}.", score=shown)
    remarks = cleaned, wrap_line(ways), private_line(sharing), looked_for_line()
    said = (f"{first}.", both_ways(ways), *filter(None, remarks))
    listed = (_listed(one) for one in shared_parts(sharing) if one.parts)
    return page.Answer(name, said, (gates_section(sharing), *listed, *_body(sharing)))
