"""What is kept of the steps."""

import sys

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel

from kpinspector.trace.model import Step, StepType
from kpinspector.ui.steps.step_model import StepRole

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

Index = QModelIndex | QPersistentModelIndex


class StepFilter(QSortFilterProxyModel):
    """Filters by kind; the tool call above a kept observation stays, as its place."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kind: StepType | None = None
        self.setRecursiveFilteringEnabled(True)

    def set_kind(self, kind: StepType | None) -> None:
        """Keep the steps of one kind, or of all.

        To be called within a reset of the source: thousands of rows that go one by one take a
        tree minutes.
        """
        self._kind = kind

    @property
    def kind(self) -> StepType | None:
        """What is kept; None for all."""
        return self._kind

    @property
    def active(self) -> bool:
        """Some steps may be hidden."""
        return self._kind is not None

    def matches(self, index: Index) -> bool:
        """A row of this proxy is kept for its own sake."""
        source = self.mapToSource(index)
        return self._matches(source.row(), source.parent())

    @override
    def filterAcceptsRow(self, source_row: int, source_parent: Index) -> bool:
        return not self.active or self._matches(source_row, source_parent)

    def _matches(self, source_row: int, source_parent: Index) -> bool:
        model = self.sourceModel()
        index = model.index(source_row, 0, source_parent)
        step: Step | None = model.data(index, StepRole.STEP)
        return self._kind is None or (step is not None and step.kind is self._kind)
