"""FindCovers: find the greedy cover of each candidate."""

from fractions import Fraction

from mr_reuse.pages.documents import choosing
from mr_reuse.quilts import finding, lists
from mr_reuse.quilts.finding import Candidates, CoverCounter, CoverFinder, Rule
from mr_reuse.quilts.jobs.base import QuiltJob
from mr_reuse.shuffle import protocol
from mr_reuse.storage import mapped


class FindCovers(QuiltJob):
    """Writes the covers with at least `--c` sources, and counts for other values."""

    def configure_args(self):
        super().configure_args()
        self.add_passthru_arg('--c', type=int, default=4)
        self.add_fraction_arg('--delta', Fraction(0))
        self.add_file_arg('--candidates', help='File of the driver: candidates')
        self.add_file_arg('--candidate-grams', help='File of the driver: their grams')
        self.add_file_arg('--servers', help='File of the driver: servers of documents')
        self.add_passthru_arg(
            '--count-alpha', type=Fraction, action='append', default=[]
        )
        self.add_passthru_arg('--count-c', type=int, action='append', default=[])

    def load_candidates(self):
        names = self.options.candidates, self.options.candidate_grams
        return Candidates(*map(choosing.map_numbers, names))

    def mapper_init(self):
        options = self.options
        numbers = self.load_candidates().numbers
        self.divider = finding.ListDivider(numbers, options.parts, options.total)

    def mapper(self, key, value):
        """In: classes. Out: partition -> the lists of candidates."""
        if lists.is_list_line(key):
            kept = lists.up_to(lists.unpack(value), self.options.m)
            yield from self.divider.divide(kept)

    def reducer_init(self):
        options = self.options
        servers = mapped.map_bytes(options.servers) if options.servers else None
        rule = Rule(options.delta, options.foreign)
        self.finder = CoverFinder(rule, self.load_candidates(), servers)
        self.counter = CoverCounter(options.count_alpha, options.count_c)

    def reducer(self, key, values):
        """In: the lists of some candidates. Out: covers, in order."""
        yield from finding.pack_covers(key, self.find(values))

    def find(self, values):
        for cover in self.finder.find(values):
            self.counter.add(cover, self.finder.grams_of(cover.number))
            if len(cover.sources) >= self.options.c:
                yield cover

    def reducer_final(self):
        """Out: the numbers of quilts, as the last line."""
        yield protocol.last_line({'quilted': self.counter.stats})


if __name__ == '__main__':
    FindCovers.run()
