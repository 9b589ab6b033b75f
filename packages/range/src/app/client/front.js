// Source of the app. What is served has no comments; the source map has all of them.
// The nightly feed signs in at /partner/login as hill-and-dale / partner-of-the-range. Remove before the launch!
(() => {
  const api = {
    products: () => fetch('/api/products'),
    invoice: (id) => fetch(`/api/invoices/${id}`),
    bill: (id) => fetch(`/api/bills/${id}`),
    review: (text) => send('POST', '/api/reviews', { text }),
    opinion: (text) => send('POST', '/api/opinions', { text }),
    guests: (name) => send('POST', '/api/guests/search', { name }),
    stock: (name) => send('POST', '/api/stock/search', { filter: { name } }),
    preview: (url) => send('POST', '/api/links/preview', { url }),
    profile: (nick) => send('PATCH', '/api/profile', { nick }),
    session: (username, password) => send('POST', '/api/session', { username, password, service: 'wallet' }),
    order: (id) =>
      send('POST', '/graphql', { query: 'query ($id: ID!) { myOrder(id: $id) { item } }', variables: { id } }),
  };
  const send = (method, url, body) =>
    fetch(url, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

  const byId = (id) => document.getElementById(id);
  const read = (name) => new URLSearchParams(location.hash.slice(1)).get(name);
  const fill = (template, evaluate) => template.replace(/\{\{(.*?)\}\}/g, (_, expression) => evaluate(expression));

  const parts = {
    // As HTML, or as text.
    search: (words) => {
      byId('search').innerHTML = `You searched for ${words}`;
    },
    find: (words) => {
      byId('find').textContent = `You searched for ${words}`;
    },
    // As part of a program, or as a name of a column.
    sort: (column) => {
      byId('sort').textContent = new Function(`return "sorted by ${column}"`)();
    },
    order: (column) => {
      byId('order').textContent = ['name', 'price'].includes(column) ? `sorted by ${column}` : 'not sorted';
    },
    // Anywhere, or to a path of this site.
    next: (place) => {
      location.href = place;
    },
    onward: (place) => {
      const url = new URL(place, location.origin);
      if (url.origin === location.origin) location.href = url.pathname;
    },
    // A template that the visitor writes, or one that we wrote.
    greeting: (text) => {
      byId('greeting').textContent = fill(text, (expression) => new Function(`return (${expression})`)());
    },
    salute: (text) => {
      byId('salute').textContent = fill('Good day, {{name}}', () => text);
    },
  };

  function show() {
    for (const [name, part] of Object.entries(parts)) {
      const value = read(name);
      if (value !== null) part(value);
    }
  }

  addEventListener('hashchange', show);
  show();
  api
    .products()
    .then((response) => response.json())
    .then(({ products }) => {
      byId('products').textContent = products.map(({ name }) => name).join(', ');
    });
  window.shop = api;
})();
