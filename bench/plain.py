"""The job that one writes first with mrjob: a line a chunk, JSON, warcio, a combiner.

python bench/plain.py THRESHOLD OUT ARCHIVE...     with -r local, as many tasks as cores
"""

import hashlib
import os
import sys

from handwritten import DELIMITER, MIN_LENGTH, is_text
from mrjob.job import MRJob
from outputs import refuse_archive
from warcio.archiveiterator import ArchiveIterator

TYPES = ('response', 'resource', 'conversion')


class Plain(MRJob):
    """Chunk or body -> copies and length."""

    def configure_args(self):
        super().configure_args()
        self.add_passthru_arg('--threshold', type=int)

    def mapper_raw(self, path, _):
        with open(path, 'rb') as file:
            for record in ArchiveIterator(file):
                if record.rec_type in TYPES:
                    yield from self.page(record.content_stream().read())

    def page(self, body):
        if not is_text(body):
            return
        yield ['file', hashlib.sha1(body).hexdigest()], [1, len(body)]
        starts = [found.start() for found in DELIMITER.finditer(body)]
        if starts[:1] != [0]:
            starts.insert(0, 0)
        for start, end in zip(starts, [*starts[1:], len(body)], strict=True):
            digest = hashlib.sha1(body[start:end]).hexdigest()
            yield ['chunk', digest], [1, end - start]

    def combiner(self, key, values):
        yield key, self.add(values)

    def reducer(self, key, values):
        copies, length = self.add(values)
        if copies > self.options.threshold:
            yield key, [copies, length]

    def add(self, values):
        copies, lengths = zip(*values, strict=True)
        return sum(copies), lengths[0]


def main() -> None:
    threshold, out, *archives = sys.argv[1:]
    refuse_archive(out)
    os.environ['PYTHONPATH'] = os.path.dirname(os.path.abspath(__file__))  # for tasks
    line = ['-r', 'local', '--no-conf', f'--threshold={threshold}', *archives]
    job = Plain(line)
    with job.make_runner() as runner, open(out, 'w') as file:
        runner.run()
        for (unit, digest), (copies, length) in job.parse_output(runner.cat_output()):
            if unit == 'chunk' and length > MIN_LENGTH:
                file.write(f'{digest}\t{length}\t{copies}\n')


if __name__ == '__main__':
    # mrjob starts this file as a task, too.
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        main()
    else:
        Plain.run()
