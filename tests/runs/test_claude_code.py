"""Claude Code's sessions."""

from tests.runs.truth import assert_as_expected, found_in, truths


def test_real_sessions_are_read_as_what_happened_in_them(reference):
    for path, expected in truths(reference, "claude").items():
        assert_as_expected(found_in(path), expected)
