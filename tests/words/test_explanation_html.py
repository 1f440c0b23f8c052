"""An explanation as HTML: only our own elements, nothing loaded, the colours of the window."""

import base64
import hashlib
import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from kpinspector.files import resources
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.words.page import Answer, Bar, Cell, Column, Mention, Section, Table
from kpinspector.words.sentences import Run
from kpinspector.words.summary import Front
from kpinspector.words.writers.explanation_html import STYLE_FILE, HtmlPage
from tests.explained import GOLDENS, goldens
from tests.strategies import hostile_texts
from tests.words.test_explanation_text import explanation_with

MARKUP = st.text(st.sampled_from("<>&\"'/=!-;x \n")) | st.sampled_from(
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "</style><b>",
        "<!--",
        "&lt;b&gt;",
    ]
)


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
    one = parsed(HtmlPage.of([explanation_with(text)], text))
    plain = parsed(HtmlPage.of([explanation_with("x")], "x"))
    assert one.found == plain.found or not text


@given(MARKUP)
def test_text_is_shown_as_it_stands(text):
    shown = " ".join(re.sub(r"\s+", " ", text).split())
    found = "".join(parsed(HtmlPage.of([explanation_with(text)], "")).text)
    assert shown in " ".join(found.split())


def test_the_page_forbids_all_but_its_own_style():
    page = HtmlPage.of([explanation_with("x")], "x")
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
    page = HtmlPage.of([one], "")
    rules = dict(re.findall(r"\.(p\d+) { (.*?) }", page))
    bars = re.findall(r'class="bar (\w+) (p\d+)"', page)
    assert [(kind, rules[name]) for kind, name in bars] == [
        ("complexity", "left: 25.00%; width: 25.00%"),
        ("assumed", "left: 0.00%; width: 100.00%"),
    ]
    limits = re.findall(r'class="limit (p\d+)"', page)
    assert {rules[name] for name in limits} == {"left: 62.50%"}


def test_a_page_of_several():
    page = HtmlPage.of([explanation_with("a"), explanation_with("b")], "made")
    assert "<title>2 traces - kpinspector</title>" in page
    assert page.count("<article>") == page.count("</article>") == 2


def naming(name, key, other):
    """An explanation of one trace that names another, in its answer and in a table."""
    one = explanation_with(name)
    cell = Cell(f"like {other[0]}, nearest", mention=Mention(*other))
    one.sections = (Section("Near", (Table((Column("entry"),), ((cell,),)),)),)
    one.sentence = (Run("It is "), Run(other[0], strong=True, key=other[1]))
    one.key, one.reach, one.possible, one.assessment = key, None, None, None
    return one


def linked_page():
    names = [("<i>", "k1"), ("b", "k2")]
    every = [naming(*names[0], names[1]), naming(*names[1], names[0])]
    front = Front(Answer("2 traces", (), ()), tuple(Mention(*one) for one in names))
    return HtmlPage.of(every, "made", front)


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
    page = HtmlPage.of([one], "made", Front(Answer("1 trace", (), ()), (Mention("a", "k1"),)))
    assert page.count("<a ") == 1 and "like b, nearest" in page


def test_a_text_without_a_key_is_no_link_beside_what_has_none():
    one = naming("a", "", ("b", ""))
    page = HtmlPage.of([one], "made", Front(Answer("1 trace", (), ()), (Mention("a", ""),)))
    assert page.count("<a ") == 1


def test_golden():
    assert goldens()["visit-08.html"] == (GOLDENS / "visit-08.html").read_text("utf-8")


def test_the_style_has_no_rule_for_what_is_never_written():
    style = (resources() / STYLE_FILE).read_text("utf-8")
    assert "<" not in style and style.isascii()
