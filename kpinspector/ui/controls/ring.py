"""Where the ring around a focused button lies, so that no edge cuts it."""

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractScrollArea, QWidget


def ring_place(target: QWidget, holder: QWidget, out: int) -> QRect:
    """The place of the ring in a widget around the button."""
    place = QRect(target.mapTo(holder, QPoint(0, 0)), target.size())
    return place.adjusted(-out, -out, out, out)


def room_for_ring(target: QWidget, out: int) -> tuple[QWidget, list[QWidget]]:
    """The nearest widget around a button with room for its ring, and those on the way to it.

    What scrolls cuts its contents on purpose; the ring goes no further than that.
    """
    between: list[QWidget] = []
    holder = target.parentWidget() or target
    outer = holder.parentWidget()
    while outer is not None and not holder.isWindow():
        has_room = holder.rect().contains(ring_place(target, holder, out))
        if has_room or isinstance(outer, QAbstractScrollArea):
            break
        between.append(holder)
        holder, outer = outer, outer.parentWidget()
    return holder, between
