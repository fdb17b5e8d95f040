"""The reference against constants worked out by hand or published elsewhere."""

from reference import (
    Options,
    Page,
    chunks_of,
    components,
    digest,
    host_of,
    is_loop,
    is_text,
    normalized,
    preview,
    printable,
    tables,
)

CCR2019 = Options(preset='ccr2019')
ISLAM = 'www.usc.edu/dept/MSA/fundamentals/prophet/'
GEOCITIES = 'geocities/YAHOOIDS/P/i/Pipeline/4966/islam/islam/'


def test_mini_oracle():
    chunks = chunks_of(b'H<p>one<p>two<p>one', Options())
    assert chunks == [b'H', b'<p>one', b'<p>two', b'<p>one']
    starts = [digest(chunk)[:8] for chunk in chunks]
    assert starts == ['7cf184f4', '64a99fd0', '39ed4993', '64a99fd0']


def test_preset_delimiters():
    text = b'<P/>x<pre>y<p\nz<p\tq<P'
    assert chunks_of(text, CCR2019) == [b'<P/>x<pre>y<p\nz', b'<p\tq<P']
    assert chunks_of(text, Options()) == [b'<P/>x<pre>y', b'<p\nz', b'<p\tq<P']


def test_division_delimiters():
    text = b'<div><p>a</p></div><DIV\fid=x><divan>'
    halves = [b'<div>', b'<p>a</p></div>', b'<DIV\fid=x><divan>']
    assert chunks_of(text, Options()) == halves
    assert chunks_of(text, CCR2019) == [b'<div>', b'<p>a</p></div><DIV\fid=x><divan>']


def test_repeats_stay():
    assert chunks_of(b'<p><p>', Options()) == [b'<p>', b'<p>']


def test_no_delimiter():
    assert chunks_of(b'plain', Options()) == [b'plain']
    assert chunks_of(b'', Options()) == []


def test_normalizers():
    text = b'\n a \t b\r\n\r\nc\v '
    assert normalized(text, 'collapse') == b' a b c '
    assert normalized(text, 'auntietuna') == b'a bc'
    assert normalized(text, 'none') == text


def test_text_told():
    assert is_text(b' \n') and is_text(b'\xff\xfea\0') and is_text(b'\xc3(')
    assert is_text(b'\x01' + b'a' * 9) and not is_text(b'\x01' + b'a' * 8)
    assert not is_text(b'') and not is_text(b'a\0') and not is_text(b'%PDF-1.4')
    assert is_text(b'a' * 1024 + b'\0')


def test_hosts_told():
    assert host_of('http://User@A.org:80/B') == 'a.org'
    assert host_of('https://a.org:80?x') == 'a.org:80'
    assert host_of('HTTPS://[::1]:443/') == '[::1]'
    assert host_of('dns:a.org') == ''


def test_loops_told():
    assert is_loop(GEOCITIES + ISLAM * 4 + 'islam/islam', 'both')
    assert not is_loop('h/a/a/a/x', 'both') and is_loop('h/a/a/a/a/x', 'both')
    assert is_loop('h/en/docs/en/docs/x', 'both')
    assert not is_loop('h/en/docs/en/x', 'both')
    assert not is_loop('http://h' + '/d' * 96, 'length')
    assert is_loop('http://h' + '/d' * 97, 'length')


def test_components_told():
    assert components('http://h//a/b/?c/d#e/f') == ['a', 'b']
    assert components('http://h?a/b') == []


def test_url_bytes():
    assert printable('http://h/a b\n\x7fü') == 'http://h/a%20b%0A%7F%C3%BC'


def test_preview_bytes():
    assert preview(b'a\r\n\x1f\x7fb') == 'a    b'
    assert preview('\x85\u2028\u2029é'.encode()) == '   é'
    assert preview(b'a' * 79 + 'é'.encode()) == 'a' * 79 + '\ufffd'


def test_whole_tables():
    pages = [
        Page('a', 0, 'http://x.org/long', b'<p>one<p>two<p>one'),
        Page('a', 9, 'http://X.org:80/', b'<p>one'),
        Page('b', 0, 'https://y.org/', b''),
    ]
    assert tables(pages, Options(threshold=1, min_len=0)) == {
        'labels.tsv': b'hash\tlength\tcopies\tpages\thosts\texample_url\tpreview\n'
        b'64a99fd09ec267d437e345d726f42a35fda684ab\t6\t3\t2\t1'
        b'\thttp://X.org:80/\t<p>one\n',
        'file_labels.tsv': b'hash\tlength\tcopies\thosts\texample_url\n',
        'frequency.tsv': b'unit\tcopies\tobjects\n'
        b'chunk\t1\t1\nchunk\t3\t1\nfile\t1\t3\n',
    }


def test_empty_file():
    lines = tables([Page('a', 0, 'urn:x', b'')], Options())['file_labels.tsv']
    row = b'da39a3ee5e6b4b0d3255bfef95601890afd80709\t0\t1\t0\turn:x\n'
    assert lines.splitlines(keepends=True)[1:] == [row]
