"""The words for what was wrong with the memory's file, and for how it goes on."""

from pathlib import Path

from kpinspector.scoring.memory.file import Fault, MemoryNotice, Remedy
from kpinspector.words.say import say


def memory_words(notice: MemoryNotice) -> str:
    """What was wrong with the memory's file, and how the memory goes on."""
    fault, path = notice.fault, notice.path
    if path is not None:
        said = _fault_words(fault, path)
    elif fault is Fault.DAMAGED:  # of a memory that never had a file
        said = say("The memory of this run is damaged.")
    elif fault is Fault.FULL:
        said = say("There is no room left for the memory of this run.")
    else:
        said = say("The memory of this run cannot be used.")
    return f"{said} {_remedy_words(notice)}"


def _fault_words(fault: Fault, path: Path) -> str:
    return {
        Fault.DAMAGED: say("The memory file {path} is damaged.", path=path),
        Fault.NEWER: say(
            "The memory file {path} was written by a newer kpinspector and is left as it is.",
            path=path,
        ),
        Fault.FOREIGN: say(
            "The memory file {path} belongs to another program and is left as it is.", path=path
        ),
        Fault.GONE: say(
            "The memory file {path} was moved, removed or replaced while in use.", path=path
        ),
        Fault.READ_ONLY: say("The memory file {path} cannot be written.", path=path),
        Fault.FULL: say("The disk that holds the memory file {path} is full.", path=path),
        Fault.LOCKED: say("Another program keeps the memory file {path} locked.", path=path),
        Fault.UNREADABLE: say(
            "The system failed to read or write the memory file {path}.", path=path
        ),
        Fault.NO_FOLDER: say(
            "The memory file {path} cannot be made: its folder is none and cannot become one.",
            path=path,
        ),
        Fault.NO_FILE: say(
            "What stands at {path} is no file, so nothing can be remembered there.", path=path
        ),
        Fault.NO_FILE_BESIDE: say(
            "A log of the memory file {path} is no file, so the memory cannot be used.", path=path
        ),
    }[fault]


def _remedy_words(notice: MemoryNotice) -> str:
    match notice.remedy:
        case Remedy.OTHER_FILE:
            return say("Scoring goes on with the file that stands there now.")
        case Remedy.NEW_FILE:
            return say(
                "It was set aside as {aside}, and a new memory was begun.", aside=notice.aside
            )
        case Remedy.COPY:
            return say(
                "What it knows still answers, but nothing scored from now on will be remembered."
            )
        case Remedy.PRIVATE:
            return say("Scoring goes on with an empty memory, and nothing will be remembered.")
