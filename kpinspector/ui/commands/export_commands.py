"""What the actions do that write rows to files."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from kpinspector.app.document import Document
from kpinspector.app.exports import Form
from kpinspector.app.session import Session
from kpinspector.ui.actions.table import Command
from kpinspector.ui.dialogs.dialogs import Dialogs

_ALL = "kpinspector"
_SEVERAL = "selected"


class ExportCommands(QObject):
    """Asks where to write the rows it was told are chosen, and has the session write them."""

    def __init__(
        self, actions: Mapping[Command, QAction], session: Session, dialogs: Dialogs
    ) -> None:
        super().__init__(dialogs)
        self._session = session
        self._dialogs = dialogs
        self._selected: tuple[Document, ...] = ()
        dialogs.export_chosen.connect(self._on_export_chosen)
        for command, slot in {
            Command.EXPORT: partial(dialogs.ask_export, Form.REPORT, f"{_ALL}-report", None),
            Command.EXPORT_LIST: partial(dialogs.ask_export, Form.LIST, f"{_ALL}-list", None),
            Command.EXPORT_TRACE: partial(self._ask_selected, Form.REPORT, "report"),
            Command.EXPORT_MARKDOWN: partial(self._ask_selected, Form.MARKDOWN, "explanation"),
            Command.EXPORT_HTML: partial(self._ask_selected, Form.HTML, "explanation"),
        }.items():
            actions[command].triggered.connect(slot)

    def set_chosen(self, selected: tuple[Document, ...]) -> None:
        """The selected rows."""
        self._selected = selected

    def _ask_selected(self, form: Form, what: str) -> None:
        name = self._selected[0].name if len(self._selected) == 1 else _SEVERAL
        numbers = tuple(document.number for document in self._selected)
        self._dialogs.ask_export(form, f"{name}-{what}", numbers)

    @Slot(object, object, object)
    def _on_export_chosen(self, form: Form, path: Path, numbers: tuple[int, ...] | None) -> None:
        rows = self._session.documents
        if numbers is not None:
            rows = tuple(row for one in numbers if (row := self._session.document(one)) is not None)
        self._session.exports.write(form, path, rows)
