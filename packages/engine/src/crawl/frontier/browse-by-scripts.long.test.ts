import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { browseSite, type Site } from '@sortie/testing/targets/browse-site.ts';
import { type Browser, openBrowser } from '../../browser/browser.ts';

let browser: Browser;
before(async () => {
  browser = await openBrowser('/usr/bin/chromium', 'Sortie test', 'preferred');
});
after(() => browser.close());

const app: Site = {
  '/': `<nav><a href="#/about">About</a></nav><button id="more">More</button><button>Delete account</button><img src="/p.png">
    <script src="/app.js"></script>`,
  '/app.js': `
    fetch('/api/start?lang=en');
    fetch('/api/visits', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"page":"home"}' }).catch(() => 0);
    fetch('/graphql', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ query: 'query me($id: ID) { user(id: $id) { name } }', variables: { id: '7' } }) });
    try { new WebSocket('ws://site.test/live'); } catch {}
    more.onclick = () => fetch('/api/more/12');
    document.querySelectorAll('button')[1].onclick = () => fetch('/api/deleted');
    if (location.hash === '#/about') document.body.insertAdjacentHTML('beforeend', '<form action="/ask"><input name="q"></form>');
    document.body.insertAdjacentHTML('beforeend', '<a href="/only-by-script">x</a>');
  `,
  '/only-by-script': '<p>found</p>',
  '/graphql': '{}',
};

describe('a browser that looks around', () => {
  it('notes what scripts ask for, where they lead and what clicks do, and sends nothing that writes', async () => {
    const { items, sent, result } = await browseSite(browser, app);
    const noted = new Map(items.map((item) => [`${item.method} ${item.url.replace('http://site.test', '')}`, item]));
    assert.equal(noted.get('GET /api/start?lang=en')?.parameters[0]?.name, 'lang');
    assert.equal(noted.get('GET /api/more/12')?.parameters[0]?.location, 'path');
    assert.deepEqual(noted.get('POST /api/visits')?.parameters, [{ location: 'json', name: '/page', value: 'home' }]);
    assert.equal(noted.get('POST /api/visits')?.effect, 'changes');
    const query = noted.get('POST /graphql');
    assert.deepEqual(
      [query?.operation, query?.effect, query?.parameters[0]?.name],
      ['query me', 'reads', '/variables/id'],
    );
    assert.ok(noted.has('GET /only-by-script') && noted.has('GET /#/about') && noted.has('GET /ask'));
    assert.equal(noted.get('GET ws://site.test/live')?.parameters[0]?.location, 'webSocket');
    assert.ok(sent.includes('POST /graphql') && !sent.includes('POST /api/visits'));
    assert.ok(!sent.includes('GET /api/deleted') && !sent.includes('GET /p.png'));
    assert.equal(sent.filter((each) => each === 'GET /app.js').length, 1);
    assert.ok(result.avoided > 0 && !result.isCut);
  });

  it('presses buttons of forms that only a script sends, on each page anew', async () => {
    const send = `const xhr = new XMLHttpRequest(); const form = document.forms[0];
      xhr.open('POST', form.getAttribute('action')); xhr.setRequestHeader('X-Kind', 'green');
      xhr.setRequestHeader('Content-Type', 'application/x-www-form-urlencoded');
      xhr.send(form.elements[0].value + '=1')`;
    const page = (action: string) =>
      `<form action="${action}"><input name="column" value="price"><input type="button" value="Filter" onclick="press()"></form>
      <form action="/delete"><input type="button" value="Go" onclick="press()"></form>
      <script>function press() { ${send} }</script>`;
    const links = ['a', 'b', 'c'].map((name) => `<a href="/${name}">${name}</a>`).join('');
    const site: Site = {
      '/': `${links}<script>1</script>`,
      '/a': page('/ask/a'),
      '/b': page('/ask/b'),
      '/c': page('/ask/c'),
    };
    const { items, sent } = await browseSite(browser, site);
    const posted = items.filter(({ method }) => method === 'POST');
    assert.deepEqual(
      posted.map(({ url, parameters }) => [
        url.replace('http://site.test', ''),
        ...parameters.map(({ location, name, hasTypedName }) => `${location} ${name}${hasTypedName ? ' typed' : ''}`),
      ]),
      ['a', 'b', 'c'].map((name) => [`/ask/${name}`, 'form price typed', 'header x-kind']),
    );
    assert.ok(sent.every((each) => each.startsWith('GET ')));
  });

  it('fills in what only scripts send, goes where their routes lead, and sends no passwords', async () => {
    const spa: Site = {
      '/': '<main></main><script src="/spa.js"></script>',
      '/spa.js': `
        if (location.hash === '') location.hash = '/';
        const routes = [{ path: 'enter', component: 1 }, { path: 'find', component: 2 }];
        const send = (path, body) => fetch(path, { method: body ? 'POST' : 'GET', body, headers: { 'Content-Type': 'application/json' } }).catch(() => 0);
        const main = document.querySelector('main');
        if (location.hash === '#/enter') main.innerHTML = '<input type="email"><input type="password"><button>Log in</button>';
        if (location.hash === '#/find') main.innerHTML = '<input placeholder="Find"><button>Search</button>';
        const fields = [...document.querySelectorAll('input')].map((each) => each);
        const button = document.querySelector('button');
        if (button) button.onclick = () => fields.length > 1
          ? send('/api/login', JSON.stringify({ mail: fields[0].value, secret: fields[1].value }))
          : send('/api/find?q=' + fields[0].value);
      `,
    };
    const { items, sent } = await browseSite(browser, spa, { mayWrite: true });
    const login = items.find(({ url }) => url.endsWith('/api/login'));
    assert.deepEqual(
      login?.parameters.map(({ name }) => name),
      ['/mail', '/secret'],
    );
    assert.ok(!sent.includes('POST /api/login'));
    assert.ok(sent.includes('GET /api/find?q=test'), sent.join());
  });

  it('is known to scripts by what they have kept, and to those of other sites by nothing', async () => {
    const spa: Site = {
      '/': '<main></main><script src="/spa.js"></script>',
      '/spa.js': `
        if (localStorage.token) fetch('/api/baskets/' + sessionStorage.basket);
        else fetch('/api/offers');
      `,
    };
    const kept = { local: { token: 'a.b.c' }, session: { basket: '6' } };
    const { sent } = await browseSite(browser, spa, { storage: { origin: 'http://site.test', ...kept } });
    assert.ok(sent.includes('GET /api/baskets/6'), sent.join());
    const other = await browseSite(browser, spa, { storage: { origin: 'http://other.test', ...kept } });
    assert.deepEqual(other.sent, ['GET /', 'GET /spa.js', 'GET /api/offers']);
  });
});
