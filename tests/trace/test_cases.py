"""What is read of broken and odd texts: the cases of ``tests/data/reading.txt``.

A text stands in its bytes, each as the character of its number. ``python -m
tests.trace.test_cases`` writes anew what is read of them.
"""

from dataclasses import asdict

from kpinspector.trace.read import read_bytes
from tests.goldens import DATA
from tests.told import cases, facts, renew

FILE = DATA / "reading.txt"
USUAL = {"@context", "@type", "id", "metadata", "task", "steps", "outcome"}


def told(texts: list[str]) -> str:
    """All that is read of texts, in lines."""
    said = []
    for text in texts:
        contents = read_bytes(text.encode("latin-1"), "made")
        for one in contents.traces:
            named = {"record": one.source.record, "line": one.source.line}
            odd = {key: value for key, value in one.trace.raw.items() if key not in USUAL}
            said.append(facts(f"trace {one.trace.id}: {one.trace.objective}", named | odd))
        issues = [issue for one in contents.traces for issue in one.issues]
        said += [f"  {one.severity} {one.path}: {one.message}" for one in issues]
        for problem in contents.problems:
            names = ("record", "line", "column", "json_path", "expected", "found", "message")
            kind = f"{type(problem).__name__} {problem.kind}"
            said.append(facts(kind, {name: getattr(problem, name) for name in names}))
        said += [facts("skipped", asdict(one)) for one in contents.skipped]
        said.append(facts("texts", {"of": [one.source.record for one in contents.texts]}))
    return "\n".join(said)


def test_every_case_gives_what_it_says():
    for title, texts, made in cases(FILE):
        assert told(texts) == made, title


if __name__ == "__main__":
    renew(FILE, told)
