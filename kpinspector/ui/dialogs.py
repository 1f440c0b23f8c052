"""What the window asks: files, folders, where to write, whether to forget. Never a nested loop."""

from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, qVersion
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from kpinspector import __version__
from kpinspector.scoring.embedder import MODEL_NAME

_REPORT_SUFFIX = ".json"


class Dialogs(QObject):
    """Opens dialogs over a window; the answers come as signals."""

    paths_chosen = Signal(object)
    report_chosen = Signal(object, object)
    clearing_confirmed = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window

    def ask_files(self) -> None:
        """Which files to open."""
        dialog = QFileDialog(self._window, self.tr("Open Traces"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters(
            [self.tr("Traces (*.json *.jsonl *.ndjson *.gz)"), self.tr("All files (*)")]
        )
        dialog.filesSelected.connect(self.paths_chosen)
        _open(dialog)

    def ask_folder(self) -> None:
        """Which folder to open."""
        dialog = QFileDialog(self._window, self.tr("Open Folder"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.filesSelected.connect(self.paths_chosen)
        _open(dialog)

    def ask_report(self, name: str, numbers: tuple[int, ...] | None) -> None:
        """Where to write the report on these rows; None for all."""
        dialog = QFileDialog(self._window, self.tr("Export Report"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(_REPORT_SUFFIX)
        dialog.setNameFilter(self.tr("Report (*.json)"))
        dialog.selectFile(name)
        dialog.fileSelected.connect(lambda path: self.report_chosen.emit(Path(path), numbers))
        _open(dialog)

    def confirm_clearing(self) -> None:
        """Whether to forget everything."""
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.NoIcon)
        box.setWindowTitle(self.tr("Clear Memory"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(self.tr("Forget every trace that was scored?"))
        box.setInformativeText(
            self.tr("New traces are then compared with nothing. This cannot be taken back.")
        )
        clear = box.addButton(self.tr("Clear Memory"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(QMessageBox.StandardButton.Cancel)
        clear.clicked.connect(self.clearing_confirmed)
        _open(box)

    def show_about(self) -> None:
        """What this is, in which version, under which licences."""
        box = QMessageBox(self._window)
        box.setWindowTitle(self.tr("About kpinspector"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(f"kpinspector {__version__}")
        box.setInformativeText(
            self.tr(
                "Shows why a KnowledgePulse reasoning trace scores what it scores. "
                "Apache License 2.0.\n\n"
                "Embedding model {0} (Apache License 2.0). Qt {1} (LGPL 3)."
            ).format(MODEL_NAME, qVersion())
        )
        box.addButton(QMessageBox.StandardButton.Close)
        _open(box)


def _open(dialog: QFileDialog | QMessageBox) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
