"""An explanation as Markdown: renderers find no markup in what comes from a trace."""

import re
from urllib.parse import unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from kpinspector.words.page import Answer, Mention
from kpinspector.words.summary import Front
from kpinspector.words.writers.explanation_markdown import MarkdownPage
from tests.explained import GOLDENS, goldens
from tests.strategies import hostile_texts
from tests.words.test_explanation_html import naming
from tests.words.test_explanation_text import explanation_with

OURS = {
    "h1_open", "h2_open", "paragraph_open", "table_open", "thead_open", "tbody_open", "tr_open",
    "th_open", "td_open", "hr", "inline", "text", "text_special", "strong_open",
}  # fmt: skip
RENDERER = MarkdownIt("gfm-like", {"html": True})
MARKUP = st.text(st.sampled_from("\\`*_{}[]<>()#+-.!|~&:;@/='\"^$0a \n\t")) | st.sampled_from(
    [
        "![x](https://example.org/x.png)",
        "[x](javascript:alert(1))",
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "https://example.org/a_b",
        "www.example.org",
        "someone@example.org",
        "mailto:someone@example.org",
        "example.org",
        "[x]: https://example.org",
        "\n\n# heading\n\n- item\n",
        "| a | b |\n|---|---|",
        "&lt;b&gt; &#106;avascript",
        "`` ` ``",
        "1. one",
        "===",
        "a\\",
        "\\|",
    ]
)


def rendered(text):
    """The types of all elements, and the text between them."""
    tokens = RENDERER.parse(MarkdownPage.of([explanation_with(text)], text))
    every = [inner for token in tokens for inner in (token, *(token.children or ()))]
    types = [re.sub("_close$", "_open", token.type) for token in every]
    types = [
        token.tag + "_open" if token.type == "heading_open" else one
        for token, one in zip(every, types, strict=True)
    ]
    return types, "".join(token.content for token in every if token.type.startswith("text"))


@given(hostile_texts() | MARKUP)
@example("[x](y)")
def test_all_markup_is_ours(text):
    types, _ = rendered(text)
    assert set(types) - {"heading_open"} <= OURS


@pytest.mark.parametrize(
    "text", ["a_b*c*", "<b>", "[x](y)", "x|y", "&amp;", "\\*", "a.b.c", "12. x"]
)
def test_text_is_shown_as_it_stands(text):
    assert text in rendered(text)[1]


@given(MARKUP.filter(str.strip))
def test_as_many_rows_and_headings_whatever_stands_in_them(text):
    types, _ = rendered(text)
    plain, _ = rendered("x")
    for one in ("table_open", "tr_open", "td_open", "h1_open", "h2_open", "hr"):
        assert types.count(one) == plain.count(one)


@pytest.mark.parametrize("text", ["@someone", "see #12"])
def test_names_and_numbers_are_not_linked_by_sites_that_look_for_them(text):
    written = MarkdownPage.of([explanation_with(text)], "")
    assert not re.search(r"[@#]\w", written)


@given(hostile_texts() | MARKUP)
@example("](https://example.org)")
@example("Reach")
def test_links_lead_to_headings_whatever_a_trace_is_called(text):
    names = ((text, "k1"), (text, "k2"))
    every = [naming(*names[0], names[1]), naming(*names[1], names[0])]
    front = Front(Answer("2 traces", (), ()), tuple(Mention(*one) for one in names))
    tokens = RENDERER.parse(MarkdownPage.of(every, "", front))
    inner = [child for token in tokens for child in token.children or ()]
    links = [str(child.attrs["href"]) for child in inner if child.type == "link_open"]
    assert all(re.fullmatch(r"#[\w%-]*", link) for link in links)
    if text.strip().isalpha():
        name = text.strip().lower()
        wanted = {f"#{name}", f"#{name}-1"}
        assert {unquote(link) for link in links} == wanted


def test_golden():
    assert goldens()["visit-08.md"] == (GOLDENS / "visit-08.md").read_text("utf-8")
