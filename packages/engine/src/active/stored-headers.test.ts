import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answered } from '@sortie/testing/engine/judging.ts';
import type { InventoryItem } from '../crawl/inventory/inventory.ts';
import type { Exchange } from '../http/exchange/exchange.ts';
import reflected from './checks/scripting/reflected-xss.ts';
import stored from './checks/scripting/stored-xss.ts';
import type { Asking } from './define-active-check.ts';
import type { PointRequest } from './insertion-point.ts';

const page = (path: string): InventoryItem => ({
  method: 'GET',
  url: `http://shop.test${path}`,
  parameters: [],
  seenAs: null,
  contentType: 'text/html',
});
const known = { inventory: [], accounts: [] };
const agent = { location: 'header', name: 'User-Agent', value: '', shownAt: 'http://shop.test/log' } as const;
const nonce = { word: 's0123456789ab', numbers: [1234, 2345, 3456] } as const;

/** A site that logs the browsers of its visitors. */
function logging(): Pick<Asking, 'ask' | 'known' | 'willChange'> {
  const log: string[] = [];
  return {
    known,
    willChange: async () => ({ takeBack: async () => undefined }) as Awaited<ReturnType<Asking['willChange']>>,
    async ask(request: PointRequest): Promise<Exchange> {
      const value = request.headers?.find(([name]) => name === 'User-Agent')?.[1];
      if (value !== undefined) log.push(value);
      const body = request.url.endsWith('/log') ? `<ul><li>${log.join('</li><li>')}</li></ul>` : 'welcome';
      return answered(request, { headers: { 'Content-Type': 'text/html' }, body });
    },
  };
}

describe('stored cross-site scripting by a header', () => {
  it('is tested where a page shows the headers of earlier requests', async () => {
    const item = { ...page('/'), parameters: [agent] };
    assert.ok(stored.appliesTo(item, known) && !stored.appliesTo(page('/'), known));
    const variants = await stored.probe?.(item, nonce, logging() as Asking);
    assert.deepEqual(
      variants?.map(({ parameter, url }) => [parameter.name, url]),
      variants?.map(() => ['User-Agent', agent.shownAt]),
    );
    assert.match(variants?.[0]?.payload.text ?? '', /<img/);
  });
});

describe('reflected cross-site scripting by a header', () => {
  it('is not proved, since no link sets a header', () => {
    const answers = { attack: { calls: [nonce.word] } };
    const judge = (location: 'header' | 'query') =>
      reflected.proof.judge(
        answers as unknown as Parameters<typeof reflected.proof.judge>[0],
        { text: 'CALL' },
        nonce,
        { item: page('/'), parameter: { location, name: 'Referer', value: '' } },
        known,
      );
    assert.deepEqual([judge('header'), judge('query')], ['LIKELY', 'PROVED']);
  });
});
