"""Write the JSON Schemas of what the program exports into ``resources/``, from its models."""

import json

from kpinspector.files import resources, write_atomic
from kpinspector.scoring.report import report
from kpinspector.sharing import report as sharing


def main() -> None:
    """Generate and write."""
    schemas = {
        report.SCHEMA_FILE: report.report_schema(),
        sharing.SCHEMA_FILE: sharing.sharing_schema(),
    }
    for name, schema in schemas.items():
        text = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        write_atomic(resources() / name, text.encode())


if __name__ == "__main__":
    main()
