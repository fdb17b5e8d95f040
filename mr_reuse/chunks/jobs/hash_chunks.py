"""HashChunks: from archives to pages with the digests of their chunks. Map only."""

import json

from mrjob.protocol import BytesValueProtocol

from mr_reuse import storage
from mr_reuse.archives import reader, sources
from mr_reuse.archives.archive_stats import Account, total
from mr_reuse.chunks.hasher import Hasher
from mr_reuse.chunks.jobs.base import ChunkJob
from mr_reuse.engine.progress import Meter
from mr_reuse.pages.filters import Filter
from mr_reuse.shuffle import protocol


class HashChunks(ChunkJob):
    """A line of input names archives; the mapper opens them."""

    INPUT_PROTOCOL = BytesValueProtocol

    def configure_args(self):
        super().configure_args()
        self.add_recipe_args()
        self.add_passthru_arg('--recursion', default='length')
        self.add_passthru_arg('--filter', action='append', default=[])

    def mapper_init(self):
        self.hasher = Hasher(self.recipe(), storage.scratch)
        self.filter = Filter(self.options.filter, self.options.recursion)
        self.meter = Meter()
        self.accounts = []
        self.pages = Account('pages in files of their own')

    def hadoop_input_format(self):
        """Every line is a task."""
        return 'org.apache.hadoop.mapred.lib.NLineInputFormat'

    def mapper(self, _, line):
        """In: the sources of a task. Out: the lines of their pages."""
        for source in json.loads(line):
            yield from self.pages_of(sources.Source(*source))

    def pages_of(self, source):
        account = Account(source.name)
        wanted = self.filter.for_account(account)
        items = reader.items(source, account, wanted)
        for item, lines in self.hasher.pages(source.name, items):
            self.meter.at(item.place)
            for page in self.filter.of_type(lines, account):
                self.meter.add(bool(page.file_hash), page.size)
                yield page.pair()
        self.meter.finish(source.size)
        if source.kind == 'page' and not account.damaged:
            self.pages.add(account)
        else:
            self.accounts.append(account.as_dict())

    def mapper_final(self):
        """Out: the accounts of the task's archives, as its last line."""
        if len(told := self.pages.as_dict()) > 1:
            self.accounts.append(told)
        self.count(total(self.accounts, 'counts'))
        yield protocol.last({'accounts': self.accounts})


if __name__ == '__main__':
    HashChunks.run()
