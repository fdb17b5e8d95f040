"""Near-duplicates by other packages: FastWARC, selectolax, and rensa or datasketch.

    python bench/near_duplicates.py rensa|datasketch OUT ARCHIVE...

Two processes read the words of pages, and the 84 least hashes of their phrases of five
words. Documents that agree in two of six runs of 14 hashes are near-duplicates, as in
`phrases`. The hashes are others, and so are some words, so the counts differ a little.
"""

import itertools
import json
import multiprocessing
import re
import sys

from fastwarc.warc import ArchiveIterator
from handwritten import PAGES, PROCESSES, is_text
from outputs import refuse_archive

WORD = re.compile(r'[^\W_]+')
K, RUNS, RUN = 5, 6, 14
Keys = list[tuple]


def rensa_hashes(phrases: list[str]) -> list[int]:
    from rensa import RMinHash  # noqa: PLC0415 (one of two packages)

    found = RMinHash(num_perm=RUNS * RUN, seed=42)
    found.update(phrases)
    return found.digest()


def datasketch_hashes(phrases: list[str]) -> list[int]:
    from datasketch import MinHash  # noqa: PLC0415 (one of two packages)

    found = MinHash(num_perm=RUNS * RUN)
    found.update_batch([phrase.encode() for phrase in phrases])
    return found.digest().tolist()


HASHES = {'rensa': rensa_hashes, 'datasketch': datasketch_hashes}


def list_phrases(body: bytes) -> list[str]:
    """The phrases of a page, whose last words are followed by its first ones."""
    from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415 (after checks)

    root = LexborHTMLParser(body).root
    words = WORD.findall(root.text(separator=' ').lower()) if root else []
    wrapped = list(itertools.islice(itertools.cycle(words), len(words) + K - 1))
    return [' '.join(wrapped[n : n + K]) for n in range(len(words))]


def keys_of(hashes: list[int]) -> Keys:
    """A key for each pair of runs."""
    runs = [(n, *hashes[n * RUN : (n + 1) * RUN]) for n in range(RUNS)]
    return [hash(pair) for pair in itertools.combinations(runs, 2)]


def read_archive(job: tuple[str, str]) -> tuple[int, list[Keys]]:
    """The number of words of an archive, and the keys of its documents."""
    package, name = job
    words, found = 0, []
    with open(name, 'rb') as file:
        for record in ArchiveIterator(file, record_types=PAGES):
            body = record.reader.read()
            if is_text(body) and b'<' in body[:1024]:
                phrases = list_phrases(body)
                words += len(phrases)
                if phrases:
                    found.append(keys_of(HASHES[package](phrases)))
    return words, found


def join_documents(documents: list[Keys]) -> dict[int, int]:
    """The first document of the class of each."""
    parents = list(range(len(documents)))

    def root(number: int) -> int:
        while parents[number] != number:
            parents[number] = parents[parents[number]]
            number = parents[number]
        return number

    firsts: dict = {}
    for number, keys in enumerate(documents):
        for key in keys:
            one, other = root(firsts.setdefault(key, number)), root(number)
            parents[max(one, other)] = min(one, other)
    return {number: root(number) for number in range(len(documents))}


def main() -> None:
    package, out, *archives = sys.argv[1:]
    refuse_archive(out)
    with multiprocessing.Pool(PROCESSES) as pool:
        read = pool.map(read_archive, [(package, name) for name in archives], 1)
    documents = [keys for _, found in read for keys in found]
    firsts = join_documents(documents)
    duplicates = [first for number, first in firsts.items() if first != number]
    counts = {
        'documents': len(documents),
        'words': sum(words for words, _ in read),
        'near_duplicates': len(duplicates),
        'classes': len(set(duplicates)),
    }
    with open(out, 'w') as file:
        json.dump(counts, file)
    print(json.dumps(counts))


if __name__ == '__main__':
    main()
