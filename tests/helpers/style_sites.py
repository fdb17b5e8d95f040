"""A crawl of a forum program on several domains, and of a site with one template."""

import random
from pathlib import Path

from commands import run
from crawls import write_warc
from style_crawls import rows

HOSTS = [f'www.site-{n}.test' for n in range(9)]
WORDS = 'winter tyres garden pump repair wiring bread chess opening bicycle'.split()
FORUM = """<!DOCTYPE html>
<html><head><meta charset="utf-8"><link rel="stylesheet" href="./theme.css?v=3">
<title>{title}</title></head><body id="forum" class="nojs ltr section-viewtopic">
<div id="wrap"><h1><a href="./index.php">Board</a></h1><ul class="nav"><li>{text}</ul>
<div class="post"><p class="author"><a href="?mode=profile">Ann</a></p>{text}</div>
<p class="footer">Powered by <a href="http://forum.test/">a forum</a>&reg;</p></div>
"""
SHOP = """<!DOCTYPE html>
<html><table border=0 width="100%" cellpadding='2'><tr><td>{title}</td></tr>
<tr bgcolor=#ffffff><td valign=top><font size=+1>{text}</font></td><td>&nbsp;</td>
<tr><td colspan='2'><hr noshade><img src=/i/cart.gif alt='*'><small>(c)</small></td>
"""


def texts(dice: random.Random) -> dict[str, str]:
    return {
        'title': ' '.join(dice.choices(WORDS, k=4)),
        'text': ' '.join(dice.choices(WORDS, k=40)),
    }


def make_sites(folder: Path) -> tuple[Path, dict[str, str]]:
    """A run of styles, and the source of each page by its URL."""
    dice = random.Random(4)
    pages = {
        f'http://{host}/{n}': FORUM.format(**texts(dice))
        for host in HOSTS
        for n in '12'
    }
    pages |= {f'http://shop.test/{n}': SHOP.format(**texts(dice)) for n in range(4)}
    path = folder / 'crawl' / 'crawl.warc.gz'
    path.parent.mkdir(parents=True)
    write_warc(path, [(url, page.encode()) for url, page in pages.items()])
    done = run('styles', path, '-o', folder / 'run', '-q', '-r', 'inline')
    assert done == (0, '', '')
    styles = rows((folder / 'run/styles.tsv').read_bytes())
    assert [row[3] for row in styles] == ['9', '1']
    return folder / 'run', pages
