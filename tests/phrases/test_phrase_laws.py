"""Laws of fingerprints, shingles and near-duplicates, and known values."""

import random
from math import sqrt

import pytest
from commands import run
from phrase_crawls import phrases, random_pages, rows, tables_in, write_texts
from quilt_crawls import Draft, divide
from reference_phrases import FILE, OF_PHRASES, OF_SHINGLES, OF_WORDS, of_number
from reference_shingles import fingerprints

# Phrases that each page of a pair has for itself, if one word of it differs.
PHRASES_OF_A_WORD = 5
RESEMBLANCES = [0.77, 0.825, 0.88, 0.92, 0.95, 0.965]
PAIRS = 120  # of each resemblance


@pytest.fixture(scope='module')
def polynomials():
    return [OF_WORDS, OF_PHRASES, *OF_SHINGLES]


def test_each_function_is_injective(polynomials):
    """The difference of two fingerprints is linear in that of the numbers.

    So it is enough that the fingerprints of the 64 bits are independent.
    """
    columns = fingerprints(
        [0, *(1 << bit for bit in range(64))], polynomials
    ).T.tolist()
    for zero, *others in columns:
        assert rank([zero ^ other for other in others]) == 64


def rank(vectors: list[int]) -> int:
    """The rank of vectors of bits, by elimination."""
    basis: dict[int, int] = {}
    for vector in vectors:
        rest = vector
        while rest and rest.bit_length() in basis:
            rest ^= basis[rest.bit_length()]
        if rest:
            basis[rest.bit_length()] = rest
    return len(basis)


def test_the_command_prints_the_polynomials(polynomials):
    done = run('phrases', 'polynomials')
    assert (done.code, done.err) == (0, '')
    assert done.out == FILE.read_text('ascii')
    assert [1 << 64 | int(line, 16) for line in done.out.split()] == polynomials


def test_numbers_are_divided_at_once_as_one_by_one(polynomials):
    numbers = [0, 1, 2**64 - 1, 0x0123456789ABCDEF]
    assert fingerprints(numbers, polynomials).tolist() == [
        [of_number(number, polynomial) for polynomial in polynomials]
        for number in numbers
    ]


# The command


@pytest.mark.random
@pytest.mark.parametrize('seed', range(3))
def test_rotation_changes_nothing(tmp_path, seed):
    """Phrases are circular: it does not matter with which word a page begins."""
    dice = random.Random(seed)
    drafts = [page._replace(words=plain_words(page)) for page in random_pages(dice, 50)]
    rotated = [page._replace(words=rotate(page.words, dice)) for page in drafts]
    tables = []
    for pages in (drafts, rotated):
        shares = divide(random.Random(1), pages, 2)
        names, _ = write_texts(tmp_path / 'crawl', shares, gzipped=False)
        phrases(names, tmp_path / f'run{len(tables)}', '--popular=2')
        tables.append(tables_in(tmp_path / f'run{len(tables)}'))
    assert tables[0] == tables[1]
    assert len(rows(tables[0]['phrases.tsv'])) > 3


def plain_words(page: Draft) -> list[str]:
    """The words of a page without its markup."""
    return [word for word in page.words.split() if word.isalnum()]


def rotate(words: list[str], dice: random.Random) -> list[str]:
    start = dice.randrange(len(words) + 1)
    return words[start:] + words[:start]


def test_repetition_makes_near_duplicates(tmp_path):
    """A text, and the same text several times, have the same phrases."""
    texts = ['w', 'w ' * 3, 'w ' * 77, 'a b', 'b a b a', 'a b a', 'a b c d e f ' * 2]
    drafts = [Draft(f'http://h{n}.org/', text) for n, text in enumerate(texts)]
    drafts.append(Draft('http://last.org/', 'c d e f a b'))
    names, [*pages] = write_texts(tmp_path, [drafts])
    phrases(names, tmp_path / 'run')
    found = rows(tables_in(tmp_path / 'run')['near_duplicates.tsv'])
    rids = [page.rid for page in pages]
    expected = {1: 0, 2: 0, 4: 3, 7: 6}
    assert found == [
        [rids[number], pages[number].url, rids[kept]]
        for number, kept in expected.items()
    ]


def test_near_duplicates_of_known_resemblance(tmp_path):
    """As many pairs as the law says: two of six runs of 14 shingles have to agree."""
    drafts = [
        Draft(f'http://{number}.org/{pair}/{page}', words)
        for number, resemblance in enumerate(RESEMBLANCES)
        for pair in range(PAIRS)
        for page, words in enumerate(pair_of(resemblance, f'{number}p{pair}'))
    ]
    names, _ = write_texts(tmp_path, [drafts], gzipped=False)
    counts = phrases(names, tmp_path / 'run')
    left_out = rows(tables_in(tmp_path / 'run')['near_duplicates.tsv'])
    assert counts['near_duplicates'] == len(left_out)
    for number, resemblance in enumerate(RESEMBLANCES):
        mine = [row for row in left_out if row[1].startswith(f'http://{number}.org/')]
        assert all(row[1].endswith('/1') for row in mine)
        chance = probability(exact_resemblance(resemblance))
        error = sqrt(PAIRS * chance * (1 - chance))
        assert abs(len(mine) - PAIRS * chance) <= 4 * error + 1, resemblance


def pair_of(resemblance: float, name: str) -> list[list[str]]:
    """Two pages with the same words but for one, and about this resemblance."""
    words = [f'{name}w{n}' for n in range(common_phrases(resemblance) + 4)]
    return [[*words, f'{name}own{page}'] for page in range(2)]


def common_phrases(resemblance: float) -> int:
    return round(2 * PHRASES_OF_A_WORD * resemblance / (1 - resemblance))


def exact_resemblance(resemblance: float) -> float:
    """The Jaccard coefficient of the phrases of the pair."""
    common = common_phrases(resemblance)
    return common / (common + 2 * PHRASES_OF_A_WORD)


def probability(resemblance: float) -> float:
    """The probability that two of six runs agree, as the paper has it.

    >>> [round(probability(s), 3) for s in (0.77, 0.82, 0.825, 0.965)]
    [0.009, 0.049, 0.057, 0.962]
    """
    run = resemblance**14
    return 1 - (1 - run) ** 6 - 6 * run * (1 - run) ** 5
