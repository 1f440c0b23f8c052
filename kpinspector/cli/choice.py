"""What applies to one run: the saved settings, and the options that won over them."""

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

from kpinspector.cli.options import given_mode
from kpinspector.cli.streams import say
from kpinspector.files import data_dir
from kpinspector.scoring.formula.profiles import Profile, profile_named
from kpinspector.scoring.memory.mode import Mode, mode_of
from kpinspector.settings import Settings, load_settings


@dataclass(frozen=True, slots=True)
class Choice:
    """What applies to one run: the saved settings, and the options that won over them.

    Attributes:
        folder: Where everything per-user is kept.
        settings: With the threshold of the options.
        mode: What the run does with the memory.
        profile: For all traces; None takes each trace's own.
    """

    folder: Path
    settings: Settings
    mode: Mode
    profile: Profile | None


def choice_of(arguments: argparse.Namespace) -> Choice:
    """The options of ``add_scoring_options`` over the saved settings."""
    folder = data_dir(arguments.data_dir)
    settings = saved_settings(folder)
    if arguments.threshold is not None:
        settings = replace(settings, threshold=arguments.threshold)
    mode = mode_of(given_mode(arguments), settings)
    profile = profile_named(arguments.profile)
    return Choice(folder, settings, mode, profile)


def saved_settings(folder: Path) -> Settings:
    """The saved settings; says why where they cannot be read."""
    settings, notice = load_settings(folder)
    if notice:
        say(notice)
    return settings
