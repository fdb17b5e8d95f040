"""The steps of this system: their folders in RUN, their jobs, and the order of each."""

from mr_reuse.engine.run_steps import RunStep

GRAMS = RunStep(
    '11-grams', 'ReadGrams', 'archives -> documents, and the grams of each', 1.0
)
URLS = RunStep(
    '11-urls',
    'FindRepeatedDocuments',
    'documents -> the URLs with several captures',
    0.05,
)
CAPTURES = RunStep(
    '11-captures',
    'ChooseDocuments',
    'documents again -> the captures that are not kept',
    0.02,
)
LISTS = RunStep(
    '12-lists', 'ListDocuments', 'grams -> the documents of each shared gram', 0.4
)
CLASSES = RunStep(
    '13-classes',
    'MergeLists',
    '-> lists of documents, with their numbers of grams',
    0.1,
)
SHARES = RunStep(
    '14-shares', 'SumPatches', '-> the patch grams of each document; candidates', 0.15
)
COVERS = RunStep(
    '15-covers', 'FindCovers', 'classes again -> the covers of candidates', 0.25
)
QUILTS = RunStep(
    '16-quilts',
    'CheckQuilts',
    'archives, the records of quilts -> quilts whose words were compared',
    1.1,
)
# Of `quilts sweep`: the same with other parameters.
SWEEP_SHARES = SHARES._replace(folder='17-shares')
SWEEP_COVERS = COVERS._replace(folder='17-covers')
OTHER_GRAMS = GRAMS._replace(folder='18-grams')
OTHER_LISTS = LISTS._replace(folder='18-lists')
OTHER_CLASSES = CLASSES._replace(folder='18-classes')

CHOOSE = (URLS, CAPTURES)  # unless all captures are kept
FIND = (GRAMS, *CHOOSE, LISTS, CLASSES, SHARES, COVERS, QUILTS)
SWEEP = (SWEEP_SHARES, SWEEP_COVERS, OTHER_GRAMS, OTHER_LISTS, OTHER_CLASSES)

STEPS = (*FIND, *SWEEP)
