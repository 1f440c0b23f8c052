"""The tool bar: open, reload, previous and next, profile and threshold, compare, export."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QPainter, QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolBar, QWidget
from typing_extensions import override

from kpinspector.app.values import Rules
from kpinspector.scoring.formula.profiles import PROFILE_NAMED, PROFILES, Profile, profile_for
from kpinspector.ui.actions.table import EXPORT_MENU, Command
from kpinspector.ui.controls.base import Drawing, FlatButton, Label, without_mnemonic
from kpinspector.ui.controls.fields import ComboBox, ShareField
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.marks import fill
from kpinspector.ui.look.plain_text import set_tip
from kpinspector.ui.look.theme import Colours, sized
from kpinspector.words.say import say

if TYPE_CHECKING:
    from kpinspector.app.document import Document

_GAP = 8
_SIDE = 12
_FIELD_WIDTH = 58
_LINE_HEIGHT = 18
_HEIGHT = 36


class ToolBar(QToolBar):
    """Few tools; the menus have the rest."""

    rules_chosen = Signal(object)

    def __init__(self, actions: Mapping[Command, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tools")
        self.setWindowTitle(say("Tools"))
        self.setMovable(False)
        self.setFloatable(False)
        self.toggleViewAction().setEnabled(False)
        sized(self, QWidget.setMinimumHeight, _HEIGHT)
        self._rules = Rules()
        self._labels: list[QAction] = []
        self._wordy: list[FlatButton] = []
        self._profile = ComboBox(say("Profile"))
        sized(self, ToolBar._give_profile_width, 1)
        self._threshold = ShareField(say("Threshold"), least=0, width=_FIELD_WIDTH)
        self._profile.addItem("", None)
        for profile in PROFILES:
            self._profile.addItem(profile.name, profile.name)
        self._fill(actions)
        self.set_document(None)
        self.set_rules(Rules())
        self._profile.activated.connect(self._on_chosen)
        self._threshold.valueChanged.connect(self._on_chosen)

    def _fill(self, actions: Mapping[Command, QAction]) -> None:
        opener = FlatButton(IconName.OPEN, say("Open"))
        opener.setMenu(_menu(opener, actions, (Command.OPEN, Command.OPEN_FOLDER, Command.PASTE)))
        export = FlatButton(IconName.EXPORT, say("Export"))
        export.setMenu(_menu(export, actions, EXPORT_MENU))
        actions[Command.EXPORT].enabledChanged.connect(export.setEnabled)
        export.setEnabled(actions[Command.EXPORT].isEnabled())
        set_tip(export, say("Export"))
        compare = FlatButton(IconName.COMPARE, say("Compare"))
        actions[Command.COMPARE].setIconText(say("Compare"))
        compare.setDefaultAction(actions[Command.COMPARE])
        self._wordy += [compare, export]
        self._space(_SIDE)
        self.addWidget(opener)
        self.addWidget(_tool(actions[Command.RELOAD], IconName.RELOAD))
        self.addWidget(_line())
        self.addWidget(_tool(actions[Command.PREVIOUS], IconName.BACK))
        self.addWidget(_tool(actions[Command.NEXT], IconName.FORWARD))
        self.addWidget(_line())
        for name, control in ((say("Profile"), self._profile), (say("Threshold"), self._threshold)):
            label = Label(name)
            label.setBuddy(control)
            sized(label, lambda one, width: one.setContentsMargins(0, 0, width, 0), _GAP - 2)
            self._labels.append(self.addWidget(label))
            self.addWidget(control)
            self._space(2 * _GAP)
        spring = QWidget()
        spring.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(spring)
        self.addWidget(compare)
        self.addWidget(export)
        self._space(_SIDE)

    def set_narrow(self, *, narrow: bool) -> None:
        """Hide words that a tooltip says as well, in a narrow window."""
        style = Qt.ToolButtonStyle
        for label in self._labels:
            label.setVisible(not narrow)
        for button in self._wordy:
            button.setToolButtonStyle(
                style.ToolButtonIconOnly if narrow else style.ToolButtonTextBesideIcon
            )

    def set_document(self, document: "Document | None") -> None:
        """Name the profile that the current trace itself asks for."""
        facts = document.facts if document else None
        own = say("From trace")
        if facts is not None:
            own = _from_trace(profile_for(facts.task_domain))
        if own != self._profile.itemText(0):
            self._profile.setItemText(0, own)

    def _give_profile_width(self, _px: int) -> None:
        """The width that holds every choice, so that nothing moves when the trace changes."""
        widest = ComboBox("")
        widest.addItems([_from_trace(profile) for profile in PROFILES])
        self._widest = widest.sizeHint().width()
        self._fit_profile()

    def _fit_profile(self) -> None:
        """Narrow the profile where the last tools would have no room."""
        self._profile.setFixedWidth(min(self._widest, max(1, self.width() * 3 // 10)))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_profile()

    def set_rules(self, rules: Rules) -> None:
        """Show the rules that judge all rows."""
        self._rules = rules
        self._threshold.show_value(rules.threshold)
        name = rules.profile.name if rules.profile else None
        self._profile.setCurrentIndex(max(0, self._profile.findData(name)))

    def _on_chosen(self) -> None:
        profile = PROFILE_NAMED.get(self._profile.currentData())
        threshold, chosen = self._rules.threshold, self._threshold.value()
        same = self._threshold.same(chosen, threshold)  # it may have more digits than are shown
        self.rules_chosen.emit(Rules(profile, threshold if same else chosen))

    def _space(self, px: int) -> None:
        gap = QWidget()
        sized(gap, QWidget.setFixedWidth, px)
        self.addWidget(gap)


def _from_trace(profile: Profile) -> str:
    return say("From trace: {profile}", profile=profile.name)


def _line() -> Drawing:
    """A short line between tools that do not belong together."""

    def paint(painter: QPainter, rect: QRect, found: Colours) -> None:
        fill(painter, QRect(rect.width() // 2, 0, 1, rect.height()), found.button_edge)

    return Drawing(QSize(2 * _GAP + 1, _LINE_HEIGHT), paint)


def _menu(button: QWidget, actions: Mapping[Command, QAction], names: tuple[Command, ...]) -> QMenu:
    menu = QMenu(button)
    menu.addActions([actions[name] for name in names])
    return menu


def _tool(action: QAction, icon: IconName) -> FlatButton:
    """A flat button that follows an action."""
    button = FlatButton(icon, name=without_mnemonic(action.text()))
    button.setDefaultAction(action)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    return button
