"""Journeys through ``main``: what a user types, what comes out, with which exit status."""

import gzip
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

import kpinspector
from kpinspector.__main__ import main
from kpinspector.cli import COMMANDS, measuring
from kpinspector.errors import ModelError
from kpinspector.files import resources
from kpinspector.trace.bytes import MAX_BYTES
from tests.fakes import NoEmbedder, high_raw, make_raw, save

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"


def scores(text):
    return [trace["score"] for trace in json.loads(text)["traces"]]


def given(monkeypatch, buffer):
    """Standard input holds this."""
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=buffer))


@pytest.mark.slow
def test_the_samples_with_the_real_model(score):
    status, out, err = score(resources() / "samples", "--json")
    report = json.loads(out)
    assert (status, err) == (2, "")
    by_name = {
        (Path(one["source"]["path"]).stem, one["source"]["record"]): one for one in report["traces"]
    }
    assert by_name["ping", None]["score"] == 0.1
    assert by_name["visit-03", None]["verdict"] == "accepted"
    near = by_name["visit-08", None]
    assert near["verdict"] == "rejected"
    assert near["dimensions"]["novelty"]["neighbours"][0]["id"] == by_name["visit-03", None]["id"]
    broken_schema = by_name["expense-audit", None]
    assert broken_schema["gates"] == {"schema": False, "score": True}
    assert by_name["billing-migration", None]["dimensions"]["novelty"]["truncated"]
    assert {one["profile"] for one in report["traces"]} == {
        "default", "finance", "code", "medical", "customer_service",
    }  # fmt: skip
    assert len(report["problems"]) == 1 and report["problems"][0]["line"] == 3
    again = score(resources() / "samples", "--json").json
    assert [one["score"] for one in again["traces"]] == [one["score"] for one in report["traces"]]
    assert all(one["dimensions"]["novelty"]["remembered"] for one in again["traces"])


def test_exit_status(score, fake, tmp_path):
    accepted = save(tmp_path / "high.json", high_raw())
    rejected = save(tmp_path / "low.json", make_raw())
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")
    skipped = save(tmp_path / "sop.json", {"@type": "ExpertSOP", "id": "s"})
    assert score(accepted)[0] == 0
    assert score(accepted, skipped)[0] == 0
    assert score(accepted, rejected)[0] == 1
    assert score(accepted, broken)[0] == 2
    assert score(tmp_path / "missing.json")[0] == 2
    assert score(skipped)[0] == 2
    (tmp_path / "empty").mkdir()
    status, _out, err = score(tmp_path / "empty")
    assert status == 2 and "No trace was found" in err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--json", "--report", "r.json", "x"],
        ["x", "--guest", "--fresh"],
        ["x", "--threshold", "1.5"],
        ["x", "--threshold", "nan"],
        ["x", "--profile", "nope"],
    ],
)
def test_bad_usage(arguments, score):
    score(*arguments, status=2)


def test_a_report_file_and_its_failure(score, fake, tmp_path):
    source = save(tmp_path / "a.json", make_raw())
    status, out, _err = score(source, "--report", tmp_path / "report.json")
    assert status == 1 and "rejected" in out
    assert json.loads((tmp_path / "report.json").read_bytes())["version"] == 3
    status, out, err = score(source, "--report", tmp_path / "no" / "report.json")
    assert status == 2 and "report.json could not be written" in err
    assert "rejected" in out


def test_options_win_over_saved_settings_and_the_report_says_so(score, fake, tmp_path, data_dir):
    data_dir.mkdir()
    saved = {"threshold": 0.25, "max_elements": 5, "guest": True}
    (data_dir / "settings.json").write_text(json.dumps(saved), encoding="utf-8")
    source = save(tmp_path / "a.json", make_raw())
    used = score(source, "--json").json["settings"]
    assert used == {"threshold": 0.25, "max_elements": 5, "ttl_ms": None, "mode": "guest"}
    used = score(source, "--json", "--threshold", "0.8", "--fresh").json["settings"]
    assert used == {"threshold": 0.8, "max_elements": 5, "ttl_ms": None, "mode": "fresh"}


def test_broken_settings_are_said_and_the_defaults_apply(score, fake, tmp_path, data_dir):
    data_dir.mkdir()
    (data_dir / "settings.json").write_text('{"threshold": 7}', encoding="utf-8")
    _status, out, err = score(save(tmp_path / "a.json", make_raw()), "--json")
    assert json.loads(out)["settings"]["threshold"] == 0.75
    assert "default settings apply" in err


def test_a_chosen_profile_judges_all(score, fake, tmp_path):
    report = json.loads(
        score(save(tmp_path / "a.json", high_raw()), "--json", "--profile", "medical")[1]
    )
    assert [trace["profile"] for trace in report["traces"]] == ["medical"]


def test_a_memory_that_cannot_be_used_is_said_and_left(score, fake, tmp_path, data_dir):
    source = save(tmp_path / "a.json", make_raw())
    score(source)
    with closing(sqlite3.connect(data_dir / "memory.sqlite3")) as memory:
        memory.execute("PRAGMA user_version = 99")
    status, out, err = score(source, "--json")
    assert status == 2 and json.loads(out)["settings"]["mode"] == "guest"
    assert err.count("\n") == 1 and "newer kpinspector" in err


def test_guest_and_fresh_remember_nothing(score, fake, tmp_path, data_dir):
    one, two = save(tmp_path / "1.json", high_raw("1")), save(tmp_path / "2.json", high_raw("2"))
    remembered = scores(score(one, "--json")[1])
    assert scores(score(two, "--json", "--fresh")[1]) == remembered
    guest = score(two, one, "--json", "--guest").json["traces"]
    assert guest[0]["dimensions"]["novelty"]["compared_with"] == 1
    assert guest[1]["dimensions"]["novelty"]["remembered"]
    again = score(two, "--json").json["traces"][0]["dimensions"]["novelty"]
    assert (again["compared_with"], again["remembered"]) == (1, False)


def test_data_dir_moves_everything(score, fake, tmp_path, data_dir):
    source = save(tmp_path / "a.json", make_raw())
    score(source, "--data-dir", tmp_path / "elsewhere")
    assert (tmp_path / "elsewhere" / "memory.sqlite3").is_file()
    assert not data_dir.exists()


def test_standard_input(score, fake, monkeypatch):
    given(monkeypatch, io.BytesIO(gzip.compress(json.dumps(high_raw()).encode())))
    status, out, _err = score("-", "--json")
    assert status == 0 and json.loads(out)["traces"][0]["source"]["path"] == "-"


def test_a_path_that_is_given_twice_is_read_once(score, fake, monkeypatch, tmp_path):
    given(monkeypatch, io.BytesIO(json.dumps(high_raw("2")).encode()))
    source = save(tmp_path / "1.json", high_raw("1"))
    report = score(source, "-", source, "-", "--json").json
    assert [one["id"] for one in report["traces"]] == ["1", "2"]
    assert report["problems"] == []


def test_without_the_model_novelty_is_assumed_and_said(score, monkeypatch, tmp_path):
    monkeypatch.setattr(measuring, "MiniLM", NoEmbedder)
    status, out, err = score(save(tmp_path / "a.json", make_raw()))
    assert status == 1 and "assumed" in out and "assumed 0.5" in err


def test_a_trace_that_cannot_be_scored_loses_no_other(score, fake, tmp_path):
    lines = [make_raw(id="1"), make_raw(id="2", outcome={"confidence": "high"}), make_raw(id="3")]
    report = score(save(tmp_path / "a.jsonl", *lines), "--json").json
    assert [trace["id"] for trace in report["traces"]] == ["1", "3"]
    (problem,) = report["problems"]
    assert (problem["record"], problem["kind"], problem["line"]) == (2, "not_scorable", 2)
    assert problem["json_path"] == "outcome.confidence"


def test_a_bug_has_a_status_of_its_own(monkeypatch, run, tmp_path):
    monkeypatch.setattr(measuring, "trace_entry", lambda *_: 1 / 0)
    heard = run("score", save(tmp_path / "a.json", make_raw()), "--fresh", status=3)
    assert "ZeroDivisionError" in heard.err


def test_ctrl_c(monkeypatch, tmp_path):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(measuring, "measure_batch", interrupt)
    assert main(["score", str(save(tmp_path / "a.json", make_raw()))]) == 130


def process(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "kpinspector", *map(str, arguments)],
        cwd=ROOT, capture_output=True, timeout=60, check=False, **options,
    )  # fmt: skip


@pytest.mark.slow
def test_a_second_process_gives_identical_numbers_and_loads_no_session(tmp_path):
    path = DATA / "high_traces.jsonl"
    some = tmp_path / "some.jsonl"
    some.write_text("".join(path.read_text("utf-8").splitlines(keepends=True)[:6]), "utf-8")
    first = json.loads(process("score", some, "--json").stdout)
    weightless = tmp_path / "checkout"
    package = Path(kpinspector.__file__).parent  # of the checkout, or as it was installed
    passed_over = shutil.ignore_patterns("resources", "__pycache__")
    shutil.copytree(package, weightless / "kpinspector", ignore=passed_over)
    shutil.copytree(resources(), weightless / "resources")
    weights = weightless / "resources" / "minilm" / "weights.bin"
    weights.write_bytes(bytes(weights.stat().st_size))
    env = os.environ | {"PYTHONPATH": str(weightless)}
    code = "import sys; from kpinspector.__main__ import main; sys.exit(main(sys.argv[1:]))"
    second = subprocess.run(
        [sys.executable, "-c", code, "score", some, "--json"],
        cwd=weightless, env=env, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert second.stderr == b""
    for one, two in zip(first["traces"], json.loads(second.stdout)["traces"], strict=True):
        assert two["score"] == one["score"]
        assert two["dimensions"]["novelty"]["remembered"]


@pytest.mark.slow
def test_a_closed_pipe_is_no_bug():
    command = f'"{sys.executable}" -m kpinspector score resources/samples --json --fresh'
    done = subprocess.run(
        f"({command}; echo $? >&2) | head -c 10",
        shell=True, cwd=ROOT, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.stderr.strip() == b"2"


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="streams are closed by the shell")
@pytest.mark.parametrize(
    ("arguments", "streams", "status", "said"),
    [
        ("{trace} --json", ">&-", 2, b"Standard output could not be written"),
        ("{trace}", ">&-", 2, b"Standard output could not be written"),
        ("{trace}", "2>&-", 0, b""),
        ("{missing}", "2>&-", 2, b""),
        ("- --json", "<&-", 2, b""),
    ],
)
def test_closed_streams_are_no_bugs(tmp_path, arguments, streams, status, said):
    trace = save(tmp_path / "a.json", high_raw())
    names = {"trace": f"'{trace}'", "missing": f"'{tmp_path / 'missing'}'"}
    command = f"'{sys.executable}' -m kpinspector score {arguments.format(**names)} --fresh"
    done = subprocess.run(
        f"{command} {streams}", shell=True, cwd=ROOT, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == status
    assert b"Traceback" not in done.stdout + done.stderr and said in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a device that is always full")
@pytest.mark.parametrize("option", ["--json", "--fresh"])
def test_a_full_output_is_said(tmp_path, option):
    source = save(tmp_path / "a.json", make_raw())
    command = [sys.executable, "-m", "kpinspector", "score", str(source), option]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False
        )
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1 and b"No space left" in done.stderr


def test_standard_input_is_read_no_further_than_a_file(score, fake, monkeypatch):
    class Endless:
        def read(self, size=-1):
            assert 0 <= size <= MAX_BYTES + 1
            return bytes(size)

        def isatty(self):
            return False

    given(monkeypatch, Endless())
    (problem,) = score("-", "--json", status=2).json["problems"]
    assert "larger than" in problem["message"]


def test_what_comes_from_standard_input_is_remembered_under_no_invented_path(
    score, fake, monkeypatch, tmp_path
):
    given(monkeypatch, io.BytesIO(json.dumps(high_raw("1")).encode()))
    score("-")
    other = save(tmp_path / "2.json", high_raw("2"))
    monkeypatch.chdir(tmp_path)
    (trace,) = score("2.json", "--json").json["traces"]
    (near,) = trace["dimensions"]["novelty"]["neighbours"]
    assert near["path"] == "-"
    third = save(tmp_path / "3.json", high_raw("3"))
    (trace,) = score(third, "--json").json["traces"]
    assert str(other) in {one["path"] for one in trace["dimensions"]["novelty"]["neighbours"]}


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_ctrl_c_is_heard_from_the_beginning():
    code = (
        "import os, signal, sys, kpinspector.__main__ as entry\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'numpy':\n"
        "            try: os.kill(os.getpid(), signal.SIGINT)\n"
        "            except KeyboardInterrupt: raise ImportError('initialization failed')\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "sys.exit(entry.main(['score', 'x']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (130, b"")


def test_terminal_sequences_in_messages_are_not_passed_on(score, fake, tmp_path):
    source = save(tmp_path / "a.json", make_raw())
    _status, _out, err = score(source, "--report", tmp_path / "\x1b[31mno" / "r.json")
    assert "could not be written" in err and "\x1b" not in err


def test_nothing_is_said_to_be_assumed_when_all_is_remembered(score, fake, monkeypatch, tmp_path):
    source = save(tmp_path / "a.json", make_raw())
    score(source)
    monkeypatch.setattr(fake, "failure", ModelError("The embedding model is damaged."))
    assert "assumed" not in score(source)[2]


@pytest.mark.parametrize(
    "before", [["--data-dir", "score"], ["--data-dir=score"], ["--fresh", "--data-dir", "score"]]
)
def test_options_of_the_program_may_stand_before_the_command(
    fake, run, monkeypatch, tmp_path, before
):
    monkeypatch.chdir(tmp_path)
    save(tmp_path / "a.json", make_raw())
    assert "rejected" in run(*before, "score", "a.json", status=1).out
    assert (tmp_path / "score" / "memory.sqlite3").exists() is ("--fresh" not in before)


def test_options_before_and_after_the_command_must_agree(run):
    assert "not allowed with" in run("--guest", "score", "x", "--fresh", status=2).err


def test_the_help_names_every_command(run):
    out = run("--help", status=0).out
    assert all(f"\n    {name} " in out for name in COMMANDS)


def test_a_command_loads_no_other():
    code = (
        "import sys; from kpinspector.__main__ import main\n"
        "assert main(['score', sys.argv[1]]) == 2\n"
        "print([name for name in sys.argv[2:] if f'kpinspector.cli.{name}' in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "missing.json", *COMMANDS],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "['score']"


def test_help_and_version_need_no_display():
    assert b"score" in process("--help").stdout
    assert process("--version").stdout.startswith(b"kpinspector ")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays are named on Linux")
def test_a_window_without_a_display_is_refused_in_words():
    env = {
        name: value
        for name, value in os.environ.items()
        if name not in {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    }
    done = process("resources/samples", env=env)
    assert done.returncode == 2 and b"no display" in done.stderr


NO_WINDOW = b"kpinspector: No window can be opened: "


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays are named on Linux")
@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"DISPLAY": ":987"}, b"could not connect to display :987."),
        ({"DISPLAY": ":987", "WAYLAND_DISPLAY": "gone"}, b"could not connect to display :987."),
        ({"QT_QPA_PLATFORM": "xcb"}, b"could not connect to display."),
        (
            {"DISPLAY": ":987", "QT_LOGGING_RULES": "*=false"},
            (
                b"This application failed to start because no Qt platform plugin could be"
                b" initialized. `kpinspector"
            ),
        ),
        ({"QT_QPA_PLATFORM": "none"}, b'Could not find the Qt platform plugin "none" in "".'),
    ],
)
def test_a_display_that_does_not_answer_is_said_in_one_sentence(given, reason):
    names = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    env = {name: value for name, value in os.environ.items() if name not in names} | given
    done = process("resources/samples", env=env)
    assert done.returncode == 2 and done.stdout == b""
    assert done.stderr.startswith(NO_WINDOW + reason) and done.stderr.count(b"\n") == 1
    assert b"libegl1" not in done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="packages as Debian names them")
def test_without_the_libraries_of_qt_the_packages_are_named():
    code = (
        "import sys, kpinspector.__main__ as entry\n"
        "class Lacking:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'PySide6.QtGui': raise ImportError('libEGL.so.1: no such file')\n"
        "sys.meta_path.insert(0, Lacking())\n"
        "sys.exit(entry.main([]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=60, check=False
    )
    said = done.stderr.decode()
    assert done.returncode == 2 and said.count("\n") == 1
    assert said.startswith(NO_WINDOW.decode() + "libEGL.so.1: no such file.")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    packages = re.findall(r"\blib[a-z]\S+", readme.partition("apt-get install")[2].split("```")[0])
    assert len(packages) > 10 and all(one in said for one in packages)
    assert readme.index("apt-get install") < readme.index(".venv/bin/kpinspector resources")


@pytest.mark.slow
def test_an_output_that_cannot_show_a_path_still_comes(tmp_path):
    source = save(tmp_path / "pré.json", make_raw())
    env = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = process("score", source, "--fresh", env=env)
    assert done.returncode == 1 and b"pr\\xe9.json" in done.stdout


# one record of a file


def several(folder):
    path = folder / "several.jsonl"
    ids = ("kp:trace:a", "kp:trace:b", "kp:trace:c")
    texts = [json.dumps(make_raw(id=one, task={"objective": one})) for one in ids]
    path.write_text("\n".join([*texts, "{x"]), encoding="utf-8")
    return path


def test_a_record_of_a_file_in_the_order_that_is_asked_for(score, fake, tmp_path):
    path = several(tmp_path)
    status, out, _err = score(f"{path}#3", f"{path}#1", "--json")
    traces = json.loads(out)["traces"]
    assert status == 1
    assert [one["id"] for one in traces] == ["kp:trace:c", "kp:trace:a"]
    assert [one["source"]["record"] for one in traces] == [3, 1]
    assert {one["source"]["path"] for one in traces} == {str(path)}
    traces = score(f"{path}#3", path, f"{path}#1", "--json").json["traces"]
    assert [one["source"]["record"] for one in traces] == [1, 2, 3]
    status, out, _err = score(f"{path}#4", "--json")
    (problem,) = json.loads(out)["problems"]
    assert status == 2 and problem["record"] == 4
    (problem,) = score(f"{path}#5", "--json", status=2).json["problems"]
    assert problem["message"] == "holds no record 5 that can be read"
    single = save(tmp_path / "one.json", make_raw())
    assert len(score(f"{single}#1", "--json").json["traces"]) == 1
    assert score(f"{tmp_path}/gone.json#1")[0] == 2


def test_a_file_with_the_name_of_a_record_comes_first(score, fake, tmp_path):
    path = several(tmp_path)
    save(tmp_path / "several.jsonl#3", make_raw(id="kp:trace:own"))
    (one,) = score(f"{path}#3", "--json").json["traces"]
    assert one["id"] == "kp:trace:own"


def test_a_record_is_explained_compared_and_replayed(fake, tmp_path, run):
    path = several(tmp_path)
    out = run("explain", f"{path}#2", status=1).out
    assert "kp:trace:b" in out and "kp:trace:a" not in out
    out = run("compare", f"{path}#2", f"{path}#3", status=1).out
    assert "several.jsonl#2" in out and "several.jsonl#3" in out
    report = tmp_path / "report.json"
    run("score", f"{path}#2", "--report", report, status=1)
    run("replay", report, f"{path}#2", status=0)


@pytest.mark.parametrize("zero", ["0", "000"])
def test_records_count_from_one(zero, run, score, fake, tmp_path):
    path = several(tmp_path)
    (problem,) = score(f"{path}#{zero}", "--json", status=2).json["problems"]
    assert problem["message"] == "there is no record 0: records count from 1"
    assert problem["path"] == f"{path}#{zero}"
    assert "records count from 1" in run("compare", f"{path}#{zero}", f"{path}#1", status=2).err
    save(tmp_path / f"several.jsonl#{zero}", make_raw(id="kp:trace:own"))
    (one,) = score(f"{path}#{zero}", "--json").json["traces"]
    assert one["id"] == "kp:trace:own"


# what a confidence may be


@pytest.mark.parametrize(
    ("outcome", "found"), [("abc", '"abc"'), (5, "5"), ([], "a list"), (True, "true")]
)
def test_an_outcome_that_is_no_object_is_said_as_it_is(outcome, found, score, fake, tmp_path):
    path = save(tmp_path / "a.json", make_raw(outcome=outcome))
    (problem,) = score(path, "--json").json["problems"]
    assert (problem["json_path"], problem["expected"]) == ("outcome", "an object")
    assert problem["found"] == found and problem["message"].count(found) == 1


def test_a_confidence_below_zero_is_refused_with_its_reason(fake, tmp_path, run):
    raw = make_raw(outcome={"result_summary": "", "confidence": -5})
    said = run("explain", save(tmp_path / "a.json", raw), status=1).words
    assert "outcome.confidence expected a number of at least 0, found -5." in said


def test_an_infinite_confidence_has_an_infinite_sum(fake, tmp_path, run):
    """The SDK gives 0: tool monotony cuts minus infinity off there."""
    raw = make_raw(outcome={"result_summary": "", "confidence": "-Infinity"})
    path = save(tmp_path / "a.json", raw)
    out = run("explain", path, status=1).out
    assert "NaN" not in out
    (line,) = (line for line in out.splitlines() if line.startswith("  Weighted sum"))
    assert line.split() == ["Weighted", "sum", "\N{MINUS SIGN}∞", "∞"]
    (trace,) = run("score", path, "--json").json["traces"]
    assert (trace["composite"], trace["score"]) == ("-Infinity", 0.0)
