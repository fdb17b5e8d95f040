"""Hashes that the authors published: `discover` must find exactly these again.

They come from the authors' cluster. Texts without a tag are whole files, and end with
the line feed that the authors' reader of ARC files added.
"""

from hashlib import sha1

import pytest
from crawls import discover, hashes, write_arc, write_warc

PARAGRAPHS = {
    '63ada55c0ba212a5b1f8d5a70890788f00972bf4': b'<p>',
    '516209366e42307b3fd5bf26bad6634054ba92ba': b'<p>&nbsp;</p>\r\n',
    '7a43b7feac74bf6906202e94c02eed61c2fbcaf2': b'<p>&nbsp;</p>\n',
    '733e84dd4c03cd50044c4b014487feb9dc3ce029': b'<p>&nbsp;</p>',
    '2abd0b10dbbf9a6abe4a4061d79f5084cb7dd591': b'<p>\n',
    '2cb0a92636db3a3a9d187f27c6de24b5b2f91b92': b'<P>',
    '515bd358bb7d990930f0e2b3de399db1787a2567': b'<p></p>',
    'f849504d3837df680b267728a411e45a20b5af6d': b'<p/>',
    '809a5f0f448a2e6adde2314d04e4c30949e79a6b': b'<p align="center">&nbsp;</p>\r\n',
    '5612df68a0ead7934b72037a39dc4d858a48ca83': (
        b'<p>&nbsp;</p>\r\n<div align="center">\r\n'
    ),
    '7f32755094b3f98f9366ec5ab9326b3f998d4b90': b'<p><div>',
}
FILES = {
    'adc83b19e793491b1c6ea0fd8b46cd9f32e592fc': b'\n',
    '44f20486d756e1bf2ce409aeae56496a0476f8a2': b'User-agent: *\nDisallow:\n\n',
    '601ee1b9f8054b7e0e759cbb90a928ae49e71b96': b'User-agent: *\r\nDisallow: /\r\n\n',
}
EMPTY = 'da39a3ee5e6b4b0d3255bfef95601890afd80709'
PRESET = ['--preset=ccr2019', '--threshold=0', '--min-len=0']


def labels(folder, body: bytes, *options) -> list[str]:
    """The hashes of all chunks of one page."""
    write_warc(folder / 'a.warc.gz', [('http://a.org/', body)])
    run = discover(folder / 'a.warc.gz', *options, out=folder / 'run')
    return hashes(run['labels.tsv'])


def short(found: list[str]) -> list[str]:
    return sorted(name[:8] for name in found)


@pytest.mark.parametrize('name, text', [*PARAGRAPHS.items(), *FILES.items()])
def test_copied_well(name, text):
    assert sha1(text).hexdigest() == name


def test_published_paragraphs(tmp_path):
    body = b'x' + b''.join(PARAGRAPHS.values())
    found = labels(tmp_path, body, *PRESET)
    assert set(found) == {sha1(b'x').hexdigest(), *PARAGRAPHS}


def test_published_files(tmp_path):
    bodies = [text.removesuffix(b'\n') for text in FILES.values()]
    documents = [(f'http://a.org/{n}', body) for n, body in enumerate(bodies)]
    write_arc(tmp_path / 'a.arc', documents)
    compat = [*PRESET, '--compat=ccr2019-arc']
    run = discover(tmp_path / 'a.arc', *compat, out=tmp_path / 'run')
    assert set(hashes(run['labels.tsv'])) == set(FILES)
    assert set(hashes(run['file_labels.tsv'])) == set(FILES)


def test_last_paragraph_in_arc(tmp_path):
    """The added line feed belongs to the last chunk."""
    write_arc(tmp_path / 'a.arc', [('http://a.org/', b'<p><p>')])
    compat = [*PRESET, '--compat=ccr2019-arc']
    run = discover(tmp_path / 'a.arc', *compat, out=tmp_path / 'run')
    assert short(hashes(run['labels.tsv'])) == ['2abd0b10', '63ada55c']


def test_correct_arc_bytes(tmp_path):
    """Nothing is added unless it is asked for."""
    write_arc(tmp_path / 'a.arc', [('http://a.org/', b''), ('http://b.org/', b'<p>')])
    run = discover(tmp_path / 'a.arc', *PRESET, out=tmp_path / 'run')
    assert short(hashes(run['labels.tsv'])) == ['63ada55c']
    assert short(hashes(run['file_labels.tsv'])) == ['63ada55c', EMPTY[:8]]


def test_unpublished_chunks(tmp_path):
    """No chunk is empty, a rest without its tag, two paragraphs, or a division."""
    body = b'x' + b''.join(PARAGRAPHS.values())
    rests = [b'', b'&nbsp;</p>\n', b'</p>\n', b'</p>', b'<p><p>', b'<p>&nbsp;</p><p>\n']
    rests += [b'<div>', b'<div align="center">\r\n']
    found = set(labels(tmp_path, body, *PRESET))
    assert not found & {sha1(rest).hexdigest() for rest in rests}


def test_mini_oracle(tmp_path):
    text = b'H<p>one<p>two<p>one'
    found = labels(tmp_path, text, '--threshold=0', '--min-len=0')
    assert found[0].startswith('64a99fd0')
    assert short(found) == ['39ed4993', '64a99fd0', '7cf184f4']


def test_delimiter_oracle(tmp_path):
    text = b'<P/>x<pre>y<p\nz<p\tq<P'
    found = labels(tmp_path, text, *PRESET)
    chunks = [b'<P/>x<pre>y<p\nz', b'<p\tq<P']
    assert sorted(found) == sorted(sha1(chunk).hexdigest() for chunk in chunks)
