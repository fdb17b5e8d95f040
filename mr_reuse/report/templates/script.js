'use strict';
// Sort and search the table of neighborhoods. Without this script the page has the same
// content. The script moves and hides rows and never parses text from pages as markup.
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

  const form = document.querySelector('.search');
  const field = form.querySelector('input');
  const hits = form.querySelector('[role=status]');
  const texts = bodies.map((body) => body.textContent.toLowerCase());
  const search = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    bodies.forEach((body, number) => {
      const matches = words.every((word) => texts[number].includes(word));
      body.hidden = !matches;
      count += matches;
    });
    hits.textContent = words.length ? `${count} of ${bodies.length} match` : '';
  };
  field.addEventListener('input', search);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
}
