import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Reply } from '../exploit.ts';
import { memberAt } from '../wardens/exploits.ts';
import { openWholeShop } from '../whole-shop.ts';
import { decoys } from './decoys.ts';

const { visitor } = openWholeShop();
const IMAGE = '<img src=x onerror=__c(1)>';

const ask = (path: string) => visitor().ask(path);
const withValue = (path: string, parameter: string, value: string) =>
  ask(`${path}?${parameter}=${encodeURIComponent(value)}`);

/** Asserts that the response is the same for any payload. */
async function isAlwaysTheSame(path: string, parameter: string): Promise<void> {
  const answers = ["x'", '1 and 1=1', '{{7*7}}', '../../etc/passwd'].map((value) => withValue(path, parameter, value));
  const bodies = (await Promise.all(answers)).map(({ status, body }) => `${status} ${body}`);
  assert.equal(new Set(bodies).size, 1);
}

async function differs(path: string): Promise<void> {
  const bodies = new Set<string>();
  for (let visit = 0; visit < 50 && bodies.size < 2; visit++) bodies.add((await ask(path)).body);
  assert.equal(bodies.size, 2);
}

const isText = ({ body }: Reply) => !body.includes('<img src=x') && body.includes('&lt;img');

const behaviours: Record<string, (path: string, parameter: string) => Promise<void>> = {
  async 'quoted-errors'(path, parameter) {
    assert.match((await ask(path)).body, /SQL syntax.*SQLITE_ERROR.*at handler.*root:x:0:0/s);
    await isAlwaysTheSame(path, parameter);
  },
  async 'quoted-error-with-echo'(path, parameter) {
    const answer = await withValue(path, parameter, IMAGE);
    assert.ok(isText(answer) && answer.body.includes('SQLITE_ERROR'));
  },
  async 'followed-links'(path, parameter) {
    const { outside } = visitor();
    outside.take();
    await withValue(path, parameter, `http://${outside.place}/one`);
    await withValue(path, 'unknown', `http://${outside.place}/two`);
    assert.deepEqual(outside.take(), ['/one', '/two']);
  },
  async 'slow-page'(path, parameter) {
    visitor().takeSleep();
    await isAlwaysTheSame(path, parameter);
    assert.equal(visitor().takeSleep(), 4 * 1.5);
  },
  'uneven-page': isAlwaysTheSame,
  async 'echo-as-text'(path, parameter) {
    assert.ok(isText(await withValue(path, parameter, IMAGE)));
    assert.ok((await withValue(path, parameter, '{{7*7}}$((7*7))')).body.includes('{{7*7}}$((7*7))'));
  },
  async 'echo-as-plain-text'(path, parameter) {
    const { headers, body } = await withValue(path, parameter, IMAGE);
    assert.equal(body, IMAGE);
    assert.match(headers.get('content-type') ?? '', /^text\/plain/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
  },
  async 'echo-as-json'(path, parameter) {
    const { headers, body } = await withValue(path, parameter, IMAGE);
    assert.deepEqual(JSON.parse(body), { text: IMAGE });
    assert.equal(headers.get('content-type'), 'application/json');
  },
  async 'catch-all'() {
    const places = ['/anything/x', '/anything/.git/HEAD', '/anything/a/b/c.sql', '/anything/..%2f..%2fetc/passwd'];
    const answers = await Promise.all(places.map(ask));
    assert.ok(answers.every(({ status, body }) => status === 200 && body === answers[0]?.body));
  },
  'changing-page': differs,
  fortune: differs,
  async firewall(path, parameter) {
    assert.equal((await withValue(path, parameter, 'tent')).status, 200);
    for (const value of ["x' and 1=1", "x' and 1=2", IMAGE, '../x']) {
      assert.equal((await withValue(path, parameter, value)).status, 403);
    }
  },
  async fragile(path, parameter) {
    assert.equal((await withValue(path, parameter, 'tent 7')).status, 200);
    const answers = await Promise.all(["x'", "x''", '{{7*7}}', 'x;'].map((value) => withValue(path, parameter, value)));
    assert.ok(answers.every(({ status, body }) => status === 500 && body === answers[0]?.body));
  },
  async 'number-read-from-text'(path, parameter) {
    const same = await Promise.all(
      ['7', '7 and 1=1', '7 and 1=2', "7'"].map((value) => withValue(path, parameter, value)),
    );
    assert.equal(new Set(same.map(({ body }) => body)).size, 1);
    assert.equal((await withValue(path, parameter, "'")).status, 404);
  },
  async 'warning-before-leaving'(path, parameter) {
    const { status, location, body } = await withValue(path, parameter, 'https://evil.example/');
    assert.deepEqual([status, location], [200, '']);
    assert.ok(!body.includes('href="https://evil.example/') && !body.includes('http-equiv="refresh"'));
  },
  async wildcard(path, parameter) {
    assert.ok((await withValue(path, parameter, 'f*')).body.includes('frank, fred'));
    assert.ok((await withValue(path, parameter, 'f*)(cn=*')).body.includes('frank, fred'));
    assert.ok((await withValue(path, parameter, 'f)(cn=g')).body.includes('Nobody'));
  },
  async 'open-on-purpose'(path) {
    const { headers } = await ask(path);
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.equal(headers.get('access-control-allow-credentials'), null);
  },
  async 'published-example'(path) {
    assert.match((await ask(path)).body, /demo:password.*AKIA/);
  },
  async 'length-in-answer'(path, parameter) {
    assert.ok((await withValue(path, parameter, '12345')).body.includes('5 characters'));
    assert.ok((await withValue(path, parameter, 'x and 1=1')).body.includes('9 characters'));
  },
  async 'filter-before-text'(path, parameter) {
    for (const value of ['a;b', 'x|y', 'alert(1)']) {
      assert.equal((await withValue(path, parameter, value)).status, 403);
    }
    assert.ok((await withValue(path, parameter, 'w<scrscriptipt>../and')).body.includes('w&lt;script&gt;'));
  },
  async 'length-of-the-profile'(path, parameter) {
    const told = async (value: string) => {
      const place = { method: 'POST', path, location: 'form', parameter } as const;
      await visitor().send(place, value, { as: 'alice' });
      return (await visitor().ask(path.replace('profile', 'picks'), { as: 'alice' })).body;
    };
    const [one, other, longer] = [await told("x' and 1=1"), await told("x' and 1=2"), await told('x')];
    assert.equal(one, other);
    assert.notEqual(one, longer);
  },
  async 'verbs-not-understood'(path) {
    assert.equal((await ask(path)).location, '/login');
    const answers = [path, `${path}/x`].map((place) => visitor().ask(place, { method: 'PROPFIND' }));
    const [one, other] = await Promise.all(answers);
    assert.deepEqual([one?.status, one?.body], [200, other?.body]);
  },
  async 'name-of-ended-token'(path) {
    const { logIn, leave, see, user } = await memberAt(visitor(), path);
    const token = await logIn();
    assert.deepEqual(JSON.parse((await see(token)).body), { user, keys: 2 });
    await leave(token);
    assert.deepEqual(JSON.parse((await see(token)).body), { notice: `Goodbye, ${user}.` });
    assert.equal((await leave(token)).status, 401);
  },
  async 'voucher-used-already'(path) {
    const { logIn, use } = await memberAt(visitor(), path);
    const token = await logIn();
    const totals = [await use(token, 'WELCOME-10'), await use(token, 'WELCOME-10')].map(({ body }) => JSON.parse(body));
    assert.deepEqual(
      totals.map(({ order }) => order.total),
      [80, 80],
    );
    const [wrong] = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((code) => use(token, code)));
    const right = await use(token, 'WELCOME-10');
    assert.deepEqual([right.status, right.body], [wrong?.status, wrong?.body]);
  },
  async 'role-in-answer'(path) {
    const { joined, logIn, see } = await memberAt(visitor(), path, { role: 'admin' });
    assert.equal(JSON.parse(joined.body).role, 'admin');
    assert.equal((await see(await logIn(), 'ledger')).status, 403);
  },
  async 'redirect-within'(path, parameter) {
    const { location, headers } = await withValue(path, parameter, 'https://evil.example/\r\nx-planted: 1');
    assert.equal(new URL(location, 'http://range.invalid').host, 'range.invalid');
    assert.equal(headers.get('x-planted'), null);
  },
};

describe('a decoy', () => {
  for (const { id, path, parameter, title } of decoys) {
    it(`${id}: ${title}`, async () => {
      const behaves = behaviours[id];
      assert.ok(behaves, 'nobody has looked at it');
      await behaves(path, parameter);
    });
  }
});
