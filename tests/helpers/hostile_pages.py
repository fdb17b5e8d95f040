"""Pieces of which random pages for the tokenizer consist, and pages that cost much."""

from hypothesis import strategies as st

MARKUP = """< > </ </> <!-- --> --!> - ! ? / = " ' <p> <b <br/> </p> <svg> <noscript>
<script> </script> <script </script <style> </style> <title> </title
<textarea> </textarea> <plaintext> <xmp> </xmp <iframe>
</iframe> <!doctype <!-- <! <![CDATA[ ]]>
<a href="x>y"> <a b='c'> <a b=c/> <SCRIPT> </ScRiPt> <ſcript> <a/=b> <a=="x">""".split()
REFERENCES = """& &amp; &amp &eacute &eacute; &notit; &not &notin; &fjlig;
&NotEqualTilde; &CounterClockwiseContourIntegral; &# &#x &#65 &#x41; &#150;
&#55555; &#0; &#x110000; &#65;7
&#000000000000000000000000000000000000000000000000000000000065; &nix; ; 65 x""".split()
LETTERS = [
    'a',
    'B7',
    'Wort',
    'longerthaneight',
    'sixteencharacter',
    'x' * 50,
    ' ',
    '\n',
]
LETTERS += ['und so weiter ', '. ', '\f', '\0', 'é', 'É', 'İ', 'Σ', 'ſ', 'K']
LETTERS += ['漢', '字', '々', '〇', 'ー', 'ก', 'ั', '\u0301', '𝒳', '😀']
PAGES = st.one_of(
    st.lists(st.sampled_from(pieces), max_size=60).map(''.join)
    for pieces in (MARKUP + REFERENCES + LETTERS, MARKUP + LETTERS[:8], LETTERS)
)
SPOILED = [
    b'\xff',
    b'\xe2\x82',
    b'\xc3',
    b'\xed\xa0\x80',
    b'\xf0\x9f',
    b'\x80',
    b'\x1b$B',
]
BODIES = st.lists(
    st.sampled_from([p.encode() for p in MARKUP + REFERENCES + LETTERS] + SPOILED),
    max_size=60,
).map(b''.join)


def large_pages(size: int) -> dict[str, bytes]:
    """Pages of about this many bytes, which cost much in one way or another."""
    return {
        'less-than signs': b'<' * size,
        'ampersands': b'&' * size,
        'nested tags': b'<div>' * (size // 5),
        'special tags': b'<title>x</title>' * (size // 16),
        'cut tags': b'<a b="' * (size // 6),
        'odd tags': b"<a='b'>" * (size // 7),
        'an open comment': b'<!--' + b'->-- ' * (size // 5),
        'short comments': b'<!--x--!>' * (size // 9),
        'an open script': b'<script>' + b'<!-- <script> -- ' * (size // 17),
        'an open quote': b'<a b="' + b"x>'" * (size // 3),
        'an open title': b'<title>' + b'</titl' * (size // 6),
        'a long reference': b'&#' + b'0' * size + b'65;',
        'a long name': b'&' + b'a' * size,
        'partial references': b'&notit;' * (size // 7),
        'a long word': b'x' * size,
        'a repeated word': b'word ' * (size // 5),
        'letters without spaces': '漢'.encode() * (size // 3),
        'marks': '\u0301'.encode() * (size // 2),
        'bytes of no character': b'\xff' * size,
    }
