"""The steps of this system: their folders in RUN, their jobs, and the order of each.

The number in the name of a folder is the position of the step in the dataflow. The name
is part of the digest by which a finished step is recognized, so it must not change.
"""

from mr_reuse.engine.run_steps import RunStep

PAGES = RunStep(
    '01-pages', 'HashChunks', 'archives -> pages with the digests of their chunks'
)
URLS = RunStep('01-urls', 'FindRepeatedUrls', 'pages -> the URLs with several captures')
CAPTURES = RunStep(
    '01-captures', 'ChooseCaptures', 'pages again -> the captures that are not kept'
)
COUNTS = RunStep(
    '02-counts', 'CountDuplicates', 'pages -> copies, pages and length of each digest'
)
LABELS = RunStep(
    '03-labels', 'FilterStopChunks', '-> chunks and files with many copies: labels.mrl'
)
PLACES = RunStep(
    '03-places', 'PlaceLabels', 'pages again -> hosts and an example of each label'
)
PREVIEWS = RunStep(
    '03-previews', 'ReadPreviews', 'archives, a few records -> labels.tsv'
)
PAIRS = RunStep(
    '03-pairs', 'PairSites', 'pages again -> pairs of sites that share chunks'
)
MATCHES = RunStep(
    '04-matches', 'MatchLabeled', 'pages and labels -> the labels of each page'
)
FOUND = RunStep(
    '04-found',
    'PlaceLabels',
    'pages again -> copies, pages, hosts and an example of each label',
)
FOUND_PREVIEWS = RunStep(
    '04-previews', 'ReadPreviews', 'archives, a few records -> label_counts.tsv'
)
ALL_PLACES = RunStep('05-places', 'ListPlaces', 'matches again -> places.tsv')
NEIGHBORHOODS = RunStep(
    '05-neighborhoods', 'NeighborhoodBadness', '-> sums for each neighborhood'
)
ORIGINS = RunStep(
    '06-origins',
    'ShareLabels',
    'matches again -> pairs of sites that share labels, with dates',
)
LINKS = RunStep(
    '07-links', 'SiteLinks', 'archives, the pages of bad sites -> links between sites'
)

# The steps of each command, in order.
CHOOSE = (URLS, CAPTURES)  # unless all captures are kept
DISCOVER = (PAGES, *CHOOSE, COUNTS, LABELS, PLACES, PREVIEWS, PAIRS)
BUILD_LABELS = (PAGES, COUNTS, LABELS)
DETECT = (MATCHES, NEIGHBORHOODS, ORIGINS)
COUNT_FOUND = (FOUND, FOUND_PREVIEWS)  # unless `discover` counted the same labels
# If no run has the pages.
HASH_AND_DETECT = (PAGES, *CHOOSE, *DETECT, *COUNT_FOUND, PAIRS)
LIST_PLACES = (ALL_PLACES,)  # with `--places`, or by `export RUN places`

STEPS = (*DISCOVER, *DETECT, *COUNT_FOUND, *LIST_PLACES, LINKS)
