'use strict';
// Quilted pages: the page on the left, one of its sources on the right. `review.js` calls
// these functions. Text from crawled pages is inserted as text, never as markup.

const COLOURS = 8;
let shown = 0; // the number of the source that is shown, 0 if none; the first is 1

function isOfQuilts() { return state.what === 'quilts'; }

function prepareQuilts() {
  document.body.classList.add('quilted');
  $('view').hidden = true;
  $('here').textContent = 'The quilted page';
  $('there').textContent = 'Its sources';
  $('labels').setAttribute('aria-label', 'sources of the page');
}

function colourOf(source) { return source ? `c${(source - 1) % COLOURS}` : 'c-none'; }

// The parts of a page. `number` is that of the source that is displayed, 0 for the quilt.
function showPatches(record, number) {
  if (record.gone) return [make('p', {className: 'quiet'}, `Cannot be shown: ${record.gone}`)];
  const text = make('div', {className: 'part', dir: 'auto'});
  for (const part of record.parts) text.append(part.source === null ? part.text : makePatch(part, number));
  if (record.end) text.append(make('span', {className: 'quiet'}, record.end));
  return [text];
}

function makePatch(part, number) {
  const isOther = number && part.source !== number; // in a source: text of an earlier source
  const patch = make('span', {className: `patch ${isOther ? 'earlier' : colourOf(part.source)}`});
  patch.dataset.patches = part.patches.join(' ');
  const isLink = part.patches.length && part.source;
  if (!number) patch.append(make('span', {className: 'number'}, part.source || '–'));
  patch.append(part.text);
  if (isOther) patch.title = `also in source ${part.source || '–'}`;
  else patch.title = part.source ? `source ${part.source}` : 'in no source of the cover';
  if (!isLink) return patch;
  patch.tabIndex = 0;
  patch.setAttribute('role', 'button');
  const follow = () => (number ? findInPage(part.patches[0]) : showSource(part.source, part.patches[0])
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

function partsOf(parent, patch) {
  return [...parent.querySelectorAll('.patch')].filter(one => one.dataset.patches.split(' ').includes(String(patch)));
}

// Mark a patch in the page and in the source; return its parts in the source.
function markFound(patch) {
  for (const one of document.querySelectorAll('.found')) one.classList.remove('found');
  for (const one of partsOf($('text'), patch)) one.classList.add('found');
  const found = $('other') ? partsOf($('other'), patch) : [];
  for (const one of found) one.classList.add('found');
  return found;
}

function reveal(element) { element.scrollIntoView({block: 'center', inline: 'nearest'}); }

function findInPage(patch) {
  markFound(patch);
  const [first] = partsOf($('text'), patch);
  if (!first) return announce('The patch is behind the part of the page that is shown.');
  reveal(first);
  first.focus({preventScroll: true});
}

function describeSource(source) {
  const share = (100 * source.share).toFixed(1);
  return `${formatted(source.new)} new, ${formatted(source.shared)} shared: ${share} % of the grams`;
}

function showSources() {
  shown = 0;
  const rows = item.sources.map((source, i) => {
    const button = make('button', {type: 'button'},
      make('span', {className: `number ${colourOf(i + 1)}`}, String(i + 1)),
      make('span', {className: 'address', dir: 'ltr'}, source.url),
      make('span', {className: 'quiet'}, describeSource(source)));
    button.addEventListener('click', () => showSource(i + 1).catch(error => showError(error.message)));
    return make('li', {}, button);
  });
  const other = make('div', {className: 'text', id: 'other', tabIndex: 0});
  other.setAttribute('role', 'region');
  other.setAttribute('aria-label', 'text of the source');
  fill($('labels'), make('ul', {id: 'sources'}, ...rows), make('p', {className: 'where', id: 'from'}), other);
  if (item.sources.length) showSource(1).catch(error => showError(error.message));
  else fill(other, make('p', {className: 'quiet'}, 'No source of this page is in the results.'));
}

// Show a source, at the place of a patch if one is given.
async function showSource(number, patch) {
  const at = item.place;
  const isNew = number !== shown;
  shown = number;
  [...$('sources').querySelectorAll('button')].forEach((button, i) => {
    button.setAttribute('aria-current', String(i + 1 === number));
    if (i + 1 === number) button.parentElement.scrollIntoView({block: 'nearest'});
  });
  if (isNew) {
    const record = await load(`items/${at}/pages/${number}`);
    if (at !== item.place || number !== shown) return; // another one was opened in the meantime
    fill($('from'), describeRecord(record));
    fill($('other'), ...showPatches(record, number));
    $('other').scrollTop = 0;
  }
  if (patch === undefined) {
    const first = $('other').querySelector(`.patch.${colourOf(number)}`);
    if (first) $('other').scrollTop = Math.max(0, first.offsetTop - $('other').offsetTop - 40);
    return;
  }
  const [found] = markFound(patch);
  if (found) reveal(found);
  announce(found ? `found in source ${number}` : `not found in source ${number}`);
}

function turnSource(by) {
  const count = item.sources.length;
  if (count) showSource((shown - 1 + by + count) % count + 1).catch(error => showError(error.message));
}
