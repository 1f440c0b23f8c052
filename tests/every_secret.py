"""Secrets of every kind, and traces made of them, so that each cut of a text hits some."""

import json
from pathlib import Path
from typing import Any

SAMPLE = Path(__file__).parents[1] / "resources" / "samples" / "export-handover.json"
KINDS = {
    "connection string": ("", "amqp://Kw7:pQ9zLm4x@Zeta9queue:5671/Vq3"),
    "bearer": ("Bearer ", "Xk29vLqPzR8mN4tY6wQ1"),
    "sk": ("", "sk-7Hq2Wz9Lm4Xk8Rv3Tb6N"),
    "github": ("", "ghp_Yq8Zk3Vw9Xr2Lp7Tn4Mb6Hd1Jf5Gs0Cq2Bv8Wz3X"),
    "aws": ("", "AKIAQ7W3ZK9XV2L5TN8R"),
    "kp": ("", "kp_9f3b7d1e5a8c2f6b4d0e"),
    "slack": ("", "xoxb-84-Zr7Qk2Lw9Vx5Tn3"),
    "password": ("password=", "Vy6#kQw9!zLx2"),
    "quoted password": ("token = ", "'Zug fahrt Qumbel Wexel Hurz'"),
    "email": ("", "qvim.zaxol9@wexwuth.org"),
    "phone": ("", "+1 (907) 318 4477"),
    "ip": ("", "87.203.164.219"),
    "folder": ("", "/home/qvimzax/Jux9/Rolv7.txt"),
    "anthropic": ("", "sk-ant-api03-Jx8Kq2Wv5Zr9Lm3T"),
    "github pat": ("github_pat_", "Zq4Xw8Kv2Lr7Tn9Mb3Hd6Jf1Gs5Cp0Bq8YzW4vK"),
    "google": ("", "AIzaWd5Yj1Qn8Fk3Uc7Oe2Ia9Pl4Sm6Bt0Vg5Hx"),
    "sendgrid": ("", "SG.Zk4Qx9WvLr2Tn7MbHd6J.Xq8Kw3ZvLr9Tn2MbJd7Hf4GsCp1By5WzQv8kLm3"),
    "jwt": ("", "eyJqdXgiOjkyfQx.eyJ6dW0iOjd3cXgifQ.qZ4xWk8vLr"),
    "basic": ("Authorization: Basic ", "UXZpbTpKdXg5d1pr"),
    "url password": ("https://wexel:", "Zb5Qk8wVx"),
}
"""What stands before each of them, and what is secret."""

HELD = {
    kind: f"{before}{secret}" + "@hurzlo.net" * (kind == "url password")
    for kind, (before, secret) in KINDS.items()
}
CYCLE = " and ".join((*HELD.values(), ""))
_GRAMS = {
    secret[at : at + 5]: kind
    for kind, (_, secret) in KINDS.items()
    for at in range(len(secret) - 4)
}


def leaks(text: str) -> set[str]:
    """Of which kinds more than four characters stand in a text."""
    return {kind for gram, kind in _GRAMS.items() if gram in text}


def turned(shift: int) -> str:
    """All of them, from one of them on."""
    return f"Hand {CYCLE[shift:]}{CYCLE[:shift]}"


def write_turned(folder: Path, number: int) -> Path:
    """Traces in each text of which other secrets stand at a cut; some are refused."""
    step = len(CYCLE) // number
    traces = []
    for place in range(number):
        # no text begins within a secret, which nobody could know
        start = CYCLE.index(" and ", place * step) + 5
        traces.append(_trace(place, "." * (start - place * step) + turned(start)))
    folder.mkdir()
    lines = (json.dumps(one) for one in traces)
    (folder / "turned.jsonl").write_text("\n".join(lines), encoding="utf-8")
    for place, held in enumerate(HELD.values()):
        broken = json.dumps(_trace(place, held)).replace('"thought"', held, 1)
        (folder / f"broken{place}.json").write_text(broken, encoding="utf-8")
    return folder


def _trace(number: int, text: str) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(SAMPLE.read_text(encoding="utf-8"))
    made["id"] = f"kp:trace:{number}-{text}"
    made["task"]["objective"] = text
    made["metadata"]["task_domain"] = text
    made["outcome"]["result_summary"] = text
    made[f"more {text}"] = text
    del made["steps"][3:]
    for step in made["steps"]:
        step["content"] = text
        if "tool" in step:
            step["tool"]["name"] = text
    if number % 3 == 1:
        made["metadata"]["visibility"] = made["metadata"]["privacy_level"] = text
        made["steps"][0]["type"] = text
    if number % 9 == 2:
        made["outcome"] = text
    return made
