"""Write a synthetic crawl into a folder, completely or not at all."""

import contextlib
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from tqdm import tqdm

from mr_reuse.errors import UserError
from mr_reuse.messages import format_count, python_command
from mr_reuse.synth.archives import DAMAGE_HEADER, Archives
from mr_reuse.synth.crawl import Crawl
from mr_reuse.synth.key import KEY_HEADER, SITES_HEADER, rows
from mr_reuse.synth.phrases import planting as phrase_planting
from mr_reuse.synth.phrases.planting import Phrases
from mr_reuse.synth.quilts.covers import FOREIGN, WITHOUT_ADDRESSES
from mr_reuse.synth.quilts.planting import PATCHES_HEADER, QUILTS_HEADER, Quilts
from mr_reuse.synth.records import FORMATS, texts
from mr_reuse.synth.schedule import SPAN
from mr_reuse.synth.styles import planting as style_planting
from mr_reuse.synth.styles.planting import Styles
from mr_reuse.synth.synth_options import SynthOptions

# The files that `synth` writes. With --force, only these are replaced.
WRITTEN = re.compile(
    r'crawl-\d{5}\.(arc|warc|warc\.wet)(\.gz)?|(key|sites|damage|quilts|patches)\.tsv'
    r'|(phrase_(pages|pairs|sites)|passages|style_(pages|families|pairs))\.tsv'
)


def write(options: SynthOptions) -> Crawl:
    """Write a crawl. A failure leaves no file of it."""
    with all_or_nothing(options.output, options.force) as folder:
        return write_files(options, folder)


def write_files(options: SynthOptions, folder: Path) -> Crawl:
    """Write the archives, the key, the list of sites and, if asked, that of damage."""
    with contextlib.ExitStack() as stack:
        damage = None
        if options.damage:
            damage = stack.enter_context(text_file(folder / 'damage.tsv'))
            damage.write(DAMAGE_HEADER)
        form, gzipped = FORMATS[options.format], not options.plain
        archives = Archives(folder, form, gzipped, options.seed, damage)
        stack.callback(archives.close)
        # Rows of finished sites go to a file of their own, since those of the chunks
        # planted all over the crawl come first in the key and are complete last.
        finished = stack.enter_context(text_file(folder / 'finished.tsv'))
        quilts = Quilts(options.seed, options.size) if options.quilts else None
        phrases = Phrases(options.seed, options.size) if options.phrases else None
        styles = Styles(options.seed, options.size) if options.styles else None
        planted = [group for group in (quilts, phrases, styles) if group]
        crawl = Crawl(
            options.seed,
            options.size,
            finished.writelines,
            options.hostile,
            [visit for group in planted for visit in group.visits()],
        )
        write_archives(options, crawl, archives)
    write_key(folder, crawl, options.format)
    rows_of_sites = (site.row() for site in crawl.sites.values())
    write_table(folder / 'sites.tsv', SITES_HEADER, rows_of_sites)
    if quilts:
        write_quilts(folder, quilts, options.format)
    if phrases:
        write_phrases(folder, phrases)
    if styles:
        write_styles(folder, styles)
    return crawl


def write_archives(options: SynthOptions, crawl: Crawl, archives: Archives) -> None:
    """Write all pages, spread evenly over the archives."""
    hide = options.quiet or None  # None: unless standard error is a terminal
    bar = tqdm(total=options.size, unit='B', unit_scale=True, disable=hide)
    done = 0
    for serial, page in enumerate(crawl.pages()):
        number = done * options.archives // options.size + 1
        archives.open_up_to(min(number, options.archives), page.second)
        archives.add(page, serial)
        bar.update(crawl.written - done)
        done = crawl.written
    bar.close()
    archives.open_up_to(options.archives, SPAN)
    if options.damage:
        archives.cut()


def write_key(folder: Path, crawl: Crawl, form: str) -> None:
    """Write the key: chunks planted all over the crawl, then those of honest sites."""
    finished = folder / 'finished.tsv'
    with text_file(folder / 'key.tsv') as key:
        key.write(KEY_HEADER)
        key.writelines(rows(texts(crawl.key) if form == 'wet' else crawl.key))
        if form != 'wet':
            with open(finished, encoding='utf-8') as lines:
                shutil.copyfileobj(lines, key)
    finished.unlink()


def write_quilts(folder: Path, quilts: Quilts, form: str) -> None:
    """Write the tables of the planted quilts and of their sources."""
    foreign = WITHOUT_ADDRESSES if form == 'wet' else FOREIGN
    write_table(folder / 'quilts.tsv', QUILTS_HEADER, quilts.page_rows(foreign))
    write_table(folder / 'patches.tsv', PATCHES_HEADER, quilts.patch_rows(foreign))


def write_phrases(folder: Path, phrases: Phrases) -> None:
    """Write the tables of the planted phrases."""
    of = phrase_planting
    write_table(folder / 'phrase_pages.tsv', of.PAGES_HEADER, phrases.page_rows())
    write_table(folder / 'passages.tsv', of.PASSAGES_HEADER, phrases.passage_rows())
    write_table(folder / 'phrase_pairs.tsv', of.PAIRS_HEADER, phrases.pair_rows())
    write_table(folder / 'phrase_sites.tsv', of.SITES_HEADER, phrases.site_rows())


def write_styles(folder: Path, styles: Styles) -> None:
    """Write the tables of the planted styles."""
    of = style_planting
    write_table(folder / 'style_pages.tsv', of.PAGES_HEADER, styles.page_rows())
    write_table(folder / 'style_families.tsv', of.FAMILIES_HEADER, styles.family_rows())
    write_table(folder / 'style_pairs.tsv', of.PAIRS_HEADER, styles.pair_rows())


def write_table(path: Path, header: str, lines: Iterable[str]) -> None:
    """Write a table of the answer key."""
    with text_file(path) as table:
        table.write(header)
        table.writelines(lines)


def text_file(path: Path) -> TextIO:
    """Open a text file for writing."""
    return open(path, 'w', encoding='utf-8', newline='\n')


@contextlib.contextmanager
def all_or_nothing(out: Path, force: bool) -> Iterator[Path]:
    """Yield a temporary folder, whose files move to `out` if the block succeeds."""
    new = not out.exists()
    if not (new or out.is_dir()):
        raise UserError(f'{out}: a file, not a folder; name another with -o')
    if not (new or force) and any(out.iterdir()):
        raise UserError(
            f'{out}: not empty; name another folder with -o, or give --force'
        )
    out.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(prefix='.synth-', dir=out) as name:
            yield Path(name)
            replace_files(out, Path(name))
    except BaseException:
        if new:
            shutil.rmtree(out)
        raise


def replace_files(out: Path, folder: Path) -> None:
    """Replace the files of an earlier crawl in `out` by those of a folder."""
    for old in out.iterdir():
        if WRITTEN.fullmatch(old.name):
            old.unlink()
    for file in sorted(folder.iterdir()):  # the key comes after the archives
        file.replace(out / file.name)


def summarize(options: SynthOptions, crawl: Crawl) -> str:
    """Return two lines: a summary of the crawl, and the next command."""
    out = shlex.quote(str(options.output))
    pages = format_count(crawl.page_count, 'page')
    archives = format_count(options.archives, 'archive')
    keys = [
        f'; the {name} are listed in {files}'
        for name, files, is_planted in (
            ('quilts', 'quilts.tsv and patches.tsv', options.quilts),
            ('phrases', 'phrase_pages.tsv and passages.tsv', options.phrases),
            ('styles', 'style_pages.tsv and style_families.tsv', options.styles),
        )
        if is_planted
    ]
    damage = '; the damage is listed in damage.tsv' if options.damage else ''
    return (
        f'{out}: {pages}, {crawl.written / 10**6:,.1f} MB, in {archives};'
        ' the planted copies are listed in key.tsv and sites.tsv'
        f'{"".join(keys)}{damage}\n'
        f'next: {python_command()} -m mr_reuse.discover {out}/crawl-* -o RUN'
    )
