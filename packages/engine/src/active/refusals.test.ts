import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Given, judge, nonce, observed } from '@sortie/testing/engine/judging.ts';
import type { InventoryItem } from '../crawl/inventory/inventory.ts';
import functions from './checks/access/bfla-read.ts';
import headers from './checks/access/ip-spoofing-bypass.ts';
import framed from './checks/cross-site/clickjacking.ts';
import copies from './checks/exposure/backup-source-disclosure.ts';
import hosts from './checks/exposure/host-header-injection.ts';
import links from './checks/graphql/graphql-csrf-get.ts';
import type { Asking } from './define-active-check.ts';

const item = (changes: Partial<InventoryItem> = {}): InventoryItem => ({
  method: 'GET',
  url: 'http://shop.test/admin/users',
  parameters: [],
  seenAs: 'alice',
  contentType: 'application/json',
  ...changes,
});
const site = { origin: 'http://shop.test' };
const refusal = { status: 403, body: 'not for you' };
const nothing = { status: 404, body: 'nothing here' };

describe('what an ordinary account reads though it is refused beside it', () => {
  const closed = 'http://shop.test/admin/keys';
  const known = { refused: [{ as: 'bob', url: closed }] };
  const sightings = [{ as: 'bob', url: item().url, status: 200 }];
  const verdict = (changes: Record<string, Given>) =>
    judge(
      functions,
      { subject: item({ sightings }), variant: { as: 'bob', closed } },
      {
        nobody: refusal,
        low: { body: '[{"user":"alice@shop.test","phone":"030 123"}]' },
        elsewhere: nothing,
        closed: refusal,
        ...changes,
      },
    );

  it('is proved by a record about somebody else, with all controls', () => {
    assert.equal(verdict({}), 'PROVED');
    const list = { body: '[{"user":"alice@shop.test","phone":"030 123"}]' };
    assert.equal(verdict({ nobody: list }), 'REFUTED');
    assert.equal(verdict({ elsewhere: list }), 'REFUTED');
    assert.equal(verdict({ closed: list }), 'REFUTED');
    assert.equal(verdict({ low: refusal }), 'REFUTED');
    assert.equal(verdict({ closed: undefined }), 'VOID');
  });

  it('is likely with data of people, and is not with its own record or none', () => {
    const answered = (body: string) => verdict({ low: { body } });
    assert.equal(answered('[{"user":"heidi","phone":"030 123"}]'), 'LIKELY');
    assert.equal(answered('[{"user":"alice@shop.test"}]'), 'REFUTED');
  });

  it('is looked for only where the account was refused something of the kind', async () => {
    const accounts = ['alice', 'bob'].map((name) => ({ name, marks: [] }));
    const whole = { inventory: [item({ sightings })], accounts };
    assert.ok(functions.appliesTo(item({ sightings }), { ...whole, ...known }));
    assert.ok(!functions.appliesTo(item({ sightings }), whole));
    const asking = { known: { ...whole, ...known } } as unknown as Asking;
    assert.deepEqual(await functions.probe?.(item({ sightings }), nonce, asking), [{ as: 'bob', closed }]);
  });
});

describe('a header that opens what is closed', () => {
  const log = { body: '12:01 the till was opened' };
  const verdict = (changes: Record<string, Given>) =>
    judge(
      headers,
      { subject: site, variant: { url: 'http://shop.test/admin/log', header: 'X-Real-IP' } },
      { plain: refusal, inside: log, outside: refusal, elsewhere: nothing, ...changes },
    );

  it('is proved when only the address in it decides', () => {
    assert.equal(verdict({}), 'PROVED');
    assert.equal(verdict({ plain: log }), 'REFUTED');
    assert.equal(verdict({ outside: log }), 'REFUTED');
    assert.equal(verdict({ elsewhere: log }), 'REFUTED');
    assert.equal(verdict({ inside: refusal }), 'REFUTED');
    assert.equal(verdict({ outside: { status: 429 } }), 'VOID');
  });
});

describe('a link to the host that a visitor names', () => {
  const page = (host: string) => ({
    headers: { 'content-type': 'text/html' },
    body: `<a href="https://${host}/new">New password</a>`,
  });
  const named = `${nonce.word}.example`;
  const verdict = (changes: Record<string, Given>) =>
    judge(
      hosts,
      { subject: site, variant: item({ seenAs: null }) },
      {
        plain: page('shop.test'),
        named: page(named),
        other: page('shop.test'),
        ...changes,
      },
    );

  it('is likely to be used, unless any header does the same or the host is only told', () => {
    assert.equal(verdict({}), 'LIKELY');
    assert.equal(verdict({ other: page(named) }), 'REFUTED');
    assert.equal(verdict({ named: { body: named } }), 'REFUTED');
    assert.equal(verdict({ plain: undefined }), 'VOID');
  });

  it('is one as well if the page loads a script from it', () => {
    const loading = (host: string) => ({
      headers: { 'content-type': 'text/html' },
      body: `<script src="//${host}/app.js"></script>`,
    });
    assert.equal(verdict({ named: loading(named) }), 'LIKELY');
    assert.equal(verdict({ named: loading(named), other: loading(named) }), 'REFUTED');
    assert.equal(verdict({ named: { ...loading(named), body: `<script>host = "//${named}/"</script>` } }), 'REFUTED');
  });
});

describe('a page that can be framed', () => {
  const form = '<form method="post" action="/email"><input name="email"></form>';
  const shown = (headers: Record<string, string> = {}, body = `Settings of alice ${form}`) => ({
    headers: { 'content-type': 'text/html', ...headers },
    body,
  });
  const verdict = (changes: Record<string, Given>) =>
    judge(
      framed,
      { subject: site, variant: item({ contentType: 'text/html' }) },
      {
        account: shown(),
        framed: shown(),
        nobody: refusal,
        ...changes,
      },
    );

  it('is likely to be misused only with the account in it, a form that changes something, and no word against it', () => {
    assert.equal(verdict({}), 'LIKELY');
    assert.equal(verdict({ framed: refusal }), 'REFUTED');
    assert.equal(verdict({ nobody: shown() }), 'REFUTED');
    assert.equal(verdict({ framed: shown({ 'x-frame-options': 'DENY' }) }), 'REFUTED');
    assert.equal(verdict({ framed: shown({ 'content-security-policy': "frame-ancestors 'none'" }) }), 'REFUTED');
    const search = '<form method="post" action="/search"><input name="q"></form>';
    const all = { framed: shown({}, search), account: shown({}, search) };
    assert.equal(verdict(all), 'REFUTED');
  });
});

describe('a copy of a program', () => {
  const verdict = (copy: Given, sibling: Given) =>
    judge(copies, { subject: site, variant: 'http://shop.test/index.php~' }, { copy, sibling });

  it('is proved by how programs begin, and not where everything does', () => {
    const source = { body: '<?php $password = 1;' };
    assert.equal(verdict(source, nothing), 'PROVED');
    assert.equal(verdict(source, source), 'REFUTED');
    assert.equal(verdict({ body: '<!doctype html>Write &lt;?php first' }, nothing), 'REFUTED');
    assert.equal(verdict({ ...source, status: 403 }, nothing), 'REFUTED');
    assert.equal(verdict(source, undefined), 'VOID');
  });

  it('is looked for beside what a site offers to be copied, before other pages', async () => {
    const asked: string[] = [];
    const inventory = ['/a.php', '/b.php', '/c.php', '/d.php', '/settings.php.dist'].map((path) =>
      item({ url: `http://shop.test${path}` }),
    );
    const ask = async ({ url }: { url: string }) => {
      asked.push(url);
      return observed(nothing);
    };
    await copies.probe?.(site, nonce, { ask, known: { inventory, accounts: [] } } as unknown as Asking);
    assert.deepEqual(asked.slice(0, 4), [
      'http://shop.test/settings.php~',
      'http://shop.test/settings.php.bak',
      'http://shop.test/settings.php.old',
      'http://shop.test/a.php~',
    ]);
  });

  it('is compared with one of the same ending', () => {
    const plan = copies.proof.plan(site, 'http://shop.test/a/index.php~', nonce, { accounts: [] });
    assert.equal(plan?.sibling.request.url, `http://shop.test/a/${nonce.word}.php~`);
  });
});

describe('a change by a link', () => {
  const done = { body: '{"data":{"__typename":"Mutation"}}' };
  const verdict = (changes: Record<string, Given>) =>
    judge(
      links,
      { subject: site, variant: { url: 'http://shop.test/graphql', as: 'alice' } },
      { account: { body: '{"data":{}}' }, query: done, nonsense: { body: '{"errors":[]}' }, ...changes },
    );

  it('is none without a cookie that goes along, nor where everything is answered', () => {
    assert.equal(verdict({}), 'REFUTED');
    assert.equal(verdict({ nonsense: done }), 'REFUTED');
    assert.equal(verdict({ query: undefined }), 'VOID');
    assert.equal(verdict({ account: undefined }), 'VOID');
  });
});
