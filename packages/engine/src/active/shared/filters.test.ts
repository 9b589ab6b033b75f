import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answered, nonce } from '@sortie/testing/engine/judging.ts';
import type { Point, PointRequest } from '../insertion-point.ts';
import { firstSpelling, respell, watchFilter } from './filters.ts';

const LOUD = "' OR 1=1 --";

function watching(location: 'query' | 'header', read: (value: string) => { status?: number; body: string }) {
  const sent: string[] = [];
  const parameter = { location, name: 'kind', value: 'green' };
  const item = {
    method: 'GET' as const,
    url: 'http://shop.test/',
    parameters: [parameter],
    seenAs: null,
    contentType: '',
  };
  const point: Point = { item, parameter };
  const ask = async (request: PointRequest) => {
    const value =
      location === 'header'
        ? (request.headers?.find(([name]) => name === 'kind')?.[1] ?? 'green')
        : (new URL(request.url).searchParams.get('kind') ?? 'green');
    sent.push(value);
    return answered(request, read(value));
  };
  const watch = (most = 10) => watchFilter({ point, nonce, ask, loud: LOUD, most });
  return { sent, watch };
}

const find = (value: string) => ({ body: value === 'green' ? 'Sencha' : 'Nothing of that kind' });
const refusing = (odd: RegExp) => (value: string) => (odd.test(value) ? { status: 403, body: 'Blocked' } : find(value));

describe('a filter that is watched', () => {
  it('keeps, removes or refuses a text', async () => {
    const filter = await watching('query', (value) => refusing(/['=]|\bor\b/i)(value.replace('and', ''))).watch();
    const fates = ['and', 'or', '=', 'tea'].map((text) => filter?.fateOf(text));
    assert.deepEqual(await Promise.all(fates), ['removed', 'refused', 'refused', 'kept']);
  });

  it('is asked once for each text, and no more often than allowed', async () => {
    const { sent, watch } = watching('query', refusing(/'/));
    const filter = await watch(2);
    const before = sent.length;
    for (const text of ['a', 'a', '+', '*']) await filter?.fateOf(text);
    assert.ok(sent.length - before <= 2);
    assert.equal(await filter?.fateOf('%'), 'refused');
  });

  it('tells nothing where a word is answered like the value, and like a payload', async () => {
    assert.equal(await watching('query', () => ({ body: 'Tea' })).watch(), undefined);
  });

  it('shows whether the target decodes a value once more', async () => {
    const byPercent = await watching('query', (value) => refusing(/'/)(decodeURIComponent(value))).watch();
    assert.equal(await byPercent?.decoding(), 'percent');
    const byForm = await watching('query', (value) => refusing(/'/)(value.normalize('NFKC'))).watch();
    assert.equal(await byForm?.decoding(), 'wide');
    assert.equal(await (await watching('query', refusing(/'/)).watch())?.decoding(), undefined);
  });

  it('is not sent what a header cannot hold', async () => {
    const { sent, watch } = watching('header', refusing(/'/));
    const filter = await watch();
    assert.ok(filter);
    assert.equal(await filter.fateOf('\v'), 'refused');
    assert.equal(await filter.decoding(), undefined);
    assert.deepEqual(
      sent.filter((value) => !/^[\t -~]*$/.test(value)),
      [],
    );
  });
});

describe('the spelling of a text', () => {
  it('is chosen by what passes', async () => {
    const filter = await watching('query', (value) => refusing(/\band\b|\bAND\b|[' ]/)(value.replace('or', ''))).watch(
      20,
    );
    assert.ok(filter);
    assert.equal(await respell('and', filter, true), 'aNd');
    assert.equal(await respell('and', filter), undefined);
    assert.equal(await respell('or', filter), 'oorr');
    assert.deepEqual(await firstSpelling([' ', '/**/'], filter), { text: '/**/', spelling: '/**/' });
  });
});
