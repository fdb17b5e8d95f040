"""The start tags of pages, against other tokenizers."""

import html.parser
import random
import re

import pytest
from reference_words import Tokenizer

from mr_reuse.text.start_tags import LONGEST_GENERATOR, read_start_tags

PIECES = [
    *('<p>', '<P CLASS="a b">', "<div class='c'>", '<td class=d/>', '</p>', '</div '),
    *(
        '<!-- <b> -->',
        '<!DOCTYPE html>',
        '<script>',
        '</script>',
        '<style>',
        '</style>',
    ),
    *('<title>', '</title>', '<a href="x>y"class=e>', 'text', '<', '>', '"', "'", '='),
    *('<br/>', '<img/src=x>', '<ÀÉ>', '<b\0c>', '&lt;', '<1>', '<?x>', '\n', ' '),
    *('<textarea>', '</textarea>', '<x-y z>', '<i ="=">', '<plaintext>'),
]


def names_of(tags: str) -> list[str]:
    """The names of the start tags in what the reference emits."""
    return re.findall(r'<([^/>][^/>]*)/?>', tags)


@pytest.mark.random
@pytest.mark.parametrize('seed', range(30))
def test_names(seed):
    dice = random.Random(seed)
    for _ in range(20):
        text = ''.join(dice.choices(PIECES[:-1], k=dice.randint(0, 30)))
        text += dice.choice(['', *PIECES])
        reference = Tokenizer(text, keeps_scripts=False)
        reference.run()
        found = read_start_tags(text.encode(), 10**6).tags
        assert [tag.name for tag in found] == names_of(reference.tags)


class Classes(html.parser.HTMLParser):
    """What Python's parser says of pages without mistakes."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        first = dict(reversed(attrs))
        self.found.append((tag, tuple((first.get('class') or '').split())))


@pytest.mark.parametrize('seed', range(10))
def test_classes(seed):
    dice = random.Random(seed)
    text = ''
    for _ in range(200):
        name = dice.choice(['p', 'DIV', 'td', 'x-y'])
        pairs = [
            dice.choice(['class', 'CLASS', 'id', 'data-class', 'title'])
            + dice.choice(['="{}"', "='{}'", ' = "{}"']).format(
                dice.choice(['a', 'b  c', ' d\n', '', 'class=x', 'é ü', '>'])
            )
            for _ in range(dice.randint(0, 3))
        ]
        text += (
            f'<{" ".join([name, *pairs])}{dice.choice(["", " ", " /"])}>word</{name}>'
        )
    parser = Classes()
    parser.feed(text)
    found = read_start_tags(text.encode(), 10**6).tags
    assert [(tag.name, tag.classes) for tag in found] == parser.found


@pytest.mark.parametrize(
    ('page', 'expected'),
    [
        (b'<meta name="generator" content="Doxygen 1.9.4"/>', 'Doxygen 1.9.4'),
        (b'<META CONTENT=x NAME=GENERATOR>', 'x'),
        (b'<meta name=" generator\n" content=" a \t\n b ">', 'a b'),
        (b'<meta name=generator>', ''),
        (b'<!-- <meta name=generator content=x> -->', ''),
        (b'<script>"<meta name=generator content=x>"</script>', ''),
        (b'<p name=generator content=x>', ''),
        (b'<meta name=description content="generator">', ''),
        (b'<meta name=generator content=a><meta name=generator content=b>', 'a'),
        (b'<meta name=generator content="' + b'x' * 999, ''),
        (b'<meta name=generator content="%b">' % (b'x' * 999), 'x' * LONGEST_GENERATOR),
        (
            '<meta name=generator content="Größe\udcff">'.encode(
                errors='surrogateescape'
            ),
        )
        + ('Größe\udcff',),
    ],
)
def test_generator(page, expected):
    assert read_start_tags(page, 99).generator == expected


def test_bounds():
    """A page of many tags, or of one endless tag, costs no more than the bounds."""
    many = b'<p class=a>' * 5000
    assert len(read_start_tags(many, 1000).tags) == 1000
    assert read_start_tags(b'<p class="' + b'x ' * 10**5, 99).tags == []
    assert read_start_tags(b'<p class="' + b'x ' * 10**5 + b'">', 99).tags == []
    assert read_start_tags('<p>'.encode('utf-16'), 99).tags == []
