import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answered, nonce } from '@sortie/testing/engine/judging.ts';
import type { Asking, Point } from '../../define-active-check.ts';
import type { PointRequest } from '../../insertion-point.ts';
import { outcomeOf } from '../../silence.ts';
import type { Triage } from '../../triage-result.ts';
import check from './open-redirect.ts';

const usual: Omit<Triage, 'outcome'> = {
  isStable: true,
  isReflected: false,
  isInHeader: false,
  isReactive: false,
  isRead: true,
  isBroken: false,
  meanings: new Set(),
};

/** Resolves to the variants worth a proof at a target that redirects to `next(value)`, and to the values it gets. */
async function probe(value: string, next: (value: string) => string | undefined) {
  const parameter = { location: 'query', name: 'next', value } as const;
  const item = { method: 'GET', url: 'http://shop.test/go', seenAs: null, contentType: '' } as const;
  const point: Point = { item: { ...item, parameters: [parameter] }, parameter };
  const answerTo = (text: string, request: PointRequest) => {
    const location = next(text);
    return answered(request, location === undefined ? { body: 'A page' } : { status: 302, headers: { location } });
  };
  const values: string[] = [];
  const ask: Asking['ask'] = async (request) => {
    const text = new URL(request.url).searchParams.get('next') ?? '';
    values.push(text);
    return answerTo(text, request);
  };
  const look: Triage = { ...usual, outcome: outcomeOf(answerTo(value, { method: 'GET', url: item.url })) };
  const variants = await check.probe?.(point, nonce, { ask, look } as Asking);
  return { variants, values };
}

describe('a value that may be the target of a redirect', () => {
  it('is tried once where the target shows a page for the address in it', async () => {
    const { values } = await probe('/search', () => undefined);
    assert.deepEqual(values, [`https://${nonce.word}.example/`]);
  });

  it('is tried as a path where the target shows a page for no address', async () => {
    const isPath = (value: string) => (/^\/\w+$/.test(value) ? value : undefined);
    const { values } = await probe('', isPath);
    assert.equal(values[0], `/${nonce.word}`);
    assert.ok(values.includes(`//${nonce.word}.example/`));
  });

  it('is not tried in other spellings where the redirect encodes it', async () => {
    const { variants, values } = await probe('search', (value) => `/${encodeURIComponent(value)}`);
    assert.deepEqual([variants, values], [[], [`/${nonce.word}`, `https://${nonce.word}.example/`]]);
  });

  it('is tried in other spellings where only what the target refuses is encoded', async () => {
    const { variants } = await probe('https://partner.test/', (value) =>
      value.includes('partner.test') ? value : `/warning?to=${encodeURIComponent(value)}`,
    );
    assert.equal(variants?.length, 1);
  });

  it('gets no spelling twice', async () => {
    const isOwn = (value: string) => value.startsWith('https://partner.test/');
    const { values } = await probe('https://partner.test/', (value) => (isOwn(value) ? value : undefined));
    assert.ok(values.length > 10);
    assert.equal(new Set(values).size, values.length);
  });
});
