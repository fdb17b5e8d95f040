"""The text of pages for people: the places of its words, and its lines."""

import random

import pytest
from reference_words import words_of

from mr_reuse.text.page_text import read_text
from mr_reuse.text.page_words import HTML, PLAIN, WordRule

PIECES = [
    *('<p>', '<br/>', '</div>', 'a', 'B ', '&eacute;', '&#233', '<!-- x -->', '</>'),
    *('<script>x</script>', 'é', '漢字', '\n', f'<p class="{"x" * 3000}>">', '<', '&'),
    *('<title>q &amp; r</title>', '<textarea>', '</textarea>', '</style>', '<style>'),
]


@pytest.mark.random
@pytest.mark.parametrize('kind', [HTML, PLAIN])
def test_places_of_words(kind):
    dice = random.Random(7)
    for _ in range(300):
        body = ''.join(dice.choices(PIECES, k=dice.randrange(25)))
        page = read_text(body.encode(), 'utf-8', kind, WordRule('drop'))
        found = [page.text[start:stop].lower() for start, stop in page.words.tolist()]
        assert found == [word for word, _, _ in words_of(body, kind == HTML)]


def test_lines():
    """A tag that begins a line in a browser does so here, also a very long one."""
    body = f'<p>a\nb</p><div class="{"x" * 3000}">c <i>d</i><br>e</div>'
    page = read_text(body.encode(), '', HTML, WordRule('drop'))
    assert [' '.join(line.split()) for line in page.text.split('\n') if line] == [
        'a b',
        'c d',
        'e',
    ]
    assert read_text(b'a\nb', '', PLAIN, WordRule('drop')).text == 'a\nb'
