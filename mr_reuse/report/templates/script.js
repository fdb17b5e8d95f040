'use strict';
// Sort and search tables. Without this script the page has the same content. The script
// moves and hides rows and never parses text from pages as markup.
for (const table of document.querySelectorAll('table[data-sorted]')) {
  const heads = [...table.tHead.rows[0].cells];
  const bodies = [...table.tBodies];
  const numeric = (cell) => cell.classList.contains('num');
  const key = (body, column) => body.rows[0].cells[column].dataset.key;
  const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

  const sort = (column, direction) => {
    const sign = direction === 'ascending' ? 1 : -1;
    const read = numeric(heads[column]) ? Number : String;
    const keyed = bodies.map((body) => [read(key(body, column)), body]);
    keyed.sort((a, b) => sign * order(a[0], b[0]));
    table.append(...keyed.map(([, body]) => body));
    heads.forEach((head) => head.removeAttribute('aria-sort'));
    heads[column].setAttribute('aria-sort', direction);
  };

  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const now = head.getAttribute('aria-sort');
      const other = now === 'ascending' ? 'descending' : 'ascending';
      sort(column, now ? other : head.dataset.first);
    });
  });
  heads[Number(table.dataset.sorted)].setAttribute('aria-sort', 'descending');
}

// A search is for the entries of its section: parts of a table with all of their text, or
// rows by their first cell.
for (const form of document.querySelectorAll('.search')) {
  const section = form.closest('section');
  const entries = [...section.querySelectorAll('[data-entry]')];
  const text = (entry) => (entry.cells?.[0] ?? entry).textContent.toLowerCase();
  const texts = entries.map(text);
  const folds = [...section.querySelectorAll('details:has([data-entry])')];
  const field = form.querySelector('input');
  const hits = form.querySelector('[role=status]');
  const search = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    entries.forEach((entry, number) => {
      const matches = words.every((word) => texts[number].includes(word));
      entry.hidden = !matches;
      count += matches;
    });
    // Matches are not left out of sight.
    for (const fold of folds) fold.open = words.length > 0;
    hits.textContent = words.length ? `${count} of ${entries.length} match` : '';
  };
  field.addEventListener('input', search);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
}
