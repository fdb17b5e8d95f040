"""Any bytes through the reader of archives, guided by the code that they reach.

    fuzz_reader.py CORPUS... -max_total_time=600

Its arguments are those of libFuzzer. It needs atheris, and searches for bytes for which
something in `helpers/reader_laws.py` does not hold.
"""

import sys
import tempfile
from pathlib import Path

HELPERS = Path(__file__).parents[1] / 'helpers'


def main() -> None:
    import atheris

    sys.path.append(str(HELPERS))
    with atheris.instrument_imports(include=['mr_reuse.archives']):
        import reader_laws

    def mutate(data: bytes, max_size: int, seed: int) -> bytes:
        if seed % 4 == 0:
            return atheris.Mutate(data, max_size)
        return reader_laws.mutate(data, seed, max_size)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, 'a.warc.gz')

        def check(data: bytes) -> None:
            path.write_bytes(data)
            reader_laws.check(path)

        atheris.Setup(sys.argv, check, custom_mutator=mutate)
        atheris.Fuzz()


if __name__ == '__main__':
    main()
