"""The description of planted quilts in the help of `synth`."""

DESCRIPTION = """
--quilts adds quilted pages, their sources, and pages that just miss being quilted: 282
pages for each 50 MB of --size or part of it, and at most 28,200. --size does not count
these pages, and key.tsv does not list their chunks. quilts.tsv has a row for each of
them:

  kind  url  words  grams  patch  sources  host  domain  ip  quilted_by

`grams` is the number of different grams of five words, and `patch` the number of those
that are on at least one other page and on at most 50 pages. `sources` is the number of
pages in the greedy cover of the patch grams. `host`, `domain` and `ip` are this number
if the sources have to be on another host, domain or IP address. A page is quilted if at
least half of its grams are patch grams and it has at least four sources. `quilted_by`
lists where that is so: `none` for all sources, `host`, `domain` and `ip` for foreign
ones. It is empty if the page is not quilted. These are the kinds:

  kind              quilted_by  pages
  spam              all         stitched from pages of other hosts, without and with
                                own words in between, and with two passages a source
  own-sources-3     none        two sources on the host of the page, and three others
  own-sources-4     all         two sources on the host of the page, and four others
  same-ip           none host domain
                                four sources, one on the IP address of the page
  no-ip             all         five sources, one on the domain of the page; no IP
                                address, so that domains decide instead
  aggregator        all         passages of seven pages, without links
  aggregator-links  all         passages of seven pages, each with a link
  home              none        the home page of a blog, with passages of its posts
  home-other-host   none host ip
                                the same, with posts on another host of the domain
  post              -           the posts of these blogs
  original          -           long pages of which others copied passages
  copied            all         an original of which five pages copied nearly all:
                                grams do not show who copied
  borrower          -           half of the page or more is a passage of one source
  twin              host domain ip
                                two equal quilts on one host: each is the only source
                                of the other, unless sources have to be foreign
  alpha-below       -           2 N + 1 grams, of which N are patch grams
  alpha-exact       all         2 N grams, of which N are patch grams
  alpha-above       all         2 N - 1 grams, of which N are patch grams
  sources-3         -           three sources
  sources-4         all         four sources
  mirror-N          -           pages of N hosts with the same words: one source if N is
                                2, 4 or 50, and no patch grams if N is 51
  cookie-3          -           pages of one site, each with 3 of 7 passages
  cookie-4          none        pages of one site, each with 4 of 13 passages
  cookie-network    all         pages of three sites, each with 6 of 31 passages
  cookie-similar    -           pages of one site, each with 11 of 12 passages
  cookie-common     -           pages of one site, of passages on more than 50 pages

patches.tsv lists the sources of all these pages, also of those that are not quilted, in
the order of the cover. Of equal sources the cover takes the one whose record is first:

  url  foreign  number  source_url  new  shared  places

`foreign` is none, host, domain or ip. `new` is the number of patch grams that no source
before it has, and `shared` the number of all that it has. `places` lists the first and
the last word of each passage that it shares. The first word of a page is 1.

The words of these pages are known because their text was made of passages with words of
their own. Their markup varies, and comments, scripts, styles and attributes have words
of other pages. In WET files domains take the place of IP addresses. With --damage the
tables describe the pages without the damage.
"""
