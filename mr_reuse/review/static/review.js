'use strict';
// Whatever a page said gets here as JSON and leaves as text: nothing is ever markup.

const $ = id => document.getElementById(id);
let state, place = 1, item, page = 0, source = false, shown = 0, saving = Promise.resolve();
let going = 0, asked = 0; // where to, until that item has arrived; how often that was asked
const fetched = new Map();

function make(tag, props, ...children) {
  const found = Object.assign(document.createElement(tag), props);
  found.append(...children);
  return found;
}

function put(parent, ...children) { parent.replaceChildren(...children); }

const spelled = number => number.toLocaleString('en');

function times(copies, pages) {
  return `${spelled(copies)} ${copies === 1 ? 'copy' : 'copies'} on ${spelled(pages)} ${pages === 1 ? 'page' : 'pages'}`;
}

function trouble(text) {
  $('trouble').textContent = text;
  $('trouble').hidden = !text;
}

async function ask(path, body) {
  const how = body === undefined ? {} :
    {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)};
  let answer;
  try {
    answer = await fetch(path, how);
  } catch {
    throw new Error('The program does not answer. If it was stopped, start it again; it prints a new address.');
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

// What is shown

function part(one, labels) {
  const text = source ? one.source : one.text;
  if (!text && one.label === null) return null;
  const found = make('div', {className: 'part', dir: 'auto'});
  if (one.label !== null) {
    found.classList.add('copied');
    if (one.label < labels && labels > 1) {
      found.append(make('span', {className: 'number', title: 'its number in the list'}, String(one.label + 1)));
    }
  }
  found.append(text || make('span', {className: 'quiet'}, '(nothing to read; see its source)'));
  return found;
}

function parts(told, labels) {
  if (told.gone) return [make('p', {className: 'quiet'}, `Cannot be shown: ${told.gone}`)];
  return told.parts.map(one => part(one, labels)).filter(Boolean);
}

function where(told) {
  return [told.url, told.date && `captured ${told.date}`, told.rid].filter(Boolean).join('   ');
}

async function showPage(number) {
  const mine = ++shown;
  page = number;
  [...$('pages').children].forEach((button, i) => button.setAttribute('aria-current', String(i === number)));
  put($('url'), where(item.pages[number]));
  const told = await get(`items/${item.place}/pages/${number}`);
  if (mine !== shown) return;
  put($('url'), where(told));
  $('text').className = source ? 'text source' : 'text';
  put($('text'), ...parts(told, item.labels.length));
  const first = $('text').querySelector('.copied');
  const top = first ? first.offsetTop - $('text').offsetTop : 0;
  $('text').scrollTop = top < $('text').clientHeight / 2 ? 0 : top - 60;
}

function other(told, label, number, at) {
  const around = make('div', {className: 'around', hidden: true});
  const button = make('button', {type: 'button'},
    make('span', {className: 'date'}, told.date ? told.date.slice(0, 19).replace('T', ' ') : '—'),
    make('span', {className: 'address', dir: 'ltr'}, told.url + (told.same ? '  (this host)' : '')));
  button.setAttribute('aria-expanded', 'false');
  button.addEventListener('click', () => open(around.hidden));
  async function open(yes) {
    button.setAttribute('aria-expanded', String(yes));
    around.hidden = !yes;
    if (!yes) return;
    try {
      const found = await get(`items/${at}/labels/${label}/${number}`);
      around.classList.toggle('source', source);
      put(around, ...parts(found, 1));
      const first = around.querySelector('.copied');
      if (first) around.scrollTop = first.offsetTop - around.offsetTop - 40;
    } catch (error) { trouble(error.message); }
  }
  return {row: make('li', {}, button, around), open};
}

function label(one, number, alone) {
  const numbers = [], least = one.least ? 'at least ' : '';
  if (one.here) numbers.push(`here ${times(...one.here)}`);
  if (one.copies) numbers.push(`in all ${times(one.copies, one.pages)} of ${least}${spelled(one.hosts)} ${one.hosts === 1 ? 'host' : 'hosts'}`);
  const head = make('h4', {}, ...(alone ? [] : [make('span', {className: 'number'}, String(number + 1))]), numbers.join('; '));
  const rows = one.others.map((told, i) => other(told, number, i, item.place));
  const found = make('article', {}, head);
  if (!alone) found.append(...(one.part ? [part({...one.part, label: 99}, 0)] : [make('p', {className: 'quiet'}, one.hash)]));
  found.append(rows.length ? make('ul', {}, ...rows.map(one => one.row)) :
    make('p', {className: 'quiet'}, one.copies ? 'on no other page' : 'other pages are known once detect has run'));
  if (one.left) found.append(make('p', {className: 'quiet'}, `and on ${least}${spelled(one.left)} more of these hosts, captured no earlier`));
  if (alone && rows.length) rows[0].open(true);
  return found;
}

function showLabels() {
  const alone = state.what === 'chunks';
  $('labels').className = source ? 'labels source' : 'labels';
  put($('labels'), ...item.labels.map((one, i) => label(one, i, alone)));
  if (!item.labels.length) put($('labels'), make('p', {className: 'quiet'}, 'nothing is known of it'));
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
  $('progress').textContent = `${spelled(state.judged)} of ${spelled(state.drawn)} judged`;
  $('bar').max = state.drawn;
  $('bar').value = state.judged;
  const known = new Set(state.categories.map(one => one.name));
  const odd = names.filter(name => !known.has(name));
  const said = names.length ? ` · ${names.join('; ')}${odd.length ? ' (not in this list)' : ''}` : '';
  $('place').textContent = `${spelled(place)} of ${spelled(state.drawn)}` +
    (item && item.stratum ? ` · ${item.stratum}` : '') + said +
    (state.judged === state.drawn ? ` · all are judged; tables: python -m mr_reuse.review summarize ${state.run}` : '');
}

// An item that cannot be read; it is not to be judged.
function blank(number) {
  return {place: number, title: 'This one cannot be shown', about: '', pages: [], labels: [], failed: true};
}

async function go(number, quietly) {
  if (number < 1 || number > state.drawn) {
    say(number < 1 ? 'This is the first one.' : 'This is the last one.');
    return;
  }
  // What is judged is what is on the screen: nothing is until the item is there.
  going = number;
  const mine = ++asked;
  let told, why = '';
  try {
    told = await get(`items/${number}`);
  } catch (error) {
    told = blank(number);
    why = error.message;
  }
  if (mine !== asked) return;
  going = 0;
  shown++;
  place = number;
  item = told;
  trouble(why);
  put($('title'), item.title);
  put($('about'), item.about);
  put($('pages'), ...(item.pages.length < 2 ? [] : item.pages.map((told, i) => {
    const button = make('button', {type: 'button', title: told.url}, String(i + 1));
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
    put($('text'), make('p', {className: 'quiet'}, 'No page of it is known.'));
  }
  if (number < state.drawn) ahead(number + 1);
}

// The next item is read while a person looks at this one.
async function ahead(number) {
  try {
    const told = await get(`items/${number}`);
    if (told.pages.length) await get(`items/${number}/pages/0`);
  } catch { /* told when it is shown */ }
}

// What is said

function say(text) { $('said').textContent = text; }

function save(path, body) {
  const done = saving.then(async () => {
    const told = await ask(path, body);
    state.judged = told.judged;
    state.items = told.items;
    trouble('');
    return told;
  });
  saving = done.catch(error => trouble(`Not saved. ${error.message}`));
  return done;
}

function keysOf(names) { return state.categories.filter(one => names.includes(one.name)).map(one => one.key); }

async function judge(category, stay) {
  if (going || item.failed) return say('This is not judged: it is not shown.');
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
  } catch { /* told already */ }
}

async function undo() {
  try {
    const told = await save('undo', {});
    say(`Taken back: ${told.place}. ${state.judged} of ${state.drawn} judged.`);
    await go(told.place);
  } catch { /* told already */ }
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
  $('who').textContent = `${spelled(state.drawn)} of ${[spelled(state.population), state.folded].filter(Boolean).join(', ')}; judged by ${state.judge}; in ${state.run}`;
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
