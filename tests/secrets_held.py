"""Traces that hold invented secrets wherever a list or a page may show them."""

import json
from pathlib import Path

SAMPLES = Path(__file__).parents[1] / "resources" / "samples"
HELD = (
    "mara.lindqvist@example.org",
    "kp_0123456789abcdef0123",
    "postgresql://export:n0t-a-real-pw@db.example.org:5432/stores",
    "555-010-4477",
    "password=Invented-Pass-42",
    "sk-ant-api03-INVENTEDinventedINVENTED0000",
    "10.20.30.40",
    "Bearer INVENTEDinventedINVENTED.0000",
    "/home/mara/exports/key.txt",
    "eyJpbnZlbnRlZCI6MX0.eyJzdWIiOiJtYXJhIn0.aW52ZW50ZWQ",
    "token=INVENTED-debug-token",
    "gsk_" + "INVENTED" * 5,
    "curl -u mara:INVENTED-pass-42 https://shop.example",
    "machine shop.example login mara password INVENTED-netrc-42",
)
"""All that the sample invents."""
SECRETS = (
    *(
        "0123456789abcdef",
        "n0t-a-real-pw",
        "010-4477",
        "Invented-Pass",
        "INVENTEDinvented",
        "20.30",
    ),
    *("lindqvist@", "aW52ZW50ZWQ", "INVENTED-debug", "/home/mara"),
    *("INVENTEDINVENTED", "INVENTED-pass", "INVENTED-netrc"),
)
"""Parts of these that may not be read anywhere."""


def trace(number, held):
    """The sample with one of them in each place that a list or a page may show."""
    made = json.loads((SAMPLES / "export-handover.json").read_text(encoding="utf-8"))
    made["id"] = f"kp:trace:{number}-{held}"
    made["task"]["objective"] = f"Hand {held} over"
    made["metadata"]["task_domain"] = f"finance {held}"
    made["outcome"]["result_summary"] = f"Kept {held}"
    made[f"more {held}"] = held
    for step in made["steps"]:
        if "tool" in step:
            step["tool"]["name"] = f"use {held}"
    return made


def write_traces(folder: Path) -> Path:
    """A trace for each of them, one that the schema refuses, one that cannot be scored."""
    traces = [trace(number, held) for number, held in enumerate(HELD)]
    refused, unscorable = trace(90, HELD[0]), trace(91, HELD[1])
    refused["metadata"]["visibility"], refused["metadata"]["privacy_level"] = HELD[5], HELD[1]
    refused["steps"][0]["type"] = HELD[0]
    unscorable["outcome"] = HELD[5]
    folder.mkdir()
    lines = (json.dumps(one) for one in (*traces, refused, unscorable))
    (folder / "traces.jsonl").write_text("\n".join(lines), encoding="utf-8")
    broken = json.dumps(trace(92, HELD[0])).replace('"thought"', HELD[5], 1)
    (folder / "broken.json").write_text(broken, encoding="utf-8")
    return folder


def read(text):
    """Which of them can be read in a text."""
    return [one for one in SECRETS if one in text]
