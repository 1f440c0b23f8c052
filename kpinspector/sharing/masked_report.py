"""A report with what is secret in it masked, as it is written; a replay knows what that stands for.

What says which trace an entry is about stays: the file, the record, the digest of the text.
"""

import json
from collections.abc import Callable
from typing import Any

from kpinspector.scoring.report.report import Report, checksum_of, json_values
from kpinspector.trace.clear import MASK, masked_in


def masked_report(report: Report, check: Callable[[], None] = lambda: None) -> Report:
    """The same report where nothing is found in it.

    Args:
        report: With everything as it stands in the traces.
        check: Called for each of its traces; may raise to stop.
    """
    values = json_values(report)
    masked = masked_values({**values, "traces": []})
    for entry in values["traces"]:
        check()
        masked["traces"].append(masked_values(entry))
    if masked == values:
        return report
    masked["checksum"] = checksum_of(masked, check)
    return Report.model_validate_json(json.dumps(masked))


def masked_values(value: Any) -> Any:
    """A value of a report with all texts in it masked, but for the paths of files."""
    match value:
        case str():
            return masked_in(value)
        case list() | tuple():
            return [masked_values(one) for one in value]
        case dict():
            return _masked_members(value)
    return value


def _masked_members(value: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, one in value.items():
        shown = masked_in(name)
        while shown in made:  # two names may begin alike
            shown += MASK
        made[shown] = one if name == "path" and "record" in value else masked_values(one)
    match value:
        case {"id": str(whole), "key": str(key)} if key.startswith(whole):
            made["key"] = made["id"] + key.removeprefix(whole)
    return made
