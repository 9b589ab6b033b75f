import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Depth } from '@sortie/contract';
import { type Given, judge, nonce, observed } from '@sortie/testing/engine/judging.ts';
import type { InventoryItem } from '../crawl/inventory/inventory.ts';
import listing from './checks/exposure/directory-listing.ts';
import details from './checks/exposure/exposed-internal-files.ts';
import files from './checks/exposure/exposed-sensitive-files.ts';
import byNullByte from './checks/exposure/null-byte-file-bypass.ts';
import trace from './checks/exposure/stack-trace.ts';
import deception from './checks/exposure/web-cache-deception.ts';
import redirect from './checks/redirects/open-redirect.ts';
import type { Asking, Known } from './define-active-check.ts';
import type { PlannedRequest } from './experiment.ts';

const site = { origin: 'http://shop.test' };
const nothing = { status: 404, body: 'nothing here' };

describe('internal files', () => {
  const page = (url: string, seenAs: string | null): InventoryItem => ({
    method: 'GET',
    url: site.origin + url,
    parameters: [],
    seenAs,
    contentType: 'text/html',
  });
  const phpinfo = { headers: { 'content-type': 'text/html' }, body: '<title>PHP 8.3.1 - phpinfo()</title>' };
  const urlsFound = async (inventory: InventoryItem[], isThere: (url: string, as?: string | null) => boolean) => {
    const ask: Asking['ask'] = async ({ url }, as) => observed(isThere(url, as) ? phpinfo : nothing);
    const known: Known = { inventory, accounts: [] };
    const asking = { ask, known } as unknown as Asking;
    const found = (await details.probe?.(site, nonce, asking)) ?? [];
    return found.map((variant) => details.placeOf?.(site, variant));
  };

  it('are looked for with the account that has seen them', async () => {
    const seen = [page('/', null), page('/info.php', 'alice')];
    const isThere = (url: string, as?: string | null) => url === `${site.origin}/info.php` && as === 'alice';
    assert.deepEqual(await urlsFound(seen, isThere), [`${site.origin}/info.php`]);
    assert.deepEqual(await urlsFound([page('/', null)], isThere), []);
  });

  it('that only an account sees are likely, and those that may be its own are none', async () => {
    const as = 'alice';
    const info = details.variants.find(({ probe }) => probe.path === '/info.php');
    assert.ok(info);
    const given = { file: phpinfo, sibling: nothing };
    assert.equal(judge(details, { subject: site, variant: info }, given), 'PROVED');
    assert.equal(judge(details, { subject: site, variant: { ...info, as } }, given), 'LIKELY');
    const { why, cvss } = details.describe?.({ ...info, as }) ?? {};
    assert.match(why ?? '', /the account alice received it/);
    assert.match(cvss ?? '', /PR:L/);

    const archive = { body: `PK\x03\x04${'x'.repeat(2_000)}` };
    const foundFor = async (mayRead: (reader?: string | null) => boolean) => {
      const ask: Asking['ask'] = async ({ url }, reader) =>
        observed(url.endsWith('/account/backup.zip') && mayRead(reader) ? archive : nothing);
      const known: Known = { inventory: [page('/account/backup.zip', as), page('/', null)], accounts: [] };
      return files.probe?.(site, nonce, { ask, known } as unknown as Asking);
    };
    assert.deepEqual(await foundFor((reader) => reader === as), []);
    assert.deepEqual(
      (await foundFor(() => true))?.map((each) => each.as),
      [null],
    );
  });

  it('are not requested where the request changes something', async () => {
    const asked: string[] = [];
    const changes: InventoryItem = { ...page('/old/info.php', 'alice'), effect: 'changes' };
    await urlsFound([page('/', null), changes], (url) => asked.push(url) === 0);
    assert.ok(asked.length > 0 && !asked.some((url) => url.includes('/old/')));
  });

  it('are looked for in the folder of the application', async () => {
    const seen = [page('/shop/', null), page('/shop/teas/green', null), page('/shop/basket', null)];
    const isThere = (url: string) => url === `${site.origin}/shop/phpinfo.php`;
    assert.deepEqual(await urlsFound(seen, isThere), [`${site.origin}/shop/phpinfo.php`]);
    assert.deepEqual(await urlsFound([...seen, page('/', null)], isThere), []);
  });
});

describe('a file with secrets', () => {
  const variant = files.variants.find(({ probe }) => probe.path === '/.env');
  const verdict = (file: Given, sibling: Given = nothing) => {
    assert.ok(variant);
    return judge(files, { subject: site, variant }, { file, sibling });
  };
  const settings = { body: 'APP_ENV=production\nDB_PASSWORD=tea\n' };

  it('is proved by what only it holds, and not by a status or a page for everything', () => {
    assert.equal(verdict(settings), 'PROVED');
    assert.equal(verdict({ body: 'Welcome' }), 'REFUTED');
    assert.equal(verdict({ ...settings, status: 403 }), 'REFUTED');
    assert.equal(verdict({ ...settings, headers: { 'content-type': 'text/html' } }), 'REFUTED');
    assert.equal(verdict(settings, settings), 'REFUTED');
    assert.equal(verdict(settings, { status: 429 }), 'VOID');
    assert.equal(verdict(undefined), 'VOID');
  });

  it('is not kept, and is compared with one of the same kind in the same folder', () => {
    assert.ok(variant);
    const plan = files.proof.plan(site, variant, nonce, { accounts: [] });
    assert.equal(plan?.file?.answer?.isConfidential, true);
    assert.equal(plan.sibling?.request.url, `http://shop.test/${nonce.word}.env`);
  });

  it('is described by the check that knows it', () => {
    assert.ok(variant);
    const { title, why } = files.describe?.({ ...variant, seen: 'It holds: DB_PASSWORD=' }) ?? {};
    assert.match(title ?? '', /Environment file \(\.env\)/);
    assert.match(why ?? '', /It holds: DB_PASSWORD=$/);
  });

  it('is of another check than a file with details, and all of them are known to one', () => {
    const paths = (check: typeof files) => new Set(check.variants.map(({ probe }) => `${probe.method} ${probe.path}`));
    assert.ok(paths(files).size > 20 && paths(details).size > 5);
    assert.deepEqual(
      [...paths(files)].filter((path) => paths(details).has(path)),
      [],
    );
  });
});

describe('a list of a folder', () => {
  const folder = 'http://shop.test/images/';
  const list = {
    body: '<title>Index of /images/</title><a href="cup.png">cup.png</a>',
    headers: { 'content-type': 'text/html' },
  };
  const verdict = (changes: Partial<Record<'list' | 'file' | 'elsewhere', Given>>) =>
    judge(
      listing,
      { subject: site, variant: { folder, file: `${folder}cup.png` } },
      { list, file: { body: 'a cup' }, elsewhere: nothing, ...changes },
    );

  it('is proved by a file that it names', () => {
    assert.equal(verdict({}), 'PROVED');
    assert.equal(verdict({ file: nothing }), 'REFUTED');
    assert.equal(verdict({ list: { body: '<title>Index of /images/</title>' } }), 'REFUTED');
    assert.equal(verdict({ list: { ...list, status: 403 } }), 'REFUTED');
    assert.equal(verdict({ elsewhere: list }), 'REFUTED');
    assert.equal(verdict({ elsewhere: undefined }), 'VOID');
  });

  it('is looked for in the usual folders also where a program is made of files in many others', async () => {
    const file = (index: number): InventoryItem => ({
      method: 'GET',
      url: `http://shop.test/assets/${index}/main.js`,
      parameters: [],
      seenAs: null,
      contentType: 'text/javascript',
    });
    const known: Known = { inventory: Array.from({ length: 40 }, (_, index) => file(index)), accounts: [] };
    const asked: string[] = [];
    const ask: Asking['ask'] = async (request) => {
      asked.push(request.url);
      return observed(nothing);
    };
    await listing.probe?.(site, nonce, { known, ask } as Asking);
    assert.ok(asked.includes('http://shop.test/assets/0/') && asked.includes('http://shop.test/.well-known/'));
    assert.ok(asked.length <= 24);
  });
});

describe('a file that is refused', () => {
  const variant = { url: 'http://shop.test/papers/accounts.bak', ending: '.md' };
  const refusal = { status: 403, body: 'Only .md files are sent.' };
  const verdict = (changes: Partial<Record<'refused' | 'open' | 'missing', Given>>) =>
    judge(
      byNullByte,
      { subject: site, variant },
      { refused: refusal, open: { body: 'alice, bob' }, missing: nothing, ...changes },
    );

  it('is had by a null byte where nothing else of its kind is', () => {
    assert.equal(verdict({}), 'PROVED');
    assert.equal(verdict({ refused: { body: 'alice, bob' } }), 'REFUTED');
    assert.equal(verdict({ open: refusal }), 'REFUTED');
    assert.equal(verdict({ missing: { body: 'Welcome' } }), 'REFUTED');
    assert.equal(verdict({ missing: undefined }), 'VOID');
  });

  it('is tried only beside files of another kind that everybody is shown', () => {
    const shown = (path: string) => ({
      method: 'GET' as const,
      url: `http://shop.test${path}`,
      parameters: [],
      seenAs: null,
      contentType: 'text/markdown',
    });
    const applies = (path: string, as: string | null = null) =>
      byNullByte.appliesTo(site, { inventory: [shown(path)], accounts: [], refused: [{ as, url: variant.url }] });
    assert.ok(applies('/papers/terms.md'));
    assert.ok(!applies('/papers/other.bak') && !applies('/terms.md') && !applies('/papers/terms.md', 'alice'));
  });
});

describe('a trace', () => {
  const verdict = (odd: string, base = 'Welcome') =>
    judge(trace, { subject: site, variant: { way: 'broken JSON' } }, { base: { body: base }, odd: { body: odd } });

  it('is known in all common languages', () => {
    for (const line of [
      '    at parse (/srv/shop/node_modules/body-parser/lib/types/json.js:92:19)',
      'at file:///app/src/index.mts:10:3',
      '  File &quot;/app/views.py&quot;, line 12, in index',
      '\tat org.shop.Cart.add(Cart.java:42)',
      '<b>Warning</b>: mysqli_query() in <b>/var/www/index.php</b> on line <b>7</b>',
      '#0 /var/www/index.php(12): run()',
      '   at Shop.Cart.Add() in C:\\shop\\Cart.cs:line 42',
      "/app/models/cart.rb:42:in `add'",
      'goroutine 1 [running]:',
    ]) {
      assert.equal(verdict(line), 'PROVED', line);
    }
  });

  it('is told from the name of an exception, which counts where there is no trace', async () => {
    const named = '{"message":"JSON parse error: nested exception is com.fasterxml.jackson.core.io.JsonEOFException"}';
    const judged = (odd: string, base = 'Welcome') =>
      judge(
        trace,
        { subject: site, variant: { way: 'broken JSON', isException: true } },
        { base: { body: base }, odd: { body: odd } },
      );
    for (const body of [named, 'System.Text.Json.JsonException: x', 'ActionDispatch::Http::ParseError at /']) {
      assert.equal(judged(body), 'PROVED', body);
      assert.equal(verdict(body), 'REFUTED', body);
    }
    assert.equal(judged(named, named), 'REFUTED');
    for (const body of ['Error: bad request', 'SyntaxError', 'see docs.shop.test/ParseError', '{"error":"Exception"}'])
      assert.equal(judged(body), 'REFUTED', body);
    const found = async (body: string) => {
      const ask: Asking['ask'] = async ({ method }) => observed({ body: method === 'POST' ? body : 'Welcome' });
      const known: Known = { inventory: [], accounts: [], depth: 'STANDARD' };
      return (await trace.probe?.(site, nonce, { ask, known } as Asking))?.map(({ isException }) => isException);
    };
    assert.deepEqual(await found(named), [true]);
    assert.deepEqual(await found(`${named}\n\tat org.shop.Cart.add(Cart.java:42)`), [undefined]);
    assert.deepEqual(await found('Welcome'), []);
  });

  it('is looked for without writing anything at the cheapest level', async () => {
    const writing: InventoryItem = {
      method: 'POST',
      url: `${site.origin}/api/parse`,
      parameters: [],
      seenAs: null,
      contentType: '',
      source: 'openapi',
    };
    const methodsAt = async (depth: Depth) => {
      const asked: string[] = [];
      const ask: Asking['ask'] = async ({ method }) => {
        asked.push(method);
        return observed({ body: 'Welcome' });
      };
      const known: Known = { inventory: [writing], accounts: [], depth };
      await trace.probe?.(site, nonce, { ask, known } as Asking);
      return asked;
    };
    assert.deepEqual(await methodsAt('LEAD'), ['GET']);
    assert.deepEqual(await methodsAt('STANDARD'), ['GET', 'POST', 'POST']);
  });

  it('is none that the page shows anyway, nor a message without a place in the program', () => {
    const line = '\tat org.shop.Cart.add(Cart.java:42)';
    assert.equal(verdict(line, line), 'REFUTED');
    assert.equal(verdict('Unexpected end of JSON input at position 9'), 'REFUTED');
    assert.equal(verdict('Meet us at 10:30:00 in the shop'), 'REFUTED');
  });
});

describe('a redirect', () => {
  const SEEN = 'https://shop.test/blog/first';
  const parameter = { location: 'query' as const, name: 'next', value: '/home' };
  const url = 'http://shop.test/login?next=/home';
  const point = {
    item: { method: 'GET' as const, url, parameters: [parameter], seenAs: null, contentType: '' },
    parameter,
  };
  const [variant] = redirect.variants;
  const verdict = (location: string, before = '/home') => {
    assert.ok(variant);
    const to = (where: string) => ({ status: 302, headers: { location: where } });
    return judge(redirect, { subject: point, variant }, { control: to(before), attack: to(location) });
  };
  const host = `${nonce.word}.example`;

  it('is open when a browser would go to the host, however it is written', () => {
    const seen = { ...parameter, value: SEEN };
    const ways = redirect.variants.map((each) => {
      const subject = { item: { ...point.item, parameters: [seen] }, parameter: seen };
      const sent = redirect.proof.plan(subject, each, nonce, { accounts: [] })?.attack?.request.url;
      return new URL(sent ?? '').searchParams.get('next') ?? '';
    });
    assert.ok(ways.includes(`https://${host}/?${SEEN}`));
    for (const way of ways) assert.equal(verdict(way), 'PROVED', way);
    assert.ok(ways.length >= 12);
  });

  it('is open where a filter of dots lets the ideographic full stop through, encoded or in bytes', () => {
    const [name] = host.split('.');
    assert.equal(verdict(`https://${name}%E3%80%82example/`), 'PROVED');
    assert.equal(verdict(Buffer.from(`//${name}。example/`).toString('latin1')), 'PROVED');
    assert.equal(verdict(`/${name}。example/`), 'REFUTED');
  });

  it('is not when the host is only named', () => {
    assert.equal(verdict(`/warning?to=https://${host}/`), 'REFUTED');
    assert.equal(verdict(`https://shop.test/#${host}`), 'REFUTED');
    assert.equal(verdict(`https://${host}@shop.test/`), 'REFUTED');
    assert.equal(verdict(`https://other-${host}/`), 'REFUTED');
    assert.equal(verdict(`https://${host}/`, `https://${host}/`), 'REFUTED');
  });
});

describe('a private page in a shared cache', () => {
  const page = { body: '<p>Signed in as alice@shop.test</p>' };
  const refusal = { status: 401, body: 'Log in first' };
  const subject: InventoryItem = {
    method: 'GET',
    url: 'http://shop.test/profile?tab=1',
    parameters: [{ location: 'query', name: 'tab', value: '1' }],
    seenAs: 'alice',
    contentType: 'text/html',
  };
  const answers = { before: refusal, owner: page, visitor: page, after: refusal };
  const verdict = (changes: Partial<Record<keyof typeof answers, Given>>) =>
    judge(deception, { subject, variant: '/' }, { ...answers, ...changes });

  it('is proved by data of the account in a response to a new visitor of the same URL only', () => {
    assert.equal(verdict({}), 'PROVED');
    assert.equal(verdict({ visitor: refusal }), 'REFUTED');
    assert.equal(verdict({ visitor: { ...page, status: 404 } }), 'REFUTED');
    assert.equal(verdict({ owner: { body: 'Welcome' } }), 'REFUTED');
    assert.equal(verdict({ visitor: { body: 'bob@shop.test' } }), 'REFUTED');
    assert.equal(verdict({ visitor: undefined }), 'VOID');
    assert.equal(verdict({ visitor: { status: 429 } }), 'VOID');
  });

  it('is not proved if every visitor sees the data, from the start or after the request of the account', () => {
    assert.equal(verdict({ before: page }), 'REFUTED');
    assert.equal(verdict({ after: page }), 'REFUTED');
  });

  it('is requested under random file names, those of the controls not in the cache', () => {
    const plan = deception.proof.plan(subject, '/', nonce, { accounts: [] });
    const name = (suffix: string) => `http://shop.test/profile/${nonce.word}${suffix}.css?tab=1&${nonce.word}${suffix}`;
    assert.deepEqual(
      Object.values<PlannedRequest>(plan ?? {}).map(({ request, session }) => [request.url, session?.isNew ?? false]),
      [
        [name('a'), true],
        [name(''), false],
        [name(''), true],
        [name('b'), true],
      ],
    );
  });

  it('is looked for only where an account reads a page', () => {
    const known: Known = { inventory: [], accounts: [{ name: 'alice', marks: ['alice@shop.test'] }] };
    assert.ok(deception.appliesTo(subject, known));
    assert.ok(!deception.appliesTo({ ...subject, seenAs: null }, known));
    assert.ok(!deception.appliesTo({ ...subject, method: 'POST' }, known));
    assert.ok(!deception.appliesTo({ ...subject, contentType: 'text/css' }, known));
    assert.ok(!deception.appliesTo({ ...subject, url: 'http://shop.test/logout' }, known));
  });
});
