'use strict';
// Pages beside others: a page of the item on the left, and on the right one of its sources, such
// as those of a quilt, the document kept of a near-duplicate, or the donors of a page. `review.js`
// calls these functions. Text from crawled pages is inserted as text, never as markup.

const COLOURS = 8;
let shown = 0; // the number of the source that is shown, 0 if none; the first is 1

function isBeside() { return Boolean(state.sides); }

function prepareSides() {
  document.body.classList.add('sides');
  document.body.classList.toggle('source', state.sides.is_source);
  $('view').hidden = true;
  $('here').textContent = state.sides.here;
  $('there').textContent = state.sides.there;
  $('labels').setAttribute('aria-label', 'pages beside it');
}

function colourOf(number) { return number === null ? 'c-none' : `c${number % COLOURS}`; }

// The parts of a page. `number` is that of the source that is displayed, 0 for the page.
function showMarked(record, number) {
  if (record.gone) return [make('p', {className: 'quiet'}, `Cannot be shown: ${record.gone}`)];
  const text = make('div', {className: 'part', dir: 'auto'});
  for (const part of record.parts) text.append(part.title ? makePatch(part, number) : part.text);
  if (record.end) text.append(make('span', {className: 'quiet'}, record.end));
  return [text];
}

function makePatch(part, number) {
  const isOther = number && part.source && part.source !== number; // in a source: text of an earlier source
  const colour = isOther ? 'earlier' : colourOf(part.colour);
  const patch = make('span', {className: `patch ${colour}`, title: part.title});
  patch.dataset.links = part.links.join(' ');
  const isLink = part.links.length && part.source;
  if (part.mark) patch.append(make('span', {className: 'number'}, part.mark));
  patch.append(part.text);
  if (!isLink) return patch;
  patch.tabIndex = 0;
  patch.setAttribute('role', 'button');
  const follow = () => (number ? findInPage(part.links) : showSource(part.source, part.links)
    .catch(error => showError(error.message)));
  patch.addEventListener('click', follow);
  patch.addEventListener('keydown', event => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    event.stopPropagation();
    follow();
  });
  return patch;
}

function partsOf(parent, links) {
  const wanted = new Set(links.map(String));
  return [...parent.querySelectorAll('.patch')].filter(one => one.dataset.links.split(' ').some(link => wanted.has(link)));
}

// Mark the parts with some links in the page and in the source; return those in the source.
function markFound(links) {
  for (const one of document.querySelectorAll('.found')) one.classList.remove('found');
  for (const one of partsOf($('text'), links)) one.classList.add('found');
  const found = $('other') ? partsOf($('other'), links) : [];
  for (const one of found) one.classList.add('found');
  return found;
}

function reveal(element) { element.scrollIntoView({block: 'center', inline: 'nearest'}); }

function findInPage(links) {
  markFound(links);
  const [first] = partsOf($('text'), links);
  if (!first) return announce('It is not in the part of the page that is shown.');
  reveal(first);
  first.focus({preventScroll: true});
}

// List the sources of the page that is displayed, and show the first one.
function showSources() {
  shown = 0;
  const sources = item.sources[page] || [];
  const rows = sources.map((source, i) => {
    const button = make('button', {type: 'button'},
      make('span', {className: `number ${source.colour === undefined ? '' : colourOf(source.colour)}`}, String(i + 1)),
      make('span', {className: 'address', dir: 'ltr'}, source.url),
      make('span', {className: 'quiet'}, source.about));
    button.addEventListener('click', () => showSource(i + 1).catch(error => showError(error.message)));
    return make('li', {}, button);
  });
  const other = make('div', {className: 'text', id: 'other', tabIndex: 0});
  other.setAttribute('role', 'region');
  other.setAttribute('aria-label', 'text of the source');
  fill($('labels'), make('ul', {id: 'sources'}, ...rows), make('p', {className: 'where', id: 'from'}), other);
  if (sources.length) showSource(1).catch(error => showError(error.message));
  else fill(other, make('p', {className: 'quiet'}, state.sides.none));
}

// Show a source, at the place of a part with some links if they are given.
async function showSource(number, links) {
  const at = item.place, of = page;
  const isNew = number !== shown;
  shown = number;
  [...$('sources').querySelectorAll('button')].forEach((button, i) => {
    button.setAttribute('aria-current', String(i + 1 === number));
    if (i + 1 === number) button.parentElement.scrollIntoView({block: 'nearest'});
  });
  if (isNew) {
    const record = await load(`items/${at}/pages/${of}/beside/${number - 1}`);
    if (at !== item.place || of !== page || number !== shown) return; // another one was opened in the meantime
    fill($('from'), describeRecord(record));
    fill($('other'), ...showMarked(record, number));
    $('other').scrollTop = 0;
  }
  if (!links) {
    const first = $('other').querySelector('.patch:not(.earlier)');
    if (first) $('other').scrollTop = Math.max(0, first.offsetTop - $('other').offsetTop - 40);
    return;
  }
  const [found] = markFound(links);
  if (found) reveal(found);
  announce(found ? `found in source ${number}` : `not found in source ${number}`);
}

function turnSource(by) {
  const count = (item.sources[page] || []).length;
  if (count) showSource((shown - 1 + by + count) % count + 1).catch(error => showError(error.message));
}
