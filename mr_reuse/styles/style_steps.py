"""The steps of this system: their folders in RUN, their jobs, and the order of each."""

from mr_reuse.engine.run_steps import RunStep

FINGERPRINTS = RunStep(
    '31-fingerprints',
    'ReadFingerprints',
    'archives -> documents, and the fingerprint of each',
    1.0,
)
URLS = RunStep(
    '31-urls',
    'FindRepeatedDocuments',
    'documents -> the URLs with several captures',
    0.05,
)
CAPTURES = RunStep(
    '31-captures',
    'ChooseDocuments',
    'documents again -> the captures that are not kept',
    0.02,
)
COMMON = RunStep(
    '32-common',
    'FindCommonValues',
    'fingerprints -> values on too many domains',
    0.3,
)
EDGES = RunStep('33-edges', 'FindAlike', 'fingerprints -> pairs that are alike', 0.2)
STARS = RunStep(
    '34-stars', 'AlternateStars', '-> fewer pairs, in rounds while they are many', 0.05
)
COMPONENTS = RunStep(
    '34-components', 'ConnectNumbers', '-> clusters of documents', 0.05
)
STYLES = RunStep(
    '35-styles',
    'DescribeStyles',
    'documents again, clusters -> styles and their members',
    0.1,
)
FEATURES = RunStep(
    '36-features',
    'ReadFeatures',
    'archives, some records -> features of the first styles',
    0.05,
)
TABLES = RunStep(
    '36-tables', 'SortStyleTables', '35-styles again, if they are many -> tables', 0.05
)
NEAR = RunStep(
    '37-near',
    'CompareWithOne',
    'documents and fingerprints again -> their similarity to one page',
    0.1,
)
NEAR_TABLE = TABLES._replace(folder='38-tables')
MATCHES = RunStep(
    '39-matches',
    'MatchKnown',
    'fingerprints -> documents that are alike a known one',
    0.2,
)
NAMES = RunStep(
    '39-names',
    'NameMatches',
    'documents again -> the names of those documents',
    0.05,
)
MATCH_TABLE = TABLES._replace(folder='39-tables')

CHOOSE = (URLS, CAPTURES)  # unless all captures are kept
ALWAYS = (FINGERPRINTS, *CHOOSE, COMMON, EDGES, COMPONENTS, STYLES, FEATURES)
MATCH = (FINGERPRINTS, *CHOOSE, MATCHES, NAMES)
STEPS = (*ALWAYS, STARS, TABLES, NEAR, NEAR_TABLE, MATCHES, NAMES, MATCH_TABLE)
