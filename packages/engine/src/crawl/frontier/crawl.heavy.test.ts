import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { createInventory } from '../inventory/inventory.ts';
import { crawl } from './crawl.ts';

interface Answer {
  status?: number;
  type?: string;
  location?: string;
  body?: string;
}

const ORIGIN = 'http://shop.test';
const link = (href: string, words = 'x') => `<a href="${href}">${words}</a>`;

function exchangeOf(url: string, answer: Answer | undefined): Exchange {
  const { status = 200, type = 'text/html', location, body = '' } = answer ?? { status: 404 };
  const headers: [string, string][] = [['Content-Type', type]];
  if (location !== undefined) headers.push(['Location', location]);
  return {
    request: { method: 'GET', url, purpose: 'test' },
    response: { status, headers, body: Buffer.from(body), isCut: false },
    failure: null,
    remote: null,
    firstByteMs: 1,
    durationMs: 1,
  };
}

type Site = (path: string) => Answer | string | undefined;

interface Settings {
  seenAs?: string | null;
  seeds?: string[];
  mostPages?: number;
  mostMs?: number;
  inventory?: ReturnType<typeof createInventory>;
  received?: Exchange[];
}

async function crawlSite(site: Site, settings: Settings = {}) {
  const { seenAs = null, seeds = ['/'], mostPages = 100, inventory = createInventory() } = settings;
  const visited: string[] = [];
  const refused: string[] = [];
  const result = await crawl({
    async visit(url) {
      const path = url.slice(ORIGIN.length);
      visited.push(path);
      const answer = site(path);
      return exchangeOf(url, typeof answer === 'string' ? { body: answer } : answer);
    },
    mostMs: settings.mostMs ?? 60_000,
    isCovered: (url) => new URL(url).origin === ORIGIN,
    inventory,
    seenAs,
    seeds: seeds.map((path) => ({ url: ORIGIN + path, source: 'link' })),
    received: settings.received ?? [],
    mostPages,
    onRefused: (url) => void refused.push(url.slice(ORIGIN.length)),
  });
  return { ...result, visited, refused, items: inventory.items() };
}

const site =
  (pages: Record<string, Answer | string>): Site =>
  (path) =>
    pages[path];

describe('responses that a visitor has received before the crawl', () => {
  const inside = `${link('/mine')}<form method="post" action="/colour"><input name="colour"></form>`;

  it('add their links and forms where they cannot be requested again', async () => {
    const got = exchangeOf(`${ORIGIN}/login`, { body: inside });
    const received = [{ ...got, request: { ...got.request, method: 'POST' } }];
    const { visited, items } = await crawlSite((path) => (path === '/login' ? undefined : 'x'), {
      received,
      seenAs: 'a',
    });
    assert.deepEqual(visited.toSorted(), ['/', '/colour', '/mine']);
    assert.ok(
      items.some(({ method, url, seenAs }) => method === 'POST' && url === `${ORIGIN}/colour` && seenAs === 'a'),
    );
  });

  it('are visited again where they were requested with GET', async () => {
    const received = [exchangeOf(`${ORIGIN}/index.html`, { body: inside })];
    const { visited } = await crawlSite((path) => (path === '/index.html' ? inside : 'x'), { received });
    assert.deepEqual(visited.toSorted(), ['/', '/colour', '/index.html', '/mine']);
  });
});

describe('the crawler', () => {
  it('tells what is refused, and not what is not there', async () => {
    const pages = {
      '/': link('/admin') + link('/mine') + link('/gone') + link('/open'),
      '/admin': { status: 403 },
      '/mine': { status: 302, location: '/login' },
      '/open': 'open',
    };
    const { refused } = await crawlSite(site(pages));
    assert.deepEqual(refused, ['/admin', '/mine']);
  });

  it('notes what links name for the scripts of a page, and which pages have the same scripts', async () => {
    const app = (part: string) => `<html data-part="${part}"><script src="/app.js"></script></html>`;
    const pages = {
      '/': link('/app#sort=up') + link('/app#top') + link('/b') + link('/c') + link('/d'),
      '/app': app('one'),
      '/b': app('two'),
      '/c': app('two'),
      '/d': 'no script',
    };
    const { items } = await crawlSite(site(pages));
    const [, one, two, alike, none] = items.map(({ programs }) => programs);
    assert.deepEqual(items[1]?.parameters, [{ location: 'fragment', name: 'sort', value: 'up' }]);
    assert.ok(one !== two && two === alike && two !== '');
    assert.equal(none, '');
  });

  it('goes from page to page, each once, breadth first', async () => {
    const pages = { '/': link('/a') + link('/b#x') + link('/'), '/a': link('/c') + link('/b'), '/b': '', '/c': '' };
    const { visited, pages: count } = await crawlSite(site(pages));
    assert.deepEqual(visited, ['/', '/a', '/b', '/c']);
    assert.equal(count, 4);
  });

  it('stays on what is covered', async () => {
    const pages = { '/': link('http://other.test/') + link('https://shop.test/') + link('//other.test/x') };
    assert.deepEqual((await crawlSite(site(pages))).visited, ['/']);
  });

  it('does not follow links that speak of danger, by address or by words, and counts them', async () => {
    const body = link('/logout') + link('/x', 'Löschen') + link('/items/7?do=delete') + link('/ok');
    const { visited, avoided } = await crawlSite(site({ '/': body, '/ok': '' }));
    assert.deepEqual(visited, ['/', '/ok']);
    assert.equal(avoided, 3);
  });

  it('records links that change something, and does not follow them', async () => {
    const body = link('/cart/add?id=7', 'Later') + link('/poll', 'Vote') + link('/tools', 'Populate database');
    const { visited, items } = await crawlSite(site({ '/': body }));
    assert.deepEqual(visited, ['/']);
    const changing = items.filter(({ effect }) => effect === 'changes').map(({ url, method }) => `${method} ${url}`);
    assert.deepEqual(changing, [`GET ${ORIGIN}/cart/add?id=7`, `GET ${ORIGIN}/poll`]);
  });

  it('does not submit a form whose heading or hidden field tells of a change', async () => {
    const forms = [
      '<h3>Reset the database</h3><form action="/a"><button>Go</button></form>',
      '<form action="/b"><input type="hidden" name="do" value="toggle"><button>Go</button></form>',
      '<form action="/c"><legend>Populates the shop with samples</legend><button>OK</button></form>',
      '<h3>Find a tent</h3><form action="/d"><input name="q"><button>Go</button></form>',
    ];
    const { visited } = await crawlSite(site({ '/': forms.join('<p>x</p>') }));
    assert.deepEqual(visited.map((path) => path.slice(0, 2)).toSorted(), ['/', '/d', '/d']);
  });

  it('does not follow dangerous places that a site names in its robots file, nor redirects to them', async () => {
    const pages = { '/': '', '/go': { status: 302, location: '/account/logout' } };
    const { visited, avoided } = await crawlSite(site(pages), { seeds: ['/', '/logout', '/go'] });
    assert.deepEqual(visited, ['/', '/go']);
    assert.equal(avoided, 2);
  });

  it('follows redirects within what is covered, without their fragments', async () => {
    const pages = {
      '/': { status: 302, location: '/home#top' },
      '/home': { status: 301, location: 'http://other.test/' },
    };
    assert.deepEqual((await crawlSite(site(pages))).visited, ['/', '/home']);
  });

  it('ends in a ring of redirects', async () => {
    const pages = { '/': { status: 302, location: '/a' }, '/a': { status: 302, location: '/' } };
    assert.deepEqual((await crawlSite(site(pages))).visited, ['/', '/a']);
  });

  it('looks at few pages of one kind', async () => {
    const sheet: Site = (path) => link(`/calendar/${Number(path.split('/')[2] ?? 2000) + 1}/12`);
    assert.equal((await crawlSite(sheet)).visited.length, 3);
    const paged: Site = (path) => link(`/list?page=${Number(path.split('=')[1] ?? 0) + 1}`);
    assert.equal((await crawlSite(paged)).visited.length, 3);
    const months: Site = (path) => link(`/events/20${Number(path.slice(10, 12) || 10) + 1}-01`);
    assert.equal((await crawlSite(months)).visited.length, 3);
  });

  it('leaves paths that repeat themselves or only grow', async () => {
    const repeating: Site = (path) => link(`${path === '/' ? '' : path}/again`);
    assert.deepEqual((await crawlSite(repeating)).visited, ['/', '/again', '/again/again', '/again/again/again']);
    const growing: Site = (path) => link(`/${'x'.repeat(path.length + 300)}`);
    assert.ok((await crawlSite(growing)).visited.length <= 5);
  });

  it('leaves a maze whose pages are built alike after a while, and nothing else for it', async () => {
    let doors = 0;
    const maze: Site = (path) => {
      if (path === '/') return link('/maze/in') + link('/shelf/a');
      if (path.startsWith('/shelf')) return path.length < 40 ? `<p>${link(`${path}/b${path.length}`)}</p>` : 'the end';
      return ['left', 'right'].map((side) => link(`${path}/${side}-${++doors}`)).join('');
    };
    const { visited, alike } = await crawlSite(maze, { mostPages: 500 });
    assert.equal(visited.filter((path) => path.startsWith('/maze')).length, 60);
    assert.ok(visited.some((path) => path.startsWith('/shelf') && path.length >= 40));
    assert.ok(alike > 0);
  });

  it('does not take all that programs read for built alike', async () => {
    const names = 'abcdefghi'.split('').flatMap((one) => 'klmnopqrs'.split('').map((other) => one + other));
    const api: Site = (path) =>
      path === '/' ? names.map((name) => link(`/api/${name}/all`)).join('') : { type: 'application/json', body: '{}' };
    assert.equal((await crawlSite(api)).visited.length, 1 + names.length);
  });

  it('looks at no more pages than it may', async () => {
    let made = 0;
    const endless: Site = () => Array.from({ length: 50 }, () => link(`/p${(++made).toString(36)}-x`)).join('');
    const { pages, visited } = await crawlSite(endless, { mostPages: 17 });
    assert.equal(pages, 17);
    assert.equal(visited.length, 17);
  });

  it('ends soon on pages that are full of links', async () => {
    let made = 0;
    const base = `<base href="/${Array.from({ length: 240 }, (_, n) => n.toString(36)).join('/')}/">`;
    const full: Site = () => base + Array.from({ length: isFull ? 2_000 : 250 }, () => link(`z${++made}`)).join('');
    const before = process.cpuUsage();
    await crawlSite(full, { mostPages: 5 });
    // Quadratic time in the number of links would take minutes. Wall time also depends on what else runs.
    assert.ok(process.cpuUsage(before).user < (isFull ? 60_000_000 : 2_500_000));
  });

  it('notes what exists, with its parameters, and reads only pages for links', async () => {
    const pages = {
      '/': link('/a?q=1') + link('/gone') + link('/data.json'),
      '/a?q=1': '',
      '/data.json': { type: 'application/json', body: link('/hidden') },
    };
    const { items, visited } = await crawlSite(site(pages));
    assert.deepEqual(
      items.map(({ url }) => url.slice(ORIGIN.length)),
      ['/', '/a?q=1', '/data.json'],
    );
    assert.ok(!visited.includes('/hidden'));
    assert.deepEqual(items[1]?.parameters, [{ location: 'query', name: 'q', value: '1' }]);
  });

  it('notes what a visitor is not let into only for the account that is', async () => {
    const inventory = createInventory();
    const home = link('/mine?id=1') + link('/admin?id=1') + link('/go?to=/login');
    const asVisitor = {
      '/': home,
      '/mine?id=1': { status: 302, location: '/login?next=/mine' },
      '/admin?id=1': { status: 403 },
      '/go?to=/login': { status: 302, location: '/login' },
      '/login': '',
    };
    await crawlSite(site(asVisitor), { inventory });
    const { items } = await crawlSite(site({ ...asVisitor, '/mine?id=1': 'yours', '/admin?id=1': 'all' }), {
      inventory,
      seenAs: 'alice',
    });
    const seen = Object.fromEntries(items.map(({ url, seenAs }) => [url.slice(ORIGIN.length), seenAs]));
    assert.equal(seen['/mine?id=1'], 'alice');
    assert.equal(seen['/admin?id=1'], 'alice');
    assert.equal(seen['/'], null);
    assert.equal(seen['/go?to=/login'], null);
  });
});

describe('forms', () => {
  it('are noted with fillers, and not sent', async () => {
    const body = `<form method="post" action="/say/7?lang=en"><input name="mail" type="email"><input name="note" value="hi">
      <input type="file" name="f"><input type="submit" name="s"></form>`;
    const { items, visited } = await crawlSite(site({ '/': body }));
    const form = items.find(({ method }) => method === 'POST');
    assert.deepEqual(form?.parameters, [
      { location: 'query', name: 'lang', value: 'en' },
      { location: 'path', name: '1', value: '7' },
      { location: 'form', name: 'mail', value: 'someone@example.com' },
      { location: 'form', name: 'note', value: 'hi' },
      { location: 'form', name: 's', value: '' },
    ]);
    assert.ok(!visited.some((path) => path.includes('mail')));
  });

  it('that are sent as a query lose the query of their address', async () => {
    const { items } = await crawlSite(site({ '/': '<form action="/s?old=1"><input name="q"></form>', '/s?old=1': '' }));
    const form = items.find(({ parameters }) => parameters.some(({ name }) => name === 'q'));
    assert.deepEqual(form?.parameters, [{ location: 'query', name: 'q', value: 'test' }]);
  });

  it('are sent with the first of their buttons, and with a number where one is asked for by it', async () => {
    const body = `<form method="post" action="/f"><input name="user_id"><input name="width">
      <button name="go" value="Look">Look</button><button name="clear" value="Empty">Empty</button></form>`;
    const { items } = await crawlSite(site({ '/': body }));
    const form = items.find(({ method }) => method === 'POST');
    assert.deepEqual(
      form?.parameters.map(({ name, value }) => `${name}=${value}`),
      ['user_id=1', 'width=test', 'go=Look'],
    );
  });

  it('keep an empty ID that they would change something with', async () => {
    const body = `<form method="post" action="/f"><input type="hidden" name="id"><input name="title"></form>
      <form method="post" action="/item/edit"><input name="item_id"><input name="title"></form>`;
    const { items } = await crawlSite(site({ '/': body }));
    const forms = items.filter(({ method }) => method === 'POST');
    assert.deepEqual(
      forms.map(({ parameters }) => parameters.map(({ name, value }) => `${name}=${value}`).join()),
      ['id=,title=test', 'item_id=,title=test'],
    );
  });

  it('that only ask for a page are followed as links are, once', async () => {
    const form = '<form action="/s"><input name="q"><input type="submit" name="go" value="Find"></form>';
    const { items, visited } = await crawlSite(
      site({ '/': form, '/s': form, '/s?q=test&go=Find': link('/found'), '/found': form }),
    );
    assert.deepEqual(visited, ['/', '/s?q=test&go=Find', '/s', '/found']);
    const found = items.find(({ source }) => source === 'form');
    assert.equal(found?.contentType, 'text/html');
    assert.deepEqual(found?.sightings, [{ as: null, url: `${ORIGIN}/s`, status: 200 }]);
  });

  it('that log in are noted for what tests logins, and not sent', async () => {
    const form = (rest: string) =>
      `<form method="post" action="/in"><input name="user"><input type="password" name="pass">${rest}</form>`;
    const { items, visited } = await crawlSite(site({ '/': form('<button name="go">Log in</button>') }));
    const login = items.find(({ method }) => method === 'POST');
    assert.equal(login?.effect, 'logsIn');
    assert.deepEqual(
      login?.parameters.map(({ name }) => name),
      ['user', 'pass', 'go'],
    );
    assert.deepEqual(visited, ['/', '/in']);
    const { items: others } = await crawlSite(site({ '/': form('<input type="password" name="again">') }));
    assert.ok(!others.some(({ method }) => method === 'POST'));
  });

  it('that log in by GET or with a password alone are noted as logins of visitors', async () => {
    const name = '<input name="user">';
    const form = (method: string, first: string) =>
      `<form method="${method}" action="/in">${first}<input type="password" name="pass"></form>`;
    for (const [method, first] of [
      ['get', name],
      ['get', ''],
      ['post', ''],
    ] as const) {
      const { items, visited } = await crawlSite(site({ '/': form(method, first) }));
      assert.equal(items.find(({ source }) => source === 'form')?.effect, 'logsIn', `${method} ${first}`);
      assert.ok(!visited.some((url) => url.includes('pass=')));
    }
    const { items: confirming } = await crawlSite(site({ '/': form('post', '') }), { seenAs: 'alice' });
    assert.ok(!confirming.some(({ source }) => source === 'form'));
  });

  it('that register an account create something, whereas those that change a password are avoided', async () => {
    const field = (name: string) => `<input type="password" name="${name}">`;
    const form = (button: string, ...passwords: string[]) =>
      `<form method="post" action="/f"><input name="user">${passwords.map(field).join('')}<button>${button}</button></form>`;
    for (const [button, passwords, effect] of [
      ['Register', ['p'], 'changes'],
      ['Sign up', ['p', 'again'], 'changes'],
      ['Create', ['old', 'p', 'again'], undefined],
      ['Change password', ['p', 'again'], undefined],
      ['Reset', ['p', 'again'], undefined],
    ] as const) {
      const { items } = await crawlSite(site({ '/': form(button, ...passwords) }));
      assert.equal(items.find(({ method }) => method === 'POST')?.effect, effect, button);
    }
  });

  it('that set a password are known where their path says so', async () => {
    const form = (path: string) => `<form method="post" action="${path}"><input type="password" name="new"></form>`;
    const pages = { '/': form('/account/password') + form('/account/other') };
    const { items } = await crawlSite(site(pages), { seenAs: 'alice' });
    const posted = items.filter(({ method }) => method === 'POST');
    assert.deepEqual(
      posted.map(({ url, effect }) => [new URL(url).pathname, effect]),
      [['/account/password', 'endangers']],
    );
  });

  it('that send files are uploads, whatever their button says', async () => {
    const form = (field: string) =>
      `<form method="post" action="/f" enctype="multipart/form-data">${field}<input type="submit" value="Send"></form>`;
    const effectIn = async (field: string) =>
      (await crawlSite(site({ '/': form(field) }))).items.find(({ method }) => method === 'POST')?.effect;
    assert.equal(await effectIn('<input type="file" name="photo">'), 'changes');
    assert.equal(await effectIn('<input name="message">'), undefined);
  });

  it('in the response to a form are followed as well', async () => {
    const first = '<form action="/preview"><input name="text"></form>';
    const second = '<form method="post" action="/create"><input name="text" value="a"></form>';
    const { items } = await crawlSite(site({ '/': first, '/preview?text=test': second }));
    assert.ok(items.some(({ method, url }) => method === 'POST' && url.endsWith('/create')));
  });

  it('that log in though somebody is logged in already are noted as any other, and not sent', async () => {
    const form = (button: string, method = 'get') =>
      `<form method="${method}" action="/gate"><input name="user"><input type="password" name="pass"><input type="submit" value="${button}"></form>`;
    const { items, visited } = await crawlSite(site({ '/': form('Login') }), { seenAs: 'alice' });
    const gate = items.find(({ source }) => source === 'form');
    assert.deepEqual([gate?.effect, gate?.method, gate?.url], ['reads', 'GET', `${ORIGIN}/gate`]);
    assert.ok(!visited.some((url) => url.includes('pass=')));
    for (const [button, method, seenAs] of [
      ['Save', 'get', 'alice'],
      ['Delete login', 'get', 'alice'],
    ] as const) {
      const { items: others } = await crawlSite(site({ '/': form(button, method) }), { seenAs });
      assert.ok(!others.some(({ source }) => source === 'form'), button);
    }
  });

  const avoided: Record<string, string> = {
    'with a password that is not for a login':
      '<form method="post" action="/f"><input type="password" name="p"><input type="password" name="q"></form>',
    'with a dangerous button': '<form method="post" action="/f"><input type="submit" value="Delete"></form>',
    'with a dangerous address': '<form method="post" action="/cart/checkout"></form>',
    'with a hidden order': '<form method="post" action="/f"><input type="hidden" name="_method" value="DELETE"></form>',
  };
  for (const [name, body] of Object.entries(avoided)) {
    it(`${name} are avoided`, async () => {
      const { items, avoided: count } = await crawlSite(site({ '/': body }));
      assert.deepEqual(
        items.filter(({ method }) => method === 'POST'),
        [],
      );
      assert.ok(count >= 1);
    });
  }

  it('that lead elsewhere are not noted', async () => {
    const { items } = await crawlSite(
      site({ '/': '<form method="post" action="http://other.test/"><input name="a"></form>' }),
    );
    assert.equal(items.length, 1);
  });
});
