"""The words for what was wrong with the memory's file, and for how it goes on."""

from kpinspector.scoring.memory.file import Fault, MemoryNotice, Remedy
from kpinspector.words.say import say


def memory_words(notice: MemoryNotice) -> str:
    """What was wrong with the memory's file, and how the memory goes on."""
    return f"{_fault_words(notice)} {_remedy_words(notice)}"


def _fault_words(notice: MemoryNotice) -> str:
    if notice.path is None:
        return _fault_of_this_run(notice.fault)
    path = notice.path
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
    }[notice.fault]


def _fault_of_this_run(fault: Fault) -> str:
    """What was wrong with a memory that never had a file."""
    match fault:
        case Fault.DAMAGED:
            return say("The memory of this run is damaged.")
        case Fault.FULL:
            return say("There is no room left for the memory of this run.")
    return say("The memory of this run cannot be used.")


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
