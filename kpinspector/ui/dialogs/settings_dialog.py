"""The settings dialog: every setting with its default and its effect."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from PySide6.QtCore import QLocale, QObject, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QDialogButtonBox, QHBoxLayout, QStackedLayout, QWidget
from typing_extensions import override

from kpinspector.settings import Settings, Theme
from kpinspector.ui.controls.base import Label, PushButton, without_mnemonic
from kpinspector.ui.controls.fields import CheckBox, ComboBox, TextField
from kpinspector.ui.look.theme import TextRole, high_contrast, scale
from kpinspector.ui.parts.sections import Rows, SectionDialog
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say

_FIELD_WIDTH = 96
_GAP = 8
_DAY_MS = 86_400_000
_MOST_MS = 2**53
_USUAL_DAYS = "30"
_NUMBER = re.compile(r"[+-]?(\d+[.]?\d*|[.]\d+)(e[+-]?\d+)?", re.IGNORECASE)
_GROUPED = re.compile(r"\d{1,3}(,\d{3})+|\d+")


_MOST_ENTRIES = 1_000_000


def number_of(text: str) -> float | None:
    """A typed number, with a point or a comma; None for anything else."""
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
    """All digits that a number has, and no more."""
    return f"{number:.17g}" if float(f"{number:.15g}") != number else f"{number:.15g}"


@dataclass(frozen=True, slots=True)
class Words:
    """The words for a setting: its name, its effect and default, its limits."""

    name: str
    sentence: str
    unit: str = ""
    range: str = ""


class SettingRow(QObject):
    """One setting; ``line`` stands beside its name and ``below`` under that."""

    changed = Signal()

    def __init__(self, words: Words) -> None:
        super().__init__()
        self._words = words
        self.below = _Below(words.sentence)
        self.line = QHBoxLayout()
        self.line.setSpacing(scale(_GAP, self.below.fontMetrics()))
        self.first: QWidget = self.below

    @property
    def name(self) -> str:
        """What the setting is called."""
        return self._words.name

    @property
    def is_right(self) -> bool:
        """Whether the input is a valid value."""
        return True

    def go_to_field(self) -> None:
        """Put the focus where the value is typed."""
        self.first.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def value(self) -> object:
        """The chosen value; meaningless while the input is wrong."""
        raise NotImplementedError

    def set_value(self, value: object) -> None:
        """Show a value."""
        raise NotImplementedError

    def _fill(self, parts: Sequence[QWidget], first: QWidget) -> None:
        for part in parts:
            self.line.addWidget(part)
        self.line.addStretch(1)
        self.first = first
        self._describe(first)

    def _describe(self, widget: QWidget) -> None:
        hint = self.below.hint
        widget.setAccessibleDescription(hint or self._words.sentence)


class NumberRow(SettingRow):
    """A number in a field; wrong input is marked and stays as it was typed."""

    def __init__(
        self, words: Words, read: Callable[[str], object], write: Callable[[object], str]
    ) -> None:
        super().__init__(words)
        self._read, self._write = read, write
        self._shown = ""
        self.field = _number_field(without_mnemonic(words.name))
        self._fill((self.field, Label(words.unit)), self.field.edit)
        self.field.text_changed.connect(self._on_text_changed)

    @property
    @override
    def is_right(self) -> bool:
        return self.value is not None

    @property
    @override
    def value(self) -> object:
        return self._read(self.field.text)

    @override
    def set_value(self, value: object) -> None:
        self._shown = self._write(value)
        self.field.set_text(self._shown)
        self._mark()

    def _on_text_changed(self) -> None:
        self._mark()
        self.changed.emit()

    def _mark(self) -> None:
        wrong = not self.is_right
        self.field.set_wrong(wrong=wrong)
        kept = say("{range}; kept at {value}", range=self._words.range, value=self._shown)
        self.below.set_hint(kept if wrong else "")
        self._describe(self.field.edit)


class DaysRow(SettingRow):
    """Off, or a number of days; the value is in milliseconds, or None for off."""

    def __init__(self, words: Words, choice: str) -> None:
        super().__init__(words)
        self._shown: tuple[str, int | None] = (_USUAL_DAYS, None)
        self.box = CheckBox(choice)
        self.field = _number_field(words.unit)
        self._fill((self.box, self.field, Label(words.unit)), self.box)
        self.field.text_changed.connect(self._on_changed)
        self.box.toggled.connect(self._on_changed)

    @property
    @override
    def is_right(self) -> bool:
        return not self.box.isChecked() or self._ms() is not None

    @property
    @override
    def value(self) -> int | None:
        return self._ms() if self.box.isChecked() else None

    @override
    def set_value(self, value: object) -> None:
        ms = value if isinstance(value, int) else None
        if ms is not None:
            self._shown = (exact_number(ms / _DAY_MS), ms)
        elif self._shown[1] is not None or not self.field.text:
            self._shown = (_USUAL_DAYS, None)
        self.field.set_text(self._shown[0])
        self.box.setChecked(ms is not None)
        self._mark()

    @override
    def go_to_field(self) -> None:
        self.field.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _ms(self) -> int | None:
        text, exact = self._shown
        if exact is not None and self.field.text == text:
            return exact
        days = number_of(self.field.text)
        ms = None if days is None or abs(days) > _MOST_MS else round(days * _DAY_MS)
        return ms if ms is not None and 1 <= ms <= _MOST_MS else None

    def _on_changed(self) -> None:
        self._mark()
        self.changed.emit()

    def _mark(self) -> None:
        self.field.setEnabled(self.box.isChecked())
        wrong = not self.is_right
        self.field.set_wrong(wrong=wrong)
        span = self._words.range
        if self._shown[1] is None:
            kept = say("{range}; kept off", range=span)
        else:
            kept = say("{range}; kept at {value}", range=span, value=self._shown[0])
        self.below.set_hint(kept if wrong else "")
        self._describe(self.field.edit)


class CheckRow(SettingRow):
    """Yes or no."""

    def __init__(self, words: Words, choice: str) -> None:
        super().__init__(words)
        self.box = CheckBox(choice)
        self._fill((self.box,), self.box)
        self.box.toggled.connect(self.changed)

    @property
    @override
    def value(self) -> bool:
        return self.box.isChecked()

    @override
    def set_value(self, value: object) -> None:
        self.box.setChecked(bool(value))


class ChoiceRow(SettingRow):
    """A choice from a few values."""

    def __init__(self, words: Words, choices: Sequence[tuple[StrEnum, str]]) -> None:
        super().__init__(words)
        self._choices = tuple(choice for choice, _word in choices)
        self.combo = ComboBox(without_mnemonic(words.name))
        self.combo.addItems([word for _choice, word in choices])
        self._fill((self.combo,), self.combo)
        self.combo.currentIndexChanged.connect(self.changed)

    @property
    @override
    def value(self) -> StrEnum:
        return self._choices[self.combo.currentIndex()]

    @override
    def set_value(self, value: object) -> None:
        self.combo.setCurrentIndex([*self._choices].index(value))  # type: ignore[arg-type]


class _Below(QWidget):
    """The effect of a setting, or, while the input is wrong, the reason."""

    def __init__(self, sentence: str) -> None:
        super().__init__()
        self._sentence = Label(sentence, TextRole.CAPTION, second=True)
        self._hint = Label("", TextRole.CAPTION)
        self._stack = QStackedLayout(self)
        for label in (self._sentence, self._hint):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignTop)
            self._stack.addWidget(label)

    @property
    def hint(self) -> str:
        """Why the input is wrong; empty while it is right."""
        return self._hint.text()

    def set_hint(self, hint: str) -> None:
        """Say what is wrong, or nothing."""
        plain = high_contrast()
        self._hint.setForegroundRole(
            QPalette.ColorRole.Text if plain else QPalette.ColorRole.BrightText
        )
        self._hint.setText(hint)
        self._stack.setCurrentWidget(self._hint if hint else self._sentence)


def _number_field(name: str) -> TextField:
    field = TextField(name)
    field.setFixedWidth(scale(_FIELD_WIDTH, field.fontMetrics()))
    field.edit.setAlignment(Qt.AlignmentFlag.AlignRight)
    return field


class SettingsDialog(SectionDialog):
    """Shows the settings; they take effect with OK or Apply, and only if all are valid."""

    settings_chosen = Signal(object)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(say("Settings"))
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
        """Take over new settings; changes that are not applied yet stay."""
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
                    say("&Threshold"),
                    say(
                        "A trace with this score or more is accepted. Default {usual}.",
                        usual=exact_number(usual.threshold),
                    ),
                    range=say("From 0 to 1"),
                ),
                _threshold_of,
                lambda value: exact_number(float(str(value))),
            ),
            "max_elements": NumberRow(
                Words(
                    say("Compare &with"),
                    say(
                        "A new trace is compared with so many of the newest entries of the "
                        "memory. A smaller number deletes nothing. Default {usual}.",
                        usual=shown_count(usual.max_elements),
                    ),
                    unit=say("entries"),
                    range=say("From 1 to {most}", most=shown_count(_MOST_ENTRIES)),
                ),
                _entries_of,
                lambda value: shown_count(int(str(value))),
            ),
            "ttl_ms": DaysRow(
                Words(
                    say("Time &limit"),
                    say(
                        "Older entries stay in the memory, but nothing is compared with them. "
                        "Default off."
                    ),
                    unit=say("days"),
                    range=say("A number of days above 0"),
                ),
                say("Only entries of the last"),
            ),
            "guest": CheckRow(
                Words(
                    say("&Guest"),
                    say(
                        "Traces are compared with what is remembered; what is new is forgotten "
                        "when the window closes. Default off."
                    ),
                ),
                say("Add nothing to the memory"),
            ),
        }

    def _look_rows(self) -> dict[str, SettingRow]:
        usual = Settings()
        return {
            "theme": ChoiceRow(
                Words(
                    say("T&heme"),
                    say("Light, dark, or as the desktop says. Default as the desktop."),
                ),
                (
                    (Theme.SYSTEM, say("As the desktop")),
                    (Theme.LIGHT, say("Light")),
                    (Theme.DARK, say("Dark")),
                ),
            ),
            "restore_window": CheckRow(
                Words(
                    say("Wi&ndow"),
                    say(
                        "The window, its panes and columns come back as they were left. "
                        "Default {usual}.",
                        usual=self._on_off(usual.restore_window),
                    ),
                ),
                say("Restore size and places"),
            ),
            "restore_files": CheckRow(
                Words(
                    say("&Files"),
                    say(
                        "What was open when the window was closed is opened again."
                        " Default {usual}.",
                        usual=self._on_off(usual.restore_files),
                    ),
                ),
                say("Open the files of the last time"),
            ),
        }

    def _on_off(self, value: object) -> str:
        return say("on") if value else say("off")

    def _add_sections(self) -> None:
        for title, names in (
            (say("Score"), ("threshold",)),
            (say("Memory"), ("max_elements", "ttl_ms", "guest")),
            (say("Look"), ("theme",)),
            (say("At the start"), ("restore_window", "restore_files")),
        ):
            rows = Rows()
            for name in names:
                row = self._rows[name]
                rows.add(row.name, row.line, row.below, row.first)
            self.add_section(title, (rows,))
        self.end_sections()

    def _add_buttons(self) -> None:
        role = QDialogButtonBox.ButtonRole
        reset = self.add_button(PushButton(say("&Reset to Defaults")), role.ResetRole)
        cancel = self.add_button(PushButton(say("Cancel")), role.RejectRole)
        self._apply = self.add_button(PushButton(say("&Apply")), role.ApplyRole)
        accept = self.add_button(PushButton(say("OK"), primary=True), role.AcceptRole)
        accept.setDefault(True)
        reset.clicked.connect(self._on_reset_clicked)
        cancel.clicked.connect(self.reject)
        self._apply.clicked.connect(self._take)
        accept.clicked.connect(self._on_accept_clicked)

    def _on_row_changed(self) -> None:
        right = all(row.is_right for row in self._rows.values())
        self._apply.setEnabled(not right or self._chosen() != self._settings)

    def _on_reset_clicked(self) -> None:
        usual = Settings()
        for name, row in self._rows.items():
            row.set_value(getattr(usual, name))
        self._on_row_changed()

    def _on_accept_clicked(self) -> None:
        if self._take():
            self.accept()

    def _take(self) -> bool:
        """Hand over the chosen settings, or go to the first wrong field."""
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
