'use strict';
// Text from crawled pages arrives as JSON and is inserted as text, never as markup.

const $ = id => document.getElementById(id);
let state, place = 1, item, page = 0, source = false, shown = 0, saving = Promise.resolve();
let going = 0, asked = 0; // the item that is loading, 0 if none; the number of requests for items
const fetched = new Map();

function make(tag, props, ...children) {
  const element = Object.assign(document.createElement(tag), props);
  element.append(...children);
  return element;
}

function put(parent, ...children) { parent.replaceChildren(...children); }

const formatted = number => number.toLocaleString('en');

function times(copies, pages) {
  return `${formatted(copies)} ${copies === 1 ? 'copy' : 'copies'} on ${formatted(pages)} ${pages === 1 ? 'page' : 'pages'}`;
}

function trouble(text) {
  $('trouble').textContent = text;
  $('trouble').hidden = !text;
}

async function ask(path, body) {
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

function get(path) {
  if (!fetched.has(path)) {
    if (fetched.size > 50) fetched.clear();
    const answer = ask(path);
    fetched.set(path, answer);
    answer.catch(() => fetched.delete(path));
  }
  return fetched.get(path);
}

// Display

function part(piece, labels) {
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

function parts(record, labels) {
  if (record.gone) return [make('p', {className: 'quiet'}, `Cannot be shown: ${record.gone}`)];
  return record.parts.map(piece => part(piece, labels)).filter(Boolean);
}

function where(record) {
  return [record.url, record.date && `captured ${record.date}`, record.rid].filter(Boolean).join('   ');
}

async function showPage(number) {
  const mine = ++shown;
  page = number;
  [...$('pages').children].forEach((button, i) => button.setAttribute('aria-current', String(i === number)));
  put($('url'), where(item.pages[number]));
  const record = await get(`items/${item.place}/pages/${number}`);
  if (mine !== shown) return; // another page was opened in the meantime
  put($('url'), where(record));
  $('text').className = source ? 'text source' : 'text';
  put($('text'), ...parts(record, item.labels.length));
  const first = $('text').querySelector('.copied');
  const top = first ? first.offsetTop - $('text').offsetTop : 0;
  $('text').scrollTop = top < $('text').clientHeight / 2 ? 0 : top - 60;
}

function other(record, label, number, at) {
  const around = make('div', {className: 'around', hidden: true});
  const button = make('button', {type: 'button'},
    make('span', {className: 'date'}, record.date ? record.date.slice(0, 19).replace('T', ' ') : '—'),
    make('span', {className: 'address', dir: 'ltr'}, record.url + (record.same ? '  (this host)' : '')));
  button.setAttribute('aria-expanded', 'false');
  button.addEventListener('click', () => open(around.hidden));
  async function open(yes) {
    button.setAttribute('aria-expanded', String(yes));
    around.hidden = !yes;
    if (!yes) return;
    try {
      const context = await get(`items/${at}/labels/${label}/${number}`);
      around.classList.toggle('source', source);
      put(around, ...parts(context, 1));
      const first = around.querySelector('.copied');
      if (first) around.scrollTop = first.offsetTop - around.offsetTop - 40;
    } catch (error) { trouble(error.message); }
  }
  return {row: make('li', {}, button, around), open};
}

function label(one, number, alone) {
  const numbers = [], least = one.least ? 'at least ' : '';
  if (one.here) numbers.push(`in this item ${times(...one.here)}`);
  if (one.copies) numbers.push(`in the run ${times(one.copies, one.pages)} of ${least}${formatted(one.hosts)} ${one.hosts === 1 ? 'host' : 'hosts'}`);
  const head = make('h4', {}, ...(alone ? [] : [make('span', {className: 'number'}, String(number + 1))]), numbers.join('; '));
  const rows = one.others.map((record, i) => other(record, number, i, item.place));
  const found = make('article', {}, head);
  if (!alone) found.append(...(one.part ? [part({...one.part, label: 99}, 0)] : [make('p', {className: 'quiet'}, one.hash)]));
  found.append(rows.length ? make('ul', {}, ...rows.map(one => one.row)) :
    make('p', {className: 'quiet'}, one.copies ? 'on no other page' : 'run detect to see other pages'));
  if (one.left) found.append(make('p', {className: 'quiet'}, `and on ${least}${formatted(one.left)} more hosts, not captured earlier`));
  if (alone && rows.length) rows[0].open(true);
  return found;
}

function showLabels() {
  const alone = state.what === 'chunks';
  $('labels').className = source ? 'labels source' : 'labels';
  put($('labels'), ...item.labels.map((one, i) => label(one, i, alone)));
  if (!item.labels.length) put($('labels'), make('p', {className: 'quiet'}, 'no labels are known'));
  $('labels').scrollTop = 0;
}

function held(at = place) { return state.items[at] || {names: [], note: ''}; }

function firstLeft() {
  for (let at = 1; at <= state.drawn; at++) if (!held(at).names.length) return at;
  return 0;
}

function showJudgement() {
  const {names, note} = held();
  for (const button of $('categories').querySelectorAll('button')) {
    button.setAttribute('aria-pressed', String(names.includes(button.dataset.name)));
  }
  if (document.activeElement !== $('note')) $('note').value = note;
  $('progress').textContent = `${formatted(state.judged)} of ${formatted(state.drawn)} judged`;
  $('bar').max = state.drawn;
  $('bar').value = state.judged;
  const known = new Set(state.categories.map(one => one.name));
  const odd = names.filter(name => !known.has(name));
  const said = names.length ? ` · ${names.join('; ')}${odd.length ? ' (not in the list of categories)' : ''}` : '';
  $('place').textContent = `${formatted(place)} of ${formatted(state.drawn)}` +
    (item && item.stratum ? ` · ${item.stratum}` : '') + said +
    (state.judged === state.drawn ? ` · all are judged; for tables: python -m mr_reuse.review summarize ${state.run}` : '');
}

// A placeholder for an item that cannot be read. It must not be judged.
function blank(number) {
  return {place: number, title: 'This item cannot be shown', about: '', pages: [], labels: [], failed: true};
}

async function go(number, quietly) {
  if (number < 1 || number > state.drawn) {
    say(number < 1 ? 'This is the first item.' : 'This is the last item.');
    return;
  }
  // Until the item has arrived, judge() refuses: a key must not judge an item that is not shown.
  going = number;
  const mine = ++asked;
  let answer, why = '';
  try {
    answer = await get(`items/${number}`);
  } catch (error) {
    answer = blank(number);
    why = error.message;
  }
  if (mine !== asked) return;
  going = 0;
  shown++;
  place = number;
  item = answer;
  trouble(why);
  put($('title'), item.title);
  put($('about'), item.about);
  put($('pages'), ...(item.pages.length < 2 ? [] : item.pages.map((record, i) => {
    const button = make('button', {type: 'button', title: record.url}, String(i + 1));
    button.setAttribute('aria-label', `page ${i + 1}`);
    button.addEventListener('click', () => showPage(i).catch(error => trouble(error.message)));
    return button;
  })));
  $('note').value = held().note;
  showJudgement();
  showLabels();
  if (!quietly && document.activeElement !== $('note')) $('title').focus();
  if (item.pages.length) await showPage(0).catch(error => trouble(error.message));
  else {
    put($('url'));
    put($('text'), make('p', {className: 'quiet'}, 'No page of this item is known.'));
  }
  if (number < state.drawn) ahead(number + 1);
}

// Load the next item while the judge looks at this one.
async function ahead(number) {
  try {
    const next = await get(`items/${number}`);
    if (next.pages.length) await get(`items/${number}/pages/0`);
  } catch { /* go() shows the error */ }
}

// Judgements

function say(text) { $('said').textContent = text; }

function save(path, body) {
  const done = saving.then(async () => {
    const answer = await ask(path, body);
    state.judged = answer.judged;
    state.items = answer.items;
    trouble('');
    return answer;
  });
  saving = done.catch(error => trouble(`Not saved. ${error.message}`));
  return done;
}

function keysOf(names) { return state.categories.filter(one => names.includes(one.name)).map(one => one.key); }

async function judge(category, stay) {
  if (going || item.failed) return say('Not judged: the item is not shown.');
  const at = place, before = new Set(stay ? keysOf(held().names) : []);
  if (!before.delete(category.key)) before.add(category.key);
  const keys = [...before];
  try {
    await save('judgements', {place: at, keys, note: $('note').value});
  } catch { return; }
  say(`${at}: ${held(at).names.join(' and ') || 'nothing'}. ${state.judged} of ${state.drawn} judged.`);
  const next = at < state.drawn ? at + 1 : firstLeft();
  return stay || at !== place || !next ? showJudgement() : go(next);
}

async function saveNote() {
  const at = place, text = $('note').value;
  if (item.failed || text.trim() === held().note) return;
  try {
    await save('judgements', {place: at, keys: keysOf(held().names), note: text});
    say('Note saved.');
    showJudgement();
  } catch { /* save() shows the error */ }
}

async function undo() {
  try {
    const answer = await save('undo', {});
    say(`Undone: item ${answer.place}. ${state.judged} of ${state.drawn} judged.`);
    await go(answer.place);
  } catch { /* save() shows the error */ }
}

// Keys

function toggleView() {
  source = !source;
  $('view').setAttribute('aria-pressed', String(source));
  showLabels();
  if (item.pages.length) showPage(page).catch(error => trouble(error.message));
}

function turn(by) {
  if (item.pages.length > 1) showPage((page + by + item.pages.length) % item.pages.length).catch(error => trouble(error.message));
}

const moves = {
  n: () => go((going || place) + 1), ArrowRight: () => go((going || place) + 1),
  p: () => go((going || place) - 1), ArrowLeft: () => go((going || place) - 1),
  u: undo, v: toggleView, ',': () => turn(-1), '.': () => turn(1),
  '/': () => $('note').focus(), '?': () => $('help').showModal(),
};

const REPEATED = ['n', 'p', 'ArrowRight', 'ArrowLeft'];

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || $('help').open) return;
  if (event.repeat && !REPEATED.includes(event.key)) return;
  if (event.target === $('note')) {
    if (event.key === 'Escape') $('title').focus();
    return;
  }
  if (!$('shortcuts').checked || !item) return;
  const category = state.categories.find(one => one.key === event.key.toLowerCase());
  const move = moves[event.key] || moves[event.key.toLowerCase()];
  if (!category && !move) return;
  event.preventDefault();
  if (category) judge(category, event.shiftKey || $('several').checked);
  else move();
}

function categories() {
  let group = '';
  const rows = [];
  for (const one of state.categories) {
    const end = one.name.indexOf(': ');
    const first = end < 0 ? '' : one.name.slice(0, end), rest = end < 0 ? one.name : one.name.slice(end + 2);
    if (first && first !== group) rows.push(make('li', {className: 'group'}, first));
    group = first;
    const button = make('button', {type: 'button', title: one.description}, make('span', {}, rest), make('kbd', {}, one.key));
    button.dataset.name = one.name;
    button.setAttribute('aria-label', `${one.name}, key ${one.key}`);
    button.addEventListener('click', event => judge(one, event.shiftKey || $('several').checked));
    rows.push(make('li', {className: first ? 'inner' : ''}, button));
    $('meanings').append(make('dt', {}, one.name), make('dd', {}, [one.counts, one.description].filter(Boolean).join(': ')));
  }
  put($('categories'), ...rows);
}

async function start() {
  try {
    state = await ask('state');
  } catch (error) { return trouble(error.message); }
  source = state.what === 'chunks';
  $('view').setAttribute('aria-pressed', String(source));
  $('what').textContent = `Review: ${state.all}`;
  document.title = `Review: ${state.all}`;
  $('who').textContent = `${formatted(state.drawn)} of ${[formatted(state.population), state.folded].filter(Boolean).join(', ')}; judged by ${state.judge}; in ${state.run}`;
  categories();
  $('next').addEventListener('click', moves.n);
  $('previous').addEventListener('click', moves.p);
  $('undo').addEventListener('click', undo);
  $('ask').addEventListener('click', moves['?']);
  $('close').addEventListener('click', () => $('help').close());
  $('view').addEventListener('click', toggleView);
  $('note').addEventListener('blur', saveNote);
  document.addEventListener('keydown', pressed);
  await go(firstLeft() || 1, true);
}

start();
