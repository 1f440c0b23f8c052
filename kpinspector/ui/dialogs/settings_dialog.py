"""The settings dialog: each setting with its default and its effect."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from PySide6.QtCore import QLocale, QObject, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QDialogButtonBox, QStackedWidget, QWidget

from kpinspector.settings import Settings, Theme
from kpinspector.ui.controls.base import Label, PushButton, in_row, without_mnemonic
from kpinspector.ui.controls.fields import CheckBox, ComboBox, TextField, mark_wrong
from kpinspector.ui.look.theme import TextRole, high_contrast, scale
from kpinspector.ui.parts.sections import Rows, SectionDialog
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say

_Number = TypeVar("_Number", int, float)
_FIELD_WIDTH = 96
_GAP = 8
_DAY_MS = 86_400_000
_MOST_MS = 2**53
_USUAL_DAYS = "30"
_NUMBER = re.compile(r"[+-]?(\d+[.]?\d*|[.]\d+)(e[+-]?\d+)?", re.IGNORECASE)
_GROUPED = re.compile(r"\d{1,3}(,\d{3})+|\d+")
_MOST_ENTRIES = 1_000_000


def number_of(text: str) -> float | None:
    """A typed number with a decimal point or comma; None for anything else."""
    plain = text.strip().replace("\u2212", "-").replace(",", ".")
    return float(plain) if _NUMBER.fullmatch(plain) else None


def count_of(text: str) -> int | None:
    """A typed whole number, perhaps with thousands separators; None for anything else."""
    plain = re.sub("[\\s\u2019']", ",", text.strip())
    separator = QLocale().groupSeparator()
    if separator != ",":
        plain = plain.replace(separator, ",")
    return int(plain.replace(",", "")) if _GROUPED.fullmatch(plain) else None


def exact_number(number: float) -> str:
    """A number with all of its digits, and no others."""
    return f"{number:.17g}" if float(f"{number:.15g}") != number else f"{number:.15g}"


class Words(NamedTuple):
    """The words about a setting: name, effect with default, unit, and limits."""

    name: str
    sentence: str
    unit: str = ""
    range: str = ""


class SettingRow(QObject):
    """A setting; ``line`` has its controls, ``below`` the sentence below them.

    Attributes:
        read: Returns the chosen value; do not call it while the input is wrong.
        write: Shows a value.
        below: The effect of the setting; while the input is wrong, its limits.
    """

    changed = Signal()
    is_right = True
    """Whether the input is valid."""

    def __init__(
        self,
        words: Words,
        parts: Sequence[QWidget],
        read: Callable[[], object],
        write: Callable[[Any], object],
    ) -> None:
        super().__init__()
        self.words, self.read, self.write = words, read, write
        self.below, self._hint = QStackedWidget(), Label("", TextRole.CAPTION)
        for label in (Label(words.sentence, TextRole.CAPTION, second=True), self._hint):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignTop)
            self.below.addWidget(label)
        self.line = in_row(*parts, None, margins=None, spacing=None)
        self.line.setSpacing(scale(_GAP, self.below.fontMetrics()))
        self.first = self.entry = parts[0]
        self.first.setAccessibleDescription(words.sentence)


class NumberRow(SettingRow):
    """A number in a field; wrong input is marked, and stays as it was typed.

    If ``choice`` is given, there is a check box before the field; unchecked means None.
    """

    def __init__(
        self,
        words: Words,
        parsed: Callable[[str], object],
        shown: Callable[[Any], str],
        choice: str = "",
        usual: str = "",
    ) -> None:
        self._parsed, self._shown_as, self._usual = parsed, shown, usual
        self._kept: object = None
        self._shown = ""
        self.box = CheckBox(choice) if choice else None
        self.field = TextField(words.unit if choice else without_mnemonic(words.name))
        self.field.setFixedWidth(scale(_FIELD_WIDTH, self.field.fontMetrics()))
        self.field.setAlignment(Qt.AlignmentFlag.AlignRight)
        parts = (self.field, Label(words.unit))
        super().__init__(words, (self.box, *parts) if self.box else parts, self._value, self._show)
        self.entry = self.field
        if self.box is not None:
            self.box.toggled.connect(self._on_changed)
        self.field.textChanged.connect(self._on_changed)

    def _value(self) -> object:
        if not self.field.isEnabled():
            return None
        as_shown = self._kept is not None and self.field.text() == self._shown
        return self._kept if as_shown else self._parsed(self.field.text())

    def _show(self, value: object) -> None:
        self._kept, self._shown = value, self._usual if value is None else self._shown_as(value)
        self.field.setText(self._shown)
        if self.box is not None:
            self.box.setChecked(value is not None)
        self._on_changed()

    def _on_changed(self) -> None:
        off = self.box is not None and not self.box.isChecked()
        self.field.setEnabled(not off)
        self.is_right = off or self._value() is not None
        mark_wrong(self.field, wrong=not self.is_right)
        kept = say("{range}; kept at {value}", range=self.words.range, value=self._shown)
        if self._kept is None:
            kept = say("{range}; kept off", range=self.words.range)
        role = QPalette.ColorRole.Text if high_contrast() else QPalette.ColorRole.BrightText
        self._hint.setForegroundRole(role)
        self._hint.setText("" if self.is_right else kept)
        self.below.setCurrentIndex(int(not self.is_right))
        self.entry.setAccessibleDescription(self.words.sentence if self.is_right else kept)
        self.changed.emit()


class SettingsDialog(SectionDialog):
    """Shows the settings; they take effect by OK or Apply, and only if all are valid."""

    settings_chosen = Signal(object)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(say("Settings"))
        self._settings = settings
        self.rows: dict[str, SettingRow] = {}
        for title, found in (
            (say("Score"), {"threshold": _threshold()}),
            (say("Memory"), _of_memory()),
            (say("Look"), {"theme": _theme()}),
            (say("At the start"), _of_start()),
        ):
            rows = Rows()
            for row in found.values():
                rows.add(row.words.name, row.line, row.below, row.first)
            self.add_section(title, (rows,))
            self.rows |= found
        self.column.addStretch(1)
        self._add_buttons()
        for row in self.rows.values():
            row.setParent(self)
        self._write(settings)
        for row in self.rows.values():
            row.changed.connect(self._on_row_changed)

    def set_settings(self, settings: Settings) -> None:
        """Take over new settings; changes that were not applied yet stay."""
        before, self._settings = self._settings, settings
        for name, row in self.rows.items():
            if row.is_right and row.read() == getattr(before, name):
                row.write(getattr(settings, name))
        self._on_row_changed()

    def _add_buttons(self) -> None:
        role = QDialogButtonBox.ButtonRole
        reset = self.add_button(PushButton(say("&Reset to Defaults")), role.ResetRole)
        cancel = self.add_button(PushButton(say("Cancel")), role.RejectRole)
        self._apply = self.add_button(PushButton(say("&Apply")), role.ApplyRole)
        accept = self.add_button(PushButton(say("OK"), primary=True), role.AcceptRole)
        accept.setDefault(True)
        reset.clicked.connect(lambda: self._write(Settings()))
        cancel.clicked.connect(self.reject)
        self._apply.clicked.connect(self._take)
        accept.clicked.connect(self._on_accept_clicked)

    def _on_row_changed(self) -> None:
        right = all(row.is_right for row in self.rows.values())
        self._apply.setEnabled(not right or self._chosen() != self._settings)

    def _write(self, settings: Settings) -> None:
        for name, row in self.rows.items():
            row.write(getattr(settings, name))
        self._on_row_changed()

    def _on_accept_clicked(self) -> None:
        if self._take():
            self.accept()

    def _take(self) -> bool:
        """Emit the chosen settings and return True; or go to the first wrong field."""
        wrong = next((row for row in self.rows.values() if not row.is_right), None)
        if wrong is not None:
            wrong.entry.setFocus(Qt.FocusReason.OtherFocusReason)
            return False
        chosen = self._chosen()
        if chosen != self._settings:
            self._settings = chosen
            self.settings_chosen.emit(chosen)
        self._on_row_changed()
        return True

    def _chosen(self) -> Settings:
        values: dict[str, Any] = {name: row.read() for name, row in self.rows.items()}
        return replace(self._settings, **values)


def _within(number: _Number | None, least: int, most: int) -> _Number | None:
    return number if number is not None and least <= number <= most else None


def _threshold() -> SettingRow:
    sentence = say(
        "A trace with this score or more is accepted. Default {usual}.",
        usual=exact_number(Settings().threshold),
    )
    words = Words(say("&Threshold"), sentence, range=say("From 0 to 1"))
    return NumberRow(words, lambda text: _within(number_of(text), 0, 1), exact_number)


def _of_memory() -> dict[str, SettingRow]:
    def entries_of(text: str) -> int | None:
        return _within(count_of(text), 1, _MOST_ENTRIES)

    def ms_of(text: str) -> int | None:
        days = _within(number_of(text), 0, _MOST_MS)
        return None if days is None else _within(round(days * _DAY_MS), 1, _MOST_MS)

    most = Words(
        say("Compare &with"),
        say(
            "A new trace is compared with so many of the newest entries of the "
            "memory. A smaller number deletes nothing. Default {usual}.",
            usual=shown_count(Settings().max_elements),
        ),
        unit=say("entries"),
        range=say("From 1 to {most}", most=shown_count(_MOST_ENTRIES)),
    )
    limit = Words(
        say("Time &limit"),
        say("Older entries stay in the memory, but nothing is compared with them. Default off."),
        unit=say("days"),
        range=say("A number of days above 0"),
    )
    guest = Words(
        say("&Guest"),
        say(
            "Traces are compared with what is remembered; what is new is forgotten "
            "when the window closes. Default off."
        ),
    )
    last = say("Only entries of the last")
    return {
        "max_elements": NumberRow(most, entries_of, shown_count),
        "ttl_ms": NumberRow(limit, ms_of, lambda ms: exact_number(ms / _DAY_MS), last, _USUAL_DAYS),
        "guest": _check(guest, say("Add nothing to the memory")),
    }


def _theme() -> SettingRow:
    sentence = say("Light, dark, or as the desktop says. Default as the desktop.")
    combo = ComboBox(without_mnemonic(say("T&heme")))
    for theme, name in zip(Theme, (say("As the desktop"), say("Light"), say("Dark")), strict=True):
        combo.addItem(name, theme)
    row = SettingRow(
        Words(say("T&heme"), sentence),
        (combo,),
        lambda: Theme(combo.currentData()),
        lambda theme: combo.setCurrentIndex(combo.findData(theme)),
    )
    combo.currentIndexChanged.connect(row.changed)
    return row


def _check(words: Words, choice: str) -> SettingRow:
    """A setting with a check box."""
    box = CheckBox(choice)
    row = SettingRow(words, (box,), box.isChecked, box.setChecked)
    box.toggled.connect(row.changed)
    return row


def _of_start() -> dict[str, SettingRow]:
    usual, on_off = Settings(), {True: say("on"), False: say("off")}
    window = say(
        "The window, its panes and columns come back as they were left. Default {usual}.",
        usual=on_off[usual.restore_window],
    )
    files = say(
        "What was open when the window was closed is opened again. Default {usual}.",
        usual=on_off[usual.restore_files],
    )
    restore, open_files = say("Restore size and places"), say("Open the files of the last time")
    return {
        "restore_window": _check(Words(say("Wi&ndow"), window), restore),
        "restore_files": _check(Words(say("&Files"), files), open_files),
    }
