"""Judge pages as they arrive, here from files, block by block.

python check_page.py LABELS FILE …
"""

import sys

from mr_reuse.stream import Matcher

BLOCK = 4096


def main(labels: str, *names: str) -> None:
    matcher = Matcher(labels)
    for name in names:
        page = matcher.page()
        with open(name, 'rb') as stream:
            while block := stream.read(BLOCK):
                page.feed(block)
        verdict = page.close()
        print(f'{verdict.bad} of {verdict.total} chunks are labels: {name}')


if __name__ == '__main__':
    main(*sys.argv[1:])
