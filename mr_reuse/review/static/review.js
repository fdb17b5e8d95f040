'use strict';
// Text from crawled pages arrives as JSON and is inserted as text, never as markup.

const $ = id => document.getElementById(id);
// `place` is the number of the item. `displays` counts the pages that were displayed.
let state, place = 1, item, page = 0, source = false, displays = 0, saving = Promise.resolve();
let loading = 0, requests = 0; // the item that is loading, 0 if none; the number of requests for items
const cache = new Map(); // answers of the server, by path

function make(tag, props, ...children) {
  const element = Object.assign(document.createElement(tag), props);
  element.append(...children);
  return element;
}

function fill(parent, ...children) { parent.replaceChildren(...children); }

const formatted = number => number.toLocaleString('en');

function countCopies(copies, pages) {
  return `${formatted(copies)} ${copies === 1 ? 'copy' : 'copies'} on ${formatted(pages)} ${pages === 1 ? 'page' : 'pages'}`;
}

function showError(text) {
  $('trouble').textContent = text;
  $('trouble').hidden = !text;
}

async function callServer(path, body) {
  const options = body === undefined ? {} :
    {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)};
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error('The program does not answer. If it has stopped, start it again; it prints a new address.');
  }
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  return answer.json();
}

function load(path) {
  if (!cache.has(path)) {
    if (cache.size > 50) cache.clear();
    const answer = callServer(path);
    cache.set(path, answer);
    answer.catch(() => cache.delete(path));
  }
  return cache.get(path);
}

// Display

function showPart(piece, labels) {
  const text = source ? piece.source : piece.text;
  if (!text && piece.label === null) return null;
  const element = make('div', {className: 'part', dir: 'auto'});
  if (piece.label !== null) {
    element.classList.add('copied');
    if (piece.label < labels && labels > 1) {
      element.append(make('span', {className: 'number', title: 'number in the list'}, String(piece.label + 1)));
    }
  }
  element.append(text || make('span', {className: 'quiet'}, '(no readable text; see the source)'));
  return element;
}

function showParts(record, labels) {
  if (isBeside()) return showMarked(record, 0);
  if (record.gone) return [make('p', {className: 'quiet'}, `Cannot be shown: ${record.gone}`)];
  return record.parts.map(piece => showPart(piece, labels)).filter(Boolean);
}

function describeRecord(record) {
  return [record.url, record.date && `captured ${record.date}`, record.rid].filter(Boolean).join('   ');
}

async function showPage(number) {
  const display = ++displays;
  page = number;
  [...$('pages').children].forEach((button, i) => button.setAttribute('aria-current', String(i === number)));
  fill($('url'), describeRecord(item.pages[number]));
  if (isBeside()) showSources();
  const record = await load(`items/${item.place}/pages/${number}`);
  if (display !== displays) return; // another page was opened in the meantime
  fill($('url'), describeRecord(record));
  $('text').className = source ? 'text source' : 'text';
  fill($('text'), ...showParts(record, item.labels.length));
  const first = $('text').querySelector('.copied');
  const top = first ? first.offsetTop - $('text').offsetTop : 0;
  $('text').scrollTop = top < $('text').clientHeight / 2 ? 0 : top - 60;
}

// A page with a label: a button that opens the label in its context.
function makeContext(record, label, number, place) {
  const context = make('div', {className: 'around', hidden: true});
  const button = make('button', {type: 'button'},
    make('span', {className: 'date'}, record.date ? record.date.slice(0, 19).replace('T', ' ') : '—'),
    make('span', {className: 'address', dir: 'ltr'}, record.url + (record.same ? '  (this host)' : '')));
  button.setAttribute('aria-expanded', 'false');
  button.addEventListener('click', () => open(context.hidden));
  async function open(visible) {
    button.setAttribute('aria-expanded', String(visible));
    context.hidden = !visible;
    if (!visible) return;
    try {
      const page = await load(`items/${place}/labels/${label}/${number}`);
      context.classList.toggle('source', source);
      fill(context, ...showParts(page, 1));
      const first = context.querySelector('.copied');
      if (first) context.scrollTop = first.offsetTop - context.offsetTop - 40;
    } catch (error) { showError(error.message); }
  }
  return {row: make('li', {}, button, context), open};
}

// The counts of a label and the pages with it. `alone`: the item is this label.
function makeLabel(label, number, alone) {
  const counts = [], least = label.least ? 'at least ' : '';
  if (label.here) counts.push(`in this item ${countCopies(...label.here)}`);
  if (label.copies) counts.push(`in the run ${countCopies(label.copies, label.pages)} of ${least}${formatted(label.hosts)} ${label.hosts === 1 ? 'host' : 'hosts'}`);
  const head = make('h4', {}, ...(alone ? [] : [make('span', {className: 'number'}, String(number + 1))]), counts.join('; '));
  const contexts = label.others.map((record, i) => makeContext(record, number, i, item.place));
  const article = make('article', {}, head);
  if (!alone) article.append(...(label.part ? [showPart({...label.part, label: 99}, 0)] : [make('p', {className: 'quiet'}, label.hash)]));
  article.append(contexts.length ? make('ul', {}, ...contexts.map(context => context.row)) :
    make('p', {className: 'quiet'}, label.copies ? 'on no other page' : 'other pages are not known; run detect'));
  if (label.left) article.append(make('p', {className: 'quiet'}, `and on ${least}${formatted(label.left)} more ${label.left === 1 ? 'host' : 'hosts'}, not captured earlier`));
  if (alone && contexts.length) contexts[0].open(true);
  return article;
}

function showLabels() {
  if (isBeside()) return item.pages.length ? undefined : fill($('labels'));
  const alone = state.what === 'chunks';
  $('labels').className = source ? 'labels source' : 'labels';
  fill($('labels'), ...item.labels.map((label, i) => makeLabel(label, i, alone)));
  const none = state.what === 'files' ? `the other captures of this file: python -m mr_reuse.show ${state.run} ${item.title} --where` : 'no labels of this item are known';
  if (!item.labels.length) fill($('labels'), make('p', {className: 'quiet'}, none));
  $('labels').scrollTop = 0;
}

function judgementAt(at = place) { return state.items[at] || {names: [], note: ''}; }

function firstUnjudged() {
  for (let at = 1; at <= state.drawn; at++) if (!judgementAt(at).names.length) return at;
  return 0;
}

function showJudgement() {
  const {names, note} = judgementAt();
  for (const button of $('categories').querySelectorAll('button')) {
    button.setAttribute('aria-pressed', String(names.includes(button.dataset.name)));
  }
  if (document.activeElement !== $('note')) $('note').value = note;
  $('progress').textContent = `${formatted(state.judged)} of ${formatted(state.drawn)} judged`;
  $('bar').max = state.drawn;
  $('bar').value = state.judged;
  const known = new Set(state.categories.map(category => category.name));
  const unknown = names.filter(name => !known.has(name));
  const judged = names.length ? ` · ${names.join('; ')}${unknown.length ? ' (not in the list of categories)' : ''}` : '';
  $('place').textContent = `${formatted(place)} of ${formatted(state.drawn)}` +
    (item && item.stratum ? ` · ${item.stratum}` : '') + judged +
    (state.judged === state.drawn ? ` · all are judged; for tables: python -m mr_reuse.review summarize ${state.run}` : '');
}

// A placeholder for an item that cannot be read. It must not be judged.
function makeUnreadable(number) {
  return {place: number, title: 'This item cannot be shown', about: '', pages: [], labels: [], failed: true};
}

async function showItem(number, quietly) {
  if (number < 1 || number > state.drawn) {
    announce(number < 1 ? 'This is the first item.' : 'This is the last item.');
    return;
  }
  // Until the item has arrived, judge() refuses: a key must not judge an item that is not shown.
  loading = number;
  const request = ++requests;
  let answer, why = '';
  try {
    answer = await load(`items/${number}`);
  } catch (error) {
    answer = makeUnreadable(number);
    why = error.message;
  }
  if (request !== requests) return;
  loading = 0;
  displays++;
  place = number;
  item = answer;
  showError(why);
  fill($('title'), item.title);
  fill($('about'), item.about);
  fill($('pages'), ...(item.pages.length < 2 ? [] : item.pages.map((record, i) => {
    const button = make('button', {type: 'button', title: record.url}, String(i + 1));
    button.setAttribute('aria-label', `page ${i + 1}`);
    button.addEventListener('click', () => showPage(i).catch(error => showError(error.message)));
    return button;
  })));
  $('note').value = judgementAt().note;
  showJudgement();
  showLabels();
  if (!quietly && document.activeElement !== $('note')) $('title').focus();
  if (item.pages.length) await showPage(0).catch(error => showError(error.message));
  else {
    fill($('url'));
    fill($('text'), make('p', {className: 'quiet'}, 'No page of this item is in the results.'));
  }
  if (number < state.drawn) preload(number + 1);
}

// Load the next item while the judge looks at this one.
async function preload(number) {
  try {
    const next = await load(`items/${number}`);
    if (next.pages.length) await load(`items/${number}/pages/0`);
  } catch { /* showItem() shows the error */ }
}

// Judgements

function announce(text) { $('said').textContent = text; }

function save(path, body) {
  const done = saving.then(async () => {
    const answer = await callServer(path, body);
    state.judged = answer.judged;
    state.items = answer.items;
    showError('');
    return answer;
  });
  saving = done.catch(error => showError(`Not saved. ${error.message}`));
  return done;
}

function keysOf(names) { return state.categories.filter(category => names.includes(category.name)).map(category => category.key); }

async function judge(category, stay) {
  if (loading || item.failed) return announce('Not judged: the item is not shown.');
  const at = place, before = new Set(stay ? keysOf(judgementAt().names) : []);
  if (!before.delete(category.key)) before.add(category.key);
  const keys = [...before];
  try {
    await save('judgements', {place: at, keys, note: $('note').value});
  } catch { return; }
  announce(`${at}: ${judgementAt(at).names.join(' and ') || 'nothing'}; judged: ${state.judged} of ${state.drawn}`);
  const next = at < state.drawn ? at + 1 : firstUnjudged();
  return stay || at !== place || !next ? showJudgement() : showItem(next);
}

async function saveNote() {
  const at = place, text = $('note').value;
  if (item.failed || text.trim() === judgementAt().note) return;
  try {
    await save('judgements', {place: at, keys: keysOf(judgementAt().names), note: text});
    announce('Note saved.');
    showJudgement();
  } catch { /* save() shows the error */ }
}

async function undo() {
  try {
    const answer = await save('undo', {});
    announce(`Undone: item ${answer.place}; judged: ${state.judged} of ${state.drawn}`);
    await showItem(answer.place);
  } catch { /* save() shows the error */ }
}

// Keys

function toggleView() {
  if (isBeside()) return;
  source = !source;
  $('view').setAttribute('aria-pressed', String(source));
  showLabels();
  if (item.pages.length) showPage(page).catch(error => showError(error.message));
}

function turnPage(by) {
  if (isBeside()) return turnSource(by);
  if (item.pages.length > 1) showPage((page + by + item.pages.length) % item.pages.length).catch(error => showError(error.message));
}

const actions = {
  n: () => showItem((loading || place) + 1), ArrowRight: () => showItem((loading || place) + 1),
  p: () => showItem((loading || place) - 1), ArrowLeft: () => showItem((loading || place) - 1),
  u: undo, v: toggleView, ',': () => turnPage(-1), '.': () => turnPage(1),
  '/': () => $('note').focus(), '?': () => $('help').showModal(),
};

const REPEATED = ['n', 'p', 'ArrowRight', 'ArrowLeft'];

function handleKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || $('help').open) return;
  if (event.repeat && !REPEATED.includes(event.key)) return;
  if (event.target === $('note')) {
    if (event.key === 'Escape') $('title').focus();
    return;
  }
  if (!$('shortcuts').checked || !item) return;
  const category = state.categories.find(({key}) => key === event.key.toLowerCase());
  const move = actions[event.key] || actions[event.key.toLowerCase()];
  if (!category && !move) return;
  event.preventDefault();
  if (category) judge(category, event.shiftKey || $('several').checked);
  else move();
}

function showCategories() {
  let group = '';
  const rows = [];
  for (const category of state.categories) {
    const colon = category.name.indexOf(': ');
    const prefix = colon < 0 ? '' : category.name.slice(0, colon), rest = colon < 0 ? category.name : category.name.slice(colon + 2);
    if (prefix && prefix !== group) rows.push(make('li', {className: 'group'}, prefix));
    group = prefix;
    const button = make('button', {type: 'button', title: category.description}, make('span', {}, rest), make('kbd', {}, category.key));
    button.dataset.name = category.name;
    button.setAttribute('aria-label', `${category.name}, key ${category.key}`);
    button.addEventListener('click', event => judge(category, event.shiftKey || $('several').checked));
    rows.push(make('li', {className: prefix ? 'inner' : ''}, button));
    $('meanings').append(make('dt', {}, category.name), make('dd', {}, [category.counts, category.description].filter(Boolean).join(': ')));
  }
  fill($('categories'), ...rows);
}

async function start() {
  try {
    state = await callServer('state');
  } catch (error) { return showError(error.message); }
  source = state.what === 'chunks';
  $('view').setAttribute('aria-pressed', String(source));
  $('what').textContent = `Review: ${state.all}`;
  document.title = `Review: ${state.all}`;
  $('who').textContent = `${formatted(state.drawn)} of ${[formatted(state.population), state.folded].filter(Boolean).join(', ')}; judged by ${state.judge}; in ${state.run}`;
  showCategories();
  if (isBeside()) prepareSides();
  $('next').addEventListener('click', actions.n);
  $('previous').addEventListener('click', actions.p);
  $('undo').addEventListener('click', undo);
  $('ask').addEventListener('click', actions['?']);
  $('close').addEventListener('click', () => $('help').close());
  $('view').addEventListener('click', toggleView);
  $('note').addEventListener('blur', saveNote);
  document.addEventListener('keydown', handleKey);
  await showItem(firstUnjudged() || 1, true);
}

start();
