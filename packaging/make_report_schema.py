"""Write ``resources/report.schema.json``, the JSON Schema of the report, from its models."""

import json

from kpinspector.files import resources, write_atomic
from kpinspector.scoring.report.report import SCHEMA_FILE, report_schema


def main() -> None:
    """Generate and write."""
    text = json.dumps(report_schema(), indent=2, ensure_ascii=False) + "\n"
    write_atomic(resources() / SCHEMA_FILE, text.encode())


if __name__ == "__main__":
    main()
