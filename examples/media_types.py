"""How many files of each media type there are, and their bytes.

python media_types.py RUN/01-pages/*/part-*
"""

from mrjob.job import MRJob
from mrjob.protocol import BytesProtocol, JSONProtocol

from mr_reuse.chunks import page_lines as records


class MediaTypes(MRJob):
    """Reads page lines; any job of mrjob can."""

    INPUT_PROTOCOL = BytesProtocol
    INTERNAL_PROTOCOL = JSONProtocol
    OUTPUT_PROTOCOL = JSONProtocol

    def mapper(self, key, value):
        """In: page lines. Out: type -> files, bytes."""
        if records.is_page_line(key):
            page = records.parse_page_line(key, value)
            if page.type:  # a long page goes on in lines without one
                yield page.type, (1, page.size)

    def add_up(self, key, values):
        yield key, [sum(column) for column in zip(*values, strict=True)]

    combiner = reducer = add_up


if __name__ == '__main__':
    MediaTypes.run()
