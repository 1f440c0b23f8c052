"""An explanation as text, HTML and Markdown: only our own markup, whatever a trace holds."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from types import SimpleNamespace
from urllib.parse import unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from kpinspector.files import resources
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.trace.printable import printable
from kpinspector.words.explanation import Beside
from kpinspector.words.page import (
    Answer,
    Bar,
    Cell,
    Column,
    Mention,
    Paragraph,
    Section,
    Sign,
    Table,
)
from kpinspector.words.sentences import Run
from kpinspector.words.summary import Front
from kpinspector.words.writers.explanation_html import STYLE_FILE, HtmlPage
from kpinspector.words.writers.explanation_text import explanation_cells, explanation_text
from kpinspector.words.writers.pages import MarkdownPage
from tests.explained import GOLDENS, goldens, page_of
from tests.strategies import hostile_texts

MARKUP = st.text(st.sampled_from("<>&\"'/=!-;x \n")) | st.sampled_from([
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</style><b>", "<!--",
    "&lt;b&gt;",
])  # fmt: skip


class Parser(HTMLParser):
    """Collects elements with their attributes, and the text of the body."""

    def __init__(self):
        super().__init__()
        self.found, self.text = [], []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, tuple(sorted((name, value) for name, value in attrs))))

    def handle_data(self, data):
        self.text.append(data)

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")


def parsed(page):
    parser = Parser()
    parser.feed(page)
    parser.close()
    return parser


@given(hostile_texts() | MARKUP)
def test_all_elements_are_ours(text):
    one = parsed(page_of(HtmlPage, [explanation_with(text)], text))
    plain = parsed(page_of(HtmlPage, [explanation_with("x")], "x"))
    assert one.found == plain.found or not text


@given(MARKUP)
def test_text_is_shown_as_it_stands(text):
    shown = " ".join(re.sub(r"\s+", " ", text).split())
    found = "".join(parsed(page_of(HtmlPage, [explanation_with(text)], "")).text)
    assert shown in " ".join(found.split())


def test_the_page_forbids_all_but_its_own_style():
    page = page_of(HtmlPage, [explanation_with("x")], "x")
    (style,) = re.findall("<style>(.*)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policies = [
        dict(attrs)["content"]
        for tag, attrs in parsed(page).found
        if tag == "meta" and ("http-equiv", "Content-Security-Policy") in attrs
    ]
    assert policies == [
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    ]
    assert not re.search(
        r"url\(|@import|https?:|<script|<link|<img|\son\w+=|\sstyle=|\shref=", page
    )


def test_bars_are_placed_on_a_common_axis():
    rows = (
        (Cell("a"), Cell(bar=Bar(0.0, 0.5, Dimension.COMPLEXITY, threshold=0.75))),
        (Cell("b"), Cell(bar=Bar(1.5, -0.5, assumed=True, threshold=0.75))),
    )
    table = Table((Column(), Column()), rows)
    one = explanation_with("x")
    one.sections = (Section("Chart", (table,)),)
    page = page_of(HtmlPage, [one], "")
    rules = dict(re.findall(r"\.(p\d+) { (.*?) }", page))
    bars = re.findall(r'class="bar (\w+) (p\d+)"', page)
    assert [(kind, rules[name]) for kind, name in bars] == [
        ("complexity", "left: 25.00%; width: 25.00%"),
        ("assumed", "left: 0.00%; width: 100.00%"),
    ]
    limits = re.findall(r'class="limit (p\d+)"', page)
    assert {rules[name] for name in limits} == {"left: 62.50%"}


def naming(name, key, other):
    """An explanation of one trace that names another, in its answer and in a table."""
    one = explanation_with(name)
    cell = Cell(f"like {other[0]}, nearest", mention=Mention(*other))
    one.sections = (Section("Near", (Table((Column("entry"),), ((cell,),)),)),)
    one.sentence = (Run("It is "), Run(other[0], strong=True, key=other[1]))
    one.key, one.beside, one.ends = key, Beside(), None
    return one


def linked_page():
    names = [("<i>", "k1"), ("b", "k2")]
    every = [naming(*names[0], names[1]), naming(*names[1], names[0])]
    front = Front(Answer("2 traces", (), ()), tuple(Mention(*one) for one in names))
    return page_of(HtmlPage, every, "made", front)


def test_names_of_traces_on_the_page_are_links_to_them():
    page = linked_page()
    found = parsed(page).found
    assert [dict(attrs)["id"] for tag, attrs in found if tag == "article" and attrs] == ["t1", "t2"]
    links = [dict(attrs)["href"] for tag, attrs in found if tag == "a"]
    assert links == ["#t1", "#t2", "#t2", "#t2", "#t1", "#t1"]  # the index, then each article
    assert 'like <a href="#t1">&lt;i&gt;</a>, nearest' in page
    assert '<strong><a href="#t2">b</a></strong>' in page


def test_a_trace_that_is_not_on_the_page_is_no_link():
    one = naming("a", "k1", ("b", "k2"))
    page = page_of(HtmlPage, [one], "made", Front(Answer("1 trace", (), ()), (Mention("a", "k1"),)))
    assert page.count("<a ") == 1 and "like b, nearest" in page


def test_a_text_without_a_key_is_no_link_beside_what_has_none():
    one = naming("a", "", ("b", ""))
    page = page_of(HtmlPage, [one], "made", Front(Answer("1 trace", (), ()), (Mention("a", ""),)))
    assert page.count("<a ") == 1


def test_the_style_has_no_rule_for_what_is_never_written():
    style = (resources() / STYLE_FILE).read_text("utf-8")
    assert "<" not in style and style.isascii()


OURS = {
    "h1_open", "h2_open", "paragraph_open", "table_open", "thead_open", "tbody_open", "tr_open",
    "th_open", "td_open", "hr", "inline", "text", "text_special", "strong_open",
}  # fmt: skip
RENDERER = MarkdownIt("gfm-like", {"html": True})
MARKDOWN = st.text(st.sampled_from("\\`*_{}[]<>()#+-.!|~&:;@/='\"^$0a \n\t")) | st.sampled_from([
    "![x](https://example.org/x.png)", "[x](javascript:alert(1))", "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>", "https://example.org/a_b", "www.example.org", "example.org",
    "someone@example.org", "mailto:someone@example.org", "[x]: https://example.org",
    "\n\n# heading\n\n- item\n", "| a | b |\n|---|---|", "&lt;b&gt; &#106;avascript", "`` ` ``",
    "1. one", "===", "a\\", "\\|",
])  # fmt: skip


def rendered(text):
    """The types of all elements, and the text between them."""
    tokens = RENDERER.parse(page_of(MarkdownPage, [explanation_with(text)], text))
    every = [inner for token in tokens for inner in (token, *(token.children or ()))]
    types = [re.sub("_close$", "_open", token.type) for token in every]
    types = [
        token.tag + "_open" if token.type == "heading_open" else one
        for token, one in zip(every, types, strict=True)
    ]
    return types, "".join(token.content for token in every if token.type.startswith("text"))


@given(hostile_texts() | MARKDOWN)
@example("[x](y)")
def test_all_markup_is_ours(text):
    types, _ = rendered(text)
    assert set(types) - {"heading_open"} <= OURS


@pytest.mark.parametrize(
    "text", ["a_b*c*", "<b>", "[x](y)", "x|y", "&amp;", "\\*", "a.b.c", "12. x"]
)
def test_text_is_shown_as_it_stands_in_markdown(text):
    assert text in rendered(text)[1]


@given(MARKDOWN.filter(str.strip))
def test_as_many_rows_and_headings_whatever_stands_in_them(text):
    types, _ = rendered(text)
    plain, _ = rendered("x")
    for one in ("table_open", "tr_open", "td_open", "h1_open", "h2_open", "hr"):
        assert types.count(one) == plain.count(one)


@pytest.mark.parametrize("text", ["@someone", "see #12"])
def test_names_and_numbers_are_not_linked_by_sites_that_look_for_them(text):
    written = page_of(MarkdownPage, [explanation_with(text)], "")
    assert not re.search(r"[@#]\w", written)


@given(hostile_texts() | MARKDOWN)
@example("](https://example.org)")
@example("What they need to pass")
@example("İ")
def test_links_lead_to_headings_whatever_a_trace_is_called(text):
    names = ((text, "k1"), (text, "k2"))
    every = [naming(*names[0], names[1]), naming(*names[1], names[0])]
    front = Front(Answer("2 traces", (), ()), tuple(Mention(*one) for one in names))
    tokens = RENDERER.parse(page_of(MarkdownPage, every, "", front))
    inner = [child for token in tokens for child in token.children or ()]
    links = [str(child.attrs["href"]) for child in inner if child.type == "link_open"]
    assert all(re.fullmatch(r"#[\w%-]*", link) for link in links)
    if text.strip().isalpha():
        name = text.strip().lower()
        wanted = {f"#{name}", f"#{name}-1"}
        assert {unquote(link) for link in links} == wanted


# a column without any text is taken for a chart
some_texts = hostile_texts().filter(str.strip)


def explanation_with(text):
    """An explanation that has a text wherever one can stand."""
    table = Table(
        (Column(text), Column("", figure=True), Column("bar")),
        (
            (Cell(text, dimension=Dimension.NOVELTY), Cell("1.5", 1.5), Cell(text, strong=True)),
            (Cell(text, sign=Sign.REJECTED), Cell(), Cell()),
        ),
    )
    sentence = (Run(text), Run(text, strong=True))
    return SimpleNamespace(
        name=text,
        sign=Sign.REJECTED,
        word="Rejected",
        margin="Short by 0.1000",
        score=Cell("0.6500", 0.65),
        threshold=Cell("0.7500", 0.75),
        needs="needs 0.7500",
        sentence=sentence,
        remarks=(text,),
        sections=(Section("Title", (table, Paragraph(sentence)), text),),
    )


def test_goldens():
    for name, text in goldens().items():
        assert text == (GOLDENS / name).read_text("utf-8")


@given(some_texts)
def test_no_text_adds_a_line_or_a_sequence(text):
    written = explanation_text(explanation_with(text))
    plain = explanation_text(explanation_with("x"))
    assert written.count("\n") == plain.count("\n")
    assert all(printable(line) == line for line in written.split("\n"))


@given(some_texts)
def test_no_text_adds_a_cell(text):
    written = explanation_cells(explanation_with(text)).splitlines()
    plain = explanation_cells(explanation_with("x")).splitlines()
    assert [line.count("\t") for line in written] == [line.count("\t") for line in plain]


def test_figures_are_aligned_and_have_their_whole_double_where_they_are_pasted():
    lines = explanation_text(explanation_with("name")).splitlines()
    assert lines[7:10] == ["  name         bar", "  N name  1.5  name", "  name"]
    assert "name\t1.5\tname" in explanation_cells(explanation_with("name")).splitlines()


def test_nothing_but_figures_and_signs_keeps_a_column_wider_than_its_page():
    style = (resources() / STYLE_FILE).read_text("utf-8")
    unbroken = re.findall(r"([^{}]+){[^{}]*nowrap[^{}]*}", style)
    assert [one.strip() for one in unbroken] == [".figure"]
