"""What is chosen once and kept: every setting with its default and what it does."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from kpinspector.settings import Settings
from kpinspector.themes import Theme
from kpinspector.ui.controls.base import PushButton
from kpinspector.ui.dialogs.setting_rows import (
    CheckRow,
    ChoiceRow,
    DaysRow,
    NumberRow,
    SettingRow,
    Words,
    count_of,
    exact_number,
    number_of,
)
from kpinspector.ui.parts.section_dialog import Rows, SectionDialog
from kpinspector.words.figures import shown_count

_MOST_ENTRIES = 1_000_000


class SettingsDialog(SectionDialog):
    """Shows settings; nothing is taken before OK or Apply, and nothing wrong at all."""

    settings_chosen = Signal(object)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings"))
        self._settings = settings
        self._rows = self._score_rows() | self._look_rows()
        self._add_sections()
        self._add_buttons()
        for name, row in self._rows.items():
            row.setParent(self)
            row.set_value(getattr(settings, name))
            row.changed.connect(self._on_row_changed)
        self._on_row_changed()

    @property
    def rows(self) -> dict[str, SettingRow]:
        """The settings by the names of their fields."""
        return self._rows

    def set_settings(self, settings: Settings) -> None:
        """Other settings hold now; what was changed here and not yet applied stays."""
        before, self._settings = self._settings, settings
        for name, row in self._rows.items():
            if row.is_right and row.value == getattr(before, name):
                row.set_value(getattr(settings, name))
        self._on_row_changed()

    def _score_rows(self) -> dict[str, SettingRow]:
        usual = Settings()
        return {
            "threshold": NumberRow(
                Words(
                    self.tr("&Threshold"),
                    self.tr("A trace with this score or more is accepted. Default {0}.").format(
                        exact_number(usual.threshold)
                    ),
                    range=self.tr("From 0 to 1"),
                ),
                _threshold_of,
                lambda value: exact_number(float(str(value))),
            ),
            "max_elements": NumberRow(
                Words(
                    self.tr("Compare &with"),
                    self.tr(
                        "A new trace is compared with so many of the newest entries of the "
                        "memory. A smaller number deletes nothing. Default {0}."
                    ).format(shown_count(usual.max_elements)),
                    unit=self.tr("entries"),
                    range=self.tr("From 1 to {0}").format(shown_count(_MOST_ENTRIES)),
                ),
                _entries_of,
                lambda value: shown_count(int(str(value))),
            ),
            "ttl_ms": DaysRow(
                Words(
                    self.tr("Time &limit"),
                    self.tr(
                        "Older entries stay in the memory, but nothing is compared with them. "
                        "Default off."
                    ),
                    unit=self.tr("days"),
                    range=self.tr("A number of days above 0"),
                ),
                self.tr("Only entries of the last"),
            ),
            "guest": CheckRow(
                Words(
                    self.tr("&Guest"),
                    self.tr(
                        "Traces are compared with what is remembered; what is new is forgotten "
                        "when the window closes. Default off."
                    ),
                ),
                self.tr("Add nothing to the memory"),
            ),
        }

    def _look_rows(self) -> dict[str, SettingRow]:
        usual = Settings()
        return {
            "theme": ChoiceRow(
                Words(
                    self.tr("T&heme"),
                    self.tr("Light, dark, or as the desktop says. Default as the desktop."),
                ),
                (
                    (Theme.SYSTEM, self.tr("As the desktop")),
                    (Theme.LIGHT, self.tr("Light")),
                    (Theme.DARK, self.tr("Dark")),
                ),
            ),
            "restore_window": CheckRow(
                Words(
                    self.tr("Wi&ndow"),
                    self.tr(
                        "The window, its panes and columns come back as they were left. "
                        "Default {0}."
                    ).format(self._on_off(usual.restore_window)),
                ),
                self.tr("Restore size and places"),
            ),
            "restore_files": CheckRow(
                Words(
                    self.tr("&Files"),
                    self.tr(
                        "What was open when the window was closed is opened again. Default {0}."
                    ).format(self._on_off(usual.restore_files)),
                ),
                self.tr("Open the files of the last time"),
            ),
        }

    def _on_off(self, value: object) -> str:
        return self.tr("on") if value else self.tr("off")

    def _add_sections(self) -> None:
        for title, names in (
            (self.tr("Score"), ("threshold",)),
            (self.tr("Memory"), ("max_elements", "ttl_ms", "guest")),
            (self.tr("Look"), ("theme",)),
            (self.tr("At the start"), ("restore_window", "restore_files")),
        ):
            rows = Rows()
            for name in names:
                row = self._rows[name]
                rows.add(row.name, row.line, row.below, row.first)
            self.add_section(title, (rows,))
        self.end_sections()

    def _add_buttons(self) -> None:
        role = QDialogButtonBox.ButtonRole
        reset = self.add_button(PushButton(self.tr("&Reset to Defaults")), role.ResetRole)
        cancel = self.add_button(PushButton(self.tr("Cancel")), role.RejectRole)
        self._apply = self.add_button(PushButton(self.tr("&Apply")), role.ApplyRole)
        accept = self.add_button(PushButton(self.tr("OK"), primary=True), role.AcceptRole)
        accept.setDefault(True)
        reset.clicked.connect(self._on_reset_clicked)
        cancel.clicked.connect(self.reject)
        self._apply.clicked.connect(self._take)
        accept.clicked.connect(self._on_accept_clicked)

    @Slot()
    def _on_row_changed(self) -> None:
        right = all(row.is_right for row in self._rows.values())
        self._apply.setEnabled(not right or self._chosen() != self._settings)

    @Slot()
    def _on_reset_clicked(self) -> None:
        usual = Settings()
        for name, row in self._rows.items():
            row.set_value(getattr(usual, name))
        self._on_row_changed()

    @Slot()
    def _on_accept_clicked(self) -> None:
        if self._take():
            self.accept()

    @Slot()
    def _take(self) -> bool:
        """Hand over what is chosen; else go to the first field that is wrong."""
        for row in self._rows.values():
            if not row.is_right:
                row.go_to_field()
                return False
        chosen = self._chosen()
        if chosen != self._settings:
            self._settings = chosen
            self.settings_chosen.emit(chosen)
        self._on_row_changed()
        return True

    def _chosen(self) -> Settings:
        values: dict[str, Any] = {name: row.value for name, row in self._rows.items()}
        return replace(self._settings, **values)


def _threshold_of(text: str) -> float | None:
    number = number_of(text)
    return number if number is not None and 0 <= number <= 1 else None


def _entries_of(text: str) -> int | None:
    count = count_of(text)
    return count if count is not None and 1 <= count <= _MOST_ENTRIES else None
