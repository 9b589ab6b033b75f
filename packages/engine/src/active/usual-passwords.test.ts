import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Given, judge, nonce, observed } from '@sortie/testing/engine/judging.ts';
import type { InventoryItem } from '../crawl/inventory/inventory.ts';
import introspection from './checks/graphql/graphql-introspection.ts';
import passwords from './checks/login/default-credentials.ts';
import hardcoded from './checks/login/hardcoded-credentials.ts';
import type { Asking } from './define-active-check.ts';
import type { LabAnswer } from './lab.ts';
import { createRunMemory } from './run-memory.ts';
import { pairsInComments } from './shared/credential-pairs.ts';
import { firstLetIn, loginsAt } from './shared/login-attempts.ts';
import { digestsOf } from './shared/password-digests.ts';

const site = { origin: 'http://shop.test' };
const login: InventoryItem = {
  method: 'POST',
  url: 'http://shop.test/login',
  parameters: [
    { location: 'json', name: '/email', value: '' },
    { location: 'json', name: '/password', value: '' },
  ],
  body: { type: 'application/json', text: '{"email":"","password":""}' },
  seenAs: null,
  contentType: 'application/json',
};
const welcome = { body: '{"token":"0a1b2c3d4e5f0a1b2c3d4e5f"}' };
const refusal = { status: 401, body: '{"error":"Wrong name or password"}' };

describe('a usual password', () => {
  const verdict = (changes: Record<string, Given>) =>
    judge(
      passwords,
      { subject: site, variant: { user: 'admin', password: 'admin', item: login } },
      {
        letIn: welcome,
        wrong: refusal,
        unknown: refusal,
        ...changes,
      },
    );

  it('is proved by being let in with it and with no other', () => {
    assert.equal(verdict({}), 'PROVED');
    assert.equal(verdict({ letIn: refusal }), 'REFUTED');
    assert.equal(verdict({ letIn: { body: '{"error":"no"}' } }), 'REFUTED');
    assert.equal(verdict({ wrong: welcome }), 'REFUTED');
    assert.equal(verdict({ unknown: welcome }), 'REFUTED');
    assert.equal(verdict({ wrong: { status: 429 } }), 'VOID');
    assert.equal(verdict({ wrong: { body: 'The account is locked' } }), 'VOID');
  });

  it('is proved where the first page of the account is the response itself', () => {
    const form = '<form method="post"><input name="user"><input type="password" name="password"></form>';
    const html = { 'content-type': 'text/html' };
    const asked = { headers: html, body: form };
    const shown = { headers: { ...html, 'set-cookie': 'session=7c1f' }, body: '<h1>Hello admin</h1>' };
    const refused = {
      wrong: asked,
      unknown: asked,
    };
    assert.equal(verdict({ ...refused, letIn: shown }), 'PROVED');
    assert.equal(verdict({ ...refused, letIn: { ...shown, headers: html } }), 'REFUTED');
    assert.equal(verdict({ ...refused, letIn: { ...shown, body: `Hm ${form}` } }), 'REFUTED');
    assert.equal(verdict({ letIn: shown, ...refused, ...oneOf(refused, shown) }), 'REFUTED');
  });

  it('is refuted where every response has a session and this one only shows another page', () => {
    const form = '<form method="post"><input name="user"><input type="password" name="password"></form>';
    const headers = { 'content-type': 'text/html', 'set-cookie': 'session=7c1f' };
    const refused = {
      wrong: { headers, body: form },
      unknown: { headers, body: form },
    };
    const asks = { headers, body: '<p>Which of these pictures show a bridge?</p>' };
    assert.equal(verdict({ ...refused, letIn: asks }), 'REFUTED');
    const isClosed = { headers, body: '<p>This account has been disabled.</p>' };
    assert.equal(verdict({ ...refused, letIn: isClosed }), 'VOID');
    const redirect = { status: 302, headers: { ...headers, location: '/account-locked' } };
    assert.equal(verdict({ ...refused, letIn: redirect }), 'VOID');
  });

  it('is sent first in its proof, so that no page for failed logins can be taken for a success', () => {
    const variant = { user: 'admin', password: 'admin', item: login };
    const plan = passwords.proof.plan(site, variant, nonce, { accounts: [] });
    assert.equal(Object.keys(plan ?? {})[0], 'letIn');
  });

  /** Returns the first control with another response. */
  const oneOf = (controls: Record<string, Given>, answer: Given) =>
    Object.fromEntries(
      Object.keys(controls)
        .slice(0, 1)
        .map((key) => [key, answer]),
    );

  /** Returns the requests sent while the target responds this way. */
  async function tried(
    answer: (count: number) => LabAnswer,
    names: readonly string[] = [],
    inventory = [login],
  ): Promise<string[]> {
    const sent: string[] = [];
    await passwords.probe?.(site, nonce, {
      known: { inventory, accounts: [{ name: 'ours', marks: names }] },
      memory: createRunMemory(),
      ask: () => assert.fail('only those who come for the first time may try'),
      open: () => assert.fail('nothing is shown in a browser'),
      credentialsOf: async () => [],
      willChange: () => assert.fail('nothing is changed'),
      async askAsNewVisitor(request) {
        sent.push(String(request.body));
        return observed(answer(sent.length));
      },
    });
    return sent;
  }

  it('is looked for with ten tries at most, and not with names of accounts that were given', async () => {
    const sent = await tried(() => refusal);
    assert.equal(sent.length, 10);
    assert.deepEqual(JSON.parse(sent[1] ?? ''), { email: 'admin', password: 'admin' });
    assert.equal((await tried(() => refusal, ['admin'])).length, 7);
  });

  it('of an administrator that was given is recognized without a guess, unlike those of other given accounts', async () => {
    const found = (user: string, password: string) =>
      passwords.probe?.(site, nonce, {
        known: {
          inventory: [login],
          accounts: [{ name: user, user, marks: [], passwordDigests: digestsOf(password) }],
        },
        memory: createRunMemory(),
        askAsNewVisitor: async ({ body }: { body?: unknown }) => {
          assert.notEqual(JSON.parse(String(body)).email, user);
          return observed(refusal);
        },
      } as unknown as Asking);
    assert.deepEqual(await found('admin', 'password'), [{ user: 'admin', password: 'password', item: login }]);
    assert.deepEqual(await found('admin', 'Assam-4'), []);
    assert.deepEqual(await found('test', 'test'), []);
  });

  it('is looked for where the staff logs in, and at one login besides', async () => {
    const at = (path: string): InventoryItem => ({ ...login, url: `http://shop.test${path}` });
    const sent = await tried(() => refusal, [], [login, at('/partner/login'), at('/console/login')]);
    // Three tries for admin at both together.
    assert.equal(sent.length, 17);
  });

  it('is not looked for where accounts are registered', async () => {
    const at = (path: string, more: Partial<InventoryItem> = {}): InventoryItem => ({
      ...login,
      url: `http://shop.test${path}`,
      ...more,
    });
    const registrations = [
      at('/create', { source: 'form', effect: 'changes' }),
      at('/welcome', { source: 'form', effect: 'changes' }),
      at('/api/users', { source: 'script' }),
      at('/api/register', { source: 'browser' }),
    ];
    assert.deepEqual(await tried(() => refusal, [], registrations), []);
    assert.equal((await tried(() => refusal, [], [at('/welcome', { source: 'form', effect: 'logsIn' })])).length, 10);
    assert.equal((await tried(() => refusal, [], [at('/api/users/login', { source: 'script' })])).length, 10);
  });

  it('is looked for in forms with a token, which new visitors read, but not in JSON with one', () => {
    const withToken = (location: 'form' | 'json'): InventoryItem => ({
      ...login,
      parameters: ['user', 'password', 'csrf_token', 'Login'].map((name) => ({ location, name, value: '' })),
    });
    assert.equal(loginsAt(site, { inventory: [withToken('form')], accounts: [] }).length, 1);
    assert.equal(loginsAt(site, { inventory: [withToken('json')], accounts: [] }).length, 0);
  });

  it('is not looked for any more at the first sign of a lock', async () => {
    assert.equal((await tried((count) => (count === 3 ? { status: 429 } : refusal))).length, 3);
    assert.equal((await tried((count) => (count === 2 ? { body: 'Too many attempts' } : refusal))).length, 2);
  });
});

describe('the tries of a user', () => {
  it('include the one that seems to log in', async () => {
    const memory = createRunMemory();
    const pair = { user: 'admin', password: 'admin' };
    const tools = { memory, askAsNewVisitor: async () => observed(answers.shift() ?? refusal) };
    const answers = [refusal, welcome, refusal, refusal, refusal, refusal];
    assert.equal(await firstLetIn(login, [pair], 'word', tools), pair);
    const more = [1, 2, 3].map((number) => ({ user: 'Admin', password: `other${number}` }));
    await firstLetIn(login, more, 'word', tools);
    assert.equal(answers.length, 1, 'a random name and two of the three');
  });
});

describe('a password in a script', () => {
  const page: InventoryItem = {
    ...login,
    method: 'GET',
    url: 'http://shop.test/',
    parameters: [],
    contentType: 'text/html',
  };
  const pairs = ['one-1', 'two-2', 'three-3'].map((password) => `{user:"admin",password:"${password}"}`);
  const script = {
    headers: { 'content-type': 'text/html' },
    body: `<script>x=[${pairs.join(`,${' '.repeat(200)}`)}]</script>`,
  };

  it('is proved where the script contains it, and undecided where the script was not read', () => {
    const verdict = (read: Given) =>
      judge(
        hardcoded,
        { subject: site, variant: { user: 'admin', password: 'one-1', item: login, url: page.url } },
        { script: read, letIn: welcome, unknown: refusal, wrong: refusal },
      );
    assert.equal(verdict(script), 'PROVED');
    assert.equal(verdict({ body: '<p>Tea</p>' }), 'REFUTED');
    assert.equal(verdict(undefined), 'VOID');
    assert.equal(verdict({ isUnanswered: true }), 'VOID');
  });

  it('is tried once per user, and together with usual passwords three times', async () => {
    const sent: { email: string }[] = [];
    const asking = {
      known: { inventory: [page, login], accounts: [] },
      memory: createRunMemory(),
      ask: async () => observed(script),
      async askAsNewVisitor({ body }: { body?: unknown }) {
        sent.push(JSON.parse(String(body)));
        return observed(refusal);
      },
    } as unknown as Asking;
    const triedAsAdmin = () => sent.filter(({ email }) => email === 'admin').length;
    assert.deepEqual(await hardcoded.probe?.(site, nonce, asking), []);
    assert.equal(triedAsAdmin(), 1);
    await passwords.probe?.(site, nonce, asking);
    assert.equal(triedAsAdmin(), 3);
  });

  it('is looked for on different pages, and not on those that change something', async () => {
    const at = (path: string): InventoryItem => ({ ...page, url: `http://shop.test${path}` });
    const urls = ['/teas/7/delete', '/teas?page=1', '/teas?page=2', '/teas?page=3', '/about'].map(at);
    const asked: string[] = [];
    await hardcoded.probe?.(site, nonce, {
      known: { inventory: [...urls, login], accounts: [] },
      memory: createRunMemory(),
      async ask({ url }: { url: string }) {
        asked.push(url.replace(site.origin, ''));
        return observed({ headers: { 'content-type': 'text/html' }, body: '<p>Tea</p>' });
      },
    } as unknown as Asking);
    assert.deepEqual([...new Set(asked)], ['/teas?page=1', '/about']);
  });
});

describe('a password in a comment', () => {
  it('stands alone with its user, or both are labelled', () => {
    const pairs = pairsInComments([
      'admin:Assam-4',
      ' TODO remove. Username: qa@shop.test, password: "Darjeeling-9" ',
      '/.row',
      ' header : footer ',
      ' password: text ',
      'Login: see the wiki',
      'build:css',
      'TODO:remove',
      'sidebar:start',
      'ann:Ceylon',
    ]);
    assert.deepEqual(pairs, [
      { user: 'qa@shop.test', password: 'Darjeeling-9' },
      { user: 'admin', password: 'Assam-4' },
      { user: 'ann', password: 'Ceylon' },
    ]);
  });

  it('is tried, and the finding speaks of a comment', async () => {
    const html = { 'content-type': 'text/html' };
    const page: InventoryItem = {
      ...login,
      method: 'GET',
      url: 'http://shop.test/',
      parameters: [],
      contentType: 'text/html',
    };
    const asking = {
      known: { inventory: [page, login], accounts: [] },
      memory: createRunMemory(),
      ask: async () => observed({ headers: html, body: '<p>Tea</p><!--boss:Assam-4-->' }),
      askAsNewVisitor: async ({ body }: { body?: unknown }) =>
        observed(String(body).includes('Assam-4') ? welcome : refusal),
    } as unknown as Asking;
    const [found] = (await hardcoded.probe?.(site, nonce, asking)) ?? [];
    assert.ok(found);
    assert.match(hardcoded.describe?.(found).title ?? '', /HTML comment/);
    assert.equal(hardcoded.placeOf?.(site, found), 'http://shop.test/');
  });
});

describe('a schema', () => {
  const schema = { body: '{"data":{"__schema":{"types":[{"name":"Query"}]}}}' };
  const verdict = (shown: Given, nonsense: Given) =>
    judge(introspection, { subject: site, variant: 'http://shop.test/graphql' }, { schema: shown, nonsense });

  it('is proved by its types, unless everything is answered with them', () => {
    assert.equal(verdict(schema, { body: '{"errors":[]}' }), 'PROVED');
    assert.equal(verdict(schema, schema), 'REFUTED');
    assert.equal(verdict({ body: '{"errors":[{"message":"__schema types"}]}' }, refusal), 'REFUTED');
    assert.equal(verdict({ body: '{"data":{"__schema":null}}' }, refusal), 'REFUTED');
    assert.equal(verdict(schema, undefined), 'VOID');
  });
});
