"""The themes that can be chosen."""

from enum import StrEnum


class Theme(StrEnum):
    """Light, dark, or as the system says."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"
