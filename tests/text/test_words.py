"""The words of pages made by hand, as the documentation defines them."""

import pytest

from mr_reuse import kernel
from mr_reuse.text.page_words import HTML, PLAIN, XML, WordRule, iter_words, read_words

DROP, KEEP = WordRule('drop'), WordRule('keep')
PAPER = WordRule('drop', 'paper')


@pytest.fixture(autouse=True, params=['kernel', 'pure'])
def way(request, monkeypatch):
    """Each test runs with the kernel and without."""
    if request.param == 'pure':
        monkeypatch.setenv(kernel.PURE, '1')
    elif not kernel.load():
        pytest.skip(kernel.version())


def words(body, charset='utf-8', kind=HTML, rule=DROP):
    body = body if isinstance(body, bytes) else body.encode()
    return ' '.join(w.decode() for w in read_words(body, charset, kind, rule).words())


TEXTS = {
    '<p>One <b>t</b>wo</p>three': 'one t wo three',
    'a</>b a<!---->b a<!>b a<?b>c': 'ab a b a b a c',
    'a<![CDATA[b>c]]>d </ x>e': 'a c d e',
    'a<b title="x>y" z>c <a b=">"c>d': 'a c d',
    '<title>A &lt;b> &amp; c</title><textarea><p>x</textarea>y': 'a b c p x y',
    '<xmp><b>&amp;</xmp>c <noscript><i>d</i></noscript><template>e</template>': (
        'b amp c d e'
    ),
    'a<script>b<!--<script></script>c--></script>d<style>e</style>f': 'a d f',
    'a<script/>b</script>c<plaintext>d</plaintext>e': 'a c d plaintext e',
    'caf&eacute;s &notit; &amp &copycat &nix; a&nbsp;b': 'cafés it cat nix a b',
    '&#65;&#x42;&#150;&#x8A; &#; &#x; &#xD800;c &#0;d': 'ab š x c d',
    'open <a href="b>c': 'open',
    'open <!-- b>c': 'open',
    'open <title>b</title': 'open b title',
    "it's a_b A1 ½ x² Ⅷ": 'it s a b a1 ½ x² ⅷ',
    'İstanbul ΣΑΣ STRASSE ẞ': 'istanbul σασ strasse ß',
    'e\u0301a \u0301b': 'e\u0301a \u0301b',
    '漢字かなカナ々〇ー〆x': '漢 字 か な カ ナ 々 〇ー〆x',
    'กัน ๑๒ဗမာ': 'กั น ๑๒ ဗ မာ',
    'a漢b\u0301c': 'a 漢 b\u0301c',
    '漢\u0301字': '漢\u0301 字',
}


@pytest.mark.parametrize('text', TEXTS)
def test_words(text):
    assert words(text) == TEXTS[text]


def test_scripts_are_kept():
    page = 'a<script>b&amp;<c></script>d<style>e</style>f'
    assert words(page, rule=KEEP) == 'a b amp c d e f'
    page = '<script>b<!--<script></script>c--></script>d'
    assert words(page, rule=KEEP) == 'b script script c d'


def test_words_of_the_paper():
    assert words('漢字 e\u0301a 〇x A²', rule=PAPER) == '漢字 e a 〇x a²'


def test_text_without_markup():
    assert words('a<b>c &amp; d', kind=PLAIN) == 'a b c amp d'
    assert words('a<b>c &amp; d', kind=XML) == 'a c d'


CHARSETS = [
    (b'\xef\xbb\xbf\xc3\xa9', 'latin1', 'é'),
    ('é'.encode('utf-16'), 'utf-8', 'é'),
    ('﻿é'.encode('utf-16-be'), '', 'é'),
    (b'\xe9', 'ISO-8859-1 ', 'é'),
    (b'\xe9 ', 'no such label', 'é'),
    (b'\xc3\xa9', 'no such label', 'é'),
    (b'\xc3\xa9\xc3', '', 'é'),
    (b'\xc3\xa9\xc3 ', '', 'ã ã'),
    (b'<meta charset=koi8-r>\xd1', '', 'я'),
    (b'<meta charset=koi8-r>\xd1', 'latin1', 'ñ'),
    (b'<meta charset=utf-16>\xc3\xa9', '', 'é'),
    (b'<meta charset=nix><meta charset=koi8-r>\xd1', '', 'я'),
    (b'<meta charset=x-user-defined>\xe9', '', 'é'),
    (b'\xe9a', 'x-user-defined', 'a'),
    (b'\xe9a', 'iso-2022-kr', 'a'),
    ('北'.encode('gb2312'), 'gb2312', '北'),
    (b'\x93\xfa\x96{', 'shift_jis', '日 本'),
    ('가똠'.encode('cp949'), 'euc-kr', '가똠'),
    (b'\xa4\xa4\x88\x62', 'big5', '中 ê̄'),
    (b'\x1b$BF|K\\\x1b(Bx', 'iso-2022-jp', '日 本 x'),
    (b'\x81\x30\x81\x30a\x81', 'gbk', 'a'),
    (b'<?xml encoding="koi8-r"?>\xd1 ', '', 'ñ'),
    (b'<!--' + b' ' * 1000 + b'--><meta charset=koi8-r>\xd1 ', '', 'ñ'),
]


@pytest.mark.parametrize(('body', 'charset', 'expected'), CHARSETS)
def test_charsets(body, charset, expected):
    assert words(body, charset) == expected


@pytest.mark.parametrize('kind', [PLAIN, XML])
def test_only_html_declares_its_charset(kind):
    found = words(b'<meta charset=koi8-r>\xd1 ', '', kind).split()
    assert found[-1] == 'ñ'


@pytest.mark.parametrize('count', range(6))
def test_few_words(count):
    page = read_words(b'<p>x</p>' * count, 'utf-8', HTML, DROP)
    assert (page.count, page.lanes().shape, page.offsets().shape) == (
        count,
        (count, 2),
        (count, 2),
    )
    assert page.words() == [b'x'] * count


@pytest.mark.parametrize(
    ('body', 'charset'),
    [
        ('<p>Caf&eacute; ÉÉ</p>漢字 a</>b'.encode(), 'utf-8'),
        (b'x\xff\xfeword', 'utf-8'),
        ('a漢字b ÉÉ'.encode('gb18030'), 'gbk'),
        ('a漢字b ÉÉ'.encode('utf-16-le'), 'utf-16le'),
        (b'a \x1b$BF|K\\\x1b(Bx', 'iso-2022-jp'),
        ('ÉÉ é'.encode('cp1252'), 'latin1'),
    ],
)
def test_offsets(body, charset):
    """The bytes at the offsets of a word, decoded alone, are the word."""
    page = read_words(body, charset, HTML, DROP)
    codec = {'utf-8': 'utf-8', 'gbk': 'gb18030', 'latin1': 'cp1252'}.get(
        charset, charset
    )
    for word, (start, stop) in zip(page.words(), page.offsets().tolist(), strict=True):
        shown = body[start:stop]
        if charset == 'iso-2022-jp' and shown not in {b'x', b'a'}:
            shown = b'\x1b$B' + shown.removeprefix(b'\x1b$B')
        text = (
            shown.decode(codec, 'replace').replace('&eacute;', 'é').replace('</>', '')
        )
        assert text.lower().encode() == word


def test_same_words_have_the_same_lanes():
    page = read_words('Éa b <b>éa</b> &eacute;A'.encode(), 'utf-8', HTML, DROP)
    other = read_words('éa'.encode('latin1'), 'latin1', PLAIN, KEEP)
    lanes = page.lanes().tolist()
    assert lanes[0] == lanes[2] == lanes[3] == other.lanes().tolist()[0] != lanes[1]
    assert len(set(lanes[0])) == 2


@pytest.mark.parametrize('charset', ['utf-8', '', 'latin1', 'gbk'])
def test_parts_of_a_body(charset):
    body = '<p>One caf&eacute; 漢字 <script>x</script>'.encode() * 3
    whole = read_words(body, charset, HTML, DROP)
    pieces = [body[i : i + 7] for i in range(0, len(body), 7)]
    parts = list(iter_words(pieces, charset, HTML, DROP))
    assert [row for p in parts for row in p.lanes().tolist()] == whole.lanes().tolist()
    assert [row for p in parts for row in p.offsets().tolist()] == (
        whole.offsets().tolist()
    )
    assert read_words(pieces, charset, HTML, DROP).words() == whole.words()
