"""The description of planted phrases in the help of `synth`."""

DESCRIPTION = """
--phrases adds pages that resemble each other, and pages of phrases that many pages
have: 548 pages for each 50 MB of --size or part of it, and at most 54,800. --size does
not count these pages, and key.tsv does not list their chunks. A phrase is five words in
sequence; after the last word of a page comes the first one. phrase_pages.tsv has a row
for each of these pages:

  kind  url  words  class  passages

`passages` lists the numbers of its passages that other pages have, too. Pages with the
same number in `class` are near-duplicates of each other, some of them through others.
These are the kinds:

  kind         pages
  pair-N       pairs with the same words but for one, and a resemblance of N
               thousandths
  copy         pages of different hosts with the same words
  rotated      the same, and each page begins with another word
  blanks-near  pages of a host that fill in a single blank
  chain        pages that each differ in one word from another one: the two ends have a
               resemblance of 0.64
  popular-N    pages of N hosts with a passage in common; N is 4, 5 or 6
  blanks       a site that fills in the ten blanks of a template
  blanks-few   the same, with nine pages
  mixed        the same, of a host that also has other pages
  mixed-own    these other pages
  low          a site whose pages have about a quarter of their words in common
  ring         a site whose pages are stitched from passages; the other sites of the
               ring have each of these passages on a page, too
  ring-home    the same, with two more passages, which all pages of the site have

passages.tsv has a row for each of these passages, with its words:

  passage  pages  documents  popular  text

`documents` is the number of pages without near-duplicates: each class counts as one. If
it is at least 5, the passage has popular phrases, and `popular` is yes. The pages of a
pair both count, since chance decides whether they are near-duplicates.

phrase_pairs.tsv has a row for each pair of kind pair-N, for the first page of a class
with each other one, for neighbors in the chain, and for its ends (chain-ends):

  kind  first_url  second_url  common  all  resemblance  chance

`common` is the number of phrases that both pages have, and `all` the number of those
that at least one has. `resemblance` is their ratio, and `chance` the probability that
the two pages are near-duplicates: two of six runs of 14 shingles agree.

phrase_sites.tsv has a row for each site:

  kind  host  pages  monster

`monster` is 1 for sites with at least ten pages, a mean of at least 30 popular
shingles, and a standard deviation below 15. It is 0 if only the deviation is larger,
and - for all others. No two pages of a site of kind ring have a passage in common. So
all sources of its pages are on other sites. In ring-home the pages of the site are the
only sources of two passages.

The classes and `popular` are almost certain, since shingles are drawn. The words of
these pages are in no script, so they do not depend on --scripts. Their markup varies.
"""
