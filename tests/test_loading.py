"""What holds while libraries are loaded, and what is as before afterwards."""

import gc
import signal
import threading

import pytest

from kpinspector.loading import loading


@pytest.fixture(autouse=True)
def thawed():
    gc.unfreeze()
    yield
    gc.unfreeze()


@pytest.fixture
def handler():
    """The handler of a program that has just been started."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_nothing_is_collected_while_loading_and_what_was_loaded_is_passed_over(handler):
    assert gc.isenabled()
    with loading():
        assert not gc.isenabled()
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    assert gc.isenabled() and gc.get_freeze_count() > 0
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_all_is_as_before_after_a_failure(handler):
    with pytest.raises(ImportError), loading():
        raise ImportError
    assert gc.isenabled()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_somebody_elses_handler_and_switched_collection_stay(handler):
    def mine(*_):
        raise AssertionError("called")

    signal.signal(signal.SIGINT, mine)
    gc.disable()
    try:
        with loading():
            assert signal.getsignal(signal.SIGINT) is mine
        assert not gc.isenabled() and gc.get_freeze_count() == 0
    finally:
        gc.enable()


def test_another_thread_leaves_signals_alone(handler):
    seen = []

    def load():
        with loading():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=load)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]
