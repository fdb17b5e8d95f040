"""The media type of a body by its first bytes, whatever its name says."""

import gzip
import zlib

import pytest

from mr_reuse.archives.sniff import is_text, media_type


@pytest.mark.parametrize(
    ('head', 'media'),
    [
        (gzip.compress(b'<p>'), 'application/gzip'),
        (b'PK\x03\x04\x14\0', 'application/zip'),
        (b'BM\x36\x10\0\0\0\0\0\0\x36', 'image/bmp'),
        (b'MZ\x90\0\x03', 'application/x-msdownload'),
        (b'RIFF\x24\x08\0\0WAVEfmt ', 'application/x-riff'),
        (b'ID3\x03\0', 'audio/mpeg'),
        (b'BZh91AY&SY', 'application/x-bzip2'),
        (b'\0\0\x01\0', 'image/x-icon'),
        (zlib.compress(bytes(99)), 'application/octet-stream'),
    ],
)
def test_binary(head, media):
    assert media_type(head) == media
    assert not is_text(media)


@pytest.mark.parametrize(
    'text',
    [b'BMW sells cars', b'MZ is a mark', b'RIFF raff', b'ID3 tags', b'BZh is short'],
)
def test_texts_that_begin_like_files(text):
    """Letters alone prove nothing."""
    assert media_type(text) == 'text/plain'


@pytest.mark.parametrize(
    'head',
    [
        b' \r\n<HTML>',
        b'\xef\xbb\xbf<!DOCTYPE  html>',
        b'<!-- made by hand --> <!-- twice --><body>',
        b'<p class=x>',
        '<html>'.encode('utf-16'),
        b'\xfe\xff' + '<div>'.encode('utf-16-be'),
    ],
)
def test_html(head):
    assert media_type(head) == 'text/html'


@pytest.mark.parametrize(
    ('root', 'media'),
    [
        (b'<html xmlns="x">', 'application/xhtml+xml'),
        (b'<!-- x --><RSS>', 'application/rss+xml'),
        (b'<rdf:RDF>', 'application/rss+xml'),
        (b'<svg:svg>', 'application/xml'),
        (b'', 'application/xml'),
    ],
)
def test_xml(root, media):
    assert media_type(b'<?xml version="1.0"?>' + root) == media
    assert is_text(media)


@pytest.mark.parametrize('head', [b'<pre>', b'x <p>', b'<data>', b'a -> b <p>'])
def test_plain_text(head):
    """A tag with which HTML does not begin, or text before the tag."""
    assert media_type(head) == 'text/plain'


@pytest.mark.parametrize(('controls', 'text'), [(10, True), (11, False)])
def test_control_characters(controls, text):
    """Up to a tenth of the first 1,024 bytes; escape sequences do not count."""
    head = b'\x01' * controls + b'\x1b' * 20 + b'x' * (80 - controls)
    assert is_text(media_type(head)) == text
    assert is_text(media_type(b'x' * 1024 + b'\0'))
    assert not is_text(media_type(b'x' * 1023 + b'\0'))
