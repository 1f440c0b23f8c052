"""What is copied of a step: as text, as JSON, or where it stands."""

from PySide6.QtCore import QObject

from kpinspector.app.document import Document
from kpinspector.trace.model import Step
from kpinspector.ui.steps.step_fields import fields_of, step_json, title_of


def text_of(document: Document, step: Step | None, context: QObject) -> str:
    """The step's title and its fields, whole."""
    title = ", ".join(part for part in title_of(step, context) if part)
    fields = fields_of(document, step, (), context)
    return "\n".join((title, *(f"{field.label}: {field.whole}" for field in fields)))


def json_of_step(document: Document, step: Step | None) -> str:
    """The step as it was read; without a step the task."""
    return step_json(document.record, step) if document.record is not None else ""
