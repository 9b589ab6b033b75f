import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { frontFlaws } from './front-flaws.ts';
import { createShop } from './shop.ts';

const shop = createShop();
let origin = '';

before(async () => {
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
});
after(() => {
  shop.close();
  shop.closeAllConnections();
});

async function get(path: string, cookie = '') {
  const response = await fetch(origin + path, { redirect: 'manual', headers: { cookie } });
  return { status: response.status, location: response.headers.get('location'), body: await response.text() };
}

async function signIn(username: string, password: string): Promise<string> {
  const form = await fetch(`${origin}/login`);
  const cookie = form.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const form_token = /name="form_token" value="([^"]+)"/.exec(await form.text())?.[1] ?? '';
  const answer = await fetch(`${origin}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body: new URLSearchParams({ username, password, form_token }),
  });
  assert.equal(answer.status, 303);
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

const flawOf = (id: string) => {
  const flaw = frontFlaws.find((one) => one.id === id);
  assert.ok(flaw, `${id} is not in the answer key`);
  return flaw;
};

const query = (path: string, parameter: string, value: string) => `${path}?${parameter}=${encodeURIComponent(value)}`;

describe('SQL injection', () => {
  const { path, parameter, safePath } = flawOf('sql-injection');
  const passwords = "x' union select 1, name, password, 2 from customer -- ";

  it('reads the passwords of the customers', async () => {
    assert.match((await get(query(path, parameter, passwords))).body, /bob-of-the-range/);
  });

  it('tells true from false, and shows the error of the database', async () => {
    assert.match((await get(query(path, parameter, "tents' and 1=1 -- "))).body, /Ridge tent/);
    assert.doesNotMatch((await get(query(path, parameter, "tents' and 1=2 -- "))).body, /Ridge tent/);
    const broken = await get(query(path, parameter, "tents'"));
    assert.equal(broken.status, 500);
    assert.match(broken.body, /SQLite error: .*unrecognized token/);
  });

  it('takes the same for a category in the twin', async () => {
    const { status, body } = await get(query(safePath, parameter, passwords));
    assert.equal(status, 200);
    assert.match(body, /Nothing of that kind/);
    assert.match((await get(query(safePath, parameter, 'tents'))).body, /Ridge tent/);
  });

  for (const [what, sql] of Object.entries({
    'an endless query':
      "x' or (with recursive c(n) as (select 1 union all select n + 1 from c) select max(n) from c) -- ",
    'a value of a gigabyte': "x' union select 1, length(randomblob(900000000)), 1, 1 -- ",
    'a library': "x' union select 1, load_extension('/lib/x'), 1, 1 -- ",
  })) {
    it(`does not go as far as ${what}`, async () => {
      assert.match((await get(query(path, parameter, sql))).body, /SQLite error: not authorized/);
    });
  }

  it('changes nothing: a second statement is not executed', async () => {
    await get(query(path, parameter, "x'; delete from product -- "));
    assert.match((await get(query(safePath, parameter, 'tents'))).body, /Ridge tent/);
  });
});

describe('reflected XSS', () => {
  const { path, parameter, safePath } = flawOf('reflected-xss');
  const markup = '<script>alert(1)</script>';

  it('echoes markup as markup', async () => {
    assert.ok((await get(query(path, parameter, markup))).body.includes(`You searched for: ${markup}`));
  });

  it('echoes it as text in the twin', async () => {
    const { body } = await get(query(safePath, parameter, markup));
    assert.ok(body.includes('You searched for: &lt;script&gt;') && !body.includes(markup));
  });
});

describe('open redirect', () => {
  const { path, parameter, safePath } = flawOf('open-redirect');

  it('leads anywhere', async () => {
    const answer = await get(query(path, parameter, 'https://evil.example/x'));
    assert.deepEqual([answer.status, answer.location], [302, 'https://evil.example/x']);
  });

  it('survives a place that no header can carry', async () => {
    assert.equal((await get(query(path, parameter, '/\r\nset-cookie: a=b'))).status, 400);
  });

  it('leads only to known partners in the twin', async () => {
    for (const place of ['https://evil.example/x', '//evil.example', 'https://partner.example.evil.example/']) {
      const answer = await get(query(safePath, parameter, place));
      assert.deepEqual([answer.status, answer.location], [400, null]);
    }
    assert.equal((await get(query(safePath, parameter, 'https://partner.example/'))).status, 302);
  });
});

describe('path traversal', () => {
  const { path, parameter, safePath } = flawOf('path-traversal');

  it('reads a made-up file of passwords', async () => {
    const { status, body } = await get(query(path, parameter, '../../../etc/passwd'));
    assert.equal(status, 200);
    assert.match(body, /^root:x:0:0:.*\n.*\nshop:x:1000:1000:The Range/);
  });

  it('never reads the real disk', async () => {
    for (const file of [import.meta.filename, '/proc/self/environ', '/etc/os-release', '/etc/group', 'constructor']) {
      assert.equal((await get(query(path, parameter, `../../../../..${file}`))).status, 404);
    }
  });

  it('reads nothing but documents in the twin', async () => {
    for (const file of [
      '../../../etc/passwd',
      '../documents/returns.txt',
      '/etc/passwd',
      '..%2f..%2f..%2fetc/passwd',
    ]) {
      assert.equal((await get(query(safePath, parameter, file))).status, 404);
    }
    assert.match((await get(query(safePath, parameter, 'returns.txt'))).body, /30 days/);
  });
});

describe('orders of another customer', () => {
  const { path, safePath } = flawOf('order-of-another-customer');
  const order = (template: string, id: number) => template.replace('{id}', String(id));

  it("lets alice read bob's order, but nobody who is not signed in", async () => {
    const alice = await signIn('alice', 'alice-of-the-range');
    assert.match((await get(order(path, 1002), alice)).body, /bob.*Harbour Road/s);
    assert.equal((await get(order(path, 1002))).location, '/login');
  });

  it('shows each customer only their own in the twin', async () => {
    const alice = await signIn('alice', 'alice-of-the-range');
    const bob = await signIn('bob', 'bob-of-the-range');
    assert.equal((await get(order(safePath, 1002), alice)).status, 404);
    assert.match((await get(order(safePath, 1002), bob)).body, /Harbour Road/);
    assert.match((await get(order(safePath, 1001), alice)).body, /Meadow Lane/);
  });
});

describe('the front in the answer key', () => {
  it('names every flaw once, each with a twin elsewhere', () => {
    assert.equal(new Set(frontFlaws.map(({ id }) => id)).size, 5);
    assert.equal(new Set(frontFlaws.flatMap(({ path, safePath }) => [path, safePath])).size, 10);
  });

  it('names only routes that a crawler with an account can find', async () => {
    const alice = await signIn('alice', 'alice-of-the-range');
    const pages = [await get('/', alice), await get('/orders', alice)].map(({ body }) => body).join('');
    for (const { path, safePath } of frontFlaws) {
      for (const one of [path, safePath]) {
        assert.match(pages, new RegExp(`href="${one.replace('{id}', '\\d+')}["?]`), `${one} is not linked`);
      }
    }
  });
});
