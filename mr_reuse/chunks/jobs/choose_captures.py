"""ChooseCaptures: choose the capture to keep of each URL that has several."""

from mrjob.step import MRStep

from mr_reuse.chunks import page_captures
from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.pages import capture_lines, captures
from mr_reuse.shuffle import protocol
from mr_reuse.shuffle.mapped_digests import MappedDigests
from mr_reuse.storage import mapped


class ChooseCaptures(ChunkJob):
    """The first step chooses by URL, the second sorts the captures that are skipped."""

    def configure_args(self):
        super().configure_args()
        self.add_file_arg('--repeated')
        self.add_passthru_arg('--keep', default=captures.FIRST)
        self.add_bits_arg()

    def steps(self):
        choose = MRStep(
            mapper_init=self.init_captures,
            mapper=self.collect_captures,
            mapper_final=self.finish_captures,
            reducer_init=self.init_choice,
            reducer=self.choose,
            reducer_final=self.finish_choice,
        )
        return [
            choose,
            MRStep(
                mapper=self.forward,
                reducer_init=self.init_sorter,
                reducer=self.sort_skipped,
                reducer_final=self.finish_skipped,
            ),
        ]

    def init_captures(self):
        options = self.options
        self.captures = capture_lines.CaptureCollector(
            MappedDigests(mapped.map_bytes(options.repeated)),
            options.keep,
            options.bits,
        )

    def collect_captures(self, key, value):
        """In: page lines. Out: partition -> captures of repeated URLs."""
        if key == protocol.LAST_KEY:
            return ()
        capture = page_captures.read_capture(key, value)
        return self.captures.add(capture, key) if capture else ()

    def finish_captures(self):
        yield from self.captures.finish()

    def init_choice(self):
        self.skipped = capture_lines.SkippedCollector(self.options.bits)

    def choose(self, key, values):
        """In: the captures of some URLs. Out: partition -> digests of skipped ones."""
        yield from self.skipped.add(key, values)

    def finish_choice(self):
        yield from self.skipped.finish()

    def forward(self, key, value):
        yield key, value

    def init_sorter(self):
        self.sorter = capture_lines.SkippedSorter()

    def sort_skipped(self, key, values):
        """In: digests of skipped captures. Out: the same, sorted."""
        yield from self.sorter.add(key, values)

    def finish_skipped(self):
        """Out: the numbers of skipped captures, as the last line."""
        yield protocol.last_line(self.sorter.stats)


if __name__ == '__main__':
    ChooseCaptures.run()
