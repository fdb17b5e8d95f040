"""SumHosts: add up the popular shingles of the pages of each host."""

from mr_reuse.pages.jobs.base import DocumentJob
from mr_reuse.phrases import hosts
from mr_reuse.phrases.hosts import HostAdder
from mr_reuse.shuffle import protocol


class SumHosts(DocumentJob):
    """Reads the output of SumPopular."""

    def configure_args(self):
        super().configure_args()
        self.add_bits_arg()

    def mapper(self, key, value):
        """In: sums of hosts. Out: partition -> the same."""
        if hosts.is_host_line(key):
            yield from hosts.divide_sums(value, self.options.bits)

    def reducer_init(self):
        self.hosts = HostAdder()

    def reducer(self, key, values):
        """In: the sums of a partition. Out: the rows of hosts."""
        yield from self.hosts.add(key, values)

    def reducer_final(self):
        """Out: the numbers of hosts, as the last line."""
        yield protocol.last_line({'hosts': self.hosts.stats})


if __name__ == '__main__':
    SumHosts.run()
