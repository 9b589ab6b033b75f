import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answerKey } from './answer-key.ts';
import { type CheckClass, catalogue } from './catalogue.ts';
import { decoys } from './decoys/decoys.ts';
import { type Place, placeOf, twinOf } from './flaw.ts';
import { frontFlaws } from './front-flaws.ts';
import { traps } from './traps/traps.ts';
import { openWholeShop } from './whole-shop.ts';

const { visitor } = openWholeShop();

const nameOf = ({ method, path, location, parameter }: Place) => `${method} ${path} ${location} ${parameter}`;
const twins = new Set(answerKey.map((flaw) => nameOf(twinOf(flaw))));

function assertDifferent(values: readonly string[]): void {
  assert.deepEqual(
    values.filter((value, index) => values.indexOf(value) !== index),
    [],
  );
}

describe('the answer key', () => {
  it('begins with the five of the front', () => {
    assert.deepEqual(answerKey.slice(0, 5), frontFlaws);
    assert.ok(answerKey.length >= 40);
  });

  it('names each flaw, decoy and trap once', () => {
    assertDifferent([...answerKey, ...decoys, ...traps].map(({ id }) => id));
    assertDifferent(answerKey.map((flaw) => `${nameOf(placeOf(flaw))} ${flaw.check}`));
  });

  it('has a twin for each that is no flaw itself', () => {
    for (const flaw of answerKey) {
      assert.ok(!twins.has(nameOf(placeOf(flaw))), `${flaw.id} is the twin of another`);
      assert.notEqual(nameOf(twinOf(flaw)), nameOf(placeOf(flaw)));
    }
  });

  it('has flaws of every kind, and of every level', () => {
    const kinds = new Set<CheckClass>(answerKey.map(({ check }) => check));
    assert.deepEqual(
      Object.keys(catalogue).filter((check) => !kinds.has(check as CheckClass)),
      [],
    );
    assert.deepEqual(new Set(answerKey.map(({ depth }) => depth)), new Set(['LEAD', 'STANDARD', 'DEEP']));
  });

  it('has flaws in every part of a request', () => {
    const expected = [
      'query',
      'path',
      'form',
      'json',
      'multipart',
      'cookie',
      'header',
      'graphql',
      'fragment',
      'message',
    ];
    const places = new Set<string>(answerKey.map(({ location }) => location));
    assert.deepEqual(
      expected.filter((place) => !places.has(place)),
      [],
    );
  });

  it('is plain data', () => assert.deepEqual(JSON.parse(JSON.stringify(answerKey)), answerKey));
});

describe('a visitor of the whole shop', () => {
  /** Resolves to every path that pages or the response to a form link, forms submit to, or the API description lists. */
  async function everythingNamed(): Promise<Set<string>> {
    const { ask } = visitor();
    const pages = [(await ask('/', { as: 'admin' })).body, (await ask('/orders', { as: 'alice' })).body];
    pages.push((await ask('/')).body);
    pages.push((await ask('/notices/export', { method: 'POST', body: 'folder=reports&format=csv' })).body);
    pages.push((await ask('/admin', { as: 'admin' })).body);
    for (const [, place = ''] of pages.join().matchAll(/href="(\/aisle\/\w+)"/g)) {
      pages.push((await ask(place, { as: 'admin' })).body);
    }
    const found = [...pages.join().matchAll(/(?:href|action)="([^"]+)"/g)].map(([, place = '']) => place);
    const { paths } = JSON.parse((await ask('/openapi.json')).body) as { paths: Record<string, unknown> };
    return new Set([...found.map((place) => place.replace(/[?#].*/, '')), ...Object.keys(paths)]);
  }

  it('can find every flaw and every twin, but for files that somebody forgot', async () => {
    const named = await everythingNamed();
    const isNamed = ({ path }: Place, sample: string) => named.has(path) || named.has(path.replace('{id}', sample));
    // These have to be guessed, or are found in a script.
    const guessed = answerKey.filter(({ check }) => ['FILES', 'SECRETS', 'METHODS'].includes(check));
    const missing = answerKey
      .filter((flaw) => !guessed.includes(flaw))
      .flatMap((flaw) => [placeOf(flaw), twinOf(flaw)].filter((place) => !isNamed(place, flaw.sample)));
    assert.deepEqual(missing, []);
  });

  it('can find every decoy and every trap', async () => {
    const named = await everythingNamed();
    const places = [...decoys, ...traps].map(({ path }) => path.replace('{id}', 'at-all'));
    assert.deepEqual(
      places.filter((path) => !named.has(path)),
      [],
    );
  });

  it('is told nothing by pages about which is which', async () => {
    const { ask } = visitor();
    const pages = [(await ask('/aisle/databases')).body, (await ask('/openapi.json')).body].join();
    for (const { title, id } of answerKey) assert.ok(!pages.includes(title) && !pages.includes(`"${id}"`), id);
  });

  it('of a shop that is not whole finds none of it', async () => {
    const { createShop } = await import('./shop.ts');
    const small = createShop();
    await new Promise<void>((resolve) => small.listen(0, '127.0.0.1', resolve));
    const address = small.address();
    assert.ok(address && typeof address === 'object');
    // The front page is there, too.
    const others = answerKey.slice(frontFlaws.length).filter(({ method, path }) => method === 'GET' && path !== '/');
    for (const { path } of others) {
      const { status } = await fetch(`http://127.0.0.1:${address.port}${path.replace('{id}', '1')}`);
      assert.equal(status, 404, path);
    }
    small.close();
    small.closeAllConnections();
  });
});
