"""The formats that are read, a module for each."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from kpinspector.runs.readers.reader import Format


@cache
def formats() -> Mapping[str, Format]:
    """The formats by their ids, in the order in which they are tried and listed.

    They are loaded when they are first asked for: a trace needs none.
    """
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    found = (getattr(module, "FORMAT", None) for module in modules)
    return MappingProxyType({one.id: one for one in sorted(filter(None, found), key=_rank)})


def _rank(form: Format) -> tuple[bool, bool, str]:
    """Agents that keep their files come first, formats that others are of as well come last."""
    return form.is_general, not form.where, form.id
