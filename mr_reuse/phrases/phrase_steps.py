"""The steps of this system: their folders in RUN, their jobs, and the order of each."""

from mr_reuse.engine.run_steps import RunStep

VECTORS = RunStep(
    '21-vectors',
    'ReadVectors',
    'archives -> documents, and the sampled phrases of each',
    1.0,
)
URLS = RunStep(
    '21-urls',
    'FindRepeatedDocuments',
    'documents -> the URLs with several captures',
    0.05,
)
CAPTURES = RunStep(
    '21-captures',
    'ChooseDocuments',
    'documents again -> the captures that are not kept',
    0.02,
)
EDGES = RunStep(
    '22-edges', 'FindNearDuplicates', 'vectors -> pairs of near-duplicates', 0.2
)
VERIFIED = RunStep(
    '22-verified',
    'VerifyPairs',
    'documents again, pairs; archives, the records of pairs -> pairs that are alike',
    0.5,
)
STARS = RunStep(
    '23-stars', 'AlternateStars', '-> fewer pairs, in rounds while they are many', 0.05
)
COMPONENTS = RunStep(
    '23-components',
    'ConnectNumbers',
    '-> classes of near-duplicates, of which one document is kept',
    0.05,
)
POPULAR = RunStep(
    '24-popular',
    'CountPopular',
    'vectors again -> popular shingles, and the documents that have them',
    0.4,
)
PAGES = RunStep(
    '25-pages',
    'SumPopular',
    'documents again, popular shingles -> their number on each page',
    0.2,
)
HOSTS = RunStep('26-hosts', 'SumHosts', '-> hosts of pages with many of them', 0.05)
SAMPLE = RunStep(
    '27-sample', 'PickVectors', 'vectors again -> those of sampled pages', 0.05
)
COVERS = RunStep(
    '27-covers', 'FindSources', 'vectors again -> covering sets of sampled pages', 0.2
)
NAMES = RunStep(
    '28-names', 'PickDocuments', '25-pages again -> the names of sources', 0.05
)
TEXTS = RunStep(
    '28-texts', 'ReadPhrases', 'archives, some records -> the words of phrases', 0.05
)
TABLES = RunStep(
    '29-tables', 'SortPhraseTables', '25-pages again, if they are many -> tables', 0.05
)

CHOOSE = (URLS, CAPTURES)  # unless all captures are kept
FIND = (
    VECTORS,
    *CHOOSE,
    EDGES,
    VERIFIED,  # with --verify
    COMPONENTS,
    POPULAR,
    PAGES,
    HOSTS,
    SAMPLE,
    COVERS,
    NAMES,
    TEXTS,
)
STEPS = (*FIND, STARS, TABLES)
