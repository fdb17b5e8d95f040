"""The description of planted styles in the help of `synth`."""

DESCRIPTION = """
--styles adds pages of templates, and honest pages that are not alike: 374 pages for
each 50 MB of --size or part of it, and at most 37,400. --size does not count these
pages, and key.tsv does not list their chunks. The resemblance of two pages is the share
of their 32-grams of noise that both have. style_pages.tsv has a row for each page:

  kind  url  style  grams

`grams` is the number of its different 32-grams of noise. Pages with the same number in
`style` are of one style, and pages with different numbers are not. These are the kinds:

  kind       style  pages
  template   one    pages of 20 domains that the same program made
  theme      one    pages of 12 honest domains that use the same theme
  farm       one    pages of a link farm, on two hosts of each of 30 domains: its
                    generator puts 18 of 24 pieces on each page, in any order
  mirror     one    the same page on 12 domains
  pasted     one    pages of 10 domains with templates of their own, into which the same
                    markup was pasted
  chain      one    pages that each have most of the markup of another one; the two ends
                    of the chain have nothing in common
  framework  many   pages of 12 honest domains: a tenth of their markup is common, which
                    is too little. Each of these domains has a style of its own
  alone      none   honest pages that resemble no other page
  small      none   pages with the same noise, of too few dimensions
  pair-N     -      two pages with a resemblance of about N thousandths; chance decides
                    whether they are of one style

style_families.tsv has a row for each style. `least`, `mean` and `greatest` are of the
resemblances of two of its pages:

  style  kind  pages  hosts  domains  least  mean  greatest

style_pairs.tsv has a row for each pair of kind pair-N, for neighbors in the chain and
for its ends (chain-ends), and for pages of the first and of each other site of kind
framework:

  kind  first_url  second_url  common  all  resemblance  chance

`common` is the number of 32-grams that both pages have, and `all` the number of those
that at least one has. `resemblance` is their ratio. `chance` is about the probability
that `styles` compares the two pages and finds them alike: at least 35 of 128 dimensions
agree, and one of these is among the 20 that are probed. WET files have no noise, so
`styles` reads none of their pages.
"""
