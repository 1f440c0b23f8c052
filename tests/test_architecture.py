"""Who imports whom, what stays out of which process, and how long a module may be."""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "kpinspector"
TESTS = ROOT / "tests"
MODULES = sorted(PACKAGE.rglob("*.py"))
ROOMS = ("trace", "runs", "scoring", "batch", "sharing", "words", "app", "ui")
EVERYWHERE = {"errors", "files", "loading", "phrase", "settings"}
MAY_IMPORT = {room: {*ROOMS[: place + 1]} for place, room in enumerate(ROOMS)} | {
    "sharing": {"trace", "runs", "scoring", "sharing"},
    "cli": {"trace", "runs", "scoring", "batch", "sharing", "words", "cli"},
}
OUTSIDE = {
    "trace": {"pydantic_core"},
    # zstd, own of Python from 3.14 on
    "runs": {"pydantic_core", "backports", "compression", "typing_extensions"},
    "scoring": {"pydantic_core", "numpy", "onnxruntime", "tokenizers", "typing_extensions"},
    "batch": {"numpy", "scipy"},
    "sharing": set(),
    "words": {"typing_extensions", "wcwidth"},
    "app": {"PySide6"},
    "ui": {"PySide6", "shiboken6", "typing_extensions"},
    "cli": {"typing_extensions"},
}
MOST_LINES = 600
MOST_REACHED = 20
# the folders of a room: each may use those before it, none beside it
FLOORS = {
    "runs": [{"readers"}],
    "scoring": [{"formula", "model"}, {"memory"}, {"novelty"}, {"whatif"}, {"report"}],
    "words": [{"writers"}],
    "ui": [
        {"look"},
        {"controls", "actions"},
        {"tables"},
        {"parts"},
        {"steps", "dialogs"},
        {"traces", "panes"},
        {"batch"},
        {"window"},
        {"commands"},
    ],
}
# at most so many lines and modules of each room, signals and painted widgets: they may only fall
BUDGETS = {
    "": (688, 7),
    "trace": (3_775, 16),
    "runs": (7_026, 43),
    "scoring": (5_635, 28),
    "batch": (1_360, 7),
    "sharing": (661, 4),
    "words": (6_369, 26),
    "cli": (1_622, 9),
    "app": (5_134, 18),
    "ui": (22_359, 70),
}
MOST_SIGNALS = 63
MOST_PAINTED = 15


def imports_of(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return names


def room_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def may_import(room: str, name: str) -> bool:
    first, _, rest = name.partition(".")
    if first == "kpinspector":
        return rest.partition(".")[0] in {*MAY_IMPORT[room], *EVERYWHERE, "__version__"}
    return first in sys.stdlib_module_names or first in OUTSIDE[room]


def test_nothing_points_back():
    found = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path in MODULES
        for name in sorted(imports_of(path))
        if room_of(path) and not may_import(room_of(path), name)
    ]
    assert found == []


NAMES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in MODULES
}


def modules_used(path: Path) -> set[str]:
    """The modules that one imports, also inside functions and for types alone."""
    found = imports_of(path)
    return {one if one in NAMES else one.rpartition(".")[0] for one in found} & NAMES.keys()


def unit_of(name: str) -> str:
    """The folder of a room in which a module stands, else the module itself."""
    parts = name.split(".")[:3]
    return ".".join(parts)


def circle_in(uses: dict[str, set[str]]) -> list[str]:
    """Those that use each other in a circle; none where each can stand above what it uses."""
    order = TopologicalSorter(uses)
    try:
        order.prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_use_each_other_in_a_circle():
    uses = {name: modules_used(path) - {name} for name, path in NAMES.items()}
    assert circle_in(uses) == []
    units: dict[str, set[str]] = defaultdict(set)
    for name, used in uses.items():
        units[unit_of(name)] |= {unit_of(one) for one in used} - {unit_of(name)}
    assert circle_in(units) == []


def lines_in(paths: Iterable[Path]) -> int:
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


@pytest.mark.parametrize("room", BUDGETS)
def test_a_room_keeps_to_its_budget(room):
    paths = [path for path in MODULES if room_of(path) == room]
    lines, modules = BUDGETS[room]
    assert lines_in(paths) <= lines
    assert len(paths) <= modules


def test_every_room_has_a_budget():
    assert {room_of(path) for path in MODULES} == set(BUDGETS)


def test_signals_and_painted_widgets_grow_no_more():
    nodes = [node for path in MODULES for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    assert sum(ast.unparse(node.func) == "Signal" for node in calls) <= MOST_SIGNALS
    painted = [node for node in nodes if getattr(node, "name", "") == "paintEvent"]
    assert len(painted) <= MOST_PAINTED


def folders_of(path: Path) -> set[str]:
    """The folders of its own room that a module uses."""
    room = room_of(path)
    used = {
        name.split(".")[2] for name in imports_of(path) if name.startswith(f"kpinspector.{room}.")
    }
    return {one for one in used if (PACKAGE / room / one).is_dir()}


@pytest.mark.parametrize("room", FLOORS)
def test_the_folders_of_a_room_stand_on_floors(room):
    floors = FLOORS[room]
    folders = {path.name for path in (PACKAGE / room).iterdir() if path.is_dir()} - {"__pycache__"}
    assert folders == {one for floor in floors for one in floor}
    for number, floor in enumerate(floors):
        below = {one for lower in floors[:number] for one in lower}
        for folder in floor:
            for path in (PACKAGE / room / folder).glob("*.py"):
                above = folders_of(path) - below - {folder}
                assert not above, f"{room}/{folder}/{path.name} imports {above}"


def test_only_the_core_of_qt_in_app():
    for path in (PACKAGE / "app").glob("*.py"):
        for name in imports_of(path):
            if name.startswith("PySide6"):
                assert name.startswith("PySide6.QtCore"), f"{path.name} imports {name}"


def test_only_the_entry_uses_the_command_line():
    users = [
        path.relative_to(PACKAGE).as_posix()
        for path in MODULES
        if room_of(path) != "cli"
        and any(f"{name}.".startswith("kpinspector.cli.") for name in imports_of(path))
    ]
    assert users == ["__main__.py"]


def test_the_rooms_are_the_ones_on_the_map():
    assert {path.name for path in PACKAGE.iterdir() if path.is_dir()} - {"__pycache__"} == set(
        MAY_IMPORT
    )
    roots = {path.stem for path in PACKAGE.glob("*.py")}
    assert roots == {*EVERYWHERE, "__init__", "__main__"}


def test_only_one_module_imports_the_runtime_that_would_report_to_its_vendor():
    importers = [
        path.relative_to(ROOT).as_posix()
        for folder in ("kpinspector", "packaging", "tests")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if any(f"{name}.".startswith("onnxruntime.") for name in imports_of(path))
    ]
    assert importers == ["kpinspector/scoring/model/network.py"]


def test_the_solvers_are_loaded_inside_functions_of_one_room_only():
    """They take as long to load as a small trace to score."""
    for path in MODULES:
        if "scipy" in {name.partition(".")[0] for name in imports_of(path)}:
            assert room_of(path) == "batch"
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                assert "scipy" not in imported(node), path


def imported(node: ast.AST) -> str:
    return ast.unparse(node) if isinstance(node, (ast.Import, ast.ImportFrom)) else ""


def test_modules_stay_short():
    paths = (*MODULES, *sorted(TESTS.rglob("*.py")))
    lines = {str(path.relative_to(ROOT)): lines_in([path]) for path in paths}
    assert {path: length for path, length in lines.items() if length > MOST_LINES} == {}


def reached(folder: Path) -> list[str]:
    """Where the tests of a folder reach for a private attribute of anything but themselves."""
    return [
        f"{path.relative_to(folder)}:{node.lineno} {ast.unparse(node)}"
        for path in sorted(folder.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and re.match("_[^_]", node.attr)
        and ast.unparse(node.value) not in ("self", "os", "sys")
    ]


def test_journeys_go_by_what_a_user_finds():
    assert reached(TESTS / "e2e") == []


def test_other_tests_hardly_reach_for_what_is_private():
    found = reached(TESTS)
    assert len(found) <= MOST_REACHED, found


def names_in(node: ast.AST) -> list[str]:
    return [one.id for one in ast.walk(node) if isinstance(one, ast.Name)]


def test_broad_excepts_stand_in_three_places_only():
    broad = [
        path.relative_to(PACKAGE).as_posix()
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or {"Exception", "BaseException"} & set(names_in(node.type)))
        and not isinstance(node.body[-1], ast.Raise)
    ]
    assert sorted(broad) == ["__main__.py", "app/jobs.py", "runs/readers/packages.py"]


@pytest.mark.parametrize(
    "module",
    ["kpinspector.__main__", "kpinspector.cli"]
    + [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in MODULES
        if room_of(path) in {"trace", "scoring", "batch", "words"} and path.stem == "__init__"
    ],
)
def test_no_qt_without_a_window(module):
    rooms = "import pkgutil, importlib, sys\n"
    rooms += f"root = importlib.import_module({module!r})\n"
    rooms += (
        "for one in pkgutil.walk_packages(getattr(root, '__path__', []), root.__name__ + '.'):\n"
        "    importlib.import_module(one.name)\n"
        "assert not [name for name in sys.modules if name.startswith(('PySide6', 'shiboken6'))]\n"
    )
    subprocess.run([sys.executable, "-c", rooms], check=True, cwd=ROOT)


def test_no_two_public_classes_are_called_the_same():
    places = defaultdict(list)
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path.relative_to(PACKAGE).as_posix())
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
