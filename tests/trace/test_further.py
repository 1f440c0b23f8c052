"""What only further patterns find: real shapes, no placeholders, in linear time."""

from time import process_time

import pytest

from kpinspector.sharing.answer import Sharing
from kpinspector.sharing.posting import contributed
from kpinspector.trace.cleaning import PiiKind, found_in
from kpinspector.trace.clear import FoundBy, in_clear, masked, masked_in, masked_parts
from kpinspector.trace.further import FurtherKind, find_further, holds_secret
from kpinspector.trace.javascript import JsonObject

# no real ones; put together here so that nobody's scanner stumbles over this file
FOUND = {
    FurtherKind.ANTHROPIC_KEY: "sk-ant-" + "api03-" + "Ab1" * 12,
    FurtherKind.OPENAI_KEY: "sk-" + "proj-" + "Ab_1" * 10,
    FurtherKind.GITHUB_TOKEN: "github" + "_pat_" + "A1b2" * 10,
    FurtherKind.GITLAB_TOKEN: "glpat" + "-" + "Ab1_" * 5,
    FurtherKind.AWS_KEY: "AS" + "IA" + "Q2WERTYUIOPASDFG",
    FurtherKind.AZURE_KEY: "Account" + "Key=" + "Ab1+" * 12 + "==",
    FurtherKind.GOOGLE_KEY: "AI" + "za" + "Ab1_-" * 7,
    FurtherKind.STRIPE_KEY: "sk" + "_live_" + "Ab1" * 8,
    FurtherKind.NPM_TOKEN: "npm" + "_" + "Ab12" * 9,
    FurtherKind.PYPI_TOKEN: "pypi-" + "AgE" + "Ab1_" * 16,
    FurtherKind.HUGGING_FACE_TOKEN: "hf" + "_" + "AbcD" * 9,
    FurtherKind.SENDGRID_KEY: "SG" + "." + "Ab1-" * 5 + "ab." + "Ab1-" * 10 + "abc",
    FurtherKind.JWT: "ey" + "JhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0In0" + ".c2lnbmF0dXJl",
    FurtherKind.PRIVATE_KEY: "-----BEGIN RSA " + "PRIVATE KEY-----",
    FurtherKind.AUTHORIZATION: "Authorization: " + "Basic " + "dXNlcjpwYXNz",
    FurtherKind.PASSWORD: '{"pass' + 'word": "Tr0ub4dor"}',
    FurtherKind.URL_PASSWORD: "https://ann:" + "Tr0ub4dor" + "@example.org/x",
    FurtherKind.USER_FOLDER: "/home/" + "\u674e\u96f7/notes",
}


@pytest.mark.parametrize("kind", FurtherKind)
def test_each_kind_is_found_in_a_sentence(kind):
    (found,) = find_further(f"It said {FOUND[kind]} at last.")
    assert found.kind is kind


@pytest.mark.parametrize("kind", FurtherKind)
def test_each_kind_is_a_warning_of_ours_alone(kind):
    found = in_clear({"task": {"objective": f"It said {FOUND[kind]} at last."}})
    assert [one.kind for one in found if one.by is FoundBy.KPINSPECTOR] == [kind]
    assert {one.path for one in found} == {("task", "objective")}
    secret = FOUND[kind]
    assert all(secret not in one.masked and len(one.masked) <= 8 for one in found)


@pytest.mark.parametrize(
    "text",
    [
        "",
        '{"password": "********"}',
        '{"password": ""}',
        '{"token": "${TOKEN}"}',
        '{"token": null}',
        "task-force-and-sk-proj-ects",
        "http://localhost:8080/a@b",
        "git@github.com:org/repo.git",
        "eyJ.eyJ.",
        "npm_config_registry=x",
        "max_tokens=4096",
        "C:/Users",
    ],
)
def test_what_is_none_is_not_found(text):
    assert list(find_further(text)) == []


def test_a_member_with_a_secret_name_is_a_warning_by_its_name():
    assert holds_secret("db_password", "hunter22")
    assert not holds_secret("password_hint", "hunter22")
    assert not holds_secret("token", "<your token>")
    (found,) = in_clear({"steps": [{"input": {"db_password": "hunter22"}}]})
    assert (found.kind, found.path) == (
        FurtherKind.PASSWORD,
        ("steps", 0, "input", "db_password"),
    )
    assert found.masked == "hu" + "\u2022" * 4


def test_names_of_members_are_looked_at_too():
    (found,) = in_clear({"ann@example.org": 1})
    assert found.in_name and found.by is FoundBy.SDK


@pytest.mark.parametrize(
    ("text", "shown"),
    [("", ""), ("abc", ""), ("abcd", "a"), ("a" * 16, "aaaa"), ("b" * 99, "bbbb")],
)
def test_at_most_four_characters_and_a_quarter_are_shown(text, shown):
    assert masked(text) == shown + "\u2022" * 4


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("client_" + "secret=INVENTED-secret", "INVENTED-secret"),
        ("?client-" + "secret = 'INVENTED0'", "INVENTED0"),
        ("DB_" + "PASSWORD=abc", "abc"),
        ("APP_" + "SECRET=x1", "x1"),
        ("aws_secret_access_" + "key = INVENTEDinvented/0000", "INVENTEDinvented/0000"),
        ('{"pw' + 'd": 123}', "123"),
    ],
)
def test_what_is_assigned_is_found_also_where_it_is_short(text, secret):
    (found,) = find_further(text)
    assert text[found.start : found.end] == secret


@pytest.mark.parametrize(
    "text",
    [
        "self.client_secret = client_secret",
        "client_secret = read_secret()",
        "DB_PASSWORD=$DB_PASSWORD",
        "EOS_TOKEN=2",
        '{"token": 123}',
    ],
)
def test_code_and_numbers_of_tokens_are_none(text):
    assert list(find_further(text)) == []


def test_a_number_is_a_secret_by_its_name():
    (found,) = in_clear({"input": {"db_pwd": 1234, "token": 5, "password": True}})
    assert (found.path, found.masked) == (("input", "db_pwd"), "1" + "\u2022" * 4)


def test_an_address_that_begins_with_a_password_shows_nothing_of_it():
    text = "https://ann:" + "Tr0ub4dor" + "@example.org/x"
    shown = {one.kind: one.masked for one in in_clear({"x": text})}
    assert shown == {
        PiiKind.EMAIL: "\u2022" * 4,
        FurtherKind.URL_PASSWORD: "Tr\u2022\u2022\u2022\u2022",
    }
    assert masked_parts(text, found_in(text)) == ["\u2022" * 4]
    assert masked_parts("ann.a@example.org", found_in("ann.a@example.org")) == [
        "ann.\u2022\u2022\u2022\u2022"
    ]


def test_an_id_whose_digits_look_like_a_phone_stays_whole():
    assert masked_in("kp:trace:5d123456-7890-4f86-9b0d-6e2f81c4a7d3").endswith("6e2f81c4a7d3")
    assert masked_in("call 555-010-4477") == "call 555\u2022\u2022\u2022\u2022"


PIECES = (
    *("a", "sk-", "password'", 'password": "', "A_", "_KEY=", "a://", "a:", "-----BEGIN ", "eyJ"),
    *("-----BEGIN PRIVATE KEY-----", "eyJaaaaaaaa.", "SG.", "a+", "http://a:", "x_", "bearer "),
    *("AccountKey=", "C:\\\\Users\\\\", "a-", "authorization:", " ", "npm_", "/home/\xe9", "ghu_"),
    *("client_secret=", "client_secret=x", "A_PASSWORD=", "secret_access_key = ", '"pwd": '),
    *("-eyJ", "_=", "a.eyJ", "-basic ", "a.b:", "sk-ant-", "SG.aaaaaaaaaaaaaaaaaaaaa."),
    *("sk-proj-", "github_pat_", "glpat-", "ASIA", "AIza", "GOCSPX-", "sk_live_", "pypi-AgE"),
    *("hf_", "C:/Users/", "/home/", "a_TOKEN=", "a://a:a"),
)
BEHIND = (
    ("eyJaaaaaaaaa.", "-eyJ"),
    ("eyJaaaaaaaaa.eyJaaaaaaaaa", "-eyJ"),
    ("", "eyJaaaaaaaaa.eyJ"),
    ("=", "-A_"),
    ("(", "client_secret=xyzabc"),
    ("client_secret=", "secret_access_key"),
    ("://", "-a"),
    ("-----BEGIN PRIVATE KEY-----", "\\n"),
)


def seconds(text):
    def once():
        start = process_time()
        list(find_further(text))
        return process_time() - start

    return min(once() for _ in range(3))


@pytest.mark.parametrize("piece", PIECES, ids=ascii)
def test_the_time_is_linear_in_the_text(piece):
    piece = piece * (40_000 // len(piece))
    assert seconds(piece * 8) < 24 * max(seconds(piece), 0.001)


@pytest.mark.parametrize(("start", "piece"), BEHIND, ids=ascii)
def test_the_time_is_linear_behind_a_beginning(start, piece):
    times = 40_000 // len(piece)
    assert seconds(start + piece * times * 8) < 24 * max(seconds(start + piece * times), 0.001)


@pytest.mark.parametrize("before", ["", "-", "a-", "--", "eyJ-", "eyJaaaaaaaaa-", "b.", "\xe9"])
def test_a_token_is_found_behind_what_is_no_word(before):
    token = FOUND[FurtherKind.JWT]
    (found,) = find_further(before + token)
    assert (before + token)[found.start : found.end].endswith(token)


SECRET = "sk-" + "INVENTED0" * 3
NAMED: JsonObject = {
    "id": "kp:trace:1",
    "x": {f"key {SECRET}": [{FOUND[FurtherKind.JWT]: "a@example.org"}]},
}


def test_a_name_on_the_way_is_masked_wherever_it_is_listed():
    sharing = Sharing(contributed(NAMED), None, 0.75)
    shown = [sharing.place(one.path) for one in sharing.in_clear]
    assert shown == ["x.key sk-I••••", *["x.key sk-I••••.0.eyJh••••"] * 2]


def test_of_what_is_found_twice_no_character_is_shown():
    assert masked_in("https://ann:" + "Tr0ub4dor@example.org/x") == "https://ann:••••/x"
    assert masked_in("kp:trace:1") == "kp:trace:1"
    assert masked_in(f"a {SECRET} b {SECRET} c") == "a sk-I•••• b sk-I•••• c"


def test_what_is_found_is_compared_in_linear_time():
    header = FOUND[FurtherKind.PRIVATE_KEY] + "\n"

    def took(times):
        def once():
            start = process_time()
            assert len(in_clear(header * times)) == times
            return process_time() - start

        return min(once() for _ in range(3))

    assert took(8_000) < 24 * took(1_000)


def test_what_is_found_in_a_value_is_not_said_of_its_name_again():
    found = in_clear({"input": {"token": FOUND[FurtherKind.NPM_TOKEN]}})
    assert [one.kind for one in found] == [FurtherKind.NPM_TOKEN]
