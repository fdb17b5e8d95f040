"""The steps of this system: their folders in RUN, their jobs, and the order of each.

The number in the name of a folder is the position of the step in the dataflow. The name
is part of the digest by which a finished step is recognized, so it must not change.
"""

from mr_reuse.engine.run_steps import RunStep

PAGES = RunStep(
    '01-pages', 'HashChunks', 'archives -> pages with the digests of their chunks', 1.0
)
URLS = RunStep(
    '01-urls', 'FindRepeatedUrls', 'pages -> the URLs with several captures', 0.06
)
CAPTURES = RunStep(
    '01-captures',
    'ChooseCaptures',
    'pages again -> the captures that are not kept',
    0.03,
)
REVISITS = RunStep(
    '01-revisits', 'FindRevisits', 'pages -> the keys of the targets of revisits'
)
TARGETS = RunStep(
    '01-targets', 'ResolveRevisits', 'pages again -> the revisits with a target'
)
FILLED = RunStep(
    '01-filled',
    'FillRevisits',
    'pages again -> the revisits with the chunks of their targets',
)
COUNTS = RunStep(
    '02-counts',
    'CountDuplicates',
    'pages -> copies, pages and length of each digest',
    0.33,
)
LABELS = RunStep(
    '03-labels',
    'FilterStopChunks',
    '-> chunks and files with many copies: labels.mrl',
    0.03,
)
PLACES = RunStep(
    '03-places',
    'PlaceLabels',
    'pages again -> hosts and an example of each label',
    0.24,
)
PREVIEWS = RunStep(
    '03-previews', 'ReadPreviews', 'archives, a few records -> labels.tsv', 0.15
)
PAIRS = RunStep(
    '03-pairs', 'PairSites', 'pages again -> pairs of sites that share chunks', 0.28
)
MATCHES = RunStep(
    '04-matches', 'MatchLabeled', 'pages and labels -> the labels of each page', 0.28
)
FOUND = RunStep(
    '04-found',
    'PlaceLabels',
    'pages again -> copies, pages, hosts and an example of each label',
    0.35,
)
FOUND_PREVIEWS = RunStep(
    '04-previews', 'ReadPreviews', 'archives, a few records -> label_counts.tsv', 0.15
)
ALL_PLACES = RunStep('05-places', 'ListPlaces', 'matches again -> places.tsv', 0.41)
NEIGHBORHOODS = RunStep(
    '05-neighborhoods', 'NeighborhoodBadness', '-> sums for each neighborhood', 0.3
)
ORIGINS = RunStep(
    '06-origins',
    'ShareLabels',
    'matches again -> pairs of sites that share labels, with dates',
    0.52,
)
LINKS = RunStep(
    '07-links', 'SiteLinks', 'archives, the pages of bad sites -> links between sites'
)
# These steps run only if their tables are large; the driver writes small ones.
JOINED = RunStep(
    '03-joined', 'JoinLabels', 'counts, hosts, examples -> file_labels.tsv, other rows'
)
FOUND_JOINED = RunStep(
    '04-joined', 'JoinLabels', 'counts, hosts, examples -> rows without previews'
)
LABEL_ROWS = RunStep('03-rows', 'SortLabels', 'labels with previews -> labels.tsv')
FOUND_ROWS = RunStep(
    '04-rows', 'SortLabels', 'labels with previews -> label_counts.tsv'
)
PAGE_ROWS = RunStep(
    '05-pages', 'SortRows', 'matches again -> pages.tsv, file_matches.tsv'
)
BAD_PAGE_ROWS = RunStep('06-pages', 'SortRows', 'matches again -> bad_pages.tsv')
NEIGHBORHOOD_ROWS = RunStep(
    '06-neighborhoods', 'SortRows', 'sums of neighborhoods -> neighborhoods.tsv'
)
ORIGIN_ROWS = RunStep(
    '07-origins', 'NameOrigins', 'pairs of sites, neighborhoods -> origins.tsv'
)
BAD_NEIGHBORHOOD_ROWS = RunStep(
    '07-neighborhoods', 'SortRows', 'sums of neighborhoods -> bad_neighborhoods.tsv'
)

# The steps of each command, in order.
CHOOSE = (URLS, CAPTURES)  # unless all captures are kept
RESOLVE = (REVISITS, TARGETS, FILLED)  # if the crawl has revisits
DISCOVER = (PAGES, *CHOOSE, COUNTS, LABELS, PLACES, PREVIEWS, PAIRS)
BUILD_LABELS = (PAGES, COUNTS, LABELS)
DETECT = (MATCHES, NEIGHBORHOODS, ORIGINS)
COUNT_FOUND = (FOUND, FOUND_PREVIEWS)  # unless `discover` counted the same labels
# Without `discover`, no bitmap says which chunks may be on two sites.
ALL_PAIRS = PAIRS._replace(cost=0.9)
# If no run has the pages.
HASH_AND_DETECT = (PAGES, *CHOOSE, *DETECT, *COUNT_FOUND, ALL_PAIRS)
LIST_PLACES = (ALL_PLACES,)  # with `--places`, or by `export RUN places`
SORT_LABELS = (JOINED, FOUND_JOINED, LABEL_ROWS, FOUND_ROWS)  # if tables are large
SORT_PAGES = (PAGE_ROWS, BAD_PAGE_ROWS)
SORT_SITES = (NEIGHBORHOOD_ROWS, BAD_NEIGHBORHOOD_ROWS, ORIGIN_ROWS)

STEPS = (
    *(*DISCOVER, *RESOLVE, *DETECT, *COUNT_FOUND, *LIST_PLACES, LINKS),
    *(*SORT_LABELS, *SORT_PAGES, *SORT_SITES),
)
