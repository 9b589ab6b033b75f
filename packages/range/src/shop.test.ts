import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createShop } from './shop.ts';

const shop = createShop({ verification: () => 'token-1' });
const plain = createShop();
let origin = '';
let plainOrigin = '';

before(async () => {
  for (const one of [shop, plain]) await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
  const originOf = (server: typeof shop) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  [origin, plainOrigin] = [originOf(shop), originOf(plain)];
});
after(() => {
  for (const one of [shop, plain]) {
    one.close();
    one.closeAllConnections();
  }
});

const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
const tokenIn = (page: string) => /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';

const post = (cookie: string, fields: Record<string, string>) =>
  fetch(`${origin}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body: new URLSearchParams(fields),
  });

const alice = { username: 'alice', password: 'alice-of-the-range' };

describe('signing in', () => {
  it('lets the customer see their orders until they sign out', async () => {
    const form = await fetch(`${origin}/login`);
    const anonymous = cookieOf(form);
    const answer = await post(anonymous, { ...alice, form_token: tokenIn(await form.text()) });
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/orders']);
    const cookie = cookieOf(answer);
    assert.notEqual(cookie, anonymous);
    const orders = () => fetch(`${origin}/orders`, { redirect: 'manual', headers: { cookie } });
    assert.match(await (await orders()).text(), /Sign out alice/);
    await fetch(`${origin}/logout`, { redirect: 'manual', headers: { cookie } });
    assert.equal((await orders()).headers.get('location'), '/login');
  });

  it('refuses a wrong password, and a form of another session', async () => {
    const form = await fetch(`${origin}/login`);
    const form_token = tokenIn(await form.text());
    const cookie = cookieOf(form);
    assert.equal((await post(cookie, { ...alice, password: 'guess', form_token })).status, 401);
    assert.equal((await post(cookie, alice)).status, 403);
    assert.equal((await post('', { ...alice, form_token })).status, 403);
  });

  it('does not know a session that it did not give out', async () => {
    const form = await fetch(`${origin}/login`);
    const answer = await post(cookieOf(form), { ...alice, form_token: tokenIn(await form.text()) });
    const [id = '', signature = ''] = cookieOf(answer).split('.');
    const forged = `${id}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    for (const [cookie, status] of [
      [`${id}.${signature}`, 200],
      [forged, 303],
      [`${id}.`, 303],
    ] as const) {
      const orders = await fetch(`${origin}/orders`, { redirect: 'manual', headers: { cookie } });
      assert.equal(orders.status, status, cookie);
    }
  });
});

describe('the proof of ownership', () => {
  it('is a file, and a mark in the head of the main page', async () => {
    const file = await fetch(`${origin}/.well-known/sortie-verification.txt`);
    assert.equal((await file.text()).trim(), 'token-1');
    const page = await (await fetch(origin)).text();
    assert.match(page, /<head>.*<meta name="sortie-verification" content="token-1">.*<\/head>/s);
    assert.doesNotMatch(await (await fetch(`${origin}/find`)).text(), /sortie-verification/);
  });

  it('is not there when there is none', async () => {
    assert.equal((await fetch(`${plainOrigin}/.well-known/sortie-verification.txt`)).status, 404);
    assert.doesNotMatch(await (await fetch(plainOrigin)).text(), /sortie-verification/);
  });
});

describe('the rest of the shop', () => {
  it('has a page of its own for what is not there', async () => {
    const answer = await fetch(`${origin}/nowhere/at/all`);
    assert.equal(answer.status, 404);
    assert.match(await answer.text(), /This shelf is empty/);
  });

  it('speaks JSON', async () => {
    const stove = { id: 4, name: 'Gas stove', category: 'kitchen', price: 60 };
    const { products } = (await (await fetch(`${origin}/api/products`)).json()) as { products: unknown[] };
    assert.equal(products.length, 8);
    assert.deepEqual(products[3], stove);
    assert.deepEqual(await (await fetch(`${origin}/api/products/4`)).json(), stove);
    assert.equal((await fetch(`${origin}/api/orders`)).status, 401);
  });

  it('tells robots to leave the exit alone', async () => {
    assert.match(await (await fetch(`${origin}/robots.txt`)).text(), /Disallow: \/logout/);
  });

  it('loads nothing from elsewhere, and lacks the headers that a scan looks for', async () => {
    const answer = await fetch(origin);
    assert.doesNotMatch(await answer.text(), /(src|href)="https?:/);
    for (const name of ['content-security-policy', 'x-frame-options', 'x-content-type-options']) {
      assert.equal(answer.headers.get(name), null);
    }
  });

  it('goes on after requests that it does not understand', async () => {
    assert.equal((await fetch(origin, { method: 'DELETE' })).status, 404);
    assert.equal((await post('', { username: 'x'.repeat(20_000) })).status, 413);
    assert.equal((await fetch(`${origin}/login`, { method: 'HEAD' })).status, 200);
  });
});
