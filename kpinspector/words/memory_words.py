"""The words for what was wrong with the memory's file, and for how it goes on."""

from kpinspector.scoring.memory.faults import Fault, MemoryNotice, Remedy
from kpinspector.words.say import say, say_count


def memory_words(notice: MemoryNotice) -> str:
    """What was wrong, and what happens now."""
    return f"{_fault_words(notice)} {_remedy_words(notice)}"


def _fault_words(notice: MemoryNotice) -> str:
    path = say("of this run") if notice.path is None else notice.path
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


def _remedy_words(notice: MemoryNotice) -> str:
    match notice.remedy:
        case Remedy.OTHER_FILE:
            return say("Scoring goes on with the file that stands there now.")
        case Remedy.NEW_FILE if notice.refilled:
            return say(
                "It was set aside as {aside}, and a new memory was begun with {traces}.",
                aside=notice.aside,
                traces=_traces_of_this_run(notice),
            )
        case Remedy.NEW_FILE:
            return say(
                "It was set aside as {aside}, and a new memory was begun.", aside=notice.aside
            )
        case Remedy.COPY:
            return say(
                "What it knows still answers, but nothing scored from now on will be remembered."
            )
        case Remedy.PRIVATE:
            return say(
                "Scoring goes on with {memory}, and nothing will be remembered.",
                memory=_traces_of_this_run(notice) if notice.refilled else say("an empty memory"),
            )
        case Remedy.AS_IT_IS:
            return say(
                "Some of what it remembers may be missing. It is used as it is until it is cleared."
            )


def _traces_of_this_run(notice: MemoryNotice) -> str:
    """What a memory that begins empty is filled with."""
    if notice.newest is None:
        return say("the traces of this run alone")
    return say_count(
        "the last {number} trace of this run alone",
        "the last {number} traces of this run alone",
        notice.newest,
    )
